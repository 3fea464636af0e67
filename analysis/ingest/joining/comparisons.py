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
from typing import Any, NamedTuple

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import CAMPAIGN_FILE, RUNS_FILE, byte_sizes
from analysis.errors import Issue, Place
from analysis.facts.remark import remark
from analysis.ingest.clock import zone_info
from analysis.ingest.detect import FORMATS, kind_of
from analysis.ingest.joining import statements as files_say
from analysis.ingest.joining.assign import CampaignReading, Frames
from analysis.ingest.joining.run_comparisons import (
    DeclaredEntry,
    Differences,
    Entries,
    beyond_window,
    contents,
    copied_file,
    copied_log,
    counted,
    counted_alike,
    counts,
    mixed_tools,
    not_reset,
    other_call,
    other_clients,
    other_cpu_time,
    other_label,
    other_server,
    other_time,
    other_workload,
    repetitions,
    runs,
    servers,
    sessions,
    started_anew,
    windows,
    workloads,
)
from analysis.ingest.joining.statements import (
    CpuCount,
    RawEvidence,
    Statement,
    Statements,
)
from analysis.ingest.reading import Problem, Problems

OTHERWISE = "declared_otherwise"  # the kind of a hint
LEAST_HEADERS = 40  # bytes that IPv4 and TCP add to a segment; IPv6 adds 20 more
MOST_HEADERS = 100  # with IPv6 and all options of TCP
_BOUND_BY_WINDOW = 16384  # a larger segment may be half of a window, as on loopback
_SOME = 0.03  # of the CPUs, which rounded figures leave open
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

_CLOCKS = 2  # seconds that clocks may differ, or a tool takes to begin and to end
_SIDES = "give each system the role that it had, in campaign.yaml or runs.csv"
_CLOCK = (
    "write this clock_ahead at the system, so that its intervals meet the runs, if the "
    "clock of the logs is right; else mend start and end in runs.csv"
)
_DECLARATION = "mend the declaration, or name the files of what is declared"
_FILE = "name the file of this run, or mend its start and end"
_ZONE = f"{_FILE}; its clock is in the zone that {CAMPAIGN_FILE} declares"
_LOG = "name the log of this run, or mend the line"
_FILES = "name the files of this run, or mend the line"
_CPUS = "mend cps, or name the log of this run"
COPY = "name the log of each run, or the tests of one log in the column test"
_SPLIT = "mend the line, or put each result that ran alone in a log of its own"
_TOOL = "runs of one tool are repetitions: give the others a configuration of their own"
_RESET = (
    "reset the statistics of the gateway before each run, or take the file out of the "
    "run's column cpu: it counts other requests, too"
)


class Agreement(NamedTuple):
    """What is declared as ``name``, what files say of it, and how these may differ."""

    name: str
    entries: Callable[[RawEvidence], Entries]
    statements: Callable[[RawEvidence], Statements]
    differ: Callable[[DeclaredEntry, list[Statement]], Differences]
    mend: str = _DECLARATION
    is_hint: bool = False


def compare(tables: Frames, read: CampaignReading) -> tuple[list[Issue], Problems]:
    """The contradictions, and the hints by file."""
    evidence = RawEvidence(tables, read)
    folder = read.checked.folder
    issues, hints = list[Issue](), Problems()
    node = None
    for comparison, entry, statement, words in _differences(evidence):
        node = node or load_yaml(folder / CAMPAIGN_FILE)[1]
        line = entry.line or line_of(node, entry.keys)
        declared_in = RUNS_FILE if entry.line else CAMPAIGN_FILE
        at = evidence.place(statement)
        if comparison.is_hint:
            where = f"{declared_in}:{line}: {entry.text}"
            hint = remark(OTHERWISE, declared=where, what=words)
            hints.append((statement.file, Problem(hint, at.line, at.offset)))
        else:
            place = Place(str(folder / declared_in), line)
            what = f"{entry.text}, but {at} {words}"
            issues.append(Issue(what, place, comparison.mend))
    return sorted(issues, key=_place), hints


def _place(issue: Issue) -> tuple[str, int]:
    where = issue.where or Place("")
    return where.file, where.line or 0


