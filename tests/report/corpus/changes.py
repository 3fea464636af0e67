"""Changes of declarations and data after an approval, and what notices them."""

from __future__ import annotations

import datetime as dt
import shutil
from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

from analysis.cli import main
from analysis.declared.campaign import campaign_folder, read_campaign
from analysis.errors import UserError
from analysis.facts.evidence import read_evidence, write_evidence
from analysis.facts.fact import evidence_of, read_facts, write_facts
from analysis.programs import fingerprint
from analysis.publish.diff.fact_changes import fact_changes
from analysis.report.claims.checked import check_texts
from analysis.report.document.compose import compose
from analysis.report.lint.checks import lint, unverified
from analysis.report.material import Sources, read_material
from analysis.report.review.state import reviews
from analysis.report.review.verb import approve
from tests.handed_over import change_evidence
from tests.report.corpus.cases import HERE, Entry, read
from tests.report.corpus.edits import Edit, edited, restored
from tests.report.corpus.harness import ROOT, make_pictures, sources

By = Literal["approval", "check", "refusal", "diff", "rebuild"]
_DERIVING = ("ingest", "derive")


class Change(Entry):
    """A change of an edition or a campaign, and what must notice it.

    One of ``noticed_by`` must: a stale approval, an error of the checks, a refusal to
    build, a fact that a diff shows, or a stage that runs again. None of them may where
    it is empty. ``needs`` is ``memory`` where the facts stay, ``derive`` where they are
    derived anew. With ``rehash``, the declared hashes follow the edits.
    """

    id: str
    edition: str
    needs: Literal["memory", "derive"]
    noticed_by: tuple[By, ...]
    why: str
    edits: tuple[Edit, ...]
    rehash: bool = False


@dataclass(frozen=True)
class Noticed:
    """What noticed a change."""

    change: Change
    by: frozenset[By]

    @property
    def good(self) -> bool:
        """Whether one of the right ones did, or rightly none."""
        wanted = set(self.change.noticed_by)
        return bool(wanted & self.by) if wanted else not self.by


def changes() -> list[Change]:
    """All changes, in the order of the file."""
    return [
        Change(**{n: v for n, v in group.items() if n != "changes"} | own)
        for group in read(HERE / "changes.yaml")
        for own in group["changes"]
    ]


def noticed(
    change: Change, folder: Path, facts: Mapping[str, Path], raw: Path
) -> Noticed:
    """What notices a change in a copy of its edition, which is then as it was.

    ``facts`` are the facts of each edition as it is, ``raw`` has the campaigns.
    Where facts are derived anew, the copy is one of its own.
    """
    if change.edits[0].library:
        return Noticed(change, in_libraries(change))
    told = facts[change.edition]
    if change.needs == "memory":
        place = folder / change.edition
        world = _approved(change.edition, place, told, raw)
        with restored(place, change.edits):
            for edit in change.edits:
                edited(place, edit)
            try:
                hand_on(change.edition, place, world)
            except UserError:
                return Noticed(change, frozenset({"refusal"}))
            return Noticed(change, in_report(change.edition, place, world, told))
    place = folder / change.id
    world = built(change.edition, place, told, raw, whole=True)
    for edit in change.edits:
        edited(place, edit, change.rehash)
    try:
        derive(change.edition, place)
    except UserError:
        return Noticed(change, frozenset({"refusal"}))
    return Noticed(change, in_report(change.edition, place, world, told))


def in_libraries(change: Change) -> frozenset[By]:
    """Whether the stages that compute facts run again with other libraries."""
    other = {edit.library: edit.to for edit in change.edits}
    installed = fingerprint.installed

    def pretended(place: Path) -> dict[str, dict[str, Any]]:
        found = installed(place)
        return {
            name: one | ({"version": other[name]} if name in other else {})
            for name, one in found.items()
        }

    before = fingerprint.code_of(_DERIVING)
    with patch.object(fingerprint, "installed", pretended):
        after = fingerprint.code_of(_DERIVING)
    return frozenset({"rebuild"} if before != after else ())


