"""Synthetic reports of the Postprocessor beside CPU, written from true figures.

Apart from the readers and sharing nothing with them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from synthetic.emitters.rmf_xml import Rows, minutes, table, variables

START = "04/12/2022-00.00.00"
SECONDS = 1800.0


def report(
    name: str,
    *segments: str,
    start: str = START,
    seconds: float = SECONDS,
    system: str = "SYSA",
    kind: str = "SYSTEM",
    description: str = "A report",
) -> str:
    """A report of one interval with these segments."""
    return f"""
  <postprocessor>
    <metric id="{name}"><description>{description}</description>
      <type>Interval</type></metric>
    <version><smf-data>z/OS V2R5</smf-data><rmf-report>z/OS V2R5</rmf-report></version>
    <resource><resname>{system}</resname><restype>{kind}</restype></resource>
    <time-data><display-start locale="en-us">{start}</display-start>
      <report-interval unit="minutes">{minutes(seconds)}</report-interval>
    </time-data>
    {"".join(segments)}
  </postprocessor>"""


def segment(name: str, *parts: str) -> str:
    return f'<segment id="1"><name>{escape(name)}</name>{"".join(parts)}</segment>'


def part(name: str, inner: str) -> str:
    title = f"<name>{escape(name)}</name>" if name else ""
    return f'<part id="2">{title}{inner}</part>'


def lines(heads: list[str], *rows: list[str], total: list[str] | None = None) -> str:
    each: Rows = [(row, False) for row in rows]
    return table(heads, [*each, (total, True)] if total else each)


@dataclass(frozen=True)
class Class:
    """True seconds of one class in one interval; ``ziip`` is not normalised."""

    name: str = "TCPIP"
    kind: str = "Service"
    tcb: float = 2.67  # on CPs
    srb: float = 0.181
    rct: float = 0.021
    iit: float = 0.004
    hst: float = 0.0
    ziip: float | None = None
    on_cp: float = 0.9
    ended: int = 3
    periods: tuple[tuple[int, int], ...] = ((1, 4),)
    response: str = "000.00.08.944393"
    zero: bool = False
    said: dict[str, str] = field(default_factory=dict)

    def cp(self) -> float:
        return self.tcb + self.srb + self.rct + self.iit + self.hst

    def rest(self) -> list[str]:
        """What else RMF says of a class."""
        heads = ["Reporting Category", "CP", "zIIP/zAAP on CP", "zIIP/zAAP"]
        kinds = ("Total", "Mobile", "CategoryA", "CategoryB")
        said = {
            "Enclaves": ("Average Enclaves", "Remote Enclaves"),
            "Service": ("IOC", "CPU", "MSO", "SRB", "Total", "Per Second"),
            "Promoted Transactions": ("Blocked", "Enqueue", "CRM", "Lock", "SUP"),
            "DASD I/O": ("SSCH/sec", "Response Time", "Connect Time"),
            "Storage Frames": ("Average", "Total", "Shared"),
            "Page-In Rates": ("Single", "Blocked", "Shared", "Hiperspace"),
        }
        shares = lines(heads, *([kind, "0.16", "0.05", "N/A"] for kind in kinds))
        return [
            part("Transaction Application Time %", shares),
            *(
                part(name, variables(dict.fromkeys(labels, "0.0")))
                for name, labels in said.items()
            ),
        ]

    def xml(self, factor: float = 1.0, seconds: float = SECONDS) -> str:
        """The segment as RMF prints it: CPU holds normalised zIIP time."""
        title = f"{self.kind} Class {self.name}"
        said = {"Policy": "BASE", "Workload": "NET", f"{self.kind} Class": self.name}
        head = part("", variables(said | self.said))
        if self.zero:
            zero = "<message><description>All data zero</description></message>"
            return segment(title, head, zero)
        ziip = self.ziip or 0.0
        on_zip = "N/A" if self.ziip is None else f"{self.ziip:.3f}"
        share = "N/A" if self.ziip is None else f"{100 * ziip / seconds:.2f}"
        times = {
            "CPU": f"{self.tcb + ziip * factor:.3f}",
            "SRB": f"{self.srb:.3f}",
            "RCT": f"{self.rct:.3f}",
            "I/O Interrupt": f"{self.iit:.3f}",
            "Hiperspace": f"{self.hst:.3f}",
            "zIIP": on_zip,
            "zAAP": "N/A",
        }
        appl = {
            "CP": f"{100 * self.cp() / seconds:.2f}",
            "zIIP on CP": f"{100 * self.on_cp / seconds:.2f}",
            "zIIP": share,
        }
        goals = [[str(number), str(level), "0.3"] for number, level in self.periods]
        return segment(
            title,
            head,
            part(
                "Transactions",
                variables({"Average": "13.44", "Ended": str(self.ended)}),
            ),
            part(
                "Transaction Time (HHH.MM.SS.FFFFFF)",
                variables({"Actual": self.response}),
            ),
            *self.rest(),
            part("Service Time", variables(times)),
            part("Application Time %", variables(appl)),
            part(
                "Goals/Actuals Summary",
                lines(["Period", "Importance", "Performance Index"], *goals),
            ),
        )


def policy(systems: list[str], factor: float = 1.0) -> str:
    factors = {
        "zAAP Normalization Factor": f"{factor:.4f}",
        "zIIP Normalization Factor": f"{factor:.4f}",
    }
    rows = [[name, "00", "85106.4", "100"] for name in systems]
    heads = ["System ID", "IEAOPTxx Member", "SU/sec", "Capacity %"]
    return segment(
        "Service Policy Section",
        part("Normalization Factors", variables(factors)),
        part("Systems", lines(heads, *rows)),
    )


def workload(
    start: str = START,
    classes: tuple[Class, ...] = (Class(), Class("ALL", "Report", ended=7)) * 4,
    factor: float = 1.0,
    systems: tuple[str, ...] = ("SYSA",),
    seconds: float = SECONDS,
) -> str:
    segments = [each.xml(factor, seconds) for each in classes]
    return report(
        "WLMGL",
        segment("Policy Activation", part("", variables({"Date": "03/20/2020"}))),
        *segments,
        segment("Workload NET", part("Service Time", variables({"CPU": "99.000"}))),
        policy(list(systems), factor),
        start=start,
        seconds=seconds,
        system="PLEXA",
        kind="SYSPLEX",
    )


CHANNELS = [
    "Channel Path ID",
    "Type",
    "Generation",
    "Speed",
    "Shared",
    "Status",
    "Util% (LPAR)",
    "Util% (Total)",
    "Util% (Bus)",
    "Read MB/Sec (LPAR)",
    "Read MB/Sec (Total)",
    "Write MB/Sec (LPAR)",
    "Write MB/Sec (Total)",
    "FICON Ops Rate",
    "FICON Ops Active",
    "FICON Ops Deferred",
    "zHPF Ops Rate",
    "zHPF Ops Active",
    "zHPF Ops Deferred",
    "Physical Network ID Port 1",
    "Physical Network ID Port 2",
]
HIPERSOCKETS = [
    "Channel Path ID",
    "Type",
    "Status",
    "Write B/Sec (LPAR)",
    "Write B/Sec (Total)",
    "Message Rate (LPAR)",
    "Message Rate (Total)",
    "Send Failed (LPAR)",
    "Receive Failed (LPAR)",
    "Receive Failed (Total)",
]


def queues() -> str:
    """What else RMF says of CPUs: address spaces and work units."""
    spaces = [[f"{kind} Queue", "0", "78", "72.3"] for kind in _QUEUES]
    units = [[f"&lt;=N+{number}", "0.1"] for number in range(16)]
    heads = [f"Number of Address Spaces: {what}" for what in ("MIN", "MAX", "AVG")]
    return segment(
        "Work Units",
        part("System Address Space Analysis", lines(["Type", *heads], *spaces)),
        part(
            "Distribution of In-ready Work Unit Queue",
            lines(["Number of Work Units", "% of Samples"], *units),
        ),
        part("Blocked Workload Analysis", variables(dict.fromkeys(_BLOCKED, "0"))),
    )


_QUEUES = ("IN", "IN READY", "OUT READY", "OUT WAIT", "LOGICAL OUT WAIT", "STC", "TSO")
_BLOCKED = ("OPT Parameter: BLWLTRPCT (%)", "Promote Rate Defined", "Avg Waiters")


def channels(start: str = START) -> str:
    osa = ["OSD", "", "25G", "Yes", "Online", "1.50", "2.25", "0.75"]
    osa += ["0.06", "0.23", "0.02", "0.09"]
    off = ["FC_?", "", "", "", "Offline", *([""] * 7)]
    iqd = ["IQD", "Online", "16G", "4096K", "12.5", "250K", "0", "1", "2"]
    return report(
        "CHAN",
        segment(
            "Details for all Channels",
            part("", lines(CHANNELS, *([f"{n:02X}", *osa] for n in range(20)))),
            part("", lines(CHANNELS, ["FE", *off])),
        ),
        segment(
            "Details for HiperSockets", part("", lines(HIPERSOCKETS, ["ED", *iqd]))
        ),
        start=start,
    )


DEVICES = [
    "Storage Group",
    "Device Number",
    "Device Type",
    "Volume Serial Number",
    "LCU Number",
    "Device Activity Rate",
    "Average Response Time",
    "Average IOS Queue Time",
    "Average Device Busy Delay",
    "Average Interrupt Delay Time",
    "Average Device Pending Time",
    "Average Device Disconnect Time",
    "Average Device Connect Time",
    "% Device Connect Time",
    "% Device Utilized",
]


def devices(start: str = START, number: int = 100) -> str:
    figures = ["1.378", "0.416", "0.010", "0.000", "0.020", "0.075", "0.030", "0.341"]
    rows = [
        [
            "",
            f"{0x5000 + n:05X}",
            "33909",
            f"VOL{n:03d}",
            "000E",
            *figures,
            "0.02",
            "0.03",
        ]
        for n in range(number)
    ]
    return report(
        "DEVICE",
        segment("Direct Access Device Activity", part("", lines(DEVICES, *rows))),
        start=start,
    )


def other_report(name: str) -> str:
    """A report of another kind."""
    return f"""
  <postprocessor><metric id="{name}"><description>x</description></metric>
    <resource><resname>PLEXA</resname><restype>SYSPLEX</restype></resource>
    <time-data><display-start locale="en-us">04/12/2022-00.00.00</display-start>
      <display-end locale="en-us">04/12/2022-00.29.59</display-end>
      <report-interval unit="minutes">29:59:997</report-interval></time-data>
  </postprocessor>"""


def message(name: str, text: str) -> str:
    """A reply that is only a message."""
    return f"""
  <postprocessor><message id="{name}"><description>{escape(text)}</description>
    <severity>3</severity></message></postprocessor>"""


def indented(text: str) -> str:
    """The document as an editor re-indents it: text stands on lines of its own."""
    return text.replace(">", ">\n\t\t").replace("</", "\n\t</")
