"""What an author declares of an edition and of each of its studies.

``report/<edition>/edition.yaml`` and ``report/<edition>/studies/<id>/study.yaml``.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from analysis.campaign import Id
from analysis.declared import Declared, read_declared

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")]


class Section(Declared):
    """A front or back section: its Markdown file (in the edition) and its title."""

    id: Name
    title: str
    file: str


class Group(Declared):
    """A chapter of several studies; ``file`` is its introduction, if it has one."""

    id: Name
    title: str
    file: str | None = None
    studies: tuple[Name, ...]


class Edition(Declared):
    """One report: its studies in order, alone or in groups, its front and back matter."""

    title: str
    subtitle: str = ""
    authors: tuple[str, ...]
    date: dt.date
    number: str = ""
    status: Literal["draft", "final"] = "draft"
    language: str = "en-US"
    description: str = ""
    keywords: tuple[str, ...] = ()
    references: str = "references.bib"
    repo_url: str | None = Field(default=None, alias="repo-url")
    repo_branch: str = Field(default="main", alias="repo-branch")
    repo_subdir: str = Field(default="", alias="repo-subdir")
    front: tuple[Section, ...]
    studies: tuple[Name | Group, ...]
    back: tuple[Section, ...] = ()

    @property
    def study_ids(self) -> tuple[str, ...]:
        """Ids of all studies in the order of the report."""
        return tuple(
            id
            for entry in self.studies
            for id in (entry.studies if isinstance(entry, Group) else (entry,))
        )


class Figure(Declared):
    """One figure of a study: the question that it answers and what it draws.

    ``caption`` and ``alt`` replace the ones that are made from the facts.
    """

    id: Name
    kind: Name
    question: str
    metrics: tuple[str, ...]
    workloads: str = "*"
    alt: str = ""
    caption: str = ""


class Noise(Declared):
    """When a change counts: the floor in percent, and the adjustment for many tests."""

    floor: float = Field(default=2.0, ge=0)
    control: Id | None = None
    adjust: Literal["holm", "benjamini-hochberg"] = "holm"


class Claims(Declared):
    """How firm claims must be: below this margin, in percent, one is fragile."""

    margin: float = Field(default=1.0, ge=0)


class Published(Declared):
    """Under which ids ``data/published.csv`` has a study and its configurations."""

    study: Name
    configurations: dict[Id, str] = Field(default_factory=dict)


class Study(Declared):
    """One question: a baseline, one or more tests, workloads, figures.

    ``baselines`` names the baseline of each test that is not compared with the study's
    own, as where each of two interfaces has a release before and one after.
    """

    title: str
    question: str
    campaigns: tuple[Id, ...]
    baseline: Id
    tests: tuple[Id, ...]
    baselines: dict[Id, Id] = Field(default_factory=dict)
    workloads: tuple[str, ...]
    metrics: tuple[str, ...] = ()
    noise: Noise = Noise()
    claims: Claims = Claims()
    published: Published | None = None
    figures: tuple[Figure, ...]

    def baseline_of(self, test: str) -> str:
        """The configuration that ``test`` is compared with."""
        return self.baselines.get(test, self.baseline)

    @property
    def configurations(self) -> tuple[str, ...]:
        """All configurations, each baseline before the first test that needs it."""
        pairs = ((self.baseline_of(test), test) for test in self.tests)
        return tuple(dict.fromkeys([self.baseline, *(i for p in pairs for i in p)]))


def read_edition(folder: Path) -> Edition:
    """The declaration of the edition in ``folder``, checked."""
    return read_declared(folder / "edition.yaml", Edition)


def read_studies(folder: Path, edition: Edition) -> dict[str, Study]:
    """The studies of an edition, by id, in the edition's order."""
    return {
        id: read_declared(folder / "studies" / id / "study.yaml", Study)
        for id in edition.study_ids
    }


def find_editions(report: Path) -> list[str]:
    """Ids of all editions below ``report/``, sorted."""
    return sorted(p.parent.name for p in report.glob("*/edition.yaml"))
