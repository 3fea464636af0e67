"""netperf logs with a banner and columns: the classic form of all its tests.

netperf prints a banner when it starts and a header with the values when it ends. So
several instances that share a file print banners first and values later, in any
order. Without ``-P 1`` there is no banner, and the test cannot be told.

Sources: netperf 2.7's manual and ``netlib.c``. ``-f K``, ``M`` and ``G`` are binary,
``k``, ``m`` and ``g`` decimal bits. One instance is one connection; with ``-b n`` it
keeps n+1 transactions under way, which then count as clients. CPU utilisation and
service demand are those of the whole machine, so that each of several instances
claims all of it: they are evidence in ``details`` and never a cost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.checks import Amount, agree, hold_intervals
from analysis.ingest.logs.result import (
    Result,
    failed_log,
    join_results,
    shape_of,
)
from analysis.ingest.logs.text import BINARY_STEPS, KIB, not_a_number, text_lines
from analysis.ingest.printed import printed
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "netperf"
TITLE = "netperf benchmark log (banner and columns)"
TESTED = "netperf 2.7.0"
TIMED = "the elapsed time that netperf prints"
_BEGINS = ("test", "netperf")  # of a banner, or the command above rows without one
recognise = re.compile(
    rb"^(?:(?:MIGRATED )?[A-Z]{2,8}\b[^\n]{0,99} TEST (?:from|to) \S"
    rb"|establish control: are you sure|The test you requested \("
    rb"|recv_response: |Interim result: \d"
    rb"|(?:\d+ +){4}\d+\.\d\d +\d+[.,]\d\d[^\n]*\n\d+ +\d+ *\r?$"
    rb"|(?:\d+ +){3}\d+\.\d\d +\d+\.\d\d"
    rb"(?: +-?\d+\.\d\d){2}(?: +-?\d+\.\d{3}){2} *\r?$)",
    re.MULTILINE,
).search
_BANNER = re.compile(r"(?:MIGRATED )?[A-Z]{2,8}\b.* TEST (?:from|to) \S")
_WORD, _TEST = re.compile(r"[A-Z]{2}\b"), re.compile(r" TEST (?:from|to) \S")
_ERROR = re.compile(
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
_RECEIVED = re.compile(
    r"(\d+)\s+(\d+\.\d\d)\s+(\d+)\s+(\d+\.\d{1,2})"
    r"(?:\s+(-?\d+\.\d\d)\s+(-?\d+\.\d{3}))?\s*"
)
_MISSED = re.compile(r"!!! Confidence intervals: Throughput\s*: +(\S+)%")
_INTERIM = "Interim result: "
_INTERIM_FIGURES = re.compile(
    rf"{_INTERIM} *(\d+\.\d+) (\S+) over (\d+\.\d+) seconds ending at \S+"
)
_WORDS = re.compile(r"[A-Za-z]{3}")
_NUMBER = re.compile(r"\s*\d")
_EXTRA = ("Alignment", "Segment", "RoundTrip")  # -v 2: alignment, MSS, calls
_BURST = re.compile(r"first burst (\d+)")
_UNIT = re.compile(
    r"(?<!\S)(10\^[369]bits|[KMG]?Bytes)\s*+(?:/\s*+)?(?:s\b|sec\b|per sec)"
)
_BYTES = {f"10^{power}bits": 10.0**power / 8 for power in (3, 6, 9)}
_BYTES |= {f"{letter}Bytes": float(BINARY_STEPS[letter]) for letter in ("", *"KMG")}
_KINDS = (  # words of the banner, shape, test
    ("Connect/Request/Response", "CRR", "CRR"),
    ("Connect/Close", None, "CC"),
    ("REQUEST/RESPONSE", "RR", "RR"),
    ("OMNI Connect|Send|Recv", "CRR", "CRR"),
    ("OMNI Send|Recv", "RR", "RR"),
    ("OMNI Send", "STR", "STREAM"),
    ("OMNI Receive", "STR", "MAERTS"),
    ("MAERTS", "STR", "MAERTS"),
    ("SENDFILE", "STR", "SENDFILE"),
    ("STREAM", "STR", "STREAM"),
)


Interim = tuple[float, str, float]  # a rate, its unit, over how many seconds


@dataclass(frozen=True)
class Test:
    """What a banner tells of a test; ``repeats`` says that its rate is the mean of
    several iterations. Without a banner nothing is known."""

    name: str | None = None
    shape: str | None = None
    clients: int = 1
    repeats: bool = False

    @property
    def transacts(self) -> bool:
        """Whether it is known to count transactions."""
        return self.name is not None and self.name.endswith(("RR", "CC"))


def test_of(banner: str) -> Test:
    """The test that a line announces."""
    kind, shape = next(((t, s) for w, s, t in _KINDS if w in banner), (None, None))
    protocol = banner.removeprefix("MIGRATED ").split(" ", 1)[0]
    burst = _BURST.search(banner)
    name = f"{protocol}_{kind}" if kind else None
    clients = int(burst[1]) + 1 if burst else 1
    return Test(name, shape, clients, "% conf." in banner)


def bytes_per_second(value: float, unit: str) -> float | None:
    """A rate of ``-f`` in bytes/s; null where the unit is not one of bytes."""
    match = _UNIT.match(unit + " per sec" if "/" not in unit else unit)
    return value * _BYTES[match[1]] if match else None


def transaction_row(
    test: Test, rate: float, seconds: float | None, sizes: tuple[int, int] | None
) -> dict[str, Any]:
    """Row of an RR, CRR or CC test; ``sizes`` are request and response in bytes.

    The mean latency is that of Little's law, exact for a closed loop. With
    confidence runs the rate is a mean over an unknown number of transactions.
    """
    row: dict[str, Any] = {"shape": shape_of(test.shape, sizes), "errors": 0}
    row |= {"clients": test.clients, "rate": rate, "seconds": seconds}
    if rate > 0:
        row["latency_mean_us"] = test.clients * 1e6 / rate
    if seconds is not None and not test.repeats:
        row["transactions"] = round(rate * seconds)
    if sizes is not None and any(sizes):
        row["request_bytes"], row["response_bytes"] = sizes
        row["bytes_per_second"] = rate * sum(sizes)
    return row


def hold_cpu(
    result: Result, figures: Mapping[str, tuple[float, float]], units: float
) -> None:
    """Keep utilisation [%] and service demand of each role as evidence; say what is
    void.

    ``units`` are transactions or KiB a second. Service demand is
    utilisation × CPUs × 10^4 ÷ units, so the number of CPUs must come out whole. A log
    does not say how many there are: a rate that is wrong by a whole factor fits.
    """
    if not figures or next(iter(figures.values()))[0] < 0:
        return
    result.details |= {
        "cpu_utilisation_pct": [util for util, _ in figures.values()],
        "service_demand_us": [demand for _, demand in figures.values()],
        "cpu_scope": "whole machine; no cost where instances run together",
    }
    for role, (util, demand) in figures.items():
        if util > 100:
            void = f"CPU utilisation of {util:g}% is impossible; service demand is void"
            result.note(remark("cpu_impossible", void), result.line)
        elif util > 1 and demand > 0 and units > 0:
            cpus = demand * units / (util * 1e4)
            if agree(cpus, max(1, round(cpus)), 0.03):
                result.role_cpus[role] = round(cpus)
            else:
                odd = remark(
                    "service_demand", "service demand does not fit rate and CPU"
                )
                result.judge("degraded", odd, result.line)


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row for each instance of netperf in the file.

    ``bytes_per_second`` is what the receiver got; of RR and CRR it is the payload of
    both ways. ``details`` keeps utilisation and service demand as evidence.
    """
    lines, cut = text_lines(raw.read_bytes())
    log = _Log([line for line in lines if line.startswith(_INTERIM)])
    # Nearly all lines of a log with -D are interim results.
    others = [at for at, line in enumerate(lines) if not line.startswith(_INTERIM)]
    for nth, at in enumerate(others):
        log.interim = at - nth
        log.take(at + 1, lines[at], "".join(lines[at + 1 : at + 2]))
    return join_results(FORMAT, "netperf", log.end(), cut)


