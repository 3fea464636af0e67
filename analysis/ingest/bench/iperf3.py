"""iperf3's JSON (``-J`` and ``--json-stream``), of clients and servers.

Reported is what the receiver got. ``cpu_utilization_percent`` is the process's CPU
time by its wall time, 100 for one CPU, with omitted seconds (``iperf_util.c``); zeros
of the other side mean that it is unknown. A size is that of one
call to write. Errors end with status 0 and whole JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from email.utils import parsedate_to_datetime
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.clock import epoch_text
from analysis.ingest.logs.checks import (
    Amount,
    agree,
    contradiction,
    hold_intervals,
    hold_sides,
)
from analysis.ingest.logs.result import Result, failed_log, join_results, name_sides
from analysis.ingest.logs.text import decode, inner, real
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import LOST, Reading, Verdict

FORMAT = "iperf3"
TITLE = "iperf3 benchmark log (JSON)"
TESTED = "iperf 3.12"
TIMED = "the seconds of the receiver's sum, by iperf3's clock, without omitted ones"
INSTEAD_OF = ("iperf3_text",)
recognise = re.compile(
    rb'"version"\s*:\s*"iperf 3|"event"\s*:\s*"start"\s*,\s*"data"\s*:'
    rb'|\{\s*"start"\s*:\s*\{\s*("connected"|\}\s*,\s*"intervals")'
).search
_KERNEL = re.compile(r"Linux \S+ (\d\S*) ")
_NAN = re.compile(r":\s*-?nan\b")
_ERROR = re.compile(r"^iperf3: (error|interrupt) - .*$", re.M)
_WAYS = ("", "_bidir_reverse")
Json = dict[str, Any]


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row for each session: a stream (STR), without transactions.

    Of a bidirectional session ``bytes_per_second`` is the sum of both ways. A row of
    ``run_cpu`` is the process of each end, where its use of a CPU is known.
    """
    text = decode(raw.read_bytes())
    results = [
        _result(session, text.count("\n", 0, at) + 1)
        for at, session in _sessions(_NAN.sub(": null", text))
    ]
    if match := _ERROR.search(text):
        line, cause = text.count("\n", 0, match.start()) + 1, quote(match[0])
        if len(results) == 1:
            results[0].judge("failed", cause, line)
        else:
            results.append(failed_log(cause, line))
    name_sides(results)
    reading = join_results(FORMAT, "iperf3", results)
    if reading.status in LOST:  # CPU time of what did not count
        reading.tables.pop("run_cpu", None)
    return reading


def _sessions(text: str) -> Iterator[tuple[int, Json | None]]:
    """Offset and JSON of each session; null where the JSON is cut or damaged, with
    the offset of that place. Those of ``--json-stream`` are put together of events."""
    decoder = json.JSONDecoder()
    events: Json = {}
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            yield getattr(error, "pos", at), None
            return
        match value.get("event"):
            case None:
                yield at, value
            case "interval":
                events.setdefault("intervals", []).append(value.get("data"))
            case str() as name:
                events[name] = value.get("data")
        if value.get("event") == "end":
            yield at, events
            events = {}
        at = text.find("{", end)
    if events:
        yield 0, events


def _result(session: Json | None, line: int) -> Result:
    result = Result({"position": line})
    if session is None:
        result.judge("truncated", remark("json_cut_off_damaged"), line)
        return result
    start, end = inner(session, "start"), inner(session, "end")
    test = inner(start, "test_start")
    result.row |= {"shape": "STR", "clients": _whole(test, "num_streams")}
    result.row |= _sizes(test, _is_bidirectional(end, test))
    result.row["start_utc"] = _start(start, test)
    result.details = _details(start, end, test)
    for what in ("mean_rtt", "max_rtt"):
        trips = [_number(inner(s, "sender"), what) for s in _streams(end)]
        if known := [trip for trip in trips if trip]:
            result.figures[f"{what}_us"] = (
                max(known) if what == "max_rtt" else sum(known) / len(known)
            )
    if cookie := start.get("cookie"):
        result.identity = (str(cookie), result.row["start_utc"])
    if session.get("error"):
        text = str(session["error"])
        result.row["errors"] = 1
        cut = "interrupt" in text or "terminated" in text
        result.judge("truncated" if cut else "failed", quote(text), line)
    elif not end or not test:
        result.judge("truncated", remark("session_no_end"), line)
    else:
        _measured(result, session)
    return result


def _sizes(test: Json, both: bool) -> Json:
    """Bytes of a call to write, by the way that they go; none come back."""
    if not (size := _whole(test, "blksize")):
        return {}
    to_client = both or bool(test.get("reverse"))
    to_server = both or not to_client
    return {
        "request_bytes": size if to_server else 0,
        "response_bytes": size if to_client else 0,
    }


def _number(entries: Json, name: str) -> float | None:
    return real(entries.get(name))


def _whole(entries: Json, name: str) -> int | None:
    value = _number(entries, name)
    return int(value) if value is not None and value >= 0 else None


