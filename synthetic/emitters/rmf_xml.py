"""RMF's Postprocessor in XML (``<ddsml>``), of the true figures as RMF prints them.

Apart from the reader and sharing nothing with it: the averages come from the true
times, not from the printed lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from synthetic.emitters.smf import ClassTime, Engine

Rows = list[tuple[list[str], bool]]


@dataclass(frozen=True)
class Processor:
    """One logical CPU: seconds of one interval."""

    kind: str = "CP"
    online: float = 1800.0
    parked: float = 0.0
    dispatched: float = 0.0  # of the online time
    mvs_busy: float = 0.0  # of the time that it was not parked

    @property
    def unparked(self) -> float:
        """Seconds online and not parked."""
        return self.online - self.parked


def cpu(engine: Engine, seconds: float) -> Processor:
    """A dedicated engine in an interval of that length."""
    kind = {"CP": "CP", "zAAP": "AAP", "zIIP": "IIP"}[engine.kind]
    busy = engine.busy_seconds
    return Processor(kind, seconds, 0.0, busy, busy)


@dataclass(frozen=True)
class Interval:
    """One CPU report."""

    processors: tuple[Processor, ...]
    start: str = "04/12/2022-00.00.00"
    end: str = "04/12/2022-00.30.00"
    seconds: float = 1800.0
    system: str = "SYSA"
    partition: str = "LPARA"
    wait_completion: str = "NO"
    weight: str = "52"
    boost: str = "NONE"
    locale: str = "en-us"
    reported: dict[str, tuple[str, str]] = field(default_factory=dict)
    columns: tuple[str, ...] = ()  # headings left out
    machine: tuple[str, str] = ("3931", "A01")
    level: str = "z/OS V2R5"
    dedicated: bool = False

    def xml(self) -> str:
        """The element of the report."""
        machine = {
            "CPU": self.machine[0],
            "Model": self.machine[1],
            "HiperDispatch": "YES",
            "Boost Type": self.boost,
            "Boost Class": "NONE",
        }
        partition = {
            "MVS Partition Name": self.partition,
            "Wait Completion": self.wait_completion,
        }
        units = [(["CP", "0.1"], False)]
        return f"""
  <postprocessor>
    {self._head()}
    <segment id="1"><name>CPU Activity</name><part id="2">
      {variables(machine)}
      {table(*self.activity())}
    </part>
    <part id="5"><name>Work Unit Analysis</name>
      {table(["CPU Type", "Number of Work Units: AVG"], units)}
    </part></segment>
    <segment id="14"><name>Partition Data Report</name><part id="15">
      {variables(partition)}
    </part><part id="19"><name>Partition Data</name>
      {table(*self.partitions())}
    </part></segment>
  </postprocessor>"""

    def _head(self) -> str:
        return f"""<metric id="CPU"><description>CPU Activity Report</description>
      <type>Interval</type></metric>
    <version><smf-data>{self.level}</smf-data>
      <rmf-report>{self.level}</rmf-report></version>
    <resource><resname>{self.system}</resname><restype>SYSTEM</restype></resource>
    <time-data>
      <display-start locale="{self.locale}">{self.start}</display-start>
      <display-end locale="{self.locale}">{self.end}</display-end>
      <report-interval unit="minutes">{minutes(self.seconds)}</report-interval>
      <cycle unit="milliseconds">1000</cycle>
    </time-data>"""

    def activity(self) -> tuple[list[str], Rows]:
        """Headings and rows of CPU Activity."""
        heads = ["CPU Number", "CPU Type", "Time% Online", "Time% LPAR Busy"]
        heads += ["Time% MVS Busy", "Time% Parked", "LOG PROC Share%"]
        rows: Rows = []
        for kind in dict.fromkeys(cpu.kind for cpu in self.processors):
            mine = [cpu for cpu in self.processors if cpu.kind == kind]
            rows += [(self.line(number, cpu), False) for number, cpu in enumerate(mine)]
            rows.append((self.total(kind, mine), True))
        keep = [i for i, head in enumerate(heads) if head not in self.columns]
        cut = [([cells[i] for i in keep], total) for cells, total in rows]
        return [heads[i] for i in keep], cut

    def line(self, number: int, cpu: Processor) -> list[str]:
        """The row of one CPU."""
        here = [f"{number:X}", cpu.kind, percent(cpu.online, self.seconds)]
        if not cpu.online:
            return [*here, "-----", "-----", "-----", "0.0"]
        mvs = percent(cpu.mvs_busy, cpu.unparked) if cpu.unparked else "-----"
        busy = percent(cpu.dispatched, cpu.online)
        return [*here, busy, mvs, percent(cpu.parked, cpu.online), "50.0"]

    def total(self, kind: str, cpus: list[Processor]) -> list[str]:
        """The row TOTAL/AVERAGE of a CPU type."""
        online = sum(cpu.online for cpu in cpus)
        unparked = sum(cpu.unparked for cpu in cpus)
        busy = percent(sum(cpu.dispatched for cpu in cpus), online)
        mvs = percent(sum(cpu.mvs_busy for cpu in cpus), unparked)
        busy, mvs = self.reported.get(kind, (busy, mvs))
        return ["TOTAL/AVERAGE", kind, "", busy, mvs, "", "100.0"]

    def partitions(self) -> tuple[list[str], Rows]:
        """Headings and rows of Partition Data."""
        heads = ["Partition Name", "Partition Status", "Partition Weight", "PROC Type"]
        heads += ["Effective Dispatch Time", "Total Dispatch Time"]
        rows: Rows = []
        for kind in dict.fromkeys(cpu.kind for cpu in self.processors):
            used = sum(c.dispatched for c in self.processors if c.kind == kind)
            mine = [self.partition, "Active", self.weight, kind]
            times = [clock(used * 0.97), clock(used)]
            if self.dedicated:  # dispatched all the time
                whole = sum(c.online for c in self.processors if c.kind == kind)
                mine[2], times = "DED", [clock(whole)] * 2
            rows.append(([*mine, *times], False))
            other = ["OTHER", "Active", "10", kind, "00.00.01.000", "00.00.01.100"]
            rows.append((other, False))
            physical = ["*PHYSICAL*", "", "", kind, "", "00.00.07.832"]
            rows.append((physical, False))
            total = ["TOTAL", "", "62", kind, "00.20.00.000", clock(used + 8.932)]
            rows.append((total, True))
        rows.append((["IDLE", "Deactivated", "", "", "", ""], False))
        return heads, rows


def class_report(
    classes: Sequence[ClassTime],
    system: str,
    plex: str,
    times: tuple[str, str],
    seconds: float,
) -> str:
    """The Workload Activity report (WLMGL) of service classes with one period each."""
    factors = {"zAAP Normalization Factor": "1.0000"}
    factors["zIIP Normalization Factor"] = "1.0000"
    heads = ["System ID", "IEAOPTxx Member", "SU/sec", "Capacity %"]
    policy = _segment(
        "Service Policy Section",
        _part("Normalization Factors", variables(factors)),
        _part("Systems", table(heads, [([system, "00", "85106.4", "100"], False)])),
    )
    return f"""
  <postprocessor>
    <metric id="WLMGL" option="SCLASS">
      <description>Workload Activity Report</description>
      <type>Interval</type></metric>
    <resource><resname>{plex}</resname><restype>SYSPLEX</restype></resource>
    <time-data><display-start locale="en-us">{times[0]}</display-start>
      <display-end locale="en-us">{times[1]}</display-end>
      <report-interval unit="minutes">{minutes(seconds)}</report-interval>
    </time-data>
    {"".join(_class(each, plex, seconds) for each in classes)}
    {policy}
  </postprocessor>"""


def _class(it: ClassTime, plex: str, seconds: float) -> str:
    """A service class; CPU time has zIIP and zAAP time in it."""
    heads = ["Period", "Importance", "Performance Index"]
    special = (it.ziip_seconds or 0.0) + (it.zaap_seconds or 0.0)
    idle = ("RCT", "I/O Interrupt", "Hiperspace")
    times = {
        "CPU": f"{it.cp_seconds * it.tcb_share + special:.3f}",
        "SRB": f"{it.cp_seconds * (1 - it.tcb_share):.3f}",
        **dict.fromkeys(idle, "0.000"),
        "zIIP": "N/A" if it.ziip_seconds is None else f"{it.ziip_seconds:.3f}",
        "zAAP": "N/A" if it.zaap_seconds is None else f"{it.zaap_seconds:.3f}",
    }
    used = {"CP": it.cp_seconds, "zIIP on CP": 0.0, "zIIP": it.ziip_seconds}
    if it.zaap_seconds is not None:
        used |= {"zAAP on CP": it.zaap_on_cp_seconds, "zAAP": it.zaap_seconds}
    shares = {
        name: "N/A" if time is None else percent(time, seconds)
        for name, time in used.items()
    }
    named = {"Policy": plex, "Workload": "WORK", "Service Class": it.name}
    return _segment(
        f"Service Class {it.name}",
        _part("", variables(named)),
        _part("Transactions", variables({"Average": "1.00", "Ended": "0"})),
        _part("Service Time", variables(times)),
        _part("Application Time %", variables(shares)),
        _part("Goals/Actuals Summary", table(heads, [(["1", "1", "0.5"], False)])),
    )


def _segment(name: str, *parts: str) -> str:
    return f'<segment id="1"><name>{name}</name>{"".join(parts)}</segment>'


def _part(name: str, inner: str) -> str:
    title = f"<name>{name}</name>" if name else ""
    return f'<part id="2">{title}{inner}</part>'


def document(*parts: str, server: str = "ZOSV2R5", comment: str = "") -> str:
    """A document with these parts, each the XML of a report or a message."""
    remark = f"<!-- {comment} -->\n" if comment else ""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="include/ddsml-pp.xsl"?>
{remark}<ddsml xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
       xsi:noNamespaceSchemaLocation="include/ddsml.xsd">
  <server><name>RMF-DDS-Server</name><version>{server}</version>
    <functionality>3500</functionality><platform>z/OS</platform></server>
{"".join(parts)}
</ddsml>
"""


