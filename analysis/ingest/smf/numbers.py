"""Number formats of SMF fields, decoded in columns.

All functions take and return NumPy arrays of one value per row; a value that cannot
be one becomes not-a-number, or ``NONE`` where integers are returned.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

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


def packed_digits(raw: NDArray[np.uint32]) -> tuple[NDArray[np.int64], Floats]:
    """Seven packed digits: (rows x 7 digits, the number or not-a-number)."""
    word = raw.astype(np.int64)
    digits = (word[:, None] >> (4 * np.arange(7, 0, -1))) & 0xF
    good = (digits <= 9).all(axis=1) & ((word & 0xF) >= 0xA)
    return digits, np.where(good, digits @ _DIGITS_7, np.nan)


def packed_days(raw: NDArray[np.uint32]) -> Ints:
    """A date 0cYYDDDF as days since 1970; c is 0 for 19xx, 1 for 20xx."""
    _, number = packed_digits(raw)
    whole = np.nan_to_num(number, nan=0).astype(np.int64)
    years, days = whole // 1000, whole % 1000
    start = (years - 70).astype("datetime64[Y]").astype("datetime64[D]")
    good = ~np.isnan(number) & (years < 300) & (days >= 1) & (days <= 366)
    return np.where(good, start.astype(np.int64) + days - 1, NONE)


def packed_clock(raw: NDArray[np.uint32]) -> Floats:
    """A time of day 0HHMMSSF in seconds."""
    _, number = packed_digits(raw)
    hours, minutes, seconds = number // 10000, number // 100 % 100, number % 100
    good = (hours < 24) & (minutes < 60) & (seconds < 60)
    return np.where(good, hours * 3600 + minutes * 60 + seconds, np.nan)


def packed_span(raw: NDArray[np.uint32]) -> Floats:
    """A span MMSSTTTF (minutes, seconds, milliseconds) in seconds."""
    _, number = packed_digits(raw)
    minutes, millis = number // 100_000, number % 100_000
    return np.where(millis < 60_000, minutes * 60 + millis / 1000, np.nan)
