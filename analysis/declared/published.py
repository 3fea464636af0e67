"""What others published, and which workloads a published number speaks of.

``data/published.csv`` and ``data/published_issues.csv``: one row is one printed number
that bears on a result, with the place where it stands. Sentences of the sources are not
kept; notes are in our own words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from analysis.declared.base import Declared, read_rows
from analysis.declared.metrics import METRICS_FILE, Metric, read_metrics
from analysis.declared.mistakes import form
from analysis.declared.names import Id, Name
from analysis.declared.vocabulary import Part
from analysis.declared.workload import Workload, matches
from analysis.errors import Issue, Place, raise_if

PUBLISHED_FILE = Path("data/published.csv")
ISSUES_FILE = Path("data/published_issues.csv")
KB = 1024
# How we read the payload classes of the sources, which give bytes for 32 kB alone.
# Bytes are those of the larger direction.
CLASSES: dict[str, Callable[[int], bool]] = {
    "small": lambda size: size <= 2 * KB,
    "medium": lambda size: 2 * KB < size < 16 * KB,
    "large": lambda size: size >= 16 * KB,
    "small and medium": lambda size: size < 16 * KB,
    "1 kB and 4 kB": lambda size: KB <= size <= 4 * KB,
    "32 kB": lambda size: size == 32 * KB,
}
# What the sources call workloads that have names of their own here.
NAMES = {
    "FTP": ("GET*", "PUT*"),
    "FTP GET": ("GET*",),
    "FTP PUT": ("PUT*",),
    "TN3270": ("TN*",),
    "web": ("WEB*",),
    "syslogd": ("LOG*",),
    "32K commarea": ("ECI*(32kB)",),
    "32K channel": ("ECI*(32kB)",),
    "4K commarea": ("ECI*(4kB)",),
    "4K channel": ("ECI*(4kB)",),
}
_BAR = re.compile(r"\bbar\b( \d+ of \d+)?")
ALL = "all"  # a statement about every metric of its study
Qualifier = Literal[
    "exact", "about", "average", "up to", "over", "low end", "high end", "comparable",
    "direction",
]  # fmt: skip
Number = Annotated[float, Field(allow_inf_nan=False)]


Parts = Annotated[
    tuple[str, ...],
    BeforeValidator(lambda text: [p.strip() for p in text.split(";") if p.strip()]),
]
Maybe = BeforeValidator(lambda text: text or None)


class Published(Declared):
    """One published number.

    ``value`` is in ``unit``; a delta is in percent of the baseline, negative where the
    test is lower; a factor multiplies the baseline and a reduction divides it.
    ``comparable`` means that the source sees no change, and 0 stands for its words; a
    ``direction`` has no size, and is 1 where the test is higher and -1 where lower. The
    role ``both`` stands for client and server, or sender and receiver, alike.
    ``workload`` is a name, a pattern such as ``RR*``, or several joined by `` + ``;
    ``variant`` narrows it. ``line`` counts lines of the plain text of the source, and
    ``printed`` is what stands there.
    """

    id: Annotated[str, Field(pattern=form(r"^P\d{3}$", "P and three digits"))]
    edition: Name
    study: Name
    baseline: Annotated[Id | None, Maybe]
    test: Annotated[Id | None, Maybe]
    workload: Annotated[str, Field(min_length=1)]
    clients: str
    variant: str
    role: Annotated[Part | Literal["both"] | None, Maybe]
    metric: Annotated[str, Field(pattern=form(r"^[a-z_]+$", "the id of a metric"))]
    kind: Literal["value", "delta", "factor", "reduction", "direction"]
    value: Number
    unit: str
    qualifier: Qualifier
    citation: Name
    place: Annotated[str, Field(min_length=1)]
    line: Annotated[int, Field(ge=1)]
    printed: Annotated[str, Field(min_length=1)]
    note: str

    @model_validator(mode="after")
    def _kinds_agree(self) -> Published:
        if self.kind != "value" and not (self.baseline and self.test):
            raise ValueError(f"a {self.kind} needs a baseline and a test")
        if self.kind == "delta" and (self.unit != "%" or self.value <= -100):
            raise ValueError("a delta is in %, and above -100")
        times = self.kind in ("factor", "reduction")
        if times and (self.unit != "x" or self.value <= 0):
            raise ValueError(f"a {self.kind} is in x, and above 0")
        if self.qualifier == "comparable" and self.value != 0:
            raise ValueError("'comparable' goes with the value 0")
        directed = "direction" in (self.kind, self.qualifier)
        if directed and (self.kind != self.qualifier or self.value not in (-1, 1)):
            raise ValueError(
                "a direction is 1 where the test is higher, -1 where lower"
            )
        return self

    @property
    def decimals(self) -> int:
        """How many decimals are printed."""
        return len(f"{self.value:.10g}".partition(".")[2])

    @property
    def last_digit(self) -> float:
        """Half a unit of the last digit that is printed, in its own unit."""
        return 0.5 * 10.0**-self.decimals


class PublishedIssue(Declared):
    """An inconsistency in what was published, with what we recomputed.

    ``formula`` holds arithmetic over ids of published rows, one for each number of
    ``recomputed``; ``text`` is ready to be a footnote.
    """

    id: Annotated[str, Field(pattern=form(r"^I\d{2}$", "I and two digits"))]
    editions: Annotated[Parts, Field(min_length=1)]
    rows: Parts
    place: Annotated[str, Field(min_length=1)]
    printed: Parts
    recomputed: Parts
    unit: str
    formula: Parts
    text: Annotated[str, Field(min_length=1)]

    @model_validator(mode="after")
    def _every_number_has_its_formula(self) -> PublishedIssue:
        if len(self.formula) != len(self.recomputed):
            raise ValueError("each recomputed number needs its formula")
        return self


def read_published(
    path: Path = PUBLISHED_FILE, metrics: Path = METRICS_FILE
) -> tuple[Published, ...]:
    """All published numbers in file order; a :class:`UserError` lists every mistake."""
    if path == PUBLISHED_FILE and not path.exists():
        return ()  # a project needs none
    rows = read_rows(path, Published, partial(_repeated, path))
    known = read_metrics(metrics)
    raise_if([i for line, row in rows for i in check_metric(row, known, path, line)])
    return tuple(row for _, row in rows)


def read_issues(
    path: Path = ISSUES_FILE, published: tuple[Published, ...] = ()
) -> tuple[PublishedIssue, ...]:
    """All inconsistencies; their rows must be among ``published``, if that is given."""
    if path == ISSUES_FILE and not path.exists():
        return ()
    rows = read_rows(path, PublishedIssue, partial(_repeated, path))
    ids = {row.id for row in published}
    raise_if(
        [
            Issue(f"there is no published row {id}", Place(str(path), line))
            for line, row in rows
            for id in row.rows
            if ids and id not in ids
        ]
    )
    return tuple(row for _, row in rows)


def _repeated(
    path: Path, rows: Sequence[tuple[int, Published | PublishedIssue]]
) -> list[Issue]:
    times = Counter(row.id for _, row in rows)
    return [
        Issue(f"{row.id} is the id of {times[row.id]} rows", Place(str(path), line))
        for line, row in rows
        if times[row.id] > 1
    ]


def check_metric(
    row: Published, metrics: dict[str, Metric], path: Path, line: int
) -> list[Issue]:
    """Whether a row's metric is declared, and its role and unit are those of it."""
    place = Place(str(path), line)
    if row.metric == ALL:
        allowed = row.qualifier == "comparable" and row.role is None
        return [] if allowed else [Issue("'all' goes with 'comparable' alone", place)]
    if row.metric not in metrics:
        mend = f"declare it in {METRICS_FILE}, or use one of {', '.join(metrics)}"
        return [Issue(f"there is no metric {row.metric!r}", place, mend)]
    metric = metrics[row.metric]
    issues = []
    if metric.roles != (row.role is not None):
        wanted = "needs a role" if metric.roles else "has no role"
        issues.append(Issue(f"{row.metric} {wanted}", place))
    if row.kind == "value" and row.unit != metric.unit:
        issues.append(Issue(f"{row.metric} is in {metric.unit}", place))
    return issues


