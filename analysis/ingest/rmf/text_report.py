"""Text reports of the RMF Postprocessor, with or without ASA control characters.

CPU ACTIVITY with its PARTITION DATA REPORT, WORKLOAD ACTIVITY, DIRECT ACCESS DEVICE
ACTIVITY and overview reports are decoded; others are counted. Times are local and name
no zone; the order of dates is that of the installation. Layouts: figures of z/OS RMF
Report Analysis. Headings and labels become those of the same report in XML.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from analysis.facts.remark import Remark, remark
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.rmf.collect import Collector, collector
from analysis.ingest.rmf.cpu import MACHINE
from analysis.ingest.rmf.figures import (
    DATE_ORDERS,
    MDY,
    Window,
    clock_seconds,
    figure_with_comma,
    number,
)
from analysis.ingest.rmf.report import Report, ReportPart
from analysis.ingest.rmf.tables import OVERVIEW, add_report
from analysis.ingest.rmf.text_pages import (
    Line,
    TextColumns,
    columns,
    is_hexadecimal,
    labelled,
    pages,
    placed,
    stacked,
    title_of,
)
from analysis.ingest.rmf.wlm import ALL_ZERO, POLICY

__all__ = ["DATE_ORDERS", "FORMAT", "TITLE", "read", "recognise"]

FORMAT = "rmf_text"
TITLE = "RMF Postprocessor report (text)"
TESTED = "figures of IBM's book z/OS RMF Report Analysis"
SIGNS = ("system", "sysplex")
CPU = "CPU ACTIVITY"
_DEVICE = "DEV NUM"
_NO_TOTAL = remark(
    "no_total_of_cpus",
    "the lines of the CPUs end without TOTAL/AVERAGE: the report is left out",
)


def recognise(head: bytes) -> bool:
    """Whether the first lines hold a spaced title above a heading of RMF."""
    upper = head.upper()  # most files are told apart by this, without a search
    if b"SYSTEM ID" not in upper and b"SYSPLEX" not in upper:
        return False
    lines = upper.decode("latin-1").splitlines()
    return any(
        any(title_of(above.removeprefix("1")) for above in lines[max(at - 4, 0) : at])
        for at, line in enumerate(lines)
        if "SYSTEM ID " in line or "SYSPLEX " in line
    )


@dataclass
class _Pending:
    """The pages of one report, read so far: its lines, parts, and lines of CPUs (where,
    whether it is a total, and its cells). ``keys`` are its CPUs or devices: a page with
    one of them begins the report anew."""

    kind: str
    system: str
    window: Window
    place: int
    lines: list[Line]
    parts: list[ReportPart] = field(default_factory=list)
    cpus: list[tuple[int, bool, dict[str, str]]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)

    def takes(self, page: _Pending) -> bool:
        """Whether the page is one more of this report, which it is added to."""
        names = (page.kind, page.system, page.window)
        if names != (self.kind, self.system, self.window) or page.keys & self.keys:
            return False
        self.lines += page.lines
        self.parts += page.parts
        self.cpus += page.cpus
        self.keys |= page.keys
        return True


def read(raw: Raw, zone: str | None = None, dates: str = MDY) -> Reading:
    """The rows of all reports that are decoded; ``position`` is a line.

    ``dates`` is the order of the dates: mdy, dmy or ymd. Without ``zone`` rows have no
    ``start_utc``.
    """
    to = collector(Reading(FORMAT, tool="RMF Postprocessor"), zone, by_line=True)
    report: _Pending | None = None
    for page in pages(raw):
        kind, read_lines = _PAGES.get(page.title, (page.title, None))
        if read_lines is None:
            to.reports[kind] += 1
            to.undecoded.add(kind)
            to.see_system(page.heading("SYSTEM ID"))
            continue
        _tell_comma(page.lines, to)
        window = page.window(dates)
        more = _Pending(kind, page.system, window, page.number, page.lines)
        read_lines(page.lines, more)
        if report is None or not report.takes(more):
            _finish(report, dates, to)
            report = more
    _finish(report, dates, to, is_last=True)
    return to.finish(remark("no_page", "it holds no page of a report"))


def _tell_comma(lines: list[Line], to: Collector) -> None:
    """Tell the first figure of a page that has a comma."""
    for at, text in lines:
        if "," in text and (comma := figure_with_comma(text, " ", " ")):
            to.lost_to_comma(comma[0], at)
            return


def _finish(
    report: _Pending | None, dates: str, to: Collector, is_last: bool = False
) -> None:
    """Make the rows of a report whose pages have all been read."""
    if report is None:
        return
    flaw = None
    if report.kind == CPU:
        cpus, flaw = _cpu_table(report)
        report.parts += [cpus, ReportPart(values=_machine(report.lines))]
    made = Report(
        report.kind,
        report.system,
        report.window,
        report.place,
        "\n".join(text for _, text in report.lines).encode(),
        report.parts,
        is_overview=report.kind == OVERVIEW,
    )
    if flaw is None:
        add_report(made, to, dates)
    elif to.begin(made) is not None:
        tell = to.broken_off if is_last and flaw[0] is _NO_TOTAL else to.lost
        tell(*flaw)


def _read_cpus(lines: list[Line], to: _Pending) -> None:
    """The lines of the table of CPUs, with the totals that close each type."""
    heads: TextColumns | None = None
    for at, text in lines:
        upper = text.upper()
        words = upper.split()
        if words[:2] == ["NUM", "TYPE"] and "LPAR BUSY" in " ".join(words):
            heads = columns(
                text,
                "NUM=CPU Number|TYPE|ONLINE|LPAR BUSY|MVS BUSY|PARKED|PROD|UTIL|"
                "SHARE %|RATE|% VIA TPI",
            )
        elif "ADDRESS SPACE" in upper:
            heads = None
        elif heads and text.replace("-", "").strip():
            before, word, _ = upper.partition("AVERAGE")
            is_total = bool(word) and before.replace(" ", "") == "TOTAL/"
            first = len(before) + len("AVERAGE:") if is_total else 0
            to.cpus.append((at, is_total, heads.cells(text, first)))
        if words[1:2] in (["CP"], ["IIP"], ["AAP"]):
            to.keys.add(" ".join(words[:2]))


def _cpu_table(report: _Pending) -> tuple[ReportPart, tuple[Remark, int] | None]:
    """The CPUs, whose numbers are hexadecimal, and with multithreading the further
    threads of cores, which have neither number nor type; and why and where CPUs are
    missing, so that averages would be of the others alone."""
    names = ("CPU Number", "TYPE", "ONLINE", "LPAR BUSY", "MVS BUSY", "PARKED")
    part = ReportPart(heads=names)
    core: dict[str, str] = {}
    open_line: int | None = None  # in a table that has no total yet
    odd_line: int | None = None
    for at, is_total, cells in report.cpus:
        number_, kind = cells.get("CPU Number", ""), cells.get("TYPE", "")
        if is_total:
            if core:
                cells["TYPE"] = core["TYPE"]
                part.totals.append([cells.get(name, "") for name in names])
            open_line = None
            continue
        if 0 < len(number_) <= 4 and is_hexadecimal(number_) and kind.isalpha():
            core = cells = {"ONLINE": "100.00"} | cells
        elif core and {"MVS BUSY", "PARKED"} <= cells.keys() <= _OF_THREAD:
            cells = {name: core[name] for name in ("TYPE", "ONLINE")} | cells
        else:
            odd_line = odd_line or (None if open_line is None else at)
            continue
        part.rows.append([cells.get(name, "") for name in names])
        open_line = at
    if odd_line is None:
        return part, None if open_line is None else (_NO_TOTAL, open_line)
    what = "a line among those of the CPUs is not understood: the report is left out"
    return part, (remark("odd_line_of_cpus", what), odd_line)


_OF_THREAD = {"ONLINE", "MVS BUSY", "PARKED", "RATE", "% VIA TPI"}


def _machine(lines: list[Line]) -> dict[str, str]:
    """What the pages of a CPU report say of the machine."""
    values: dict[str, str] = {}
    for _, text in lines:
        for name in MACHINE:
            label = "Z/OS" if name == "Release" else name.upper()
            begins = f"{text} ".lstrip().upper().startswith(f"{label} ")
            if name in values or not (begins or name not in _AT_BEGIN):
                continue
            value = labelled(text, label)
            if value and (name != "CPU" or (len(value) == 4 and is_hexadecimal(value))):
                values[name] = value
    return values


_AT_BEGIN = ("CPU", "Model", "Release")  # labels that are parts of others, too


def _read_partitions(lines: list[Line], to: _Pending) -> None:
    """The lines of partitions. The type of CPUs stands on the first ones of a type."""
    heads: TextColumns | None = None
    part, kind = ReportPart(), ""
    for _, text in lines:
        words = text.upper().split()
        if words[:2] == ["NAME", "S"] and "TYPE EFFECTIVE" in " ".join(words):
            heads = columns(
                text,
                "NAME=Partition Name|S|BT|WGT=Partition Weight|DEF|ACT|DEF=Capping|"
                "WLM%|NUM=Num of LOG PROCs|TYPE=PROC Type|"
                "EFFECTIVE=Effective Dispatch Time|TOTAL=Total Dispatch Time|"
                "EFFECTIVE=LOG PROC|TOTAL=LOG PROC Total|LPAR MGMT",
            )
            part = ReportPart(heads=heads.heads)
            to.parts.append(part)
        elif heads:
            cells = heads.cells(text)
            name = cells.get("Partition Name", "").split(" ")[0]
            kind = cells.get("PROC Type") or kind
            is_time = clock_seconds(cells.get("Total Dispatch Time")) is not None
            if name and kind and is_time and name.upper() != "TOTAL":
                cells |= {"Partition Name": name, "PROC Type": kind}
                part.rows.append([cells.get(head, "") for head in part.heads])


def _read_devices(lines: list[Line], to: _Pending) -> None:
    """The lines of devices below each table's headings, which stand above each other in
    two or three lines. Lines without the number of a device, such as those of a storage
    group or of a logical control unit, are sums."""
    heads: TextColumns | None = None
    part, above = ReportPart(), list[str]()
    for at, text in lines:
        letters = text.replace("%", "").replace(" ", "")
        if letters.isascii() and letters.isalpha() and letters.isupper():
            above.append(text)
            continue
        if above:
            heads, above = stacked(above), []
            part = ReportPart(heads=heads.heads)
            to.parts.append(part)
        if heads and _DEVICE in part.heads:
            cells = heads.cells(text)
            device = cells.get(_DEVICE, "")
            if len(device) in (4, 5) and is_hexadecimal(device):
                part.rows.append([cells.get(head, "") for head in part.heads])
                part.places.append(at)
                to.keys.add(device)


def _read_overview(lines: list[Line], to: _Pending) -> None:
    """The lines of an overview, below the names of their conditions."""
    heads: TextColumns | None = None
    part = ReportPart()
    for at, text in lines:
        words = placed(text.upper())
        texts = [word for word, _, _ in words]
        if texts[:2] == ["DATE", "TIME"]:
            heads = TextColumns(tuple(words))
            part = ReportPart(heads=heads.heads)
            to.parts.append(part)
        elif heads and len(words) > 2 and texts[0][:2].isdigit():
            cells = heads.cells(text, words[2][2])
            rest = [cells.get(head, "") for head in part.heads[3:]]
            part.rows.append(texts[:3] + rest)
            part.places.append(at)


# Groups of WORKLOAD ACTIVITY: the name of their part in XML, and their labels there.
_TIMES = {
    **{name: name for name in ("CPU", "SRB", "RCT")},
    "TCB": "CPU",
    "IIT": "I/O Interrupt",
    "HST": "Hiperspace",
    "IIP": "zIIP",
    "AAP": "zAAP",
}
_SHARES = {
    "CP": "CP",
    "IIPCP": "zIIP on CP",
    "AAPCP": "zAAP on CP",
    "IIP": "zIIP",
    "AAP": "zAAP",
}
_GROUPS: dict[str, tuple[str, dict[str, str]]] = {
    "TRANSACTIONS": ("Transactions", {"ENDED": "Ended"}),
    "TRANS-TIME": ("Transaction Time", {"ACTUAL": "Actual"}),
    "TRANS.-TIME": ("Transaction Time", {"ACTUAL": "Actual"}),
    "SERVICE TIME": ("Service Time", _TIMES),
    "SERVICE RATES": ("Service Time", _TIMES),
    "APPL": ("Application Time %", _SHARES),
    **dict.fromkeys(("TRANS-APPL%", "ENCLAVES", "DASD I/O", "SERVICE"), ("", {})),
    **dict.fromkeys(("PROMOTED", "STORAGE", "PAGE-IN"), ("", {})),
}
_VALUE = set("0123456789.,:/NA-*")
_SLACK = 2  # a label may stand this far before the title of its group


def _read_classes(lines: list[Line], to: _Pending) -> None:
    """The classes, and the policy with its factors and systems.

    Blocks of groups stand side by side, each with a title above lines of a label and a
    value; before V2R3 there is one block, after it service and resources have their
    own."""
    policy = ReportPart(POLICY, heads=("System ID",))
    to.parts.append(policy)
    section: dict[str, ReportPart] = {}  # its parts by their names
    groups: list[tuple[int, str]] = []
    in_systems = False
    for at, text in lines:
        if "REPORT BY:" in text:
            section, groups = _section(at, text), []
            to.parts += section.values()
        elif section and "Period" not in section[""].values and " PERIOD=" in text:
            section[""].values |= _keys(text)
        if titles := _titles(text):
            groups = titles
        elif section:
            known = len(section)
            _read_figures(section, groups, text)
            to.parts += [*section.values()][known:]
        words = text.replace(":", " ").replace("=", " ").upper().split()
        for name, value in pairwise(words if "FACTOR" in words else ()):
            if name in ("IIP", "AAP") and number(value) is not None:
                policy.values[f"z{name} Normalization Factor"] = value
        if words[1:2] == ["OPT"] and words[0].strip("-") == "ID":
            in_systems = True
        elif in_systems and words:
            policy.rows.append([text.split()[0]])
        else:
            in_systems = False


def _section(at: int, text: str) -> dict[str, ReportPart]:
    """The section of a class with its first part; none for a workload or a policy."""
    values = _keys(text)
    for title in ("Service Class", "Report Class"):
        if title in values:
            return {
                "": ReportPart(f"{title} {values[title]}", at, "", values, place=at)
            }
    return {}


def _keys(text: str) -> dict[str, str]:
    titles = ("Workload", "Service Class", "Report Class", "Period", "Importance")
    values = {title: labelled(text, title.upper()) for title in titles}
    return {title: value for title, value in values.items() if value}


def _titles(text: str) -> list[tuple[int, str]]:
    """Where the groups of a line of titles begin, and their titles, empty for others;
    none where it is no such line."""
    titles: list[tuple[int, str]] = []
    last, last_end = "-", 0
    for word, begin, end in placed(text):
        if begin - last_end > 1 or "-" in (word[0], last[-1]):
            titles.append((begin, word))
        else:
            titles[-1] = titles[-1][0], f"{titles[-1][1]} {word}"
        last, last_end = word, end
    groups = [
        (at, next((name for name in _GROUPS if title.strip("- ").startswith(name)), ""))
        for at, title in titles
    ]
    return groups if sum(bool(name) for _, name in groups) > 1 else []


def _read_figures(
    section: dict[str, ReportPart], groups: list[tuple[int, str]], text: str
) -> None:
    """Put the figures of a line into the parts of the section."""
    first = section[""]
    if "ALL DATA ZERO" in text.upper():
        section[ALL_ZERO] = ReportPart(first.section, first.number, ALL_ZERO)
    for (label, begin, _), (value, _, _) in pairwise(placed(text)):
        titles = [title for at, title in groups if at <= begin + _SLACK]
        name, labels = _GROUPS.get(titles[-1] if titles else "", ("", {}))
        if label in labels and set(value.rstrip("KMG")) <= _VALUE:
            part = ReportPart(first.section, first.number, name)
            section.setdefault(name, part).values[labels[label]] = value


# Of which report a page is, by its title, and how its lines are read.
_PAGES: dict[str, tuple[str, Callable[[list[Line], _Pending], None] | None]] = {
    CPU: (CPU, _read_cpus),
    "PARTITION DATA REPORT": (CPU, _read_partitions),
    "WORKLOAD ACTIVITY": ("WORKLOAD ACTIVITY", _read_classes),
    "DIRECT ACCESS DEVICE ACTIVITY": ("DIRECT ACCESS DEVICE ACTIVITY", _read_devices),
    "RMF OVERVIEW REPORT": (OVERVIEW, _read_overview),
    "OVERVIEW REPORT": (OVERVIEW, _read_overview),
}
