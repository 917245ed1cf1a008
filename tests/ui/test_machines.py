"""What Three machines reads from disk, and blocks that are drafted here."""

from dataclasses import replace

import pytest

from expediter.core.settings import Settings
from expediter.ui import machines
from expediter.ui.job import Cancelled
from expediter.ui.turns import Turns
from tests.engine import tiny
from tests.fakes import PAIRS

CHOSEN = Settings(pair="tiny", load=8, depth=3, temperature=0.8)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ('{"kind": "dspark"}', True),
        ('{"architectures": ["Qwen3DSparkModel"]}', True),
        ('{"model_type": "llama"}', False),
        ("{", False),
        ("[]", False),
        ('{"architectures": [3]}', False),
        ('{"architectures": 3}', False),
        (None, False),
    ],
)
def test_a_markov_head_is_told_by_the_drafts_own_description(tmp_path, config, expected):
    if config is not None:
        (tmp_path / "config.json").write_text(config)
    assert machines.has_head(replace(PAIRS[0], draft=tmp_path)) is expected


def test_a_pair_of_the_same_target_is_offered_first(monkeypatch, tmp_path):
    known = [replace(PAIRS[0], name=name, target=tmp_path / target) for name, target in (("a", "one"), ("b", "two"), ("c", "one"))]
    monkeypatch.setattr(machines, "known_pairs", lambda: known)
    monkeypatch.setattr(machines, "has_head", lambda info: True)
    assert machines.headed("a").name == "c"
    assert machines.headed("b").name == "a"
    monkeypatch.setattr(machines, "has_head", lambda info: info.name == "a")
    assert machines.headed("a") is None


def test_blocks_are_drafted_here_one_a_workload_with_progress():
    told = []
    found = machines.draft_here(tiny.dspark_pair(), CHOSEN, tiny.rising(), lambda share, what: told.append(share), Turns())
    assert {block.request.workload for block in found.blocks} == {"stories", "explanations", "arithmetic", "code"}
    assert (found.about, found.drawn, found.temperature) == ("", 8, 0.8)
    assert told == [0, 0.25, 0.5, 0.75]


def test_cancelled_drafting_leaves_the_processor_free():
    def report(share, what):
        raise Cancelled

    turns = Turns()
    with pytest.raises(Cancelled):
        machines.draft_here(tiny.pair(), CHOSEN, tiny.rising(), report, turns)
    with turns:
        pass


@pytest.mark.parametrize("policy", ["off", "fixed:0", "all"])
def test_who_does_not_guess_sees_guesses_here_all_the_same(monkeypatch, policy):
    asked = []
    monkeypatch.setattr(machines, "draft_here", lambda pair, settings, *_: asked.append(settings))
    monkeypatch.setattr(machines, "on_pair", lambda name, work, profiled: lambda report: work(None, None, report, None))
    machines.drafting(replace(CHOSEN, policy=policy), turn=2)(lambda share, what: None)
    assert asked[0].policy == ("all" if policy == "all" else "early-stop")
    assert asked[0].seed == CHOSEN.seed + 2
