"""Show what the models say of a study's arms that were not measured, and why.

With --workload or --cpc it answers what-if questions: another load, or another CPC than
the declared one. The column back-test holds a mean error. "left out": of the loads that
the prediction is made from, each predicted from the others. "measured": of measured
loads elsewhere. "published": of the model on published numbers.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.declared.checks import check_study
from analysis.declared.edition import find_editions, read_edition, read_studies
from analysis.declared.metrics import METRICS_FILE, read_metrics
from analysis.declared.published import PUBLISHED_FILE, read_published
from analysis.declared.vocabulary import ROLES
from analysis.declared.workload import Workload, parse_workload
from analysis.derive.fallback.estimates import estimate_of, origin_of
from analysis.derive.fallback.knowledge import (
    FLOWS,
    Knowledge,
    check_setups,
    gather_knowledge,
    missing_cells,
)
from analysis.derive.fallback.point import (
    Found,
    Point,
    Quantity,
    measure,
    predict_point,
)
from analysis.derive.runs import open_database, read_campaigns
from analysis.derive.samples import gather_samples
from analysis.derive.scope import StudyScope
from analysis.derive.verb import load_evidence
from analysis.errors import raise_if, user_error
from analysis.facts.remark import Refusal
from analysis.facts.units import format_range, format_value

HEAD = ("configuration", "workload", "quantity", "value", "5% to 95%")
HEAD_MODEL = ("origin", "rung", "model", "back-test", "why")
NONE = "–"
_BY_ROLE = ("cpu_cost", "utilisation")


@dataclass(frozen=True)
class TableLine:
    """One line of the table; ``why`` becomes a note below it."""

    cells: tuple[str, ...]
    why: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis predict``."""
    parser.add_argument("--edition", required=True)
    parser.add_argument("--study", required=True)
    parser.add_argument(
        "--configuration", action="append", default=[], help="only of these arms"
    )
    parser.add_argument(
        "--workload", action="append", default=[], help="a load, such as RR20(4kB)"
    )
    parser.add_argument("--cpc", help="another CPC, such as z16")
    parser.add_argument("--database", type=Path, default=Path("data/build/perf.duckdb"))
    parser.add_argument("--report", type=Path, default=Path("report"))
    parser.add_argument("--raw", type=Path, default=Path("raw"))
    parser.add_argument("--metrics", type=Path, default=METRICS_FILE)
    parser.add_argument("--published", type=Path, default=PUBLISHED_FILE)


def run(args: argparse.Namespace) -> int:
    """Print the table; 0 also where a line has no estimate, which it says."""
    works = tuple(map(_load, args.workload))
    scope, known = _read(args)
    arms = _arms(args.configuration, known)
    if works or args.cpc:
        asked = _what_if(works, args.cpc, arms, known)
    else:
        asked = _missing(scope, arms, known)
    lines = [
        _line(point, quantity, answer)
        for point, wanted in asked
        for quantity, answer in predict_all(point, wanted, known).items()
    ]
    if lines:
        print(render(lines))
    else:
        print("every arm has runs; ask with --workload or --cpc")
    return 0


def predict_all(
    point: Point, wanted: Iterable[Quantity], known: Knowledge
) -> dict[Quantity, Found]:
    """The wanted quantities of a point: measured where they were, else predicted."""
    asked = list(wanted)
    measured = {q: value for q in asked if (value := measure(point, *q, known))}
    rest = [quantity for quantity in asked if quantity not in measured]
    predicted = predict_point(point, rest, known)
    return {q: measured.get(q) or predicted[q] for q in asked}


