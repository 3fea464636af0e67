"""sar and mpstat as text: CPU intervals of one Linux system.

Columns are found by the names in their header, which comes again after a pause, a
restart, or each interval. A time stamp is the local end of its interval, that of the
header its start. Percentages have two decimals behind a point or, in some locales, a
comma. Lines of means (``Average:``, in any language) have no time: the intervals before
them are held against them.
Layout: ``pr_stats.c`` and ``common.c`` of sysstat.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.clock import NO_ZONE
from analysis.ingest.linux.cpu import (
    cpu_row,
    is_one_report,
    is_sound,
    judge_steps,
    local_times,
    read_clock,
    read_date,
    utc_of,
)
from analysis.ingest.logs.text import decode
from analysis.ingest.printed import printed
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Circumstances, Problem, Reading
from analysis.ingest.tables.catalog import frame

FORMAT = "sar_text"
TITLE = "sar or mpstat text (CPU utilisation)"
TESTED = "sysstat 12.6.1"
SIGNS = ("linux cpu idle",)
_HOST = re.compile(r"Linux (\S+) \((\S+)\)\s+(\S+)\s+_(\w+)_\s+\((\d+) CPU\)")
_MARK = re.compile(
    rb"^Linux \S+ \(\S+\)\s+\S+\s+_\w+_\s+\(\d+ CPU\)\s*$(?s:.*)"
    rb"^\S+( [AP]M)? +CPU +%us(e)?r ",
    re.MULTILINE,
)
_STAMP = re.compile(r"(\d\d:\d\d:\d\d(?: [AP]M)?)\s+(\S.*)")
_SHARE = re.compile(r"\d{1,3}[.,]\d\d")
_MEANS = re.compile(r"[^\W\d]\S*:\s+(all\s.*)")
_SPREAD = 0.06  # of the shares: lengths of intervals, and lost ticks, shift a mean
_NAMES = {"user": "usr", "system": "sys"}


@dataclass(frozen=True)
class _Sample:
    start: dt.time
    end: dt.time
    shares: dict[str, float]
    line: int


@dataclass(frozen=True)
class _Mean:
    """A line of means, and the samples that it is of."""

    shares: dict[str, float]
    samples: list[_Sample]
    line: int


_ODD_SHARES = ("shares_and_100", "no_whole_line_of_shares")  # kinds of problems


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is CPU utilisation of sar or mpstat."""
    return _MARK.search(head) is not None


def read(raw: Raw, zone: str | None = None) -> Reading:
    """One ``cpu_interval`` row an interval, all CPUs together.

    ``coverage`` is null: percentages are shares of the accounted ticks only.
    """
    text = decode(raw.read_bytes())
    reading = Reading(FORMAT, tool="sysstat")
    lines = text.split("\n")
    hosts = {at: h for at, line in enumerate(lines, 1) if (h := _HOST.match(line))}
    if not is_one_report([*hosts], reading):
        return reading
    samples, means, basis = _samples(lines, reading)
    host = next(iter(hosts.values()), None)
    reading.systems = [host[2]] if host else []
    reading.records = {"interval": len(samples)}
    rows = _rows(samples, host, basis, zone, reading)
    reading.tables["cpu_interval"] = frame("cpu_interval", rows)
    if host:
        reading.details = {"date": host[3]}
        reading.circumstances = Circumstances(cpus=int(host[5]), release=host[1])
    _judge(lines, rows, zone, reading)
    judge_steps(rows, reading)
    lengths = {row["position"]: row["seconds"] for row in rows}
    for mean in means:
        if reading.status == "ok":
            _judge_mean(mean, lengths, reading)
    return reading


def _samples(
    lines: list[str], reading: Reading
) -> tuple[list[_Sample], list[_Mean], str]:
    samples: list[_Sample] = []
    means: list[_Mean] = []
    since_mean = 0
    names: list[str] = []
    since: dt.time | None = None
    basis = "sar"
    for number, line in enumerate(lines[:-1], 1):
        found = _STAMP.match(line.rstrip("\r"))
        time = read_clock(found[1]) if found else None
        mean = _MEANS.match(line)
        if mean and len(cells := mean[1].split()) == len(names):
            if shares := _shares(names, cells, number, reading):
                means.append(_Mean(shares, samples[since_mean:], number))
            since_mean = len(samples)
        if not found or time is None:
            continue
        cells = found[2].split()
        if "RESTART" in found[2]:
            reading.problems.append(
                Problem(remark("started_anew", "the system was started anew"), number)
            )
            names, since, since_mean = [], None, len(samples)
        elif cells[0] == "CPU" and "%idle" in cells:
            names, since = cells, time
            basis = "mpstat" if _is_mpstat(cells) else "sar"
        elif not cells[0].isdigit() and cells[0] != "all":
            names = []
        elif names and cells[0] == "all" and since is not None:
            shares = _shares(names, cells, number, reading)
            if shares is not None:
                samples.append(_Sample(since, time, shares, number))
            since = time
    return samples, means, basis


