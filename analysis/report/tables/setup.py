"""Text and tables of what was declared and run: systems, workloads, configurations,
runs.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from analysis.declared.campaign import Campaign, Configuration, System
from analysis.declared.metrics import COST_PARTS, Metric
from analysis.declared.study import Study
from analysis.declared.vocabulary import CPU_SOURCES
from analysis.declared.workload import SHAPES, Workload, parse_workload
from analysis.facts.evidence import CampaignEvidence
from analysis.facts.fact import RunCount
from analysis.facts.sentences import listed, name_list, number_word
from analysis.facts.units import date_text, format_unit
from analysis.report.study_facts import StudyFacts
from analysis.report.table import (
    BREAK,
    NONE,
    Column,
    breakable,
    escape,
    table,
)

# More configurations than these stand in rows: side by side they would be too narrow.
_BESIDE = 3
_SETTINGS = 5
_WIDEST = 30
_NO_COUNTERS = (
    "Instructions and cycles, which would explain a change, were not recorded; perf "
    "stat and SMF 113 count them."
)
_METRICS = "The metrics of this report."
_CAPTION = "Settings that differ. Bold: unlike the baseline."


def hardware_table(id: str, campaign: Campaign) -> str:
    """The machine of a campaign, as declared."""
    return _pairs(campaign.hardware, "Hardware", f"{id}-hardware")


def software_table(id: str, campaign: Campaign) -> str:
    """The software of a campaign, as declared."""
    return _pairs(campaign.software, "Software", f"{id}-software")


def _pairs(entries: Mapping[str, str | int | float], caption: str, id: str) -> str:
    columns: list[Column[tuple[str, str | int | float]]] = [
        Column("Component", 26, lambda entry: escape(entry[0])),
        Column("Description", 50, lambda entry: escape(entry[1])),
    ]
    return str(table(columns, entries.items(), f"{caption}.", id))


def systems_table(id: str, campaign: Campaign) -> str:
    """The systems of a campaign: role if declared, CPs, whether these are dedicated."""
    words = {campaign.processor(id) for id in campaign.systems}
    processors = "CPs" if "CP" in words else "CPUs"
    columns: list[Column[tuple[str, System]]] = [
        Column("System", 12, lambda one: escape(one[0])),
        Column("Role", 14, lambda one: one[1].role or NONE),
        Column(processors, 16, lambda one: _share(campaign, one[0])),
        Column("Description", 40, lambda one: escape(one[1].description) or NONE),
    ]
    if not any(system.role for system in campaign.systems.values()):
        del columns[1]
    return str(table(columns, campaign.systems.items(), "Systems.", f"{id}-systems"))


def _share(campaign: Campaign, id: str) -> str:
    """How many there are, and of an LPAR whether they are its own, where declared."""
    system = campaign.systems[id]
    declared = "dedicated" in system.model_fields_set
    if system.dedicated:
        return f"{system.cps} (dedicated)"
    shared = declared and campaign.processor(id) != "CPU"
    return f"{system.cps} (shared)" if shared else str(system.cps)


def workload_table(names: Iterable[str]) -> str:
    """What each workload's name stands for."""

    def size(work: Workload, at: int) -> str:
        sizes = work.request_bytes, work.response_bytes
        return f"{'~' * work.means[at]}{sizes[at]:,}"

    columns: list[Column[tuple[str, Workload]]] = [
        Column("Workload", 18, lambda row: row[0]),
        Column("Shape", 26, lambda row: SHAPES[row[1].shape].label),
        Column("Clients", 9, lambda row: f"{row[1].clients:,}", number=True),
        Column("Bytes sent", 14, lambda row: size(row[1], 0), number=True),
        Column("Bytes received", 16, lambda row: size(row[1], 1), number=True),
    ]
    rows = [(name, parse_workload(name)) for name in names]
    caption = "The workloads of this report; a client sends and receives these bytes."
    return str(table(columns, rows, caption, "workloads"))


