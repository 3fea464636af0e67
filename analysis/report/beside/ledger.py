"""Where facts come from: the page of every fact with its runs and raw files.

The files of a fact are known by their sha256; what derive handed over adds their
names and the positions (byte offset of a record, or line) of what was read.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple
from urllib.parse import quote

from analysis.facts.evidence import CampaignEvidence
from analysis.facts.fact import Fact, run_prefix
from analysis.facts.units import MINUS
from analysis.report.beside.excerpts import ReadPlaces, anchor
from analysis.report.beside.frame import EXCERPTS, Frame, page_beside
from analysis.report.bound import Number
from analysis.report.language.listing import expression_of
from analysis.report.material import Material
from analysis.report.tables.cells import estimate_note

TEMPLATE = "facts.html.j2"
_FEW = 3  # numbers in a row that are a span
_NUMBER = re.compile(r"(.*?)(\d+)\Z")


class FileOfRun(NamedTuple):
    """A file of a run: its path below ``raw/``, hash, and positions that were read.

    ``id`` is ``campaign/run``. The first row of a run has how many there are of it, the
    first of the same bytes their number on the page; links lead to these.
    """

    id: str
    run: str
    file: str
    sha256: str
    positions: tuple[int, ...] = ()
    rows_of_run: int = 0
    number: int = 0


def facts_page(frame: Frame, numbers: Iterable[Number]) -> str:
    """The page of facts, study by study, of numbers of several facts, runs and files.

    ``numbers`` are those of the text. A draft tells by which expression a text prints
    each fact as well.
    """
    material = frame.material
    every = (f for id in material.studies for f in material.of_study(id).facts.facts)
    facts = sorted(every, key=lambda fact: fact.key)
    names = {fact.key: fact_name(fact, material) for fact in facts}
    draft = material.edition.status == "draft"
    averages: dict[str, dict[str, None]] = {}
    for number in numbers:
        if number.is_average:  # one entry for all that is printed of the same facts
            averages.setdefault(number.keys, {})[number.text] = None
    campaigns = {id: study.campaigns for id, study in material.studies.items()}
    rows = list(_rows(facts, material.evidence, campaigns))
    listed = {row.id for row in rows}
    number_of = {row.sha256: row.number for row in rows if row.number}
    shown = ReadPlaces(material).files

    def entry(fact: Fact) -> dict[str, Any]:
        prefix = run_prefix(campaigns[fact.study])
        return {
            "id": trace_id(fact.key),
            "name": names[fact.key],
            "fact": fact,
            "runs": _linked_runs(fact.lineage.runs, prefix, listed),
            "files": _linked_files(number_of[file] for file in fact.lineage.files),
            "estimate": fact.estimate and estimate_note(fact.estimate),
            "prints": expression_of(fact, material.studies) if draft else "",
        }

    known = {
        "studies": [
            (id, study.title, [entry(fact) for fact in facts if fact.study == id])
            for id, study in material.studies.items()
        ],
        "averages": [
            (average_id(keys), texts, [(trace_id(k), names[k]) for k in keys.split()])
            for keys, texts in sorted(averages.items())
            if names.keys() >= set(keys.split())
        ],
        "rows": rows,
        "excerpts": bool(shown),
    }
    filters = {"exact": exact, "linked": lambda row: _linked_file(row, shown)}
    return page_beside(frame, TEMPLATE, known, filters)


def trace_id(key: str) -> str:
    """The anchor of a fact's entry."""
    return f"trace-{key.replace('.', '-')}"


def average_id(keys: str) -> str:
    """The anchor of an average's entry; the page's filter hashes in the same way."""
    return f"average-{hashlib.sha1(keys.encode(), usedforsecurity=False).hexdigest()}"


def exact(number: float) -> str:
    """Twelve digits, with a minus as in the text: what comes behind them is of the
    binary computation, not of a measurement."""
    return repr(float(f"{number:.12g}")).replace("-", MINUS)


