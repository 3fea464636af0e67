"""Fields of many sections at once: from their bytes to columns.

Values of which few are distinct are made once, and then put everywhere. What cannot be
a number becomes not-a-number, or ``NONE`` where integers are returned, and then null.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from analysis.ingest.smf.codepage import CodePage
from analysis.ingest.smf.columns import Field, Layout

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

NONE = np.iinfo(np.int64).min
_TOD_1970 = 2_208_988_800_000_000  # microseconds from 1900 to 1970
_DIGITS_7 = 10 ** np.arange(6, -1, -1)
_TEXT = pl.String()
_RUN = 8  # values: of shorter runs, it takes less time to look at all values


def columns(layout: Layout, rows: Array, stride: Ints, page: CodePage) -> pl.DataFrame:
    """All fields as columns of ``rows``, an array of the layout's ``dtype``.

    ``stride`` is each section's own length: a field that ends past it is null.
    """
    shortest = int(stride.min()) if len(stride) else layout.size
    made = {}
    for field in layout.fields:
        series = _series(field, rows[field.name], page)
        if field.end > shortest:
            past = np.flatnonzero(stride < field.end).astype(np.uint32)
            series = series.scatter(past, None)
        made[field.name] = series
    return pl.DataFrame(made)


def overflown(layout: Layout, rows: Array, stride: Ints) -> NDArray[np.bool_]:
    """Which sections have a number of 64 bits with the first one on: no counter gets
    there, and as a signed number it would be negative."""
    raw = rows.view(np.uint8).reshape(len(rows), rows.dtype.itemsize)
    too_large = np.zeros(len(rows), np.bool_)
    for field in layout.fields:
        if field.kind == "unsigned" and field.length == 8:
            too_large |= (raw[:, field.offset] > 127) & (stride >= field.end)
    return too_large


def _series(field: Field, raw: Array, page: CodePage) -> pl.Series:
    match field.kind:
        case "text":
            return translate(raw, page.decode)
        case "name":
            return translate(raw, page.spelled)
        case "address":
            return addresses(raw)
        case "ipv4":
            return translate(raw, dotted)
        case "unsigned" if field.length < 8:
            return pl.Series(raw.astype(np.int64))
    native = raw.astype(f"u{field.length}")
    match field.kind:
        case "unsigned":
            return pl.Series(native).cast(pl.Int64, strict=False)
        case "bits":
            return pl.Series(native)
        case "hex":
            values, which = distinct(native)
            digits = 2 * field.length
            return chosen([f"{value:0{digits}X}" for value in values.tolist()], which)
        case "date" | "clock" | "span":
            values, which = distinct(native)
            return _number(field.kind, values)[which]
    return _number(field.kind, native)


def _number(kind: str, native: Array) -> pl.Series:
    values = _NUMBERS[kind](native)
    series = pl.Series(values, nan_to_null=kind != "ieee")
    if values.dtype == np.int64 and (values == NONE).any():
        return series.replace(NONE, None)
    return series


NONE = np.iinfo(np.int64).min
_TOD_1970 = 2_208_988_800_000_000  # microseconds from 1900 to 1970
_DIGITS_7 = 10 ** np.arange(6, -1, -1)


def tod_seconds(raw: Words) -> Floats:
    """A span in TOD units, of which 4096 make a microsecond, in seconds."""
    return raw.astype(np.float64) / 4096e6


def tod_signed_seconds(raw: Words) -> Floats:
    """A signed span in TOD units, such as the GMT offset, in seconds."""
    return raw.astype(np.int64).astype(np.float64) / 4096e6


def stck_micros(raw: Words) -> Ints:
    """A STCK clock value as microseconds since 1970 UTC; zero is no time.

    Leap seconds are not taken off: sites that set any differ by some 27 seconds.
    """
    micros = (raw >> np.uint64(12)).astype(np.int64) - _TOD_1970
    return np.where(raw == 0, NONE, micros)


def hfp(raw: Words) -> Floats:
    """Long hexadecimal floating point: fraction / 2^56 x 16^(exponent - 64)."""
    exponent = ((raw >> np.uint64(56)) & np.uint64(0x7F)).astype(np.int32)
    fraction = (raw & np.uint64((1 << 56) - 1)).astype(np.float64)
    sign = np.where(raw >> np.uint64(63), -1.0, 1.0)
    return sign * np.ldexp(fraction, 4 * (exponent - 64) - 56)


def ieee(raw: Words) -> Floats:
    """The same bits read as an IEEE double."""
    return raw.astype("<u8").view("<f8")


def packed(raw: NDArray[np.uint32]) -> Floats:
    """The number that seven packed digits and a sign are, or not-a-number."""
    word = raw.astype(np.int64)
    digits = (word[:, None] >> (4 * np.arange(7, 0, -1))) & 0xF
    good = (digits <= 9).all(axis=1) & ((word & 0xF) >= 0xA)
    return np.where(good, digits @ _DIGITS_7, np.nan)


def packed_days(raw: NDArray[np.uint32]) -> Ints:
    """A date 0cYYDDDF as days since 1970; c is 0 for 19xx, 1 for 20xx."""
    number = packed(raw)
    whole = np.nan_to_num(number, nan=0).astype(np.int64)
    years, days = whole // 1000, whole % 1000
    start = (years - 70).astype("datetime64[Y]").astype("datetime64[D]")
    good = ~np.isnan(number) & (years < 300) & (days >= 1) & (days <= 366)
    return np.where(good, start.astype(np.int64) + days - 1, NONE)


def packed_clock(raw: NDArray[np.uint32]) -> Floats:
    """A time of day 0HHMMSSF in seconds."""
    number = packed(raw)
    hours, minutes, seconds = number // 10000, number // 100 % 100, number % 100
    good = (hours < 24) & (minutes < 60) & (seconds < 60)
    return np.where(good, hours * 3600 + minutes * 60 + seconds, np.nan)


def packed_span(raw: NDArray[np.uint32]) -> Floats:
    """A span MMSSTTTF (minutes, seconds, milliseconds) in seconds."""
    number = packed(raw)
    minutes, millis = number // 100_000, number % 100_000
    return np.where(millis < 60_000, minutes * 60 + millis / 1000, np.nan)


_NUMBERS: dict[str, Callable[[Array], Array]] = {
    "tod": tod_seconds,
    "offset": tod_signed_seconds,
    "hfp": hfp,
    "ieee": ieee,
    "clock": packed_clock,
    "span": packed_span,
    "stck": stck_micros,
    "date": packed_days,
}


def translate(raw: Array, decode: Callable[[bytes], str]) -> pl.Series:
    """Bytes as text; every distinct value is decoded once."""
    size = raw.dtype.itemsize
    if size <= 8:
        numbers, which = distinct(_as_numbers(raw, size))
        words = [decode(value.tobytes()[:size]) for value in numbers]
        return chosen(words, which)
    packed = np.ascontiguousarray(raw)
    binary = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(size), len(packed), [None, pa.py_buffer(packed)]
    )
    series = column_of(binary)
    values = series.unique()
    texts = pl.Series([decode(value) for value in values], dtype=_TEXT)
    if len(values) < 2:
        return texts[np.zeros(len(packed), np.uint32)]
    return series.replace_strict(values, texts, return_dtype=_TEXT)


def _as_numbers(raw: Array, size: int) -> Array:
    """A number for each of some values of up to eight bytes, which stand first in it;
    two are the same where the values are."""
    if size in (4, 8):
        return np.ascontiguousarray(raw).view(f"u{size}")
    padded = np.zeros((len(raw), 8), np.uint8)
    padded[:, :size] = np.ascontiguousarray(raw).view(np.uint8).reshape(-1, size)
    return padded.view("u8").reshape(-1)


def chosen(words: list[str], which: Array) -> pl.Series:
    """The words by their indexes."""
    every = pl.Series(words, dtype=_TEXT)
    if len(words) == 1:
        return every.new_from_index(0, len(which))
    return every[which]


def addresses(raw: Array) -> pl.Series:
    """Addresses as text. Mostly all are IPv4: then their last four bytes differ."""
    words = np.ascontiguousarray(raw).view(">u4").reshape(-1, 4)
    if (words[:, :3] == (0, 0, 0xFFFF)).all():
        last = np.ascontiguousarray(words[:, 3]).view("V4")
        return translate(last, dotted)
    return translate(raw, address)


def dotted(four: bytes) -> str:
    """An IPv4 address as people write it."""
    return "{}.{}.{}.{}".format(*four)


def distinct(raw: Array) -> tuple[Array, Array]:
    """The distinct values, sorted, and which of them each value is. Mostly there are
    runs of equal ones, as all records of an interval have its time."""
    changes = np.flatnonzero(raw[1:] != raw[:-1]) + 1
    if len(changes) > len(raw) // _RUN:
        values = pl.Series(raw).unique().sort().to_numpy()
        return values, np.searchsorted(values, raw).astype(np.uint32)
    begins = np.concatenate([np.zeros(min(len(raw), 1), np.int64), changes])
    values, which = np.unique(raw[begins], return_inverse=True)
    lengths = np.diff(begins, append=len(raw))
    return values, np.repeat(which.astype(np.uint32), lengths)


def address(raw: bytes) -> str:
    """An IP address as people write it."""
    whole = ipaddress.IPv6Address(raw)
    return str(whole.ipv4_mapped or whole)


@dataclass(frozen=True)
class _Exported:
    """An array of which only Arrow's C interface is known: to take one of pyarrow,
    polars first loads pyarrow's functions, of which none is used here, and that takes
    longer than a small dump."""

    array: pa.Array

    def __arrow_c_array__(self, requested_schema: object = None) -> Any:
        return self.array.__arrow_c_array__(requested_schema)


def column_of(array: pa.Array) -> pl.Series:
    """The array as a column; its bytes are not copied."""
    return pl.Series(_Exported(array))
