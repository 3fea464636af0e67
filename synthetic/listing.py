"""Pages of text reports of the Postprocessor, and CPU activity, as RMF prints them.

Apart from the readers and sharing nothing with them: figures come from true seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from synthetic.ddsml import Processor, clock, percent

WIDTH = 133
HEADS = {
    "plain": (
        "---CPU---    ---------------- TIME % ----------------     LOG PROC      "
        "--I/O INTERRUPTS--",
        "NUM  TYPE    ONLINE    LPAR BUSY    MVS BUSY   PARKED     SHARE %       "
        "RATE     % VIA TPI",
    ),
    "smt": (
        "---CPU---    ---------------- TIME % ----------------   --- MT % ----   "
        "LOG PROC      --I/O INTERRUPTS--",
        "NUM  TYPE    ONLINE    LPAR BUSY    MVS BUSY   PARKED   PROD   UTIL     "
        "SHARE %       RATE     % VIA TPI",
    ),
}


def spaced(title: str) -> str:
    """A title in spaced letters."""
    return "  ".join(" ".join(word) for word in title.split()).center(120).rstrip()


@dataclass(frozen=True)
class Listing:
    """What all pages of one interval share."""

    system: str = "SYSA"
    date: str = "04/12/2022"
    time: str = "00.30.00"
    interval: str = "30.00.000"
    end: str = ""  # a duration report has START and END
    asa: bool = True
    release: str = "V2R5"

    def page(self, title: str, *lines: str, page: int = 1, plex: str = "") -> str:
        """A page of a system, or of a sysplex."""
        name = f"SYSPLEX {plex}" if plex else f"SYSTEM ID {self.system}"
        if self.end:
            first = f"START {self.date}-{self.time}"
            second = f"END   {self.end}"
        else:
            first, second = f"DATE {self.date}", f"TIME {self.time}"
        heading = [
            spaced(title),
            f"{'':110}PAGE {page:4d}",
            f"            z/OS {self.release}                {name:<21}{first:<31}"
            f"INTERVAL {self.interval}{'   MODE = GOAL' if plex else ''}",
            f"{'':37}{f'RPT VERSION {self.release} RMF':<21}{second:<31}"
            "CYCLE 1.000 SECONDS",
            "",
        ]
        text = [*heading, *lines, ""]
        if self.asa:
            text = ["1" + text[0], *(" " + line for line in text[1:])]
        return "\n".join(line.rstrip() for line in text) + "\n"


@dataclass(frozen=True)
class Core:
    """A core with multithreading: its dispatch and the MVS busy of its threads."""

    kind: str
    dispatched: float
    threads: tuple[float, ...]
    seconds: float = 1800.0


@dataclass
class Cpus:
    """CPU ACTIVITY and PARTITION DATA REPORT of one interval."""

    processors: list[Processor]
    seconds: float = 1800.0
    partition: str = "LPARA"
    wait: str = "NO"
    weight: str = "52"
    shift: int = 0  # columns by which a release moved the tables
    boost: str = "NONE"
    reported: dict[str, str] = field(default_factory=dict)
    machine: tuple[str, str] = ("3931", "A01")

    def head(self) -> list[str]:
        """Of which machine the report is."""
        family, model = self.machine
        return [
            f"CPU        {family}   CPC CAPACITY   413     "
            "SEQUENCE CODE 0000000000012345",
            f"MODEL      {model}    CHANGE REASON=NONE        HIPERDISPATCH=YES",
            f"H/W MODEL  {model}    BOOST TYPE={self.boost}  BOOST CLASS=NONE",
        ]

    def activity(self, first: int = 0, last: int | None = None) -> list[str]:
        """The lines of these processors; totals where the last one is among them."""
        lines = [*self.head(), *HEADS["plain"]]
        kinds = list(dict.fromkeys(cpu.kind for cpu in self.processors))
        numbered = list(enumerate(self.processors))[first:last]
        for kind in kinds:
            mine = [(n, cpu) for n, cpu in numbered if cpu.kind == kind]
            lines += [self.line(number, cpu) for number, cpu in mine]
            whole = [cpu for cpu in self.processors if cpu.kind == kind]
            if mine and mine[-1][1] is whole[-1]:
                lines.append(self.total(kind, whole))
        return [*lines[:3], *(" " * self.shift + line for line in lines[3:])]

    def line(self, number: int, cpu: Processor) -> str:
        """The line of one CPU."""
        if not cpu.online:
            busy = mvs = parked = "-----"
        else:
            busy = percent(cpu.dispatched, cpu.online)
            mvs = percent(cpu.mvs_busy, cpu.unparked) if cpu.unparked else "-----"
            parked = percent(cpu.parked, cpu.online)
        online = percent(cpu.online, self.seconds)
        return (
            f"{number:2X}    {cpu.kind:<4}{online:>9}{busy:>10}{mvs:>13}{parked:>12}"
            f"{'50.0':>10}  HIGH{'13.91':>9}{'6.49':>9}"
        )

    def total(self, kind: str, cpus: list[Processor]) -> str:
        """The line TOTAL/AVERAGE of a CPU type."""
        online = sum(cpu.online for cpu in cpus)
        unparked = sum(cpu.unparked for cpu in cpus)
        busy = percent(sum(cpu.dispatched for cpu in cpus), online)
        mvs = percent(sum(cpu.mvs_busy for cpu in cpus), unparked)
        busy = self.reported.get(kind, busy)
        return f"TOTAL/AVERAGE{'':6}{busy:>10}{mvs:>13}{'':12}{'100.0':>10}"

    def partitions(self) -> list[str]:
        """The lines of the PARTITION DATA REPORT."""
        lines = [
            f"MVS PARTITION NAME           {self.partition:>12}  NUMBER OF PHYSICAL 4",
            "IMAGE CAPACITY                        413              CP        3",
            f"WAIT COMPLETION                       {self.wait:>3}",
            "DISPATCH INTERVAL                 DYNAMIC",
            "--------- PARTITION DATA -----------------  -- LOGICAL PARTITION "
            "PROCESSOR DATA --   -- AVERAGE PROCESSOR UTILIZATION PERCENTAGES --",
            "                ----MSU----  -CAPPING--  PROCESSOR-  ----DISPATCH TIME "
            "DATA----   LOGICAL PROCESSORS  --- PHYSICAL PROCESSORS ---",
            "NAME       S  WGT   DEF    ACT  DEF     WLM%   NUM  TYPE  EFFECTIVE"
            "       TOTAL      EFFECTIVE    TOTAL  LPAR MGMT  EFFECTIVE  TOTAL",
        ]
        for kind in dict.fromkeys(cpu.kind for cpu in self.processors):
            mine = [cpu for cpu in self.processors if cpu.kind == kind]
            used = sum(cpu.dispatched for cpu in mine)
            lines.append(self.partition_line(self.partition, kind, len(mine), used))
            lines.append(self.partition_line("OTHER", kind, 2, 1.1))
            lines.append(f"*PHYSICAL*{'':63}{'00.00.07.832':>12}{'':33}0.22       0.22")
            lines.append(f"{'':12}------{'':40}------------  ------------")
            total = clock(used + 8.932)
            lines.append(f"  TOTAL{'':7}112{'':43}{total}  {total}")
            lines.append("")
        return [
            " " * self.shift + line if n > 3 else line for n, line in enumerate(lines)
        ]

    def partition_line(self, name: str, kind: str, cpus: int, used: float) -> str:
        """The line of a partition."""
        weight = self.weight if name == self.partition else "10"
        return (
            f"{name:<11}A  {weight:>3}{'0':>6}{'4':>7}  N N N{'0.0':>7}{cpus:>6}"
            f"   {kind:<4}{clock(used * 0.97):>13}  {clock(used)}"
            f"{'0.86':>11}{'0.89':>9}{'0.03':>11}{'0.86':>11}{'0.89':>7}"
        )


def smt_activity(cores: list[Core]) -> list[str]:
    """Cores with several threads; further threads have neither number nor type."""
    lines = [*Cpus([]).head(), *HEADS["smt"]]
    for number, core in enumerate(cores):
        busy = percent(core.dispatched, core.seconds)
        first = percent(core.threads[0], core.seconds)
        lines.append(
            f"{number:2X}    {core.kind:<4}{'100.00':>9}{busy:>10}{first:>13}"
            f"{'0.00':>12}"
            f"{'84.83':>9}{'41.02':>7}{'100.0':>9}  HIGH"
        )
        for used in core.threads[1:]:
            mvs = percent(used, core.seconds)
            lines.append(f"{'':19}{'':10}{mvs:>13}{'0.00':>12}")
    whole = sum(core.seconds for core in cores)
    busy = percent(sum(core.dispatched for core in cores), whole)
    threads = [(used, core.seconds) for core in cores for used in core.threads]
    mvs = percent(sum(u for u, _ in threads), sum(s for _, s in threads))
    return [*lines, f"TOTAL/AVERAGE{'':6}{busy:>10}{mvs:>13}"]
