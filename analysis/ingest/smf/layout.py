"""Field tables: the layout of a section, declared as data, and its columns.

A layout names the fields that are read, each with offset, length and kind, and how
sure its source is: ``V`` verified against real data, ``D`` from IBM's documentation
or a mapping generated from it, which another source confirms, ``C`` from code of
others alone, ``S`` from one named source that nothing else confirms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.ingest.smf import numbers
from analysis.ingest.smf.codepage import CodePage
from analysis.ingest.smf.columns import Field, Kind, Layout
from analysis.ingest.smf.distinct import (
    addresses,
    chosen,
    distinct,
    dotted,
    translate,
)

Array = NDArray[Any]

_FLOATS: dict[str, Callable[[Array], Array]] = {
    "tod": numbers.tod_seconds,
    "offset": numbers.tod_signed_seconds,
    "hfp": numbers.hfp,
    "clock": numbers.packed_clock,
    "span": numbers.packed_span,
}
_INTEGERS: dict[str, Callable[[Array], Array]] = {
    "stck": numbers.stck_micros,
    "date": numbers.packed_days,
}
_PACKED = ("date", "clock", "span")  # of which few are distinct


def columns(layout: Layout, rows: Array, stride: Array, page: CodePage) -> pl.DataFrame:
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


def overflown(layout: Layout, rows: Array, stride: Array) -> NDArray[np.bool_]:
    """Which sections have a number of 64 bits with the first one on: no counter gets
    there, and as a signed number it would be negative."""
    raw = rows.view(np.uint8).reshape(len(rows), rows.dtype.itemsize)
    found = np.zeros(len(rows), np.bool_)
    for field in layout.fields:
        if field.kind == "unsigned" and field.length == 8:
            found |= (raw[:, field.offset] > 127) & (stride >= field.end)
    return found


def _series(field: Field, raw: Array, page: CodePage) -> pl.Series:
    if field.kind == "text":
        return translate(raw, page.decode)
    if field.kind == "name":
        return translate(raw, page.spelled)
    if field.kind == "address":
        return addresses(raw)
    if field.kind == "ipv4":
        return translate(raw, dotted)
    if field.kind == "unsigned" and field.length < 8:
        return pl.Series(raw.astype(np.int64))
    native = raw.astype(f"u{field.length}")
    if field.kind == "hex":
        return _hexadecimal(native, 2 * field.length)
    if field.kind == "bits":
        return pl.Series(native)
    if field.kind in _PACKED:
        values, which = distinct(native)
        return _number(field.kind, values)[which]
    return _number(field.kind, native)


def _number(kind: Kind, native: Array) -> pl.Series:
    if kind in _FLOATS:
        return pl.Series(_FLOATS[kind](native), nan_to_null=True)
    if kind in _INTEGERS:
        return _nulled(_INTEGERS[kind](native))
    signed = native.view(np.int64)
    if len(signed) and signed.min() < 0:
        return pl.Series(native).cast(pl.Int64, strict=False)
    return pl.Series(signed)


def _nulled(values: NDArray[np.int64]) -> pl.Series:
    series = pl.Series(values)
    return (
        series if (values != numbers.NONE).all() else series.replace(numbers.NONE, None)
    )


def _hexadecimal(native: Array, digits: int) -> pl.Series:
    values, which = distinct(native)
    return chosen([f"{value:0{digits}X}" for value in values.tolist()], which)
