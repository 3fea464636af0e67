"""What prose may place beside facts: tables, declarations, published numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from inspect import isfunction
from pathlib import Path
from typing import Any, get_args

from analysis.declared.campaign import Campaign
from analysis.declared.published import (
    ISSUES_FILE,
    PUBLISHED_FILE,
    Published,
    PublishedIssue,
    read_issues,
    read_published,
)
from analysis.declared.study import PROMISES, part_id
from analysis.declared.workload import Form, parse_workload
from analysis.facts.units import MINUS, format_unit
from analysis.report.bound import Bound
from analysis.report.language.scope import one_of
from analysis.report.material import Material
from analysis.report.table import escape
from analysis.report.tables.setup import (
    excluded_table,
    hardware_table,
    metric_table,
    runs_table,
    software_table,
    systems_table,
    workload_shapes,
    workload_table,
)
from analysis.report.tables.summary import sum_table


@dataclass(frozen=True)
class PlacedFigure:
    """Where a figure stands on a slide, by its id."""

    id: str

    def __str__(self) -> str:
        return f"[{self.id}]{{.placed-figure}}"


@dataclass(frozen=True)
class Blocks:
    """The functions of an edition's declarations: each public method is one.

    All take texts and give texts and numbers, never what was declared itself.
    """

    material: Material

    def gate(self, campaign: str, gate: str) -> float:
        """A declared tolerance, as a share of one: ``little``, ``utilisation``."""
        shares = self._campaign(campaign).gates.model_dump()
        return float(shares[one_of("gate", gate, shares)])

    def hardware(self, campaign: str, component: str) -> str:
        """What is declared of a component of the hardware, as Markdown."""
        return _declared(component, self._campaign(campaign).hardware)

    def software(self, campaign: str, component: str) -> str:
        """What is declared of a component of the software, as Markdown."""
        return _declared(component, self._campaign(campaign).software)

    def campaign_title(self, campaign: str) -> str:
        """The title of a campaign, as Markdown."""
        return escape(self._campaign(campaign).title)

    def family(self) -> str:
        """Whose comparisons are judged together, by the declaration of the edition."""
        return "a study" if self.material.edition.family == "study" else "the edition"

    def promise(self) -> str:
        """What the adjustment of p-values promises, by the declarations of studies."""
        studies = self.material.studies.values()
        kinds = sorted({study.noise.adjust for study in studies if study.tests})
        return "; or, by study, ".join(PROMISES[kind] for kind in kinds)

    def hardware_table(self, campaign: str) -> str:
        """The hardware of a campaign."""
        return hardware_table(campaign, self._campaign(campaign))

    def software_table(self, campaign: str) -> str:
        """The software of a campaign."""
        return software_table(campaign, self._campaign(campaign))

    def systems_table(self, campaign: str) -> str:
        """The systems of a campaign."""
        return systems_table(campaign, self._campaign(campaign))

    def workload_table(self) -> str:
        """The workloads of the edition."""
        return workload_table(self.material.workloads())

    def workload_shapes(self) -> str:
        """The shapes of the edition's workloads, in words."""
        return workload_shapes(self.material.workloads())

    def metric_table(self) -> str:
        """The metrics of the edition."""
        return metric_table(self.material.metrics_used())

    def runs_table(self) -> str:
        """How many runs were used, by configuration and workload."""
        return runs_table(self.material.runs())

    def excluded_table(self) -> str:
        """The runs that were excluded, and why."""
        return excluded_table(self.material.runs())

    def summary_table(self, id: str) -> Bound:
        """A table that the edition declares: lowest, highest and average results."""
        return sum_table(self.material, id)

    def _campaign(self, id: str) -> Campaign:
        campaigns = self.material.campaigns
        return campaigns[one_of("campaign", id, campaigns)]


@dataclass(frozen=True)
class SlideBlocks:
    """What slides may place beside that."""

    material: Material

    def figure(self, id: str, metric: str = "") -> PlacedFigure:
        """The place of a figure on a slide, or of its part that draws one metric."""
        known = [picture.id for picture in self.material.all_pictures()]
        found = one_of("figure", id, known)
        if not metric:
            return PlacedFigure(found)
        studies = self.material.studies.items()
        metrics = {f"{s}-{f.id}": f.metrics for s, own in studies for f in own.figures}
        part = part_id(found, one_of("metric", metric, metrics.get(found, ())))
        return PlacedFigure(part)


def statistic(id: str, part: str) -> str | int | float:
    """What a statistic says of itself: words, or a number that decides something."""
    from analysis.statistics.statistic import (
        STATISTICS,  # they load numpy; few texts ask
    )

    printed = STATISTICS[one_of("statistic", id, STATISTICS)].printed
    return printed[one_of("part of the statistic", part, printed)]


def workload_name(name: str, form: str = "short") -> str:
    """A workload's name as code, in one of the forms of published reports."""
    known: tuple[Form, ...] = get_args(Form)
    [wanted] = (own for own in known if own == one_of("form", form, known))
    return f"`{parse_workload(name).written(wanted)}`"


def _declared(component: str, entries: Mapping[str, str | int | float]) -> str:
    return escape(entries[one_of("component", component, entries)])


@dataclass(frozen=True)
class PublishedText:
    """Published numbers and their inconsistencies; files are read when asked for."""

    numbers: Path = PUBLISHED_FILE
    issues: Path = ISSUES_FILE

    def published(self, id: str) -> str:
        """A number as it was published, with its sign and unit: ``−78%``."""
        row = self._rows[one_of("published number", id, self._rows)]
        if row.kind == "delta":
            sign = "+" if row.value > 0 else MINUS if row.value < 0 else ""
            return f"{sign}{abs(row.value):,.10g}%"
        unit = {"x": "×", "1": ""}.get(row.unit, format_unit(row.unit))
        return f"{row.value:,.10g} {unit}".rstrip()

    def published_issue(self, id: str) -> str:
        """What is wrong with published numbers, in the words of the file."""
        return self._issues[one_of("published issue", id, self._issues)].text

    @cached_property
    def _rows(self) -> dict[str, Published]:
        return {row.id: row for row in read_published(self.numbers)}

    @cached_property
    def _issues(self) -> dict[str, PublishedIssue]:
        return {row.id: row for row in read_issues(self.issues)}


def blocks(material: Material, slides: bool = False) -> dict[str, Callable[..., Any]]:
    """The functions by the names that prose, or that of slides, calls them by."""
    own = methods(Blocks(material)) | methods(PublishedText())
    own |= {"statistic": statistic, "workload_name": workload_name}
    return own | (methods(SlideBlocks(material)) if slides else {})


def methods(owner: object) -> dict[str, Callable[..., Any]]:
    """The public methods of an object, by their names."""
    own = vars(type(owner)).items()
    return {n: getattr(owner, n) for n, f in own if isfunction(f) and n[0] != "_"}