def workload_shapes(names: Iterable[str]) -> str:
    """What a transaction of each shape is, of those that the workloads have."""
    used = {parse_workload(name).shape for name in names}
    return "\n".join(
        f"- **{id}**, {shape.label}: a transaction is {shape.transaction}."
        for id, shape in SHAPES.items()
        if id in used
    )


def metric_table(metrics: Mapping[str, Metric]) -> str:
    """What each metric means, its unit and its better direction; of a cost what would
    tell why it changes, where nothing did."""

    def meaning(row: tuple[str, Metric]) -> str:
        id, metric = row
        bare = id in COST_PARTS and metrics.keys().isdisjoint(COST_PARTS[id])
        return escape(f"{metric.means} {_NO_COUNTERS}" if bare else metric.means)

    columns: list[Column[tuple[str, Metric]]] = [
        Column("Metric", 24, lambda row: escape(row[1].label)),
        Column("Unit", 12, lambda row: escape(format_unit(row[1].unit))),
        Column("Better", 9, lambda row: row[1].better.replace("none", NONE)),
        Column("Meaning", 50, meaning),
    ]
    return str(table(columns, metrics.items(), _METRICS, "metrics"))


def environment_lines(
    results: StudyFacts, evidence: Mapping[str, CampaignEvidence]
) -> list[str]:
    """A study's campaigns, line by line: when, by whom, on which systems, how, and in
    how many sessions."""
    study = results.study
    lines = [line for id in study.campaigns for line in _lines(id, evidence[id], study)]
    return [*lines, *_session_line(results)]


def _session_line(results: StudyFacts) -> list[str]:
    """What the sessions of a study's runs leave open; none where they are unknown."""
    counted = [run for run in results.facts.runs if run.used]
    if not counted or not all(run.sessions for run in counted):
        return []
    every = {session for run in counted for session in run.sessions}
    alone = [run for run in counted if len(run.sessions) == 1]
    if len(every) == 1:
        words = (
            "all runs were made in one: what a restart changes is not in the intervals"
        )
    elif not alone:
        words = f"{len(every)}; in intervals and tests a session counts once"
    else:
        ids = dict.fromkeys(run.configuration for run in alone)
        names = escape(name_list(map(results.name, ids)))
        words = (
            f"{len(every)}, but only one of {names}: what a restart changes is not in "
            "the intervals, and may look like a change"
        )
    return [f"Sessions: {words}"]


def common_lines(studies: Iterable[Sequence[str]]) -> list[str]:
    """The lines that several studies all have."""
    first, *others = studies
    shared = [line for line in first if all(line in lines for lines in others)]
    return shared if others else []


def _lines(id: str, evidence: CampaignEvidence, study: Study) -> list[str]:
    campaign = evidence.declared
    used = evidence.systems_of(study)
    hosts = {campaign.systems[name].host for name in used}
    shared = len(used) > 1 and len(hosts) == 1 and None not in hosts
    systems = "; ".join(
        f"{escape(name)} as {listed(roles)}, {campaign.processors(name)}"
        for name, roles in used.items()
    )
    days = period(campaign.measured.start, campaign.measured.end)
    return [
        f"Campaign: {escape(id)}, {campaign.origin}, {days}",
        f"Set-up: {escape(campaign.title)}",
        f"Systems: {systems}{'; all share one machine' if shared else ''}",
        f"CPU time: from {escape(campaign.cpu.described)}",
        *(
            f"CPU time of {escape(name)}: from {escape(CPU_SOURCES[source])}"
            for name in used
            if (source := campaign.systems[name].cpu)
        ),
        *([f"Left out: {escape(left.words)}"] if (left := evidence.left_out) else []),
    ]


def period(start: dt.date, end: dt.date) -> str:
    """``21 November 2026``, ``12 to 16 January 2026``, or two dates with "to"."""
    if start == end:
        return date_text(start)
    if (start.year, start.month) == (end.year, end.month):
        return f"{start.day} to {date_text(end)}"
    return f"{date_text(start)} to {date_text(end)}"


