"""Figures read column by column are those that are read one by one."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analysis.ingest.rmf import columns, figures
from analysis.ingest.rmf.columns import Batch, in_order
from analysis.ingest.tables.catalog import TABLES

PRINTED = st.text("0123456789.+-eEKMGTk_*N/A ", max_size=9).map(str.strip)
SHARED = {"system": "SYSA", "start_utc": None, "seconds": 900.0, "position": 3}


def column(texts: list[str]) -> pl.Series:
    """As a batch gives it: null where there is no text."""
    return pl.Series([text or None for text in texts], dtype=pl.String)


@example(["", "N/A", "-----", "*****", "1_000", "1e19", "nan", "inf", "-1.5", ".5"])
@example(["25G", "1.5k", "3 M", "K", "1e2T", "-2G", "100.5", "100.51", "-0.1"])
@given(st.lists(PRINTED, max_size=5))
def test_columns_and_single_figures_agree(texts):
    series = column(texts)
    for of_column, of_one in (
        (columns.numbers, figures.number),
        (columns.scaled_by(1), figures.scaled),
    ):
        expected = [of_one(text) for text in texts]
        assert of_column(series).to_list() == pytest.approx(expected, nan_ok=False)


def test_units_words_and_states():
    assert columns.scaled_by(1e6)(column(["2", "25G", ""])).to_list() == [
        2e6, 25e15, None
    ]  # fmt: skip
    assert columns.words(column(["a \n\t b", ""])).to_list() == ["a b", None]
    online = columns.same_as("online")(column(["Online", "Offline", ""]))
    assert online.to_list() == [True, False, None]


def test_a_batch_has_all_columns_and_the_last_of_two_that_tell_of_one_figure():
    rate = ("rate", columns.numbers)
    batch = Batch((("device", columns.words), rate, rate))
    batch.add(SHARED, (2, 1, 4), ["\t1\t01\t-\t2", ' refno="2"\t3\t 02\t"'])
    batch.add(SHARED | {"position": 8}, (2, 1, 4), ["\t5\t ", 'type="SUM"\t6\tTOTAL'])
    batch.add(SHARED | {"position": 9}, (1, 2, 3), ["\t03\t\t"])
    frame = batch.frame("device_interval")
    assert frame.schema == TABLES["device_interval"]
    assert frame.select("device", "rate", "position", "system").rows() == [
        ("01", 2.0, 3, "SYSA"),
        ("02", 3.0, 3, "SYSA"),
        ("03", None, 9, "SYSA"),
    ]


def test_lines_may_have_fewer_cells_than_there_are_columns_and_more():
    batch = Batch((("device", columns.words), ("rate", columns.numbers)))
    batch.add(SHARED, (1, 3), ["\t01"])
    assert batch.frame("device_interval")["rate"].to_list() == [None]
    batch.add(SHARED, (1, 3), ["\t02\t\t2\t3", "\t03", "\t04\t\t4"])
    assert batch.frame("device_interval")["rate"].to_list() == [None, 2.0, None, 4.0]


def test_a_channel_of_several_tables_becomes_one_row():
    names = {"channel": pl.String, "position": pl.Int64, "a": pl.Int64, "b": pl.Int64}
    rows = [("ED", 9, None, 1), ("ED", 3, 5, None), ("ED", 3, 6, 7), ("EE", 3, 8, None)]
    frame = pl.DataFrame(rows, names, orient="row")
    assert in_order("channel_interval", frame).rows() == [
        ("ED", 3, 5, 7),
        ("EE", 3, 8, None),
        ("ED", 9, None, 1),
    ]
    assert in_order("device_interval", frame).height == 4
