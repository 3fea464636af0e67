"""Everything that differs between two builds: facts, claims, figures, texts, the rest.

Of facts it says which moved, for better or worse, and beyond noise or not.
"""

from __future__ import annotations

import csv
import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from analysis.errors import user_error
from analysis.facts.fact import Fact, Facts, read_facts
from analysis.facts.units import format_percent_interval, format_range
from analysis.files.csv_text import read_csv
from analysis.publish.build import FACTS, PROVENANCE, Build, check_files

Names = Mapping[str, str]


@dataclass(frozen=True)
class FactChange:
    """One fact before and after; one of them is None where it is new or gone.

    ``beyond_noise`` is None where a side has no interval. A value that moved has left
    the noise when the two intervals have nothing in common.
    """

    key: str
    kind: Literal["new", "gone", "moved"]
    before: Fact | None
    after: Fact | None
    direction: Literal["better", "worse", "neither"] = "neither"
    beyond_noise: bool | None = None

    @property
    def fact(self) -> Fact:
        """The fact as it is now, or was last."""
        fact = self.after or self.before
        assert fact is not None  # noqa: S101 - a change has at least one side
        return fact

    @property
    def origin_changed(self) -> bool:
        """Whether the two sides have different origins."""
        return bool(
            self.before and self.after and self.before.origin != self.after.origin
        )

    @property
    def verdict_changed(self) -> bool:
        """Whether the two sides have different verdicts."""
        return bool(
            self.before and self.after and self.before.verdict != self.after.verdict
        )

    @property
    def evidence_moves(self) -> tuple[tuple[str, str, str], ...]:
        """What the value rests on, where that changed: name, before and after."""
        if self.before is None or self.after is None:
            return ()
        old, new = _evidence(self.before), _evidence(self.after)
        return tuple((n, old[n], new[n]) for n in old if old[n] != new[n])

    @property
    def visible(self) -> bool:
        """Whether a reader of the report can see the change."""
        if self.before is None or self.after is None:
            return True
        printed = self.before.printed != self.after.printed
        states = self.origin_changed or self.verdict_changed
        return printed or states or bool(self.evidence_moves)


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
class Labels:
    """Names for readers by id; what no build names goes by its id."""

    metrics: Names = field(default_factory=dict)
    configurations: Names = field(default_factory=dict)
    studies: Names = field(default_factory=dict)

    def study(self, id: str) -> str:
        """The title of a study."""
        return self.studies.get(id) or id

    def fact(self, fact: Fact) -> str:
        """``Latency, client, RR10(100B): Offload off relative to Offload on``."""
        metric = self.metrics.get(fact.metric) or fact.metric
        what = ", ".join(filter(None, (metric, fact.role, fact.workload)))
        named = f"{what}: {self._configuration(fact.configuration)}"
        if fact.baseline is None:
            return named
        return f"{named} relative to {self._configuration(fact.baseline)}"

    def _configuration(self, id: str) -> str:
        return self.configurations.get(id) or id


@dataclass(frozen=True)
class BuildComparison:
    """Two builds of an edition and all their differences."""

    before: Build
    after: Build
    facts: tuple[FactChange, ...] = ()
    claims: tuple[ClaimMove, ...] = ()
    reviews: tuple[Move, ...] = ()
    figures: tuple[FigureMove, ...] = ()
    texts: tuple[TextMove, ...] = ()
    raw: tuple[Move, ...] = ()
    formats: tuple[Move, ...] = ()
    code: tuple[Move, ...] = ()
    runs: tuple[Move, ...] = ()
    origins: tuple[Move, ...] = ()
    labels: Labels = field(default_factory=Labels)

    @property
    def empty(self) -> bool:
        """Whether nothing changed."""
        sides = ("before", "after", "labels")
        return not any(part for name, part in vars(self).items() if name not in sides)

    @property
    def visible_facts(self) -> tuple[FactChange, ...]:
        """Facts whose change a reader can see."""
        return tuple(change for change in self.facts if change.visible)