def in_report(edition: str, folder: Path, world: Sources, told: Path) -> frozenset[By]:
    """What the report stage says of a copy, and a diff with the facts of before."""
    by: set[By] = set()
    before, after = read_facts(told), read_facts(world.facts)
    if any(move.visible for move in fact_changes(before.of(edition), after)):
        by.add("diff")
    try:
        with chdir(folder):  # published.csv is found from there
            checked = check_texts(read_material(edition, world))
            states = reviews(checked)
            compose(checked, states, world.templates)
    except UserError:
        return frozenset({*by, "refusal"})
    if checked.false_claims() or any(f.severity == "error" for f in lint(checked)):
        by.add("check")
    if any(unverified(checked, states)):
        by.add("check")
    if any(review.state != "approved" for review in states.asked):
        by.add("approval")
    return frozenset(by)


@cache
def _approved(edition: str, folder: Path, told: Path, raw: Path) -> Sources:
    return built(edition, folder, told, raw, whole=False)


def built(edition: str, folder: Path, told: Path, raw: Path, whole: bool) -> Sources:
    """A copy of an edition with its facts, and with all of its studies approved.

    With the raw files where it is ``whole``, else with the declarations alone.
    """
    campaign = campaign_folder(raw, edition)  # which has the name of its edition
    copy = folder / "raw" / edition
    shutil.copytree(ROOT / "data", folder / "data", ignore=_without_build)
    if whole:
        shutil.copytree(campaign, copy)
    else:
        copy.mkdir(parents=True)
        for name in ("campaign.yaml", "runs.csv"):
            shutil.copyfile(campaign / name, copy / name)
    facts = folder / "facts.json"
    write_facts(read_facts(told).of(edition), facts)
    write_evidence(read_evidence(evidence_of(told), [edition]), evidence_of(facts))
    world = replace(
        sources(edition, facts, folder),
        raw=folder / "raw",
        metrics=folder / "data/metrics.yaml",
        published=folder / "data/published.csv",
        issues=folder / "data/published_issues.csv",
    )
    if whole:
        draw(edition, folder)
    checked = check_texts(read_material(edition, world))
    for study in (*checked.material.studies, None):
        approve(checked, study, "Ann Author", dt.date(2026, 11, 21))
    return world


def hand_on(edition: str, folder: Path, world: Sources) -> None:
    """What derive and figures make of declarations, where the facts stay."""
    declared = read_campaign(folder / "raw" / edition)
    change_evidence(world.facts, edition, declared=declared)
    make_pictures(edition, world)


def original(file: str, raw: Path) -> Path:
    """The file of the project that an edit is made in a copy of."""
    top, name, *inside = Path(file).parts
    if top != "raw":
        return ROOT / file
    return campaign_folder(raw, name).joinpath(*inside)


def derive(edition: str, folder: Path) -> None:
    """Ingest, derive and draw a copy anew; a refusal is a :class:`UserError`."""
    tables = folder / "tables" / edition
    shutil.rmtree(tables, ignore_errors=True)
    run("ingest", "--campaign", folder / "raw" / edition, "--out", tables)
    run("load", "--tables", tables, "--out", folder / "perf.duckdb")
    data = folder / "data"
    run(
        *("derive", "--database", folder / "perf.duckdb"),
        *("--tables", folder / "tables"),
        *("--report", folder / "report", "--raw", folder / "raw"),
        *("--metrics", data / "metrics.yaml", "--published", data / "published.csv"),
        *("--out", folder / "facts.json"),
    )
    draw(edition, folder)


def draw(edition: str, folder: Path) -> None:
    """Draw the figures of a copy anew."""
    shutil.rmtree(folder / "figures", ignore_errors=True)
    run(
        *("figures", "--edition", edition, "--facts", folder / "facts.json"),
        *("--report", folder / "report", "--published", folder / "data/published.csv"),
        *("--out", folder / "figures"),
    )


def run(verb: str, *arguments: str | Path) -> None:
    """Run a verb; a :class:`UserError` where it refuses."""
    if main([verb, *map(str, arguments)]) != 0:
        raise UserError([])


def _without_build(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name == "build"]
