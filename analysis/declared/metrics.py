"""The declared metrics: ``data/metrics.yaml`` of the program, and of the project."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, RootModel, model_validator

from analysis.declared.base import (
    Declared,
    check_declared,
    declared_text,
    parse_yaml,
)
from analysis.declared.workload import SHAPES
from analysis.errors import user_error
from analysis.program import PROGRAM

COST_PARTS = {
    "cpu_cost": (
        "instructions_per_transaction", "cycles_per_instruction", "cpu_frequency"
    ),
}  # fmt: skip
"""What a cost is made of, exactly in every run: the last one divides."""
METRICS_FILE = Path("data/metrics.yaml")


def _known(shape: str) -> str:
    if shape not in SHAPES:
        raise ValueError(f"no shape {shape!r}; choose of {', '.join(SHAPES)}")
    return shape


ShapeName = Annotated[str, AfterValidator(_known)]


class OtherUnit(Declared):
    """What a metric is in another unit."""

    means: str
    rule: str
    expression: str


class Metric(Declared):
    """One metric: how it is called, its unit, its better direction, its meaning.

    One that is derived from runs has ``evidence``, a ``rule`` in words and the same as
    an ``expression`` in SQL; one that is only published has none of them. One that is
    another in other units ``repeats`` it, and one that others determine ``follows``
    them: a comparison of all counts once, where the runs show that it follows. Besides
    its label, texts call it by its ``words``. ``less`` and ``more`` say a change in
    words of its own, such as ``38% sooner``. ``other_units`` are those in which an
    edition may want it instead. A count has what it is counted ``per``, in SQL: its
    value is the ``expression`` divided by that, of all runs together.
    ``rule_of_part`` is its rule where it is of a part of a system, if that is another
    one.
    """

    label: str
    unit: str
    better: Literal["lower", "higher", "none"]
    roles: bool
    shapes: tuple[ShapeName, ...]
    means: str
    other_units: dict[str, OtherUnit] = Field(default_factory=dict)
    evidence: (
        Literal["benchmark", "cpu", "counter", "energy", "storage", "service"] | None
    ) = None
    times: tuple[Literal["CP", "zIIP", "zAAP"], ...] = ()
    rule: str = ""
    rule_of_part: str = ""
    expression: str = ""
    per: str = ""
    repeats: str = ""
    follows: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    less: str = ""
    more: str = ""

    @model_validator(mode="after")
    def _derived(self) -> Metric:
        wanted = {"rule": bool(self.rule), "expression": bool(self.expression)}
        wanted["times"] = bool(self.times) or self.evidence not in (None, "cpu")
        lacking = [name for name, given in wanted.items() if not given]
        if self.evidence and lacking:
            raise ValueError(f"a derived metric also has {' and '.join(lacking)}")
        if self.per and self.evidence != "benchmark":
            raise ValueError("a count, which has 'per', has the evidence benchmark")
        if not self.evidence and len(lacking) < len(wanted):
            raise ValueError(
                "what derives it has no evidence: benchmark, cpu, counter, energy, "
                "storage or service"
            )
        return self


class _Metrics(RootModel[dict[str, Metric]]):
    @model_validator(mode="after")
    def _repeats(self) -> _Metrics:
        for id, metric in self.root.items():
            for other in metric.follows:
                if other not in self.root or other == id or metric.repeats:
                    raise ValueError(f"{id} cannot follow {other!r}")
            first = self.root.get(metric.repeats)
            if metric.repeats and (first is None or first.repeats or metric is first):
                raise ValueError(
                    f"{id} repeats {metric.repeats!r}, which is no metric of its own"
                )
        return self


def read_metrics(path: Path = METRICS_FILE) -> dict[str, Metric]:
    """All metrics by id, in the order in which reports list them.

    Those of a project add to the program's, and one of the same id stands in its place.
    """
    first = PROGRAM / METRICS_FILE
    alone = path != METRICS_FILE or path.resolve() == first
    files = [path] if alone else [first, *filter(Path.exists, [path])]
    return dict(_metrics_of(*((declared_text(file), file) for file in files)))


def in_units(
    metrics: Mapping[str, Metric], units: Mapping[str, str], where: Path
) -> dict[str, Metric]:
    """The metrics, some in the units that an edition wants, which ``where`` declares.

    A :class:`analysis.errors.UserError` names what can be chosen.
    """
    chosen = dict(metrics)
    for id, unit in units.items():
        metric = metrics.get(id)
        if metric is None or unit not in (metric.unit, *metric.other_units):
            known = {id: [m.unit, *m.other_units] for id, m in metrics.items()
                     if m.other_units}  # fmt: skip
            choice = "; ".join(f"{id}: {' or '.join(u)}" for id, u in known.items())
            what = f"units: {id} in {unit!r} is not declared"
            raise user_error(what, where, mend=f"choose of {choice}")
        if other := metric.other_units.get(unit):
            update = {"unit": unit, **dict(other)}
            chosen[id] = metric.model_copy(update=update)
    return chosen


@lru_cache(maxsize=4)  # a desk reads them at each save, twice
def _metrics_of(*files: tuple[str, Path]) -> dict[str, Metric]:
    """The metrics of all files, each with its text; the last file's count most."""
    known: dict[str, Any] = {}
    for text, path in files:
        declared, node = parse_yaml(text, path)
        added = isinstance(declared, dict) or (declared is None and len(files) > 1)
        known = {**known, **(declared or {})} if added else declared
    return check_declared(known, node, _Metrics, path).root
