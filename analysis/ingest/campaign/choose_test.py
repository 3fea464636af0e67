"""Which results of a log are those of a run, where the log holds several.

Rows of one log are taken for instances of a tool that ran side by side, and are added
up. So rows of different tests, or of different times, must never reach a run together.
A log may serve several runs, of which each names its test.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.declared.campaign import RUNS_FILE
from analysis.declared.workload import SHAPES, Workload
from analysis.errors import Issue, Place
from analysis.ingest.campaign.check import CheckedCampaign
from analysis.ingest.campaign.runs import RunLine
from analysis.ingest.reading import LOST, Reading

Row = dict[str, Any]
Results = dict[str, list[Row]]
_BYTES = ("request_bytes", "response_bytes")
COLUMN = f"in the column test of {RUNS_FILE}"


def choose_tests(
    checked: CheckedCampaign, readings: Mapping[str, Reading]
) -> tuple[Results, list[Issue]]:
    """The ``benchmark`` rows of each run, and the lines of ``runs.csv`` that do not say
    which rows these are.

    A row names its run and its file, and has the bytes of the workload where the log
    does not tell any.
    """
    results: Results = {}
    issues = list[Issue]()
    for line in checked.runs:
        reading = readings[line.log]
        if wrong := mistake(line, reading):
            what, mend = wrong
            where = Place(str(checked.folder / RUNS_FILE), line.line)
            issues.append(Issue(f"{line.log} {what}", where, mend))
        origin = {"run": line.run, "source": checked.files[line.log]}
        sizes = {name: getattr(line.workload, name) for name in _BYTES}
        results[line.run] = [
            row | origin | {name: n for name, n in sizes.items() if row[name] is None}
            for row in _own(line, reading)
        ]
    return results, issues


def _own(line: RunLine, reading: Reading) -> list[Row]:
    return [r for r in reading.results if not line.test or r["test"] == line.test]


def mistake(line: RunLine, reading: Reading) -> tuple[str, str] | None:
    """What is wrong with the choice of a run, and how to mend it; nothing is where its
    log cannot be used."""
    rows, chosen = reading.results, _own(line, reading)
    lost = reading.verdict(line.test).status in LOST
    if lost or (len(rows) < 2 and not line.test):
        return None
    tests = sorted({row["test"] for row in rows}, key=lambda test: test or "")
    names = ", ".join(repr(test) if test else "one without a name" for test in tests)
    if not chosen:
        mend = f"its tests are {names}" if any(tests) else f"name none {COLUMN}"
        return f"holds no test {line.test!r}", mend
    if not line.test and len(tests) > 1:
        return f"holds {len(tests)} tests: {names}", f"name one of them {COLUMN}"
    if after := one_after_another(chosen):
        mend = "put each result in a log of its own, with its own run"
        return f"holds results one after another, of {after[0]} and {after[1]}", mend
    return None


def together(rows: Sequence[Row]) -> int | None:
    """The clients of all rows of a log; null where one does not tell them."""
    clients = [row["clients"] for row in rows]
    return None if None in clients else sum(clients)


def unlike(work: Workload, row: Mapping[str, Any]) -> Iterator[str]:
    """What of a workload a row of a log tells otherwise."""
    for name in ("shape", "request_bytes", "response_bytes"):
        if row[name] not in (None, getattr(work, name)) and not (
            name == "shape" and row[name] in SHAPES[work.shape].logged_as
        ):
            yield name


def is_untold(rows: Sequence[Row]) -> bool:
    """Whether nothing tells if several rows ran side by side: their clients would."""
    measured = all(row["rate"] or row["bytes_per_second"] for row in rows)
    return len(rows) > 1 and measured and together(rows) is None


def one_after_another(rows: Sequence[Row]) -> tuple[str, str] | None:
    """The starts of two rows of which one begins after the other has ended."""
    timed = [row for row in rows if row["start_utc"] and row["seconds"]]
    if not timed:
        return None
    first, last = min(timed, key=_end), max(timed, key=lambda row: row["start_utc"])
    whole = dt.timedelta(seconds=min(1.0, first["seconds"] / 2))  # starts are cut to it
    if dt.datetime.fromisoformat(last["start_utc"]) > _end(first) - whole:
        return first["start_utc"], last["start_utc"]
    return None


def _end(row: Row) -> dt.datetime:
    start = dt.datetime.fromisoformat(row["start_utc"])
    return start + dt.timedelta(seconds=row["seconds"])
