"""Of which part of a system or run a fact may be: a role, or an area of storage."""

from __future__ import annotations

from typing import get_args

from analysis.declared.areas import AREAS, TOTAL, Area
from analysis.declared.cpu import PART_ROLES, ROLES, Role

Part = Role | Area
PARTS: tuple[str, ...] = (*ROLES, *get_args(Area))  # in the order of tables

# Roles that are no words of English.
_NAMES = {"cics": "CICS", "tcpip": "TCP/IP", "vtam": "VTAM"}


def is_of_whole(part: str | None) -> bool:
    """Whether it is nothing's part: no role, a system's, or the total of storage."""
    return part not in PART_ROLES and (part not in AREAS or part == TOTAL)


def part_words(part: str) -> str:
    """What pages call a role or an area."""
    return ({str(area): words for area, words in AREAS.items()} | _NAMES).get(
        part, part
    )
