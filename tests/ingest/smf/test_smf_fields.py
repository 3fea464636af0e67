"""Number formats: what the generator writes is what the decoder reads."""

from __future__ import annotations

import datetime as dt
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import UserError
from analysis.ingest.smf import fields
from analysis.ingest.smf.codepage import NAMES, CodePage
from analysis.ingest.smf.fields import address
from synthetic.smf import bytes_of

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
MOMENTS = st.datetimes(dt.datetime(1950, 1, 1), dt.datetime(2041, 1, 1)).map(
    lambda moment: moment.replace(tzinfo=dt.UTC)
)


def words(raw: bytes, size: int) -> np.ndarray:
    return np.frombuffer(raw, f">u{size}").astype(f"u{size}")


@given(st.floats(1e-60, 1e60) | st.floats(-1e60, -1e-60))
def test_hexadecimal_floating_point_is_read_as_it_was_packed(value):
    found = fields.hfp(words(bytes_of.hfp(value), 8))[0]
    assert math.isclose(found, value, rel_tol=1e-14, abs_tol=1e-70)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("4110000000000000", 1.0),
        ("C276A00000000000", -118.625),
        ("4080000000000000", 0.5),
        ("0000000000000000", 0.0),
    ],
)
def test_hexadecimal_floating_point_of_known_words(raw, value):
    assert fields.hfp(words(bytes.fromhex(raw), 8))[0] == value


@given(MOMENTS)
def test_a_clock_value_is_read_to_the_microsecond(moment):
    micros = (moment - EPOCH) // dt.timedelta(microseconds=1)
    assert fields.stck_micros(words(bytes_of.stck(moment), 8))[0] == micros


def test_no_clock_value_is_no_time():
    assert fields.stck_micros(np.zeros(1, np.uint64))[0] == fields.NONE


@given(st.integers(-(2**50), 2**50))
def test_spans_in_clock_units(micros):
    found = fields.tod_signed_seconds(words(bytes_of.tod(micros), 8))[0]
    assert math.isclose(found, micros / 1e6, rel_tol=1e-12)


@given(st.dates(dt.date(1971, 1, 1), dt.date(2199, 12, 31)))
def test_a_packed_date_is_read_in_days(day):
    found = fields.packed_days(words(bytes_of.date(day), 4))[0]
    assert found == (day - EPOCH.date()).days


@pytest.mark.parametrize("raw", ["00000000", "0126000F", "0126367F", "01A6001F"])
def test_what_is_no_date_is_none(raw):
    assert fields.packed_days(words(bytes.fromhex(raw), 4))[0] == fields.NONE


@given(st.times())
def test_a_packed_time_of_day_is_read_in_seconds(time):
    found = fields.packed_clock(words(bytes_of.clock(time), 4))[0]
    assert found == time.hour * 3600 + time.minute * 60 + time.second


@given(st.integers(0, 100 * 60_000 - 1))
def test_lengths_of_intervals(millis):
    found = fields.packed_span(words(bytes_of.span(millis), 4))[0]
    assert math.isclose(found, millis / 1000, abs_tol=1e-9)


@given(st.ip_addresses())
def test_mapped_addresses_are_written_as_ipv4(value):
    expected = getattr(value, "ipv4_mapped", None) or value
    assert address(bytes_of.address(str(value))) == str(expected)


@pytest.mark.parametrize("name", ["037", "273", "500", "1140"])
def test_code_pages_of_python(name):
    text = "SYSA.TCPIP#1 äÖ"
    assert CodePage(name).decode(text.encode(f"cp{name}")) == text


@pytest.mark.parametrize(
    ("name", "raw", "text"),
    [
        ("1047", b"\xad\xbd\x5f\xb0", "[]^¬"),
        ("037", b"\xba\xbb\xb0\x5f", "[]^¬"),
        ("280", b"\x7b\x7c\x90\x51", "£§[]"),
        ("277", b"\x5b\x7b\x7c\xd0\x9e", "ÅÆØå["),
        ("1141", b"\x4a\x5a\x9f", "ÄÜ€"),
    ],
)
def test_each_code_page_decodes_the_characters_in_which_it_differs(name, raw, text):
    assert CodePage(name).decode(raw) == text


@pytest.mark.parametrize("name", [name for name in NAMES if name != "875"])  # Greek
def test_every_code_page_has_the_letters_of_names(name):
    assert CodePage(name).decode("TCPIP42 SYS1.".encode("cp037")) == "TCPIP42 SYS1."


def test_an_unknown_code_page_is_a_mistake():
    with pytest.raises(UserError, match="'4711' is not known"):
        CodePage("4711")
