"""curl ``--write-out``: the transfers of one file as one ``benchmark`` row.

Read are ``%{json}``, one object a line, and lines with ``name=value`` or
``name: value`` for curl's own names. Times are seconds, sizes bytes, speeds bytes a
second. curl makes one transfer after another, so the rate is their number over the
sum of their times, and the log is that of one client.
"""

from __future__ import annotations

import json
import re
from typing import Any

from analysis.facts.remark import Remark, remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import LogText, UnreadableError, number, percentiles
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "curl"
TITLE = "curl --write-out"
TESTED = "curl 7.88.1"
TIMED = "the sum of the times of all transfers, without pauses between them"
SIGNS = ("time total",)
_MARK = re.compile(
    rb'"time_total":[\d.]|^[^\S\n]*(?:(?=\S+?[=:]).*)?\btime_total\s*[=:]', re.M
)
_OF_CURL = re.compile(
    rb"\b(time_\w+|size_\w+|speed_\w+|http_code|num_connects)\"?\s*[=:]"
)
_PAIR = re.compile(r"\b([a-z_]{6,})\s*[=:]\s*(\S+)(?=(\s+\d)?)")
_JSON = "{json}"  # marks a transfer that is whole by itself
Transfer = dict[str, Any]


def recognise(head: bytes) -> bool:
    """Whether a file that begins so was written by ``curl --write-out``."""
    # Mostly it is not there, which rfind says in a third of the time of 'in'.
    if head.rfind(b"time_total") < 0 or _MARK.search(head) is None:
        return False
    first = _OF_CURL.search(head)
    return any(found[1] != first[1] for found in _OF_CURL.finditer(head) if first)


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row of all transfers that ended with a status below 400."""
    return read_log(raw, FORMAT, "curl", _parse)


def _parse(log: LogText) -> list[Result]:
    out = Result()
    transfers = _transfers(log, out)
    whole = [t for t in transfers if "time_total" in t]
    if len(whole) < len(transfers):
        out.judge(
            "truncated", remark("no_time_total", "its last transfer has no time_total")
        )
    bad = [t for t in whole if _failed(t)]
    good = [t for t in whole if not _failed(t)]
    for transfer in bad:
        out.note(_failure(transfer), transfer["line"])
    if log.lines[-1].strip() and not log.lines[-1].rstrip().endswith("}"):
        out.judge("degraded", remark("maybe_cut_off"))
    if out.status != "truncated":
        words = "transfers failed or had a status of 400 or more"
        out.judge_errors(len(bad), len(whole), words)
    out.records = {"transfer": len(whole)}
    out.row = _row(good, len(bad))
    return [out]


def _transfers(log: LogText, out: Result) -> list[Transfer]:
    """The transfers; a name that comes again begins the next one."""
    transfers: list[Transfer] = []
    for line, text in enumerate(log.lines, 1):
        if text.lstrip().startswith("{"):
            transfers.append(_object(text, line, out))
            continue
        for name, value, more in _PAIR.findall(text):
            if more:
                raise UnreadableError(
                    remark("not_one_number", f"{name} is not one number"), line
                )
            last = transfers[-1] if transfers else {}
            if "line" not in last or _JSON in last or name in last:
                transfers.append({"line": line})
            transfers[-1][name] = _value(name, value, line)
    return [t for t in transfers if len(t) > 1]


def _object(text: str, line: int, out: Result) -> Transfer:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        out.judge("truncated", remark("json_cut_off_damaged"), line)
        return {}
    times = [n for n in found if n.startswith(("time_", "size_", "speed_"))]
    for name in times:
        if isinstance(found[name], bool) or not isinstance(found[name], int | float):
            raise UnreadableError(remark("not_number", f"{name} is not a number"), line)
    return found | {"line": line, _JSON: True}


def _value(name: str, value: str, line: int) -> Any:
    if name.startswith("time_"):
        return number(value.removesuffix("s"), line)
    if name.startswith(("size_", "speed_", "num_", "http_code", "response_code")):
        return number(value, line)
    return value


def _failed(transfer: Transfer) -> bool:
    status = transfer.get("response_code", transfer.get("http_code", 200))
    ended = transfer.get("exitcode", 0)
    return bool(ended) or not isinstance(status, int | float) or not 100 <= status < 400


def _failure(transfer: Transfer) -> Remark:
    told = transfer.get("errormsg") or transfer.get("http_code")
    return remark("transfer_failed", f"transfer failed: {told}")


def _row(good: list[Transfer], errors: int) -> dict[str, Any]:
    row: dict[str, Any] = {"clients": 1, "errors": errors, "position": 1}
    times = sorted(t["time_total"] for t in good)
    seconds = sum(times)
    if seconds <= 0:
        return row
    sizes = [t.get("size_download", 0) + t.get("size_upload", 0) for t in good]
    down = {t.get("size_download") for t in good}
    one = next(iter(down)) if len(down) == 1 else None
    return row | {
        "shape": _shape(good),
        "seconds": seconds,
        "transactions": len(good),
        "rate": len(good) / seconds,
        "latency_mean_us": seconds / len(good) * 1e6,
        "bytes_per_second": sum(sizes) / seconds if any(sizes) else None,
        "response_bytes": int(one) if one is not None else None,
        **percentiles(times),
    }


def _shape(good: list[Transfer]) -> str | None:
    connects = {t.get("num_connects") for t in good}
    if len(connects) > 1:
        return None
    return (
        {0: "RR", 1: "CRR"}.get(connects.pop() or 0) if None not in connects else None
    )