def compare(before: Build, after: Build) -> BuildComparison:
    """The differences of two builds; a :class:`UserError` if one cannot be trusted."""
    facts = [_facts(build) for build in (before, after)]
    old, new = before.provenance, after.provenance
    return BuildComparison(
        before,
        after,
        facts=tuple(fact_changes(*facts)),
        claims=tuple(_claims(old.get("studies", {}), new.get("studies", {}))),
        reviews=moves(_reviews(old), _reviews(new)),
        figures=tuple(_figures(before, after)),
        texts=tuple(_texts(old.get("texts", {}), new.get("texts", {}))),
        raw=moves(_raw(old), _raw(new)),
        formats=moves(before.formats, after.formats),
        code=moves(_code(before), _code(after)),
        runs=moves(*map(_runs, facts)),
        origins=moves(_origins(old), _origins(new)),
        labels=labels_of(old, new),
    )


def moves(before: Names, after: Names) -> tuple[Move, ...]:
    """Names whose text differs, sorted."""
    return tuple(
        Move(name, before.get(name), after.get(name))
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    )


def fact_changes(before: Facts, after: Facts) -> Iterator[FactChange]:
    """All facts that differ in value, print, verdict or what they rest on, by key."""
    old, new = ({fact.key: fact for fact in facts.facts} for facts in (before, after))
    for key in sorted({*old, *new}):
        was, now = old.get(key), new.get(key)
        if was is None or now is None:
            yield FactChange(key, "new" if now else "gone", was, now)
        elif _compared(was) != _compared(now):
            direction, beyond = _direction(was, now), _beyond_noise(was, now)
            yield FactChange(key, "moved", was, now, direction, beyond)


def _compared(fact: Fact) -> tuple[object, ...]:
    value = fact.value, fact.printed, fact.origin, fact.verdict, fact.unit
    return *value, *_evidence(fact).values()


def _evidence(fact: Fact) -> dict[str, str]:
    """What a value rests on, as the report shows it."""
    model = fact.estimate and f"{fact.estimate.model}, {fact.estimate.rung}"
    return {
        "n": fact.count,
        "interval": _interval(fact),
        "limit": "none" if fact.threshold is None else f"{fact.threshold:.3g}%",
        "warnings": "; ".join(sorted({w.note for w in fact.warnings})) or "none",
        "model": model or "none",
    }


def _interval(fact: Fact) -> str:
    if fact.low is None or fact.high is None:
        return "none"
    if fact.kind == "delta":
        return format_percent_interval(fact.low, fact.high)
    return format_range(fact.low, fact.high, fact.unit)


def _direction(before: Fact, after: Fact) -> Literal["better", "worse", "neither"]:
    moved = after.value - before.value
    if moved == 0 or after.better == "none":
        return "neither"
    return "better" if (moved > 0) == (after.better == "higher") else "worse"


def _beyond_noise(before: Fact, after: Fact) -> bool | None:
    if before.low is None or before.high is None:
        return None
    if after.low is None or after.high is None:
        return None
    return after.low > before.high or after.high < before.low


def _facts(build: Build) -> Facts:
    """The facts of a build that holds what is compared, as it was built."""
    if not {FACTS, PROVENANCE} <= set(build.files):
        raise user_error(
            "this build does not hold its facts and its provenance",
            build.folder,
            mend="build the edition again: make report",
        )
    if issues := check_files(build.folder, build.files):
        where = str(issues[0].where)
        raise user_error(issues[0].what, where, mend="compare whole builds")
    path = build.folder / FACTS
    try:
        return read_facts(path)
    except (LookupError, TypeError, AttributeError, RecursionError) as error:
        what = f"cannot be read: {type(error).__name__}: {error}"
        raise user_error(what, path, mend="compare builds of this version") from None