def render(lines: list[TableLine]) -> str:
    """The table as text, columns aligned, with each reason once below it."""
    reasons = list(dict.fromkeys(line.why for line in lines))
    rows: list[tuple[str, ...]] = [(*HEAD, *HEAD_MODEL)]
    rows += [(*x.cells, f"[{reasons.index(x.why) + 1}]") for x in lines]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = (
        "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    notes = (f"[{i}] {reason}" for i, reason in enumerate(reasons, start=1))
    return "\n".join([*table, "", *notes])


def _read(args: argparse.Namespace) -> tuple[StudyScope, Knowledge]:
    """The study and all that is known of it, as derive has them."""
    editions = find_editions(args.report)
    if args.edition not in editions:
        what = f"there is no edition {args.edition!r}"
        raise user_error(what, args.report, mend=f"there is {', '.join(editions)}")
    folder = args.report / args.edition
    studies = read_studies(folder, read_edition(folder))
    if args.study not in studies:
        what = f"there is no study {args.study!r}"
        raise user_error(what, folder, mend=f"there is {', '.join(studies)}")
    study = studies[args.study]
    metrics = read_metrics(args.metrics)
    campaigns = read_campaigns(set(study.campaigns), args.raw)
    path = folder / "studies" / args.study / "study.yaml"
    raise_if(check_study(study, path, campaigns, metrics))
    raise_if(check_setups(campaigns, args.raw))
    with open_database(args.database) as con:
        evidence = load_evidence(con, args.database, campaigns, metrics)
    published = read_published(args.published, args.metrics)
    about = (args.edition, args.study, study, metrics, evidence)
    scope = StudyScope(*about, campaigns, published)
    return scope, gather_knowledge(scope, gather_samples(evidence, study.campaigns))


def _arms(wanted: list[str], known: Knowledge) -> list[str]:
    """The arms asked for; all but controls where none is named."""
    arms = known.study.configurations
    for name in wanted:
        if name not in arms:
            mend = f"there is {', '.join(arms)}"
            raise user_error(f"the study has no configuration {name!r}", mend=mend)
    return wanted or [arm for arm in arms if arm not in known.controls]


def _what_if(
    works: Sequence[Workload],
    cpc: str | None,
    arms: list[str],
    known: Knowledge,
) -> Iterator[tuple[Point, list[Quantity]]]:
    """Some loads, or those of the study's arm or of its partners, on another setup."""
    for arm in arms:
        setup = known.setups.get(arm)
        if cpc and setup is None:
            raise user_error(
                f"{arm} declares no model, so its setup cannot be another one",
                mend="add model: {cpc: …, interface: …, cps: …} in campaign.yaml",
            )
        if cpc and setup:
            setup = setup.model_copy(update={"cpc": cpc})
        near = {arm, *known.partners(arm)}
        ran = {c.workload for c in known.samples if c.configuration in near}
        loads = sorted(map(parse_workload, ran), key=lambda work: work.order)
        for work in works or loads:
            point = Point(arm, work, setup)
            yield point, quantities(point, known)


def _missing(
    scope: StudyScope, arms: list[str], known: Knowledge
) -> Iterator[tuple[Point, list[Quantity]]]:
    """What derive would ask of the arms."""
    missing: dict[Point, list[Quantity]] = {}
    for cell in missing_cells(scope, known):
        if cell.configuration in arms:
            work = parse_workload(cell.workload)
            setup = known.setups.get(cell.configuration)
            point = Point(cell.configuration, work, setup)
            missing.setdefault(point, []).append((cell.metric, cell.role))
    yield from missing.items()


def quantities(point: Point, known: Knowledge) -> list[Quantity]:
    """What can be asked of a point: its flow, and CPU of roles that were measured."""
    shape = point.workload.shape
    arms = {point.configuration, *known.partners(point.configuration)}
    roles = {
        cell.role
        for cell in known.samples
        if cell.configuration in arms
        and cell.metric == "cpu_cost"
        and parse_workload(cell.workload).shape == shape
    }
    flows: list[Quantity] = [(metric, None) for metric in FLOWS.get(shape, ())]
    ordered = [role for role in ROLES if role in roles]
    return flows + [(metric, role) for role in ordered for metric in _BY_ROLE]


def _load(name: str) -> Workload:
    try:
        return parse_workload(name)
    except ValueError as error:
        raise user_error(str(error), mend="such as RR20(4kB)") from None


def _line(point: Point, quantity: Quantity, answer: Found) -> TableLine:
    metric, role = quantity
    head = (point.configuration, point.workload.name, f"{metric} {role or ''}".strip())
    if isinstance(answer, Refusal):
        return TableLine(
            (*head, NONE, NONE, NONE, "no estimate", NONE, NONE), str(answer)
        )
    p = answer.prediction
    spread = format_range(p.low, p.high, p.unit)
    values = (format_value(p.value, p.unit), spread, origin_of(answer))
    if answer.rung is None:
        return TableLine((*head, *values, NONE, NONE, NONE), answer.reason)
    estimate = estimate_of(answer)
    error = NONE
    if estimate.backtest_error is not None:
        mean, n = estimate.backtest_error, estimate.backtest_n
        error = f"{mean:.1f}%, n = {n}, {estimate.backtest_of}"
    notes = "".join(f"; {note}" for note in estimate.notes)
    model = f"{estimate.model} {estimate.version}"
    why = f"{estimate.reason}{notes}"
    return TableLine((*head, *values, answer.rung, model, error), why)