@dataclass(frozen=True)
class _Configurations:
    """The configurations of a study by id, and their settings as Markdown."""

    study: Study
    by_id: Mapping[str, Configuration]

    def values(self, setting: str) -> list[str]:
        """The setting of every configuration; a dash where it has none."""
        return [self._value(id, setting) for id in self.by_id]

    def cell(self, id: str, setting: str) -> str:
        """The setting of a configuration, in bold where a test's differs from that of
        its own baseline."""
        text, base = self._value(id, setting), self.study.baseline_of(id)
        test = id in self.study.tests and base in self.by_id
        return f"**{text}**" if test and self._value(base, setting) != text else text

    def role(self, id: str) -> str:
        """What a configuration is for: the baseline, a test, or a test of another."""
        if self.study.of_values:
            return ""
        if id not in self.study.tests:
            return "baseline"
        base = self.name(self.study.baseline_of(id))
        return f"test; baseline: {base}" if self.study.several_baselines else "test"

    def name(self, id: str) -> str:
        """What readers call a configuration."""
        return escape(self.by_id[id].label if id in self.by_id else id)

    def _value(self, id: str, setting: str) -> str:
        return breakable(escape(self.by_id[id].details.get(setting, NONE)))


def usual_settings(
    studies: Iterable[Study], campaigns: Mapping[str, Campaign]
) -> dict[str, str]:
    """The settings that more than half of the configurations of several studies have.

    A page says these once, and of a study what is unlike them; none of a study alone.
    """
    several = list(studies)
    known = {k: c for one in several for k, c in _declared(one, campaigns).items()}
    pairs = Counter(
        (setting, str(text))
        for configuration in known.values()
        for setting, text in configuration.details.items()
    )
    most = {setting: text for (setting, text), n in pairs.items() if 2 * n > len(known)}
    return most if len(several) > 1 else {}


def usual_lines(usual: Mapping[str, str]) -> list[str]:
    """The usual settings, line by line."""
    return [f"{escape(s)}: {breakable(escape(text))}" for s, text in usual.items()]