def _differences(
    evidence: RawEvidence,
) -> Iterator[tuple[Agreement, DeclaredEntry, Statement, str]]:
    """All that the comparisons find; what is declared and said is gathered once."""
    known = {
        say: by_about(say(evidence)) for say in {c.statements for c in COMPARISONS}
    }
    needed = {c.entries for c in COMPARISONS if known[c.statements]}
    declared = {entries: list(entries(evidence)) for entries in needed}
    for comparison in COMPARISONS:
        about = known[comparison.statements]
        for entry in declared[comparison.entries] if about else ():
            if statements := about.get(entry.about):
                for statement, words in comparison.differ(entry, statements):
                    yield comparison, entry, statement, words


def by_about(statements: Statements) -> dict[str, list[Statement]]:
    """What is said, by what it is about."""
    about = defaultdict[str, list[Statement]](list)
    for statement in statements:
        about[statement.about].append(statement)
    return about


def time_shifts(evidence: RawEvidence) -> Iterator[float]:
    """How far CPU files are ahead of their runs [h], in quarters of an hour; none of
    those that meet them."""
    times = by_about(files_say.cpu_times(evidence))
    for entry in windows(evidence):
        for one, _ in other_cpu_time(entry, times.get(entry.about, [])):
            ahead = dt.datetime.fromisoformat(one.value[0]) - entry.value[0]
            yield round(ahead / dt.timedelta(minutes=15)) / 4


# Systems


def _cps(evidence: RawEvidence) -> Entries:
    """About the machine; ``more`` has the CPs of all systems on it."""
    on: dict[str, int] = defaultdict(int)
    for id, system in evidence.campaign.systems.items():
        on[system.host or id] += system.cps
    for entry in _cps_of_system(evidence):
        machine = evidence.campaign.systems[entry.about].host or entry.about
        more = {**entry.more, "all": on[machine]}
        yield DeclaredEntry(machine, entry.text, entry.value, entry.keys, more=more)


def _cps_of_system(evidence: RawEvidence) -> Entries:
    for id, system in evidence.campaign.systems.items():
        more, keys = {"divided": system.host is not None}, ("systems", id, "cps")
        yield DeclaredEntry(id, f"cps is {system.cps}", system.cps, keys, more=more)


