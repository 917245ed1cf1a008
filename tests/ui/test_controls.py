"""What the controls say about the choices that they offer."""

import pytest

from expediter.core.policy import Policy
from expediter.core.settings import WORKLOADS
from expediter.ui.controls import KINDS, LEVELS, promise, words


@pytest.mark.parametrize("kind", KINDS)
def test_every_policy_has_a_name_and_a_sentence(kind):
    policy = Policy.parse(f"{kind}:{LEVELS[kind]}" if kind in LEVELS else kind)
    said = words()["policies"][policy.kind]
    assert said["title"]
    assert said["about"].endswith(".")


def test_every_workload_has_a_name():
    assert set(words()["workloads"]) == set(WORKLOADS)


@pytest.mark.parametrize(
    ("policy", "temperature", "begins"),
    [
        ("early-stop", 0.8, "✓ Lossless: every word"),
        ("early-stop", 0.0, "✓ Lossless: word for word"),
        ("global", 0.8, "✗ Not lossless"),
        ("global", 0.0, "✓ Lossless, but only"),
        ("stale", 1.5, "✓ Lossless"),
    ],
)
def test_only_a_global_search_above_temperature_0_is_marked_not_lossless(policy, temperature, begins):
    assert promise(Policy.parse(policy), temperature).startswith(begins)
