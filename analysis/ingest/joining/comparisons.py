"""What is declared, held against what the files of a campaign say.

:data:`COMPARISONS` is all of it, from top to bottom. A contradiction is an error with
both places; a hint is a problem of the file, of which ``ingest`` warns.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import CAMPAIGN_FILE, RUNS_FILE, byte_sizes
from analysis.errors import Issue, Place
from analysis.facts.remark import remark
from analysis.ingest.campaign.choose_test import is_untold, together, unlike
from analysis.ingest.clock import utc_text, zone_info
from analysis.ingest.detect import FORMATS
from analysis.ingest.joining import statements
from analysis.ingest.joining.assign import CampaignReading, Frames
from analysis.ingest.joining.attached import (
    assigned,
    contents,
    copied_file,
    copied_log,
    counted_alike,
    counts,
    other_label,
    other_server,
    servers,
)
from analysis.ingest.joining.statements import (
    CpuCount,
    DeclaredEntry,
    Differences,
    Entries,
    RawEvidence,
    Statement,
)
from analysis.ingest.kinds import kind_of
from analysis.ingest.reading import Problem, Problems

OTHERWISE = "declared_otherwise"  # the kind of a hint
LEAST_HEADERS = 40  # bytes that IPv4 and TCP add to a segment; IPv6 adds 20 more
MOST_HEADERS = 100  # with IPv6 and all options of TCP
_BOUND_BY_WINDOW = 16384  # a larger segment may be half of a window, as on loopback
_LATE = dt.timedelta(seconds=1)  # clocks of drivers are no better, nor starts of logs
_MORE = 1.05  # requests that a gateway may count beside those of the load
_RELEASE = re.compile(r"(?<!\d)(\d+)[.R](\d+)")  # 3.2, V3R2
_ADAPTER = re.compile(r"\b(OSA|OSD|OSH|Network Express)\b")
_MEMORY = {"IPAQIDIO": "HiperSockets"}  # interfaces that are no adapter
_CPS = re.compile(r"CP(?:U)?s(?: of .*)?$")
_TYPE = re.compile(r"\b(\d{4})-\w{3}\b")  # of a CPC: 9175-ME1
_TYPES = {  # of the CPCs that a name stands for
    "z17": ("9175",), "z16": ("3931", "3932"), "z15": ("8561", "8562"),
    "z14": ("3906", "3907"), "z13": ("2964", "2965"), "zEC12": ("2827",),
    "zBC12": ("2828",), "z196": ("2817",), "z114": ("2818",), "z10": ("2097", "2098"),
    "z9": ("2094", "2096"), "z990": ("2084",), "z890": ("2086",), "z900": ("2064",),
    "z800": ("2066",),
}  # fmt: skip
_COMMON_MTUS = (1500, 9000, 1492, 8992, 1280)  # the commonest first
_HEADERS = (40, 52, 60, 72)  # of IPv4 and of IPv6, without and with times of TCP
_CPC = re.compile(rf"\b(?:{'|'.join(_TYPES)})\b")
_WORDS = {"ab", "contract", "curl", "hey", "openssl", "siege"}  # are no tool in prose

_DECLARATION = "mend the declaration, or name the files of what is declared"
_FILE = "name the file of this run, or mend its start and end"
_ZONE = f"{_FILE}; its clock is in the zone that {CAMPAIGN_FILE} declares"
_LOG = "name the log of this run, or mend the line"
_FILES = "name the files of this run, or mend the line"
COPY = "name the log of each run, or the tests of one log in the column test"
_SPLIT = "mend the line, or put each result that ran alone in a log of its own"
_TOOL = "runs of one tool are repetitions: give the others a configuration of their own"
_RESET = (
    "reset the statistics of the gateway before each run, or take the file out of the "
    "run's column cpu: it counts other requests, too"
)


Statements = dict[str, list[Statement]]  # by what they are about


class Agreement(NamedTuple):
    """What is declared, what files say of it, and how these may differ."""

    of: str
    entries: Callable[[RawEvidence], Entries]
    said: Callable[[RawEvidence], Iterator[Statement]]
    differ: Callable[[DeclaredEntry, list[Statement]], Differences]
    mend: str = _DECLARATION
    is_hint: bool = False


def compare(tables: Frames, read: CampaignReading) -> tuple[list[Issue], Problems]:
    """The contradictions, and the hints by file."""
    evidence = RawEvidence(tables, read)
    found = list(_differences(evidence))
    if not found:
        return [], []
    folder = read.checked.folder
    node = load_yaml(folder / CAMPAIGN_FILE)[1]
    issues, hints = [], []
    for comparison, entry, said, words in found:
        line = entry.line or line_of(node, entry.keys)
        declared_in = RUNS_FILE if entry.line else CAMPAIGN_FILE
        at = evidence.place(said)
        if comparison.is_hint:
            where = f"{declared_in}:{line}: {entry.text}"
            hint = remark(OTHERWISE, declared=where, what=words)
            hints.append((said.file, Problem(hint, at.line, at.offset)))
        else:
            what = f"{entry.text}, but {at} {words}"
            place = Place(str(folder / declared_in), line)
            issues.append(Issue(what, place, comparison.mend))
    issues.sort(key=_in_order)
    return issues, hints


def _in_order(issue: Issue) -> tuple[str, int]:
    where = issue.where or Place("")
    return where.file, where.line or 0


def _differences(
    of: RawEvidence,
) -> Iterator[tuple[Agreement, DeclaredEntry, Statement, str]]:
    """All that the comparisons find; what is declared and said is gathered once."""
    known = {said: _by_about(said(of)) for said in {c.said for c in COMPARISONS}}
    needed = {c.entries for c in COMPARISONS if known[c.said]}
    declared = {entries: list(entries(of)) for entries in needed}
    for comparison in COMPARISONS:
        about = known[comparison.said]
        for entry in declared[comparison.entries] if about else ():
            if said := about.get(entry.about):
                for statement, words in comparison.differ(entry, said):
                    yield comparison, entry, statement, words


def _by_about(said: Iterator[Statement]) -> Statements:
    about: Statements = defaultdict(list)
    for statement in said:
        about[statement.about].append(statement)
    return about


# Systems


def _cps(of: RawEvidence) -> Entries:
    """About the machine; ``more`` has the CPs of all systems on it."""
    systems = of.campaign.systems
    on: dict[str, int] = defaultdict(int)
    for id, system in systems.items():
        on[system.host or id] += system.cps
    for id, system in systems.items():
        machine = system.host or id
        keys = ("systems", id, "cps")
        more = {"divided": system.host is not None, "all": on[machine]}
        yield DeclaredEntry(
            machine, f"cps is {system.cps}", system.cps, keys, more=more
        )


def _cps_of_system(of: RawEvidence) -> Entries:
    for id, system in of.campaign.systems.items():
        yield DeclaredEntry(
            id, f"cps is {system.cps}", system.cps, ("systems", id, "cps")
        )


def _other_count(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    if not _may_be_part(entry, said):
        yield from _count_differs(entry, said)


def _perhaps_part(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    if _may_be_part(entry, said):
        yield from _count_differs(entry, said)


def _may_be_part(entry: DeclaredEntry, said: list[Statement]) -> bool:
    """Whether the systems on a machine may divide its CPUs among them."""
    counts: list[CpuCount] = [one.value for one in said]
    fits = entry.more["all"] <= max(count.most for count in counts)
    return entry.more["divided"] and fits and not any(c.of_lpar for c in counts)


def _count_differs(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    """CPUs that were varied may be any number between."""
    least = math.floor(min(one.value.least for one in said))
    most = math.ceil(max(one.value.most for one in said))
    if not least <= entry.value <= most:
        one = said[0]
        yield one, f"tells of {one.value.most:g} CPUs of {one.about}"


def _more_used(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    most = max(said, key=lambda one: one.value)
    if most.value > entry.value:
        yield most, f"tells that {entry.about} ran on {most.value} CPUs"


def _numbers_of_cps(of: RawEvidence) -> Entries:
    """Details and hardware that tell numbers of CPs or CPUs."""
    campaign = of.campaign
    for name, value in campaign.hardware.items():
        if numbers := _cps_in(name, str(value)):
            yield DeclaredEntry("", f"{name} is {value}", numbers, ("hardware", name))
    for id, configuration in campaign.configurations.items():
        for name, value in configuration.details.items():
            keys = ("configurations", id, "details", name)
            if numbers := _cps_in(name, str(value)):
                yield DeclaredEntry(id, f"{name} is {value}", numbers, keys)


def _cps_in(name: str, value: str) -> set[int]:
    pattern = r"\b\d{1,4}\b" if _CPS.match(name) else r"\b(\d{1,4}) (?:CPs|CPUs)\b"
    return set(map(int, re.findall(pattern, value)))


def _other_number(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    counts = {one.value for one in said}
    if not any(abs(count - number) < 1 for count in counts for number in entry.value):
        in_runs = f" in runs of {entry.about}" if entry.about else ""
        yield said[0], f"tells of {said[0].value:g} CPUs{in_runs}"


def _dedicated(of: RawEvidence) -> Entries:
    for id, system in of.campaign.systems.items():
        if "dedicated" in system.model_fields_set:
            text = f"dedicated is {str(system.dedicated).lower()}"
            keys = ("systems", id, "dedicated")
            yield DeclaredEntry(system.host or id, text, system.dedicated, keys)


def _other_kind_of_cps(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    if entry.value not in [one.value for one in said]:
        kind = "shared" if entry.value else "dedicated"
        yield said[0], f"tells of {kind} CPs of {entry.about}"


# The campaign


def _kernel(of: RawEvidence) -> Entries:
    for name, value in of.campaign.software.items():
        if name.casefold() == "kernel":
            yield DeclaredEntry(
                "", f"{name} is {value}", str(value), ("software", name)
            )


def _other_kernel(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    for one in said:
        if not (one.value in entry.value or entry.value in one.value):
            yield one, f"tells of {one.value}"
            return


def _tools(of: RawEvidence) -> Entries:
    """The tools that software lists, and those that the method names."""
    software = of.campaign.software
    named = {name: tools for name in software if (tools := _tools_in(name))}
    if named:
        keys = ("software", next(iter(named)))
        yield DeclaredEntry(
            "", f"software has {', '.join(named)}", set().union(*named.values()), keys
        )
    if tools := _tools_in(of.campaign.measured.how):
        text = f"how it was measured names {', '.join(sorted(tools))}"
        yield DeclaredEntry("", text, tools, ("measured", "how"))


def _tools_in(text: str) -> set[str]:
    return set(re.findall(r"[a-z][a-z0-9]+", text.casefold())) & _known_tools()


def _known_tools() -> set[str]:
    """Of benchmarks; a format is a tool, or one form of its logs."""
    formats = [f for f in FORMATS if kind_of(f) in ("bench", "web")]
    names = {"iperf" if f == "iperf2" else f.partition("_")[0] for f in formats}
    return names - _WORDS


def _other_tool(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    """None of the logs is of a tool that is named; ``iperf`` may mean iperf3."""
    used = {one.value for one in said}
    alike = {tool.rstrip("0123456789") for tool in used}
    if used <= _known_tools() and not entry.value & (used | alike):
        yield said[0], f"is a log of {said[0].value}"


def _days(of: RawEvidence) -> Entries:
    measured = of.campaign.measured
    text = f"measured from {measured.start} to {measured.end}"
    zone = zone_info(of.campaign.zone)
    yield DeclaredEntry(
        "",
        text,
        (measured.start, measured.end),
        ("measured", "from"),
        more={"zone": zone},
    )


def _other_day(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    """A day of UTC, or of the campaign's zone."""
    first, last = entry.value
    for one in said:
        start = dt.datetime.fromisoformat(one.value)
        days = (start.date(), start.astimezone(entry.more["zone"]).date())
        if not any(first <= day <= last for day in days):
            yield one, f"tells of a run on {days[1]}"
            return


