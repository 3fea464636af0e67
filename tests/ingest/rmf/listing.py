"""Pages of text reports of RMF's Postprocessor: CPUs, classes and devices.

WORKLOAD ACTIVITY is in the layouts before and after z/OS V2R3; DIRECT ACCESS DEVICE
ACTIVITY has headings in three lines, as z/OS V2R4 prints them, and a line a device.
Apart from the readers and sharing nothing with them: figures come from true seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from synthetic.emitters.rmf_xml import Processor, clock, percent

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


@dataclass(frozen=True)
class Block:
    """True figures of one class in WORKLOAD ACTIVITY."""

    name: str = "TCPIP"
    kind: str = "SERVICE"
    tcb: float = 2.67
    srb: float = 0.181
    rct: float = 0.021
    iit: float = 0.004
    ziip: float | None = None
    on_cp: float = 0.9
    ended: str = "3"
    period: str = "PERIOD=1 IMPORTANCE=4"
    actual: float = 8.944
    zero: bool = False
    zaap: float | None = None
    zaap_on_cp: float = 0.0
    zaap_factor: float = 1.0
    workload: str = "NETWORK"

    def cp(self) -> float:
        """Seconds on CPs."""
        return self.tcb + self.srb + self.rct + self.iit

    def by(self) -> str:
        """Which class it is."""
        return (
            f"REPORT BY: POLICY=BASEPOL    WORKLOAD={self.workload}    "
            f"{self.kind} CLASS={self.name:<9}RESOURCE GROUP=*NONE      {self.period}"
        )

    def figures(self, factor: float, seconds: float) -> dict[str, str]:
        """Times and shares as they are printed; CPU has zIIP and zAAP time in it."""
        ziip, zaap = self.ziip or 0.0, self.zaap or 0.0
        return {
            "CPU": f"{self.tcb + ziip * factor + zaap * self.zaap_factor:.3f}",
            "SRB": f"{self.srb:.3f}",
            "RCT": f"{self.rct:.3f}",
            "IIT": f"{self.iit:.3f}",
            "IIP": "N/A" if self.ziip is None else f"{ziip:.3f}",
            "AAP": "N/A" if self.zaap is None else f"{zaap:.3f}",
            "CP%": percent(self.cp(), seconds),
            "IIPCP%": percent(self.on_cp, seconds),
            "IIP%": "N/A" if self.ziip is None else percent(ziip, seconds),
            "AAPCP%": percent(self.zaap_on_cp, seconds),
            "AAP%": "N/A" if self.zaap is None else percent(zaap, seconds),
        }

    def old(self, factor: float = 1.0, seconds: float = 1800.0) -> list[str]:
        """The layout up to V2R2: all groups side by side."""
        if self.zero:
            return [self.by(), "", " ALL DATA ZERO", ""]
        f = self.figures(factor, seconds)
        actual = f"{clock(self.actual)}"
        return [
            self.by(),
            "",
            "-TRANSACTIONS-  TRANS-TIME HHH.MM.SS.TTT  --DASD I/O--  ---SERVICE---  "
            "SERVICE TIME  ---APPL %---  --PROMOTED--  ----STORAGE----",
            f"AVG      0.23   ACTUAL{actual:>18}  SSCHRT   3.1  IOC        0   "
            f"CPU {f['CPU']:>8}  CP   {f['CP%']:>7}  BLK    0.000  AVG     9686.07",
            f"MPL      0.23   EXECUTION{actual:>15}  RESP     0.2  CPU  227192   "
            f"SRB {f['SRB']:>8}  AAPCP{f['AAPCP%']:>7}  ENQ    0.000  TOTAL  130175.7",
            f"ENDED {self.ended:>7}   QUEUED{'0':>18}  CONN     0.0  MSO  356803K   "
            f"RCT {f['RCT']:>8}  IIPCP{f['IIPCP%']:>7}  CRM    0.000  SHARED  765.20",
            f"END/S    0.00   R/S AFFIN{'0':>15}  DISC     0.0  SRB   15378   "
            f"IIT {f['IIT']:>8}                LCK    0.040",
            f"#SWAPS    274   INELIGIBLE{'0':>14}  Q+PEND   0.2  TOT  242570   "
            f"HST    0.000  AAP  {f['AAP%']:>7}  SUP    0.000  -PAGE-IN RATES-",
            f"EXCTD       0   CONVERSION{'0':>14}  IOSQ     0.0  /SEC    135   "
            f"AAP {f['AAP']:>8}  IIP  {f['IIP%']:>7}                SINGLE     0.0",
            f"AVG ENC  0.00   STD DEV{'0':>17}{'':31}IIP {f['IIP']:>8}{'':31}"
            "BLOCK      0.0",
            "",
            " GOAL: EXECUTION VELOCITY 20.0%     VELOCITY MIGRATION:  I/O MGMT  67.3%",
            "",
        ]

    def new(self, factor: float = 1.0, seconds: float = 1800.0) -> list[str]:
        """The layout from V2R3 on: service and resources in a block of their own."""
        if self.zero:
            return [self.by(), "", " ALL DATA ZERO", ""]
        f = self.figures(factor, seconds)
        actual = f"0{clock(self.actual)}000"
        return [
            self.by(),
            f"{'':52}CRITICAL     =NONE      HONOR PRIORITY=DEFAULT",
            "",
            "-TRANSACTIONS--  TRANS-TIME HHH.MM.SS.FFFFFF  "
            "TRANS-APPL%-----CP-IIPCP/AAPCP-IIP/AAP  ---ENCLAVES---",
            f"AVG        0.04  ACTUAL{actual:>21}  TOTAL         "
            f"{f['CP%']:>6}   {f['IIPCP%']:>6}      N/A  AVG ENC   0.00",
            "MPL        0.04  EXECUTION   000.00.08.411890  MOBILE          0.00"
            "     0.00     0.00  REM ENC   0.00",
            f"ENDED {self.ended:>9}  QUEUED{'0':>21}  CATEGORYA       0.00"
            "     0.00     0.00  MS ENC    0.00",
            f"END/S      0.03  R/S AFFIN{'0':>18}  CATEGORYB       0.00"
            "     0.00     0.00",
            f"#SWAPS      274  INELIGIBLE{'0':>17}",
            f"EXCTD         0  CONVERSION{'0':>17}",
            f"{'':17}STD DEV{'0':>20}",
            "",
            *_resources(f),
            "",
            " GOAL: EXECUTION VELOCITY 20.0%",
            "",
        ]


def _resources(f: dict[str, str]) -> list[str]:
    """Service and resources of a class, from V2R3 on."""
    return [
        "----SERVICE----   SERVICE TIME   ---APPL %---  --PROMOTED--  "
        "--DASD I/O---   ----STORAGE----  -PAGE-IN RATES-",
        f"IOC           0   CPU {f['CPU']:>8}   CP   {f['CP%']:>7}  BLK    0.000  "
        "SSCHRT    3.1   AVG     9686.07  SINGLE      0.0",
        f"CPU     227192K   SRB {f['SRB']:>8}   IIPCP{f['IIPCP%']:>7}  "
        "ENQ    0.000  RESP      0.2   TOTAL  130175.7  BLOCK       0.0",
        f"MSO           0   RCT {f['RCT']:>8}   IIP  {f['IIP%']:>7}  CRM    0.000  "
        "CONN      0.0   SHARED   765.20  SHARED      0.0",
        f"SRB       15378   IIT {f['IIT']:>8}   AAPCP{f['AAPCP%']:>7}  "
        "LCK    0.040  DISC      0.0                HSP         0.0",
        f"TOT      242570   HST    0.000   AAP  {f['AAP%']:>7}  SUP    0.000  "
        "Q+PEND    0.2",
        f"/SEC        135   IIP {f['IIP']:>8}{'':30}IOSQ      0.0",
        f"ABSRPTN      10   AAP {f['AAP']:>8}",
        "TRX SERV     10",
    ]


def policy_lines(
    factor: float, systems: list[str], zaap_factor: float = 1.0
) -> list[str]:
    """Normalisation factors, and the systems that the report covers."""
    return [
        "SERVICE DEFINITION: QS390DEF   Quick Load",
        f"  NORMALIZATION FACTOR IIP: {factor:.4f}   "
        f"NORMALIZATION FACTOR AAP: {zaap_factor:.4f}",
        "---SYSTEMS---",
        "-ID-  OPT  SU/SEC   CAP%  --TIME--  INTERVAL",
        *(f"{name:<6}00   85106.4  100  00.00.00  00.30.00" for name in systems),
        "",
    ]


DEVICE_HEADS = (
    "                                                    DEVICE  AVG  AVG  AVG  AVG  "
    "AVG  AVG  AVG  AVG    %      %      %",
    "STORAGE   DEV  DEVICE  NUMBER  VOLUME PAV  LCU    ACTIVITY RESP IOSQ CMR  DB   "
    "INT  PEND DISC CONN  DEV    DEV    DEV",
    " GROUP    NUM  TYPE    OF CYL  SERIAL                 RATE TIME TIME DLY  DLY  "
    "DLY  TIME TIME TIME  CONN   UTIL   RESV",
)
_NONE = ".000"


def device_head(samples: int) -> str:
    """The line above the headings."""
    return (
        f"  TOTAL SAMPLES = {samples}    IODF = 01    CR-DATE: 01/02/2026    "
        "CR-TIME: 10.00.00    ACT: POR"
    )


def device_line(
    device: str,
    volume: str,
    lcu: int,
    rate: float,
    times: tuple[float, float, float],
    shares: tuple[float, float],
    exposures: int = 1,
) -> str:
    """The line of a device: pending, disconnect and connect time in milliseconds, and
    the shares of the interval, in percent, in which it was connected and in use."""
    pending, apart, connected = map(three_digits, times)
    response = three_digits(sum(times))
    alias = f"{exposures}" if exposures == 1 else f"{exposures}.0H"
    in_use = "  ".join(f"{share:5.2f}" for share in (*shares, 0.0))
    return (
        f"{'':8} 0{device}  33909  {3339:>6}  {volume:<6} {alias:<5}{lcu:04X} "
        f"{rate:10.3f} {response:>4} {_NONE} {_NONE} {_NONE} {_NONE} "
        f"{pending:>4} {apart:>4} {connected:>4} {in_use}"
    )


def three_digits(milliseconds: float) -> str:
    """A time as RMF prints it: ``.512``, ``1.07``, ``12.3``, ``128``."""
    for digits in (3, 2, 1):
        text = f"{milliseconds:.{digits}f}"
        if len(text.lstrip("0").replace(".", "")) <= 3:
            return text.lstrip("0")
    return f"{milliseconds:.0f}"
