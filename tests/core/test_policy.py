"""How policies are spelled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expediter.core.policy import PLAIN, Policy

spelled = st.sampled_from(PLAIN) | st.integers(0, 1_000_000).map("fixed:{}".format) | st.floats(0, 1).map(lambda x: f"threshold:{abs(x)!r}")


@given(spelled)
def test_a_policy_spells_itself_as_it_was_read(text):
    assert str(Policy.parse(text)) == text


def test_the_default_is_early_stop():
    assert str(Policy()) == "early-stop"


@given(st.text(max_size=30).filter(lambda text: text not in PLAIN))
def test_any_other_text_is_refused_in_one_line(text):
    with pytest.raises(ValueError, match="is no policy") as caught:
        Policy.parse(text)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    "text",
    ["", "early", "Early-stop", "fixed", "fixed:", "fixed:-1", "fixed:1.5", "fixed:٣", "fixed:1000001", "fixed:" + "9" * 5000,
     "threshold", "threshold:", "threshold:1.1", "threshold:-0.1", "threshold:nan", "threshold:inf", "threshold:0_5", "all:1", "off:"],
)  # fmt: skip
def test_levels_outside_of_the_allowed_are_refused(text):
    with pytest.raises(ValueError, match="policy"):
        Policy.parse(text)


def test_only_a_global_search_over_current_confidences_is_not_lossless():
    lossy = [
        text for text in ("early-stop", "global", "stale", "fixed:2", "threshold:0.5", "all", "off") if not Policy.parse(text).lossless
    ]
    assert lossy == ["global"]


@pytest.mark.parametrize(
    ("text", "depth"), [("early-stop", 5), ("all", 5), ("threshold:0.5", 5), ("fixed:2", 2), ("fixed:9", 5), ("off", 0)]
)
def test_how_deep_a_policy_drafts(text, depth):
    assert Policy.parse(text).depth(5) == depth