@dataclass
class _Log:
    """What has been seen of the file up to a line."""

    interims: list[str]  # of the whole file
    interim: int = 0
    banners: list[tuple[int, str]] = field(default_factory=list)
    with_banners: bool = False
    several: bool = False  # instances had begun before one of them ended
    header: list[str] = field(default_factory=list)
    missed: str = ""
    second: int = 0  # the line that may be the second one of values
    errors: list[tuple[int, str]] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)

    def take(self, at: int, line: str, after: str) -> None:
        """One line of the log, which is no interim result."""
        if _BANNER.match(line):
            self.banners.append((at, line))
            self.with_banners = True
            self.several |= len(self.banners) > 1
            self.header = []
        elif (word := _WORD.search(line)) and _TEST.search(line, word.end()):
            broken = "a log begins within a line: the one before was cut"
            self.errors.append((at, broken))
        elif _ERROR.match(line) and not _DEBUG.match(line):
            self.errors.append((at, " ".join(line.split())))
        elif match := _MISSED.match(line):
            self.missed = match[1]
        elif _WORDS.search(line) and not _NUMBER.match(line):
            self.header.append(line)
        elif line.strip() and any(x in name for name in self.header for x in _EXTRA):
            if "Segment" in self.header and self.results and line.strip().isdecimal():
                self.results[-1].details["mss"] = int(line)
            self.header = []  # it has one line of values
        elif line.strip():
            self.values(at, line, after)

    def values(self, at: int, line: str, after: str) -> None:
        """A line of values, read with the one behind it."""
        if at == self.second and (
            _SOCKETS.fullmatch(line) or _RECEIVED.fullmatch(line)
        ):
            return
        self.second = at + 1
        unit = _UNIT.search(" ".join(" ".join(self.header).split()))
        if match := _TRANSACTIONS.fullmatch(line):
            result = _transactions(self.test("RR"), match, unit, at)
            if not _SOCKETS.fullmatch(after):
                lacks = "the second line of the values is missing"
                result.judge("truncated", remark("second_line_missing", lacks), at)
        elif match := _SENT.fullmatch(line):
            result = _datagrams(self.test("STREAM"), match, after, unit, at)
        elif match := _STREAM.fullmatch(line):
            result = _stream(self.test("STREAM"), match, unit, at)
        else:
            self.test("")
            result = failed_log(not_a_number(line), at)
        if self.missed:
            wide = (
                f"the confidence interval is {self.missed}% wide, more than asked for"
            )
            result.judge("degraded", remark("confidence_missed", wide), at)
        if self.interim:
            earlier = sum(r.details.get("interim_results", 0) for r in self.results)
            result.details["interim_results"] = self.interim - earlier
            if not (self.several or "repeats" in result.details):
                lines = self.interims[earlier : self.interim]
                hold_interims(result, interims_of(lines))
        if self.several:
            result.identity = at
        self.results.append(result)
        self.header, self.missed = [], ""

    def test(self, kind: str) -> Test:
        """The test that some values belong to: the first banner that can."""
        for index, (_, banner) in enumerate(self.banners):
            test = test_of(banner)
            if not kind or test.transacts == (kind == "RR"):
                del self.banners[index]
                return test
        return Test()

    def end(self) -> list[Result]:
        """All results, and why there is none of a banner."""
        results, errors = self.results, self.errors
        if results and self.with_banners and not self.banners:
            # Tests that all have their values were warned of something.
            for at, text in [each for each in errors if each[1].startswith(_OF_TEST)]:
                later = [result for result in results if (result.line or 0) > at]
                (later or results[-1:])[0].judge("degraded", quote(text), at)
            errors = [each for each in errors if not each[1].startswith(_OF_TEST)]
        for at, banner in self.banners:
            why = errors[0][1] if errors else "netperf or its server stopped"
            none = f"no result after the banner: {why}"
            result = failed_log(remark("no_result_after_banner", none), at)
            result.row["shape"] = test_of(banner).shape
            results.append(result)
        if not any(result.status == "failed" for result in results):
            results += [failed_log(quote(text), at) for at, text in errors[:1]]
        if self.interims and not results:
            only = remark("only_interim_results", "only interim results")
            results.append(failed_log(only))
        return results


