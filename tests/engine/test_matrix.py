"""A matrix multiplies the same packed and unpacked."""

import pytest
import torch

from expediter.engine import matrix
from expediter.engine.device import Place, multiplies_short
from expediter.engine.matrix import Matrix, packs, product


@pytest.mark.parametrize("packs", [True, False])
@pytest.mark.parametrize(("dtype", "close"), [(None, 1e-5), (torch.bfloat16, 0.05)])
def test_a_product_is_that_of_the_plain_weights(monkeypatch, packs, dtype, close):
    monkeypatch.setattr(matrix, "PACKED", matrix.PACKED and packs)
    monkeypatch.setattr(matrix, "LEAST", 0)
    g = torch.Generator().manual_seed(0)
    one, two, x = (torch.randn(shape, generator=g) for shape in ((24, 16), (8, 16), (3, 5, 16)))
    with torch.inference_mode():
        found = Matrix(one, two, dtype=dtype)(x)
    assert found.dtype == (dtype or torch.float32)
    torch.testing.assert_close(found.float(), torch.cat([x @ one.T, x @ two.T], dim=-1), atol=close, rtol=close)


def test_a_small_matrix_keeps_its_own_format():
    assert Matrix(torch.zeros(8, 16), dtype=torch.bfloat16).dtype == torch.float32
    assert Matrix(torch.zeros(matrix.LEAST // 16, 16), dtype=torch.bfloat16).dtype == torch.bfloat16


@pytest.mark.parametrize(
    ("device", "dtype", "parameters", "packed"),
    [
        ("cpu", torch.bfloat16, 135_000_000, True),
        ("cpu", torch.bfloat16, 2_000_000_000, False),
        ("cpu", torch.float32, 16_000_000, False),
        ("cuda", torch.bfloat16, 135_000_000, False),
    ],
)
def test_only_a_small_target_in_a_short_format_is_packed(monkeypatch, device, dtype, parameters, packed):
    monkeypatch.setattr(matrix, "PACKED", True)
    monkeypatch.setattr(matrix, "multiplies_short", lambda name: True)
    assert packs(Place(torch.device(device), dtype), parameters) == packed


@pytest.mark.skipif(not (matrix.PACKED and multiplies_short("cpu")), reason="nothing is packed where the hardware does not multiply it")
@pytest.mark.parametrize("rows", [1, 6, 64])
def test_packing_changes_no_bit_in_a_short_format(rows):
    g = torch.Generator().manual_seed(0)
    weight, x = (torch.randn(shape, generator=g).to(torch.bfloat16) for shape in ((192, 576), (rows, 576)))
    with torch.inference_mode():
        assert torch.equal(product(weight, packed=True)(x), product(weight, packed=False)(x))