def minutes(seconds: float) -> str:
    """MM:SS:mmm."""
    thousandths = round(seconds * 1000)
    whole, part = divmod(thousandths, 1000)
    return f"{whole // 60:02d}:{whole % 60:02d}:{part:03d}"


def clock(seconds: float) -> str:
    """HH.MM.SS.mmm."""
    thousandths = round(seconds * 1000)
    whole, part = divmod(thousandths, 1000)
    return f"{whole // 3600:02d}.{whole // 60 % 60:02d}.{whole % 60:02d}.{part:03d}"


def percent(part: float, whole: float) -> str:
    """A share as RMF prints it."""
    return f"{100 * part / whole:.2f}" if whole else "-----"


def variables(values: dict[str, str]) -> str:
    """A list of names and values."""
    each = "".join(
        f"<var><name>{name}</name><value>{value}</value></var>"
        for name, value in values.items()
    )
    return f'<var-list id="3">{each}</var-list>'


def table(heads: list[str], rows: Rows) -> str:
    """A table; rows with True are totals."""
    columns = "".join(f'<col type="T">{escape(head)}</col>' for head in heads)
    lines = []
    for number, (cells, total) in enumerate(rows, 1):
        kind = ' type="SUM"' if total else ""
        cols = "".join(f"<col>{cell}</col>" if cell else "<col/>" for cell in cells)
        lines.append(f'<row refno="{number}"{kind}>{cols}</row>')
    body = "".join(lines)
    return f'<table id="4"><column-headers>{columns}</column-headers>{body}</table>'
