"""Raw numbers move by a factor: claims, printed numbers and approvals must follow.

One study at a time, the runs of its test configuration become faster or slower, and
the facts of the whole edition are derived anew. What should happen is worked out here
from the runs themselves and from the text of the pages, without the code under test.
"""

from __future__ import annotations

import csv
import datetime as dt
import json
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import median

import polars as pl
import pytest

from analysis.declared.campaign import Campaign
from analysis.declared.edition import read_edition, read_studies
from analysis.declared.metrics import read_metrics
from analysis.declared.study import Study
from analysis.derive.family import judge_studies
from analysis.derive.runs import open_database, read_campaigns
from analysis.derive.samples import RunEvidence, read_evidence
from analysis.derive.scope import StudyScope
from analysis.derive.study import derive_study
from analysis.derive.verb import study_series
from analysis.facts.fact import Fact, Facts, evidence_of, write_facts
from analysis.facts.series import SERIES_FILE, write_series
from analysis.facts.units import format_number, format_percent
from analysis.figures.output import COLUMNS
from analysis.figures.setting import read_settings
from analysis.figures.verb import prepare
from analysis.ingest.tables.load import load
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.document.compose import compose
from analysis.report.material import Sources, read_material
from analysis.report.review.state import reviews
from analysis.report.review.verb import approve
from tests.handed_over import hand_over
from tests.report.conftest import ROOT

EDITION = "linux-veth"
CHANGED = {"offload": "B", "noise": "A2"}
# How a run's numbers follow when each of its transactions takes k times as long.
POWERS = {
    "latency": 1,
    "cpu_cost": 1,
    "cpu_cost_per_mb": 1,
    "rate": -1,
    "throughput": -1,
}
SPAN = re.compile(r'\[([^\[\]]*)\]\{\.value key="([^"]+)"')
METRICS = read_metrics(ROOT / "data/metrics.yaml")


@dataclass(frozen=True)
class Build:
    """An edition made from some evidence: its facts, checks and pages."""

    evidence: RunEvidence
    facts: Mapping[str, Fact]
    checked: Checked
    pages: Mapping[str, str]

    def medians(self, key: str) -> tuple[float, float]:
        """Medians of a change's two samples: of the baseline, of the test."""
        fact = self.facts[key]
        sides = (fact.baseline, fact.configuration)
        return tuple(median(self.runs(fact, side)) for side in sides)  # type: ignore

    def runs(self, fact: Fact, configuration: str | None) -> list[float]:
        """The numbers of all runs behind one side of a fact."""
        return self.evidence.values.filter(
            pl.col("metric") == fact.metric,
            pl.col("workload") == fact.workload,
            pl.col("configuration") == configuration,
            pl.col("role").eq_missing(pl.lit(fact.role, pl.String)),
        )["value"].to_list()


@pytest.fixture(scope="module")
def campaigns() -> dict[str, Campaign]:
    return read_campaigns({EDITION}, ROOT / "raw")


