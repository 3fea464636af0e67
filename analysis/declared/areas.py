"""Areas of storage, which facts have in place of a role, and what pages call them."""

from __future__ import annotations

from typing import Literal, get_args

from analysis.declared.cpu import ROLES, Role

Area = Literal[
    "tcpip-below", "tcpip-above", "lsqa-below", "lsqa-above", "csm", "csa-below",
    "csa-above", "sqa-below", "sqa-above", "total-below", "total-above", "total",
]  # fmt: skip
AREAS: dict[Area, str] = {
    "tcpip-below": "TCP/IP below 16 MB",
    "tcpip-above": "TCP/IP above 16 MB",
    "lsqa-below": "TCP/IP LSQA/SWA/229/230 below 16 MB",
    "lsqa-above": "TCP/IP LSQA/SWA/229/230 above 16 MB",
    "csm": "CSM data space",
    "csa-below": "CSA below 16 MB",
    "csa-above": "CSA above 16 MB",
    "sqa-below": "SQA below 16 MB",
    "sqa-above": "SQA above 16 MB",
    "total-below": "Total below 16 MB",
    "total-above": "Total above 16 MB",
    "total": "Total",
}
# Of which part of a system or of a run a fact may be, in the order of tables.
Part = Role | Area
PARTS: tuple[str, ...] = (*ROLES, *get_args(Area))


# Roles that are no words of English.
_NAMES = {"cics": "CICS", "tcpip": "TCP/IP", "vtam": "VTAM"}


def part_words(part: str) -> str:
    """What pages call a role or an area."""
    return ({str(area): words for area, words in AREAS.items()} | _NAMES).get(
        part, part
    )
