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

from analysis.facts.remark import remark
from analysis.ingest.bench.netperf_columns import NAMES, Record, tables
from analysis.ingest.bench.netperf_figures import (
    TRANSACTIONS,
    banner_facts,
    bytes_per_second,
    check_cpu,
    shape_of,
    transaction_row,
)
from analysis.ingest.logs.result import LogResult, failed_log, join_results
from analysis.ingest.logs.text import KIB, agree, plain_number, text_lines
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "netperf_omni"
TITLE = "netperf benchmark log (omni: -k, -o or -O)"
SIGNS = (
    "throughput",
    "netperf interim result",
    "trans",
    "bits",
    "bytes",
    "transaction rate tran",
    "mean latency microseconds",
)
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
# One of these is in all that the marks fit but the columns.
_HINTS = (
    b"THROUGHPUT", b"NETPERF_INTERIM_RESULT", b"Throughput,", b",Throughput",
    b"Transaction Rate Tran/s", b"Mean Latency Microseconds", b",Trans/s", b",10^",
    b",KBytes/s", b",MBytes/s", b",GBytes/s",
)  # fmt: skip
_COUNTS = ("REQUEST_SIZE", "RESPONSE_SIZE", "BURST_SIZE")
_COLUMNS = re.compile(r"(?!.*,).*\bThroughput ")
_CLASSIC = re.compile(rb"^Socket Size +Request|^(?:Recv +Send|Socket +Message) ", re.M)
_NUMBERS = frozenset(NAMES.values()) - {
    "THROUGHPUT_UNITS",
    "DIRECTION",
    "PROTOCOL",
    "SD_UNITS",
    "RESULT_BRAND",
    "COMMAND_LINE",
}
_UNITS = re.compile(r"Trans/s|10\^[369]bits/s|[KMG]Bytes/s")


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is output of an omni test."""
    text = b" TEST " in head and b"Throughput " in head
    maybe = text or any(hint in head for hint in _HINTS)  # quick to say no
    return maybe and _MARKS.search(head) is not None and _CLASSIC.search(head) is None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row for each set of values.

    Latency is the printed mean where there is one, else that of Little's law.
    ``details`` keeps utilisation, service demand and confidence as evidence.
    """
    lines, cut = text_lines(raw.read_bytes())
    facts = banner_facts(next(filter(_BANNER.match, lines), ""))
    results: list[LogResult] = []
    records, forms = list(_keyval(lines)), _forms(lines)
    if len(forms) > 1:
        told = remark("forms_mixed", forms=", ".join(forms))
        results.append(failed_log("netperf", told, sorted(forms.values())[1]))
    elif len({frozenset(record) for _, record in records}) > 1:
        mixed = remark("instances_mixed")
        results.append(failed_log("netperf", mixed, records[0][0]))
    elif records:
        results = [_result(record, at, facts) for at, record in records]
    elif "-O" in forms:
        results = [_result(record, at, facts) for at, record in tables(lines)]
    else:
        results = list(_csv(lines, facts))
    if not results:
        results.append(failed_log("netperf", remark("names_without_values")))
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


def _csv(lines: list[str], facts: dict[str, Any]) -> Iterator[LogResult]:
    names: list[str] = []
    for at, line in enumerate(lines, 1):
        try:
            cells = next(csv.reader([line]), [])
        except csv.Error as error:
            yield failed_log("netperf", remark("no_csv_line", error=str(error)), at)
            continue
        if len(cells) < 2 or _BANNER.match(line):
            continue
        if not NAMES.keys().isdisjoint(cells):
            names = cells
        elif not names:
            yield _nameless(cells, at)
        elif len(cells) != len(names):
            told = remark("values_and_names", values=len(cells), names=len(names))
            yield failed_log("netperf", told, at)
        else:
            known = zip(names, cells, strict=True)
            record = {NAMES[n]: v.strip('" ') for n, v in known if n in NAMES}
            yield _result(record, at, facts)


def _nameless(cells: list[str], line: int) -> LogResult:
    """Values without names (``-P 0``): a rate only where Little's law proves it.

    The value before its unit is the rate if another one is the mean latency that
    belongs to it.
    """
    units = [i for i, cell in enumerate(cells) if _UNITS.fullmatch(cell)]
    value = plain_number(cells[units[0] - 1]) if units and units[0] else None
    if not value or cells[units[0]] != TRANSACTIONS:
        return failed_log("netperf", remark("values_without_names"), line)
    others = [plain_number(cell) for cell in cells[units[0] + 1 :]]
    fitting = [v for v in others if v and v > 0 and agree(v * value, 1e6, 0.02)]
    if len(fitting) != 1:
        told = remark("unproven_rate")
        return failed_log("netperf", told, line)
    row = {"tool": "netperf", "clients": 1, "rate": value, "errors": 0}
    result = LogResult(row | {"latency_mean_us": fitting[0], "position": line})
    result.judge("degraded", remark("few_values"))
    return result


