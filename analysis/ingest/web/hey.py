"""hey logs: one ``benchmark`` row, from the summary or from ``-o csv``.

It keeps the first 1,000,000 responses: their status and percentiles are printed, and
the sums of all responses are divided by their number. Latencies are seconds with four
decimals: on a fast link they are rounded to nothing, and null. The printed
``Requests/sec`` counts requests that were refused (``report.go``, ``print.go``).
"""

from __future__ import annotations

import re
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import (
    Found,
    LogText,
    UnreadableError,
    number,
    quoted,
)
from analysis.ingest.printed import Resolved
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "hey"
TITLE = "hey HTTP benchmark log"
TESTED = "hey 0.1.4"
TIMED = (
    "the total time that hey prints; of its CSV, from the first request to the last "
    "response"
)
SIGNS = ("slowest", "dialup")
_CSV = "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read"
_MARK = re.compile(rb"^Summary:\s+Total:\s+\S+ secs\s+Slowest:", re.MULTILINE)
_STEP = 0.0001
_KEPT = 1_000_000  # maxRes of report.go


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of hey."""
    return _MARK.search(head) is not None or head.startswith(_CSV.encode())


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row. hey does not print its number of clients."""
    return read_log(raw, FORMAT, "hey", _parse)


def _parse(log: LogText) -> list[Result]:
    if log.lines[0].startswith(_CSV):
        return _parse_csv(log)
    out = Result()
    if len(list(log.each(rf"^Summary:|^{re.escape(_CSV)}"))) > 1:
        out.judge("failed", remark("several_logs"))
    total = log.first(r"^\s+Total:\s+(\S+) secs")
    rate = log.first(r"^\s+Requests/sec:\s+(\S+)")
    if not (total and rate and log.first(r"^Status code distribution:")):
        out.judge(
            "truncated",
            remark("ends_before_status_codes", "ends before its table of status codes"),
        )
        out.row = {"position": 1}
        return [out]
    good, bad = _responses(log, out)
    all_good = _beyond(out, total, rate, good, bad)
    out.row = _row(log, out, total, rate, all_good, bad)
    if all_good > good:
        _spread(out.row, good / all_good)
    return [out]


def _beyond(out: Result, total: Found, rate: Found, good: int, bad: int) -> int:
    """Good responses with those that hey only counted in its rate: of the kept ones
    all must be good, for nothing is known of the others."""
    answered = round(total.number() * rate.number())
    if good != _KEPT or answered <= good + bad:
        return good
    out.judge(
        "degraded",
        remark(
            "first_responses",
            f"status codes and percentiles are those of the first {_KEPT:,} "
            f"responses of {answered - bad:,}, which is all that hey keeps",
        ),
    )
    return answered - bad


def _spread(row: dict[str, Any], share: float) -> None:
    """Figures that hey divides by the number of kept responses, of all of them."""
    if row.get("latency_mean_us"):
        row["latency_mean_us"] *= share
    row["response_bytes"] = None


def _responses(log: LogText, out: Result) -> tuple[int, int]:
    """Responses with status 2xx or 3xx, and everything else."""
    good = bad = 0
    for status in log.each(r"^\s+\[(\d{3})\]\s+(\S+) responses"):
        if status[0][0] in "23":
            good += status.count(1)
        else:
            bad += status.count(1)
    errors = list(log.each(r"^\s+\[(\d+)\]\s+(?!\d+ responses)(\S.*)"))
    for error in errors:
        told = remark("error_times", f"{error[0]} times: {error[1]}")
        out.note(told, error.line)
    bad += sum(e.count() for e in errors)
    words = "requests failed or had a status other than 2xx or 3xx"
    if errors:
        words = f"requests failed, such as: {errors[0][1]}"
    out.judge_errors(bad, good + bad, words)
    out.records = {"request": good + bad}
    return good, bad


def _row(
    log: LogText, out: Result, total: Found, rate: Found, good: int, bad: int
) -> dict[str, Any]:
    seconds = total.number()
    if seconds < _STEP / 0.01:
        out.judge("degraded", remark("short_for_hey", seconds=seconds))
    else:
        out.compare("Requests/sec", rate.number(), (good + bad) / seconds, 0.01)
    size = log.first(r"^\s+Total data:\s+(\S+) bytes")
    each = log.first(r"^\s+Size/request:\s+(\S+) bytes")
    row = {
        "seconds": seconds,
        "transactions": good,
        "rate": rate.number() * good / (good + bad) if good else None,
        "bytes_per_second": size.number() / seconds if size and seconds else None,
        "errors": bad,
        "response_bytes": each.count() if each and not bad else None,
        "position": total.line,
    }
    return row | (_latencies(log) if good else {})  # of none they are NaN


def _latencies(log: LogText) -> dict[str, float | None]:
    found = {"latency_mean_us": log.first(r"^\s+Average:\s+(\S+) secs")}
    for share in ("50", "90", "99"):
        found[f"latency_p{share}_us"] = log.first(rf"^\s+{share}% in (\S+) secs")
    return {name: f.number() * 1e6 or None for name, f in found.items() if f}


def _parse_csv(log: LogText) -> list[Result]:
    out = Result()
    body = [(n, text.split(",")) for n, text in enumerate(log.lines, 1) if text][1:]
    rows = []
    for line, cells in body:
        if len(cells) > 8:
            told = remark("decimal_comma_in_csv", text=quoted(",".join(cells)))
            raise UnreadableError(told, line)
        if len(cells) < 8:
            out.judge(
                "truncated",
                remark("line_columns", f"line {line} has {len(cells)} of 8 columns"),
            )
            break
        rows.append([number(cell, line) for cell in cells])
    if log.lines[-1]:
        out.judge("truncated", remark("its_last_line_cut_off"))
    good = [row for row in rows if 200 <= row[6] < 400]
    bad = len(rows) - len(good)
    out.judge_errors(bad, len(rows), "requests had a status other than 2xx or 3xx")
    out.records = {"request": len(rows)}
    if len(rows) == _KEPT:
        out.judge(
            "degraded",
            remark(
                "hey_keeps_first",
                f"hey keeps the first {_KEPT:,} responses, and no other",
            ),
        )
    row = _csv_row(good, bad) if good else {"errors": bad}
    if row.get("seconds", 1) < _STEP / 0.01:
        out.judge("degraded", remark("short_for_hey", seconds=row["seconds"]))
    out.row = {"position": 2} | row
    return [out]


def _csv_row(good: list[list[float]], bad: int) -> dict[str, Any]:
    seconds = max(row[7] + row[0] for row in good) - min(row[7] for row in good)
    times = sorted(float(row[0]) for row in good)
    if seconds <= 0:
        raise UnreadableError(remark("no_time", "the requests took no time"), 2)
    ranks = {n: min(len(times) - 1, len(times) * n // 100) for n in (50, 90, 99)}
    return {
        "seconds": seconds,
        "transactions": len(good),
        "rate": len(good) / seconds,
        "errors": bad,
        "latency_mean_us": sum(times) / len(times) * 1e6 or None,
    } | {f"latency_p{n}_us": _time(times[rank]) for n, rank in ranks.items()}


def _time(seconds: float) -> float | None:
    """One time of a response [µs], which is printed with four decimals."""
    return Resolved(seconds, _STEP) * 1e6 or None
