"""All reviewed texts of an edition, with their expressions replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from analysis.campaign import Campaign
from analysis.edition import Group
from analysis.errors import Issue, UserError, raise_if
from analysis.report.campaign_tables import (
    hardware_table,
    metric_table,
    software_table,
    systems_table,
    workload_table,
)
from analysis.report.environment import (
    Printed,
    check_expressions,
    prose_environment,
    render_printed,
)
from analysis.report.lookup import one_of
from analysis.report.material import Material
from analysis.report.prose import check_output, check_prose, own_footnotes
from analysis.report.published_text import PublishedText
from analysis.report.reviewed import Reviewed, read_reviewed
from analysis.report.run_tables import excluded_table, runs_table
from analysis.report.values import Values, expressions
from analysis.workload import Form, parse_workload

STUDY_TEXTS = ("background", "environment", "observations")
OBSERVATIONS = "observations"


@dataclass(frozen=True)
class Text:
    """One text as written and as it reads; ``study`` is None in front and back matter.

    ``name`` is the file's place in the edition, such as ``front/preface.md``.
    """

    name: str
    study: str | None
    source: Reviewed
    markdown: str
    printed: tuple[Printed, ...]

    @property
    def path(self) -> Path:
        """The file."""
        return self.source.path


def study_text(study: str, part: str) -> str:
    """The place of a study's text in its edition."""
    return f"studies/{study}/{part}.md"


def read_texts(
    material: Material, known: Mapping[str, Text] = MappingProxyType({})
) -> dict[str, Text]:
    """Every text of the edition by name; one :class:`UserError` tells all mistakes.

    ``known`` are texts that were read before with the same material: a file that
    did not change since is not read again as a template.
    """
    environment = prose_environment()
    texts: dict[str, Text] = {}
    issues: list[Issue] = []
    for name, study in _names(material):
        try:
            texts[name] = _read(material, environment, name, study, known.get(name))
        except UserError as error:
            issues += error.issues
    raise_if(issues)
    return texts


def blocks(material: Material) -> dict[str, Callable[..., Any]]:
    """The generated parts that prose may place, and the campaigns' declarations."""

    def campaign(id: str) -> Campaign:
        return material.campaigns[one_of("campaign", id, material.campaigns)]

    others = PublishedText()
    return {
        "campaign": campaign,
        "published": others.published,
        "published_issue": others.published_issue,
        "hardware_table": lambda id: hardware_table(id, campaign(id)),
        "software_table": lambda id: software_table(id, campaign(id)),
        "systems_table": lambda id: systems_table(id, campaign(id)),
        "workload_name": workload_name,
        "workload_table": lambda: workload_table(material.workloads()),
        "metric_table": lambda: metric_table(material.metrics_used()),
        "runs_table": lambda: runs_table(material.runs()),
        "excluded_table": lambda: excluded_table(material.runs()),
    }


def workload_name(name: str, form: Form = "short") -> str:
    """A workload's name as code, in one of the forms of published reports."""
    return f"`{parse_workload(name).written(form)}`"


def _names(material: Material) -> Iterator[tuple[str, str | None]]:
    edition = material.edition
    yield from ((section.file, None) for section in edition.front)
    groups = (entry for entry in edition.studies if isinstance(entry, Group))
    yield from ((group.file, None) for group in groups if group.file)
    for id in material.studies:
        yield from ((study_text(id, part), id) for part in STUDY_TEXTS)
    yield from ((section.file, None) for section in edition.back)


def _read(
    material: Material,
    environment: Any,
    name: str,
    study: str | None,
    known: Text | None,
) -> Text:
    path = material.folder / name
    may_claim = study is not None and path.stem == OBSERVATIONS
    source = read_reviewed(path, may_claim)
    if known and known.source == source:
        return known
    raise_if(check_prose(source.body, path))
    names = expressions(Values(material.scope(study))) | blocks(material)
    rendered, printed = render_printed(environment, source.body, names, path)
    raise_if(check_output(rendered, path))
    raise_if(check_expressions(environment, source.body, path))
    prefix = name.removesuffix(".md").replace("/", "-")
    markdown = own_footnotes(rendered, prefix).strip()
    return Text(name, study, source, markdown, printed)
