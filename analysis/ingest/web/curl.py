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

from analysis.facts.remark import remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import (
    LogText,
    UnreadableError,
    number,
    percentiles,
    real,
)
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.web.load import serial

FORMAT = "curl"
TITLE = "curl --write-out"
TESTED = "curl 7.88.1"
TIMED = "the sum of the times of all transfers, without pauses between them"
_MARK = re.compile(
    rb'"time_total":[\d.]|^[^\S\n]*(?:(?=\S+?[=:]).*)?\btime_total\s*[=:]', re.M
)
_OF_CURL = re.compile(
    rb"\b(time_\w+|size_\w+|speed_\w+|http_code|num_connects)\"?\s*[=:]"
)
_PAIR = re.compile(r"\b([a-z_]{6,})\s*[=:]\s*(\S+)(?=(\s+\d)?)")
_MEASURED = ("time_", "size_", "speed_")
_NUMBERS = (*_MEASURED, "num_", "http_code", "response_code")
_JSON = "{json}"  # marks a transfer that is whole by itself
Transfer = dict[str, Any]


def recognise(head: bytes) -> bool:
    """Whether a file that begins so was written by ``curl --write-out``."""
    # Mostly it is not there, which rfind says in a third of the time of 'in'.
    if head.rfind(b"time_total") < 0 or _MARK.search(head) is None:
        return False
    first = _OF_CURL.search(head)
    return any(name[1] != first[1] for name in _OF_CURL.finditer(head) if first)


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row of all transfers that ended with a status below 400."""
    return read_log(raw, FORMAT, "curl", _parse)


def _parse(log: LogText) -> list[Result]:
    out = Result({"clients": 1, "position": 1})
    transfers = _transfers(log, out)
    whole = [transfer for transfer in transfers if "time_total" in transfer]
    if len(whole) < len(transfers):
        cut = remark("no_time_total", "its last transfer has no time_total")
        out.judge("truncated", cut, transfers[-1]["line"])
    good = []
    for transfer in whole:
        if _is_good(transfer):
            good.append(transfer)
        else:
            why = transfer.get("errormsg") or transfer.get("http_code")
            failed = remark("transfer_failed", f"transfer failed: {why}")
            out.note(failed, transfer["line"])
    errors = len(whole) - len(good)
    if log.lines[-1].strip() and not log.lines[-1].rstrip().endswith("}"):
        out.judge("degraded", remark("maybe_cut_off"), len(log.lines))
    if out.status != "truncated":
        words = "transfers failed or had a status of 400 or more"
        out.judge_errors(errors, len(whole), words)
    out.records = {"transfer": len(whole)}
    out.row["errors"] = errors
    if sum(transfer["time_total"] for transfer in good) > 0:
        _add_figures(out, good)
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
                several = remark("not_one_number", f"{name} is not one number")
                raise UnreadableError(several, line)
            last = transfers[-1] if transfers else {}
            if "line" not in last or _JSON in last or name in last:
                transfers.append({"line": line})
            if name.startswith(_NUMBERS):
                transfers[-1][name] = number(value.removesuffix("s"), line)
            else:
                transfers[-1][name] = value
    return [transfer for transfer in transfers if len(transfer) > 1]


def _object(text: str, line: int, out: Result) -> Transfer:
    try:
        transfer: Transfer = json.loads(text)
    except (ValueError, RecursionError):
        out.judge("truncated", remark("json_cut_off_damaged"), line)
        return {}
    for name, value in transfer.items():
        if name.startswith(_MEASURED) and real(value) is None:
            raise UnreadableError(remark("not_number", f"{name} is not a number"), line)
    return transfer | {"line": line, _JSON: True}


def _is_good(transfer: Transfer) -> bool:
    status = transfer.get("response_code", transfer.get("http_code", 200))
    known = isinstance(status, int | float) and 100 <= status < 400
    return known and not transfer.get("exitcode", 0)


def _add_figures(out: Result, good: list[Transfer]) -> None:
    times = sorted(transfer["time_total"] for transfer in good)
    moved = sum(t.get("size_download", 0) + t.get("size_upload", 0) for t in good)
    sizes = {transfer.get("size_download") for transfer in good}
    size = sizes.pop() if len(sizes) == 1 else None
    connects = {transfer.get("num_connects") for transfer in good}
    out.row |= serial(len(good), sum(times), moved) | {
        "shape": "RR" if connects == {0} else "CRR" if connects == {1} else None,
        "response_bytes": None if size is None else int(size),
        **percentiles(times),
    }
