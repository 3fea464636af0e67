"""WORKLOAD ACTIVITY in text, in the layouts before and after z/OS V2R3.

Both print blocks of groups side by side, each with a title above lines of a label and
a value; before V2R3 there is one block, after it service and resources have their own.
The label says what a value is, and the title above it which of two equal labels.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from analysis.ingest.rmf.clock import ReportInterval
from analysis.ingest.rmf.collect import Collector
from analysis.ingest.rmf.figures import clock_seconds, count, number, scaled
from analysis.ingest.rmf.text_pages import ReportPage
from analysis.ingest.rmf.wlm import REPORT, SERVICE, ClassReport, Factors, add_class

_GROUPS = (
    "TRANSACTIONS",
    r"TRANS\.?-TIME [HMSTF.]+",
    "TRANS-APPL%",
    "ENCLAVES",
    "DASD I/O",
    "SERVICE TIMES?",
    "SERVICE RATES",
    "SERVICE",
    "APPL ?%",
    "PROMOTED",
    "STORAGE",
    "PAGE-IN RATES",
)
_GROUP = re.compile(rf"(?<!\S)-*\s?({'|'.join(_GROUPS)})(?=[\s\-]|$)-*")
_LABELS = (
    "AVG ENC|REM ENC|MS ENC|AVG|MPL|ENDED|END/S|#SWAPS|EXCTD|ACTUAL|EXECUTION|QUEUED|"
    "R/S AFFINITY|R/S AFFIN|INELIGIBLE|CONVERSION|STD DEV|MOBILE|CATEGORYA|CATEGORYB|"
    "SSCHRT|RESP|CONN|DISC|Q\\+PEND|IOSQ|IOC|CPU|TCB|MSO|SRB|TOTAL|TOT|/SEC|ABSRPTN|"
    "TRX SERV|RCT|IIT|HST|AAPCP|IIPCP|AAP|IIP|CP|BLK|ENQ|CRM|LCK|SUP|SHARED|SINGLE|"
    "BLOCK|HSP|APPL ?%"
)
_FIELD = re.compile(
    rf"(?<!\S)({_LABELS})\s+(?!(?:{_LABELS})\s)([\d.,:/NA\-*]+[KMG]?)(?!\S)"
)
_KEY = re.compile(
    r"(POLICY|WORKLOAD|SERVICE CLASS|REPORT CLASS|PERIOD|IMPORTANCE)\s*=\s*(\S+)"
)
_FACTOR = re.compile(r"NORMALI[ZS]ATION FACTOR.*?(IIP|AAP)\W+([\d.]+)", re.IGNORECASE)
_SYSTEMS = re.compile(r"(?<!-)-+\s?ID-+\s+OPT\s", re.IGNORECASE)
_SLACK = 2  # a label may stand this far before the title of its group
_TIMES = {"CPU": "CPU", "TCB": "CPU"} | {n: n for n in ("SRB", "RCT", "IIT", "HST")}
_TIMES |= {"AAP": "AAP", "IIP": "IIP"}


@dataclass
class TextClasses:
    """The pages of one Workload Activity report, read so far."""

    classes: list[tuple[int, ClassReport]] = field(default_factory=list)
    factors: Factors = field(default_factory=Factors)
    systems: list[str] = field(default_factory=list)

    def read(self, page: ReportPage) -> None:
        """Add what a page says."""
        groups: list[tuple[int, str]] = []
        report: ClassReport | None = None
        in_systems = False
        for at, text in page.lines:
            if "REPORT BY:" in text:
                report, groups = _class(text), []
                if report:
                    self.classes.append((at, report))
            elif report and report.period is None and " PERIOD=" in text:
                _add_keys(report, text)
            found = [(m.start(), m[1]) for m in _GROUP.finditer(text)]
            if len(found) >= 2:
                groups = found
            elif report:
                _read_fields(report, groups, text)
            in_systems = self._read_policy(text, in_systems)

    def _read_policy(self, text: str, in_systems: bool) -> bool:
        for name, value in _FACTOR.findall(text):
            factor = number(value) or 1.0
            ziip = {"ziip": factor, "known": True}
            more = ziip if name.upper() == "IIP" else {"zaap": factor}
            self.factors = replace(self.factors, **more)  # type: ignore[arg-type]
        if _SYSTEMS.search(text):
            return True
        if in_systems and text.strip():
            self.systems.append(text.split()[0])
        return in_systems and bool(text.strip())

    def add(self, interval: ReportInterval, to: Collector) -> None:
        """The rows of ``class_interval``."""
        systems = list(dict.fromkeys(self.systems))
        if len(systems) == 1:
            interval = replace(interval, system=systems[0])
        elif systems:
            to.reading.details["classes add up the systems"] = systems
        for at, report in self.classes:
            add_class(report, replace(interval, position=at), self.factors, to)


def _class(text: str) -> ClassReport | None:
    """The class of a block; null for those of a workload or of the policy."""
    keys = dict(_KEY.findall(text))
    for name, kind in (("SERVICE CLASS", SERVICE), ("REPORT CLASS", REPORT)):
        if name in keys:
            report = ClassReport(keys[name], kind, keys.get("WORKLOAD", ""))
            _add_keys(report, text)
            return report
    return None


def _add_keys(report: ClassReport, text: str) -> None:
    keys = dict(_KEY.findall(text))
    report.period = count(keys.get("PERIOD"))
    report.importance = count(keys.get("IMPORTANCE"))


def _read_fields(report: ClassReport, groups: list[tuple[int, str]], text: str) -> None:
    if "ALL DATA ZERO" in text.upper():
        report.zero = True
    for found in _FIELD.finditer(text):
        before = [name for at, name in groups if at <= found.start() + _SLACK]
        if before:
            _set(report, before[-1], found[1], found[2])


def _set(report: ClassReport, group: str, label: str, value: str) -> None:
    if group == "TRANSACTIONS" and label == "ENDED":
        report.transactions = count(value)
    elif group.startswith("TRANS") and label == "ACTUAL":
        seconds = 0.0 if value == "0" else clock_seconds(value)
        report.response_ms = None if seconds is None else seconds * 1000
    elif group.startswith("SERVICE ") and label in _TIMES:
        report.times[_TIMES[label]] = scaled(value)
        if label in ("CPU", "TCB"):
            report.digits = len(value.partition(".")[2])
    elif group.startswith("APPL"):
        report.appl[label] = number(value)
