"""A cost table is read as it was written, and a file that says something else is refused."""

import json

import pytest

from expediter.core import table_file
from expediter.core.clock import SimulatedClock
from expediter.core.table_reader import read_table

TABLE = read_table("batch,ms\n16,10\n96,20.5")
SUM = json.dumps(
    {"bias_seconds": 0.01, "bs_probes": [1, 64], "alpha_seconds": [0, 0.004], "m_probes": [1, 8, 512], "theta_seconds": [0, 0.001, 0.05]}
)


@pytest.mark.parametrize("table", [TABLE, read_table(SUM)])
def test_a_table_is_read_as_it_was_written(tmp_path, table):
    path = tmp_path / f"{SimulatedClock(table).fingerprint}.json"
    table_file.save(path, table)
    assert table_file.load(path) == table


@pytest.mark.parametrize(
    "content", ["", "[1]", "{}", '{"name": 3}', '{"batch": 5}', "null", json.dumps({"batch": [1], "seconds": ["x"]}), "\x00"]
)
def test_a_file_that_holds_no_table_is_refused(tmp_path, content):
    path = tmp_path / "0123456789ab.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"no cost table|another table"):
        table_file.load(path)


def test_a_file_with_other_numbers_than_its_name_says_is_refused(tmp_path):
    path = tmp_path / f"{SimulatedClock(TABLE).fingerprint}.json"
    table_file.save(path, TABLE)
    path.write_text(path.read_text().replace("16", "17"))
    with pytest.raises(ValueError, match="another table"):
        table_file.load(path)
