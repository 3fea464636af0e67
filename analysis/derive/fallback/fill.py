"""Fills the arms of a study that were not measured; nothing to do where all were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analysis.declared.workload import parse_workload
from analysis.derive.fallback.knowledge import Knowledge, gather_knowledge
from analysis.derive.samples import Cell, Sample
from analysis.derive.scope import StudyScope
from analysis.facts.fact import Facts


def fill_gaps(scope: StudyScope, samples: Mapping[Cell, Sample]) -> Facts:
    """Predicted facts of one study, and gaps where there is no estimate."""
    known = gather_knowledge(scope, samples)
    cells = [*missing_cells(scope, known), *asked_cells(scope)]
    if not cells:
        return Facts(())
    # the models import scipy, which takes a second that most studies need not spend
    from analysis.derive.fallback.estimates import answer_cells, make_facts

    facts, gaps = make_facts(scope, answer_cells(cells, known), known)
    return Facts(tuple(facts), (), tuple(gaps))


def asked_cells(scope: StudyScope) -> Iterator[Cell]:
    """Cells of loads that nobody ran, which the study asks the models for."""
    for asked in scope.study.asks:
        for metric in asked.metrics:
            for configuration in scope.configurations:
                for workload in asked.workloads:
                    yield Cell(configuration, workload, metric, asked.role)


def missing_cells(scope: StudyScope, known: Knowledge) -> Iterator[Cell]:
    """Cells without measurement that an arm's partner has, or that the study asks for.

    None of controls, and of CPU only the roles that loads of the shape have.
    """
    asked = set(scope.study.estimate.workloads)
    for cell in scope.cells():
        arm = cell.configuration
        if cell in known.samples or arm in known.controls:
            continue
        partners = (cell._replace(configuration=p) for p in known.partners(arm))
        if any(partner in known.samples for partner in partners) or (
            cell.workload in asked and _has_like(cell, known)
        ):
            yield cell


def _has_like(cell: Cell, known: Knowledge) -> bool:
    """Whether the arm was measured like that with another workload of the shape."""
    shape = parse_workload(cell.workload).shape
    return any(
        known.measured(cell.configuration, work.name, cell.metric, cell.role)
        for work in known.workloads(cell.configuration, shape)
    )
