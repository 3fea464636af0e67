"""What the runs of a campaign leave out: a run that is taken out changes a result.

A file that no run names is a document (notes, profiles), or evidence that is not used.
Evidence is what a format module recognises, and what is named like a file of a run, as
is the empty log of a run that failed. Neither is a mistake, but a reader must know.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import polars as pl

from analysis.declared.campaign import CAMPAIGN_FILE, RUNS_FILE, Measured
from analysis.facts.repetitions import gaps
from analysis.facts.units import how_many
from analysis.ingest.detect import format_of
from analysis.ingest.joining.assign import Frames
from analysis.ingest.joining.comparisons import OTHERWISE
from analysis.ingest.joining.run_table import LOST

DOCUMENT, UNKNOWN = "document", "unknown"
NOT_NAMED = "no run names it"
_SHOWN = 3
_DAY = dt.timedelta(days=1)  # which it may be in the campaign's zone
_NAMED = 10  # runs that cannot be used
_NUMBER = re.compile(r"\d+")


def unnamed_formats(
    folder: Path, files: Iterable[str], named: Collection[str]
) -> dict[str, str]:
    """The format of each of ``files`` that is not ``named``, by its first bytes.

    It is ``document`` where nothing speaks for evidence, and ``unknown`` where the
    name alone does: but for its numbers it is that of a file which a run names.
    """
    alike = {_NUMBER.sub("#", file) for file in named}
    return {
        file: format_of(folder / file)
        or (UNKNOWN if _NUMBER.sub("#", file) in alike else DOCUMENT)
        for file in files
        if file not in named
    }


def warnings(tables: Frames, measured: Measured) -> Iterator[str]:
    """Runs that failed, by their logs, what files hint at against the declaration, days
    without a run, evidence that no run names, and repetitions that are missing."""
    yield from _failed(tables["run"])
    yield from _hints(tables["source"])
    yield from _idle_days(tables["run"]["start_utc"], measured)
    unused = tables["source"].filter(
        (pl.col("reason") == NOT_NAMED) & (pl.col("format") != DOCUMENT)
    )["file"]
    if len(unused):
        yield (
            f"no run in {RUNS_FILE} names {how_many(len(unused), 'file')} with "
            f"evidence: {_some(unused.to_list())}; name each there, or say why it is "
            "left out"
        )
    if lacking := list(_lacking(tables["run"])):
        yield (
            f"{RUNS_FILE} lacks repetitions: {_some(lacking)}; add the lines, or say "
            "why they are left out"
        )


def _failed(runs: pl.DataFrame) -> Iterator[str]:
    """Each run that cannot be used, with its file and the reason."""
    lost = runs.filter(pl.col("status").is_in(LOST)).sort("log")
    for row in lost.head(_NAMED).iter_rows(named=True):
        state = "is empty" if row["status"] == "empty" else row["status"]
        yield f"{row['log']}: the run {row['run']} {state}: {row['reason']}"
    if lost.height > _NAMED:
        yield f"{lost.height - _NAMED} more runs cannot be used; the report lists all"


def _hints(sources: pl.DataFrame) -> Iterator[str]:
    """What files say that is unlike the declaration, once for each entry."""
    found: dict[str, list[str]] = {}
    for file, text in sources.select("file", "problems").iter_rows():
        for problem in json.loads(text) if OTHERWISE in text else ():
            if problem["kind"] == OTHERWISE:
                at = f":{problem['line']}" if "line" in problem else ""
                found.setdefault(problem["message"], []).append(f"{file}{at}")
    for message, files in found.items():
        yield f"{message} ({_some(files)})"


def _idle_days(starts: pl.Series, measured: Measured) -> Iterator[str]:
    """The first and last day that are declared, where no run began within a day."""
    known = starts.drop_nulls().str.slice(0, 10).str.to_date()
    if known.is_empty():
        return
    first, last = known.min(), known.max()
    ends = (("from", measured.start, first), ("to", measured.end, last))
    for name, declared, day in ends:
        if isinstance(day, dt.date) and abs(declared - day) > _DAY:
            which = "first" if name == "from" else "last"
            yield (
                f"{CAMPAIGN_FILE}: measured {name} {declared}, but the {which} run is "
                f"of {day}"
            )


def _lacking(runs: pl.DataFrame) -> Iterator[str]:
    """Gaps in the repetitions of each configuration and workload."""
    names = ["configuration", "workload"]
    groups = runs.group_by(names, maintain_order=True).agg("repetition")
    for configuration, workload, repetitions in groups.iter_rows():
        if missing := list(gaps(repetitions)):
            yield f"{_some(missing, ' and ')} of {configuration} {workload}"


def _some(names: list[str], last: str = ", ") -> str:
    more = len(names) - _SHOWN
    if more > 0:
        return f"{', '.join(names[:_SHOWN])} and {more} more"
    return last.join(names)