def _result(record: Record, line: int, facts: dict[str, Any]) -> LogResult:
    values = {
        n: plain_number(v) for n, v in record.items() if n in _NUMBERS and v != ""
    }
    if wrong := [name for name, value in values.items() if value is None]:
        told = remark("no_number", name=wrong[0], text=record[wrong[0]])
        return failed_log("netperf", told, line)
    # Negative values say that something was not measured.
    known = {n: v for n, v in values.items() if v is not None and v >= 0}
    if broken := [n for n in _COUNTS if not known.get(n, 0.0).is_integer()]:
        told = remark("no_count", name=broken[0], text=record[broken[0]])
        return failed_log("netperf", told, line)
    if "THROUGHPUT" not in record and known.get("TRANSACTION_RATE"):
        known["THROUGHPUT"] = known["TRANSACTION_RATE"]
        record = record | {"THROUGHPUT_UNITS": TRANSACTIONS}
    rate, unit = known.get("THROUGHPUT"), record.get("THROUGHPUT_UNITS", "")
    if not rate or not unit:
        missing = "THROUGHPUT" if not rate else "THROUGHPUT_UNITS"
        told = remark("missing_or_zero", name=missing)
        return failed_log("netperf", told, line)
    repeats = known.get("CONFIDENCE_ITERATION", 1) > 1
    result = _figures(record, known, facts, unit, repeats)
    result.row |= {"tool": "netperf", "errors": 0, "position": line}
    result.details |= _evidence(record, known, facts)
    value = result.row.get("bytes_per_second") or 0.0
    units = rate if unit == TRANSACTIONS else value / KIB
    _cpu(result, known, 0.0 if repeats else units, line)
    _confidence(result, known, line)
    return result


def _figures(
    record: Record,
    known: dict[str, float],
    facts: dict[str, Any],
    unit: str,
    repeats: bool,
) -> LogResult:
    seconds = known.get("ELAPSED_TIME")
    if unit != TRANSACTIONS:
        value = bytes_per_second(known["THROUGHPUT"], unit)
        row = {"shape": "STR", "clients": 1, "bytes_per_second": value}
        result = LogResult(row | {"seconds": seconds})
        if value is None or facts["shape"] in ("RR", "CRR"):
            told = remark("throughput_unit", unit=unit)
            result.judge("failed", told)
        return result
    sizes = _sizes(known)
    burst = int(known.get("BURST_SIZE", facts["burst"]))
    row = transaction_row(known["THROUGHPUT"], seconds, sizes, burst, repeats)
    row["shape"] = shape_of(_shape(record, facts), sizes)
    return _latency(LogResult(row), known, burst, repeats)


def _sizes(known: dict[str, float]) -> tuple[int, int] | None:
    if "REQUEST_SIZE" in known and "RESPONSE_SIZE" in known:
        return int(known["REQUEST_SIZE"]), int(known["RESPONSE_SIZE"])
    return None


def _shape(record: Record, facts: dict[str, Any]) -> str | None:
    shapes = {"Send|Recv": "RR", "Connect|Send|Recv": "CRR"}
    return shapes.get(record.get("DIRECTION", ""), facts["shape"])


def _latency(
    result: LogResult, known: dict[str, float], burst: int, repeats: bool
) -> LogResult:
    row = result.row
    if "MEAN_LATENCY" in known:
        row["latency_mean_us"] = known["MEAN_LATENCY"]
        little = row["rate"] * known["MEAN_LATENCY"] / 1e6 / (burst + 1)
        if not repeats and not agree(little, 1, 0.1):
            told = remark("little_not_1", little=little)
            result.judge("degraded", told)
    for share in (50, 90, 99):
        row[f"latency_p{share}_us"] = known.get(f"P{share}_LATENCY")
    sent, size = known.get("LOCAL_BYTES_SENT"), known.get("REQUEST_SIZE")
    if sent and size and row.get("transactions"):
        exact = sent / size
        if agree(exact, row["transactions"], 0.01):
            row["transactions"] = round(exact)
    return result


def _evidence(
    record: Record, known: dict[str, float], facts: dict[str, Any]
) -> dict[str, Any]:
    told = {
        "test": facts["test"],
        "brand": record.get("RESULT_BRAND"),
        "command": record.get("COMMAND_LINE"),
        "iterations": known.get("CONFIDENCE_ITERATION"),
        "retransmissions": plain_number(record.get("LOCAL_TRANSPORT_RETRANS", "")),
    }
    return {name: value for name, value in told.items() if value not in (None, "")}


def _cpu(result: LogResult, known: dict[str, float], units: float, line: int) -> None:
    sides = [s for s in ("LOCAL", "REMOTE")
             if f"{s}_CPU_UTIL" in known and f"{s}_SD" in known]  # fmt: skip
    utils = [known[f"{side}_CPU_UTIL"] for side in sides]
    check_cpu(result, utils, [known[f"{side}_SD"] for side in sides], units, line)


def _confidence(result: LogResult, known: dict[str, float], line: int) -> None:
    width, asked = known.get("THROUGHPUT_CONFID"), known.get("CONFIDENCE_INTERVAL")
    if width is not None and asked is not None and width > asked:
        told = remark("confidence_wide", width=width, asked=asked)
        result.judge("degraded", told, line)
