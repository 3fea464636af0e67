"""One entry of the benchmark contract, checked, as a result."""

from __future__ import annotations

from typing import Any

from analysis.declared.workload import SHAPES, PayloadUnits, parse_workload
from analysis.facts.remark import Remark, quote, remark
from analysis.ingest.logs.result import Result
from analysis.ingest.logs.text import Found, UnreadableError, number, utc_start
from analysis.ingest.printed import Resolved

MARK = "benchmark_contract"
VERSION = "1"
TIMES = ("latency_mean", "latency_p50", "latency_p90", "latency_p99")
UNITS = {"s": 1e6, "ms": 1e3, "us": 1.0}
COUNTS = ("clients", "request_bytes", "response_bytes", "transactions", "errors")
NUMBERS = ("seconds", "rate", "bytes_per_second")
_REQUIRED = (MARK, "tool", "seconds", "transactions")
_LITTLE = 1.6  # no closed loop misses by this factor, but a wrong unit does


def contract_result(line: int, entry: dict[str, str]) -> Result:
    """What an entry says, and what it lacks or contradicts."""
    if entry.get(MARK) != VERSION:
        raise UnreadableError(remark("other_contract"), line)
    is_ok = entry.get("status", "ok") == "ok"
    if missing := [n for n in _REQUIRED[: None if is_ok else 2] if n not in entry]:
        raise UnreadableError(remark("no_value", name=missing[0]), line)
    cells = {name: Found(line, (text,)) for name, text in entry.items()}
    row: dict[str, Any] = {"test": entry.get("test"), "position": line}
    out = Result(row, tool=entry["tool"], records={"result": 1})
    if not is_ok:
        out.judge("failed", _failure(entry), line)
    row |= {name: cells[name].count() for name in COUNTS if name in cells}
    row |= {name: cells[name].number() for name in NUMBERS if name in cells}
    if "seconds" in row:  # a length that was asked for has no digits to count
        row["seconds"] = float(row["seconds"])
    row |= _latencies(entry, line) | _workload(entry, row, line)
    row["start_utc"] = utc_start(entry.get("start", ""), line)
    if "seconds" in row:
        _judge(row, out, line)
    return out


def _failure(entry: dict[str, str]) -> Remark:
    """Why a result failed, in its own words where it has some."""
    reason = entry.get("reason")
    return quote(reason) if reason else remark("line_failed", "it failed")


def _latencies(entry: dict[str, str], line: int) -> dict[str, float]:
    values: dict[str, float] = {}
    for name in TIMES:
        given = [unit for unit in UNITS if f"{name}_{unit}" in entry]
        if len(given) > 1:
            raise UnreadableError(
                remark("several_units", f"{name} is given in several units"), line
            )
        for unit in given:
            text = entry[f"{name}_{unit}"]
            values[f"{name}_us"] = number(text, line) * UNITS[unit]
    return values


def _workload(entry: dict[str, str], row: dict[str, Any], line: int) -> dict[str, Any]:
    """Shape, clients and bytes as the name of the workload says them."""
    shape = entry.get("shape")
    if shape is not None and shape not in SHAPES:
        raise UnreadableError(
            remark("no_shape", f"the shape {shape!r} is none of {', '.join(SHAPES)}"),
            line,
        )
    if "workload" not in entry:
        return {"shape": shape}
    try:
        found = parse_workload(entry["workload"], _units(entry))
    except ValueError as error:
        raise UnreadableError(quote(str(error)), line) from None
    told = {
        "shape": found.shape,
        "clients": found.clients,
        "request_bytes": found.request_bytes,
        "response_bytes": found.response_bytes,
    }
    for name, value in (row | {"shape": shape}).items():
        if name in told and value is not None and value != told[name]:
            raise UnreadableError(
                remark(
                    "contradicts_workload",
                    f"{name} {value} contradicts {entry['workload']}",
                ),
                line,
            )
    return told


def _units(entry: dict[str, str]) -> PayloadUnits:
    match entry.get("payload_units", "binary"):
        case "binary":
            return "binary"
        case "decimal":
            return "decimal"
        case other:
            raise ValueError(f"payload_units {other!r} is neither binary nor decimal")


def _judge(row: dict[str, Any], out: Result, line: int) -> None:
    """Rate, counts and latency must fit each other, or a unit is wrong."""
    seconds, count = row["seconds"], row.get("transactions", 0)
    if seconds <= 0:
        raise UnreadableError(
            remark("seconds_not_positive", "seconds is not positive"), line
        )
    if any(row.get(name, 0) < 0 for name in (*NUMBERS, *(f"{t}_us" for t in TIMES))):
        raise UnreadableError(remark("value_negative"), line)
    row.setdefault("rate", Resolved(count, 1) / seconds)
    out.compare(f"line {line}: the rate", row["rate"], count / seconds, 0.02)
    out.judge_errors(row.get("errors", 0), count + row.get("errors", 0), "failed")
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
            out.judge("degraded", remark("doubtful_units", odd), line)