def parts_of(row: Published) -> list[str]:
    """The workload names or patterns of a row."""
    names = row.workload.split(" + ")
    return [part for name in names for part in NAMES.get(name, (name,))]


def is_of_a_set(row: Published) -> bool:
    """Whether a row is one of several values, and nothing tells of which workload."""
    return row.qualifier == "exact" and _BAR.search(row.variant) is not None


def set_of(row: Published, rows: Iterable[Published]) -> list[Published]:
    """The rows of the same set, sorted by value: its own place in it says nothing."""
    wanted = _set(row)
    same = [other for other in rows if is_of_a_set(other) and _set(other) == wanted]
    return sorted(same, key=lambda other: (other.value, other.id))


def _set(row: Published) -> tuple[object, ...]:
    shared = row.model_dump(exclude={"id", "value", "line", "printed", "note"})
    return (*(shared | {"variant": _BAR.sub("bar", row.variant)}).values(),)


def is_mix(row: Published) -> bool:
    """Whether a row is for workloads that ran at once, none of which ran alone."""
    parts = parts_of(row)
    return len(parts) > 1 and not all(part.endswith("*") for part in parts)


def speaks_of(row: Published, work: Workload) -> bool:
    """Whether a row's names, clients and payload class hold for a workload."""
    if not any(matches(work.name, part) for part in parts_of(row)):
        return False
    # 1,10,50 are three numbers and 4000-64000 are all between; none is any
    ends = [part.split("-") for part in row.clients.split(",") if part]
    if ends and not any(int(e[0]) <= work.clients <= int(e[-1]) for e in ends):
        return False
    fits = CLASSES.get(row.variant)
    return fits is None or fits(max(work.request_bytes, work.response_bytes))