def interims_of(lines: Sequence[str]) -> list[Interim]:
    """What the interim results among the lines say."""
    matches = filter(None, map(_INTERIM_FIGURES.match, lines))
    return [(float(match[1]), match[2], float(match[3])) for match in matches]


def hold_interims(result: Result, interims: Sequence[Interim]) -> None:
    """Keep the interim results, and hold them against the result. The last one may be
    missing."""
    amounts: list[Amount] = []
    rows: list[dict[str, Any]] = []
    start = 0.0
    for rate, unit, seconds in interims:
        moved = bytes_per_second(rate, unit)
        amounts.append((seconds, (moved or rate) * seconds))
        figures = {"rate": rate if moved is None else None, "bytes_per_second": moved}
        rows.append({"start_s": start, "seconds": seconds, **figures, "omitted": 0})
        start += seconds
    result.tables["interval"] = [row | {"position": result.line} for row in rows]
    row, sent = result.row, result.details.get("sender_bytes_per_second")
    rates = [row.get("rate") or row.get("bytes_per_second"), sent]
    seconds = row.get("seconds") or 0.0
    totals = [(seconds, rate * seconds) for rate in rates if rate]
    verdict = hold_intervals(amounts, totals)
    if verdict.status == "failed":
        result.hold(verdict, result.line)


