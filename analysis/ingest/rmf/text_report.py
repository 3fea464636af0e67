"""Text reports of the RMF Postprocessor, with or without ASA control characters.

CPU ACTIVITY with its PARTITION DATA REPORT, WORKLOAD ACTIVITY, DIRECT ACCESS DEVICE
ACTIVITY and overview reports are decoded; others are counted. Times are local and name
no zone; the order of dates is that of the installation. Layouts: figures of z/OS RMF
Report Analysis. Headings and labels become those of the same report in XML.

A page begins with a title in spaced letters. The first column may hold ASA carriage
control (``1`` begins a page), or may have been cut off by a download. Headings name a
system or a sysplex and either DATE, TIME and INTERVAL, or START, END and INTERVAL.
Releases and downloads shift columns, so no position is fixed: each word of a line
belongs to the heading that it stands under, or that is nearest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
    length_seconds,
    local_time,
    number,
    window,
)
from analysis.ingest.rmf.report import Report, ReportPart
from analysis.ingest.rmf.tables import OVERVIEW, add_report
from analysis.ingest.rmf.wlm import ALL_ZERO, POLICY

__all__ = ["DATE_ORDERS", "FORMAT", "TITLE", "read", "recognise"]

FORMAT = "rmf_text"
TITLE = "RMF Postprocessor report (text)"
TESTED = "figures of IBM's book z/OS RMF Report Analysis"
CPU = "CPU ACTIVITY"
_DEVICE = "DEV NUM"
_NO_TOTAL = remark(
    "no_total_of_cpus",
    "the lines of the CPUs end without TOTAL/AVERAGE: the report is left out",
)
Line = tuple[int, str]
Place = tuple[str, int, int]  # a word or heading, its begin and its end
_LONGEST = 4096
_HEADING = 6  # lines below a title that may belong to the heading
_FAR = 12  # characters beyond which a word is under no heading


def recognise(head: bytes) -> bool:
    """Whether the first lines hold a spaced title above a heading of RMF."""
    upper = head.upper()  # most files are told apart by this, without a search
    if b"SYSTEM ID" not in upper and b"SYSPLEX" not in upper:
        return False
    lines = upper.decode("latin-1").splitlines()
    return any(
        any(_title_of(above.removeprefix("1")) for above in lines[max(at - 4, 0) : at])
        for at, line in enumerate(lines)
        if "SYSTEM ID " in line or "SYSPLEX " in line
    )


def _title_of(line: str) -> str:
    """``CPU ACTIVITY`` of a line with these letters spaced; ``""`` of others."""
    line = line.strip()
    if line[1:2].strip():
        return ""  # as most lines are
    words = line.split()
    if len(words) > 2 and words[-2].upper() == "PAGE" and words[-1].isdigit():
        line = line[: line.upper().rindex("PAGE")].rstrip()
    groups = [group for part in line.split("  ") if (group := part.strip())]
    if any(len(group) % 2 == 0 or group[1::2].strip() for group in groups):
        return ""
    title = " ".join(group[::2] for group in groups)
    letters = "".join(c if c.isascii() and c.isalpha() else " " for c in title).split()
    enough = len(title) >= 6 and any(len(word) >= 3 for word in letters)
    return title.upper() if enough else ""


def _labelled(text: str, label: str) -> str:
    """The word behind a label and blanks, ``=`` or ``:``; empty where there is none."""
    upper, at = f" {text.upper()}", 0
    while (at := upper.find(f" {label}", at)) >= 0:
        at += len(label) + 1
        rest = text[at - 1 :]
        words = rest.lstrip(" =:").split(None, 1)
        if words and (rest[0] in "=:" or rest[0].isspace()):
            return words[0]
    return ""


def _is_hexadecimal(text: str) -> bool:
    """Whether a text has hexadecimal digits alone."""
    return set(text.upper()) <= set("0123456789ABCDEF")


def _placed(text: str) -> list[Place]:
    """The words of a line with their places."""
    words, at = [], 0
    for word in text.split():
        begin = text.index(word, at)
        at = begin + len(word)
        words.append((word, begin, at))
    return words


@dataclass(frozen=True)
class _Columns:
    """Names of columns with the places of their headings, from left to right."""

    places: tuple[Place, ...]

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(name for name, _, _ in self.places)

    def cells(self, line: str, first: int = 0) -> dict[str, str]:
        """The words of a line, from the place ``first`` on, by column; words of one
        column are joined."""
        cells: dict[str, str] = {}
        for word, begin, end in _placed(line):
            if begin >= first and (name := self._nearest(begin, end)):
                cells[name] = f"{cells[name]} {word}" if name in cells else word
        return cells

    def _nearest(self, begin: int, end: int) -> str:
        def rank(place: Place) -> tuple[int, int]:
            gap = max(place[1] - end, begin - place[2], 0)
            return gap, abs(place[1] + place[2] - begin - end)

        place = min(self.places, key=rank)
        return place[0] if rank(place)[0] <= _FAR else ""


def _columns(heading: str, names: str) -> _Columns:
    """Where these headings stand, in this order, with ``|`` between them; absent ones
    are left out. ``NUM=CPU Number`` is the heading NUM of a column with the other name,
    and a name that is there again gets a number: TRANS, TRANS 2."""
    words, places, at = _placed(heading.upper()), [], 0
    texts = [word for word, _, _ in words]
    listed = names.split("|")
    for nth, name in enumerate(listed):
        printed, _, known = name.partition("=")
        again = listed[:nth].count(name)
        wanted = printed.split()
        for begin in range(at, len(words) - len(wanted) + 1):
            at_end = begin + len(wanted)
            if texts[begin:at_end] == wanted:
                label = known or (f"{name} {again + 1}" if again else name)
                places.append((label, words[begin][1], words[at_end - 1][2]))
                at = at_end
                break
    return _Columns(tuple(places))


def _stacked(lines: Sequence[str]) -> _Columns:
    """The columns of several lines of headings, each read from its upper word down.

    The line with the most words has one for each column; words of the others belong to
    the nearest.
    """
    most = max(lines, key=lambda line: len(line.split()))
    places = [
        (str(at), begin, end)
        for at, (_, begin, end) in enumerate(_placed(most.upper()))
    ]
    rows = [_Columns(tuple(places)).cells(line.upper()) for line in lines]
    names = (" ".join(row[at] for row in rows if at in row) for at, _, _ in places)
    return _Columns(
        tuple((name, *place[1:]) for name, place in zip(names, places, strict=True))
    )


def _heading(lines: list[Line], label: str) -> str:
    """What stands behind a label in the heading of a page; empty where it has none."""
    values = (_labelled(text, label) for _, text in lines[:_HEADING])
    return next(filter(None, values), "")


def _window(lines: list[Line], order: str) -> Window:
    """When the interval of a page began, and its length; ``order`` is that of dates."""
    date, time = _heading(lines, "DATE"), _heading(lines, "TIME")
    begin = _heading(lines, "START") or f"{date}-{time}"
    start = local_time(begin, order)
    seconds = length_seconds(_heading(lines, "INTERVAL"))
    if start is None:
        what = f"{begin!r} is no date and time in the order {order}; see --dates"
        return Window(None, seconds, remark("no_date_and_time", what))
    return window(start, local_time(_heading(lines, "END"), order), seconds)


def _pages(raw: Raw) -> Iterator[tuple[str, int, list[Line]]]:
    """The pages of a file, each with its title and the place of that; what stands
    before the first is left out."""
    title, place, lines = "", 0, list[Line]()
    asa = False
    for at, text in _lines(raw):
        begins = text[:1] == "1" and text[1:2].isspace()
        if following := _title_of(text[1:] if begins else text):
            if title:
                yield title, place, lines
            title, place, lines, asa = following, at, [], begins
        else:
            lines.append((at, " " + text[1:] if asa else text))
    if title:
        yield title, place, lines


def _lines(raw: Raw) -> Iterator[Line]:
    line = 1
    with raw.open("rb") as file:
        while piece := file.readline(_LONGEST):
            text = piece.decode("utf-8", errors="replace")
            yield line, text.rstrip("\r\n").replace("\f", " ").expandtabs()
            line += piece.endswith(b"\n")


@dataclass
class _Printed(Report):
    """A report whose pages are still being read: its lines, and those of its CPUs
    (where, whether it is a total, and its cells). ``keys`` are its CPUs or devices: a
    page with one of them begins the report anew."""

    lines: list[Line] = field(default_factory=list)
    cpus: list[tuple[int, bool, dict[str, str]]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)

    def takes(self, page: _Printed) -> bool:
        """Whether the page is one more of this report, which it is added to."""
        names = (page.name, page.system, page.window)
        if names != (self.name, self.system, self.window) or page.keys & self.keys:
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
    report: _Printed | None = None
    for title, place, lines in _pages(raw):
        name, read_lines = _PAGES.get(title, (title, None))
        system = _heading(lines, "SYSTEM ID")
        if read_lines is None:
            to.reports[name] += 1
            to.undecoded.add(name)
            to.see_system(system)
            continue
        _tell_comma(lines, to)
        system = system or _heading(lines, "SYSPLEX")
        more = _Printed(name, system, _window(lines, dates), place, lines=lines)
        more.is_overview = name == OVERVIEW
        read_lines(more)
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
    report: _Printed | None, dates: str, to: Collector, is_last: bool = False
) -> None:
    """Make the rows of a report whose pages have all been read."""
    if report is None:
        return
    report.content = "\n".join(text for _, text in report.lines).encode()
    flaw = None
    if report.name == CPU:
        cpus, flaw = _cpu_table(report)
        report.parts += [cpus, ReportPart(values=_machine(report.lines))]
    if flaw is None:
        add_report(report, to, dates)
        return
    to.reports[CPU] += 1
    if to.begin(report):
        tell = to.broken_off if is_last and flaw[0] is _NO_TOTAL else to.lost
        tell(*flaw)


def _below(
    lines: list[Line], begin: str, names: str = ""
) -> Iterator[tuple[int, str, _Columns]]:
    """The lines below headings that begin so, with their columns: those of ``names``,
    or one a word."""
    heads: _Columns | None = None
    for at, text in lines:
        if " ".join(text.upper().split()).startswith(f"{begin} "):
            heads = _columns(text, names or "|".join(text.upper().split()))
        elif heads and text.strip(" -"):
            yield at, text, heads


def _read_cpus(report: _Printed) -> None:
    """The lines of the table of CPUs, with the totals that close each type."""
    names = (
        "NUM=CPU Number|TYPE|ONLINE|LPAR BUSY|MVS BUSY|PARKED|PROD|UTIL|SHARE %|RATE|"
        "% VIA TPI"
    )
    for at, text, heads in _below(report.lines, "NUM TYPE", names):
        upper = text.upper()
        if "ADDRESS SPACE" in upper:
            break
        before, word, _ = upper.partition("AVERAGE")
        is_total = bool(word) and before.replace(" ", "") == "TOTAL/"
        first = len(before) + len("AVERAGE:") if is_total else 0
        report.cpus.append((at, is_total, heads.cells(text, first)))
        if upper.split()[1:2] in (["CP"], ["IIP"], ["AAP"]):
            report.keys.add(" ".join(upper.split()[:2]))


def _cpu_table(report: _Printed) -> tuple[ReportPart, tuple[Remark, int] | None]:
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
        if 0 < len(number_) <= 4 and _is_hexadecimal(number_) and kind.isalpha():
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
            value = _labelled(text, label)
            if value and (
                name != "CPU" or (len(value) == 4 and _is_hexadecimal(value))
            ):
                values[name] = value
    return values


_AT_BEGIN = ("CPU", "Model", "Release")  # labels that are parts of others, too


def _read_partitions(report: _Printed) -> None:
    """The lines of partitions. The type of CPUs stands on the first ones of a type."""
    names = (
        "NAME=Partition Name|S|BT|WGT=Partition Weight|DEF|ACT|DEF=Capping|WLM%|"
        "NUM=Num of LOG PROCs|TYPE=PROC Type|EFFECTIVE=Effective Dispatch Time|"
        "TOTAL=Total Dispatch Time|EFFECTIVE=LOG PROC|TOTAL=LOG PROC Total|LPAR MGMT"
    )
    part = ReportPart(heads=tuple(each.split("=")[-1] for each in names.split("|")))
    report.parts.append(part)
    kind = ""
    for _, text, heads in _below(report.lines, "NAME S", names):
        cells = heads.cells(text)
        name = cells.get("Partition Name", "").split(" ")[0]
        kind = cells.get("PROC Type") or kind
        is_time = clock_seconds(cells.get("Total Dispatch Time")) is not None
        if name and kind and is_time and name.upper() != "TOTAL":
            cells |= {"Partition Name": name, "PROC Type": kind}
            part.rows.append([cells.get(head, "") for head in part.heads])


def _read_devices(report: _Printed) -> None:
    """The lines of devices below each table's headings, which stand above each other in
    two or three lines. Lines without the number of a device, such as those of a storage
    group or of a logical control unit, are sums."""
    heads: _Columns | None = None
    part, above = ReportPart(), list[str]()
    for at, text in report.lines:
        letters = text.replace("%", "").replace(" ", "")
        if letters.isascii() and letters.isalpha() and letters.isupper():
            above.append(text)
            continue
        if above:
            heads, above = _stacked(above), []
            part = ReportPart(heads=heads.heads)
            report.parts.append(part)
        if heads and _DEVICE in part.heads:
            cells = heads.cells(text)
            device = cells.get(_DEVICE, "")
            if len(device) in (4, 5) and _is_hexadecimal(device):
                part.rows.append([cells.get(head, "") for head in part.heads])
                part.places.append(at)
                report.keys.add(device)


def _read_overview(report: _Printed) -> None:
    """The lines of an overview, below the names of their conditions."""
    for at, text, heads in _below(report.lines, "DATE TIME"):
        words = _placed(text)
        if len(words) > 2 and words[0][0][:2].isdigit():
            cells = heads.cells(text, words[2][2])
            rest = [cells.get(head, "") for head in heads.heads[3:]]
            row = [*(word for word, _, _ in words[:3]), *rest]
            part = ReportPart(heads=heads.heads, rows=[row], places=[at])
            report.parts.append(part)


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


def _read_classes(report: _Printed) -> None:
    """The classes, and the policy with its factors and systems.

    Blocks of groups stand side by side, each with a title above lines of a label and a
    value; before V2R3 there is one block, after it service and resources have their
    own."""
    policy = ReportPart(POLICY, heads=("System ID",))
    report.parts.append(policy)
    section: dict[str, ReportPart] = {}  # its parts by their names
    groups: list[tuple[int, str]] = []
    in_systems = False
    for at, text in report.lines:
        if "REPORT BY:" in text:
            section, groups = _section(at, text), []
            report.parts += section.values()
        elif section and "Period" not in section[""].values and " PERIOD=" in text:
            section[""].values |= _keys(text)
        if titles := _titles(text):
            groups = titles
        elif section:
            known = len(section)
            _read_figures(section, groups, text)
            report.parts += [*section.values()][known:]
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
    values = {title: _labelled(text, title.upper()) for title in titles}
    return {title: value for title, value in values.items() if value}


def _titles(text: str) -> list[tuple[int, str]]:
    """Where the groups of a line of titles begin, and their titles, empty for others;
    none where it is no such line."""
    titles: list[tuple[int, str]] = []
    last, last_end = "-", 0
    for word, begin, end in _placed(text):
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
    for (label, begin, _), (value, _, _) in pairwise(_placed(text)):
        titles = [title for at, title in groups if at <= begin + _SLACK]
        name, labels = _GROUPS.get(titles[-1] if titles else "", ("", {}))
        if label in labels and set(value.rstrip("KMG")) <= _VALUE:
            part = ReportPart(first.section, first.number, name)
            section.setdefault(name, part).values[labels[label]] = value


# Of which report a page is, by its title, and how its lines are read.
_PAGES: dict[str, tuple[str, Callable[[_Printed], None] | None]] = {
    CPU: (CPU, _read_cpus),
    "PARTITION DATA REPORT": (CPU, _read_partitions),
    "WORKLOAD ACTIVITY": ("WORKLOAD ACTIVITY", _read_classes),
    "DIRECT ACCESS DEVICE ACTIVITY": ("DIRECT ACCESS DEVICE ACTIVITY", _read_devices),
    "RMF OVERVIEW REPORT": (OVERVIEW, _read_overview),
    "OVERVIEW REPORT": (OVERVIEW, _read_overview),
}
