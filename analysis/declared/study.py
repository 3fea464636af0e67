"""What an author declares of a study: ``report/<edition>/studies/<id>/study.yaml``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from analysis.declared.base import Declared, Number
from analysis.declared.campaign import Role
from analysis.declared.names import Folder, Id, Name, Title
from analysis.declared.topology import Topology
from analysis.declared.workload import matches

OVERVIEW = "summary-changes"  # the figure of all studies of an edition


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

    floor: Number = Field(default=2.0, ge=0)
    control: Id | None = None
    adjust: Literal["holm", "benjamini-hochberg"] = "holm"


class Claims(Declared):
    """How firm claims must be: below this margin, in percent, one is fragile."""

    margin: Number = Field(default=1.0, ge=0)


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

    title: Title
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

    @model_validator(mode="after")
    def _check_sides(self) -> Study:
        """Each test and workload once, each figure by its own name."""
        for name, own in (("test", self.tests), ("workload", self.workloads)):
            if twice := [id for id in own if own.count(id) > 1]:
                raise ValueError(f"the {name} {twice[0]} is named twice")
        ids = [figure.id for figure in self.figures]
        if twice := [id for id in ids if ids.count(id) > 1]:
            raise ValueError(f"two figures have the id {twice[0]}")
        return self

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

    @property
    def glance(self) -> set[str]:
        """The metrics that a glance at the study shows: those drawn, or all."""
        return {m for f in self.figures for m in f.metrics} or set(self.metrics)

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