@pytest.fixture(scope="module")
def evidence(
    campaigns: dict[str, Campaign],
    veth_tables: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> RunEvidence:
    folder = tmp_path_factory.mktemp("mutation")
    load([veth_tables], folder / "perf.duckdb")
    with open_database(folder / "perf.duckdb") as con:
        return read_evidence(con, campaigns, METRICS)


@pytest.fixture(scope="module")
def studies() -> dict[str, Study]:
    folder = ROOT / "report" / EDITION
    return read_studies(folder, read_edition(folder))


@pytest.fixture(scope="module")
def base(
    evidence: RunEvidence,
    studies: dict[str, Study],
    tmp_path_factory: pytest.TempPathFactory,
) -> Build:
    folder = tmp_path_factory.mktemp("base")
    shutil.copytree(ROOT / "report" / EDITION, folder / "report" / EDITION)
    made = build(evidence, studies, folder)
    for study in studies:
        approve(made.checked, study, "Ann Author", dt.date(2026, 3, 5))
    return made


def mutate(evidence: RunEvidence, configuration: str, factor: float) -> RunEvidence:
    power = pl.col("metric").replace_strict(POWERS, default=0, return_dtype=pl.Float64)
    scale = pl.when(pl.col("configuration") == configuration).then(power).otherwise(0.0)
    scaled = pl.col("value") * pl.lit(factor).pow(scale)
    return replace(evidence, values=evidence.values.with_columns(value=scaled))


def build(evidence: RunEvidence, studies: dict[str, Study], folder: Path) -> Build:
    scopes = {
        id: StudyScope(EDITION, id, study, METRICS, evidence)
        for id, study in studies.items()
    }
    found = {id: derive_study(scope) for id, scope in scopes.items()}
    series = [one for scope in scopes.values() for one in study_series(scope)]
    write_series(series, folder / SERIES_FILE)
    noises = {id: study.noise for id, study in studies.items()}
    parts = judge_studies(found, noises, METRICS)
    facts = Facts(
        tuple(fact for part in parts for fact in part.facts),
        tuple(count for part in parts for count in part.runs),
    )
    write_facts(facts, folder / "facts.json")
    hand_over(ROOT / "raw", folder / "facts.json")
    settings = read_settings(
        ROOT / "report", EDITION, evidence_of(folder / "facts.json"), METRICS
    )
    for drawing in prepare(settings, facts):
        place = folder / "figures" / drawing.setting.id
        place.mkdir(parents=True)
        for name in ("figure.svg", "figure-narrow.svg"):
            (place / name).write_text("<svg/>")
        drawing.frame.select(COLUMNS).write_csv(place / "figure.csv")
        words = {"title": drawing.words.title, "caption": str(drawing.caption)}
        about = words | {"alt": "A figure.", "setup": False}
        (place / "figure.json").write_text(json.dumps(about))
    sources = Sources(
        folder / "facts.json", folder / "figures", folder / "report", ROOT / "raw",
        ROOT / "templates", ROOT / "data/metrics.yaml",
    )  # fmt: skip
    checked = check_texts(read_material(EDITION, sources))
    text = compose(checked, reviews(checked), ROOT / "templates").text
    own = {fact.key: fact for fact in facts.facts}
    pages = {
        # Own words are in brackets until their study is approved.
        id: re.sub(r"[\[\]]", "", f"{page}\n{entries(facts, id)}")
        for id, page in chapters(text, folder / "figures").items()
    }
    return Build(evidence, own, checked, pages)


def chapters(text: str, figures: Path) -> dict[str, str]:
    """What a reader sees of each study: its words, its numbers, its figures' data."""
    found = {}
    for part in re.split(r"^(?=# )", text, flags=re.MULTILINE):
        head = re.match(r"# .*\{#sec-([\w-]+) \.study\}", part)
        if head:
            words = re.sub(r"^- \[Review.*$", "", part, flags=re.MULTILINE)
            data = [drawn(p) for p in sorted(figures.glob(f"{head[1]}-*/figure.csv"))]
            found[head[1]] = "\n".join([re.sub(r"\{[^{}]*\}", "", words), *data])
    return found


def entries(facts: Facts, study: str) -> str:
    """What the page of facts prints of a study, with the limits of its changes."""
    return "\n".join(
        f"{f.key} {f.printed}" + (f", limit {f.threshold:.3g}%" if f.threshold else "")
        for f in facts.facts
        if f.study == study
    )


def drawn(path: Path) -> str:
    """A figure's numbers as far as they can be told apart."""
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return "\n".join(
        " ".join(
            (format_percent if row["key"].endswith(".delta") else format_number)(
                float(row[column])
            )
            for column in ("value", "low", "high")
            if row[column]
        )
        for row in rows
    )


def printed(made: Build) -> dict[str, str]:
    """The text of every change that prose prints as it is, by key; the smallest that
    its runs would show is printed too, and is no change."""
    texts = "\n".join(text.markdown() for text in made.checked.texts.values())
    return {
        key: text
        for text, key in SPAN.findall(texts)
        if key.endswith(".delta")
        and re.fullmatch(r"[+−]?[\d,.]+%", text)
        and text != format_percent(made.facts[key].detectable or 0).lstrip("+")
    }


def printed_change(made: Build, key: str) -> str:
    """A change as it must be printed, from the runs behind it."""
    old, new = made.medians(key)
    return format_percent((new / old - 1) * 100)


def expected(made: Build, study: str, claim: str) -> bool:
    """Whether a claim is true, worked out from runs, intervals and verdicts."""
    words = re.compile(
        r"(?P<metric>\w+)(?: of (?P<role>client|server))?(?: of (?P<side>A2|A|B))? "
        r"(?P<verb>falls|rises|is|scatters) ?(?P<rest>.*?) ?for (?P<names>.*)"
    ).fullmatch(claim)
    own = [f for f in made.facts.values() if (f.study, f.kind) == (study, "delta")]
    if words is None:
        none_is = re.fullmatch(r"no comparison is (\w+)(?: or (\w+))?", claim)
        assert none_is, f"teach: {claim}"
        return not any(f.verdict in none_is.groups() for f in own if f.verdict)
    names = re.findall(r"[A-Z]+\d+\([^)]*\)", words["names"])
    if words["names"].startswith("STR*"):
        names = sorted({f.workload for f in own if f.workload.startswith("STR")})
    facts = [
        next(
            f
            for f in own
            if (f.metric, f.role, f.workload) == (words["metric"], words["role"], name)
        )
        for name in names
    ]
    rest = words["rest"]
    if words["verb"] in ("falls", "rises"):
        return _moves(made, facts, words["verb"], words["names"], rest)
    if rest in ("comparable", "inconclusive"):
        return all(f.verdict == rest for f in facts)
    if words["verb"] == "scatters":
        wide, narrow = ((f.high or 0.0) - (f.low or 0.0) for f in facts)
        return wide > narrow
    if "bimodal" in rest:
        key = facts[0].key.removesuffix(".delta").rpartition(".")[0]
        warnings = made.facts[f"{key}.{words['side']}"].warnings
        return any(w.kind == "bimodal" for w in warnings) == (rest == "bimodal")
    left = made.runs(facts[0], words["side"])
    if "in all runs but one" in rest:
        right = made.runs(facts[0], "B")
        return sum(run <= max(right) for run in left) == 1
    limit = re.fullmatch(r"above (\d+)%", rest)
    assert limit, f"teach: {claim}"
    return median(left) > float(limit[1])


def _moves(made: Build, facts: list[Fact], verb: str, names: str, rest: str) -> bool:
    """Every ratio goes the way of the verb, far enough, and its verdict says so."""
    least = re.search(r"by at least (\d+)%", rest)
    for fact in facts:
        old, new = made.medians(fact.key)
        size = (new / old - 1) * 100 * (1 if verb == "rises" else -1)
        counted = fact.verdict in ("improved", "regressed")
        if size <= 0 or size < float(least[1] if least else 0):
            return False
        if (not least or names.endswith("beyond noise")) and not counted:
            return False
    return True


@pytest.fixture(scope="module")
def remade(
    base: Build, studies: dict[str, Study], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, float], Build]:
    """The edition after a factor on the runs of a study's test, made once each."""

    @cache
    def make(study: str, factor: float) -> Build:
        folder = tmp_path_factory.mktemp("changed")
        shutil.copytree(base.checked.material.folder, folder / "report" / EDITION)
        return build(mutate(base.evidence, CHANGED[study], factor), studies, folder)

    return make


