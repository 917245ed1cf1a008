"""Ages in a reader's words."""

from datetime import UTC, datetime

import pytest

from expediter.ui.ages import ago, day

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        ("2026-05-04T11:59:30+00:00", "just now"),
        ("2026-05-04T12:05:00+00:00", "just now"),
        ("2026-05-04T11:59:00+00:00", "1 minute ago"),
        ("2026-05-04T09:10:00", "2 hours ago"),
        ("2026-05-01T12:00:00+00:00", "3 days ago"),
        ("yesterday", ""),
    ],
)
def test_ages(moment, said):
    assert ago(moment, NOW) == said


def test_days():
    assert (day("2026-05-04T12:05:00+00:00"), day("soon")) == ("4 May 2026", "soon")
