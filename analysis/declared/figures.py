"""What may stand in the figures of a study: kinds, metrics, tests and workloads.

The kinds are the files of ``analysis/figures/kinds``; none is imported to be known.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from analysis.declared.figure import Figure
from analysis.declared.study import Study
from analysis.declared.workload import matches
from analysis.errors import Issue, Place

_KINDS = "analysis.figures.kinds"
# What other programs call a chart, and the kind that shows the same.
CALLED = {
    "box": "distribution", "boxplot": "distribution", "histogram": "distribution",
    "violin": "distribution", "cdf": "ecdf", "bar": "compare", "barchart": "compare",
    "bars": "compare", "scatter": "value", "dots": "value", "points": "value",
    "line": "scaling", "lines": "scaling", "timeseries": "trend", "diff": "delta",
    "change": "delta", "stack": "stacked", "diagram": "topology",
}  # fmt: skip


def figure_kinds() -> tuple[str, ...]:
    """The ids of all kinds of figures, sorted."""
    spec = find_spec(_KINDS)
    folders = (spec and spec.submodule_search_locations) or ()
    return tuple(sorted(p.stem for f in folders for p in Path(f).glob("[a-z]*.py")))


def check_figures(
    study: Study, metrics: Iterable[str], place: Callable[[int], Place]
) -> list[Issue]:
    """Names in figures of a study that mean nothing, each at its place."""
    kinds, known = figure_kinds(), tuple(metrics)
    return [
        Issue(f"figure {figure.id}: {what}", place(number), mend)
        for number, figure in enumerate(study.figures)
        for what, mend in _mistakes(figure, study, kinds, known)
    ]


def _mistakes(
    figure: Figure, study: Study, kinds: tuple[str, ...], metrics: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    if figure.kind not in kinds:
        mend = nearest_of(CALLED.get(figure.kind, figure.kind), kinds)
        yield f"there is no kind {figure.kind!r}", mend
    asked = [*figure.metrics, *filter(None, [figure.potential])]
    for metric in (m for m in asked if m not in metrics):
        yield f"there is no metric {metric!r}", nearest_of(metric, metrics)
    for test in (t for t in figure.tests if t not in study.tests):
        yield f"{test!r} is no test of this study", nearest_of(test, study.tests)
    if not any(_overlap(figure.workloads, name) for name in study.loads):
        what = f"the study has no workload {figure.workloads!r}"
        yield what, nearest_of(figure.workloads, study.loads)


def _overlap(wanted: str, run: str) -> bool:
    """Whether a figure's pattern may pick what a study's name or pattern runs."""
    return (
        matches(run, wanted) or matches(wanted, run) or ("*" in wanted and "*" in run)
    )


def nearest_of(name: str, known: Iterable[str]) -> str:
    """How to mend an unknown name: the nearest known one, and all of them."""
    names = tuple(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    all_ = f"use one of: {', '.join(names)}"
    return f"did you mean {near[0]!r}? {all_}" if near else all_