@pytest.mark.xdist_group("mutation")
@pytest.mark.parametrize(
    ("study", "factor"),
    [("offload", 0.5), ("offload", 1.000001), ("offload", 1.1), ("noise", 0.8)],
)
def test_all_that_should_move_does_and_nothing_else(
    base: Build,
    studies: dict[str, Study],
    remade: Callable[[str, float], Build],
    study: str,
    factor: float,
) -> None:
    made = remade(study, factor)
    for id, outcomes in made.checked.outcomes.items():
        for outcome in outcomes:
            text = outcome.claim.text
            about = id or outcome.facts[0].study  # the overview names its study
            assert outcome.holds == expected(made, about, text), f"{about}: {text}"

    for key, text in printed(made).items():
        assert text.lstrip("+−") == printed_change(made, key).lstrip("+−")

    states = reviews(made.checked).studies
    for id in studies:
        moved = made.pages[id] != base.pages[id]
        assert states[id].state == ("stale" if moved else "approved"), id
        assert bool(states[id].moved) == moved


def test_every_claim_of_the_edition_holds(base: Build) -> None:
    assert base.checked.false_claims() == []
    for study in base.checked.material.studies:
        outcomes = base.checked.outcomes[study]
        assert outcomes
        for outcome in outcomes:
            assert expected(base, study, outcome.claim.text), outcome.claim.text


@pytest.mark.xdist_group("mutation")
def test_a_large_change_flips_claims_in_its_own_study(
    remade: Callable[[str, float], Build],
) -> None:
    made = remade("offload", 0.5)
    false = {
        id: sum(not o.holds for o in own) for id, own in made.checked.outcomes.items()
    }
    assert false["offload"] > 5
    assert false["noise"] == 0
    states = reviews(made.checked).studies
    assert (states["offload"].state, states["noise"].state) == ("stale", "approved")
