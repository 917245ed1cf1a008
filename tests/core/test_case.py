"""Cases as users write them: what is read, and one clear line for everything that cannot be."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expediter.core.case import FIELDS, CaseError, read_case

GOOD = {"confidences": [[0.8, 0.2], []], "step_ms": {"2": 10, "8": 16}}


def refusal(text: str, **overrides) -> str:
    with pytest.raises(CaseError) as caught:
        read_case(text, **overrides)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 250
    return message


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"confidences": None}, "confidences is missing"),
        ({"confidences": []}, "confidences has no requests"),
        ({"confidences": 3}, "confidences must be a list of lists"),
        ({"confidences": [0.5]}, "confidences must be a list of lists"),
        ({"confidences": [[0.5], [1.0001]]}, "confidences[1][0] is 1.0001"),
        ({"confidences": [[-0.1]]}, "confidences[0][0] is -0.1"),
        ({"confidences": [[0.5, float("nan")]]}, "confidences[0][1] is NaN"),
        ({"confidences": [[float("inf")]]}, "confidences[0][0] is Infinity"),
        ({"confidences": [[True]]}, "confidences[0][0] is true"),
        ({"confidences": [["0.5"]]}, 'confidences[0][0] is "0.5"'),
        ({"confidences": [[None]]}, "confidences[0][0] is null"),
        ({"confidences": [[[0.5]]]}, "confidences[0][0] is a list"),
        ({"confidences": [[10**400]]}, "confidences[0][0] is a huge number"),
        ({"confidences": [[0.5] * 1001], "repeat": 1000}, "confidences is too large"),
        ({"confidences": [[]], "repeat": 10**400}, "confidences is too large"),
        ({"step_ms": None}, "give step_ms or sps, one of them"),
        ({"sps": {"1": 5}}, "give step_ms or sps, not both"),
        ({"step_ms": {}}, "step_ms must be an object"),
        ({"step_ms": [10]}, "step_ms must be an object"),
        ({"step_ms": {"2": 0}}, 'step_ms["2"] is 0'),
        ({"step_ms": {"2": -1}}, 'step_ms["2"] is -1'),
        ({"step_ms": {"2": float("nan")}}, 'step_ms["2"] is NaN'),
        ({"step_ms": {"2": float("inf")}}, 'step_ms["2"] is Infinity'),
        ({"step_ms": {"2": True}}, 'step_ms["2"] is true'),
        ({"step_ms": {"2": "10"}}, 'step_ms["2"] is "10"'),
        ({"step_ms": {"2": 10**400}}, 'step_ms["2"] is a huge number'),
        ({"step_ms": {"2": 1e-300}}, 'step_ms["2"] is 1e-300'),
        ({"step_ms": {"2.5": 10}}, 'step_ms has the batch size "2.5"'),
        ({"step_ms": {"0": 10}}, 'step_ms has the batch size "0"'),
        ({"step_ms": {"-1": 10}}, 'step_ms has the batch size "-1"'),
        ({"step_ms": {"two": 10}}, 'step_ms has the batch size "two"'),
        ({"step_ms": {"9" * 5000: 10}}, "step_ms has the batch size"),
        ({"step_ms": {"1": 10, "01": 11}}, "step_ms gives batch 1 twice"),
        ({"step_ms": None, "sps": {"4": 0}}, 'sps["4"] is 0'),
        ({"step_ms": None, "sps": {"4": 1e-320}}, 'sps["4"] is 1e-320'),
        ({"step_ms": None, "sps": {"4": 1e300}}, 'sps["4"] is 1e+300'),
        ({"policy": "fastest"}, 'policy: "fastest" is no policy'),
        ({"policy": 3}, "policy is 3"),
        ({"policy": "fixed:x"}, "policy"),
        ({"lookup": "nearest"}, 'lookup is "nearest"'),
        ({"lookup": ["interp"]}, "lookup is a list"),
        ({"draft_ms": -1}, "draft_ms is -1"),
        ({"draft_ms": float("nan")}, "draft_ms is NaN"),
        ({"draft_ms": "2"}, 'draft_ms is "2"'),
        ({"draft_ms": 10**400}, "draft_ms is a huge number"),
        ({"budget": -1}, "budget is -1"),
        ({"budget": 1.5}, "budget is 1.5"),
        ({"budget": True}, "budget is true"),
        ({"repeat": 0}, "repeat is 0"),
        ({"repeat": "2"}, 'repeat is "2"'),
        ({"budget_from": []}, "budget_from has no requests"),
        ({"budget_from": [[2]]}, "budget_from[0][0] is 2"),
        ({"polcy": "all"}, '"polcy" is an unknown field: did you mean "policy"?'),
        ({"zebra\n": 1}, '"zebra\\n" is an unknown field: use confidences'),
    ],
)
def test_a_refusal_names_the_field_and_the_fix(change, words):
    assert words in refusal(json.dumps({**GOOD, **change}))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the case is empty"),
        (" \n", "the case is empty"),
        ("'a'", "not JSON: Expecting value at line 1, column 1: write for example {"),
        ("{", "not JSON: Expecting property name enclosed in double quotes at line 1, column 2"),
        ("[1]", "must be a JSON object"),
        ("null", "must be a JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"confidences": [[' + "1" * 5000 + "]]}", "thousands of digits"),
        ('{"confidences": [[0.5]], "step_ms": {"1": 10, "1": 20}}', '"1" is given twice'),
        ('{"confidences": [[0.5]], "confidences": [[0.6]]}', '"confidences" is given twice'),
        ('{"confidences": [[0.5]], "step_ms": {"1": 1e999}}', 'step_ms["1"] is Infinity'),
    ],
)
def test_text_that_is_no_case_is_refused(text, words):
    assert words in refusal(text)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(FIELDS), anything, max_size=3))
def test_no_json_value_anywhere_gets_past_with_a_traceback(change):
    try:
        outcome = read_case(json.dumps({**GOOD, **change})).confidence
    except CaseError as error:
        outcome = str(error).splitlines()
    assert len(outcome) == 1 or outcome == GOOD["confidences"] or outcome == change.get("confidences")


def test_a_case_is_read_with_its_defaults():
    case = read_case(json.dumps({**GOOD, "note": "mine", "expect": {}}))
    assert (str(case.policy), case.step_rate.lookup, case.budget, case.older) == ("early-stop", "interp", None, None)
    assert case.step_rate.seconds.tolist() == [0.010, 0.016]
    assert case.step_rate.draft_seconds == 0


def test_everything_that_can_be_given_is_used():
    case = read_case(
        json.dumps({"confidences": [[0.5]], "sps": {"8": 50, "02": 100}, "policy": "stale", "lookup": "floor", "draft_ms": 2, "budget": 3,
                    "budget_from": [[0.25]], "repeat": 2})
    )  # fmt: skip
    assert (case.confidence, case.older) == ([[0.5]] * 2, [[0.25]] * 2)
    assert (str(case.policy), case.step_rate.lookup, case.budget, case.step_rate.draft_seconds) == ("stale", "floor", 3, 0.002)
    assert case.step_rate.batch.tolist() == [2, 8]
    assert case.step_rate.seconds == pytest.approx([0.01, 0.02])


def test_the_command_line_has_the_last_word():
    text = json.dumps({**GOOD, "policy": "all", "lookup": "ceil"})
    case = read_case(text, policy="off", lookup="floor")
    assert (str(case.policy), case.step_rate.lookup) == ("off", "floor")
    assert "policy" in refusal(text, policy="none of them")
    assert "lookup" in refusal(text, lookup="")


def test_null_counts_as_absent():
    case = read_case(json.dumps({**GOOD, **dict.fromkeys(set(FIELDS) - set(GOOD))}))
    assert (str(case.policy), case.step_rate.lookup, case.budget, case.older) == ("early-stop", "interp", None, None)
    assert (len(case.confidence), case.step_rate.draft_seconds) == (2, 0)


def test_rates_are_interpolated_in_step_time():
    case = read_case('{"confidences": [[0.5, 0.5]], "sps": {"1": 100, "3": 50}}')
    assert float(case.step_rate.verify_seconds(2)) == pytest.approx(0.015)
