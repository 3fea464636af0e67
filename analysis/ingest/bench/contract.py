"""The benchmark contract: results of any tool in a CSV or JSON file with fixed names.

For tools whose logs are not public (AWM, TPNS/WSim) or not read. The columns, with
an example, are in ``docs/how-to/benchmark-contract.md``. A column of a time names
its unit (``latency_mean_ms``); numbers have a point before the decimals and nothing
between the thousands.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.declared.workload import SHAPES, PayloadUnits, parse_workload
from analysis.facts.remark import Remark, quote, remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import (
    Found,
    LogText,
    UnreadableError,
    number,
    utc_start,
)
from analysis.ingest.printed import Resolved
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "contract"
TITLE = "benchmark contract (CSV or JSON)"
TESTED = "files written by hand"
TIMED = "the seconds that the file gives"
_MARK = "benchmark_contract"
_VERSION = "1"
_TEXTS = (
    _MARK,
    "tool",
    "test",
    "workload",
    "shape",
    "start",
    "status",
    "reason",
    "payload_units",
)
_COUNTS = (
    "clients", "request_bytes", "response_bytes", "transactions", "errors",
    "retransmits", "datagrams", "lost_datagrams", "late_datagrams",
)  # fmt: skip
_NUMBERS = ("seconds", "rate", "bytes_per_second")
_TIMES = (
    "latency_mean", "latency_p50", "latency_p90", "latency_p99", "latency_p999",
    "latency_max", "latency_deviation", "jitter",
)  # fmt: skip
_OTHER = "log_"  # begins the name of a number that no column is for
_UNITS = {"s": 1e6, "ms": 1e3, "us": 1.0}
COLUMNS = (
    *_TEXTS,
    *_COUNTS,
    *_NUMBERS,
    *(f"{name}_{unit}" for name in _TIMES for unit in _UNITS),
)
_REQUIRED = (_MARK, "tool", "seconds", "transactions")
_CSV = re.compile(rf"(?:\xef\xbb\xbf)?\"?{_MARK}\"?\s*[,;\t]".encode())
_LITTLE = 1.6  # no closed loop misses by this factor, but a wrong unit does
Entries = list[tuple[int, dict[str, str]]]  # the line of each


def recognise(head: bytes) -> bool:
    """Whether a file that begins so keeps to the contract, or means to."""
    if _CSV.match(head):
        return True
    return head.lstrip()[:1] == b"{" and f'"{_MARK}"'.encode() in head


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row a result."""
    return read_log(raw, FORMAT, "benchmark contract", _parse)


def _parse(log: LogText) -> list[Result]:
    text = log.text
    entries, cut = _json(text) if text.lstrip().startswith("{") else _csv(text)
    results = [_result(line, entry) for line, entry in entries]
    if not results:
        results = [Result(records={"result": 0})]
        cut = cut or remark("no_results", "there are no results in it")
        results[0].judge("failed" if cut.kind == "no_results" else "truncated", cut)
    elif cut:  # which costs the last one
        results[-1].judge("truncated", cut)
    return results


def _refuse(line: int, kind: str, words: str) -> UnreadableError:
    return UnreadableError(remark(kind, words), line)


def _csv(text: str) -> tuple[Entries, Remark | None]:
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        header, *rows = [(reader.line_num, cells) for cells in reader] or [(1, [])]
    except csv.Error as error:
        cause = remark("invalid_csv", error=str(error))
        raise UnreadableError(cause, reader.line_num) from None
    names = [name.strip() for name in header[1]]
    if len(names) < 2:
        raise _refuse(1, "no_commas", "the columns are not separated by commas")
    _check_names(names, 1)
    entries: Entries = []
    for line, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(names):
            what = remark("cells_and_columns", cells=len(cells), columns=len(names))
            raise UnreadableError(what, line)
        values = zip(names, map(str.strip, cells), strict=True)
        entries.append((line, {name: value for name, value in values if value}))
    return entries, None if text.endswith("\n") else remark("maybe_cut_off")


def _json(text: str) -> tuple[Entries, Remark | None]:
    try:
        whole = json.loads(text, parse_constant=lambda name: name)
    except (ValueError, RecursionError):
        return [], remark("json_cut_off_damaged")
    results = whole.get("results")
    if not isinstance(results, list) or not all(isinstance(r, dict) for r in results):
        raise _refuse(1, "results_no_list", "'results' is not a list of objects")
    tools = [match.start() for match in re.finditer(r'"tool"\s*:', text)]
    entries: Entries = []
    for index, result in enumerate(results):
        # The line on which a result names its tool, else the first.
        line = text.count("\n", 0, tools[index]) + 1 if index < len(tools) else 1
        given = {name: value for name, value in result.items() if value is not None}
        named = {_MARK: whole.get(_MARK)} | given
        _check_names(list(named), line)
        for name, value in named.items():
            if isinstance(value, bool) or not isinstance(value, str | int | float):
                neither = f"{name} is neither a number nor text"
                raise _refuse(line, "neither_number_nor_text", neither)
        texts = {n: v if isinstance(v, str) else repr(v) for n, v in named.items()}
        entries.append((line, texts))
    return entries, None


