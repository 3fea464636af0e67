"""Reports of RMF's Postprocessor in XML of one system over one session."""

from __future__ import annotations

from collections.abc import Iterator

from synthetic.ddsml import Interval, Processor, document, minutes, table, variables
from synthetic.dumps import (
    CLASSES,
    OFFSET,
    PLEX,
    captured_seconds,
    interval_of,
    split,
)
from synthetic.emitters.values import LABEL
from synthetic.runs import Minute
from synthetic.smf.dump import local


def report(session: list[Minute], system: str, classes: bool) -> str:
    """CPU activity and partition data of each minute, with ``classes`` also WLMGL."""
    parts = [part for m in session for part in _reports(m, system, classes)]
    return document(*parts, server="ZOSV3R2", comment=LABEL)


def _reports(minute: Minute, system: str, classes: bool) -> Iterator[str]:
    start, end = _times(minute)
    cpus = tuple(
        Processor("CP", minute.seconds, 0.0, used / 1e6, used / 1e6)
        for used in split(minute, system)
    )
    yield Interval(
        cpus,
        start,
        end,
        minute.seconds,
        system,
        system,
        machine=("9175", "704"),
        level="z/OS V3R2",
        dedicated=True,
    ).xml()
    if classes:
        yield _workload(minute, system, start, end)


def _times(minute: Minute) -> tuple[str, str]:
    interval = interval_of(minute, "SYNB")
    begin, end = (local(t, OFFSET) for t in (interval.start, interval.end))
    return f"{begin:%m/%d/%Y-%H.%M.%S}", f"{end:%m/%d/%Y-%H.%M.%S}"


def _workload(minute: Minute, system: str, start: str, end: str) -> str:
    used = captured_seconds(minute, system)
    segments = [
        _class(name, used * part, minute.seconds) for name, part in CLASSES.items()
    ]
    return f"""
  <postprocessor>
    <metric id="WLMGL" option="SCLASS">
      <description>Workload Activity Report</description>
      <type>Interval</type></metric>
    <resource><resname>{PLEX}</resname><restype>SYSPLEX</restype></resource>
    <time-data><display-start locale="en-us">{start}</display-start>
      <display-end locale="en-us">{end}</display-end>
      <report-interval unit="minutes">{minutes(minute.seconds)}</report-interval>
    </time-data>
    {"".join(segments)}
    {_policy(system)}
  </postprocessor>"""


def _class(name: str, used: float, seconds: float) -> str:
    times = {"CPU": f"{used * 0.6:.3f}", "SRB": f"{used * 0.4:.3f}"}
    times |= dict.fromkeys(("RCT", "I/O Interrupt", "Hiperspace"), "0.000")
    times |= dict.fromkeys(("zIIP", "zAAP"), "N/A")
    appl = {"CP": f"{100 * used / seconds:.2f}", "zIIP on CP": "0.00", "zIIP": "N/A"}
    goals = table(
        ["Period", "Importance", "Performance Index"], [(["1", "1", "0.5"], False)]
    )
    said = {"Policy": PLEX, "Workload": "WORK", "Service Class": name}
    parts = [
        _part("", variables(said)),
        _part("Transactions", variables({"Average": "1.00", "Ended": "0"})),
        _part("Service Time", variables(times)),
        _part("Application Time %", variables(appl)),
        _part("Goals/Actuals Summary", goals),
    ]
    return _segment(f"Service Class {name}", *parts)


def _policy(system: str) -> str:
    factors = {"zAAP Normalization Factor": "1.0000"}
    factors["zIIP Normalization Factor"] = "1.0000"
    heads = ["System ID", "IEAOPTxx Member", "SU/sec", "Capacity %"]
    rows = [([system, "00", "85106.4", "100"], False)]
    return _segment(
        "Service Policy Section",
        _part("Normalization Factors", variables(factors)),
        _part("Systems", table(heads, rows)),
    )


def _segment(name: str, *parts: str) -> str:
    return f'<segment id="1"><name>{name}</name>{"".join(parts)}</segment>'


def _part(name: str, inner: str) -> str:
    title = f"<name>{name}</name>" if name else ""
    return f'<part id="2">{title}{inner}</part>'
