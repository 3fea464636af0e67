"""Say what one raw file is: its format, what it covers, what is wrong with it.

Ends with exit code 0 when something of the file could be used, with 2 when nothing.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from analysis.errors import UserError
from analysis.facts.remark import Remark, together
from analysis.facts.units import how_many
from analysis.files.hashes import hash_file
from analysis.files.limits import SHOWN_CHARACTERS
from analysis.ingest.detect import FORMATS, read_file, read_unpacked
from analysis.ingest.inspect_archive import describe_archive
from analysis.ingest.raw_file import RawFile
from analysis.ingest.reading import Problem, Reading
from analysis.ingest.rmf.figures import DATE_ORDERS
from analysis.ingest.tables.catalog import TABLES, frame

_WIDTH = 88
_PROBLEMS = 10  # that are shown
_FIGURES = 16  # lines of key figures of a table
_NAME = 40  # characters of a name
_BLOCK = 2**20
_MENDS = {
    "failed": "fetch the file again, or repeat the run; what failed is never used",
    "truncated": "copy the whole file again; if this is all of it, repeat the run",
    "empty": "name the log that has the results, or repeat the run",
}
_MARKS = {"ok": "✓", "degraded": "!", "truncated": "!", "failed": "✗", "empty": "✗"}
_OF_BENCHMARKS = (
    ("rate", 1, "transactions/s in the steady part"),
    ("latency_mean_us", 1, "µs mean latency"),
    ("bytes_per_second", 1e6, "MB/s"),
    ("seconds", 1, "s steady part"),
    ("transactions", 1, "transactions in all"),
    ("errors", 1, "errors"),
)
_PERCENTAGES = {
    "busy_pct": "busy",
    "mvs_busy_pct": "MVS busy",
    "parked_pct": "parked",
    "steal_pct": "stolen by the hypervisor",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument("file", type=Path, help="the raw file")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object about it")
    form.add_argument("--rows", action="store_true", help="one JSON object a row")
    parser.add_argument(
        "--zone", help="time zone of local times, such as America/New_York"
    )
    parser.add_argument(
        "--dates", choices=DATE_ORDERS, help="order of printed dates (default: mdy)"
    )
    parser.add_argument("--codepage", help="EBCDIC code page of texts, such as 1047")


def run(args: argparse.Namespace) -> int:
    """Print what the file is; 0 if some of it could be used, else 2."""
    try:
        reading = read_file(args.file, args.zone, args.codepage, args.dates)
    except UserError as error:
        given = {"CODE_PAGES": args.codepage, "DATE_ORDERS": args.dates}
        read = partial(read_unpacked, zone=args.zone, given=given)
        for line in [] if args.json or args.rows else describe_archive(args.file, read):
            print(line)
        raise error
    if args.json:
        lines = iter([json.dumps(summary(args.file, reading), ensure_ascii=False)])
    elif args.rows:
        lines = row_lines(args.file, reading)
    else:
        lines = describe(args.file, reading)
    for line in lines:
        print(line)
    return 0 if is_usable(reading) else 2


def is_usable(reading: Reading) -> bool:
    """Whether there are rows, and of a run, or of one test, that did not fail; of a
    file that is cut off, rows that are whole by themselves."""
    tables = {name for name, table in tables_of(reading).items() if table.height}
    statuses = {reading.status, *(one.status for one in reading.verdicts.values())}
    if statuses & {"ok", "degraded"}:
        return bool(tables)
    return "truncated" in statuses and bool(tables - {"benchmark"})


def summary(path: Path, reading: Reading) -> dict[str, Any]:
    """The object of ``--json``."""
    first, last = _span_of(reading)
    return {
        "file": str(path),
        "format": reading.format,
        "tool": reading.tool,
        "status": reading.status,
        "reason": reading.reason,
        "records": reading.records,
        "systems": reading.systems,
        "first_start_utc": first,
        "last_start_utc": last,
        "rows": {name: rows.height for name, rows in tables_of(reading).items()},
        "problems": [problem.as_dict() for problem in placed(path, reading)],
    }


def row_lines(path: Path, reading: Reading) -> Iterator[str]:
    """One JSON object a row: ``table``, then the table's columns."""
    digest = hash_file(path)
    for name, rows in tables_of(reading).items():
        for row in rows.iter_rows(named=True):
            whole = {"table": name} | row | {"source": digest}
            yield json.dumps(whole, ensure_ascii=False)


