"""What the Garage says is what was measured, in words that need no glossary."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from expediter.core.source import Source
from expediter.ui import garage_words as words
from expediter.ui.garage_data import Speed
from tests.fakes import profile
from tests.ui.garage_case import BIG, FIGURES, SLOW, SMALL, WAITING, card

TEXT = json.loads((Path(__file__).parents[2] / "assets" / "garage.json").read_text(encoding="utf-8"))


SHARES = {
    0.67: "2 of 3",
    0.78: "4 of 5",
    0.74: "3 of 4",
    0.5: "1 of 2",
    0.21: "1 of 5",
    0.91: "9 of 10",
    0.1: "under 1 of 6",
    0.97: "nearly all",
}


@pytest.mark.parametrize(("share", "said"), SHARES.items())
def test_a_share_is_a_fraction_that_can_be_pictured(share, said):
    assert words.of_few(share) == said


def test_no_fraction_is_far_from_its_share():
    for share in [k / 100 for k in range(17, 95)]:
        few, of = words.of_few(share).split(" of ")
        assert abs(int(few) / int(of) - share) <= 0.051


def test_speed_is_told_with_what_guessing_gains():
    assert words.pace(Speed(1, 148.0, 232.0)) == ("232", "words per second for one reader, 1.6 × no guessing")
    assert words.pace(Speed(16, 1262.0, 1539.0)) == ("1,539", "words per second for 16 readers at once, 1.2 × no guessing")
    assert words.pace(Speed(64, 2811.0, 2811.0)) == ("2,811", "words per second for 64 readers at once; guessing does not pay")
    assert words.pace(Speed(1, 148.0, None)) == ("148", "words per second for one reader, without guessing")


def test_honesty_is_told_in_points_and_times_with_the_blocks_behind_it():
    said = words.honesty(FIGURES)
    assert said == (
        "Chances off by 2.0 points of 100 on average; a guess that passes is told from one that does not 75 times in 100 "
        "(20,032 held-out blocks)."
    )
    nothing = replace(FIGURES, ece=(math.nan,), auc=(math.nan,))
    assert words.honesty(nothing) == "Chances not compared (20,032 held-out blocks)."


@pytest.mark.parametrize(("numbers", "said"), [(33_409_898, "33 MB"), (1_400_000_000, "1.4 GB"), (20, "1 MB")])
def test_bytes(numbers, said):
    assert words.size(numbers) == said


def test_size_and_memory_of_a_pair():
    assert words.bulk(card()) == "15.3 million numbers in the big model, 1.2 million in the small one; 33 MB on disk."
    assert words.memory(card(), 1) == "Would take about 66 MB, and 1 MB for 1 request."
    assert words.memory(card(state="live"), 16).startswith("Takes about 66 MB, and 19 MB for 16 requests")


def test_a_pair_that_waits_for_a_model_tells_what_there_is_to_fetch():
    waiting = card(state="missing", target=WAITING, table=None)
    assert words.bulk(waiting) == "About 271 MB to fetch, 134.5 million numbers."
    assert words.memory(waiting, 16) == ""
    assert (words.licence(WAITING, TEXT), words.source(WAITING, TEXT)) == (
        "Apache-2.0",
        "HuggingFaceTB/SmolLM2-135M-Instruct on the model hub, or a package that carries it",
    )


def test_a_pair_whose_weights_are_damaged_says_so():
    assert words.bulk(card(target=replace(BIG, size=None))) == "Its weights do not read."


def test_papers_of_a_fetched_model_come_first():
    hub = replace(WAITING, source=Source("S", "MIT-0", "a/b", "c0ffee", "", "bfloat16"))
    package = replace(WAITING, source=Source("S", "", "a/b", "", "pack==1", "Q4_1"))
    assert (words.licence(hub, TEXT), words.source(hub, TEXT)) == ("MIT-0", "a/b on the model hub")
    assert words.source(package, TEXT) == "a/b, out of the package pack==1, stored as Q4_1"
    own = replace(SMALL, shipped=False)
    assert words.source(own, TEXT) == "from models/small"
    assert words.licence(own, TEXT) == TEXT["licence_unknown"]
    assert words.licence(SMALL, TEXT) == TEXT["licence_shipped"]


def test_two_licences_are_told_apart_and_one_is_told_once():
    assert words.licences(card(), TEXT) == f"{TEXT['licence_shipped']}."
    said = words.licences(card(target=WAITING), TEXT)
    assert said == f"The big model: Apache-2.0. The small one: {TEXT['licence_shipped']}."


def test_a_recorded_table_is_never_called_this_machines():
    assert "another machine" in words.origin(profile(), TEXT)
    assert "2 threads, 2026-01-01" in words.origin(profile(), TEXT)
    assert words.origin(profile("measured here"), TEXT).startswith("Speed measured on this machine ")


def test_a_models_shape_is_told_as_far_as_it_is_known():
    assert words.makes(BIG) == "big: llama, 12 layers of width 320, 15,327,040 numbers"
    assert words.makes(WAITING) == "smollm2-135m"
    assert words.makes(replace(BIG, size=replace(BIG.size, kind="", layers=0))) == "big: 15,327,040 numbers"


def test_a_swap_changes_the_road_and_the_guesses():
    said = words.swap(card(chosen=True), card("Mini · good", table=SLOW), {"Pocket · good": 20.4, "Mini · good": 40.9}, 96)
    assert said == (
        "Mini · good instead of Pocket · good: a step of 96 words takes 41 ms instead of 20, and its first guess passes 66 % of the time "
        "instead of 66 %."
    )
    assert words.swap(card(), card("B", figures=None), {"Pocket · good": 1, "B": 2}, 9).endswith("takes 2 ms instead of 1.")


def test_charts_are_told_from_their_data():
    alt = words.curve_alt("Cost", {"A": ([1, 2, 3], [10.0, 20.0, 30.0])}, "{value} words", "{value:.0f} ms")
    assert alt == "Cost. A: 10 ms at 1 words; 20 ms at 2 words; 30 ms at 3 words."
    assert words.passing_alt("Passing", {"A": replace(FIGURES, acceptance=(0.5, math.nan))}) == "Passing. A: 50 %, never looked at."
