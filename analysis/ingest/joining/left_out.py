"""What the runs of a campaign leave out: a run that is taken out changes a result.

A file that no run names is a document (notes, profiles), or evidence that is not used.
Evidence is what a format module recognises, and what is named like a file of a run, as
is the empty log of a run that failed. Neither is a mistake, but a reader must know.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import polars as pl

from analysis.declared.campaign import RUNS_FILE
from analysis.facts.repetitions import gaps
from analysis.facts.units import how_many
from analysis.ingest.detect import format_of
from analysis.ingest.joining.assign import Frames
from analysis.ingest.joining.run_table import LOST

DOCUMENT, UNKNOWN = "document", "unknown"
NOT_NAMED = "no run names it"
_SHOWN = 3
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


def warnings(tables: Frames) -> Iterator[str]:
    """Runs that failed, by their logs, evidence that no run names, and repetitions that
    are missing, in words."""
    yield from _failed(tables["run"])
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
