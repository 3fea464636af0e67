"""sockperf logs: ping-pong, under-load and throughput; also its ``--full-log``.

Ping-pong and under-load print the one-way latency, half the round trip, unless
``--full-rtt`` was given; here it is always the round trip. The valid duration, without
warm-up, counts. ``MBps`` is 2**20 bytes and ``Mbps`` eight of those. The program ends
with status 0 after a refused connection, a wrong option and no messages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.checks import agree
from analysis.ingest.logs.result import Result, failed_log, join_results
from analysis.ingest.logs.text import MIB, PERCENTILES, not_a_number, text_lines
from analysis.ingest.printed import printed
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "sockperf"
TITLE = "sockperf benchmark log"
TESTED = "sockperf 3.7"
TIMED = (
    "the valid duration, without warm-up, or the time of sending of a throughput, "
    "by sockperf's clock"
)
recognise = re.compile(
    rb"^sockperf: |^Usage: sockperf |^packet, txTime\(sec\), rxTime\(sec\)",
    re.MULTILINE,
).search
_N = r"(\d+\.\d{3})"
_TOTAL = re.compile(
    rf"\[Total Run\] RunTime={_N} sec;.* SentMessages=(\d+); ReceivedMessages=(\d+)$"
)
_VALID = re.compile(
    rf"\[Valid Duration\] RunTime={_N} sec; SentMessages=(\d+); ReceivedMessages=(\d+)$"
)
# From 3.8 on more measures of spread follow the standard deviation.
_MEAN = re.compile(rf"====> avg-(latency|rtt|lat)=\s*{_N} \(std-dev=\s*{_N}[,)]")
_SHARE = re.compile(rf"---> percentile (\d+\.\d+) =\s*{_N}$")
_PERCENTILE = "---> percentile"
_LONGEST = re.compile(rf"---> <MAX> observation =\s*{_N}$")
_DATAGRAMS = " # UDP"
_LOST = re.compile(
    r"# dropped messages = (\d+); # duplicated messages = (\d+); "
    r"# out-of-order messages = (\d+)$"
)
_RATE = re.compile(r"Summary: Message Rate is (\d+) \[msg/sec\]$")
_BAND = re.compile(rf"Summary: BandWidth is {_N} MBps \({_N} Mbps\)$")
_SENT = re.compile(rf"Total of (\d+) messages sent in {_N} sec$")
_ERROR = re.compile(r"sockperf: (ERROR: .*|No messages were .*)|Usage: sockperf")
_BEGIN, _END = re.compile("== version #"), re.compile(r"\[Total Run\]|Total of \d+ m")
_LAST = "---> <MIN> observation ="
_SERVER = "[SERVER] listen on"


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row: RR for ping-pong, STR for throughput.

    Latencies are round trips. Under-load sends at a set pace, whether answers come or
    not: it has no number of clients, and ``rate`` is that of the answers.
    """
    lines, cut = text_lines(raw.read_bytes())
    if any(_SERVER in line for line in lines):
        return join_results(FORMAT, "sockperf", [])
    return join_results(FORMAT, "sockperf", [_log(lines)], cut)


def _log(lines: Sequence[str]) -> Result:
    logs = max(_places(lines, _BEGIN), _places(lines, _END), key=len)
    if len(logs) > 1:
        several = f"{len(logs)} logs in one file; put each in its own"
        return failed_log(remark("counted_logs", several), logs[1])
    for at, line in enumerate(lines, 1):
        if match := _ERROR.search(line):
            usage = remark("usage_printed", "it printed its usage")
            return failed_log(quote(match[1]) if match[1] else usage, at)
    if _find(lines, _RATE) or _find(lines, _SENT):
        return _throughput(lines)
    return _latency(lines)


def _places(lines: Sequence[str], pattern: re.Pattern[str]) -> list[int]:
    return [at for at, line in enumerate(lines, 1) if pattern.search(line)]


def _find(lines: Sequence[str], pattern: re.Pattern[str]) -> re.Match[str] | None:
    return next(filter(None, map(pattern.search, lines)), None)


