"""netperf logs with a banner and columns: the classic form of all its tests.

netperf prints a banner when it starts and a header with the values when it ends. So
several instances that share a file print banners first and values later, in any
order. Without ``-P 1`` there is no banner, and the test cannot be told.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.bench.netperf_figures import banner_facts, bytes_per_second
from analysis.ingest.bench.netperf_values import (
    RECEIVED,
    datagram_result,
    stream_result,
    transaction_result,
)
from analysis.ingest.logs.checks import Amount, hold_intervals
from analysis.ingest.logs.result import Result, failed_log, join_results
from analysis.ingest.logs.text import not_a_number, text_lines
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "netperf"
TITLE = "netperf benchmark log (banner and columns)"
TESTED = "netperf 2.7.0"
TIMED = "the elapsed time that netperf prints"
_BEGINS = ("test", "netperf")  # of a banner, or the command above rows without one
SIGNS = (*_BEGINS, "establish control", "recv", "interim result", *string.digits)
BANNER = re.compile(r"(?:MIGRATED )?[A-Z]{2,8}\b.* TEST (?:from|to) \S")
_WORD, _TEST = re.compile(r"[A-Z]{2}\b"), re.compile(r" TEST (?:from|to) \S")
ERROR = re.compile(
    r"establish control: are you sure|establish_control could not|recv_response"
    r"|The test you requested \(|netperf: |remote error \d|send_request|catcher: "
    r"|\w+: data (?:send|recv) error|shutdown_control|Remote end"
)
# With -d it says what it does; what it ends for comes instead of the values.
_DEBUG = re.compile(r"netperf: \w+: .*(?:determined to be|requested\.|requesting )")
_OF_TEST = "netperf: "  # begins what it says once the test's banner is printed
_CPU = r"(?:\s+(-?\d+\.\d\d)\s+(-?\d+\.\d\d)\s+(-?\d+\.\d{3})\s+(-?\d+\.\d{3}))?"
_BRAND = r"(?:\s+([^\s\d]\S*))?\s*"
_SOCKETS = re.compile(r"(\d+)\s+(\d+)\s*")
_TRANSACTIONS = re.compile(
    r"(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+\.\d\d)\s+(\d+\.\d\d)" + _CPU + _BRAND
)
_STREAM = re.compile(
    r"\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+\.\d\d)\s+(\d+\.\d\d)" + _CPU + _BRAND
)
_SENT = re.compile(
    r"(\d+)\s+(\d+)\s+(\d+\.\d\d)\s+(\d+)\s+(\d+)\s+(\d+\.\d{1,2})"
    r"(?:\s+(-?\d+\.\d\d)\s+(-?\d+\.\d{3}))?" + _BRAND
)
_MARKS = re.compile(
    rb"^(?:(?:MIGRATED )?[A-Z]{2,8}\b[^\n]{0,99} TEST (?:from|to) \S"
    rb"|establish control: are you sure|The test you requested \("
    rb"|recv_response: |Interim result: \d"
    rb"|(?:\d+ +){4}\d+\.\d\d +\d+[.,]\d\d[^\n]*\n\d+ +\d+ *\r?$"
    rb"|(?:\d+ +){3}\d+\.\d\d +\d+\.\d\d"
    rb"(?: +-?\d+\.\d\d){2}(?: +-?\d+\.\d{3}){2} *\r?$)",
    re.MULTILINE,
)
_MISSED = re.compile(r"!!! Confidence intervals: Throughput\s*: +(\S+)%")
_INTERIM = "Interim result: "
_INTERIM_FIGURES = re.compile(
    rf"{_INTERIM} *(\d+\.\d+) (\S+) over (\d+\.\d+) seconds ending at \S+"
)
_WORDS = re.compile(r"[A-Za-z]{3}")
_NUMBER = re.compile(r"\s*\d")


@dataclass
class _State:
    """What has been seen of the file up to a line."""

    banners: list[tuple[int, str]] = field(default_factory=list)
    with_banners: bool = False
    several: bool = False  # instances had begun before one of them ended
    header: list[str] = field(default_factory=list)
    missed: str = ""
    interims: list[str] = field(default_factory=list)  # of the whole file
    interim: int = 0
    second: int = 0  # the line that may be the second one of values
    errors: list[tuple[int, str]] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of netperf."""
    return _MARKS.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row for each instance of netperf in the file.

    ``bytes_per_second`` is what the receiver got; of RR and CRR it is the payload of
    both ways. ``details`` keeps utilisation and service demand as evidence.
    """
    lines, cut = text_lines(raw.read_bytes())
    state = _State()
    state.interims = [line for line in lines if line.startswith(_INTERIM)]
    # Nearly all lines of a log with -D are interim results.
    others = [at for at, line in enumerate(lines) if not line.startswith(_INTERIM)]
    for nth, at in enumerate(others):
        state.interim = at - nth
        _take(state, at + 1, lines[at], lines[at + 1 : at + 2])
    state.interim = len(state.interims)
    if state.results and state.with_banners and not state.banners:
        _warn(state)
    for at, banner in state.banners:
        said = state.errors[0][1] if state.errors else "netperf or its server stopped"
        result = failed_log(
            remark("no_result_after_banner", f"no result after the banner: {said}"),
            at,
        )
        result.row |= {"shape": banner_facts(banner)["shape"]}
        state.results.append(result)
    if not any(result.status == "failed" for result in state.results):
        state.results += [failed_log(quote(s), at) for at, s in state.errors[:1]]
    if state.interim and not state.results:
        state.results.append(
            failed_log(remark("only_interim_results", "only interim results"))
        )
    return join_results(FORMAT, "netperf", state.results, cut)


def _warn(state: _State) -> None:
    """Take what was said of tests that all have their values for warnings."""
    warnings = [said for said in state.errors if said[1].startswith(_OF_TEST)]
    state.errors = [said for said in state.errors if said not in warnings]
    for at, said in warnings:
        later = [r for r in state.results if r.row["position"] > at]
        (later or state.results[-1:])[0].judge("degraded", quote(said), at)


def _take(state: _State, at: int, line: str, following: Sequence[str]) -> None:
    """One line of the log."""
    if BANNER.match(line):
        state.banners.append((at, line))
        state.with_banners = True
        state.several |= len(state.banners) > 1
        state.header = []
    elif _holds_banner(line):
        state.errors.append((at, "a log begins within a line: the one before was cut"))
    elif ERROR.match(line) and not _DEBUG.match(line):
        state.errors.append((at, " ".join(line.split())))
    elif found := _MISSED.match(line):
        state.missed = found[1]
    elif _WORDS.search(line) and not _NUMBER.match(line):
        state.header.append(line)
    elif line.strip() and _is_extra(state):
        if "Segment" in state.header and state.results and line.strip().isdecimal():
            state.results[-1].details["mss"] = int(line)
        state.header = []  # it has one line of values
    elif line.strip():
        _values(state, at, line, following)


def _holds_banner(line: str) -> bool:
    """Whether a banner begins within the line."""
    word = _WORD.search(line)
    return word is not None and _TEST.search(line, word.end()) is not None


def _is_extra(state: _State) -> bool:
    """Lines that ``-v 2`` adds behind the values: alignment, calls, MSS."""
    return any(
        word in line
        for line in state.header
        for word in ("Alignment", "Segment", "RoundTrip")
    )


def _values(state: _State, at: int, line: str, following: Sequence[str]) -> None:
    after = following[0] if following else ""
    header = " ".join(" ".join(state.header).split())
    if at == state.second and (_SOCKETS.fullmatch(line) or RECEIVED.fullmatch(line)):
        return  # read with the first line of values
    state.second = at + 1
    if found := _TRANSACTIONS.fullmatch(line):
        result = transaction_result(_banner(state, "RR"), found, header, at)
        if not _SOCKETS.fullmatch(after):
            result.judge(
                "truncated",
                remark(
                    "second_line_missing", "the second line of the values is missing"
                ),
                at,
            )
    elif found := _SENT.fullmatch(line):
        result = datagram_result(_banner(state, "STREAM"), found, after, header, at)
    elif found := _STREAM.fullmatch(line):
        result = stream_result(_banner(state, "STREAM"), found, header, at)
    else:
        _banner(state, "")
        result = failed_log(not_a_number(line), at)
    if state.missed:
        width = remark(
            "confidence_missed",
            f"the confidence interval is {state.missed}% wide, more than asked for",
        )
        result.judge("degraded", width, at)
    if state.interim:
        earlier = sum(r.details.get("interim_results", 0) for r in state.results)
        result.details["interim_results"] = state.interim - earlier
        if not (state.several or "repeats" in result.details):
            _hold(result, state.interims[earlier : state.interim], at)
    if state.several:
        result.identity = at
    state.results.append(result)
    state.header, state.missed = [], ""


def _hold(result: Result, interims: Sequence[str], at: int) -> None:
    """Hold the interim results against the result. The last one may be missing."""
    amounts: list[Amount] = []
    for found in filter(None, map(_INTERIM_FIGURES.match, interims)):
        rate, seconds = float(found[1]), float(found[3])
        amounts.append((seconds, (bytes_per_second(rate, found[2]) or rate) * seconds))
    row, sent = result.row, result.details.get("sender_bytes_per_second")
    rates = [row.get("rate") or row.get("bytes_per_second"), sent]
    seconds = row.get("seconds") or 0.0
    totals = [(seconds, rate * seconds) for rate in rates if rate]
    verdict = hold_intervals(amounts, totals)
    if verdict.status == "failed":
        result.hold(verdict, at)


def _banner(state: _State, kind: str) -> dict[str, Any]:
    """Facts of the banner that belongs to some values: the first that can."""
    for index, (_, banner) in enumerate(state.banners):
        facts = banner_facts(banner)
        is_transaction = facts["test"] is not None and facts["test"].endswith(
            ("RR", "CC")
        )
        if not kind or is_transaction == (kind == "RR"):
            del state.banners[index]
            return facts
    return {"test": None, "shape": None, "burst": 0, "repeats": False}
