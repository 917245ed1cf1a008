"""Settings are clamped to what the machine takes."""

import pytest

from expediter.core.settings import GPU_LOAD, MAX_LOAD, Settings, widest


@pytest.mark.parametrize(("device", "most"), [("cpu", 64), ("cuda", 256), ("mps", 256), ("", 64)])
def test_a_gpu_serves_more_requests(device, most):
    assert widest(device) == most
    assert Settings(load=9999).clamped(widest(device)).load == most


def test_a_load_is_clamped_to_a_cpus_unless_told_otherwise():
    assert Settings(load=9999).clamped().load == MAX_LOAD
    assert Settings(load=-1).clamped(GPU_LOAD).load == 1