def _start(start: Json, test: Json) -> str | None:
    stamp = inner(start, "timestamp")
    seconds, exact = _number(stamp, "timesecs"), _number(stamp, "timemillisecs")
    if seconds is None:
        return None
    begun = exact / 1e3 if exact is not None and exact > seconds else seconds
    return epoch_text(begun + (_number(test, "omit") or 0))


def _measured(result: Result, session: Json) -> None:
    """Rate of all ways, by the receiver where its count is there."""
    start, end = inner(session, "start"), inner(session, "end")
    test, line = inner(start, "test_start"), result.line
    both = _is_bidirectional(end, test)
    ways = [_way(result, start, end, way) for way in _WAYS[: 2 if both else 1]]
    known = [way for way in ways if way is not None]
    if len(known) < len(ways):
        if result.status == "ok":
            none = remark("no_data_received", "no data was received")
            result.judge("failed", none, line)
        return
    if not _fits_streams(end, sum(size for size, _ in known)):
        odd = remark("streams_and_sum", "the streams do not add up to the sum")
        result.judge("failed", odd, line)
        return
    for verdict in (*_contradictions(session, both), *_of_start(start, both)):
        result.hold(verdict, line)
    seconds = max(time for _, time in known)
    rates = [size / time for size, time in known]
    result.row |= {"seconds": seconds, "bytes_per_second": sum(rates), "errors": 0}
    omitted = _number(test, "omit") or 0
    result.row["bytes_moved"] = sum(rate * omitted for rate in rates) + sum(
        size for size, _ in known
    )
    result.row |= _counts(end, _WAYS[: 2 if both else 1])
    result.tables["interval"] = [*_intervals(session, len(ways), line)]
    result.tables["run_cpu"] = [*_processes(start, end, seconds + omitted, line)]
    if both:
        result.details["bytes_per_second_each_way"] = rates
    asked = _number(test, "duration") or 0
    if seconds < 0.9 * asked:
        early = f"ended after {seconds:.3g} of {asked:g} s"
        result.judge("truncated", remark("ended_early", early), line)


def _way(
    result: Result, start: Json, end: Json, way: str
) -> tuple[float, float] | None:
    """Bytes and seconds of one direction; null, with the reason, if there are none."""
    got, sent = inner(end, f"sum_received{way}"), inner(end, f"sum_sent{way}")
    figures = got or _older_udp(end)
    if not _number(figures, "bytes") and "accepted_connection" in start:
        figures = sent
        result.note(remark("sender_count"), result.line)
    size, seconds = _number(figures, "bytes"), _number(figures, "seconds")
    if not size or not seconds or size < 0 or seconds <= 0:
        return None
    bits = _number(figures, "bits_per_second")
    if bits is not None and not agree(size * 8 / seconds, bits, 0.01):
        odd = "bytes, seconds and bits per second do not fit together"
        result.judge("failed", remark("bytes_seconds_bits", odd), result.line)
        return None
    return size, seconds


def _processes(
    start: Json, end: Json, seconds: float, line: int | None
) -> Iterator[dict[str, Any]]:
    """CPU time of the process at each end, over the test with its omitted seconds."""
    cpu = inner(end, "cpu_utilization_percent")
    sides = ["client", "server"]
    if "accepted_connection" in start:
        sides.reverse()
    for role, name in zip(sides, ("host_total", "remote_total"), strict=True):
        if (used := _number(cpu, name)) and used > 0:
            yield {
                "role": role,
                "cpu_type": "CP",
                "cpu_seconds": used / 100 * seconds,
                "coverage": 1.0,
                "method": "process",
                "scope": "process",
                "position": line,
            }


def _intervals(session: Json, ways: int, line: int | None) -> Iterator[Json]:
    """What each report says, of all ways together; those omitted, too."""
    reports = session.get("intervals")
    for report in reports if isinstance(reports, list) else []:
        sums = [inner(report, f"sum{way}") for way in _WAYS[:ways]]
        amounts = [_amount(each) for each in sums]
        if not all(seconds > 0 for seconds, _ in amounts):
            continue
        again = [_whole(each, "retransmits") for each in sums]
        yield {
            "start_s": _number(sums[0], "start"),
            "seconds": amounts[0][0],
            "bytes_per_second": sum(size / seconds for seconds, size in amounts),
            "retransmits": None if None in again else sum(filter(None, again)),
            "omitted": int(bool(sums[0].get("omitted"))),
            "position": line,
        }


def _counts(end: Json, ways: Sequence[str]) -> Json:
    """Segments sent again; of datagrams those lost and late, and the jitter of one
    way."""
    sums = [inner(end, f"sum{way}") for way in ways]
    counts = {
        "retransmits": [_whole(inner(end, f"sum_sent{w}"), "retransmits") for w in ways]
    }
    if all("packets" in each for each in sums):
        counts["datagrams"] = [_whole(each, "packets") for each in sums]
        counts["lost_datagrams"] = [_whole(each, "lost_packets") for each in sums]
        counts["late_datagrams"] = [
            _whole(inner(each, "udp"), "out_of_order") for each in _streams(end)
        ]
    row: Json = {
        name: sum(filter(None, each))
        for name, each in counts.items()
        if each and None not in each
    }
    jitter = _number(sums[0], "jitter_ms")
    if len(sums) == 1 and row.get("datagrams") and jitter is not None:
        row["jitter_us"] = jitter * 1e3
    return row


