"""Local times to UTC text, as all tables hold it."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from zoneinfo import ZoneInfo

from analysis.errors import user_error
from analysis.facts.remark import remark

NO_ZONE = remark(
    "no_zone",
    "its times are local and it names no zone; give --zone, or zone: "
    "in campaign.yaml, for example America/New_York",
)


def zone_info(zone: str) -> ZoneInfo:
    """The time zone of that name; a ``UserError`` if there is none."""
    try:
        return ZoneInfo(zone)
    except (KeyError, OSError, ValueError):
        raise user_error(
            f"{zone!r} is not a time zone",
            mend="give a name of the IANA database such as UTC or Europe/Berlin",
        ) from None


def utc_text(moment: dt.datetime) -> str:
    """An aware time as ``2026-11-21T04:26:30.000000Z``."""
    utc = moment.astimezone(dt.UTC)
    return utc.isoformat(timespec="microseconds").replace("+00:00", "Z")


def epoch_text(seconds: float) -> str | None:
    """Seconds since 1970 as UTC text; null where no such date exists."""
    try:
        return utc_text(dt.datetime.fromtimestamp(seconds, dt.UTC))
    except (OverflowError, OSError, ValueError):
        return None


@lru_cache(maxsize=64)
def is_ambiguous(local: dt.datetime, zone: ZoneInfo) -> bool:
    """Whether the clock showed this local time twice, or not at all."""
    offsets = {local.replace(tzinfo=zone, fold=fold).utcoffset() for fold in (0, 1)}
    return len(offsets) > 1


@lru_cache(maxsize=64)  # what was measured together began at the same time
def local_text(
    local: dt.datetime | None, zone: ZoneInfo | None, fold: int = 0
) -> str | None:
    """A local time as UTC text; null without a zone. ``fold`` 1: the second hour."""
    if local is None or zone is None:
        return None
    try:
        return utc_text(local.replace(tzinfo=zone, fold=fold))
    except OverflowError:
        return None


def parse_time(text: str, zone: str = "") -> dt.datetime | None:
    """A time with its zone, in UTC; none for an empty cell; ``ValueError``.

    One without is not guessed: what ends it in ``zone`` is told.
    """
    if not text:
        return None
    try:
        time = dt.datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"{text!r} is not a time; write it as 2026-01-31T09:30:00Z"
        ) from None
    if time.tzinfo is None:
        of_zone = f"{_offset(time, zone)} for {zone}" if zone else "+01:00"
        raise ValueError(f"the time {text!r} has no zone; end it with Z or {of_zone}")
    try:
        return time.astimezone(dt.UTC)
    except OverflowError:
        raise ValueError(f"the time {text!r} is out of all bounds") from None


def _offset(local: dt.datetime, zone: str) -> str:
    return local.replace(tzinfo=zone_info(zone)).isoformat()[-len("+01:00") :]
