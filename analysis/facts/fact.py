"""Facts: the values of a report, each with its unit, spread, origin and lineage.

``data/build/facts/<edition>/facts.json`` is the seam between derive and all that
comes after it. It holds ``{"schema": 2, "facts": [...], "runs": [...], "gaps": [...],
"campaigns": {}}``, sorted, one fact a line; :mod:`analysis.facts.evidence` is beside.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, get_args

from analysis.declared.vocabulary import ORIGINS, Basis, Origin, is_of_whole
from analysis.errors import not_built, user_error
from analysis.facts.remark import Refusal, Remark, read_remarks
from analysis.facts.units import how_many
from analysis.files.atomic import write_text
from analysis.files.checksums import check_sealed

SCHEMA = 2
_RUN = ("edition", "study", "configuration", "workload")
_READABLE = (1, SCHEMA)  # 1 has warnings and reasons as texts, which are left out
Verdict = Literal["improved", "regressed", "comparable", "inconclusive"]
# What an estimate was made from: the rungs of the ladder, in their order.
Rung = Literal["interpolation", "generation"]
RUNGS: tuple[Rung, ...] = get_args(Rung)


@dataclass(frozen=True)
class Lineage:
    """What a fact was made from: the rule, the runs and the raw files (sha256).

    A run's id is that of its campaign's runs.csv, with ``campaign/`` before it where
    the study has several campaigns; so it is in run counts.
    """

    rule: str
    runs: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Estimate:
    """Why and how a value that nothing measured was predicted.

    ``reason`` says in words what it was made from, ``basis`` is the weakest of that.
    ``backtest_error`` [%] is the mean error of the model on ``backtest_n`` numbers,
    None and 0 where there is no back-test; ``backtest_of`` says which: published ones,
    the loads that it used, each left out in turn, or measured loads elsewhere.
    ``notes`` hold what else a reader must know.
    """

    rung: Rung
    model: str
    version: str
    reason: str
    basis: Literal["measured", "published", "calibrated", "assumed"]
    backtest_error: float | None = None
    backtest_n: int = 0
    notes: tuple[str, ...] = ()
    backtest_of: Literal["published", "left out", "measured"] = "published"


@dataclass(frozen=True)
class Fact:
    """One value of the report.

    ``value``, ``low`` and ``high`` are in ``unit``; a delta's unit is ``%`` and it is
    relative to ``baseline``. ``samples`` holds one number a run, in the order of
    ``lineage.runs``; a delta has none. ``printed`` is the text that the report shows.
    ``confidence`` is that which the interval reaches, 0 without one. A tested delta has
    the interval of 90% besides, by which two are comparable. ``threshold`` is
    the least change in percent that counts; the verdict is None where nothing was
    tested, or where a metric without a better direction clearly changed. A fact with
    an ``estimate`` was predicted: ``n`` is 0, the interval is from the 5% to the 95%
    point, and nothing was tested. ``basis`` is who chose what was generated.
    ``resolution`` is the step in ``unit`` in which the sources tell the value, of a
    delta what both sides' steps leave open; None where it is negligible or not known.
    No interval is narrower. A tested delta has the standard ``error`` of the logarithm
    of its ratio with its ``degrees`` of freedom, and ``detectable``, the smallest rise
    in percent that such runs show with a power of 80%; None where no change of any
    size could have a verdict. ``sessions`` is in how many sessions its runs were made,
    of a delta those of the side that has fewer; None where it is not recorded.
    """

    key: str
    edition: str
    study: str
    workload: str
    role: str | None
    metric: str
    kind: Literal["value", "delta"]
    configuration: str
    baseline: str | None
    value: float
    unit: str
    better: Literal["lower", "higher", "none"]
    n: int
    low: float | None
    high: float | None
    confidence: float
    origin: Origin
    printed: str
    verdict: Verdict | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    threshold: float | None = None
    warnings: tuple[Remark, ...] = ()
    samples: tuple[float, ...] = ()
    lineage: Lineage = field(default_factory=lambda: Lineage(""))
    estimate: Estimate | None = None
    basis: Basis | None = None
    resolution: float | None = None
    low_90: float | None = None
    high_90: float | None = None
    error: float | None = None
    degrees: float | None = None
    detectable: float | None = None
    sessions: int | None = None

    @property
    def count(self) -> str:
        """How many runs, and sessions where it is known: ``20 in 5 sessions``."""
        if self.sessions is None:
            return f"{self.n}"
        return f"{self.n} in {how_many(self.sessions, 'session')}"

    @property
    def shown_origin(self) -> Origin:
        """The origin that readers are told: what a model computed was not measured."""
        return "modelled" if self.estimate is not None else self.origin

    @property
    def at_90(self) -> Fact:
        """With the interval of 90%, by which two are comparable; as it is without."""
        if self.low_90 is None:
            return self
        return replace(self, low=self.low_90, high=self.high_90, confidence=0.9)

    @property
    def predicted(self) -> bool:
        """Whether prose must say that the value is predicted."""
        return self.shown_origin == "modelled"


@dataclass(frozen=True)
class RunCount:
    """How many runs a configuration's workload has in a study, and what failed.

    ``reasons`` are excluded runs with words, ``missing`` gaps: ``2``, ``4 to 6``.
    ``sessions`` are those in which the used ones were made, none where one is not
    recorded.
    """

    edition: str
    study: str
    configuration: str
    workload: str
    used: int
    excluded: int
    reasons: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Gap:
    """A value that a study's tables would have and that nothing gives, and why not.

    ``baseline`` is None for a value, and for a change what it would be against.
    """

    edition: str
    study: str
    configuration: str
    workload: str
    role: str | None
    metric: str
    why: Refusal
    baseline: str | None = None


@dataclass(frozen=True)
class Facts:
    """All facts, run counts and gaps of one or more editions."""

    facts: tuple[Fact, ...]
    runs: tuple[RunCount, ...] = ()
    gaps: tuple[Gap, ...] = ()
    digests: tuple[tuple[str, str], ...] = ()  # of the files of each campaign

    def of_campaigns(self, names: Container[str]) -> Facts:
        """The same facts with the digests of these campaigns alone."""
        return replace(self, digests=tuple(d for d in self.digests if d[0] in names))

    def of(self, edition: str, study: str | None = None) -> Facts:
        """The facts of one edition, or of one of its studies."""
        return self._where(lambda i: i.edition == edition and study in (None, i.study))

    def of_homes(self, homes: Mapping[str, str]) -> Facts:
        """The facts of these studies, each by the edition that derives it."""
        return self._where(lambda item: homes.get(item.study) == item.edition)

    def of_studies(self, studies: Container[str]) -> Facts:
        """The facts of these studies; facts may be older than what is declared."""
        return self._where(lambda item: item.study in studies)

    def origins(self) -> list[Origin]:
        """The origins that readers are told of, strongest first."""
        known = {o for fact in self.facts for o in (fact.origin, fact.shown_origin)}
        return [origin for origin in ORIGINS if origin in known]

    def _where(self, wanted: Callable[[Fact | RunCount | Gap], bool]) -> Facts:
        parts: dict[str, Any] = {k: v for k, v in vars(self).items() if k != "digests"}
        return replace(self, **{n: tuple(filter(wanted, p)) for n, p in parts.items()})


def fact_key(
    study: str,
    slug: str,
    role: str | None,
    metric: str,
    configuration: str,
    delta: bool = False,
) -> str:
    """``offload.rr10-100b.client.cpu_cost.B.delta``; ``-`` stands for no role."""
    end = [configuration, *["delta"] * delta]
    return ".".join([study, slug, role or "-", metric, *end])


def run_prefix(campaigns: Sequence[str]) -> str:
    """What stands before a run in facts of a study of these campaigns, to be its id
    ``campaign/run``: nothing where they have several."""
    return "" if len(campaigns) > 1 else f"{campaigns[0]}/"


def without_parts(facts: Iterable[Fact]) -> list[Fact]:
    """The facts without those of parts, wherever the metric has some of the whole."""
    listed = list(facts)
    whole = {fact.metric for fact in listed if fact.role and is_of_whole(fact.role)}
    return [f for f in listed if is_of_whole(f.role) or f.metric not in whole]


def weakest(origins: list[Origin]) -> Origin:
    """The origin of a derived fact: the weakest origin among its inputs."""
    return max(origins, key=ORIGINS.index)


FACTS = Path("data/build/facts")  # a folder with one of each edition
FACTS_FILE, EVIDENCE_FILE = "facts.json", "evidence.json"


def evidence_of(facts: Path) -> Path:
    """Where it says what facts rest on: a file beside theirs, or the same folder."""
    return facts if facts.suffix != ".json" else facts.with_name(EVIDENCE_FILE)


def edition_folders(place: Path, editions: Iterable[str] | None = None) -> list[Path]:
    """The folders of some editions in that of all facts, or of all that have facts.

    Each is sealed: a :class:`UserError` where one is not what derive wrote, and a
    :class:`NotBuiltError` where there is none yet.
    """
    if editions is None:
        folders = sorted(path.parent for path in place.glob(f"*/{FACTS_FILE}")) or [
            place
        ]
    else:
        folders = [place / edition for edition in dict.fromkeys(editions)]
    if absent := [path for path in folders if not (path / FACTS_FILE).is_file()]:
        raise not_built("there are no facts yet", absent[0])
    for folder in folders:
        check_sealed(folder)
    return folders


def write_facts(facts: Facts, path: Path) -> None:
    """Write facts sorted by edition and key, one a line, so that diffs read well."""
    gaps = sorted(facts.gaps, key=_gap_order)
    lines = [
        f'{{"schema": {SCHEMA}, "facts": [',
        _lines(sorted(facts.facts, key=attrgetter("edition", "key"))),
        '], "runs": [',
        _lines(sorted(facts.runs, key=attrgetter(*_RUN))),
        '], "gaps": [',
        _lines(gaps),
        f'], "campaigns": {json.dumps(dict(sorted(facts.digests)))}}}',
    ]
    write_text(path, "\n".join(lines) + "\n")


def read_facts(place: Path, editions: Iterable[str] | None = None) -> Facts:
    """The facts of a file, or of some editions (all by default) in a folder of them.

    A :class:`UserError` if they are absent, damaged or of another version.
    """
    if place.suffix == ".json":
        return _read_file(place)
    parts = [_read_file(f / FACTS_FILE) for f in edition_folders(place, editions)]
    return Facts(
        tuple(fact for part in parts for fact in part.facts),
        tuple(count for part in parts for count in part.runs),
        tuple(gap for part in parts for gap in part.gaps),
        tuple(sorted({one for part in parts for one in part.digests})),
    )


def _read_file(path: Path) -> Facts:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise not_built("there are no facts yet", path) from None
    except ValueError as error:
        raise user_error(f"not JSON: {error}", path, mend="rebuild it") from None
    if data.get("schema") not in _READABLE:
        raise user_error("facts of another version", path, mend="rebuild it")
    facts = tuple(_fact(row) for row in data["facts"])
    runs = tuple(_run_count(row) for row in data["runs"])
    gaps = tuple(
        Gap(**row | {"why": Refusal(read_remarks(row["why"]["remarks"]))})
        for row in data.get("gaps", ())
        if "why" in row
    )
    digests = tuple(sorted(data.get("campaigns", {}).items()))
    return Facts(facts, runs, gaps, digests)


def _lines(items: Sequence[Fact | RunCount | Gap]) -> str:
    encode = json.JSONEncoder(default=vars, ensure_ascii=False, allow_nan=False).encode
    return ",\n".join(map(encode, items))


def _gap_order(gap: Gap) -> tuple[str, ...]:
    place = (gap.edition, gap.study, gap.workload, gap.metric, gap.role or "")
    return (*place, gap.configuration, gap.baseline or "")


def _run_count(row: dict[str, Any]) -> RunCount:
    """Of a release, perhaps an older one: it told no gaps, and of runs words alone."""
    reasons = tuple(("", t) if isinstance(t, str) else (*t,) for t in row["reasons"])
    older = {"missing": (), "sessions": ()}
    row = older | row | {"reasons": reasons}
    return RunCount(**_tupled(row, "missing", "sessions"))


def _fact(row: dict[str, Any]) -> Fact:
    lineage = Lineage(**_tupled(row["lineage"], "runs", "files"))
    row = {f.name: row[f.name] for f in fields(Fact) if f.name in row}
    estimate = row.get("estimate") and _estimate(row["estimate"])
    warnings = read_remarks(row["warnings"])
    made = {"lineage": lineage, "estimate": estimate, "warnings": warnings}
    return Fact(**_tupled(row | made, "samples"))


def _estimate(row: dict[str, Any]) -> Estimate:
    """Of a release, perhaps an older one, which told more."""
    known = {f.name: row[f.name] for f in fields(Estimate) if f.name in row}
    return Estimate(**_tupled(known, "notes"))


def _tupled(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return row | {name: tuple(row[name]) for name in names}
