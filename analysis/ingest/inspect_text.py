"""What one raw file is, in words for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from analysis.facts.remark import Remark, together
from analysis.files.limits import SHOWN_CHARACTERS
from analysis.ingest.detect import FORMATS
from analysis.ingest.inspect_preview import preview
from analysis.ingest.raw_file import RawFile
from analysis.ingest.reading import Circumstances, Problem, Reading
from analysis.ingest.tables.catalog import TABLES, frame

_SHOWN = 10
_NAME = 40  # characters of a name
_BLOCK = 2**20
_MENDS = {
    "failed": "fetch the file again, or repeat the run; what failed is never used",
    "truncated": "copy the whole file again; if this is all of it, repeat the run",
    "empty": "name the log that has the results, or repeat the run",
}
_MARKS = {"ok": "✓", "degraded": "!", "truncated": "!", "failed": "✗", "empty": "✗"}


def describe(path: Path, reading: Reading) -> Iterator[str]:
    """What a person reads: a heading, facts, key figures, problems."""
    known, tables = reading.format in FORMATS, tables_of(reading)
    title = FORMATS[reading.format].TITLE if known else "unknown format"
    yield f"{path.name}: {title}"
    yield ""
    said = f" – {reading.reason}" if reading.reason else ""
    yield from _fact("status", f"{_MARKS[reading.status]} {reading.status}{said}")
    mend = _MENDS.get(reading.status, "")
    if mend and (known or reading.status == "empty"):
        yield from _fact("to mend it", mend)
    facts = {
        "tool": reading.tool,
        "systems": ", ".join(reading.systems),
        "times": _times(reading),
        "records": _counts(reading.records),
        "rows": _counts({name: rows.height for name, rows in tables.items()}),
    } | _details(reading)
    for name, value in facts.items():
        if value:
            yield from _fact(name, value)
    if not known and reading.status != "empty":
        titles = [format.TITLE for format in FORMATS.values()]
        yield from _section("formats that are read", titles)
    yield from _section("kinds of records", list(_kinds(reading)))
    yield from _section("tests", list(_tests(reading)))
    yield from _section("key figures", preview(tables))
    yield from _section("problems", list(_problems(placed(path, reading))))


def _kinds(reading: Reading) -> Iterator[str]:
    """How many records there are of each kind that is described, and what it is."""
    for kind, words in reading.kinds.items():
        yield f"{reading.records[kind]:,} {kind} {words}"


def _tests(reading: Reading) -> Iterator[str]:
    """The status of each test, where it is not that of the whole file."""
    verdicts = reading.verdicts
    if all(verdict == (reading.status, reading.cause) for verdict in verdicts.values()):
        return
    for test, verdict in sorted(verdicts.items()):
        status, reason = verdict.told
        yield f"{test}: {_MARKS[status]} {status}{f' – {reason}' if reason else ''}"


def tables_of(reading: Reading) -> dict[str, pl.DataFrame]:
    """All tables of a file, in their order."""
    found = dict(reading.tables)
    if reading.results:
        found["benchmark"] = frame("benchmark", reading.results)
    return {name: found[name] for name in TABLES if name in found}


def span_of(reading: Reading) -> tuple[str | None, str | None]:
    """Earliest and latest start of the rows, else that of the file itself."""
    starts = [
        start
        for rows in tables_of(reading).values()
        if "start_utc" in rows.columns
        for start in rows["start_utc"].drop_nulls()
    ] or [reading.circumstances.start_utc]
    known = [start for start in starts if start]
    return (min(known), max(known)) if known else (None, None)


def _times(reading: Reading) -> str:
    first, last = span_of(reading)
    if first is None:
        return _local_times(reading.circumstances)
    if first == last:
        return f"starts {first}"
    return f"first start {first}, last start {last}"


def _local_times(told: Circumstances) -> str:
    if told.local_start is None:
        return ""
    end = f" to {told.local_end}" if told.local_end else ""
    return f"{told.local_start}{end}, local; unknown zone"


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items() if count)


def _details(reading: Reading) -> dict[str, str]:
    """Details in words; what is said elsewhere, or unknown, is left out."""
    said = ("start_utc", "end_utc", "local_start", "local_end")
    return {
        name.replace("_", " "): _words(value)
        for name, value in (reading.details | reading.circumstances.told()).items()
        if name not in said and value not in (None, "", [], {})
    }


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {each}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


def _short(text: str, most: int = SHOWN_CHARACTERS) -> str:
    """A text that a file holds, as a person reads it, so that lines stay in bounds."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _fact(name: str, value: str) -> Iterator[str]:
    label = f"  {_short(name, _NAME):<24} "
    yield from textwrap.wrap(
        label + _short(value),
        88,
        subsequent_indent=" " * len(label),
        drop_whitespace=True,
    )


def _section(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"  {title}"
    for line in lines:
        yield from textwrap.wrap(
            f"    {_short(line)}", 88, subsequent_indent=" " * 6, drop_whitespace=True
        )


def placed(path: Path, reading: Reading) -> list[Problem]:
    """The problems; where none of them has a place, the reason with its own: the end
    of a file that is cut off, else the first result."""
    known = [p for p in reading.problems if (p.line, p.offset) != (None, None)]
    cause = reading.cause
    if known or cause is None:
        return reading.problems
    with RawFile(path) as raw:
        line, offset = _end(raw)
    if reading.status != "truncated":
        first = reading.results[0]["position"] if reading.results else 1
        line, offset = (first, None) if offset is None else (None, 0)
    others = [problem for problem in reading.problems if problem.remark != cause]
    return [_placed(cause) or Problem(cause, line, offset), *others]


def _placed(cause: Remark) -> Problem | None:
    """A cause with the line that it, or the first of several, tells."""
    first, *more = cause.values["remarks"] if cause.kind == "together" else (cause,)
    if first.kind != "at_line":
        return None
    return Problem(together([first.values["what"], *more]), first.values["line"])


def _end(raw: RawFile) -> tuple[int | None, int | None]:
    """The last line of a text, or the size of any other file."""
    if b"\0" in raw.head:
        return None, raw.size
    lines = breaks = 0
    with raw.open("rb") as file:
        while block := file.read(_BLOCK):
            text = block.rstrip(b"\n")
            if text:
                lines += breaks + text.count(b"\n")
                breaks = 0
            breaks += len(block) - len(text)
    return lines + 1, None


def _problems(problems: list[Problem]) -> Iterator[str]:
    for problem in problems[:_SHOWN]:
        place = ""
        if problem.line is not None:
            place = f"line {problem.line}: "
        elif problem.offset is not None:
            place = f"byte offset {problem.offset:,}: "
        yield place + problem.message
    if len(problems) > _SHOWN:
        yield f"… and {len(problems) - _SHOWN} more; --json prints them all"