def _other_count(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    if not _may_be_part(entry, statements):
        yield from _count_differs(entry, statements)


def _perhaps_part(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    if _may_be_part(entry, statements):
        yield from _count_differs(entry, statements)


def _may_be_part(entry: DeclaredEntry, statements: list[Statement]) -> bool:
    """Whether the systems on a machine may divide its CPUs among them."""
    counts: list[CpuCount] = [one.value for one in statements]
    fits = entry.more["all"] <= max(count.most for count in counts)
    return entry.more["divided"] and fits and not any(c.of_lpar for c in counts)


def _count_differs(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """CPUs that were varied may be any number between."""
    least = math.floor(min(one.value.least for one in statements))
    most = math.ceil(max(one.value.most for one in statements))
    if not least <= entry.value <= most:
        one = statements[0]
        yield one, f"tells of {one.value.most:g} CPUs of {one.about}"


def _more_used(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    most = max(statements, key=lambda one: one.value)
    if most.value > entry.value:
        yield most, f"tells that {entry.about} ran on {most.value} CPUs"


def _other_implied(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """The first log that implies another number; a part of a machine may have fewer."""
    for one in statements:
        is_part = entry.more["divided"] and one.value > entry.value
        if not is_part and abs(one.value - entry.value) > _SOME * entry.value:
            words = "has a rate and a service demand that imply"
            yield one, f"{words} {one.value} CPUs of {one.about}"
            return


def _numbers_of_cps(evidence: RawEvidence) -> Entries:
    """Details and hardware that tell numbers of CPs or CPUs."""
    statements = [("", ("hardware",), evidence.campaign.hardware), *_details(evidence)]
    for about, keys, entries in statements:
        for name, value in entries.items():
            counted = _CPS.match(name)
            pattern = r"\b\d{1,4}\b" if counted else r"\b(\d{1,4}) (?:CPs|CPUs)\b"
            if numbers := set(map(int, re.findall(pattern, str(value)))):
                text = f"{name} is {value}"
                yield DeclaredEntry(about, text, numbers, (*keys, name))


def _details(
    evidence: RawEvidence,
) -> Iterator[tuple[str, tuple[str, ...], dict[str, Any]]]:
    for id, configuration in evidence.campaign.configurations.items():
        yield id, ("configurations", id, "details"), configuration.details


def _other_number(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    counts = {one.value for one in statements}
    if not any(abs(count - number) < 1 for count in counts for number in entry.value):
        in_runs = f" in runs of {entry.about}" if entry.about else ""
        yield statements[0], f"tells of {statements[0].value:g} CPUs{in_runs}"


def _sides(evidence: RawEvidence) -> Entries:
    """The machines that have one and the same side in all of their runs."""
    sides = defaultdict[str, set[str]](set)
    for line in evidence.lines:
        for role, id in line.roles.items():
            sides[id].add(role)
    for id, roles in sides.items():
        if len(roles) == 1 and roles <= {"client", "server"}:
            host = evidence.campaign.systems[id].host or id
            text = f"{id} is the {min(roles)} in its runs"
            yield DeclaredEntry(host, text, min(roles), ("systems", id))


def _other_side(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    for one in statements:
        if one.value != entry.value:
            yield one, f"tells that {entry.about} was the {one.value} of connections"


def _clocks(evidence: RawEvidence) -> Entries:
    for id, system in evidence.campaign.systems.items():
        text = f"clock_ahead is {system.clock_ahead:g}"
        keys = ("systems", id)
        yield DeclaredEntry(system.host or id, text, system.clock_ahead, keys)


def _other_clock(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    for one in statements:
        ahead, alike, of = one.value
        if abs(ahead) <= _CLOCKS:
            continue
        hours, as_zone = round(ahead / 900) / 4, ""
        if hours and abs(ahead - hours * 3600) <= _CLOCKS:
            ahead, as_zone = hours * 3600, f", the {abs(hours):g} h of a zone"
        side = "ahead of" if ahead > 0 else "behind"
        words = (
            f"tells that the clock of {entry.about} was {abs(ahead):.1f} s {side} that "
            f"of the logs{as_zone}, by {alike} of {of} connections with the length and "
            f"the bytes of runs: clock_ahead: {round(entry.value + ahead, 1):g}"
        )
        yield one, words


def _dedicated(evidence: RawEvidence) -> Entries:
    for id, system in evidence.campaign.systems.items():
        if "dedicated" in system.model_fields_set:
            text = f"dedicated is {str(system.dedicated).lower()}"
            keys = ("systems", id, "dedicated")
            yield DeclaredEntry(system.host or id, text, system.dedicated, keys)


def _other_kind_of_cps(
    entry: DeclaredEntry, statements: list[Statement]
) -> Differences:
    if entry.value not in [one.value for one in statements]:
        kind = "shared" if entry.value else "dedicated"
        yield statements[0], f"tells of {kind} processors of {entry.about}"


# The campaign


def _kernel(evidence: RawEvidence) -> Entries:
    for name, value in evidence.campaign.software.items():
        if name.casefold() == "kernel":
            keys = ("software", name)
            yield DeclaredEntry("", f"{name} is {value}", str(value), keys)


def _other_kernel(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    for one in statements:
        if not (one.value in entry.value or entry.value in one.value):
            yield one, f"tells of {one.value}"
            return


def _tools(evidence: RawEvidence) -> Entries:
    """The tools that software lists, and those that the method names."""
    software = evidence.campaign.software
    named = {name: tools for name in software if (tools := _tools_in(name))}
    if named:
        text, keys = f"software has {', '.join(named)}", ("software", next(iter(named)))
        yield DeclaredEntry("", text, set().union(*named.values()), keys)
    if tools := _tools_in(evidence.campaign.measured.how):
        text = f"how it was measured names {', '.join(sorted(tools))}"
        yield DeclaredEntry("", text, tools, ("measured", "how"))


def _tools_in(text: str) -> set[str]:
    return set(re.findall(r"[a-z][a-z0-9]+", text.casefold())) & _known_tools()


def _known_tools() -> set[str]:
    """Of benchmarks; a format is a tool, or one form of its logs."""
    formats = [f for f in FORMATS if kind_of(f) in ("bench", "web")]
    names = {"iperf" if f == "iperf2" else f.partition("_")[0] for f in formats}
    return names - _WORDS


def _other_tool(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """None of the logs is of a tool that is named; ``iperf`` may mean iperf3."""
    used = {one.value for one in statements}
    alike = {tool.rstrip("0123456789") for tool in used}
    if used <= _known_tools() and not entry.value & (used | alike):
        yield statements[0], f"is a log of {statements[0].value}"


def _days(evidence: RawEvidence) -> Entries:
    measured = evidence.campaign.measured
    days = (measured.start, measured.end)
    text = f"measured from {measured.start} to {measured.end}"
    more = {"zone": zone_info(evidence.campaign.zone)}
    yield DeclaredEntry("", text, days, ("measured", "from"), more=more)


def _other_day(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """A day of UTC, or of the campaign's zone."""
    first, last = entry.value
    for one in statements:
        start = dt.datetime.fromisoformat(one.value)
        days = (start.date(), start.astimezone(entry.more["zone"]).date())
        if not any(first <= day <= last for day in days):
            yield one, f"tells of a run on {days[1]}"
            return


def _zone(evidence: RawEvidence) -> Entries:
    measured, zone = evidence.campaign.measured, zone_info(evidence.campaign.zone)
    offsets = set()
    for day in (measured.start, measured.end):
        offset = dt.datetime.combine(day, dt.time(12), zone).utcoffset()
        offsets.add((offset or dt.timedelta()) / dt.timedelta(hours=1))
    yield DeclaredEntry("", f"zone is {evidence.campaign.zone}", offsets, ("zone",))


def _other_offset(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    for one in statements:
        if one.value not in entry.value:
            yield one, f"has a clock that is {one.value:+g} h off UTC"
            return


# Configurations


def _release(evidence: RawEvidence) -> Entries:
    """That of a configuration, else of the campaign."""
    software = evidence.campaign.software
    whole = [name for name in software if name.casefold() == "z/os"]
    for id, keys, details in _details(evidence):
        named = [name for name in details if "release" in name.casefold()]
        for name in (named or whole)[:1]:
            value = str((details if named else software)[name])
            if match := _RELEASE.search(value):
                numbers = (int(match[1]), int(match[2]))
                at = (*(keys if named else ("software",)), name)
                yield DeclaredEntry(id, f"{name} is {value}", numbers, at)


def _other_release(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    if entry.value not in [one.value for one in statements]:
        release = ".".join(map(str, statements[0].value))
        yield statements[0], f"tells of {release} in runs of {entry.about}"


def _cpc(evidence: RawEvidence) -> Entries:
    """Details that name a CPC by its type, or by a name that stands for types."""
    for id, keys, details in _details(evidence):
        for name, value in details.items():
            types = set(_TYPE.findall(str(value)))
            if name.casefold() in ("cpc", "machine", "processor"):
                types |= {t for cpc in _CPC.findall(str(value)) for t in _TYPES[cpc]}
            if types:
                yield DeclaredEntry(id, f"{name} is {value}", types, (*keys, name))


def cpc_of(machine_type: str) -> str | None:
    """The name of a CPC by its type, such as z17 for 9175."""
    return next((cpc for cpc, of in _TYPES.items() if machine_type in of), None)


def _other_cpc(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    if not entry.value & {one.value for one in statements}:
        yield (
            statements[0],
            f"tells of a {statements[0].value} in runs of {entry.about}",
        )


def _mtus(evidence: RawEvidence) -> Entries:
    """Details that are called MTU, and the MTU of a performance model."""
    for id, keys, details in _details(evidence):
        for name, value in details.items():
            sizes = byte_sizes(value) if name.casefold().startswith("mtu") else []
            if sizes:
                yield DeclaredEntry(id, f"{name} is {value}", sizes, (*keys, name))
        model = evidence.campaign.configurations[id].model
        if model and (mtu := model.mtu):
            at = ("configurations", id, "model", "mtu")
            yield DeclaredEntry(id, f"mtu is {mtu}", [mtu], at)


def _other_mtu(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    row = statements[0].value
    if not {one.value["mtu"] for one in statements} & set(entry.value):
        words = f"tells of {row['interface']} with {row['mtu']}"
        yield statements[0], f"{words} in runs of {entry.about}"


def mtu_of(mss: int) -> int | None:
    """The MTU that segments of a size belong to, where it is a common one."""
    return next((mtu for mtu in _COMMON_MTUS if mtu - mss in _HEADERS), None)


def _segment_beyond(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    most = max(statements, key=lambda one: one.value)
    if most.value + LEAST_HEADERS > max(entry.value):
        needs = f"which needs an MTU of {most.value + LEAST_HEADERS} or more"
        yield most, f"tells of an MSS of {most.value}, {needs}"


def _segment_short(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    least = min(statements, key=lambda one: one.value)
    bound = least.value > _BOUND_BY_WINDOW
    if not bound and least.value + MOST_HEADERS < min(entry.value):
        yield least, f"tells of an MSS of {least.value}: no packet was that large"


def _interface(evidence: RawEvidence) -> Entries:
    for id, keys, details in _details(evidence):
        if value := details.get("Interface"):
            at = (*keys, "Interface")
            yield DeclaredEntry(id, f"Interface is {value}", str(value), at)


def _other_interface(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    for one in statements:
        memory = _MEMORY.get(one.value["kind"] or "")
        if memory and memory not in entry.value and _ADAPTER.search(entry.value):
            words = f"tells of {one.value['interface']}, {memory}"
            yield one, f"{words}, in runs of {entry.about}"
            return


COMPARISONS = (
    Agreement("cps", _cps, files_say.cpu_counts, _other_count),
    Agreement("cps", _cps, files_say.cpu_counts, _perhaps_part, is_hint=True),
    Agreement("cps", _cps_of_system, files_say.cpus_used, _more_used),
    Agreement("cps", _cps_of_system, files_say.implied_cpus, _other_implied, _CPUS),
    Agreement("CPs", _numbers_of_cps, files_say.cpus_in_runs, _other_number),
    Agreement("dedicated", _dedicated, files_say.dedication, _other_kind_of_cps),
    Agreement("role", _sides, files_say.connection_roles, _other_side, _SIDES),
    Agreement("clock_ahead", _clocks, files_say.clocks, _other_clock, _CLOCK),
    Agreement("Kernel", _kernel, files_say.kernels, _other_kernel),
    Agreement("how", _tools, files_say.tools, _other_tool),
    Agreement("measured", _days, files_say.starts, _other_day),
    Agreement("zone", _zone, files_say.utc_offsets, _other_offset, is_hint=True),
    Agreement("release", _release, files_say.releases, _other_release),
    Agreement("CPC", _cpc, files_say.machine_types, _other_cpc),
    Agreement("MTU", _mtus, files_say.interfaces, _other_mtu),
    Agreement("MTU", _mtus, files_say.segment_sizes, _segment_beyond),
    Agreement("MTU", _mtus, files_say.segment_sizes, _segment_short, is_hint=True),
    Agreement("Interface", _interface, files_say.interfaces, _other_interface),
    Agreement("start", windows, files_say.run_windows, beyond_window, _FILE),
    Agreement("start", windows, files_say.results, other_time, _LOG),
    Agreement("start", windows, files_say.cpu_times, other_cpu_time, _ZONE),
    Agreement("configuration", runs, files_say.labels, other_label, _FILES),
    Agreement("session", sessions, files_say.boots, started_anew, is_hint=True),
    Agreement("server", servers, files_say.commands, other_server, is_hint=True),
    Agreement("log", contents, files_say.contents, copied_log, COPY),
    Agreement("cpu", contents, files_say.contents, copied_file, is_hint=True),
    Agreement("log", counts, files_say.counts, counted_alike, is_hint=True),
    Agreement("workload", workloads, files_say.results, other_workload, _LOG),
    Agreement("workload", workloads, files_say.results, other_clients, _SPLIT),
    Agreement("workload", workloads, files_say.calls, other_call, _FILES),
    Agreement("repetition", repetitions, files_say.each_tool, mixed_tools, _TOOL),
    Agreement("cpu", counted, files_say.gateway_counts, not_reset, _RESET),
)
