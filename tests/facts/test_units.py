import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.facts.units import (
    date_text,
    duration_text,
    format_number,
    format_percent,
    format_percent_range,
    format_range,
    format_value,
    is_unit,
    unit_pattern,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5867.3, "5,867"),
        (152, "152"),
        (99.96, "100"),
        (21.54, "21.5"),
        (9.999, "10.0"),
        (4.371, "4.37"),
        (0.02312, "0.0231"),
        (0, "0"),
        (-3.2, "−3.20"),
    ],
)
def test_numbers_keep_three_digits_or_all_whole_ones(value, text):
    assert format_number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-37.04, "−37%"),
        (58.6, "+59%"),
        (5.94, "+5.9%"),
        (-0.42, "−0.4%"),
        (9.94, "+9.9%"),
        (9.96, "+10%"),
        (1953.2, "+1,953%"),
        (0.04, "0.0%"),
        (-0.04, "0.0%"),
    ],
)
def test_a_change_keeps_two_digits_and_its_sign(value, text):
    assert format_percent(value) == text


@pytest.mark.parametrize(
    ("value", "resolution", "text"),
    [(3.0, 1.0, "3"), (21.54, 0.1, "21.5"), (21.54, 0.05, "21.5"), (5867, 20, "5,870"),
     (0.02312, 0.004, "0.023"), (-3.2, 1, "−3"), (0, 1, "0"), (5867.3, 1e-9, "5,867")],
)  # fmt: skip
def test_a_number_has_no_digit_below_its_resolution(value, resolution, text):
    assert format_number(value, resolution) == text


@pytest.mark.parametrize(
    ("value", "resolution", "text"),
    [(5.94, 0.2, "+5.9%"), (5.94, 1.2, "+6%"), (5900, 1300, "+6,000%"),
     (40, 120, "+40%"), (-0.42, 3, "−0.4%")],
)  # fmt: skip
def test_a_change_has_no_digit_below_its_resolution_but_its_first(
    value, resolution, text
):
    assert format_percent(value, resolution) == text


def test_a_value_below_its_resolution_is_less_than_that():
    assert format_value(0, "ms", 1) == "< 1 ms"
    assert format_value(0.4, "ms", 1) == "< 1 ms"
    assert format_value(1, "ms", 1) == "1 ms"
    assert format_value(0.01, "%", 0.03) == "< 0.03%"


def test_units_stand_behind_their_number():
    assert format_value(3159.2, "MB/s") == "3,159 MB/s"
    assert format_value(211_468, "1/s") == "211,468 trans/s"
    assert format_value(46.12, "%") == "46.1%"
    assert format_range(3084, 3262, "MB/s") == "3,084 to 3,262 MB/s"
    assert format_percent_range(-42.8, -31.1) == "−43 to −31%"


@given(st.floats(1e-6, 1e12))
def test_what_is_printed_is_within_half_a_percent(value):
    printed = float(format_number(value).replace(",", ""))
    assert printed == pytest.approx(value, rel=0.0051)


@given(st.floats(-1e6, 1e6))
def test_no_sign_without_a_change(value):
    text = format_percent(value)
    assert text[0] in "+−" or text == "0.0%"
    assert "-" not in text


def test_a_day_has_no_leading_zero():
    assert date_text(dt.date(2026, 11, 3)) == "3 November 2026"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-1, "0 seconds"),
        (1, "1 second"),
        (59.9, "59 seconds"),
        (60, "1 minute"),
        (7300, "2 hours"),
        (86_400, "1 day"),
    ],
)
def test_lengths_of_time(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_the_last_digits_of_a_sum_decide_no_print() -> None:
    for value in (387_250.0, 387_250.00000000006, 387_249.99999999994):
        assert format_value(value, "µs/tran", 100.0) == "387,200 µs/tran"


@pytest.mark.parametrize(
    ("written", "unit", "same"),
    [
        ("KB", "KB", True),
        ("MB", "KB", False),
        ("tps", "1/s", True),
        ("tran/s", "1/s", True),
        ("transactions per second", "1/s", True),
        ("MBps", "MB/s", True),
        ("MB per second", "MB/s", True),
        ("MB", "MB/s", False),
        ("Mbps", "Mbit/s", True),
        ("Mbps", "MB/s", False),
        ("\u03bcs", "µs", True),
        ("microseconds", "µs", True),
        ("ms", "µs", False),
        ("ms/transaction", "ms/tran", True),
        ("ms", "ms/tran", True),
        ("per cent", "%", True),
        ("percentage points", "%", True),
        ("x", "%", False),
    ],
)
def test_a_unit_is_known_however_texts_write_it(
    written: str, unit: str, same: bool
) -> None:
    assert is_unit(written, unit) is same
    if same and unit != "%" and "µ" not in unit and unit != "ms/tran":
        assert re.fullmatch(unit_pattern(unit), written, re.IGNORECASE)


def test_a_size_is_no_rate_and_a_rate_is_one_of_any_size() -> None:
    assert not re.fullmatch(unit_pattern("KB"), "KB/s")
    assert not re.match(unit_pattern("MB"), "MBaud")
    for written in ("GB/s", "KBps", "MiB per second"):
        assert re.fullmatch(unit_pattern("MB/s"), written), written
    assert re.fullmatch(unit_pattern("requests/s"), "requests/s")
    assert re.fullmatch(unit_pattern("EUR/Mtran (assumed)"), "EUR/Mtran")
