"""For all tests: property tests with the same examples on every machine, and a cache folder that nobody has used before.

However slow a machine is, no property test fails for it: speed is a benchmark's matter, not a test's.
"""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


@pytest.fixture(autouse=True, scope="session")
def empty_cache(tmp_path_factory):
    """Pairs and profiles that this machine's user has are none of the tests' business."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EXPEDITER_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
