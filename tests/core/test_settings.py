"""Settings are clamped to what the machine takes."""

import pytest

from expediter.core.settings import GPU_LOAD, MAX_LOAD, Settings, served, widest


@pytest.mark.parametrize(("device", "most"), [("cpu", 64), ("cuda", 256), ("mps", 256), ("", 64)])
def test_a_gpu_serves_more_requests(device, most):
    assert widest(device) == most
    assert Settings(load=9999).clamped(widest(device)).load == most


def test_a_load_is_clamped_to_a_cpus_unless_told_otherwise():
    assert Settings(load=9999).clamped().load == MAX_LOAD
    assert Settings(load=-1).clamped(GPU_LOAD).load == 1


def test_loads_that_the_device_does_not_take_are_refused_with_what_it_takes():
    assert served([1, 256], "cuda") == (1, 256)
    with pytest.raises(ValueError, match="256 requests at once are not served on cpu: give 1 to 64"):
        served([1, 256], "cpu")
    with pytest.raises(ValueError, match="0 requests at once are not served on mps: give 1 to 256"):
        served([0], "mps")