def _zone(of: RawEvidence) -> Entries:
    measured, zone = of.campaign.measured, zone_info(of.campaign.zone)
    noons = (
        dt.datetime.combine(day, dt.time(12), zone)
        for day in (measured.start, measured.end)
    )
    offsets = {
        (noon.utcoffset() or dt.timedelta()) / dt.timedelta(hours=1) for noon in noons
    }
    yield DeclaredEntry("", f"zone is {of.campaign.zone}", offsets, ("zone",))


def _other_offset(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    for one in said:
        if one.value not in entry.value:
            yield one, f"has a clock that is {one.value:+g} h off UTC"
            return


# Configurations


def _release(of: RawEvidence) -> Entries:
    """That of a configuration, else of the campaign."""
    whole = [n for n in of.campaign.software if n.casefold() == "z/os"][:1]
    for id, configuration in of.campaign.configurations.items():
        own = [n for n in configuration.details if "release" in n.casefold()][:1]
        for name in own or whole:
            value = configuration.details[name] if own else of.campaign.software[name]
            keys = ("configurations", id, "details") if own else ("software",)
            if found := _RELEASE.search(str(value)):
                numbers = (int(found[1]), int(found[2]))
                yield DeclaredEntry(id, f"{name} is {value}", numbers, (*keys, name))


def _other_release(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    if entry.value not in [one.value for one in said]:
        release = ".".join(map(str, said[0].value))
        yield said[0], f"tells of {release} in runs of {entry.about}"


def _cpc(of: RawEvidence) -> Entries:
    """Details that name a CPC by its type, or by a name that stands for types."""
    for id, configuration in of.campaign.configurations.items():
        for name, value in configuration.details.items():
            types = set(_TYPE.findall(str(value)))
            if name.casefold() in ("cpc", "machine", "processor"):
                types |= {t for cpc in _CPC.findall(str(value)) for t in _TYPES[cpc]}
            keys = ("configurations", id, "details", name)
            yield from (
                [DeclaredEntry(id, f"{name} is {value}", types, keys)] if types else []
            )


def cpc_of(machine_type: str) -> str | None:
    """The name of a CPC by its type, such as z17 for 9175."""
    return next((cpc for cpc, of in _TYPES.items() if machine_type in of), None)


def _other_cpc(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    if not entry.value & {one.value for one in said}:
        yield said[0], f"tells of a {said[0].value} in runs of {entry.about}"


def _mtus(of: RawEvidence) -> Entries:
    """Details that are called MTU, and the MTU of a performance model."""
    for id, configuration in of.campaign.configurations.items():
        keys = ("configurations", id)
        for name, value in configuration.details.items():
            sizes = byte_sizes(value) if name.casefold().startswith("mtu") else []
            if sizes:
                yield DeclaredEntry(
                    id, f"{name} is {value}", sizes, (*keys, "details", name)
                )
        if configuration.model and (mtu := configuration.model.mtu):
            yield DeclaredEntry(id, f"mtu is {mtu}", [mtu], (*keys, "model", "mtu"))


def _other_mtu(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    row = said[0].value
    if not {one.value["mtu"] for one in said} & set(entry.value):
        words = f"tells of {row['interface']} with {row['mtu']}"
        yield said[0], f"{words} in runs of {entry.about}"


def mtu_of(mss: int) -> int | None:
    """The MTU that segments of a size belong to, where it is a common one."""
    return next((mtu for mtu in _COMMON_MTUS if mtu - mss in _HEADERS), None)


def _segment_beyond(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    most = max(said, key=lambda one: one.value)
    if most.value + LEAST_HEADERS > max(entry.value):
        needs = f"which needs an MTU of {most.value + LEAST_HEADERS} or more"
        yield most, f"tells of an MSS of {most.value}, {needs}"


def _segment_short(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    least = min(said, key=lambda one: one.value)
    bound = least.value > _BOUND_BY_WINDOW
    if not bound and least.value + MOST_HEADERS < min(entry.value):
        yield least, f"tells of an MSS of {least.value}: no packet was that large"


def _interface(of: RawEvidence) -> Entries:
    for id, configuration in of.campaign.configurations.items():
        if value := configuration.details.get("Interface"):
            keys = ("configurations", id, "details", "Interface")
            yield DeclaredEntry(id, f"Interface is {value}", str(value), keys)


def _other_interface(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    for one in said:
        memory = _MEMORY.get(one.value["kind"] or "")
        if memory and memory not in entry.value and _ADAPTER.search(entry.value):
            words = f"tells of {one.value['interface']}, {memory}"
            yield one, f"{words}, in runs of {entry.about}"
            return


# Runs


def _windows(of: RawEvidence) -> Entries:
    for line in of.lines:
        if line.start and line.end:
            window = (line.start, line.end)
            text = "the run is from {} to {}".format(*map(utc_text, window))
            yield DeclaredEntry(line.run, text, window, line=line.line)


def _beyond_window(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    for one in said:
        first, last = map(dt.datetime.fromisoformat, one.value)
        if entry.value[0] < first - _LATE or entry.value[1] > last + _LATE:
            yield one, "tells of one from {} to {}".format(*one.value)


def _other_time(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    for one in said:
        if begun := one.value["start_utc"]:
            start = dt.datetime.fromisoformat(begun)
            end = start + dt.timedelta(seconds=one.value["seconds"] or 0)
            if start > entry.value[1] + _LATE or end < entry.value[0] - _LATE:
                yield one, f"was written at {begun}, outside of it"


def _other_cpu_time(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    """A file all of whose times are outside: of another run, or of another zone."""
    for one in said:
        begun, last, seconds = one.value
        start, end = map(dt.datetime.fromisoformat, (begun, last))
        end += dt.timedelta(seconds=seconds or 0)
        if start > entry.value[1] + _LATE or end < entry.value[0] - _LATE:
            yield one, f"begins at {begun}, outside of it"


def time_shifts(of: RawEvidence) -> Iterator[float]:
    """How far CPU files are ahead of their runs [h], in quarters of an hour; none of
    those that meet them."""
    said = _by_about(statements.cpu_times(of))
    for entry in _windows(of):
        for one, _ in _other_cpu_time(entry, said.get(entry.about, [])):
            ahead = dt.datetime.fromisoformat(one.value[0]) - entry.value[0]
            yield round(ahead / dt.timedelta(minutes=15)) / 4


def _workloads(of: RawEvidence) -> Entries:
    for line in of.lines:
        work = line.workload
        yield DeclaredEntry(
            line.run, f"the workload is {work.name}", work, line=line.line
        )


def _other_workload(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    for one in said:
        for name in unlike(entry.value, one.value):
            yield one, f"says {name.replace('_', ' ')} {one.value[name]}"


def _other_clients(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    """Rows of one log are added up: together they have the clients of the workload,
    unless they ran one after another."""
    rows = [one.value for one in said]
    clients = together(rows)
    if clients == entry.value.clients:
        return
    if len(rows) == 1 and clients is not None:
        yield said[0], f"says clients {clients}"
    elif clients is not None:
        yield said[0], f"holds {len(rows)} results, of {clients} clients together"
    elif is_untold(rows):
        yield said[0], f"holds {len(rows)} results, not all of which tell their clients"


def _repetitions(of: RawEvidence) -> Entries:
    first: dict[str, int] = {}
    for line in of.lines:
        first.setdefault(statements.repeated(line), line.line)
    for about, number in first.items():
        yield DeclaredEntry(about, f"the runs of {about} are repetitions", line=number)


def _mixed_tools(_entry: DeclaredEntry, said: list[Statement]) -> Differences:
    first, line = said[0].value
    for one in said:
        tool, other = one.value
        if tool != first:
            yield one, f"(line {other}) is a log of {tool}, and line {line} has {first}"
            return


def _counted(of: RawEvidence) -> Entries:
    """Since when a run lasts, and how many requests its log has."""
    begun = dict(of.windows.select("run", "begin").iter_rows())
    for line in of.lines:
        start, rows = begun.get(line.run), of.read.results[line.run]
        made = sum(row["transactions"] or 0 for row in rows)
        text = f"the file is of run {line.run} alone"
        yield DeclaredEntry(line.run, text, (start, made), line=line.line)


def _not_reset(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    start, made = entry.value
    for one in said:
        since, requests = one.value
        if since and start and dt.datetime.fromisoformat(since) < start - _LATE:
            yield one, f"counts from {since}, and the run began at {utc_text(start)}"
        elif made and requests > made * _MORE:
            yield one, f"counts {requests:,} requests, and the log of the run {made:,}"


COMPARISONS = (
    Agreement("cps", _cps, statements.cpu_counts, _other_count),
    Agreement("cps", _cps, statements.cpu_counts, _perhaps_part, is_hint=True),
    Agreement("cps", _cps_of_system, statements.cpus_used, _more_used),
    Agreement("CPs", _numbers_of_cps, statements.cpus_in_runs, _other_number),
    Agreement("dedicated", _dedicated, statements.dedication, _other_kind_of_cps),
    Agreement("Kernel", _kernel, statements.kernels, _other_kernel),
    Agreement("how", _tools, statements.tools, _other_tool),
    Agreement("measured", _days, statements.starts, _other_day),
    Agreement("zone", _zone, statements.utc_offsets, _other_offset, is_hint=True),
    Agreement("release", _release, statements.releases, _other_release),
    Agreement("CPC", _cpc, statements.machine_types, _other_cpc),
    Agreement("MTU", _mtus, statements.interfaces, _other_mtu),
    Agreement("MTU", _mtus, statements.segment_sizes, _segment_beyond),
    Agreement("MTU", _mtus, statements.segment_sizes, _segment_short, is_hint=True),
    Agreement("Interface", _interface, statements.interfaces, _other_interface),
    Agreement("start", _windows, statements.run_windows, _beyond_window, _FILE),
    Agreement("start", _windows, statements.results, _other_time, _LOG),
    Agreement("start", _windows, statements.cpu_times, _other_cpu_time, _ZONE),
    Agreement("configuration", assigned, statements.labels, other_label, _FILES),
    Agreement("server", servers, statements.commands, other_server, is_hint=True),
    Agreement("log", contents, statements.contents, copied_log, COPY),
    Agreement("cpu", contents, statements.contents, copied_file, is_hint=True),
    Agreement("log", counts, statements.counts, counted_alike, is_hint=True),
    Agreement("workload", _workloads, statements.results, _other_workload, _LOG),
    Agreement("workload", _workloads, statements.results, _other_clients, _SPLIT),
    Agreement("repetition", _repetitions, statements.each_tool, _mixed_tools, _TOOL),
    Agreement("cpu", _counted, statements.gateway_counts, _not_reset, _RESET),
)  # fmt: skip
