"""Numbers for people."""

import pytest

from expediter.core.digits import count, plain, told_apart


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (1000.0, 3, "1000"),
        (174998.25, 4, "174998"),
        (111.9, 2, "112"),
        (99.96, 3, "100"),
        (0.0005, 2, "0.0005"),
        (1.26e-7, 2, "0.00000013"),
        (330.3, 4, "330.3"),
        (88.0, 4, "88"),
        (0.0, 4, "0"),
    ],
)
def test_a_number_is_written_out_and_not_as_a_power_of_ten(value, digits, text):
    assert plain(value, digits) == text


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 words"), (1, "1 word"), (1.0, "1 word"), (16.0, "16 words"), (2.5, "2.5 words"), (2000, "2,000 words")]
)
def test_a_counted_noun_has_its_number(number, text):
    assert count(number, "word") == text


def test_numbers_that_differ_read_differently():
    assert told_apart([571.4286, 571.4257]) == ["571.429", "571.426"]
    assert told_apart([2.0, 2.0]) == ["2", "2"]