def _check_names(names: Sequence[str], line: int) -> None:
    for name in names:
        if name not in COLUMNS and not name.startswith(_OTHER):
            unknown = f"there is no column {name!r} in the contract"
            raise _refuse(line, "no_such_column", unknown)
        if names.count(name) > 1:
            raise _refuse(line, "column_twice", f"the column {name!r} is there twice")


def _result(line: int, entry: Mapping[str, str]) -> Result:
    """What an entry says, and what it lacks or contradicts."""
    if entry.get(_MARK) != _VERSION:
        raise UnreadableError(remark("other_contract"), line)
    is_ok = entry.get("status", "ok") == "ok"
    if missing := [n for n in _REQUIRED[: None if is_ok else 2] if n not in entry]:
        raise UnreadableError(remark("no_value", name=missing[0]), line)
    cells = {name: Found(line, (text,)) for name, text in entry.items()}
    row: dict[str, Any] = {"test": entry.get("test"), "position": line}
    result = Result(row, tool=entry["tool"], records={"result": 1})
    if not is_ok:  # in its own words where it has some
        reason = entry.get("reason")
        cause = quote(reason) if reason else remark("line_failed", "it failed")
        result.judge("failed", cause, line)
    row |= {name: cells[name].count() for name in _COUNTS if name in cells}
    row |= {name: cells[name].number() for name in _NUMBERS if name in cells}
    if "seconds" in row:  # a length that was asked for has no digits to count
        row["seconds"] = float(row["seconds"])
    for name in _TIMES:
        given = [unit for unit in _UNITS if f"{name}_{unit}" in entry]
        if len(given) > 1:
            raise _refuse(line, "several_units", f"{name} is given in several units")
        for unit in given:
            value = number(entry[f"{name}_{unit}"], line)
            row[f"{name}_us"] = value * _UNITS[unit]
    result.figures = {
        name.removeprefix(_OTHER): cells[name].number()
        for name in cells
        if name.startswith(_OTHER)
    }
    row |= _workload(entry, row, line)
    row["start_utc"] = utc_start(entry.get("start", ""), line)
    if "seconds" in row:
        _judge(result, row, line)
    return result


def _workload(
    entry: Mapping[str, str], row: Mapping[str, Any], line: int
) -> dict[str, Any]:
    """Shape, clients and bytes as the name of the workload says them."""
    shape, units = entry.get("shape"), entry.get("payload_units", "binary")
    if shape is not None and shape not in SHAPES:
        none = f"the shape {shape!r} is none of {', '.join(SHAPES)}"
        raise _refuse(line, "no_shape", none)
    if "workload" not in entry:
        return {"shape": shape}
    try:
        load = parse_workload(entry["workload"], _payload_units(units))
    except ValueError as error:
        raise UnreadableError(quote(str(error)), line) from None
    names = ("shape", "clients", "request_bytes", "response_bytes")
    entries = {name: getattr(load, name) for name in names}
    for name, value in ({**row, "shape": shape}).items():
        if name in entries and value is not None and value != entries[name]:
            other = f"{name} {value} contradicts {entry['workload']}"
            raise _refuse(line, "contradicts_workload", other)
    return entries


def _payload_units(text: str) -> PayloadUnits:
    match text:
        case "binary" | "decimal" as units:
            return units
    raise ValueError(f"payload_units {text!r} is neither binary nor decimal")


def _judge(result: Result, row: dict[str, Any], line: int) -> None:
    """Rate, counts and latency must fit each other, or a unit is wrong."""
    seconds, count = row["seconds"], row.get("transactions", 0)
    if seconds <= 0:
        raise _refuse(line, "seconds_not_positive", "seconds is not positive")
    if any(row.get(name, 0) < 0 for name in (*_NUMBERS, *(f"{t}_us" for t in _TIMES))):
        raise UnreadableError(remark("value_negative"), line)
    row.setdefault("rate", Resolved(count, 1) / seconds)
    result.compare("the rate", row["rate"], count / seconds, 0.02)
    result.judge_errors(row.get("errors", 0), count + row.get("errors", 0), "failed")
    mean, clients = row.get("latency_mean_us"), row.get("clients")
    if mean and clients and row["rate"]:
        busy = row["rate"] * mean / 1e6
        thinks = SHAPES[row["shape"]].thinks if row.get("shape") else False
        least = 0 if thinks else clients / _LITTLE
        if not least < busy < clients * _LITTLE:
            odd = (
                f"rate × latency is {busy:.3g} clients, not {clients}: is a unit "
                "wrong, or was there think time?"
            )
            result.judge("degraded", remark("doubtful_units", odd), line)
