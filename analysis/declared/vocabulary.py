"""Closed sets of words that declarations, tables, facts and pages have in common.

Readers of raw files need them at once: this module imports nothing that takes long.
"""

from __future__ import annotations

from typing import Literal, get_args

# How a number came to be, strongest first.
Origin = Literal["measured", "published", "modelled", "synthetic"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)
# Who chose what a generated campaign shows, the strongest first.
Basis = Literal["published", "assumed", "free"]
BASES: tuple[Basis, ...] = get_args(Basis)
# What readers are told; of what is free nothing was published.
BASIS_WORDS: dict[Basis, str] = {
    "published": "published", "assumed": "assumed", "free": "free choice",
}  # fmt: skip

# A system has a role in a run. What runs on it, its parts, have roles of their own.
SystemRole = Literal[
    "client", "server", "sender", "receiver", "distributor", "target", "router"
]
PartRole = Literal["gateway", "cics", "tcpip", "vtam", "application", "rest"]
Role = Literal[SystemRole, PartRole]
SYSTEM_ROLES: tuple[SystemRole, ...] = get_args(SystemRole)
PART_ROLES: tuple[PartRole, ...] = get_args(PartRole)
ROLES: tuple[Role, ...] = get_args(Role)
REST: PartRole = "rest"

# Areas of storage, which facts have in place of a role, and what pages call them.
Area = Literal[
    "tcpip-below", "tcpip-above", "lsqa-below", "lsqa-above", "csm", "csa-below",
    "csa-above", "sqa-below", "sqa-above", "total-below", "total-above", "total",
]  # fmt: skip
TOTAL: Area = "total"
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
Part = Role | Area  # of which part of a system or run a fact may be
PARTS: tuple[str, ...] = (*ROLES, *AREAS)  # in the order of tables
# What pages call those that are no words of English.
_NAMES = {str(area): words for area, words in AREAS.items()}
_NAMES |= {"cics": "CICS", "tcpip": "TCP/IP", "vtam": "VTAM"}

# What of an LPAR its CPU time is taken from.
CpuSource = Literal[
    "cgroup", "procstat", "process", "lpar_busy", "dispatch", "class", "address_space"
]
# Of these, what one system may name for itself: whole systems and sides of a run.
SystemSource = Literal["cgroup", "procstat", "process", "lpar_busy", "dispatch"]
CPU_SOURCES: dict[CpuSource, str] = {
    "cgroup": "the control group of each side, which counts that side alone",
    "procstat": "/proc/stat of each system, which counts all that runs there",
    "process": "the processes of the benchmark, as its own log tells them",
    "lpar_busy": "LPAR busy of RMF, averaged over the online CPs",
    "dispatch": "dispatch time of the LPAR, as PR/SM counts it",
    "class": "service or report classes of RMF workload activity",
    "address_space": "address spaces of SMF type 30",
}
INTERVAL_SOURCES: tuple[CpuSource, ...] = (
    "lpar_busy", "dispatch", "class", "address_space",
)  # fmt: skip
OF_PARTS = ("class", "address_space")  # sources that tell of a part of a system


def is_of_whole(part: str | None) -> bool:
    """Whether it is nothing's part: no role, a system's, or the total of storage."""
    return part not in PART_ROLES and (part not in AREAS or part == TOTAL)


def part_words(part: str) -> str:
    """What pages call a role or an area."""
    return _NAMES.get(part, part)