def tables_of(reading: Reading) -> dict[str, pl.DataFrame]:
    """All tables of a file, in their order."""
    tables = dict(reading.tables)
    if reading.results:
        tables["benchmark"] = frame("benchmark", reading.results)
    return {name: tables[name] for name in TABLES if name in tables}


def _span_of(reading: Reading) -> tuple[str | None, str | None]:
    """Earliest and latest start of the rows, else that of the file itself."""
    starts = [
        start
        for rows in tables_of(reading).values()
        if "start_utc" in rows.columns
        for start in rows["start_utc"].drop_nulls()
    ] or [reading.circumstances.start_utc]
    known = [start for start in starts if start]
    return (min(known), max(known)) if known else (None, None)


def placed(path: Path, reading: Reading) -> list[Problem]:
    """The problems; where none of them has a place, the reason with its own: the end
    of a file that is cut off, else the first result."""
    known = [p for p in reading.problems if (p.line, p.offset) != (None, None)]
    cause = reading.cause
    if known or cause is None:
        return reading.problems
    others = [problem for problem in reading.problems if problem.remark != cause]
    first, *more = cause.values["remarks"] if cause.kind == "together" else (cause,)
    if first.kind == "at_line":
        words = together([first.values["what"], *more])
        return [Problem(words, first.values["line"]), *others]
    return [_at_end(path, reading, cause), *others]


def _at_end(path: Path, reading: Reading, cause: Remark) -> Problem:
    """The last line of a text, or the size of any other file; where it is not cut off,
    that of its first result."""
    with RawFile(path) as raw:
        in_bytes = b"\0" in raw.head
        if reading.status != "truncated":
            first = reading.results[0]["position"] if reading.results else 1
            return Problem(cause, offset=0) if in_bytes else Problem(cause, first)
        if in_bytes:
            return Problem(cause, offset=raw.size)
        lines = breaks = 0
        with raw.open("rb") as file:
            while block := file.read(_BLOCK):
                if text := block.rstrip(b"\n"):
                    lines, breaks = lines + breaks + text.count(b"\n"), 0
                breaks += len(block) - len(text)
    return Problem(cause, lines + 1)


# For people


def describe(path: Path, reading: Reading) -> Iterator[str]:
    """What a person reads: a heading, facts, key figures, problems."""
    known, tables = reading.format in FORMATS, tables_of(reading)
    title = FORMATS[reading.format].TITLE if known else "unknown format"
    mend = _MENDS.get(reading.status, "")
    facts = {
        "status": _judged(reading.status, reading.reason),
        "to mend it": mend if known or reading.status == "empty" else "",
        "tool": reading.tool,
        "systems": ", ".join(reading.systems),
        "times": _times(reading),
        "records": _counts(reading.records),
        "rows": _counts({name: rows.height for name, rows in tables.items()}),
    } | _details(reading)
    yield f"{path.name}: {title}"
    yield ""
    for name, value in facts.items():
        if value:
            label = f"  {_short(name, _NAME):<24} "
            yield from _wrapped(label + _short(value), len(label))
    if not known and reading.status != "empty":
        yield ""
        yield "  formats that are read"
        yield from textwrap.wrap(
            ", ".join(FORMATS), _WIDTH, initial_indent="    ", subsequent_indent="    "
        )
    kinds = [
        f"{reading.records[k]:,} {k} {words}" for k, words in reading.kinds.items()
    ]
    yield from _section("kinds of records", kinds)
    verdicts = reading.verdicts.items()
    if any(one != (reading.status, reading.cause) for _, one in verdicts):
        tests = [f"{test}: {_judged(*one.in_words)}" for test, one in sorted(verdicts)]
        yield from _section("tests", tests)
    yield from _section("key figures", [*_key_figures(tables)])
    yield from _section("problems", [*_problems(placed(path, reading))])


def _judged(status: str, reason: str) -> str:
    return f"{_MARKS[status]} {status}{f' – {reason}' if reason else ''}"


def _times(reading: Reading) -> str:
    first, last = _span_of(reading)
    times = reading.circumstances
    if first is None and times.local_start is not None:
        end = f" to {times.local_end}" if times.local_end else ""
        return f"{times.local_start}{end}, local; unknown zone"
    if first is None:
        return ""
    return (
        f"starts {first}"
        if first == last
        else f"first start {first}, last start {last}"
    )


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} × {name}" for name, count in counts.items() if count)


