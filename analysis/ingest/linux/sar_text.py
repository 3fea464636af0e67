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
from statistics import fmean

from analysis.facts.remark import Remark, remark
from analysis.ingest.linux.cpu import (
    SHARE_OF,
    LinuxReport,
    is_sound,
    stamped,
    two_decimals,
)
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "sar_text"
TITLE = "sar or mpstat text (CPU utilisation)"
TESTED = "sysstat 12.6.1"
recognise = re.compile(
    rb"^Linux \S+ \(\S+\)\s+\S+\s+_\w+_\s+\(\d+ CPU\)\s*$(?s:.*)"
    rb"^\S+( [AP]M)? +CPU +%us(e)?r ",
    re.MULTILINE,
).search
_ODD_SHARES = ("shares_and_100", "no_whole_line_of_shares")  # kinds of problems
_SPREAD = 0.06  # of the shares: lengths of intervals, and lost ticks, shift a mean


Shares = dict[str, float]
Sample = tuple[dt.time, dt.time, Shares, int]  # start, end, shares in percent, line
Mean = tuple[Shares, slice, int]  # of which samples, and its line


def read(raw: Raw, zone: str | None = None) -> Reading:
    """One ``cpu_interval`` row an interval, all CPUs together.

    ``coverage`` is null: percentages are shares of the accounted ticks only.
    """
    report = LinuxReport(FORMAT, zone)
    lines = report.lines(raw)
    if not lines:
        return report.reading(FORMAT, "sysstat")
    samples, means = _samples(lines, report)
    odd = any(p.remark.kind in _ODD_SHARES for p in report.problems)
    times = report.local_times([time for sample in samples for time in sample[:2]])
    rows = []
    for (_, _, shares, line), start, end in zip(
        samples, times[::2], times[1::2], strict=True
    ):
        rows.append(report.cpu_row(shares, end, (end - start).total_seconds(), line))
    report.finish(
        rows,
        remark("unusable_intervals") if odd else None,
        remark(
            "no_interval_of_all", "it has no interval of all CPUs that could be used"
        ),
    )
    report.records = {"interval": len(samples)}
    report.details = {"date": report.date} if report.date else {}
    report.judge_steps(rows)
    for mean, which, line in () if odd else means:
        every = [shares for _, _, shares, _ in samples[which]]
        weights = [row["seconds"] or 0.0 for row in rows[which]]
        if wrong := _contradiction(mean, every, weights):
            report.judge("degraded", wrong, line)
    return report.reading(FORMAT, "sysstat")


def _samples(lines: list[str], report: LinuxReport) -> tuple[list[Sample], list[Mean]]:
    """The samples and the lines of means, and in the report which tool it is of."""
    samples: list[Sample] = []
    means: list[Mean] = []
    averaged = 0  # samples that are in means already
    names: list[str] = []
    since: dt.time | None = None
    report.basis = "sar"
    for line, time, text in stamped(lines):
        cells = text.split()
        if time is None:
            if cells[0] == "all" and len(cells) == len(names):
                if shares := _shares(names, cells, line, report):
                    means.append((shares, slice(averaged, len(samples)), line))
                averaged = len(samples)
        elif "RESTART" in text:
            report.note(remark("started_anew", "the system was started anew"), line)
            names, since, averaged = [], None, len(samples)
        elif cells[0] == "CPU" and "%idle" in cells:
            names, since = cells, time
            report.basis = "mpstat" if _is_mpstat(cells) else "sar"
        elif not cells[0].isdigit() and cells[0] != "all":
            names = []
        elif names and cells[0] == "all" and since is not None:
            if shares := _shares(names, cells, line, report):
                samples.append((since, time, shares, line))
            since = time
    return samples, means


def _is_mpstat(names: list[str]) -> bool:
    """mpstat has its columns in another order than sar."""
    both = {"%irq", "%steal"} <= set(names)
    return both and names.index("%irq") < names.index("%steal")


def _shares(
    names: list[str], cells: list[str], line: int, report: LinuxReport
) -> Shares | None:
    shares = {
        SHARE_OF.get(name[1:], name[1:]): share
        for name, cell in zip(names[1:], cells[1:], strict=False)
        if (share := two_decimals(cell)) is not None
    }
    whole = len(shares) + 1 == len(cells) == len(names)
    if whole and is_sound(shares):
        return shares
    report.note(remark("shares_and_100" if whole else "no_whole_line_of_shares"), line)
    return None


def _contradiction(
    mean: Shares, every: list[Shares], weights: list[float]
) -> Remark | None:
    """What is wrong with a printed mean, which is by the lengths of the intervals, that
    time stamps round to seconds, or as if all were alike."""
    for name, share in mean.items():
        shares = [each[name] for each in every if name in each]
        if not shares or len(shares) < len(weights) or not all(weights):
            continue
        spread = 0.05 + _SPREAD * (max(shares) - min(shares))
        means = fmean(shares, weights), fmean(shares)
        nearest = min(means, key=lambda each: abs(each - share))
        if abs(nearest - share) > spread:
            return remark(
                "figures_contradict_each_other",
                what=f"the mean of %{name}",
                printed=share,
                computed=round(nearest, 2),
                source="its intervals",
            )
    return None
