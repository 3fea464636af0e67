"""CPU seconds and transactions of one service or report class in one interval.

RMF's service times: CPU is time under TCBs on CPs with zIIP and zAAP time in it, which
is normalised; zIIP time itself is printed as it is. Hence

    CP = CPU + SRB + RCT + IIT + HST - zIIP x factor - zAAP x factor

and APPL% CP is CP / interval. Where the printed figures do not fit, it is said.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from analysis.facts.remark import Remark, remark
from analysis.ingest.rmf.clock import ReportInterval
from analysis.ingest.rmf.collect import Collector, Row

SERVICE, REPORT = "service", "report"
PARTS = ("CPU", "SRB", "RCT", "IIT", "HST")
# Of APPL%, and of each of the seven times: half of the last digit.
_APPL_ROUNDING = 0.005


@dataclass
class ClassReport:
    """What a Workload Activity report says of one class.

    ``times`` are service times in seconds by their short names (CPU, SRB, RCT, IIT,
    HST, IIP, AAP), ``appl`` are APPL% (CP, IIPCP, AAPCP, IIP, AAP) and ``digits`` is
    how many decimals the times are printed with. ``period`` is null where all
    periods are together.
    """

    name: str
    kind: str
    workload: str = ""
    period: int | None = None
    importance: int | None = None
    transactions: int | None = None
    times: dict[str, float | None] = field(default_factory=dict)
    appl: dict[str, float | None] = field(default_factory=dict)
    digits: int = 3
    zero: bool = False
    response_ms: float | None = None

    def cp_seconds(self, factors: Factors) -> float | None:
        """Seconds on CPs; null where the report has no CPU time."""
        if self.zero:
            return 0.0
        if self.times.get("CPU") is None:
            return None
        used = sum(self.times.get(name) or 0.0 for name in PARTS)
        ziip = (self.times.get("IIP") or 0.0) * factors.ziip
        zaap = (self.times.get("AAP") or 0.0) * factors.zaap
        return max(used - ziip - zaap, 0.0)

    def doubt(self, seconds: float, factors: Factors) -> Remark | None:
        """How the service times contradict APPL% CP; null where they do not."""
        used, appl = self.cp_seconds(factors), self.appl.get("CP")
        if used is None or appl is None:
            return None
        printed = appl / 100 * seconds
        rounding = _APPL_ROUNDING / 100 * seconds + 3.5 * 10.0**-self.digits
        if abs(used - printed) <= rounding + 0.001 * printed:
            return None
        unknown = not factors.known and self.times.get("IIP")
        return remark(
            "class_without_factor" if unknown else "class_times",
            of=self.kind,
            name=self.name,
            used=used,
            printed=printed,
        )


@dataclass(frozen=True)
class Factors:
    """Normalisation factors of zIIP and zAAP time; ``known`` if the report has them."""

    ziip: float = 1.0
    zaap: float = 1.0
    known: bool = False


def add_class(
    report: ClassReport, interval: ReportInterval, factors: Factors, to: Collector
) -> None:
    """The row of ``class_interval``, and what is odd about it."""
    if said := report.doubt(interval.length, factors):
        tell = to.lost if said.kind == "class_times" else to.problem
        tell(said, interval.position)
    to.add("class_interval", interval, _row(report, interval.length, factors))


def _row(report: ClassReport, seconds: float, factors: Factors) -> Row:
    ziip, zaap = (
        0.0 if report.zero else report.times.get(name) for name in ("IIP", "AAP")
    )
    return {
        "class": report.name,
        "class_kind": report.kind,
        "workload": report.workload or None,
        "period": report.period,
        "importance": report.importance,
        "cp_seconds": report.cp_seconds(factors),
        "ziip_seconds": ziip,
        "ziip_on_cp_seconds": _seconds(report.appl.get("IIPCP"), seconds),
        "normalisation": factors.ziip if factors.known else None,
        "zaap_seconds": zaap,
        "zaap_on_cp_seconds": _seconds(report.appl.get("AAPCP"), seconds),
        "zaap_normalisation": factors.zaap if factors.known else None,
        "transactions": 0 if report.zero else report.transactions,
        "response_ms": report.response_ms,
    }


def _seconds(share: float | None, seconds: float) -> float | None:
    """The time that a share of the interval is [%]."""
    return None if share is None else share / 100 * seconds
