"""What one result of netperf's omni output says, by the names of its outputs.

``nettest_omni.c`` of netperf 2.7 begins with a TRANSACTION_RATE of 1 and an RT_LATENCY
of -1, and prints these of a stream, which has no transactions.
"""

from __future__ import annotations

from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.bench.netperf_columns import NAMES, Record
from analysis.ingest.bench.netperf_figures import (
    TRANSACTIONS,
    bytes_per_second,
    check_cpu,
    shape_of,
    transaction_row,
)
from analysis.ingest.logs.checks import agree, contradiction
from analysis.ingest.logs.result import Result, failed_log
from analysis.ingest.logs.text import KIB, not_a_number, plain_number

_COUNTS = ("REQUEST_SIZE", "RESPONSE_SIZE", "BURST_SIZE")
# What direction_to_str() there calls tests that count transactions, and their shape
_TRANSACTING = {"Send|Recv": "RR", "Connect|Send|Recv": "CRR", "Connection": None}
_NUMBERS = frozenset(NAMES.values()) - {
    "THROUGHPUT_UNITS",
    "DIRECTION",
    "PROTOCOL",
    "SD_UNITS",
    "RESULT_BRAND",
    "COMMAND_LINE",
}


def omni_result(record: Record, line: int, facts: dict[str, Any]) -> Result:
    """The result of one record; one without a figure that counts is failed."""
    values = {
        n: plain_number(v) for n, v in record.items() if n in _NUMBERS and v != ""
    }
    if wrong := [name for name, value in values.items() if value is None]:
        told = remark("of_test", name=wrong[0], what=not_a_number(record[wrong[0]]))
        return failed_log(told, line)
    # Negative values say that something was not measured.
    known = {n: v for n, v in values.items() if v is not None and v >= 0}
    if broken := [n for n in _COUNTS if not known.get(n, 0.0).is_integer()]:
        told = remark("no_count", f"{broken[0]} is {record[broken[0]]!r}, no count")
        return failed_log(told, line)
    if "THROUGHPUT" not in record and _transacts(record, facts):
        known["THROUGHPUT"] = known.get("TRANSACTION_RATE", 0.0)
        record = record | {"THROUGHPUT_UNITS": TRANSACTIONS}
    rate, unit = known.get("THROUGHPUT"), record.get("THROUGHPUT_UNITS", "")
    if not rate or not unit:
        missing = "THROUGHPUT" if not rate else "THROUGHPUT_UNITS"
        told = remark(
            "missing_or_zero", f"{missing} is missing, or zero; name it in -k, -o or -O"
        )
        return failed_log(told, line)
    repeats = known.get("CONFIDENCE_ITERATION", 1) > 1
    result = _figures(record, known, facts, unit, repeats)
    result.row |= {"errors": 0, "position": line}
    result.details |= _evidence(record, known, facts)
    result.identity = record.get("UUID")
    value = result.row.get("bytes_per_second") or 0.0
    units = rate if unit == TRANSACTIONS else value / KIB
    _cpu(result, known, 0.0 if repeats else units, line)
    _confidence(result, known, line)
    return result


def _transacts(record: Record, facts: dict[str, Any]) -> bool:
    """Whether the test has transactions, by its direction or else by the banner."""
    if "DIRECTION" in record:
        return record["DIRECTION"] in _TRANSACTING
    return str(facts["test"]).endswith(("RR", "CC"))


def _figures(
    record: Record,
    known: dict[str, float],
    facts: dict[str, Any],
    unit: str,
    repeats: bool,
) -> Result:
    seconds = known.get("ELAPSED_TIME")
    if unit != TRANSACTIONS:
        value = bytes_per_second(known["THROUGHPUT"], unit)
        row = {"shape": "STR", "clients": 1, "bytes_per_second": value}
        result = Result(row | {"seconds": seconds})
        if value is None or _transacts(record, facts):
            told = remark(
                "throughput_unit",
                f"a throughput in {unit!r} of transactions; run without -f",
            )
            result.judge("failed", told)
        return result
    sizes = _sizes(known)
    burst = int(known.get("BURST_SIZE", facts["burst"]))
    row = transaction_row(known["THROUGHPUT"], seconds, sizes, burst, repeats)
    row["shape"] = shape_of(_shape(record, facts), sizes)
    return _latency(Result(row), known, burst, repeats)


def _sizes(known: dict[str, float]) -> tuple[int, int] | None:
    if "REQUEST_SIZE" in known and "RESPONSE_SIZE" in known:
        return int(known["REQUEST_SIZE"]), int(known["RESPONSE_SIZE"])
    return None


def _shape(record: Record, facts: dict[str, Any]) -> str | None:
    return _TRANSACTING.get(record.get("DIRECTION", ""), facts["shape"])


def _latency(
    result: Result, known: dict[str, float], burst: int, repeats: bool
) -> Result:
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
        elif not repeats:
            each = sent / row["transactions"]
            source = "its bytes and transactions"
            held = contradiction("REQUEST_SIZE", size, each, 0.05, source=source)
            result.hold(held)
    return result


def _evidence(
    record: Record, known: dict[str, float], facts: dict[str, Any]
) -> dict[str, Any]:
    told = {
        "test": facts["test"],
        "brand": record.get("RESULT_BRAND"),
        "command": record.get("COMMAND_LINE"),
        "iterations": known.get("CONFIDENCE_ITERATION"),
        "mss": int(known.get("TRANSPORT_MSS", 0)) or None,
        "retransmissions": plain_number(record.get("LOCAL_TRANSPORT_RETRANS", "")),
    }
    return {name: value for name, value in told.items() if value not in (None, "")}


def _cpu(result: Result, known: dict[str, float], units: float, line: int) -> None:
    roles = {s: role for s, role in (("LOCAL", "client"), ("REMOTE", "server"))
             if f"{s}_CPU_UTIL" in known and f"{s}_SD" in known}  # fmt: skip
    utils = [known[f"{side}_CPU_UTIL"] for side in roles]
    demands = [known[f"{side}_SD"] for side in roles]
    check_cpu(result, utils, demands, units, line, [*roles.values()])


def _confidence(result: Result, known: dict[str, float], line: int) -> None:
    width, asked = known.get("THROUGHPUT_CONFID"), known.get("CONFIDENCE_INTERVAL")
    if width is not None and asked is not None and width > asked:
        told = remark(
            "confidence_wide",
            f"the confidence interval is {width:g}% wide, more than {asked:g}%",
        )
        result.judge("degraded", told, line)
