"""What each step of the pipeline is made from, by content: its key.

A key is a hash of the step's code, libraries and inputs, and of the keys of the steps
before it. It is known before anything runs, and no date is part of it.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.campaign import find_campaigns
from analysis.digests import content_digest, digest_of, file_hashes
from analysis.edition import find_editions
from analysis.fingerprint import code_of
from analysis.inputs import text_files
from workflow.made import Step

REPORT, RAW, DATA, TEMPLATES = map(Path, ("report", "raw", "data", "templates"))
BUILD = DATA / "build"
VERBS = ("backtest", "ingest", "load", "derive", "figures", "report", "index")
STAGES = ("ingest", "derive", "figures", "report")
_DECLARED = {"edition.yaml", "study.yaml"}


@dataclass(frozen=True)
class Plan:
    """All steps by name, and what rules tell of them."""

    editions: tuple[str, ...]
    campaigns: tuple[str, ...]
    steps: Mapping[str, Step]
    code: Mapping[str, str]
    libraries: Mapping[str, str]


@functools.cache
def plan(engine: str) -> Plan:
    """The plan of the project in the current folder; looked at once a build.

    A :class:`UserError` names folders and files that will not do.
    """
    campaigns, editions = find_campaigns(RAW), find_editions(REPORT)
    found = code_of(VERBS)
    code = {verb: one.fingerprint for verb, one in found.items()}
    keys = _Keys(code, engine, editions)
    ingests = [keys.ingest(name) for name in campaigns]
    load = keys.step("load", BUILD / "perf.duckdb", *ingests)
    derive, backtest = keys.derive(load), keys.backtest()
    steps = [*ingests, load, derive, backtest, keys.index()]
    for edition in editions:
        steps += keys.edition(edition, derive, backtest)
    return Plan(
        tuple(editions),
        tuple(campaigns),
        {step.name: step for step in steps},
        code,
        dict(sorted(i for s in STAGES for i in found[s].libraries.items())),
    )


@dataclass(frozen=True, eq=False)
class _Keys:
    """Makes steps; what several need is read once."""

    code: Mapping[str, str]
    engine: str
    editions: Sequence[str]

    def step(self, name: str, result: Path, *before: Step, **inputs: str) -> Step:
        """A step with its key; its verb is the first part of its name."""
        parts = {"code": self.code[name.partition("-")[0]], **inputs}
        key = digest_of(parts | {step.name: step.key for step in before})
        return Step(name, key, result, tuple(step.name for step in before))

    def ingest(self, campaign: str) -> Step:
        raw = content_digest(RAW / campaign)
        return self.step(f"ingest-{campaign}", BUILD / "ingest" / campaign, raw=raw)

    def derive(self, load: Step) -> Step:
        declared = digest_of({e: self.declared(e) for e in self.editions})
        facts = BUILD / "facts.json"
        return self.step("derive", facts, load, data=self.data, declared=declared)

    def backtest(self) -> Step:
        return self.step("backtest", BUILD / "backtest.json", data=self.data)

    def edition(self, id: str, derive: Step, backtest: Step) -> list[Step]:
        """The figures and the report of an edition."""
        drawn, declared = BUILD / "figures" / id, self.declared(id)
        figures = self.step(f"figures-{id}", drawn, derive, declared=declared)
        texts = {"texts": digest_of(self.texts(id)), "templates": self.templates}
        texts |= {"engine": self.engine, "version": _version()}
        texts |= {f"code of {stage}": self.code[stage] for stage in STAGES}
        made = REPORT / "build" / id
        before = derive, backtest, figures
        return [figures, self.step(f"report-{id}", made, *before, **texts)]

    def index(self) -> Step:
        """The page of all editions; each report writes it anew with its templates."""
        page, named = REPORT / "build" / "index.html", " ".join(self.editions)
        return replace(self.step("index", page, editions=named), shared=True)

    def declared(self, edition: str) -> str:
        """What authors declare of an edition and its studies."""
        found = self.texts(edition)
        return digest_of({p: h for p, h in found.items() if Path(p).name in _DECLARED})

    @functools.cache  # noqa: B019 - there is one object a build
    def texts(self, edition: str) -> dict[str, str]:
        """The hash of each file of an edition."""
        return file_hashes(text_files(REPORT / edition), f"report/{edition}")

    @functools.cached_property
    def data(self) -> str:
        """What is declared in data/, below which builds lie too."""
        return digest_of(file_hashes(text_files(DATA, BUILD.name), "data"))

    @functools.cached_property
    def templates(self) -> str:
        """What gives pages their looks."""
        return digest_of(file_hashes(text_files(TEMPLATES), "templates"))


def _version() -> str:
    """The version of this program, which every page tells."""
    with open("pyproject.toml", "rb") as file:
        return str(tomllib.load(file)["project"]["version"])