def _hold_columns(result: Result, cells: Sequence[str | None], units: float) -> None:
    """The columns of CPU, where they are there: two utilisations, two demands."""
    values = [float(cell) for cell in cells if cell is not None]
    sides = zip(("client", "server"), values[:2], values[2:], strict=False)
    hold_cpu(result, {role: (util, demand) for role, util, demand in sides}, units)


def _transactions(
    test: Test, match: re.Match[str], unit: re.Match[str] | None, line: int
) -> Result:
    """The result of a request/response test."""
    rate, seconds = printed(match[6]), float(match[5])
    sizes = (int(match[3]), int(match[4]))
    moved = None if str(test.name).endswith("CC") else sizes
    row = transaction_row(test, rate, seconds, moved) | {"position": line}
    result = Result(row, details={"test": test.name, "brand": match[11]})
    if unit:
        bits = "the rate is in bits or bytes; run without -f"
        result.judge("failed", remark("rate_in_bits", bits), line)
    elif not rate:
        result.judge("failed", remark("no_transaction"), line)
    elif test.name is None:
        unknown = "no banner (-P 0): it may be of TCP_RR, TCP_CRR, TCP_CC or UDP_RR"
        result.details["ambiguous"] = unknown
        row["bytes_per_second"] = None  # TCP_CC moves none
    if test.repeats:
        result.details["repeats"] = "mean of several iterations"
    _hold_columns(result, match.groups()[6:10], 0 if test.repeats else rate)
    return result


def _stream(
    test: Test, match: re.Match[str], unit: re.Match[str] | None, line: int
) -> Result:
    """The result of a stream test."""
    value = bytes_per_second(printed(match[5]), unit[0]) if unit else None
    row = {"shape": "STR", "clients": 1, "errors": 0, "position": line}
    row |= {"seconds": float(match[4]), "bytes_per_second": value}
    result = Result(row, details={"test": test.name, "brand": match[10]})
    result.details["message_bytes"] = int(match[3])
    if value is None:
        lacks = (
            "no header (-P 0): the unit of the throughput is unknown; run with -P 1 or "
            "with -k"
        )
        result.judge("failed", remark("no_header", lacks), line)
    elif value == 0:
        result.judge("failed", remark("no_data_moved"), line)
    else:
        units = 0 if test.repeats else value / KIB
        _hold_columns(result, match.groups()[5:9], units)
    return result


def _datagrams(
    test: Test,
    match: re.Match[str],
    after: str,
    unit: re.Match[str] | None,
    line: int,
) -> Result:
    """The result of a datagram test, of a line of each side."""
    received = _RECEIVED.fullmatch(after)
    row = {"shape": "STR", "clients": 1, "position": line}
    result = Result(row, details={"test": test.name, "brand": match[9]})
    if received is None or unit is None:
        missing = "the receiver's line" if received is None else "the header"
        result.judge("truncated", remark("missing_value", name=missing), line)
        return result
    sent, got = int(match[4]), int(received[3])
    row |= {"seconds": float(match[3]), "errors": int(match[5])}
    row["bytes_per_second"] = bytes_per_second(printed(received[4]), unit[0])
    result.details |= {
        "message_bytes": int(match[2]),
        "sender_bytes_per_second": bytes_per_second(float(match[6]), unit[0]),
        "lost_messages": sent - got,
    }
    if got <= sent:
        row |= {"datagrams": sent, "lost_datagrams": sent - got}
    if got == 0 or not row["bytes_per_second"]:
        nothing = remark("receiver_got_nothing", "the receiver got nothing")
        result.judge("failed", nothing, line)
    if got > sent:
        result.compare("what arrived", got, sent, 0.001, 0.0, "what was sent")
    return result
