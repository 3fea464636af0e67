"""What a format module returns for one file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import polars as pl

from analysis.facts.remark import Remark

IN_BYTES = ("smf", "rmf_xml", "rmf_json")  # formats whose positions are byte offsets
Status = Literal["ok", "degraded", "failed", "truncated", "empty"]
READ_DETAILS = ("profile", "main_transaction")  # of uperf: others are for people
LOST = ("failed", "truncated", "empty")  # what is never used


class Verdict(NamedTuple):
    """What became of a file, a log or a test, and why; no cause where it is sound."""

    status: Status
    cause: Remark | None = None

    @property
    def in_words(self) -> tuple[Status, str]:
        """For people: the status, and the words of its cause."""
        return self.status, words_of(self.cause)


@dataclass(frozen=True)
class Problem:
    """Something wrong in a file, with its line or its byte offset."""

    remark: Remark
    line: int | None = None
    offset: int | None = None

    @property
    def message(self) -> str:
        """Its words, for people."""
        return self.remark.words

    def as_dict(self) -> dict[str, Any]:
        """``{line|offset, kind, message}``, without what is unknown."""
        place = {"line": self.line, "offset": self.offset}
        known = {name: at for name, at in place.items() if at is not None}
        return known | {"kind": self.remark.kind, "message": self.message}


Problems = list[tuple[str, Problem]]  # of which file each is


@dataclass(frozen=True)
class Circumstances:
    """What a file tells of its run and of the machine; null where it does not.

    ``start_utc`` and ``end_utc`` are the window of the run, ``local_start`` and
    ``local_end`` that of the file in local time of an unknown zone. ``idle_before`` is
    the share of CPU time idle before the run, ``tick_coverage`` the share of the time
    that is in clock ticks, ``boot_utc`` when the system was started, ``cpus`` how many
    CPUs it has, ``release`` that of its kernel. ``role_cpus`` is on how many CPUs the
    processes of a role ran, of a log those of its machine; ``command`` is how the
    benchmark was called, ``exit_status`` how it ended, ``labels`` are the
    ``configuration``, ``workload`` and ``session`` that its driver names, ``boot_id``
    is that of the kernel. ``mss`` is
    the largest TCP segment of its connections [bytes], ``utc_offset`` how far the local
    time of the system is ahead of UTC [h].
    """

    start_utc: str | None = None
    end_utc: str | None = None
    local_start: str | None = None
    local_end: str | None = None
    idle_before: float | None = None
    tick_coverage: float | None = None
    boot_utc: str | None = None
    boot_id: str | None = None
    cpus: int | None = None
    release: str | None = None
    role_cpus: Mapping[str, int] | None = None
    command: str | None = None
    exit_status: int | None = None
    labels: Mapping[str, str] | None = None
    mss: int | None = None
    utc_offset: float | None = None

    @property
    def window(self) -> tuple[str, str] | None:
        """Start and end of the run in UTC, where both are told and in this order."""
        start, end = self.start_utc, self.end_utc
        return (start, end) if start and end and start < end else None

    def known(self) -> dict[str, Any]:
        """The values that are known, by name."""
        return {k: v for k, v in vars(self).items() if v is not None}


UNTOLD = Circumstances()


@dataclass
class Reading:
    """One file, read: what it is, whether it is sound, and its rows by table.

    ``results`` are the rows of the table ``benchmark``, each with all its columns;
    plain rows, because most files have one and a frame for each takes long.
    ``tables`` maps the name of another table to a frame with that table's columns.
    ``source``, ``run`` and, where the file does not name it, ``system`` are null: the
    loader knows them. ``records`` counts logical records by kind (``"70-1"``,
    ``"interval"``), ``kinds`` says of some what they are and whether they are read.
    ``circumstances`` are of its run and machine; ``details`` holds what else a person
    would like to know; code reads the ``READ_DETAILS`` alone.
    ``verdicts`` has those of the tests by their names, where each was judged.
    """

    format: str
    tool: str | None = None
    status: Status = "ok"
    cause: Remark | None = None
    systems: list[str] = field(default_factory=list)
    records: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    tables: dict[str, pl.DataFrame] = field(default_factory=dict)
    circumstances: Circumstances = UNTOLD
    details: dict[str, Any] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)

    @property
    def reason(self) -> str:
        """The words of the cause, for people; empty where the file is sound."""
        return words_of(self.cause)

    @property
    def tool_name(self) -> str:
        """The first word of the tool; empty where nothing tells it."""
        return (self.tool or "").split(" ")[0]

    def judge(self, status: Status, cause: Remark | None) -> None:
        """Set the status and why."""
        self.status, self.cause = status, cause

    def verdict(self, test: str = "") -> Verdict:
        """Of one test, where it was judged apart from the others; else of the file."""
        return self.verdicts.get(test, Verdict(self.status, self.cause))


def words_of(cause: Remark | None) -> str:
    """The words of a cause; empty where there is none."""
    return cause.words if cause else ""
