"""WORKLOAD ACTIVITY of RMF's text reports, in the layouts before and after z/OS V2R3.

Apart from the reader and sharing nothing with it: figures come from true seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

from synthetic.ddsml import clock, percent


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
