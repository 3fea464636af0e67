"""Changes of declarations and data after an approval, and what notices them."""

from __future__ import annotations

import datetime as dt
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

import yaml

from analysis import fingerprint
from analysis.cli import main
from analysis.errors import UserError
from analysis.fact import read_facts, write_facts
from analysis.publish.diff.fact_changes import fact_changes
from analysis.report.checked import check_texts
from analysis.report.compose import compose
from analysis.report.lint.checks import lint
from analysis.report.material import Sources, read_material
from analysis.report.review.state import reviews
from analysis.report.review.verb import approve
from tests.report.corpus.cases import HERE, Entry, read
from tests.report.corpus.harness import ROOT, field_path, sources, with_field

By = Literal["approval", "check", "refusal", "diff", "rebuild"]
_DERIVING = ("ingest", "derive")


class Edit(Entry):
    """One edit of a file, in one of several ways; or of a library's version."""

    file: str = ""
    library: str = ""
    field: str = ""
    find: str = ""
    pattern: str = ""
    to: Any = None
    swap: tuple[str, ...] = ()
    remove: str = ""
    drop: str = ""
    prepend: str = ""
    append: str = ""
    create: str = ""
    reorder: bool = False
    touch: bool = False
    delete: bool = False


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


def noticed(change: Change, folder: Path, facts: Mapping[str, Path]) -> Noticed:
    """What notices a change in a copy of its edition, which is then as it was.

    ``facts`` are the facts of each edition as it is. Where they are derived anew, the
    copy is one of its own.
    """
    if change.edits[0].library:
        return Noticed(change, in_libraries(change))
    told = facts[change.edition]
    if change.needs == "memory":
        place = folder / change.edition
        world = _approved(change.edition, place, told)
        with restored(place, change.edits):
            for edit in change.edits:
                edited(place, edit)
            return Noticed(change, in_report(change.edition, place, world, told))
    place = folder / change.id
    world = built(change.edition, place, told, whole=True)
    for edit in change.edits:
        edited(place, edit, change.rehash)
    try:
        derive(change.edition, place)
    except UserError:
        return Noticed(change, frozenset({"refusal"}))
    return Noticed(change, in_report(change.edition, place, world, told))


@contextmanager
def restored(folder: Path, edits: Iterable[Edit]) -> Iterator[None]:
    """Puts the files of edits back to what they were before."""
    paths = {folder / edit.file for edit in edits}
    before = {path: path.read_bytes() if path.is_file() else None for path in paths}
    try:
        yield
    finally:
        for path, content in before.items():
            if content is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(content)


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
    if any(review.state != "approved" for review in states.values()):
        by.add("approval")
    return frozenset(by)


@cache
def _approved(edition: str, folder: Path, told: Path) -> Sources:
    return built(edition, folder, told, whole=False)


def built(edition: str, folder: Path, told: Path, whole: bool) -> Sources:
    """A copy of an edition with its facts, and with all of its studies approved.

    With the evidence where it is ``whole``, else with the declarations alone.
    """
    raw = folder / "raw" / edition  # a campaign has the name of its edition
    shutil.copytree(ROOT / "data", folder / "data", ignore=_without_build)
    if whole:
        shutil.copytree(ROOT / "raw" / edition, raw)
    else:
        raw.mkdir(parents=True)
        for name in ("campaign.yaml", "runs.csv"):
            shutil.copyfile(ROOT / "raw" / edition / name, raw / name)
    write_facts(read_facts(told).of(edition), folder / "facts.json")
    world = replace(
        sources(edition, folder / "facts.json", folder),
        raw=folder / "raw",
        metrics=folder / "data/metrics.yaml",
        published=folder / "data/published.csv",
        issues=folder / "data/published_issues.csv",
    )
    if whole:
        draw(edition, folder)
    checked = check_texts(read_material(edition, world))
    for study in checked.material.studies:
        approve(checked, study, "Ann Author", dt.date(2026, 11, 21))
    return world


def derive(edition: str, folder: Path) -> None:
    """Ingest, derive and draw a copy anew; a refusal is a :class:`UserError`."""
    tables = folder / "tables" / edition
    shutil.rmtree(tables, ignore_errors=True)
    run("ingest", "--campaign", folder / "raw" / edition, "--out", tables)
    run("load", "--tables", tables, "--out", folder / "perf.duckdb")
    data = folder / "data"
    run(
        *("derive", "--database", folder / "perf.duckdb"),
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
        *("--report", folder / "report", "--raw", folder / "raw"),
        *("--published", folder / "data/published.csv", "--out", folder / "figures"),
    )


def run(verb: str, *arguments: str | Path) -> None:
    """Run a verb; a :class:`UserError` where it refuses."""
    if main([verb, *map(str, arguments)]) != 0:
        raise UserError([])


def edited(folder: Path, edit: Edit, rehash: bool = False) -> None:
    """Make an edit below a folder; an edit that changes nothing is a mistake."""
    path = folder / edit.file
    before = path.read_bytes() if path.is_file() else b""
    if edit.touch:
        os.utime(path, (0, 0))
        return
    if edit.delete:
        path.unlink()
        return
    text = _edited(before.decode(), edit)
    assert text.encode() != before, f"nothing to edit: {edit}"
    path.write_text(text, encoding="utf-8")
    if rehash:
        declared = path.parents[len(Path(edit.file).parts) - 3] / "campaign.yaml"
        hashes = [sha256(content).hexdigest() for content in (before, text.encode())]
        declared.write_text(declared.read_text("utf-8").replace(*hashes), "utf-8")


def _edited(text: str, edit: Edit) -> str:
    ways: dict[str, Callable[[str, Edit], str]] = {
        "field": lambda text, e: with_field(text, e.field, e.to),
        "find": lambda text, e: text.replace(_lines(e.find), _lines(e.to), 1),
        "pattern": lambda text, e: re.sub(e.pattern, e.to, text),
        "swap": _swapped,
        "remove": _removed,
        "drop": lambda text, e: _kept(text, re.compile(e.drop)),
        "prepend": lambda text, e: _lines(e.prepend) + text,
        "append": lambda text, e: text + _lines(e.append),
        "create": lambda text, e: e.create,
        "reorder": _reordered,
    }
    [way] = [way for name, way in ways.items() if getattr(edit, name)]
    return way(text, edit)


def _lines(words: str) -> str:
    return words.replace("\\n", "\n")


def _kept(text: str, dropped: re.Pattern[str]) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not dropped.match(line))


def _swapped(text: str, edit: Edit) -> str:
    data, (first, second) = yaml.load(text, yaml.CSafeLoader), edit.swap
    values = [_value(data, name) for name in (first, second)]
    return with_field(with_field(text, first, values[1]), second, values[0])


def _value(data: Any, field: str) -> Any:
    for step in field_path(field):
        data = data[step]
    return data


def _removed(text: str, edit: Edit) -> str:
    data = yaml.load(text, yaml.CSafeLoader)
    *parents, last = field_path(edit.remove)
    place = data
    for step in parents:
        place = place[step]
    del place[last]
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False)


def _reordered(text: str, edit: Edit) -> str:
    data = yaml.load(text, yaml.CSafeLoader)
    turned = dict(reversed(data.items()))
    return yaml.safe_dump(turned, allow_unicode=True, sort_keys=False)


def _without_build(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name == "build"]
