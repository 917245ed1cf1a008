"""A benchmark's result that meets every bar, with numbers of our own."""

from expediter.core.bench import Bench, Peer, Prediction, Row, summary

RATES = {"off": 100.0, "all": 110.0, "fixed:2": 130.0, "early-stop": 150.0, "best-plan": 152.0, "oracle": 180.0}
WOBBLE = (0.99, 1.0, 1.01, 1.0, 0.995)


def row(load: int, policy: str, *rates: float) -> Row:
    """One rate stands for five blocks near it."""
    blocks = rates if len(rates) > 1 else tuple(rates[0] * w for w in WOBBLE)
    return Row(load, policy, *summary(list(blocks)), tokens_per_step=2.0 * load, batch_mean=3.0 * load, wasted_share=0.2, blocks=blocks)


def peer(load: int, name: str, rate: float) -> Peer:
    blocks = tuple(rate * w for w in WOBBLE)
    return Peer(load, name, *summary(list(blocks)), blocks=blocks)


def made(**rates: float) -> Bench:
    """Three loads; `rates` change a policy's speed at all of them (off, all, fixed_2, best_plan, oracle)."""
    changed = {name: rates.get(name.replace(":", "_").replace("-", "_"), rate) for name, rate in RATES.items()}
    return Bench(
        pair="dice",
        weights="0123456789ab",
        machine="dice",
        dtype="float32",
        threads=2,
        temperature=0.0,
        depth=5,
        measured_at="2026-01-01T00:00:00+00:00",
        profile="test",
        seconds=60.0,
        rows=tuple(row(load, name, rate) for load in (1, 4, 16) for name, rate in changed.items()),
        peers=(peer(1, "generate", 80), peer(16, "generate", 90), peer(1, "assisted generation", 100)),
        overhead_share=0.1,
        overhead={"8": 0.1, "16": 0.12},
        prediction=Prediction(0.05, 0.12, {"1": 0.05}),
        notes=(),
    )
