"""A link names a moment, and no link can ask for more than is allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expediter.ui.moment import LAST, Moment, asked, spell

TABLE = "0a1b2c3d4e5f"


def test_what_is_written_is_read_back():
    moment = Moment(13, TABLE)
    assert asked(spell(moment)) == moment


def test_an_address_without_a_step_names_no_moment():
    assert asked({"table": TABLE}) is None
    assert spell(None) == {}


@pytest.mark.parametrize(
    ("step", "read"), [("7", 7), ("0", 1), ("-4", 1), ("7.9", 7), ("1e999", None), ("nan", None), ("soon", None), ("", None)]
)
def test_steps_are_clamped(step, read):
    moment = asked({"step": step})
    assert (moment and moment.step) == read


@pytest.mark.parametrize("table", ["", "0a1b", TABLE.upper(), f"{TABLE}0", "<script>", "../../etc/xx"])
def test_what_cannot_be_a_fingerprint_is_none(table):
    assert asked({"step": "3", "table": table}) == Moment(3)


def test_a_link_replays_no_endless_run():
    assert Moment(10**9).goal == LAST
    assert Moment(5).goal == 5


@given(st.fixed_dictionaries({}, optional={name: st.text(max_size=14) for name in ("step", "table")}))
def test_any_address_is_read(query):
    moment = asked(query)
    assert moment is None or (moment.step >= 1 and 1 <= moment.goal <= LAST and asked(spell(moment)) == moment)
