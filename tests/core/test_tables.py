"""Tables with a name, and tables that people bring: what is read is exact, and what is damaged gets one sentence with the fix."""

import json
from contextlib import suppress
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expediter.core.scheduler import schedule
from expediter.core.table_reader import LARGEST_TEXT, MOST_ROWS, TableError, read_bytes, read_table
from expediter.core.tables import TABLES, CostTable

SAMPLES = {"sample_batch_tokens": [8, 16, 32, 64], "sample_steps_per_sec": [1000.0, 950.0, 500.0, 480.0], "max_batch_tokens": 128}
SUM = {
    "bias_seconds": 0.01,
    "bs_probes": [1, 64],
    "alpha_seconds": [0.0, 0.0063],
    "m_probes": [1, 64, 256],
    "theta_seconds": [0.0, 0.004, 0.02],
}
sizes = st.dictionaries(st.integers(1, 100_000), st.floats(1e-3, 1e6), min_size=1, max_size=20)


def rates(table: CostTable, *batches: int, requests: int = 1) -> list[float]:
    """Steps per second at these sizes."""
    return (1 / table.step_rate(requests).verify_seconds(np.array(batches))).tolist()


@pytest.mark.parametrize("name", TABLES)
def test_a_named_table_reads_as_a_step_rate_and_says_where_it_comes_from(name):
    table = TABLES[name]
    assert table.name == name
    assert len(table.source) > 20
    assert len(table.step_rate(16).batch) == len(table.batch)
    assert table.flat == (name == "flat")


def test_the_published_table_is_as_published_and_padded_to_the_next_size():
    assert rates(TABLES["published-gpu"], 6, 384, 7, 100) == pytest.approx([87.79, 23.72, 71.18, 40.33])


def test_the_staircase_holds_a_dip_before_its_peak():
    rate = TABLES["staircase"].step_rate(16)
    plan = schedule([[0.9, 0.8, 0.7, 0.6, 0.5]] * 16, rate)
    assert plan.stop == 0
    assert max(plan.path) > 1.2 * plan.theta


def test_on_the_flat_table_everything_is_sent():
    assert schedule([[0.5, 0.01]] * 8, TABLES["flat"].step_rate(8)).stop == 16


@pytest.mark.parametrize(
    ("text", "batch", "ms"),
    [
        ("batch,ms\n1,10\n8,14.5", (1, 8), (10, 14.5)),
        ("ms,batch\n10,1\n14.5,8\n", (1, 8), (10, 14.5)),
        ("\ufeffBatch size;SPS\r\n8;50\r\n\r\n# warm\r\n1;100\r\n", (1, 8), (10, 20)),
        ("tokens\tsteps/s\n4\t250", (4,), (4,)),
        ("batch;ms\r\n1;9,25\r\n8;14,5\r\n", (1, 8), (9.25, 14.5)),
        ('"batch","steps per second"\n"4","250"', (4,), (4,)),
    ],
)
def test_csv_is_read_whatever_its_dialect(text, batch, ms):
    table = read_table(text)
    assert table.batch == batch
    assert [1000 * s for s in table.seconds] == pytest.approx(ms)


def test_the_json_of_schedule_is_read_with_its_lookup_and_drafting_time():
    table = read_table('{"sps": {"8": 50, "1": 100}, "lookup": "ceil", "draft_ms": 3, "confidences": [[0.5]], "note": "mine"}')
    assert (table.batch, table.lookup, table.draft_seconds) == ((1, 8), "ceil", 0.003)
    assert rates(table, 1, 2) == pytest.approx([100, 50])


def test_sglangs_samples_are_looked_up_by_floor_up_to_their_largest_batch():
    table = read_table(json.dumps(SAMPLES))
    assert rates(table, 1, 8, 31, 32, 63, 64, 65, 128) == pytest.approx([1000, 1000, 950, 500, 500, 480, 480, 480])


def test_sglangs_stand_in_for_a_missing_table_is_flat_and_named():
    table = read_table('{"sample_batch_tokens": [1], "sample_steps_per_sec": [1.0], "max_batch_tokens": 384}')
    assert table.flat
    assert "never measured" in table.source
    assert schedule([[0.9, 0.01]] * 64, table.step_rate(64)).stop == 128


def test_sglangs_sum_depends_on_requests_and_on_tokens():
    table = read_table(json.dumps(SUM))
    assert rates(table, 64, requests=1) == pytest.approx([1 / 0.014])
    assert rates(table, 64, requests=64) == pytest.approx([1 / 0.0203])
    assert rates(table, 160, requests=1000) == pytest.approx([1 / 0.0283])


