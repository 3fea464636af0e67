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
from analysis.errors import Issue, NotBuiltError, Place, UserError, raise_if, user_error
from analysis.report.table import escape

_AROUND = ("caption", "title", "setup")
_NONE: Mapping[str, str] = MappingProxyType({})
FILES = ("figure.svg", "figure-narrow.svg", "figure.csv")


@dataclass(frozen=True)
class Picture:
    """One figure: where its files are, and the words around it.

    A ``setup`` stands where the set-up is described, and not among the results.

    The ``lead`` stands before it: its question, and what it finds. One with a
    ``table`` stands on pages as that. One that is not ``numbered`` follows its lead.
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
            where, mend = Place(str(drawn)), "run 'make report'"
            raise NotBuiltError([Issue("no figure is drawn yet", where, mend)])
    issues: list[Issue] = []
    pictures = {}
    for id, study in studies.items():
        home = homes.get(id, folder)
        shown = [f for f in study.figures if id in homes or not f.for_borrowers]
        own = [home / f"{id}-{figure.id}" for figure in shown]
        declared = edition.parent / borrowed.get(id, edition.name) / "studies" / id
        unknown = _unknown(study, declared / "study.yaml", metrics)
        issues += unknown or [i for figure in own for i in check_picture(figure)]
        if not issues:
            pictures[id] = [
                _picture(drawn, figure.question, id, figure.numbered)
                for drawn, figure in zip(own, shown, strict=True)
            ]
    raise_if(issues)
    return pictures


def read_overview(folder: Path, numbered: bool = True) -> Picture | None:
    """The figure of all studies; an edition of one study has none."""
    place = folder / OVERVIEW
    if not place.is_dir():
        return None
    raise_if(check_picture(place))
    question = str(_read(place / "figure.json").get("question", ""))
    return _picture(place, question, "", numbered)


def read_sequences(folder: Path, workloads: Iterable[str]) -> list[Picture]:
    """The figures of single workloads, which belong to no study."""
    places = [folder / sequence_id(name) for name in workloads]
    raise_if([issue for place in places for issue in check_picture(place)])
    return [
        _picture(place, str(_read(place / "figure.json").get("question", "")), "", True)
        for place in places
    ]


def _unknown(study: Study, path: Path, metrics: Mapping[str, Metric]) -> list[Issue]:
    """Names in figures that nobody declared, at the line of their figure."""
    node = load_yaml(path)[1] if study.figures else None
    return check_figures(
        study, metrics, lambda n: Place(str(path), line_of(node, ("figures", n)))
    )


def check_picture(folder: Path) -> list[Issue]:
    """Issues of one figure's folder: files that are missing, alt text that is."""
    about = folder / "figure.json"
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing or not about.is_file():
        names = ", ".join([*missing, *([] if about.is_file() else ["figure.json"])])
        mend = "run 'python -m analysis figures'; does study.yaml declare the figure?"
        return [Issue(f"figure files are missing: {names}", Place(str(folder)), mend)]
    try:
        found = _read(about)
    except UserError as error:
        return error.issues
    if not str(found.get("alt") or "").strip():
        mend = "say in words what the figure shows: 'alt' of the figure in study.yaml"
        return [Issue("the figure has no alt text", Place(str(about)), mend)]
    if absent := [name for name in _AROUND if name not in found]:
        mend = "run 'python -m analysis figures'"
        return [Issue(f"it lacks {', '.join(absent)}", Place(str(about)), mend)]
    return []


def _picture(folder: Path, question: str, study: str, numbered: bool) -> Picture:
    about = _read(folder / "figure.json")
    return Picture(
        id=folder.name,
        folder=folder,
        caption=escape(about["caption"]),
        lead=_lead(folder.name, about, question, numbered),
        alt=" ".join(about["alt"].split()),
        width_mm=about.get("width_mm", 170),
        setup=about["setup"],
        study=study,
        subtitle=escape(about.get("subtitle", "")),
        table=about.get("table"),
        numbered=numbered,
    )


def _lead(id: str, about: Mapping[str, Any], question: str, numbered: bool) -> str:
    """``How much less? 38 to 60% less (Figure 2; 2 of 5 sizes assumed).``

    A set-up has no finding.
    """
    named = f"@{'tbl' if about.get('table') else 'fig'}-{id}" if numbered else ""
    answer = f"See {named}." if named else ""
    if not about["setup"]:
        aside = "; ".join(filter(None, [named, about.get("assumed", "")]))
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
