"""Columns of few distinct values: each value is made once, and then put everywhere."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from analysis.ingest.smf.arrow import column_of

Array = NDArray[Any]
_TEXT = pl.String()
_RUN = 8  # values: of shorter runs, it takes less time to look at all values


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