def configuration_parts(
    id: str,
    study: Study,
    campaigns: Mapping[str, Campaign],
    usual: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """What all configurations share as a list, then what differs as a table.

    What is ``usual`` stands elsewhere, and is left out where all have it. Up to three
    configurations stand side by side; of more, each is a row. What differs from a
    test's baseline is bold.
    """
    own = _Configurations(study, _declared(study, campaigns))
    every = dict.fromkeys(k for c in own.by_id.values() for k in c.details)
    as_usual = {setting: {breakable(escape(text))} for setting, text in usual.items()}
    values = {setting: {*own.values(setting)} for setting in {**every, **usual}}
    settings = [s for s, texts in values.items() if texts != as_usual.get(s)]
    shared = [s for s in settings if len(values[s]) == 1 or study.of_values]
    parts = [_list(own, shared)] if shared else []
    if not (study.of_values and settings):
        draw = _side_by_side if len(own.by_id) <= _BESIDE else _in_rows
        parts += draw(id, own, [s for s in settings if s not in shared])
    return "\n\n".join(parts)


def _declared(
    study: Study, campaigns: Mapping[str, Campaign]
) -> dict[str, Configuration]:
    """The configurations of a study that its campaigns declare, in its order."""
    known: dict[str, Configuration] = {}
    for name in study.campaigns:
        known |= campaigns[name].configurations
    return {id: known[id] for id in study.configurations if id in known}


def _list(own: _Configurations, settings: list[str]) -> str:
    lead = f"{'Both' if len(own.by_id) == 2 else 'All'} configurations have:"
    if len(own.by_id) == 1:
        lead = f"{own.name(next(iter(own.by_id)))}:"
    lines = [f"- {escape(s)}: {own.values(s)[0]}" for s in settings]
    return "\n".join([lead, "", "::: {.facts-list}", *lines, ":::"])


def _side_by_side(id: str, own: _Configurations, settings: list[str]) -> list[str]:
    if not settings:
        return ["The declared settings are the same."]
    columns = [Column("Setting", 24, escape)]
    for name in own.by_id:
        head = f"{own.name(name)} ({own.role(name)})"
        columns.append(Column(head, 22, partial(own.cell, name)))
    return [str(table(columns, settings, _CAPTION, f"{id}-configuration"))]


def _in_rows(id: str, own: _Configurations, settings: list[str]) -> list[str]:
    tables = []
    for number, start in enumerate(range(0, max(len(settings), 1), _SETTINGS)):
        columns = [Column("Configuration", 20, own.name), Column("Role", 18, own.role)]
        for one in settings[start : start + _SETTINGS]:
            width = _width([one, *own.values(one)])
            columns.append(Column(escape(one), width, partial(own.cell, setting=one)))
        more = f"-{number + 1}" if number else ""
        caption = _CAPTION if settings else "The configurations."
        name = f"{id}-configuration{more}"
        tables.append(str(table(columns, own.by_id, caption, name)))
    return tables


def _width(texts: list[str]) -> int:
    """As wide as the longest text, within reason, but never narrower than a word."""
    words = (word for text in texts for word in text.replace(BREAK, " ").split())
    # Bold words and the gap beside them; capitals are wide.
    widest = max(len(word) + sum(c.isupper() for c in word) // 3 + 2 for word in words)
    return max(widest, min(max(map(len, texts)), _WIDEST))


def runs_table(runs: Iterable[RunCount]) -> str:
    """How many runs each workload has on each configuration, and what failed.

    Workloads of a configuration that have the same counts share a row, and so do
    configurations that have the same workloads. Where all have as many used ones, it
    is a sentence: :func:`excluded_table` has the others. Behind it stands in how many
    sessions the runs were made.
    """
    runs = list(runs)
    sessions = _sessions_sentence(runs)
    if len({run.used for run in runs}) == 1:
        used = runs[0].used
        each = "one used run" if used == 1 else f"{number_word(used)} used runs"
        return f"Each workload has {each} on each configuration. {sessions}"
    workloads: dict[tuple[str, int, int], list[str]] = {}
    for run in runs:
        key = (run.configuration, run.used, run.excluded)
        workloads.setdefault(key, []).append(run.workload)
    names: dict[tuple[str, int, int], dict[str, None]] = {}
    for (name, used, excluded), own in workloads.items():
        names.setdefault((", ".join(own), used, excluded), {})[name] = None
    columns: list[Column[tuple[str, int, int]]] = [
        Column("Configurations", 40, lambda row: escape("; ".join(names[row]))),
        Column("Workloads", 40, lambda row: row[0]),
        Column("Used, each", 14, lambda row: str(row[1]), number=True),
        Column("Excluded", 10, lambda row: str(row[2]), number=True),
    ]
    made = table(columns, names, "Runs used and excluded.", "runs")
    return f"{made}\n\n{sessions}"


def _sessions_sentence(runs: Iterable[RunCount]) -> str:
    counts = sorted({len(run.sessions) for run in runs if run.used})
    if not any(counts):
        return "Sessions are not recorded."
    if counts[0] == 0:
        return "The sessions of some runs are not recorded."
    least, most = number_word(counts[0]), number_word(counts[-1])
    several = f"{least} sessions" if counts[0] > 1 else "one session"
    many = several if least == most else f"{least} to {most} sessions"
    return f"The runs of a workload on a configuration were made in {many}."


def excluded_table(runs: Iterable[RunCount]) -> str:
    """Every run that was excluded, and why; a sentence where there is none.

    Below it stands which repetitions the campaigns do not list, where that is so.
    """
    runs = list(runs)
    reasons = [reason for run in runs for reason in run.reasons]
    # Studies may have the same gaps.
    gaps = dict.fromkeys(
        f"{' and '.join(run.missing)} of {escape(run.workload)} on "
        f"{escape(run.configuration)}"
        for run in runs
        if run.missing
    )
    missing = f"\n\nMissing repetitions: {'; '.join(gaps)}." if gaps else ""
    if not reasons:
        return f"No run was excluded.{missing}"
    columns: list[Column[tuple[str, str]]] = [
        Column("Excluded run", 26, lambda reason: escape(reason[0])),
        Column("Reason", 60, lambda reason: escape(reason[1])),
    ]
    caption = "Excluded runs and the reason in their logs."
    return f"{table(columns, reasons, caption, 'excluded')}{missing}"
