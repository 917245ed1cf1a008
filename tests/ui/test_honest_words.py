"""Sentences follow the numbers: no cost is claimed that luck could explain, and none is hidden."""

from dataclasses import replace

import numpy as np
import pytest

from expediter.core.dial import Outcome
from expediter.core.honesty import Honesty
from expediter.core.metrics import reliability
from expediter.ui import honest_words as words
from expediter.ui.honest_choice import NOTCHES
from expediter.ui.honest_costs import Costs
from expediter.ui.honest_tables import chain_table, honesty_table, kinds_table

NONE = np.empty(0)
HONEST = Outcome(sent=2.0, promised=1000.0, came=1000.0, error=10.0, tokens=NONE, seconds=NONE)
BOASTER = replace(HONEST, sent=3.5, promised=1500.0, came=900.0)
NAMES = {notch: f"at {notch}" for notch in NOTCHES}
FIGURES = Honesty(ece=(0.01, 0.02), ece_guess=(0.01, float("nan")), auc=(0.8, float("nan")), blocks=1000, reached=(1000, 0))


def some_costs(**leads: tuple[float, float]) -> Costs:
    outcomes = {n: replace(HONEST, came=1000 + leads.get(f"at{n}", (0, 1))[0]) for n in NOTCHES}
    return Costs(
        kinds={"confidence": HONEST, "draft_probability": BOASTER}, notches=outcomes,
        leads={n: leads.get(f"at{n}", (0.0, 1.0)) for n in NOTCHES},
        kind_leads={"confidence": (0.0, 0.0), "draft_probability": (-100.0, 5.0)}, off=700.0, everything=800.0, steps=200, whole=HONEST,
    )  # fmt: skip


def test_a_chain_is_multiplied_out():
    said = words.chain(np.array([0.9, 0.8, 0.7]))
    assert "0.90 × 0.80 × 0.70 = 0.50" in said
    assert "both pass" in words.chain(np.array([0.9, 0.8]))
    assert "c and a are the same, 0.90" in words.chain(np.array([0.9]))


def test_a_boaster_is_caught_by_how_much():
    assert words.promise(BOASTER).endswith("the promise is 67 % too high.")
    assert "too low" in words.promise(replace(HONEST, promised=800.0))
    assert words.promise(replace(HONEST, promised=1015.0)).endswith("what was promised, within luck.")


def test_a_cost_within_luck_is_none():
    assert "10.0 % less" in words.cost(-100.0, 10.0, HONEST, same=False)
    assert "2.5 % more" in words.cost(25.0, 10.0, HONEST, same=False)
    assert "no difference that these blocks could show (-1.5 %, ± 2.0 %)" in words.cost(-15.0, 10.0, HONEST, same=False)
    assert "the measure for all others" in words.cost(0.0, 0.0, HONEST, same=True)


def test_where_the_dial_beats_the_calibrated_chances_the_page_says_so():
    assert words.best(some_costs(), NAMES).startswith("No notch")
    assert words.best(some_costs(at2=(1.5, 1.0)), NAMES).startswith("No notch")
    assert words.best(some_costs(at2=(40.0, 1.0)), NAMES) == (
        "On these blocks the dial at “at 2” brings 4.0 % more than the calibrated chances."
    )


def test_a_dial_that_wins_by_a_dip_of_the_table_is_told_why():
    made = some_costs(at2=(40.0, 1.0))
    sends = replace(made, notches={**made.notches, 2: replace(made.notches[2], sent=3.0)})
    assert "dip" not in words.best(sends, NAMES), "a search along the whole curve finds nothing better"
    dip = replace(sends, whole=replace(HONEST, sent=3.2, came=1050.0))
    assert "would bring 5.0 % more" in words.best(dip, NAMES)
    assert "dip" not in words.best(replace(made, whole=dip.whole), NAMES), "it sends no more than the calibrated chances"


@pytest.mark.parametrize(
    ("before", "said"), [(0.1, "it is smaller"), (0.001, "it is larger, on these blocks"), (0.016, "about the same on these blocks")]
)
def test_what_calibration_did_is_read_from_the_figures(before, said):
    assert said in words.calibration(FIGURES, replace(FIGURES, ece=(before, before)))


def test_no_order_is_claimed_where_all_fared_alike():
    assert "no order to judge" in words.ranking(FIGURES, FIGURES, 2)
    assert "80 % of the time (AUC 0.800)" in words.ranking(FIGURES, FIGURES, 1)


def test_the_fullest_bin_is_told_in_counts():
    bins = reliability(np.array([0.71, 0.72, 0.73, 0.1]), np.array([1, 1, 0, 0]))
    assert words.fullest(bins, "c", 3) == "Of the 3 guesses that were said to pass with about 72 %, 67 % really did."
    assert words.fullest(bins, "a", 3).startswith("Of the 3 chains of guesses that")
    assert words.fullest(bins, "a", 1).startswith("Of the 3 guesses that"), "the first has nothing before it"
    lonely = reliability(np.array([0.1]), np.array([0]))
    assert words.fullest(lonely, "c", 3).endswith("10 %, and it did not pass.")


def test_a_share_has_a_sign_unless_it_is_nothing():
    assert [words.signed(share) for share in (0.014, -0.003, 0.0001, -0.0001)] == ["+1.4 %", "-0.3 %", "0.0 %", "0.0 %"]


def test_charts_are_told_in_words():
    assert "at 0: promised 1,000, came 1,000" in words.cost_alt(some_costs(), NAMES)
    assert "No guessing: 700" in words.cost_alt(some_costs(), NAMES)
    assert "at 4: +4.0 %" in words.lost_alt(some_costs(at4=(40.0, 1.0)), NAMES)
    assert "at -4: 2.00" in words.sent_alt(some_costs(), NAMES)
    assert "0.010, 0.020" in words.error_alt(FIGURES, FIGURES, "before calibration")


TEXT = {
    "chain_label": "<one>", "chain_c": "c", "chain_a": "a", "chain_fate": "fate", "guess": "guess {k}", "fate_passed": "passed",
    "fate_refused": "refused", "fate_behind": "behind", "table_title": "all", "row_reached": "judged", "row_ece": "error {kind}",
    "row_ece_guess": "error c {kind}", "row_auc": "AUC {kind}", "kinds_head": ["who", "sent"], "row_off": "off", "row_everything": "all",
}  # fmt: skip


def test_the_chain_shows_what_became_of_every_guess():
    html = chain_table(np.array([0.9, 0.8, 0.7]), 1, TEXT)
    assert "<td>0.72</td>" in html
    assert html.index("✓ passed") < html.index("✕ refused") < html.index("↩ behind")
    assert "aria-label='&lt;one&gt;'" in html


def test_what_was_not_measured_is_a_dash():
    html = honesty_table({"confidence": FIGURES}, {"when fitted": [0.01, None]}, {"confidence": "calibrated"}, TEXT)
    assert html.count("<td>–</td>") == 3


def test_every_kind_of_chance_is_set_against_the_calibrated_one():
    html = kinds_table(some_costs(), {"confidence": "calibrated", "draft_probability": "<raw>"}, {"draft_probability": "✗ leaks"}, TEXT)
    assert "&lt;raw&gt;<small>✗ leaks</small>" in html
    assert "-10.0 % ± 1.0" in html
    assert "<td>700</td>" in html