def _judge_mean(
    mean: _Mean, lengths: Mapping[int, float | None], reading: Reading
) -> None:
    """Degrade a reading whose intervals do not make a printed mean: by their lengths,
    which time stamps round to seconds, nor if all are alike."""
    weights = [lengths.get(sample.line) or 0.0 for sample in mean.samples]
    for name, printed_mean in mean.shares.items():
        shares = [s.shares[name] for s in mean.samples if name in s.shares]
        if not shares or len(shares) < len(weights) or not all(weights):
            continue
        spread = 0.05 + _SPREAD * (max(shares) - min(shares))
        means = fmean(shares, weights), fmean(shares)
        nearest = min(means, key=lambda each: abs(each - printed_mean))
        if abs(nearest - printed_mean) > spread:
            cause = remark(
                "figures_contradict_each_other",
                what=f"the mean of %{name}",
                printed=printed_mean,
                computed=round(nearest, 2),
                source="its intervals",
            )
            reading.problems.append(Problem(cause, mean.line))
            reading.judge("degraded", cause)
            return


def _is_mpstat(names: list[str]) -> bool:
    """mpstat has its columns in another order than sar."""
    both = {"%irq", "%steal"} <= set(names)
    return both and names.index("%irq") < names.index("%steal")


def _shares(
    names: list[str], cells: list[str], line: int, reading: Reading
) -> dict[str, float] | None:
    values = dict(zip(names[1:], cells[1:], strict=False))
    whole = len(cells) == len(names) and all(map(_SHARE.fullmatch, values.values()))
    if whole:
        shares: dict[str, float] = {
            _NAMES.get(name[1:], name[1:]): printed(value.replace(",", "."))
            for name, value in values.items()
        }
        if is_sound(shares):
            return shares
    what = remark("shares_and_100") if whole else remark("no_whole_line_of_shares")
    reading.problems.append(Problem(what, line))
    return None


def _rows(
    samples: list[_Sample],
    host: re.Match[str] | None,
    basis: str,
    zone: str | None,
    reading: Reading,
) -> list[dict[str, Any]]:
    date = read_date(host[3], reading) if host else None
    day = date or dt.date(1, 2, 1)
    times = local_times([t for s in samples for t in (s.start, s.end)], day)
    rows = []
    for index, sample in enumerate(samples):
        start, end = times[2 * index : 2 * index + 2]
        seconds = (end - start).total_seconds()
        start_utc = utc_of(start if date else None, zone, sample.line, reading)
        cpus = int(host[5]) if host else None
        rows.append(
            cpu_row(sample.shares, cpus, seconds if seconds > 0 else None, basis)
            | {
                "system": host[2] if host else None,
                "start_utc": start_utc,
                "position": sample.line,
            }
        )
    return rows


def _judge(
    lines: list[str], rows: list[dict[str, Any]], zone: str | None, reading: Reading
) -> None:
    bad = [p for p in reading.problems if p.remark.kind in _ODD_SHARES]
    if lines[-1].strip():
        reading.status, reading.cause = "truncated", remark("last_line_no_end")
    elif not rows:
        reading.status = "failed" if bad else "empty"
        reading.cause = remark(
            "no_interval_of_all", "it has no interval of all CPUs that could be used"
        )
    elif bad:
        reading.status, reading.cause = "degraded", remark("unusable_intervals")
    elif zone is None:
        reading.status, reading.cause = "degraded", NO_ZONE
    elif any(row["start_utc"] is None for row in rows):
        reading.status, reading.cause = "degraded", remark("date_not_understood")
    elif any(row["seconds"] is None for row in rows):
        reading.status, reading.cause = "degraded", remark("interval_without_length")
