"""The figures of an edition as the report uses them: files, caption, alt text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from analysis.declared.base import line_of, load_yaml
from analysis.declared.checks import check_figures
from analysis.declared.metrics import Metric
from analysis.declared.study import OVERVIEW, Study, sequence_id
from analysis.errors import Issue, Place, UserError, not_built, raise_if, user_error
from analysis.report.table import escape

_AROUND = ("caption", "title", "setup")
_NONE: Mapping[str, str] = MappingProxyType({})
KEY = "key.svg"  # a picture of how to read its kind
FILES = ("figure.svg", "figure-narrow.svg", "figure.csv")


@dataclass(frozen=True)
class Picture:
    """One figure: where its files are, and the words around it.

    A ``setup`` stands where the set-up is described, and not among the results.

    The ``lead`` stands before it: its question, and what it finds. One with a
    ``table`` stands on pages as that. One that is not ``numbered`` follows its lead.
    ``facts`` are the keys of those that it draws; ``reads`` says how to read it, with
    the picture ``KEY``. ``code`` is the hash of the file of its study that draws it.
    """

    id: str
    folder: Path
    caption: str
    lead: str
    alt: str
    width_mm: float
    setup: bool
    study: str
    subtitle: str = ""
    table: Mapping[str, Any] | None = None
    numbered: bool = True
    facts: tuple[str, ...] = ()
    reads: str = ""
    code: str = ""

    @property
    def anchor(self) -> str:
        """Its anchor on the page; engines number what begins with ``fig-``."""
        return f"{'fig' if self.numbered else 'picture'}-{self.id}"


def read_pictures(
    folder: Path,
    studies: Mapping[str, Study],
    metrics: Mapping[str, Metric],
    edition: Path,
    borrowed: Mapping[str, str] = _NONE,
) -> dict[str, list[Picture]]:
    """The figures of each study, in the order in which the study declares them.

    ``folder`` holds one folder a figure; ``edition`` is the edition's folder. Those of
    a ``borrowed`` study are where its edition drew them; those for borrowers are left
    out of their own. A figure that is absent or has no alt text is an error.
    """
    homes = {id: folder.parent / lender for id, lender in borrowed.items()}
    for drawn in dict.fromkeys([folder, *homes.values()]):
        if not drawn.is_dir():
            raise not_built("no figure is drawn yet", drawn)
    found, issues = dict[str, list[Picture]](), list[Issue]()
    for id, study in studies.items():
        declared = edition.parent / borrowed.get(id, edition.name) / "studies" / id
        unknown = _unknown(study, declared / "study.yaml", metrics)
        issues += unknown
        shown = [f for f in study.figures if id in homes or not f.for_borrowers]
        found[id] = []
        for figure in [] if unknown else shown:
            place = homes.get(id, folder) / f"{id}-{figure.id}"
            try:
                picture = _picture(place, figure.question, id, figure.numbered)
            except UserError as error:
                issues += error.issues
            else:
                found[id].append(picture)
    raise_if(issues)
    return found


def read_overview(folder: Path, numbered: bool = True) -> Picture | None:
    """The figure of all studies; an edition of one study has none."""
    place = folder / OVERVIEW
    return _picture(place, numbered=numbered) if place.is_dir() else None


def read_sequences(folder: Path, workloads: Iterable[str]) -> list[Picture]:
    """The figures of single workloads, which belong to no study."""
    return [_picture(folder / sequence_id(name)) for name in workloads]


def _unknown(study: Study, path: Path, metrics: Mapping[str, Metric]) -> list[Issue]:
    """Names in figures that nobody declared, at the line of their figure."""
    node = load_yaml(path)[1] if study.figures else None
    return check_figures(
        study, metrics, lambda n: Place(str(path), line_of(node, ("figures", n)))
    )


def _picture(
    folder: Path, question: str | None = None, study: str = "", numbered: bool = True
) -> Picture:
    """The figure of a folder; a :class:`UserError` for files or words that it lacks."""
    path = folder / "figure.json"
    missing = [n for n in (*FILES, path.name) if not (folder / n).is_file()]
    if missing:
        mend = "run 'python -m analysis figures'; does study.yaml declare the figure?"
        what = f"figure files are missing: {', '.join(missing)}"
        raise user_error(what, folder, mend=mend)
    about = _read(path)
    if not str(about.get("alt") or "").strip():
        mend = "say in words what the figure shows: 'alt' of the figure in study.yaml"
        raise user_error("the figure has no alt text", path, mend=mend)
    if absent := [name for name in _AROUND if name not in about]:
        mend = "run 'python -m analysis figures'"
        raise user_error(f"it lacks {', '.join(absent)}", path, mend=mend)
    asks = about.get("question", "") if question is None else question
    return Picture(
        id=folder.name,
        folder=folder,
        caption=escape(about["caption"]),
        lead=_lead(folder.name, about, asks, numbered),
        alt=" ".join(about["alt"].split()),
        width_mm=about.get("width_mm", 170),
        setup=about["setup"],
        study=study,
        subtitle=escape(about.get("subtitle", "")),
        table=about.get("table"),
        numbered=numbered,
        facts=tuple(about.get("facts", ())),
        reads=escape(about.get("reads", "")) if (folder / KEY).is_file() else "",
        code=about.get("code", ""),
    )


def _lead(id: str, about: Mapping[str, Any], question: str, numbered: bool) -> str:
    """``How much less? 38 to 60% less (Figure 2; sizes assumed).``

    A set-up has no finding.
    """
    named = f"@{'tbl' if about.get('table') else 'fig'}-{id}" if numbered else ""
    answer = f"See {named}." if named else ""
    if not about["setup"]:
        aside = "; ".join(filter(None, [named, about.get("sizes", "")]))
        answer = f"{escape(about['title'])}{f' ({aside})' if aside else ''}."
    return f"[{escape(question)}]{{.figure-lead}} {answer}".rstrip()


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise user_error(f"not JSON: {error}", path, mend="rebuild it") from None
    if not isinstance(found, dict):
        raise user_error("not a JSON object", path, mend="rebuild it")
    return found
