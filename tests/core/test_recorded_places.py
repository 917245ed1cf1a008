"""Texts with a block at every place: cut, narrowed, and refused where they do not fit together."""

import numpy as np
import pytest

from expediter.core.recorded_places import Places, stacked, unstacked
from tests.fake_blocks import some_places


def test_a_kind_of_request_keeps_its_texts_whole():
    places = some_places(0.8, texts=8, words=25)
    stories = places.only(places.workload == 0)
    assert (stories.texts, len(stories)) == (2, 50)
    assert set(stories.text) == {0, 4}


def test_a_shallower_draft_would_have_agreed_no_further_than_it_guessed():
    places = some_places(0.8)
    shallow = places.shallow(2)
    assert (shallow.depth, shallow.passed.max()) == (2, 2)
    assert (shallow.passed == np.minimum(places.passed, 2)).all()
    assert (shallow.text == places.text).all()


def spoilt(**changes) -> dict[str, np.ndarray]:
    return {**stacked([some_places(0.0), some_places(0.8)]), **changes}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"places": np.array([200])}, "every temperature"),
        ({"places": np.array([400, 0])}, "every temperature"),
        ({"places": np.array([200, 100])}, "every temperature"),
        ({"place_confidence": np.full((400, 5), np.nan, np.float16)}, "no probability"),
        ({"place_passed": np.full(400, 6, np.uint8)}, "do not fit"),
        ({"place_passed": np.zeros(399, np.uint8)}, "lacks its outcome"),
        ({"place_workload": np.full(400, 4, np.uint8)}, "do not fit"),
        ({"place_text": np.arange(400)[::-1]}, "not together"),
    ],
)
def test_places_that_do_not_fit_together_are_refused(changes, told):
    with pytest.raises(ValueError, match=told):
        unstacked(spoilt(**changes), (0.0, 0.8), 4)


def test_places_lie_behind_each_other_by_temperature():
    first, second = some_places(0.0, texts=2), some_places(0.8, texts=3)
    again = unstacked(stacked([first, second]), (0.0, 0.8), 4)
    assert [(p.temperature, p.texts) for p in again] == [(0.0, 2), (0.8, 3)]
    assert isinstance(again[0], Places)
    np.testing.assert_array_equal(again[1].passed, second.passed)
