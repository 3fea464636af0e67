"""Overview reports: one line an interval, one column a condition of the user's choice.

The columns carry names that the user chose. Every figure goes to ``metric_interval``
under its name; where the names are those of RMF's conditions for CPUs (z/OS RMF User's
Guide, conditions of record 70-1), ``cpu_interval`` is filled too.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from analysis.facts.remark import remark
from analysis.ingest.rmf.clock import ReportInterval, window
from analysis.ingest.rmf.collect import Collector
from analysis.ingest.rmf.figures import scaled

OVERVIEW = "OVERVIEW"
# By type of CPU: names of its busy, its MVS busy and the number of CPUs.
_CPUS = {
    "CP": (("CPUBSY", "CPUBUSY"), ("MVSBSY", "MVSBUSY"), ("NUMPROC", "NUMCP")),
    "zIIP": (("IIPBSY", "IIPBUSY"), ("IIPMBSY",), ("NUMIIP",)),
    "zAAP": (("AAPBSY", "CPUIBSY"), ("AAPMBSY", "MVSIBSY"), ("NUMAAP", "NUMIFA")),
}


@dataclass(frozen=True)
class OverviewLine:
    """One interval: local start, length in seconds and printed figures by name."""

    start: dt.datetime | None
    seconds: float | None
    figures: dict[str, str]
    position: int


def add_overview(lines: Iterable[OverviewLine], system: str, to: Collector) -> None:
    """The rows of the lines, and what cannot be told from them."""
    uncounted = set[str]()
    for line in lines:
        content = repr(sorted(line.figures.items())).encode()
        time = window(line.start, None, line.seconds)
        interval = to.interval(OVERVIEW, system, time, line.position, content)
        if interval is None:
            continue
        figures = {name: scaled(text) for name, text in line.figures.items()}
        for name, value in figures.items():
            row = {"report": OVERVIEW, "metric": name, "value": value}
            to.add("metric_interval", interval, row)
        uncounted |= _add_cpus(figures, interval, to)
    for kind in sorted(uncounted):
        wanted = " or ".join(_CPUS[kind][2])
        said = remark(
            "number_of_cpus_needed",
            f"CPU seconds of {kind} need the number of CPUs: ask for {wanted} too",
        )
        to.problem(said)


def _add_cpus(
    figures: dict[str, float | None], interval: ReportInterval, to: Collector
) -> set[str]:
    """Rows of ``cpu_interval``; the types that lack the number of their CPUs."""
    upper = {name.upper(): value for name, value in figures.items()}
    uncounted = set()
    for kind, names in _CPUS.items():
        busy, mvs, cpus = (
            next((upper[n] for n in each if upper.get(n) is not None), None)
            for each in names
        )
        if busy is None:
            continue
        if cpus is None or interval.seconds is None:
            uncounted.add(kind)
            continue
        row = {
            "cpu_type": kind,
            "online_cpus": cpus,
            "busy_pct": busy,
            "busy_seconds": busy / 100 * float(cpus) * interval.seconds,
            "mvs_busy_pct": mvs,
            "basis": "lpar_busy",
        }
        to.add("cpu_interval", interval, row)
    return uncounted
