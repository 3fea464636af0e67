"""The page of what stands in the raw files where the report's numbers were read.

There is one where the edition declares ``raw-files``, and derive handed excerpts over.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from typing import NamedTuple
from urllib.parse import quote

from analysis.facts.fact import Fact, run_prefix
from analysis.report.beside.frame import EXCERPTS, Frame, page_beside
from analysis.report.material import Material

TEMPLATE = "excerpts.html.j2"
_FEW = 3  # places of a run that a card leads to


class Lead(NamedTuple):
    """A place of a raw file below ``raw/``: its position, and 1 if there are lines."""

    file: str
    position: int
    in_lines: int


def excerpts_page(frame: Frame) -> dict[str, str]:
    """The page by its name, without its build id; empty where there is none."""
    material = frame.material
    shown = ReadPlaces(material).files
    files = [
        (path, [excerpt for excerpt in some if excerpt.position in shown[path]])
        for campaign, evidence in material.evidence.items()
        for file, some in groupby(evidence.excerpts, lambda excerpt: excerpt.file)
        if (path := f"{campaign}/{file}") in shown
    ]
    if not files:
        return {}
    filters = {"anchor": anchor}
    return {EXCERPTS: page_beside(frame, TEMPLATE, {"files": files}, filters)}


def anchor(file: str, position: int | None = None) -> str:
    """The anchor of a file below ``raw/``, or of a place in it; scripts encode so."""
    at = "" if position is None else f":{position}"
    return quote(file, safe="/!'()*") + at


class ReadPlaces:
    """Where the runs of an edition's facts were read, as far as it shows that.

    ``files`` are those shown, below ``raw/``, each with its positions.
    """

    def __init__(self, material: Material) -> None:
        studies = material.studies
        self._prefixes = {id: run_prefix(s.campaigns) for id, s in studies.items()}
        self._leads = defaultdict[str, list[tuple[str, Lead]]](list)
        self.files = defaultdict[str, set[int]](set)
        if not material.edition.raw_files:
            return
        runs = {
            f"{self._prefixes[fact.study]}{run}"
            for id in studies
            for fact in material.of_study(id).facts.facts
            for run in fact.lineage.runs
        }
        for campaign, evidence in material.evidence.items():
            lines = {(e.file, e.position): bool(e.line) for e in evidence.excerpts}
            for run, file, (at, *_) in evidence.passages:
                id, path = f"{campaign}/{run}", f"{campaign}/{file}"
                if id in runs and (file, at) in lines:
                    self.files[path].add(at)
                    lead = Lead(path, at, int(lines[file, at]))
                    self._leads[id].append((evidence.files[file].sha256, lead))

    def of(self, fact: Fact) -> list[Lead]:
        """Where the first run of a value was read, in the files that it rests on."""
        if not fact.lineage.runs:
            return []
        known = self._leads.get(
            f"{self._prefixes[fact.study]}{fact.lineage.runs[0]}", []
        )
        return [lead for sha256, lead in known if sha256 in fact.lineage.files][:_FEW]