def broken(**changes: object) -> str:
    return json.dumps({**SAMPLES, **changes})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("# only\n# remarks", "only remarks"),
        ("1,10\n2,11", "name two columns"),
        ("batch,ms,note\n1,10,a", "name two columns"),
        ("batch,minutes\n1,10", '"minutes"'),
        ("batch,ms", "no lines below"),
        ("batch,ms\n1,10\n1,11", "lines 2 and 3 both give batch 1"),
        ("batch,ms\n1,10\n\n2,nan", "line 4"),
        ("batch,ms\n1,inf", "line 2"),
        ("batch,ms\n1,-3", "line 2"),
        ("batch,ms\n1,0", "line 2"),
        ("batch,ms\n1,1e300", "line 2"),
        ("batch,ms\n1,ten", '"ten"'),
        ("batch,ms\n1,1_0", '"1_0"'),
        ("batch,ms\n0,10", "batch size"),
        ("batch,ms\n1.5,10", "batch size"),
        ("batch,ms\n1,10,5", "line 2 has 3 columns"),
        ("batch;ms\n1;18,500", "write it like 12.5, with a point"),
        ("batch,ms\n1", "line 2 has 1 column:"),
        ("batch,ms\n" + "\n".join(f"{i},1" for i in range(1, MOST_ROWS + 2)), "too large"),
        ("x" * (LARGEST_TEXT + 1), "too large"),
        ("{", "line 1, column 2"),
        ("[1, 2]", "a list"),
        ("{}", "no field"),
        ("[" * 100_000, "nested too deeply"),
        ('{"step_ms": {}}', "step_ms"),
        ('{"step_ms": {"1": 10}, "sps": {"1": 100}}', "sps"),
        ('{"step_ms": {"1": 10, "01": 11}}', "twice"),
        ('{"step_ms": {"1": 10, "1": 11}}', "twice"),
        ('{"step_ms": {"1": NaN}}', "NaN"),
        ('{"step_ms": {"1": 10}, "lookups": "ceil"}', '"lookup"'),
        ('{"step_ms": {"1": ' + "9" * 5000 + "}}", "thousands of digits"),
        (broken(sample_batch_tokens=[8, 8, 32, 64]), "sample_batch_tokens[1]"),
        (broken(sample_batch_tokens=[8, 4, 32, 64]), "must ascend"),
        (broken(sample_batch_tokens=[]), "empty"),
        (broken(sample_batch_tokens=[8, True, 32, 64]), "sample_batch_tokens[1]"),
        (broken(sample_steps_per_sec=[1.0]), "1 entries"),
        (broken(sample_steps_per_sec=[1.0, float("nan"), 1, 1]), "sample_steps_per_sec[1]"),
        (broken(sample_steps_per_sec=[1.0, -1, 1, 1]), "sample_steps_per_sec[1]"),
        (broken(max_batch_tokens=15), "max_batch_tokens"),
        (broken(max_batch_tokens="128"), "max_batch_tokens"),
        ('{"sample_batch_tokens": [1]}', "sample_steps_per_sec is missing"),
        (json.dumps({**SUM, "bias_seconds": 0}), "bias_seconds"),
        (json.dumps({**SUM, "theta_seconds": [0, -1, 2]}), "theta_seconds[1]"),
        (json.dumps({**SUM, "alpha_seconds": [0]}), "bs_probes"),
        (json.dumps({key: value for key, value in SUM.items() if key != "m_probes"}), "m_probes is missing"),
    ],
)
def test_a_damaged_table_is_refused_in_one_sentence(text, says):
    with pytest.raises(TableError) as refused:
        read_table(text)
    said = str(refused.value)
    assert says in said
    assert "\n" not in said
    assert said.startswith("The table ")
    assert said.endswith((".", "?"))
    assert len(said) < 300


def test_a_file_that_is_no_text_is_refused():
    with pytest.raises(TableError, match="UTF-8"):
        read_bytes(b"\xff\xfe\x00batch")
    with pytest.raises(TableError, match="too large"):
        read_bytes(b"x" * (4 * LARGEST_TEXT + 1))
    assert read_bytes("\ufeffbatch,ms\n1,10".encode()).batch == (1,)


@given(sizes)
def test_csv_and_json_of_the_same_numbers_are_the_same_table(step_ms):
    lines = "\n".join(["batch,ms", *(f"{batch},{ms!r}" for batch, ms in step_ms.items())])
    one, other = read_table(lines), read_table(json.dumps({"step_ms": step_ms}))
    assert (one.batch, one.seconds) == (other.batch, other.seconds)
    assert all(before < after for before, after in pairwise(one.batch))


@given(st.text(max_size=60) | st.text(alphabet='batchms,;1234567890.\n-e{}[]:" ', max_size=60))
def test_any_text_is_a_table_or_one_sentence(text):
    with suppress(TableError):
        assert read_table(text).step_rate(1).seconds.min() > 0
