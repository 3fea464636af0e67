"""Values as the bytes of SMF fields, written from the documented number formats."""

from __future__ import annotations

import datetime as dt
import functools
import ipaddress

_LEAST = 16.0**-65
EPOCH_1900 = dt.datetime(1900, 1, 1, tzinfo=dt.UTC)


def number(value: int, size: int) -> bytes:
    """An unsigned big-endian integer."""
    return value.to_bytes(size, "big")


@functools.cache  # the same few names in every record
def text(value: str, size: int, codec: str = "cp037") -> bytes:
    """EBCDIC, padded with blanks."""
    return value.encode(codec).ljust(size, b"\x40")[:size]


def digits(some: str) -> bytes:
    """Digits in packed decimal with the sign F."""
    return bytes.fromhex(some + "F")


@functools.cache
def date(day: dt.date) -> bytes:
    """0cYYDDDF."""
    century = day.year // 100 - 19
    return digits(f"0{century}{day.year % 100:02d}{day.timetuple().tm_yday:03d}")


def hundredths(time: dt.time) -> bytes:
    """Hundredths of a second since midnight."""
    seconds = time.hour * 3600 + time.minute * 60 + time.second
    return number(seconds * 100 + time.microsecond // 10_000, 4)


def clock(time: dt.time) -> bytes:
    """0HHMMSSF."""
    return digits(f"0{time.hour:02d}{time.minute:02d}{time.second:02d}")


def span(millis: int) -> bytes:
    """MMSSTTTF."""
    return digits(f"{millis // 60_000:02d}{millis // 1000 % 60:02d}{millis % 1000:03d}")


def stck(moment: dt.datetime) -> bytes:
    """A clock value: bit 51 is a microsecond."""
    micros = (moment - EPOCH_1900) // dt.timedelta(microseconds=1)
    return number(micros << 12, 8)


def tod(micros: int) -> bytes:
    """A span in clock units, signed."""
    return (micros * 4096).to_bytes(8, "big", signed=True)


def hfp(value: float) -> bytes:
    """Long hexadecimal floating point; zero for what is too small for it."""
    if abs(value) < _LEAST:
        return bytes(8)
    exponent = 0
    fraction = abs(value)
    while fraction >= 1:
        fraction /= 16
        exponent += 1
    while fraction < 1 / 16:
        fraction *= 16
        exponent -= 1
    word = round(fraction * 2**56) | (exponent + 64) << 56
    return number(word | (value < 0) << 63, 8)


def address(value: str) -> bytes:
    """An IP address in 16 bytes, IPv4 as ::ffff:a.b.c.d."""
    parsed = ipaddress.ip_address(value)
    prefix = bytes(10) + b"\xff\xff" if parsed.version == 4 else b""
    return prefix + parsed.packed
