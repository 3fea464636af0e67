"""What an author declares of an edition and of each of its studies.

``report/<edition>/edition.yaml`` and ``report/<edition>/studies/<id>/study.yaml``.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from analysis.declared.base import Declared, read_declared
from analysis.declared.campaign import Role
from analysis.declared.mistakes import form
from analysis.declared.names import NAME, Folder, Id, Name, find_named
from analysis.declared.reviewer import Reviewer
from analysis.declared.topology import Topology
from analysis.declared.workload import matches

_TEXT_FILE = form(
    r"^(\w[\w.-]*/)*\w[\w.-]*\.md$",
    "the name of a Markdown file of the edition, such as front/preface.md",
)
_LANGUAGE = form(
    r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", "a code of a language such as en-GB"
)
_WEB = form(
    r"^https?://[A-Za-z0-9][A-Za-z0-9.:-]*(/[A-Za-z0-9._~%/+@,=-]*)?$",
    "the address of a web page, such as https://git.example.com/reports",
)
_REFERENCES = form(
    r"^\w[\w.-]*\.bib$",
    "the name of a BibTeX file of the edition, such as references.bib",
)
FORMATS = ("html", "pdf")  # in which an edition comes that names none
Family = Literal["study", "edition"]
Part = Literal[
    "answer", "observations", "results", "background", "environment", "configuration"
]
Order = Literal["answer", "classical"]
# The parts of a study in the orders that an edition may choose from.
ORDERS: dict[Order, tuple[Part, ...]] = {
    "answer": (
        "answer",
        "observations",
        "results",
        "background",
        "environment",
        "configuration",
    ),
    "classical": (
        "answer",
        "background",
        "environment",
        "configuration",
        "results",
        "observations",
    ),
}
TextFile = Annotated[str, Field(pattern=_TEXT_FILE)]


class Section(Declared):
    """A front or back section: its Markdown file (in the edition) and its title."""

    id: Name
    title: str
    file: TextFile


class Group(Declared):
    """A chapter of several studies; ``file`` is its introduction, if it has one."""

    id: Name
    title: str
    file: TextFile | None = None
    studies: tuple[Name, ...]


class Edition(Declared):
    """One report: its studies in order, alone or in groups, and what is around them.

    ``family`` says over which comparisons p-values are adjusted: those of a study or
    of all studies of the edition. ``formats`` are the ids of output formats in which it
    comes, the main one first. ``reviewers`` may approve; where there are none, nobody
    knows who did.
    ``summary`` is the text of its findings. ``order`` says in which order the parts of
    a study stand: the answer and its figure first, or the set-up before the results,
    as in printed reports.
    """

    title: str
    subtitle: str = ""
    authors: tuple[str, ...]
    date: dt.date
    number: str = ""
    status: Literal["draft", "final"] = "draft"
    family: Family = "study"
    formats: Annotated[tuple[Name, ...], Field(min_length=1)] = FORMATS
    language: Annotated[str, Field(pattern=_LANGUAGE)] = "en-US"
    description: str = ""
    keywords: tuple[str, ...] = ()
    references: Annotated[str, Field(pattern=_REFERENCES)] = "references.bib"
    repo_url: Annotated[str, Field(pattern=_WEB)] | None = Field(
        default=None, alias="repo-url"
    )
    repo_branch: str = Field(default="main", alias="repo-branch")
    repo_subdir: str = Field(default="", alias="repo-subdir")
    summary: TextFile | None = None
    order: Order = "answer"
    front: tuple[Section, ...]
    studies: tuple[Name | Group, ...]
    back: tuple[Section, ...] = ()
    reviewers: tuple[Reviewer, ...] = ()

    @property
    def study_ids(self) -> tuple[str, ...]:
        """Ids of all studies in the order of the report."""
        return tuple(
            id
            for entry in self.studies
            for id in (entry.studies if isinstance(entry, Group) else (entry,))
        )

    def group_of(self, study: str) -> Group | None:
        """The chapter of a study; None where it stands alone."""
        groups = (entry for entry in self.studies if isinstance(entry, Group))
        return next((group for group in groups if study in group.studies), None)


class Figure(Declared):
    """One figure of a study: the question that it answers and what it draws.

    ``caption`` and ``alt`` replace the ones that are made from the facts. ``tests``
    restricts it to some of the study's tests, ``roles`` to values of some roles; none
    means all. Of a figure of parts, ``limit`` is the most that the whole may be, in its
    unit, and ``potential`` the metric whose part is not one yet.
    """

    id: Name
    kind: Name
    question: str
    metrics: tuple[str, ...]
    workloads: str = "*"
    tests: tuple[Id, ...] = ()
    roles: tuple[Role, ...] = ()
    alt: str = ""
    caption: str = ""
    limit: float | None = None
    potential: str = ""

    def draws_role(self, role: str | None) -> bool:
        """Whether it draws values of a role; those without one always."""
        return not self.roles or role is None or role in self.roles


class Noise(Declared):
    """When a change counts: the floor in percent, and the adjustment for many tests."""

    floor: float = Field(default=2.0, ge=0)
    control: Id | None = None
    adjust: Literal["holm", "benjamini-hochberg"] = "holm"


class Claims(Declared):
    """How firm claims must be: below this margin, in percent, one is fragile."""

    margin: float = Field(default=1.0, ge=0)


class Estimates(Declared):
    """What may stand in for an arm that was not measured, beyond what always may.

    ``allow_assumed``: models whose parameters nothing published supports.
    """

    allow_assumed: bool = False


class PublishedRow(Declared):
    """What one published number speaks of, where its row does not tell."""

    test: Id
    workloads: str = "*"


class Published(Declared):
    """Under which ids ``data/published.csv`` has a study and its configurations.

    ``rows`` says of single rows, by id, what they speak of.
    """

    study: Name
    configurations: dict[Id, str] = Field(default_factory=dict)
    rows: dict[str, PublishedRow] = Field(default_factory=dict)

    def name_of(self, configuration: str) -> str:
        """The id that the published rows have for a configuration."""
        return self.configurations.get(configuration, configuration)


class Study(Declared):
    """One question: a baseline, one or more tests, workloads, figures.

    ``baselines`` names the baseline of each test that is not compared with the study's
    own, as where each of two interfaces has a release before and one after.
    """

    title: str
    question: str
    campaigns: tuple[Folder, ...]
    baseline: Id
    tests: tuple[Id, ...]
    baselines: dict[Id, Id] = Field(default_factory=dict)
    workloads: tuple[str, ...]
    metrics: tuple[str, ...] = ()
    noise: Noise = Noise()
    claims: Claims = Claims()
    published: Published | None = None
    estimate: Estimates = Estimates()
    topology: Topology | None = None
    figures: tuple[Figure, ...]

    @property
    def several_baselines(self) -> bool:
        """Whether the tests are not all compared with the same configuration."""
        return len({self.baseline_of(test) for test in self.tests}) > 1

    def baseline_of(self, test: str) -> str:
        """The configuration that ``test`` is compared with."""
        return self.baselines.get(test, self.baseline)

    @property
    def configurations(self) -> tuple[str, ...]:
        """All configurations, each baseline before the first test that needs it."""
        pairs = ((self.baseline_of(test), test) for test in self.tests)
        return tuple(dict.fromkeys([self.baseline, *(i for p in pairs for i in p)]))

    def tests_of(self, figure: Figure) -> tuple[str, ...]:
        """The tests that a figure draws, in the order of the study."""
        return tuple(t for t in self.tests if not figure.tests or t in figure.tests)

    def draws(self, figure: Figure, metric: str, workload: str, test: str) -> bool:
        """Whether a figure draws a metric of a workload and test, in any role."""
        return (
            metric in figure.metrics
            and matches(workload, figure.workloads)
            and test in self.tests_of(figure)
        )

    def configurations_of(self, figure: Figure) -> tuple[str, ...]:
        """The configurations that a figure draws, each baseline before its tests."""
        pairs = ((self.baseline_of(test), test) for test in self.tests_of(figure))
        return tuple(dict.fromkeys(id for pair in pairs for id in pair))


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
    """Ids of all editions below ``report/``, sorted; a name must be of the pattern."""
    return find_named(report, "edition.yaml", NAME)