def fact_name(fact: Fact, material: Material) -> str:
    """``Latency, RR1(1kB): Shared OSH relative to HiperSockets``."""
    tables = material.of_study(fact.study)
    return f"{tables.metric_name(fact)}, {fact.workload}: {tables.pair_name(fact)}"


def _rows(
    facts: Iterable[Fact],
    evidence: Mapping[str, CampaignEvidence],
    campaigns: Mapping[str, Sequence[str]],
) -> Iterator[FileOfRun]:
    """The files that facts rest on, also those that no run names. ``campaigns`` are
    those of each study."""
    runs = {
        f"{run_prefix(campaigns[fact.study])}{run}"
        for fact in facts
        for run in fact.lineage.runs
    }
    files = {file for fact in facts for file in fact.lineage.files}
    known = [f for f in files_of_runs(evidence) if f.id in runs and f.sha256 in files]
    names = {
        state.sha256: f"{campaign}/{file}"
        for campaign, of_campaign in evidence.items()
        for file, state in of_campaign.files.items()
    }
    others = sorted(files - {row.sha256 for row in known})
    rows = [*sorted(known), *(FileOfRun("", "", names.get(f, ""), f) for f in others)]
    counts, id, listed = Counter(row.id for row in rows), None, set[str]()
    for row in rows:
        count = counts[row.id] if row.id != id else 0
        number = 0 if row.sha256 in listed else len(listed) + 1
        yield row._replace(rows_of_run=count, number=number)
        id = row.id
        listed.add(row.sha256)


def files_of_runs(evidence: Mapping[str, CampaignEvidence]) -> Iterator[FileOfRun]:
    """What was read for each run, from the files of all campaigns."""
    for campaign, found in evidence.items():
        for run, file, positions in found.passages:
            sha256 = found.files[file].sha256
            ids = f"{campaign}/{run}", run
            yield FileOfRun(*ids, f"{campaign}/{file}", sha256, positions)


def _linked_runs(runs: Iterable[str], prefix: str, listed: Collection[str]) -> str:
    """Runs that lead to their rows; a template takes ten times as long for many.
    All of it is escaped."""
    return ", ".join(
        f'<a href="#run-{escape(quote(prefix + first))}">{escape(words)}</a>'
        if prefix + first in listed
        else escape(words)
        for first, words in run_spans(runs)
    )


def _linked_files(numbers: Iterable[int]) -> str:
    """Files by their numbers, which lead to their rows; more than two in a row as
    ``3 to 12``."""
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if not spans or number > spans[-1][-1] + 1:
            spans.append([])
        spans[-1].append(number)

    def link(number: int) -> str:
        return f'<a href="#file-{number}">{number}</a>'

    return " ".join(
        f"{link(span[0])} to {link(span[-1])}"
        if len(span) >= _FEW
        else " ".join(map(link, span))
        for span in spans
    )


def _linked_file(row: FileOfRun, shown: Mapping[str, Collection[int]]) -> str:
    """A file, which leads to what stands at its first position where that is shown."""
    name, known = escape(row.file), shown.get(row.file, ())
    at = next((at for at in row.positions if at in known), None)
    if at is None:
        return name
    return f'<a href="{EXCERPTS}#{escape(anchor(row.file, at))}">{name}</a>'


def run_spans(runs: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Runs in a row as one: the first of them, and ``A-RR1(1kB)-01 to 10``."""
    spans: list[tuple[str, str, str]] = []  # the first, its stem, and the last number
    for run in sorted(runs):
        match = _NUMBER.match(run)
        stem, number = (match[1], match[2]) if match else (run, "")
        first, before, last = spans[-1] if spans else ("", "", "")
        if number and last and before == stem and int(number) == int(last) + 1:
            spans[-1] = first, stem, number
        else:
            spans.append((run, stem, number))
    for first, _, last in spans:
        yield first, first if first.endswith(last) else f"{first} to {last}"
