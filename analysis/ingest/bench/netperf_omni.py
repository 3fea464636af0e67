"""netperf's omni output: key and value (``-k``), CSV (``-o``) and columns (``-O``).

Names are those of the selectors (``THROUGHPUT``) or their words in a CSV header
("Throughput"); see ``omni_output_list.txt`` of netperf 2.7. ``-1`` stands for a value
that is not there. ``-k`` is the form that says most of itself. A block of columns for
people is four lines of headings and one of values, each column as wide as its widest
word (``print_omni_human`` in ``nettest_omni.c``). ``nettest_omni.c`` begins with a
TRANSACTION_RATE of 1 and an RT_LATENCY of -1, and prints these of a stream, which has
no transactions.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from analysis.facts.remark import Remark, remark
from analysis.ingest.bench.netperf import (
    Interim,
    Test,
    bytes_per_second,
    hold_cpu,
    hold_interims,
    interims_of,
    test_of,
    transaction_row,
)
from analysis.ingest.logs.checks import agree, hold_little
from analysis.ingest.logs.result import Result, failed_log, join_results
from analysis.ingest.logs.text import (
    KIB,
    PERCENTILES,
    not_a_number,
    plain_number,
    quoted,
    records_of,
    text_lines,
)
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "netperf_omni"
TITLE = "netperf benchmark log (omni: -k, -o or -O)"
TESTED = "netperf 2.7.0"
TIMED = "the elapsed time that netperf prints"
INSTEAD_OF = ("netperf",)
_KEY = re.compile(r"([A-Z][A-Z0-9_]*)=(.*)")
_INTERIM = re.compile(r"NETPERF_(\w+)\[(\d+)\]=(\S*)")
_AMOUNTS = ("INTERIM_RESULT", "INTERVAL")
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
_TRANSACTIONS = "Trans/s"
_NAMES = {
    "Throughput": "THROUGHPUT",
    "Throughput Units": "THROUGHPUT_UNITS",
    "Elapsed Time (sec)": "ELAPSED_TIME",
    "Request Size Bytes": "REQUEST_SIZE",
    "Response Size Bytes": "RESPONSE_SIZE",
    "Direction": "DIRECTION",
    "Protocol": "PROTOCOL",
    "Initial Burst Requests": "BURST_SIZE",
    "Transaction Rate Tran/s": "TRANSACTION_RATE",
    "Mean Latency Microseconds": "MEAN_LATENCY",
    "50th Percentile Latency Microseconds": "P50_LATENCY",
    "90th Percentile Latency Microseconds": "P90_LATENCY",
    "99th Percentile Latency Microseconds": "P99_LATENCY",
    "Maximum Latency Microseconds": "MAX_LATENCY",
    "Stddev Latency Microseconds": "STDDEV_LATENCY",
    "Local CPU Util %": "LOCAL_CPU_UTIL",
    "Remote CPU Util %": "REMOTE_CPU_UTIL",
    "Local Service Demand": "LOCAL_SD",
    "Remote Service Demand": "REMOTE_SD",
    "Service Demand Units": "SD_UNITS",
    "Confidence Level Percent": "CONFIDENCE_LEVEL",
    "Confidence Width Target": "CONFIDENCE_INTERVAL",
    "Confidence Iterations Run": "CONFIDENCE_ITERATION",
    "Throughput Confidence Width (%)": "THROUGHPUT_CONFID",
    "Local Bytes Sent": "LOCAL_BYTES_SENT",
    "Transport MSS bytes": "TRANSPORT_MSS",
    "Local Transport Retransmissions": "LOCAL_TRANSPORT_RETRANS",
    "Remote Transport Retransmissions": "REMOTE_TRANSPORT_RETRANS",
    "Result Tag": "RESULT_BRAND",
    "Command Line": "COMMAND_LINE",
}
_WORDS = "THROUGHPUT_UNITS DIRECTION PROTOCOL SD_UNITS RESULT_BRAND COMMAND_LINE"
_NUMBERS = frozenset(_NAMES.values()) - {*_WORDS.split()}
_COUNTS = ("REQUEST_SIZE", "RESPONSE_SIZE", "BURST_SIZE")
# What direction_to_str() there calls tests that count transactions, and their shape
_TRANSACTING = {"Send|Recv": "RR", "Connect|Send|Recv": "CRR", "Connection": None}
_SIDES = {"client": "LOCAL", "server": "REMOTE"}
_HEADINGS, _BLOCK = 4, 6  # lines; a blank one stands between two blocks
_FIRST = re.compile("|".join(sorted({name.split()[0] for name in _NAMES})))
_VALUE = re.compile(r"\S+")
Record = dict[str, str]


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
    test = test_of(next(filter(_BANNER.match, lines), ""))
    records, forms = list(records_of(_keys(lines))), dict[str, int]()
    for at, line in enumerate(lines, 1):
        if form := _form(line):
            forms.setdefault(form, at)
    if len(forms) > 1:
        several = f"values in several forms ({', '.join(forms)})"
        problem = remark("forms_mixed", f"{several}; put each in its own file")
        results = [failed_log(problem, sorted(forms.values())[1])]
    elif len({frozenset(record) for _, record in records}) > 1:
        mixed = "the values of several instances are mixed, or cut off"
        results = [failed_log(remark("instances_mixed", mixed), records[0][0])]
    elif records:
        results = [_result(record, at, test) for at, record in records]
    elif "-O" in forms:
        results = [
            _result(record, at, test) for at, record in records_of(_cells(lines))
        ]
    else:
        results = list(_csv(lines, test))
    if not results:
        none = remark("names_without_values", "the names have no values")
        results = [failed_log(none)]
    if len(results) == 1 and results[0].row.get("seconds"):
        hold_interims(results[0], [*_interims(lines), *interims_of(lines)])
    return join_results(FORMAT, "netperf", results, cut)


def _interims(lines: Sequence[str]) -> Iterator[Interim]:
    """The interim results that ``-k`` says: three keys with the same number."""
    keys = (match for line in lines if (match := _INTERIM.match(line)))
    for _, of in itertools.groupby(keys, lambda match: match[2]):
        told = {match[1]: match[3] for match in of}
        rate, seconds = (plain_number(told.get(name, "")) for name in _AMOUNTS)
        if rate is not None and seconds:
            yield rate, told.get("UNITS", ""), seconds


def _form(line: str) -> str:
    """The form of a line of names or values; empty where it tells none."""
    if _KEY.fullmatch(line.rstrip()):
        return "" if _INTERIM.match(line) else "-k"
    if _COLUMNS.match(line):
        return "-O"
    cells = line.split(",")
    if len(cells) < 2 or _BANNER.match(line):
        return ""
    named = not _NAMES.keys().isdisjoint(cells) or any(map(_UNITS.fullmatch, cells))
    return "-o" if named else ""


def _keys(lines: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """What ``-k`` says, but for interim results: line, name and value."""
    for at, line in enumerate(lines, 1):
        match = _KEY.fullmatch(line.rstrip())
        if match and not _INTERIM.match(line):
            yield at, match[1], match[2].strip().strip('"')


def _cells(lines: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """What the columns of ``-O`` say: line, name and value."""
    at = 0
    while at + _HEADINGS < len(lines):
        block = _block(lines[at : at + _HEADINGS], lines[at + _HEADINGS])
        for name, value in block.items():
            yield at + _HEADINGS + 1, name, value
        at += _BLOCK if block else 1


def _block(headings: Sequence[str], values: str) -> Record:
    """The values that have a name that is known; none where that is no block. Headings
    and values begin at the same place, so a value tells where a column begins."""
    if not _FIRST.match(headings[0]) or not values.strip():
        return {}
    begins = [
        match.start()
        for match in _VALUE.finditer(values)
        if any(_begins(heading, match.start()) for heading in headings)
    ]
    record: Record = {}
    for begin, end in itertools.zip_longest(begins, begins[1:]):
        words = (heading[begin:end].strip() for heading in headings)
        name = " ".join(word for word in words if word)
        if name in _NAMES:
            record[_NAMES[name]] = values[begin:end].strip().strip('"')
    return record


def _begins(heading: str, at: int) -> bool:
    """Whether a word of the heading begins there."""
    before = at == 0 or heading[at - 1 : at] == " "
    return before and not heading[at : at + 1].isspace() and at < len(heading)


def _csv(lines: Sequence[str], test: Test) -> Iterator[Result]:
    names: list[str] = []
    for at, line in enumerate(lines, 1):
        try:
            cells = next(csv.reader([line]), [])
        except csv.Error as error:
            odd = remark("no_csv_line", f"this is no line of CSV: {error!s}")
            yield failed_log(odd, at)
            continue
        if len(cells) < 2 or _BANNER.match(line):
            continue
        if not _NAMES.keys().isdisjoint(cells):
            names = cells
        elif not names:
            yield _nameless(cells, at)
        elif len(cells) > len(names):
            yield failed_log(_commas(line), at)
        elif len(cells) < len(names):
            few = remark("values_and_names", values=len(cells), names=len(names))
            yield failed_log(few, at)
        else:
            known = zip(names, cells, strict=True)
            record = {_NAMES.get(n, n): v.strip('" ') for n, v in known}
            yield _result(record, at, test)


def _commas(line: str) -> Remark:
    return remark("decimal_comma_in_csv", text=quoted(line))


def _nameless(cells: Sequence[str], line: int) -> Result:
    """Values without names (``-P 0``): a rate only where Little's law proves it.

    The value before its unit is the rate if another one is the mean latency that
    belongs to it.
    """
    units = [i for i, cell in enumerate(cells) if _UNITS.fullmatch(cell)]
    before = cells[units[0] - 1] if units and units[0] else ""
    if before.isdecimal():  # it has two decimals
        return failed_log(_commas(",".join(cells)), line)
    value = plain_number(before)
    without = "values without names (-P 0)"
    if not value or cells[units[0]] != _TRANSACTIONS:
        return failed_log(remark("values_without_names", f"{without}; use -k"), line)
    others = [plain_number(cell) for cell in cells[units[0] + 1 :]]
    fitting = [v for v in others if v and v > 0 and agree(v * value, 1e6, 0.02)]
    if len(fitting) != 1:
        unproven = f"{without}, and none proves the rate; use -k"
        return failed_log(remark("unproven_rate", unproven), line)
    row = {"clients": 1, "rate": value, "latency_mean_us": fitting[0]}
    result = Result(row | {"errors": 0, "position": line})
    result.judge(
        "degraded", remark("few_values", f"{without}: only rate and mean latency")
    )
    return result


def _result(record: Record, line: int, test: Test) -> Result:
    """The result of one set of values; one without a figure that counts is failed."""
    values = {
        n: plain_number(v) for n, v in record.items() if n in _NUMBERS and v != ""
    }
    if wrong := [name for name, value in values.items() if value is None]:
        what = not_a_number(record[wrong[0]])
        return failed_log(remark("of_test", name=wrong[0], what=what), line)
    # Negative values say that something was not measured.
    known = {n: v for n, v in values.items() if v is not None and v >= 0}
    if broken := [n for n in _COUNTS if not known.get(n, 0.0).is_integer()]:
        odd = f"{broken[0]} is {record[broken[0]]!r}, no count"
        return failed_log(remark("no_count", odd), line)
    direction = record.get("DIRECTION")
    transacts = test.transacts if direction is None else direction in _TRANSACTING
    if "THROUGHPUT" not in record and transacts:
        known["THROUGHPUT"] = known.get("TRANSACTION_RATE", 0.0)
        record = record | {"THROUGHPUT_UNITS": _TRANSACTIONS}
    rate, unit = known.get("THROUGHPUT"), record.get("THROUGHPUT_UNITS", "")
    if not rate or not unit:
        missing = "THROUGHPUT" if not rate else "THROUGHPUT_UNITS"
        lacks = f"{missing} is missing, or zero; name it in -k, -o or -O"
        return failed_log(remark("missing_or_zero", lacks), line)
    seconds = known.get("ELAPSED_TIME")
    repeats = known.get("CONFIDENCE_ITERATION", 1) > 1
    result = Result(details=_evidence(record, known, test), identity=record.get("UUID"))
    if unit == _TRANSACTIONS:
        clients = int(known.get("BURST_SIZE", test.clients - 1)) + 1
        shape = _TRANSACTING.get(direction or "", test.shape)
        test = replace(test, shape=shape, clients=clients, repeats=repeats)
        sizes = None
        if "REQUEST_SIZE" in known and "RESPONSE_SIZE" in known:
            sizes = int(known["REQUEST_SIZE"]), int(known["RESPONSE_SIZE"])
        result.row = transaction_row(test, rate, seconds, sizes) | {"position": line}
        _latencies(result, known, repeats)
        units = rate
    else:
        value = bytes_per_second(rate, unit)
        result.row = {"shape": "STR", "clients": 1, "errors": 0, "position": line}
        result.row |= {"seconds": seconds, "bytes_per_second": value}
        if value is None or transacts:
            bits = f"a throughput in {unit!r} of transactions; run without -f"
            result.judge("failed", remark("throughput_unit", bits), line)
        units = (value or 0.0) / KIB
    _add_others(result, record, known, repeats)
    cpu = {
        role: (known[f"{side}_CPU_UTIL"], known[f"{side}_SD"])
        for role, side in _SIDES.items()
        if f"{side}_CPU_UTIL" in known and f"{side}_SD" in known
    }
    hold_cpu(result, cpu, 0.0 if repeats else units)
    width, asked = known.get("THROUGHPUT_CONFID"), known.get("CONFIDENCE_INTERVAL")
    if width is not None and asked is not None and width > asked:
        wide = f"the confidence interval is {width:g}% wide, more than {asked:g}%"
        result.judge("degraded", remark("confidence_wide", wide), line)
    return result


def _add_others(
    result: Result, record: Record, known: dict[str, float], repeats: bool
) -> None:
    """Segments sent again by either side, and all numbers by their names."""
    again = [v for n, v in known.items() if n.endswith("_TRANSPORT_RETRANS")]
    result.row["retransmits"] = sum(again) if again and not repeats else None
    result.figures = {
        name: value
        for name, text in record.items()
        if (value := plain_number(text)) is not None and value >= 0
    }


def _latencies(result: Result, known: dict[str, float], repeats: bool) -> None:
    """The printed latencies, and the count of transactions that the bytes tell."""
    row = result.row
    if "MEAN_LATENCY" in known:
        row["latency_mean_us"] = known["MEAN_LATENCY"]
        if not repeats:
            result.hold(hold_little(row), result.line)
    names = {f"p{name}": f"P{share:g}" for name, share in PERCENTILES.items()}
    for column, name in (names | {"max": "MAX", "deviation": "STDDEV"}).items():
        row[f"latency_{column}_us"] = known.get(f"{name}_LATENCY")
    sent, size = known.get("LOCAL_BYTES_SENT"), known.get("REQUEST_SIZE")
    if sent and size and row.get("transactions"):
        exact = sent / size
        if agree(exact, row["transactions"], 0.01):
            row["transactions"] = round(exact)
        elif not repeats:
            each, source = sent / row["transactions"], "its bytes and transactions"
            result.compare("REQUEST_SIZE", size, each, 0.05, 0.0, source)


def _evidence(record: Record, known: dict[str, float], test: Test) -> dict[str, Any]:
    return {
        "test": test.name,
        "brand": record.get("RESULT_BRAND") or None,
        "command": record.get("COMMAND_LINE") or None,
        "iterations": known.get("CONFIDENCE_ITERATION"),
        "mss": int(known.get("TRANSPORT_MSS", 0)) or None,
        "retransmissions": plain_number(record.get("LOCAL_TRANSPORT_RETRANS", "")),
    }
