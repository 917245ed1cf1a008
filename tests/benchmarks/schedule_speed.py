"""What deciding costs beside sorting: both timed in turn in one run, so that a busy machine slows both.

python -m tests.benchmarks.schedule_speed
"""

from time import perf_counter

import numpy as np

from expediter.core.policy import Policy
from expediter.core.scheduler import schedule
from expediter.core.step_rate import StepRate

REPEATS = 400


def ratio(kind: str, requests: int = 256, depth: int = 16) -> float:
    """Median time of one decision over the median time of a stable argsort of the same survivals."""
    confidence = np.random.default_rng(1).beta(4, 2, (requests, depth))
    survivals = np.cumprod(confidence, axis=1).ravel()
    batch = np.unique(np.geomspace(requests, requests * (depth + 1), 17).astype(int))
    rate, policy = StepRate(batch, 0.008 + 0.0002 * batch), Policy.parse(kind)
    sorting, deciding = [], []
    for _ in range(REPEATS):
        start = perf_counter()
        np.argsort(survivals, kind="stable")
        middle = perf_counter()
        schedule(confidence, rate, policy)
        sorting.append(middle - start)
        deciding.append(perf_counter() - middle)
    return float(np.median(deciding) / np.median(sorting))


if __name__ == "__main__":
    for kind in ("early-stop", "global", "stale"):
        print(f"{kind:10s} {ratio(kind):.2f} × a stable argsort of the same 4,096 survivals")
