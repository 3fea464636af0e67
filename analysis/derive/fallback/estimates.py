"""Facts of what was not measured: values and changes from the ladder, and gaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from analysis.declared.vocabulary import Origin
from analysis.declared.workload import parse_workload
from analysis.derive.fallback.knowledge import Knowledge, Known
from analysis.derive.fallback.point import Found, Point, predict_point
from analysis.derive.fallback.question import Answer, ends, halves, rank
from analysis.derive.samples import Cell
from analysis.derive.scope import StudyScope
from analysis.facts.fact import RUNGS, Estimate, Fact, Gap, Lineage, weakest
from analysis.facts.remark import Refusal, Remark, refusal
from analysis.facts.units import format_percent, format_value
from analysis.statistics.median_change import percent
from models.prediction import REACH

CONFIDENCE = 0.90
MIXED = refusal("mixed_origins", "a change never mixes measured with synthetic runs")


@dataclass(frozen=True)
class ChangeSide:
    """One side of a change: a value with its log halves, and what it was made from:
    one measured value, or the inputs of an answer."""

    value: float
    halves: tuple[float, float]
    inputs: tuple[Known, ...]
    answer: Answer | None = None

    @property
    def origins(self) -> list[Origin]:
        """Modelled where it was predicted, and those of the inputs."""
        model: list[Origin] = [] if self.answer is None else ["modelled"]
        return [*model, *(o for known in self.inputs for o in known.origins)]


def answer_cells(cells: list[Cell], known: Knowledge) -> dict[Cell, Found]:
    """What the ladder says of each cell, or why it says nothing."""
    points: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        points.setdefault(cell[:2], []).append(cell)
    by_cell: dict[Cell, Found] = {}
    for (arm, name), cells_of in points.items():
        point = Point(arm, parse_workload(name), known.setups.get(arm))
        answers = predict_point(point, [cell[2:] for cell in cells_of], known)
        by_cell |= {cell: answers[cell[2:]] for cell in cells_of}
    return by_cell


def make_facts(
    scope: StudyScope, answers: Mapping[Cell, Found], known: Knowledge
) -> tuple[list[Fact], list[Gap]]:
    """Value facts and changes of the answers, and a gap for each that is missing."""
    facts, gaps = [], []
    for cell, answer in answers.items():
        if isinstance(answer, Refusal):
            gaps.append(_gap(scope, cell, answer))
        else:
            facts.append(_value(scope, cell, answer))
    for cell in scope.cells():
        if cell.configuration in known.study.tests:
            made = _change(scope, cell, answers, known)
            facts += [made] if isinstance(made, Fact) else []
            gaps += [made] if isinstance(made, Gap) else []
    return facts, gaps


def estimate_of(answer: Answer) -> Estimate:
    """What a reader must know of a prediction, its error in back-tests among it."""
    p, tested = answer.prediction, answer.tested
    rung = answer.rung or RUNGS[0]
    made = (rung, p.model, p.version, answer.reason, p.basis)
    if tested is None:
        return Estimate(*made, notes=p.notes)
    return Estimate(*made, tested.error, tested.n, p.notes, tested.kind)


def origin_of(answer: Answer) -> Origin:
    """Modelled, or weaker where the inputs are; theirs alone without a prediction."""
    model: list[Origin] = [] if answer.rung is None else ["modelled"]
    return weakest([*model, *(o for known in answer.inputs for o in known.origins)])


def _value(scope: StudyScope, cell: Cell, answer: Answer) -> Fact:
    metric, p = scope.metrics[cell.metric], answer.prediction
    seen = {"model": p.model, "reason": answer.reason}
    made_by = Remark("predicted", values=seen)
    return Fact(
        **scope.about(cell),
        key=scope.key(cell),
        kind="value",
        baseline=None,
        value=p.value,
        unit=metric.unit,
        n=0,
        low=p.low,
        high=p.high,
        confidence=CONFIDENCE,
        origin=origin_of(answer),
        printed=format_value(p.value, metric.unit),
        warnings=(made_by,),
        lineage=_lineage(str(made_by), answer.inputs),
        estimate=estimate_of(answer),
    )


def _lineage(rule: str, inputs: tuple[Known, ...]) -> Lineage:
    runs = dict.fromkeys(run for known in inputs for run in known.runs)
    files = sorted({file for known in inputs for file in known.files})
    return Lineage(rule, tuple(runs), tuple(files))


def _change(
    scope: StudyScope, cell: Cell, answers: Mapping[Cell, Found], known: Knowledge
) -> Fact | Gap | None:
    """The change of a test with a prediction on one side at least, whose errors add up;
    None without one."""
    against = scope.study.baseline_of(cell.configuration)
    base = _side(cell._replace(configuration=against), answers, known)
    test = _side(cell, answers, known)
    if base is None or test is None:
        return None
    answer = max((test.answer, base.answer), key=rank)
    if answer is None:
        return None
    if {"measured", "synthetic"} <= {*base.origins, *test.origins}:
        return _gap(scope, cell, MIXED, against)
    ratio = test.value / base.value
    above, below = _counted_once(test, base), _counted_once(base, test)[::-1]
    low, high = ends(ratio, above, below)
    fact = _value(scope, cell, answer)
    return replace(
        fact,
        key=scope.key(cell, delta=True),
        kind="delta",
        baseline=against,
        value=percent(ratio, 1),
        unit="%",
        low=percent(low, 1),
        high=percent(high, 1),
        origin=weakest([*base.origins, *test.origins]),
        printed=format_percent(percent(ratio, 1)),
        lineage=_lineage(fact.lineage.rule, base.inputs + test.inputs),
    )


def _side(
    cell: Cell, answers: Mapping[Cell, Found], known: Knowledge
) -> ChangeSide | None:
    answer = answers.get(cell)
    if isinstance(answer, Answer):
        p = answer.prediction
        return ChangeSide(p.value, halves(p), answer.inputs, answer)
    measured = known.measured(cell.configuration, cell.workload, cell.metric, cell.role)
    if measured is None:
        return None
    reach = REACH * measured.sigma
    return ChangeSide(measured.value, (reach, reach), (measured,))


def _counted_once(side: ChangeSide, other: ChangeSide) -> tuple[float, float]:
    """The halves of a side; none of a measured one whose error a prediction that was
    made from it has already."""
    made_from = other.answer.inputs if other.answer else ()
    once = side.answer is None and side.inputs[0] in made_from
    return (0.0, 0.0) if once else side.halves


def _gap(
    scope: StudyScope, cell: Cell, why: Refusal, baseline: str | None = None
) -> Gap:
    about = (*cell[:2], cell.role, cell.metric)
    return Gap(scope.edition, scope.id, *about, why, baseline)