def _claims(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[ClaimMove]:
    for study in dict.fromkeys((*new, *old)):
        then, now = (
            {
                claim["claim"]: claim
                for claim in studies.get(study, {}).get("claims", ())
            }
            for studies in (old, new)
        )
        for claim in dict.fromkeys((*now, *then)):
            before, after = (side.get(claim, {}).get("state") for side in (then, now))
            if before != after:
                data = (now.get(claim) or then[claim])["data"]
                yield ClaimMove(study, claim, before, after, data)


def _reviews(provenance: Mapping[str, Any]) -> dict[str, str]:
    """The states of the reviews that are asked for."""
    studies = provenance.get("studies", {}).items()
    states = {id: study["state"] for id, study in studies}
    matter = provenance.get("matter")
    if matter and matter["asked"]:
        states["front and back matter"] = matter["state"]
    return states


def _figures(before: Build, after: Build) -> Iterator[FigureMove]:
    builds = before, after
    for name in sorted(
        {n for b in builds for n in b.files if n.startswith("figures/")}
    ):
        id = Path(name).stem
        data = f"data/{id}.csv"
        if any(before.files.get(n) != after.files.get(n) for n in (name, data)):
            old, new = (b.folder / name if name in b.files else None for b in builds)
            rows = len(_rows(before, data) ^ _rows(after, data))
            yield FigureMove(id, old, new, rows)


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


def _texts(old: Names, new: Names) -> Iterator[TextMove]:
    for move in moves(old, new):
        before, after = ((t or "").splitlines() for t in (move.before, move.after))
        lines = difflib.unified_diff(before, after, lineterm="", n=1)
        yield TextMove(move.name, tuple(lines)[2:])


def _runs(facts: Facts) -> dict[str, str]:
    """How many runs of what were used, left out and are missing."""
    counts = {}
    for run in facts.runs:
        lacks = (f"lacks {name}" for name in run.missing)
        words = ", ".join([f"{run.used} used", f"{run.excluded} excluded", *lacks])
        counts[f"{run.study}: {run.workload} on {run.configuration}"] = words
    return counts


def _origins(provenance: Mapping[str, Any]) -> dict[str, str]:
    """The origin of each campaign, and the evidence that its runs leave out."""
    states = {}
    for name, about in provenance.get("campaigns", {}).items():
        states[f"{name}, origin"] = str(about.get("origin"))
        left = about.get("left_out") or ()
        states[f"{name}, files with evidence that no run names"] = str(len(left))
    return states


def _raw(provenance: Mapping[str, Any]) -> dict[str, str]:
    """The sha256 of each raw file."""
    return {
        f"raw/{campaign}/{name}": digest
        for campaign, about in provenance.get("campaigns", {}).items()
        for name, digest in about["files"].items()
    }


def _code(build: Build) -> dict[str, str]:
    """The fingerprints of the stages, and the versions of all that computed."""
    stages = build.provenance.get("code", {}).items()
    libraries = build.provenance.get("libraries") or {}
    programs = {**libraries, **build.manifest.get("versions", {})}
    return {
        **{f"stage {name}": digest for name, digest in stages},
        **{name: str(version) for name, version in programs.items()},
    }


def labels_of(*provenances: Mapping[str, Any]) -> Labels:
    """The names that builds give; those of the last one count."""
    metrics, configurations, studies = (dict[str, str]() for _ in range(3))
    for provenance in provenances:
        names = provenance.get("names", {})
        metrics |= _texts_of(names.get("metrics"))
        configurations |= _texts_of(names.get("configurations"))
        about = provenance.get("studies", {}).items()
        studies |= _texts_of({id: study.get("title") for id, study in about})
    return Labels(metrics, configurations, studies)


def _texts_of(names: Any) -> dict[str, str]:
    """What of something from a file is text by name."""
    items = names.items() if isinstance(names, dict) else ()
    return {id: text for id, text in items if isinstance(text, str)}
