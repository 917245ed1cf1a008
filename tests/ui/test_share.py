"""What the row keeps of a step can be read back."""

import json

from expediter.core import trace
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
