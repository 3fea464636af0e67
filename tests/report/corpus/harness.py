"""Puts statements into copies of the editions, and says what the checks make of them.

The material of an edition is read once. For each statement, the one text that it stands
in is written anew and checked, with all else that bears on it.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from analysis.cli import main
from analysis.declared.edition import read_edition
from analysis.declared.metrics import read_metrics
from analysis.declared.published import read_published
from analysis.declared.studies import read_studies
from analysis.errors import UserError
from analysis.facts.fact import evidence_of, read_facts
from analysis.figures.kind import KINDS
from analysis.figures.setting import read_settings
from analysis.figures.verb import prepare
from analysis.report.claims.checked import Checked, check_texts
from analysis.report.document.compose import compose
from analysis.report.lint.checks import lint
from analysis.report.lint.finding import Finding
from analysis.report.material import Material, Sources, read_material
from analysis.report.pictures import read_pictures
from analysis.report.review.state import reviews
from tests.golden.update_facts import derive_all
from tests.report.conftest import sources_of
from tests.report.corpus.cases import Outcome, Statement

ROOT = Path(__file__).parents[3]
EDITIONS = ("linux-veth", "zos-cs-3.2")
_WORST: tuple[Outcome, ...] = ("error", "held", "warning")
_FRONT = re.compile(r"\A---\n(.*?)^---\n", re.DOTALL | re.MULTILINE)
_OTHER_STUDY = re.compile(r'study="([^"]+)"')


@dataclass(frozen=True)
class Result:
    """What the checks say of a statement, at the severity of the worst finding."""

    statement: Statement
    outcome: Outcome
    words: tuple[str, ...]

    @property
    def good(self) -> bool:
        """Whether enough came of it: nothing stops a true one, a false one is stopped.

        Both an error and what is held stop it in a final edition.
        """
        stopped = self.outcome in ("error", "held")
        if self.statement.expect == "pass":
            return not stopped
        return stopped or self.outcome == self.statement.expect


class Benches:
    """The editions of the project, each in a folder of its own, made when needed."""

    def __init__(self, facts: Path, folder: Path) -> None:
        self.facts, self.folder = facts, folder
        self._made: dict[str, Bench] = {}

    def result(self, statement: Statement) -> Result:
        """What the checks say of a statement, alone in its edition."""
        bench = self.of(statement.edition)
        found = list(bench.findings(statement))
        severities = {finding.severity for finding in found}
        worst = next((s for s in _WORST if s in severities), "silent")
        words = tuple(f"{f.severity}: {f.issue}" for f in found)
        return Result(statement, worst, words)

    def of(self, edition: str) -> Bench:
        """The bench of an edition."""
        if edition not in self._made:
            place = self.folder / edition
            self._made[edition] = Bench(edition, sources(edition, self.facts, place))
        return self._made[edition]


@dataclass
class Bench:
    """One edition, whose files may be changed and are put back."""

    edition: str
    sources: Sources

    @cached_property
    def material(self) -> Material:
        """The edition as it is."""
        return read_material(self.edition, self.sources)

    @cached_property
    def checked(self) -> Checked:
        """Its texts as they are."""
        return check_texts(self.material)

    @cached_property
    def before(self) -> Counter[tuple[str, str, str]]:
        """What the checks find in the edition as it is."""
        return Counter(map(_told, lint(self.checked)))

    def findings(self, statement: Statement) -> Iterator[Finding]:
        """What the checks find in the edition with a statement in it, and not else.

        A warning at a line of the front matter tells of a claim or an exception.
        """
        name, _, field = statement.file.partition(":")
        path = self.material.folder / name
        text = path.read_text(encoding="utf-8")
        changed = (
            with_field(text, field, statement.text)
            if field
            else with_paragraph(text, statement)
        )
        first = 0 if field else changed.count("\n", 0, _front_end(changed)) + 1
        base = replace(self.material, edition=self._edition(statement))
        known = self.checked.texts
        with written(path, changed):
            found = (
                _whole(self._declared(base, name), self.sources, known)
                if field
                else _texts(narrowed(base, statement), known)
            )
        before = Counter(self.before)
        for finding in found:
            line = finding.issue.where.line if finding.issue.where else None
            if before[told := _told(finding)]:
                before[told] -= 1
            elif finding.severity != "warning" or line is None or line >= first:
                yield finding

    def _edition(self, statement: Statement) -> Any:
        return self.material.edition.model_copy(update={"status": statement.status})

    def _declared(self, material: Material, name: str) -> Callable[[], Material]:
        """The material with its declarations read again."""

        def read() -> Material:
            folder = material.folder
            if name == "edition.yaml":
                return replace(material, edition=read_edition(folder))
            if not name.endswith("study.yaml"):
                return material
            id = name.split("/")[1]
            studies = read_studies(folder, material.edition)
            make_pictures(self.edition, self.sources, id)
            pictures = read_pictures(
                self.sources.figures, studies, material.metrics, folder
            )
            return replace(material, studies=studies, pictures=pictures)

        return read


def sources(edition: str, facts: Path, folder: Path) -> Sources:
    """Where a copy of an edition lies below ``folder``, and what it is made from."""
    report = folder / "report"
    shutil.copytree(ROOT / "report" / edition, report / edition)
    (folder / "backtest.json").write_bytes(_backtest())
    found = replace(
        sources_of(folder),
        facts=facts,
        raw=ROOT / "raw",
        ingest=folder / "ingest",
        backtest=folder / "backtest.json",
    )
    make_pictures(edition, found)
    return found


@cache
def _backtest() -> bytes:
    """The back-test, which is the same for all copies."""
    with TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        main(["backtest", "--out", f"{folder}/backtest.json"])
        return Path(folder, "backtest.json").read_bytes()


def derived_facts(folder: Path, raw: Path, tables: Mapping[str, Path]) -> Path:
    """The facts of all editions, from the raw files and tables of their campaigns."""
    derive_all(folder, raw, tables.values())
    return folder / "facts.json"


def make_pictures(edition: str, sources: Sources, study: str = "") -> None:
    """The files of the figures of a study, or of all: words, and the least drawing."""
    metrics, evidence = read_metrics(sources.metrics), evidence_of(sources.facts)
    published = read_published(sources.published, sources.metrics)
    settings = [
        replace(setting, published=published)
        for setting in read_settings(sources.report, edition, evidence, metrics)
        if study in ("", setting.study_id)
    ]
    for drawing in prepare(settings, read_facts(sources.facts).of(edition)):
        setting = drawing.setting
        place = sources.figures / setting.id
        place.mkdir(parents=True, exist_ok=True)
        for file in ("figure.svg", "figure-narrow.svg"):
            (place / file).write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
        (place / "figure.csv").write_text("workload,value\n")
        about = {
            "alt": drawing.words.alt,
            "setup": KINDS[setting.figure.kind].setup,
            "width_mm": 170,
        }
        told = json.dumps(about | asdict(drawing.around))
        (place / "figure.json").write_text(told, encoding="utf-8")


def narrowed(material: Material, statement: Statement) -> Material:
    """The material of one text: its study and those that it names, and no other text.

    Front and back matter and introductions may speak of every study.
    """
    edition = material.edition
    around: dict[str, Any] = {
        part: tuple(s for s in getattr(edition, part) if s.file == statement.file)
        for part in ("front", "back")
    }
    if edition.summary != statement.file:
        around["summary"] = None
    folder, *inside = statement.file.split("/")
    if folder != "studies":
        return replace(material, edition=edition.model_copy(update=around))
    own = {inside[0], *_OTHER_STUDY.findall(statement.text)}
    few = {id: study for id, study in material.studies.items() if id in own}
    told = around | {"studies": tuple(few)}
    return replace(
        material,
        edition=edition.model_copy(update=told),
        studies=few,
        facts=material.facts.of_studies(few),
    )


def with_paragraph(text: str, statement: Statement) -> str:
    """A text with a statement at its end and with its claims in the front matter."""
    found = _FRONT.match(text)
    front = yaml.safe_load(found[1]) if found else {}
    claims = [*front.get("claims", []), *statement.claims]
    allow = [{"text": words, "reason": "a name"} for words in statement.allow]
    told = {"claims": claims, "allow": [*front.get("allow", []), *allow]}
    kept = {name: value for name, value in told.items() if value}
    body = text[found.end() :] if found else text
    head = f"---\n{_dump(kept)}---\n" if kept else ""
    return f"{head}{body.rstrip()}\n\n{statement.text.strip()}\n"


def with_field(text: str, field: str, value: Any) -> str:
    """A declaration with another value in a field, such as ``figures[0].question``."""
    data = yaml.load(text, yaml.CSafeLoader)
    *parents, last = field_path(field)
    place = data
    for step in parents:
        place = place[step]
    place[last] = value
    return _dump(data)


def field_path(field: str) -> list[str | int]:
    """``["figures", 0, "question"]`` of ``figures[0].question``."""
    steps = re.findall(r"\[(\d+)\]|([^.\[\]]+)", field)
    return [int(number) if number else name for number, name in steps]


@contextmanager
def written(path: Path, text: str) -> Iterator[None]:
    """The file with another text, for a while."""
    before = path.read_bytes()
    path.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        path.write_bytes(before)


def _texts(material: Material, known: Mapping[str, Any]) -> list[Finding]:
    """The findings on wording and claims, without a page being composed."""
    try:
        checked = check_texts(material, known)
    except UserError as error:
        return [Finding("error", "text", issue) for issue in error.issues]
    wrong = [Finding("error", "claim", issue) for issue in checked.false_claims()]
    return [*lint(checked), *wrong]


def _whole(
    read: Callable[[], Material], sources: Sources, known: Mapping[str, Any]
) -> list[Finding]:
    """The same where a declaration changed, which a whole page is composed from."""
    try:
        material = read()
        checked = check_texts(material, known)
        compose(checked, reviews(checked), sources.templates)
    except UserError as error:
        return [Finding("error", "text", issue) for issue in error.issues]
    return lint(checked)


def _told(finding: Finding) -> tuple[str, str, str]:
    """What a finding says of which file; its line moves with what is written above."""
    where = finding.issue.where
    return finding.severity, finding.issue.what, where.file if where else ""


def _front_end(text: str) -> int:
    found = _FRONT.match(text)
    return found.end() if found else 0


def _dump(data: Any) -> str:
    return yaml.dump(
        data, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=10_000
    )
