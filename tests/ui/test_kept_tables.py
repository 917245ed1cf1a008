"""Tables that readers brought: found again by the fingerprint in the address, after a restart too, and never in each other's place."""

import pytest
import streamlit as st

from expediter.core.table_reader import read_table
from expediter.ui import kept, kept_tables

ONE, TWO = read_table("batch,ms\n16,10\n96,20"), read_table("batch,ms\n16,10\n96,40")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path))
    st.cache_resource.clear()
    yield tmp_path
    st.cache_resource.clear()


def test_each_table_is_found_under_its_own_address():
    kept_tables.keep(ONE)
    kept_tables.keep(TWO)
    assert kept_tables.asked(kept_tables.spell(ONE)) == ONE
    assert kept_tables.asked(kept_tables.spell(TWO)) == TWO


def test_a_table_outlives_the_process(folder):
    kept_tables.keep(ONE)
    st.cache_resource.clear()
    assert kept_tables.asked(kept_tables.spell(ONE)) == ONE


def test_a_table_outlives_a_reload_where_nothing_can_be_written(folder, monkeypatch):
    monkeypatch.setenv("EXPEDITER_CACHE", "/dev/null/nowhere")
    kept_tables.keep(ONE)
    assert kept_tables.asked(kept_tables.spell(ONE)) == ONE


@pytest.mark.parametrize("name", ["", "abc", "../../etc/pas", "0123456789AB", "0123456789ab"])
def test_what_names_no_table_finds_none(name):
    assert kept_tables.asked({"own": name}) is None
    assert kept_tables.asked({}) is None


def test_a_damaged_file_counts_as_none(folder):
    kept_tables.keep(ONE)
    st.cache_resource.clear()
    for file in (folder / "tables").iterdir():
        file.write_text("{")
    assert kept_tables.asked(kept_tables.spell(ONE)) is None


def test_no_more_tables_are_held_than_wanted(monkeypatch):
    monkeypatch.setattr(kept, "MOST", 2)
    shelf = kept_tables.Shelf()
    for number in range(4):
        shelf.put(f"{number}", ONE)
    shelf.put("2", TWO)
    assert [shelf.find(f"{number}") for number in range(4)] == [None, None, TWO, ONE]
