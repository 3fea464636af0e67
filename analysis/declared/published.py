"""What others published: ``data/published.csv`` and ``data/published_issues.csv``.

One row is one printed number that bears on a result, with the place where it stands.
Sentences of the sources are not kept; notes are in our own words.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from analysis.declared.base import Declared
from analysis.declared.metrics import METRICS_FILE, Metric, read_metrics
from analysis.declared.names import Id, Name
from analysis.declared.parts import Part
from analysis.errors import Issue, Place, raise_if, user_error

PUBLISHED_FILE = Path("data/published.csv")
ISSUES_FILE = Path("data/published_issues.csv")
ALL = "all"  # a statement about every metric of its study
Qualifier = Literal[
    "exact",
    "about",
    "average",
    "up to",
    "over",
    "low end",
    "high end",
    "comparable",
    "direction",
]
Number = Annotated[float, Field(allow_inf_nan=False)]


def _split(text: Any) -> Any:
    return tuple(part.strip() for part in text.split(";") if part.strip())


Parts = Annotated[tuple[str, ...], BeforeValidator(_split)]
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

    id: Annotated[str, Field(pattern=r"^P\d{3}$")]
    edition: Name
    study: Name
    baseline: Annotated[Id | None, Maybe]
    test: Annotated[Id | None, Maybe]
    workload: Annotated[str, Field(min_length=1)]
    clients: str
    variant: str
    role: Annotated[Part | Literal["both"] | None, Maybe]
    metric: Annotated[str, Field(pattern=r"^[a-z_]+$")]
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

    id: Annotated[str, Field(pattern=r"^I\d{2}$")]
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


Row = TypeVar("Row", bound=BaseModel)


def read_published(
    path: Path = PUBLISHED_FILE, metrics: Path = METRICS_FILE
) -> tuple[Published, ...]:
    """All published numbers in file order; a :class:`UserError` lists every mistake."""
    rows = _read(path, Published)
    known = read_metrics(metrics)
    raise_if([i for line, row in rows for i in check_metric(row, known, path, line)])
    return tuple(row for _, row in rows)


def read_issues(
    path: Path = ISSUES_FILE, published: tuple[Published, ...] = ()
) -> tuple[PublishedIssue, ...]:
    """All inconsistencies; their rows must be among ``published``, if that is given."""
    rows = _read(path, PublishedIssue)
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


def _read(path: Path, model: type[Row]) -> tuple[tuple[int, Row], ...]:
    """The rows of a CSV file with the line at which each one ends."""
    try:
        return _rows(path.read_text(encoding="utf-8"), path, model)
    except FileNotFoundError:
        raise user_error("this file is missing", path, mend="restore it") from None
    except UnicodeDecodeError as error:
        raise user_error(
            "not UTF-8 text", path, offset=error.start, mend="save it as UTF-8"
        ) from None


@lru_cache(maxsize=8)  # a desk reads them at each save
def _rows(text: str, path: Path, model: type[Row]) -> tuple[tuple[int, Row], ...]:
    reader = csv.DictReader(text.splitlines(), strict=True)
    wanted = list(model.model_fields)
    if reader.fieldnames != wanted:
        raise user_error("other columns", path, 1, mend=f"write {','.join(wanted)}")
    rows: list[tuple[int, Row]] = []
    issues: list[Issue] = []
    adapter = TypeAdapter(model)
    for line, record in _records(reader, path):
        try:
            rows.append((line, adapter.validate_python(record)))
        except ValidationError as error:
            place = Place(str(path), line)
            issues += [Issue(_wording(item), place) for item in error.errors()]
    raise_if(issues + _repeats(rows, path))
    return tuple(rows)


def _records(reader: Any, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        for record in reader:
            if None in record or None in record.values():
                mend = "give every column, quoted where it holds a comma"
                raise user_error("other columns", path, reader.line_num, mend=mend)
            yield reader.line_num, record
    except csv.Error as error:
        raise user_error(f"not CSV: {error}", path, reader.line_num) from None


def _repeats(rows: list[tuple[int, Row]], path: Path) -> list[Issue]:
    times = Counter(row.model_dump()["id"] for _, row in rows)
    return [
        Issue(f"{id} is the id of {times[id]} rows", Place(str(path), line))
        for line, row in rows
        if times[id := row.model_dump()["id"]] > 1
    ]


def _wording(item: Any) -> str:
    column = " → ".join(map(str, item["loc"][:1]))
    message = item["msg"].removeprefix("Value error, ")
    return f"{column}: {message}" if column else message
