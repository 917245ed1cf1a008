"""Property tests everywhere: the same examples on every machine, however slow it is. Speed is a benchmark's matter, not a test's."""

from hypothesis import HealthCheck, settings

settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