def _latency(lines: Sequence[str]) -> Result:
    total, valid = _find(lines, _TOTAL), _find(lines, _VALID)
    mean, lost = _find(lines, _MEAN), _find(lines, _LOST)
    result = Result({"shape": "RR", "position": 1})
    ended = any(_LAST in line for line in lines)
    if not (total and valid and mean and lost and ended):
        missing = "the statistics are not there, or not whole"
        result.judge("truncated", remark("statistics_missing", missing))
        return result
    for at, line in enumerate(lines, 1):
        if _PERCENTILE in line and not _SHARE.search(line):
            return failed_log(not_a_number(line), at)
    factor = 1 if mean[1] == "rtt" else 2
    seconds, sent, answers = printed(valid[1]), int(valid[2]), int(valid[3])
    shares = {match[1]: match[2] for match in map(_SHARE.search, lines) if match}
    result.row |= {
        "seconds": seconds,
        "transactions": int(total[3]),
        "rate": answers / seconds if seconds else None,
        "latency_mean_us": printed(mean[2]) * factor,
        "latency_deviation_us": printed(mean[3]) * factor,
        "errors": int(lost[1]),
        "position": _places(lines, _MEAN)[0],
    }
    for name, share in PERCENTILES.items():
        value = shares.get(f"{share:.3f}")
        result.row[f"latency_p{name}_us"] = printed(value) * factor if value else None
    if longest := _find(lines, _LONGEST):
        result.row["latency_max_us"] = printed(longest[1]) * factor
    if any(line.endswith(_DATAGRAMS) for line in lines):
        result.row |= {"datagrams": int(total[2]), "lost_datagrams": int(lost[1])}
        result.row["late_datagrams"] = int(lost[3])
    result.details = {
        "round_trip": "printed one way, doubled here"
        if factor > 1
        else "printed as such",
        "printed_mean_us": float(mean[2]),
        "printed_deviation_us": float(mean[3]),
        "sent_messages": int(total[2]),
        "duplicated_messages": int(lost[2]),
        "out_of_order_messages": int(lost[3]),
    }
    _judge(result, sent, answers)
    return result


def _judge(result: Result, sent: int, answers: int) -> None:
    """Ping-pong has one client that waits; then Little's law must hold."""
    row, line = result.row, result.line
    if answers and not row["seconds"]:
        few = (
            f"messages answered: {answers}, in less than 0.001 s, too few for a rate; "
            "run it longer"
        )
        result.judge("failed", remark("too_few_answers", few), line)
        return
    if not row["rate"] or not row["latency_mean_us"]:
        none = remark("no_message_answered", "no message was answered")
        result.judge("failed", none, line)
        return
    if row["errors"]:
        dropped = f"{row['errors']} messages were dropped"
        result.judge("degraded", remark("messages_dropped", dropped), line)
    little = row["rate"] * row["latency_mean_us"] / 1e6
    if sent > 1.01 * answers + 1:
        result.details["mode"] = "under load: sent at a set pace"
    elif little > 1.1:
        more = f"rate × round trip is {little:.3g}, more than one client can do"
        result.judge("failed", remark("little_above_1", more), line)
    elif little > 0.9:
        row["clients"] = 1
    else:
        result.details["mode"] = "with pauses between messages"


def _throughput(lines: Sequence[str]) -> Result:
    rate, band, sent = _find(lines, _RATE), _find(lines, _BAND), _find(lines, _SENT)
    result = Result({"shape": "STR", "clients": 1, "errors": 0, "position": 1})
    if not (rate and band and sent):
        result.judge("truncated", remark("summary_missing"))
        return result
    count, seconds, size = int(sent[1]), float(sent[2]), printed(band[1]) * MIB
    result.row |= {"seconds": seconds, "bytes_per_second": size}
    result.row["position"] = _places(lines, _BAND)[0]
    result.details = {
        "sent_messages": count,
        "messages_per_second": int(rate[1]),
        "side": "sender; what arrived is not in the log",
    }
    whole = agree(float(band[1]) * 8, float(band[2]), 0.001)
    counted = count / seconds if seconds else 0.0
    if not size or not whole or not agree(counted, int(rate[1]), 0.01):
        result.judge("failed", remark("messages_seconds_bandwidth"), result.line)
    return result
