"""Printed figures: what is a number, a size, a length of time, and what is none."""

from __future__ import annotations

import datetime as dt

import pytest

from analysis.ingest.rmf import figures


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None), ("N/A", None), ("-----", None), ("*****", None), ("1_000", None),
        ("1e19", None), ("nan", None), ("inf", None), ("1e999", None), ("1,5", None),
        ("-1.5", -1.5), (".5", 0.5), ("100.51", 100.51), (" 7 ", 7.0),
    ],
)  # fmt: skip
def test_numbers_are_read_in_each_notation(text, value):
    assert figures.number(text) == figures.scaled(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("25G", 25e9), ("1.5k", 1500.0), ("3 M", 3e6), ("K", None), ("-2G", -2e9)],
)
def test_letters_scale_a_number_that_is_no_number_without_them(text, value):
    assert figures.scaled(text) == value
    assert figures.number(text) is None


def test_letters_of_units_scale_by_thousands_or_1024():
    assert figures.millions("2") == 2e6
    assert figures.in_millions("25G") == 25_000.0
    assert figures.size("79.0M") == 79 * 2**20
    assert figures.count("356K") == 356_000


@pytest.mark.parametrize(
    ("read", "text", "seconds"),
    [
        (figures.clock_seconds, "00.00.32.060", 32.06),
        (figures.clock_seconds, "000.00.08.944393", 8.944393),
        (figures.clock_seconds, "00.32.060", None),
        (figures.clock_seconds, "00.0a.32.060", None),
        (figures.whole_seconds, "00.30.00", 1800.0),
        (figures.whole_seconds, "00.30.000", None),
        (figures.length_seconds, "29:59:997", 1799.997),
        (figures.length_seconds, "001.30.00", 5400.0),
        (figures.length_seconds, "00.00.000", None),
    ],
)
def test_lengths_of_time(read, text, seconds):
    assert read(text) == (seconds if seconds is None else pytest.approx(seconds))


@pytest.mark.parametrize(
    ("text", "order", "month_and_day"),
    [
        ("04/12/2022-00.30.00", "mdy", (4, 12)),
        ("04/12/2022 00:30:00", "dmy", (12, 4)),
        ("04.12.2022-00.30.00", "mdy", (12, 4)),
        ("2022-04-12 00:30:00", "mdy", (4, 12)),
        ("04/12-2022-00.30.00", "mdy", None),
        ("04/12/2022x00.30.00", "mdy", None),
        ("04/12/1950-00.30.00", "mdy", None),
    ],
)
def test_times_are_read_in_the_order_of_day_and_month(text, order, month_and_day):
    time = month_and_day and dt.datetime(2022, *month_and_day, 0, 30)
    assert figures.local_time(text, order) == time


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("<a>1</a><a>-12,5</a>", ("-12,5", 11)),
        ("<a> 1,234\n</a>", ("1,234", 4)),
        ("<a>1,2,3</a><a>R(1,2)</a><a>,5</a>", None),
    ],
)
def test_figures_with_a_comma(text, figure):
    assert figures.figure_with_comma(text, ">", "<") == figure
