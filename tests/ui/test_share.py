"""What the row keeps of a step can be read back."""

import json

import pytest

from expediter.core import trace
from expediter.ui import share as row
from expediter.ui.share import step_file
from tests.ui.test_session import RUN, Desk


def test_a_downloaded_step_is_read_as_a_recorded_run(tmp_path):
    desk = Desk()
    desk.session.act("advance")
    (tmp_path / "step.json").write_text(step_file(desk.session), encoding="utf-8")
    assert trace.load(tmp_path / "step.json") == [RUN[1]]


def test_a_downloaded_step_says_where_it_comes_from():
    whole = json.loads(step_file(Desk().session))
    assert RUN[0].table in whole["about"]
    assert whole["link"]["step"] == "1"


@pytest.mark.parametrize("unsettled", [True, False])
def test_files_lie_ready_while_the_page_looks_again_by_itself(monkeypatch, unsettled: bool):
    given = {}
    monkeypatch.setattr(row.st, "download_button", lambda label, data, name, *_, **__: given.update({name: data}))
    monkeypatch.setattr(row, "_row", lambda *_: None)
    session = Desk().session
    monkeypatch.setattr(type(session), "unsettled", unsettled)
    row.share(session)
    assert [isinstance(data, str) for data in given.values()] == [unsettled] * 2
    made = [data if unsettled else data() for data in given.values()]
    assert made[0] == step_file(session)
    assert made[1].startswith("<!doctype html>")
