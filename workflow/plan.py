"""What each step of the pipeline is made from, by content: its key.

A key is a hash of the step's code, libraries and inputs, and of the keys of the steps
before it. It is known before anything runs, and no date is part of it.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from analysis.declared.campaign import (
    GENERATED,
    find_campaigns,
)
from analysis.declared.edition import find_editions, read_edition
from analysis.declared.questions import QUESTIONS_FILE
from analysis.declared.slides import placed_figures
from analysis.declared.targets import TARGETS
from analysis.errors import Issue, Place, UserError, raise_if
from analysis.facts.fact import evidence_of
from analysis.files.digests import digest_of, file_hashes
from analysis.files.inputs import text_files
from analysis.programs.fingerprint import code_of
from analysis.programs.quarto_program import Engine, wanted_quarto
from workflow.made import Step, with_marks
from workflow.needed import (
    RAW,
    REPORT,
    left_out,
    lenders,
    looked_at,
    not_read,
    read_editions,
    unreadable,
    without_data,
)

DATA, TEMPLATES = Path("data"), Path("templates")
SYNTHETIC = Path("synthetic/campaigns")
BUILD = DATA / "build"
VERBS = (
    "backtest", "generate", "ingest", "load", "derive", "figures", "report", "index",
)  # fmt: skip
STAGES = ("ingest", "derive", "figures", "report")
_DECLARED = {"edition.yaml", "study.yaml"}
_DIGITS = 16


@dataclass(frozen=True)
class Plan:
    """All steps by name, and what rules tell of them.

    ``spared`` are measured campaigns that no edition waits for, ``unread`` those that
    cannot be read, ``stopped`` the editions that are not to be had, each with the
    reason.
    """

    editions: tuple[str, ...]
    campaigns: tuple[str, ...]
    steps: Mapping[str, Step]
    engine: str
    code: Mapping[str, str]
    libraries: Mapping[str, str]
    spared: tuple[str, ...] = ()
    unread: Mapping[str, UserError] = field(default_factory=dict)
    stopped: Mapping[str, UserError] = field(default_factory=dict)

    def has_some(self, editions: Collection[str]) -> bool:
        """Whether one of these editions is to be had, or none is asked for."""
        return not editions or not self.stopped.keys() >= {*editions}


@functools.cache
def plan(engine: Engine, wanted: str = "", without: str = "") -> Plan:
    """The plan of the project in the current folder; looked at once a build.

    ``wanted`` are the editions that are asked for, all if none; ``without`` are
    campaigns that could not be read.
    """
    measured, generated = find_campaigns(RAW), find_campaigns(SYNTHETIC)
    raise_if(_in_both({*measured} & {*generated}))
    named, asked = find_editions(REPORT), wanted.split()
    rests_on, stopped = read_editions(named)
    unread = {name: not_read(name) for name in without.split()} | unreadable(measured)
    stopped |= without_data(rests_on, unread)
    usable = {id: of for id, of in rests_on.items() if id not in stopped}
    found = code_of(VERBS)
    code = {verb: one.fingerprint for verb, one in found.items()}
    libraries = dict(sorted(i for s in STAGES for i in found[s].libraries.items()))
    libraries |= _lock()
    keys = _Keys(code, libraries, known := _engine(engine), named)
    needed = set[str]().union(
        *(of for id, of in usable.items() if id in asked or not asked)
    )
    readable = [name for name in measured if name not in unread]
    spared = left_out(readable, keys.ingest, needed, not asked)
    unused = {*spared, *unread}
    if asked:
        unused |= {n for n in generated if not (GENERATED / n).is_dir()} - needed
    editions = [id for id, of in usable.items() if unused.isdisjoint(of)]
    keys = replace(keys, editions=editions)
    generates = [keys.generate(name) for name in generated if name not in unused]
    ingests = [keys.ingest(name) for name in measured if name not in unused]
    ingests += [keys.ingest_generated(step) for step in generates]
    load = keys.step("load", BUILD / "perf.duckdb", *ingests)
    derive, backtest = keys.derive(load), keys.backtest()
    steps = [*generates, *ingests, load, derive, backtest, keys.index(named)]
    drawn = {edition: keys.figures(edition, derive) for edition in editions}
    steps += drawn.values()
    for edition in editions:
        own = [drawn[one] for one in (edition, *lenders(edition))]
        steps.append(keys.report(edition, derive, backtest, *own))
    return Plan(
        tuple(editions),
        tuple(sorted({*measured, *generated} - unused)),
        with_marks(steps),
        known.partition(" ")[0],
        code,
        libraries,
        tuple(sorted(spared)),
        unread,
        stopped,
    )


def _engine(engine: Engine) -> str:
    """What renders, Quarto with its version."""
    quarto = wanted_quarto(engine)
    return f"quarto {quarto.version}" if quarto else "pandoc"


def _lock() -> dict[str, str]:
    """The lock by which the environment was made, where there is one."""
    found = file_hashes(filter(Path.is_file, [Path("uv.lock")]), "lock")
    return {name: sha256[:_DIGITS] for name, sha256 in found.items()}


def _in_both(names: Iterable[str]) -> list[Issue]:
    mend = f"rename one of them: a campaign is measured in {RAW} or generated"
    return [
        Issue(f"the campaign {name!r} is there twice", Place(str(SYNTHETIC)), mend)
        for name in sorted(names)
    ]


@dataclass(frozen=True, eq=False)
class _Keys:
    """Makes steps; what several need is read once."""

    code: Mapping[str, str]
    libraries: Mapping[str, str]
    engine: str
    editions: Sequence[str]

    def step(self, name: str, result: Path, *before: Step, **inputs: str) -> Step:
        """A step with its key; its verb is the first part of its name."""
        parts = {"code": self.code[name.partition("-")[0]], **inputs}
        key = digest_of(parts | {step.name: step.key for step in before})
        names = tuple(step.name for step in before)
        return Step(name, key, result, names, own=digest_of(parts))

    def generate(self, campaign: str) -> Step:
        """The files of a campaign; their declaration lies beside the code."""
        targets = TARGETS / f"{campaign}.csv"
        asked = self.data.get(targets.as_posix(), "")
        step = self.step(f"generate-{campaign}", GENERATED / campaign, targets=asked)
        return replace(step, inputs=(SYNTHETIC / campaign, targets))

    def ingest_generated(self, made: Step) -> Step:
        campaign = made.result.name
        return self.step(f"ingest-{campaign}", BUILD / "ingest" / campaign, made)

    @functools.cache  # noqa: B019 - as of texts; asked for twice
    def ingest(self, campaign: str) -> Step:
        folder, made = RAW / campaign, BUILD / "ingest" / campaign
        step = self.step(f"ingest-{campaign}", made, raw=looked_at(folder)[0])
        return replace(step, inputs=(folder,))

    def derive(self, load: Step) -> Step:
        declared = digest_of({e: self.declared(e) for e in self.editions})
        facts = BUILD / "facts.json"
        data = digest_of(self.data)
        step = self.step("derive", facts, load, data=data, declared=declared)
        read = (*map(Path, self.data), *self.declarations())
        return replace(step, inputs=read, beside=(evidence_of(facts),))

    def backtest(self) -> Step:
        made = BUILD / "backtest.json"
        step = self.step("backtest", made, data=digest_of(self.data))
        return replace(step, inputs=tuple(map(Path, self.data)))

    def figures(self, id: str, derive: Step) -> Step:
        """The figures of an edition."""
        read_from = (id, *lenders(id))
        declared = digest_of({edition: self.declared(edition) for edition in read_from})
        texts = {"declared": declared, "data": digest_of(self.data)}
        folder = REPORT / id
        texts["placed"] = " ".join(sorted(placed_figures(folder, read_edition(folder))))
        step = self.step(f"figures-{id}", BUILD / "figures" / id, derive, **texts)
        return replace(step, inputs=self.declarations(*read_from))

    def report(self, id: str, *before: Step) -> Step:
        """The report of an edition."""
        read_from = (id, *lenders(id))
        read = digest_of(
            {edition: digest_of(self.texts(edition)) for edition in read_from}
        )
        texts = {"texts": read, "templates": self.templates, "engine": self.engine}
        texts |= {"version": _version(), "data": digest_of(self.data)}
        asked = filter(Path.is_file, [REPORT / QUESTIONS_FILE])
        texts["questions"] = digest_of(file_hashes(asked, "questions"))
        texts |= {f"library {name}": of for name, of in self.libraries.items()}
        step = self.step(f"report-{id}", REPORT / "build" / id, *before, **texts)
        return replace(step, inputs=(*(REPORT / one for one in read_from), TEMPLATES))

    def index(self, editions: Iterable[str]) -> Step:
        """The page of all editions; each report writes it anew with its templates."""
        page = REPORT / "build" / "index.html"
        return self.step("index", page, editions=" ".join(editions))

    def declarations(self, *editions: str) -> tuple[Path, ...]:
        """The files in which authors declare editions, all if none, and studies."""
        files = (path for id in editions or self.editions for path in self.texts(id))
        return tuple(path for path in map(Path, files) if path.name in _DECLARED)

    def declared(self, edition: str) -> str:
        """What authors declare of an edition and its studies."""
        found, files = self.texts(edition), self.declarations(edition)
        return digest_of({p.as_posix(): found[p.as_posix()] for p in files})

    @functools.cache  # noqa: B019 - there is one object a build
    def texts(self, edition: str) -> dict[str, str]:
        """The hash of each file of an edition."""
        return file_hashes(text_files(REPORT / edition), f"report/{edition}")

    @functools.cached_property
    def data(self) -> dict[str, str]:
        """The hash of each file of data/, below which builds lie too."""
        return file_hashes(text_files(DATA, BUILD.name), "data")

    @functools.cached_property
    def templates(self) -> str:
        """What gives pages their looks."""
        return digest_of(file_hashes(text_files(TEMPLATES), "templates"))


def _version() -> str:
    """The version of this program, which every page tells."""
    with open("pyproject.toml", "rb") as file:
        return str(tomllib.load(file)["project"]["version"])
