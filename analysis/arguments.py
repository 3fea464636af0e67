"""Values of the command line, each refused with words that say how to mend it.

argparse passes on what is no error of its own, so a :class:`UserError` of these is told
as every other one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from analysis.errors import user_error


def day(option: str) -> Callable[[str], dt.date]:
    """Reads a day, as 2026-01-31."""

    def read(text: str) -> dt.date:
        try:
            return dt.datetime.strptime(text, "%Y-%m-%d").date()
        except ValueError:
            mend = "write it as 2026-01-31"
            raise user_error(f"{option}: {text!r} is no day", mend=mend) from None

    return read


def whole(option: str, least: int, most: int | None = None) -> Callable[[str], int]:
    """Reads a whole number from ``least`` to ``most``."""

    def read(text: str) -> int:
        known = text.isascii() and text.isdigit()
        if known and int(text) >= least and (most is None or int(text) <= most):
            return int(text)
        room = f"of {least} or more" if most is None else f"from {least} to {most}"
        mend = f"write a whole number {room}"
        raise user_error(f"{option}: {text!r} will not do", mend=mend)

    return read


def seconds(option: str) -> Callable[[str], float]:
    """Reads a time in seconds, 0 or more."""

    def read(text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = -1.0
        if 0 <= found < float("inf"):
            return found
        mend = "write seconds, 0 or more"
        raise user_error(f"{option}: {text!r} will not do", mend=mend)

    return read
