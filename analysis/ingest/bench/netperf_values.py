"""Lines of values of netperf's classic tests, by the columns of each test."""

from __future__ import annotations

import re
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.bench.netperf_figures import (
    UNIT,
    bytes_per_second,
    check_cpu,
    shape_of,
    transaction_row,
)
from analysis.ingest.logs.checks import contradiction
from analysis.ingest.logs.result import Result
from analysis.ingest.logs.text import KIB
from analysis.ingest.printed import printed

RECEIVED = re.compile(
    r"(\d+)\s+(\d+\.\d\d)\s+(\d+)\s+(\d+\.\d{1,2})"
    r"(?:\s+(-?\d+\.\d\d)\s+(-?\d+\.\d{3}))?\s*"
)


def _cpu(found: re.Match[str], first: int) -> tuple[list[float], list[float]]:
    values = [float(v) for v in found.groups()[first : first + 4] if v is not None]
    return values[:2], values[2:]


def _details(facts: dict[str, Any], brand: str | None) -> dict[str, Any]:
    known = {"test": facts["test"], "brand": brand}
    return {name: value for name, value in known.items() if value}


def transaction_result(
    facts: dict[str, Any], found: re.Match[str], header: str, line: int
) -> Result:
    """The result of a line of a request/response test."""
    sizes = (int(found[3]), int(found[4]))
    rate, seconds = printed(found[6]), float(found[5])
    moved = None if str(facts["test"]).endswith("CC") else sizes
    row = transaction_row(rate, seconds, moved, facts["burst"], facts["repeats"])
    row |= {"shape": shape_of(facts["shape"], moved), "errors": 0}
    row["position"] = line
    result = Result(row, details=_details(facts, found[11]))
    if UNIT.search(header):
        result.judge(
            "failed",
            remark("rate_in_bits", "the rate is in bits or bytes; run without -f"),
            line,
        )
    elif not rate:
        result.judge("failed", remark("no_transaction"), line)
    elif facts["test"] is None:
        told = "no banner (-P 0): it may be of TCP_RR, TCP_CRR, TCP_CC or UDP_RR"
        result.details["ambiguous"] = told
        row["bytes_per_second"] = None  # TCP_CC moves none
    utils, demands = _cpu(found, 6)
    if facts["repeats"]:
        result.details["repeats"] = "mean of several iterations"
    check_cpu(result, utils, demands, 0 if facts["repeats"] else rate, line)
    return result


def stream_result(
    facts: dict[str, Any], found: re.Match[str], header: str, line: int
) -> Result:
    """The result of a line of a stream test."""
    unit = UNIT.search(header)
    value = bytes_per_second(printed(found[5]), unit[0]) if unit else None
    row = {"shape": "STR", "clients": 1, "errors": 0}
    row |= {"seconds": float(found[4]), "bytes_per_second": value, "position": line}
    result = Result(row, details=_details(facts, found[10]))
    result.details["message_bytes"] = int(found[3])
    if value is None:
        result.judge(
            "failed",
            remark(
                "no_header",
                "no header (-P 0): the unit of the throughput is unknown; run with "
                "-P 1 or with -k",
            ),
            line,
        )
    elif value == 0:
        result.judge("failed", remark("no_data_moved"), line)
    else:
        utils, demands = _cpu(found, 5)
        check_cpu(result, utils, demands, 0 if facts["repeats"] else value / KIB, line)
    return result


def datagram_result(
    facts: dict[str, Any], found: re.Match[str], after: str, header: str, line: int
) -> Result:
    """The result of the two lines of a datagram test."""
    received, unit = RECEIVED.fullmatch(after), UNIT.search(header)
    row = {"shape": "STR", "clients": 1, "position": line}
    result = Result(row, details=_details(facts, found[9]))
    if received is None or unit is None:
        missing = "the receiver's line" if received is None else "the header"
        result.judge("truncated", remark("missing_value", name=missing), line)
        return result
    sent, got = int(found[4]), int(received[3])
    row |= {"seconds": float(found[3]), "errors": int(found[5])}
    row["bytes_per_second"] = bytes_per_second(printed(received[4]), unit[0])
    result.details |= {
        "message_bytes": int(found[2]),
        "sender_bytes_per_second": bytes_per_second(float(found[6]), unit[0]),
        "lost_messages": sent - got,
    }
    if got == 0 or not row["bytes_per_second"]:
        result.judge(
            "failed", remark("receiver_got_nothing", "the receiver got nothing"), line
        )
    if got > sent:
        source = "what was sent"
        held = contradiction("what arrived", got, sent, 0.001, source=source)
        result.hold(held, line)
    return result
