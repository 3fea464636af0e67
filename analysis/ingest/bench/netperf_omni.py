"""netperf's omni output: key and value (``-k``), CSV (``-o``) and columns (``-O``).

Names are those of the selectors (``THROUGHPUT``) or their words in a CSV header
("Throughput"); see ``omni_output_list.txt`` of netperf 2.7. ``-1`` stands for a value
that is not there. ``-k`` is the form that says most of itself.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import Any

from analysis.facts.remark import Remark, remark
from analysis.ingest.bench.netperf_columns import NAMES, Record, tables
from analysis.ingest.bench.netperf_figures import (
    TRANSACTIONS,
    banner_facts,
)
from analysis.ingest.bench.netperf_omni_result import omni_result
from analysis.ingest.logs.checks import agree
from analysis.ingest.logs.result import Result, failed_log, join_results
from analysis.ingest.logs.text import plain_number, quoted, text_lines
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "netperf_omni"
TITLE = "netperf benchmark log (omni: -k, -o or -O)"
TESTED = "netperf 2.7.0"
TIMED = "the elapsed time that netperf prints"
SIGNS = (
    "= throughput",
    ", throughput",
    "test throughput",
    "= netperf interim result",
    ", trans",
    ", bits",
    ", kbytes",
    ", mbytes",
    ", gbytes",
    "transaction rate tran",
    "mean latency microseconds",
)
INSTEAD_OF = ("netperf",)
_KEY = re.compile(r"([A-Z][A-Z0-9_]*)=(.*)")
_INTERIM = re.compile(r"NETPERF_\w+\[\d+\]=")
_BANNER = re.compile(r"(?:MIGRATED )?\S.* TEST (?:from|to) \S")
_MARKS = re.compile(
    rb"^(?:THROUGHPUT(?:_UNITS)?=|NETPERF_INTERIM_RESULT\[\d+\]=|Throughput,)"
    rb"| TEST (?:from|to) [^\n]{0,399}\n[^\n]{0,99}\bThroughput "
    rb"|,Throughput(?:,|\r?$)"
    rb"|^[^\n=]{0,4999}\b(?:Transaction Rate Tran/s|Mean Latency Microseconds)"
    rb"(?:,|\r?$)"
    rb"|,(?:Trans/s|10\^[369]bits/s|[KMG]Bytes/s)(?:,|\r?$)",
    re.MULTILINE,
)
# Of what is behind a sign, one is in all that the marks fit but the columns. Of each
# file this is asked, and to look for a single byte takes a tenth of the time.
_HINTS = (
    (b"=", (b"THROUGHPUT", b"NETPERF_INTERIM_RESULT")),
    (b",", (b"Throughput,", b",Throughput", b",Trans/s", b",10^")),
    (b",", (b",KBytes/s", b",MBytes/s", b",GBytes/s")),
    (b"T", (b"Transaction Rate Tran/s",)),
    (b"M", (b"Mean Latency Microseconds",)),
)
_COLUMNS = re.compile(r"(?!.*,).*\bThroughput ")
_CLASSIC = re.compile(rb"^Socket Size +Request|^(?:Recv +Send|Socket +Message) ", re.M)
_UNITS = re.compile(r"Trans/s|10\^[369]bits/s|[KMG]Bytes/s")


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is output of an omni test."""
    maybe = (b" TEST " in head and b"Throughput " in head) or any(
        hint in head for sign, hints in _HINTS if sign in head for hint in hints
    )  # quick to say no
    return maybe and _MARKS.search(head) is not None and _CLASSIC.search(head) is None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row for each set of values.

    Latency is the printed mean where there is one, else that of Little's law.
    ``details`` keeps utilisation, service demand and confidence as evidence.
    """
    lines, cut = text_lines(raw.read_bytes())
    facts = banner_facts(next(filter(_BANNER.match, lines), ""))
    results: list[Result] = []
    records, forms = list(_keyval(lines)), _forms(lines)
    if len(forms) > 1:
        told = remark(
            "forms_mixed",
            f"values in several forms ({', '.join(forms)}); put each in its own file",
        )
        results.append(failed_log(told, sorted(forms.values())[1]))
    elif len({frozenset(record) for _, record in records}) > 1:
        mixed = remark(
            "instances_mixed", "the values of several instances are mixed, or cut off"
        )
        results.append(failed_log(mixed, records[0][0]))
    elif records:
        results = [omni_result(record, at, facts) for at, record in records]
    elif "-O" in forms:
        results = [omni_result(record, at, facts) for at, record in tables(lines)]
    else:
        results = list(_csv(lines, facts))
    if not results:
        results.append(
            failed_log(remark("names_without_values", "the names have no values"))
        )
    return join_results(FORMAT, "netperf", results, cut)


def _forms(lines: list[str]) -> dict[str, int]:
    """The forms that the values have, each with the line that is the first to tell."""
    found: dict[str, int] = {}
    for at, line in enumerate(lines, 1):
        if form := _form(line):
            found.setdefault(form, at)
    return found


def _form(line: str) -> str:
    if _KEY.fullmatch(line.rstrip()):
        return "" if _INTERIM.match(line) else "-k"
    if _COLUMNS.match(line):
        return "-O"
    cells = line.split(",")
    if len(cells) < 2 or _BANNER.match(line):
        return ""
    told = not NAMES.keys().isdisjoint(cells) or any(map(_UNITS.fullmatch, cells))
    return "-o" if told else ""


def _keyval(lines: list[str]) -> Iterator[tuple[int, Record]]:
    """Sets of keys; a key that comes again begins the next set."""
    record: Record = {}
    start = 1
    for at, line in enumerate(lines, 1):
        found = _KEY.fullmatch(line.rstrip())
        if found and not _INTERIM.match(line):
            if found[1] in record:
                yield start, record
                record = {}
            if not record:
                start = at
            record[found[1]] = found[2].strip().strip('"')
    if record:
        yield start, record


def _csv(lines: list[str], facts: dict[str, Any]) -> Iterator[Result]:
    names: list[str] = []
    for at, line in enumerate(lines, 1):
        try:
            cells = next(csv.reader([line]), [])
        except csv.Error as error:
            yield failed_log(
                remark("no_csv_line", f"this is no line of CSV: {error!s}"),
                at,
            )
            continue
        if len(cells) < 2 or _BANNER.match(line):
            continue
        if not NAMES.keys().isdisjoint(cells):
            names = cells
        elif not names:
            yield _nameless(cells, at)
        elif len(cells) > len(names):
            yield failed_log(_commas(line), at)
        elif len(cells) < len(names):
            told = remark("values_and_names", values=len(cells), names=len(names))
            yield failed_log(told, at)
        else:
            known = zip(names, cells, strict=True)
            record = {NAMES[n]: v.strip('" ') for n, v in known if n in NAMES}
            yield omni_result(record, at, facts)


def _commas(line: str) -> Remark:
    return remark("decimal_comma_in_csv", text=quoted(line))


def _nameless(cells: list[str], line: int) -> Result:
    """Values without names (``-P 0``): a rate only where Little's law proves it.

    The value before its unit is the rate if another one is the mean latency that
    belongs to it.
    """
    units = [i for i, cell in enumerate(cells) if _UNITS.fullmatch(cell)]
    before = cells[units[0] - 1] if units and units[0] else ""
    if before.isdecimal():  # it has two decimals
        return failed_log(_commas(",".join(cells)), line)
    value = plain_number(before)
    if not value or cells[units[0]] != TRANSACTIONS:
        return failed_log(
            remark("values_without_names", "values without names (-P 0); use -k"),
            line,
        )
    others = [plain_number(cell) for cell in cells[units[0] + 1 :]]
    fitting = [v for v in others if v and v > 0 and agree(v * value, 1e6, 0.02)]
    if len(fitting) != 1:
        told = remark(
            "unproven_rate",
            "values without names (-P 0), and none proves the rate; use -k",
        )
        return failed_log(told, line)
    row = {"clients": 1, "rate": value, "errors": 0}
    result = Result(row | {"latency_mean_us": fitting[0], "position": line})
    result.judge(
        "degraded",
        remark("few_values", "values without names (-P 0): only rate and mean latency"),
    )
    return result
