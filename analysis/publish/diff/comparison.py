"""Everything that differs between two builds."""

from __future__ import annotations

import csv
import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.errors import user_error
from analysis.facts.fact import Facts, read_facts
from analysis.files.csv_text import read_csv
from analysis.publish.build import FACTS, Build, check_files
from analysis.publish.diff.fact_changes import FactChange, fact_changes
from analysis.publish.diff.labels import Labels, labels_of

_SCRIPT = "figures/"


@dataclass(frozen=True)
class Move:
    """Something that has a name and was one thing and is another; None is absent."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class ClaimMove:
    """A claim of a study whose verdict changed, or that is new or gone."""

    study: str
    claim: str
    before: str | None
    after: str | None
    data: str


@dataclass(frozen=True)
class FigureMove:
    """A figure whose drawing or data changed: its files, and how many rows moved."""

    id: str
    before: Path | None
    after: Path | None
    rows: int


@dataclass(frozen=True)
class TextMove:
    """A text that changed, as lines marked ``+``, ``-`` or blank."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class BuildComparison:
    """Two builds of an edition and all their differences."""

    before: Build
    after: Build
    facts: tuple[FactChange, ...]
    claims: tuple[ClaimMove, ...]
    reviews: tuple[Move, ...]
    figures: tuple[FigureMove, ...]
    texts: tuple[TextMove, ...]
    raw: tuple[Move, ...]
    formats: tuple[Move, ...]
    code: tuple[Move, ...]
    runs: tuple[Move, ...] = ()
    origins: tuple[Move, ...] = ()
    labels: Labels = field(default_factory=Labels)

    @property
    def empty(self) -> bool:
        """Whether nothing changed."""
        return not any(
            (
                self.facts, self.claims, self.reviews, self.figures, self.texts,
                self.raw, self.formats, self.code, self.runs, self.origins,
            )
        )  # fmt: skip

    @property
    def visible_facts(self) -> tuple[FactChange, ...]:
        """Facts whose change a reader can see."""
        return tuple(change for change in self.facts if change.visible)


def compare(before: Build, after: Build) -> BuildComparison:
    """The differences of two builds; a :class:`UserError` if one cannot be trusted."""
    for build in (before, after):
        _check(build)
    facts = [_facts(build) for build in (before, after)]
    old, new = before.provenance, after.provenance
    return BuildComparison(
        before,
        after,
        tuple(fact_changes(*facts)),
        tuple(_claims(_studies(old), _studies(new))),
        tuple(moves(_reviews(old), _reviews(new))),
        tuple(_figures(before, after)),
        tuple(_texts(old.get("texts", {}), new.get("texts", {}))),
        tuple(moves(raw_of(old), raw_of(new))),
        tuple(moves(before.formats, after.formats)),
        tuple(moves(code_of(before), code_of(after))),
        tuple(moves(*(runs_of(own) for own in facts))),
        tuple(moves(origins_of(old), origins_of(new))),
        labels_of(old, new),
    )


def moves(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Move]:
    """Names whose text differs, sorted."""
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            yield Move(name, before.get(name), after.get(name))


def _check(build: Build) -> None:
    names = [n for n in (FACTS, "provenance.json") if n in build.files]
    if len(names) < 2:
        raise user_error(
            "this build does not hold its facts and its provenance",
            build.folder,
            mend="build the edition again: make report",
        )
    issues = check_files(build.folder, build.files)
    if issues:
        raise user_error(
            issues[0].what, str(issues[0].where), mend="compare whole builds"
        )


def _facts(build: Build) -> Facts:
    path = build.folder / FACTS
    try:
        return read_facts(path)
    except (LookupError, TypeError, AttributeError, RecursionError) as error:
        what = f"cannot be read: {type(error).__name__}: {error}"
        raise user_error(what, path, mend="compare builds of this version") from None


def _studies(provenance: Mapping[str, Any]) -> Mapping[str, Any]:
    return provenance.get("studies", {})


def _claims(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[ClaimMove]:
    for study in dict.fromkeys((*new, *old)):
        then, now = _states(old.get(study)), _states(new.get(study))
        for claim in dict.fromkeys((*now, *then)):
            before, after = then.get(claim), now.get(claim)
            if (before and before["state"]) != (after and after["state"]):
                yield ClaimMove(
                    study,
                    claim,
                    before and before["state"],
                    after and after["state"],
                    (after or before or {})["data"],
                )


def _states(study: Mapping[str, Any] | None) -> dict[str, Any]:
    return {claim["claim"]: claim for claim in study["claims"]} if study else {}


def _reviews(provenance: Mapping[str, Any]) -> dict[str, str]:
    """The states of the reviews that are asked for."""
    found = {id: study["state"] for id, study in _studies(provenance).items()}
    matter = provenance.get("matter") or {"asked": False}
    own = {"front and back matter": matter["state"]} if matter["asked"] else {}
    return found | own


def _figures(before: Build, after: Build) -> Iterator[FigureMove]:
    names = {n for n in (*before.files, *after.files) if n.startswith(_SCRIPT)}
    for name in sorted(names):
        id = Path(name).stem
        data = f"data/{id}.csv"
        same = all(before.files.get(n) == after.files.get(n) for n in (name, data))
        if not same:
            sides = [
                b.folder / name if name in b.files else None for b in (before, after)
            ]
            rows = len(_rows(before, data) ^ _rows(after, data))
            yield FigureMove(id, sides[0], sides[1], rows)


def _rows(build: Build, name: str) -> set[tuple[tuple[str, str], ...]]:
    if name not in build.files:
        return set()
    path = build.folder / name
    try:
        text = path.read_text(encoding="utf-8")
        return {tuple(row.items()) for row in read_csv(text)}
    except (ValueError, csv.Error) as error:
        mend = "build the edition again: make report"
        raise user_error(f"cannot be read: {error}", path, mend=mend) from None


def _texts(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[TextMove]:
    for move in moves(old, new):
        lines = difflib.unified_diff(
            (move.before or "").splitlines(),
            (move.after or "").splitlines(),
            lineterm="",
            n=1,
        )
        yield TextMove(move.name, tuple(lines)[2:])


def runs_of(facts: Facts) -> dict[str, str]:
    """How many runs of what were used, left out and are missing."""
    return {
        f"{run.study}: {run.workload} on {run.configuration}": ", ".join(
            [
                f"{run.used} used",
                f"{run.excluded} excluded",
                *(f"lacks {name}" for name in run.missing),
            ]
        )
        for run in facts.runs
    }


def origins_of(provenance: Mapping[str, Any]) -> dict[str, str]:
    """The origin of each campaign, and the evidence that its runs leave out."""
    found = {}
    for name, about in provenance.get("campaigns", {}).items():
        found[f"{name}, origin"] = str(about.get("origin"))
        left = about.get("left_out") or ()
        found[f"{name}, files with evidence that no run names"] = str(len(left))
    return found


def raw_of(provenance: Mapping[str, Any]) -> dict[str, str]:
    """The sha256 of each raw file."""
    return {
        f"raw/{campaign}/{name}": digest
        for campaign, about in provenance.get("campaigns", {}).items()
        for name, digest in about["files"].items()
    }


def code_of(build: Build) -> dict[str, str]:
    """The fingerprints of the stages, and the versions of all that computed."""
    engine = build.manifest.get("versions", {})
    stages = {f"stage {n}": h for n, h in build.provenance.get("code", {}).items()}
    libraries = build.provenance.get("libraries") or {}
    programs = {**libraries, **engine}
    return {**stages, **{name: str(version) for name, version in programs.items()}}
