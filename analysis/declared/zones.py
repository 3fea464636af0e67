"""Names of time zones, and the one that may be meant."""

from __future__ import annotations

import functools
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from pydantic import AfterValidator

from analysis.declared.mistakes import nearest


def known_zone(zone: str) -> str:
    """The name itself; a :class:`ValueError` where it is none of a time zone."""
    try:
        return ZoneInfo(zone).key
    except (ZoneInfoNotFoundError, ValueError):
        ends = _by_end()
        near = nearest(zone.replace(" ", "_"), ends)
        meant = "".join(f"did you mean {ends[name]!r}? " for name in near)
        raise ValueError(
            f"{zone!r} is not a time zone; {meant}write a name such as UTC or "
            "America/New_York"
        ) from None


@functools.cache
def _by_end() -> dict[str, str]:
    """The names by their last parts, which is what people write."""
    return {name.rsplit("/", 1)[-1]: name for name in sorted(available_timezones())}


Zone = Annotated[str, AfterValidator(known_zone)]