def _details(reading: Reading) -> dict[str, str]:
    """Details in words; what is said elsewhere, or unknown, is left out."""
    said = ("start_utc", "end_utc", "local_start", "local_end")
    details = {}
    for name, value in (reading.details | reading.circumstances.known()).items():
        if isinstance(value, dict):
            words = ", ".join(f"{key} {_plain(each)}" for key, each in value.items())
        elif isinstance(value, list) and any(each is not None for each in value):
            words = ", ".join(map(_plain, value))
        else:
            words = "" if value is None or isinstance(value, list) else _plain(value)
        if name not in said:
            details[name.replace("_", " ")] = words
    return details


def _plain(value: Any) -> str:
    """A detail as a person reads it: a dash for none, and no digits beyond sense."""
    if value is None:
        return "–"
    return _digits(value) if isinstance(value, float) else str(value)


def _short(text: str, most: int = SHOWN_CHARACTERS) -> str:
    """A text that a file holds, as a person reads it, so that lines stay in bounds."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _wrapped(line: str, indent: int) -> list[str]:
    return textwrap.wrap(line, _WIDTH, subsequent_indent=" " * indent)


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"  {title}"
    for line in lines:
        yield from _wrapped(f"    {_short(line)}", 6)


def _problems(problems: list[Problem]) -> Iterator[str]:
    for problem in problems[:_PROBLEMS]:
        place = ""
        if problem.line is not None:
            place = f"line {problem.line}: "
        elif problem.offset is not None:
            place = f"byte offset {problem.offset:,}: "
        yield place + problem.message
    if len(problems) > _PROBLEMS:
        yield f"… and {len(problems) - _PROBLEMS} more; --json prints them all"


# Key figures


def _key_figures(tables: Mapping[str, pl.DataFrame]) -> Iterator[str]:
    """What a person wants to know first; nothing of tables without a preview."""
    previews: dict[str, Callable[[pl.DataFrame], Iterator[str]]] = {
        "benchmark": _benchmark,
        "run_cpu": _run_cpu,
        "cpu_interval": _cpu_interval,
        "cpu_counter": _cpu_counter,
    }
    for name, preview in previews.items():
        lines = [*preview(tables[name])] if name in tables else []
        yield from lines[:_FIGURES]
        if len(lines) > _FIGURES:
            yield f"… and {len(lines) - _FIGURES} more"


def _benchmark(rows: pl.DataFrame) -> Iterator[str]:
    for row in rows.iter_rows(named=True):
        clients = "" if row["clients"] is None else f", {row['clients']} clients"
        test = f"{row['test']}: " if row["test"] else ""
        yield f"{test}{row['shape'] or 'shape unknown'}{clients}"
        for name, scale, unit in _OF_BENCHMARKS:
            if row[name] is not None:
                yield f"{_digits(row[name] / scale):>12} {unit}"


def _digits(value: float) -> str:
    """About four digits, with thousands apart; counts in full."""
    if not math.isfinite(value):
        return str(value)
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 100 else f"{value:.2f}"


def _run_cpu(rows: pl.DataFrame) -> Iterator[str]:
    for row in rows.iter_rows(named=True):
        yield f"{row['role']}: {row['cpu_seconds']:,.4f} CPU seconds ({row['method']})"


def _cpu_interval(rows: pl.DataFrame) -> Iterator[str]:
    groups = rows.group_by("system", "cpu_type", maintain_order=True)
    for (system, kind), of_system in groups:
        lengths = of_system["seconds"].drop_nulls().to_list()
        length = f"{statistics.median(lengths):g} s" if lengths else "unknown length"
        counts = of_system["online_cpus"].drop_nulls().unique().to_list()
        online = ""
        if len(counts) == 1:
            online = f", {how_many(round(counts[0]), 'CPU')} online"
        spans = f"{how_many(of_system.height, 'interval')} of {length}"
        yield f"{system} {kind}: {spans}{online}"
        for name, words in _PERCENTAGES.items():
            if shares := of_system[name].drop_nulls().to_list():
                span = f", from {min(shares):.2f}% to {max(shares):.2f}%"
                mean = f"{statistics.fmean(shares):>11.2f}% {words}"
                yield mean + span * (len(shares) > 1)
        yield f"{of_system['busy_seconds'].sum():>12,.3f} CPU seconds"


def _cpu_counter(rows: pl.DataFrame) -> Iterator[str]:
    for row in rows.iter_rows(named=True):
        cpu = "all CPUs" if row["cpu"] == "all" else f"CPU {row['cpu']}"
        yield (
            f"{cpu}: {row['busy_ticks']:,} busy, {row['idle_ticks']:,} idle, "
            f"{row['steal_ticks']:,} stolen ticks since boot"
        )