def _streams(end: Json) -> list[Json]:
    known = end.get("streams")
    known = known if isinstance(known, list) else []
    return [each for each in known if isinstance(each, dict)]


def _older_udp(end: Json) -> Json:
    """``sum`` of UDP before 3.7 counts what was sent: take off what was lost."""
    figures = inner(end, "sum")
    packets, lost = _number(figures, "packets"), _number(figures, "lost_packets")
    size = _number(figures, "bytes")
    if not packets or lost is None or size is None:
        return {}
    return {"bytes": size * (1 - lost / packets), "seconds": figures.get("seconds")}


def _fits_streams(end: Json, total: float) -> bool:
    """Whether TCP streams, of either side's count, add up to the sum of all ways."""
    counts = [
        max(_number(inner(each, side), "bytes") or 0 for side in ("sender", "receiver"))
        for each in _streams(end)
        if inner(each, "receiver")
    ]
    return not counts or agree(sum(counts), total, 0.1)


def _contradictions(session: Json, both: bool) -> Iterator[Verdict]:
    """What intervals say against the end, and its one side against the other.

    The intervals are of the side that wrote the log. Versions before 3.7 do not say
    which that is, nor is it known of both ways.
    """
    end, reports = inner(session, "end"), session.get("intervals")
    sums = {name: _amount(inner(end, name)) for name in end if "sum" in name}
    for way in _WAYS[: 2 if both else 1]:
        intervals = [
            figures
            for each in (reports if isinstance(reports, list) else [])
            if (figures := inner(each, f"sum{way}")) and not figures.get("omitted")
        ]
        sides = [] if both else [figures.get("sender") for figures in intervals]
        other = "sum_sent" if False in sides else ""
        other = "sum_received" if True in sides else other
        totals = [each for name, each in sums.items() if name != other and all(each)]
        yield hold_intervals([_amount(figures) for figures in intervals], totals)
        _, sent = sums.get(f"sum_sent{way}", (0.0, 0.0))
        _, received = sums.get(f"sum_received{way}", (0.0, 0.0))
        yield hold_sides(sent, received)


def _amount(figures: Json) -> Amount:
    """Seconds and bytes."""
    return real(figures.get("seconds")) or 0.0, real(figures.get("bytes")) or 0.0


def _of_start(start: Json, both: bool) -> Iterator[Verdict]:
    """What the head of a log says of the streams and of its time, against itself."""
    connections = start.get("connected")
    streams = _whole(inner(start, "test_start"), "num_streams")
    if isinstance(connections, list) and connections and streams:
        count = len(connections) / (2 if both else 1)
        held = contradiction("num_streams", streams, count, 0.0, source="its sockets")
        yield Verdict("degraded", held.cause)
    stamp = inner(start, "timestamp")
    seconds = _number(stamp, "timesecs")
    try:
        begun = parsedate_to_datetime(str(stamp.get("time"))).timestamp()
    except ValueError:
        return
    if seconds is not None and abs(begun - seconds) > 1:
        one, other = epoch_text(seconds), epoch_text(begun)
        odd = f"it began at {one} by one of its times, at {other} by another"
        yield Verdict("degraded", remark("times_contradict", odd))


def _details(start: Json, end: Json, test: Json) -> Json:
    cpu, udp = inner(end, "cpu_utilization_percent"), inner(end, "sum")
    direction = "server to client" if test.get("reverse") else "client to server"
    system = _KERNEL.match(str(start.get("system_info")))
    used = {
        name: round(value, 3)
        for name in ("host_total", "remote_total")
        if (value := _number(cpu, name))
    }
    return {
        "version": start.get("version"),
        "side": "server" if "accepted_connection" in start else "client",
        "protocol": test.get("protocol"),
        "direction": "both ways" if _is_bidirectional(end, test) else direction,
        "mss": _whole(start, "tcp_mss") or _whole(start, "tcp_mss_default") or None,
        "kernel": system[1] if system else None,
        "omitted_seconds": _number(test, "omit") or None,
        "retransmissions": _number(inner(end, "sum_sent"), "retransmits"),
        "lost_packets": _number(udp, "lost_packets"),
        "packets": _number(udp, "packets"),
        "jitter_ms": _number(udp, "jitter_ms"),
        "cpu_pct_of_one_cpu": used or None,
    }


def _is_bidirectional(end: Json, test: Json) -> bool:
    """Before 3.13 only the sums tell."""
    return bool(test.get("bidir")) or f"sum_received{_WAYS[1]}" in end
