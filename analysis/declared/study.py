"""What an author declares of a study: ``report/<edition>/studies/<id>/study.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from analysis.declared.base import Declared
from analysis.declared.mistakes import form
from analysis.declared.names import Folder, Id, Name, Title
from analysis.declared.topology import Topology
from analysis.declared.vocabulary import Part
from analysis.declared.workload import matches, parse_workload

OVERVIEW = "summary-changes"  # the figure of all studies of an edition
TIMELINE = "timeline"  # the kind of figure that needs what happens inside runs
PYTHON = "python"  # the kind of figure that a file of its study draws


def sequence_id(workload: str) -> str:
    """The id of the figure of a workload's messages, in any edition."""
    return f"workload-{re.sub(r'[^a-z0-9]+', '-', workload.lower()).strip('-')}"


_NUMBER = r"\d+(?:[.,]\d+)*"


def _no_yes(value: Any) -> Any:
    """Pydantic takes true for 1; who writes it meant something else."""
    if isinstance(value, bool):
        raise ValueError(f"{str(value).lower()} is no number")
    return value


Number = Annotated[float, BeforeValidator(_no_yes)]
WorkloadName = Annotated[str, AfterValidator(lambda text: parse_workload(text).name)]
Side = Literal["metric", "role", "workload", "configuration"]  # what facts differ in


_PYTHON_FILE = form(
    r"^([A-Za-z0-9_]\w*\.py)?$", "a file in the folder of the study, such as waits.py"
)


class Figure(Declared):
    """One figure of a study: the question that it answers and what it draws."""

    id: Name
    """Its name, by which texts refer to it as @fig-STUDY-ID."""
    kind: Name
    """How it is drawn."""
    question: str
    """What a reader learns from it, as a question."""
    metrics: tuple[str, ...]
    """What it draws."""
    file: Annotated[str, Field(pattern=_PYTHON_FILE)] = ""
    """Of kind python: the Python file that draws it, in the folder of the study."""
    workloads: str = "*"
    """Name or pattern of the workloads that it draws."""
    tests: tuple[Id, ...] = ()
    """Some of the study's tests; left out, all."""
    roles: tuple[Part, ...] = ()
    """Values of some roles; left out, all."""
    title: str = ""
    """What it finds, in its author's words, in place of the words made from the
    facts."""
    claim: str = ""
    """What must hold of the facts for its title to be true, as at a sentence."""
    alt: str = ""
    """Replaces the text for those who cannot see it."""
    caption: str = ""
    """Replaces the caption that is made from the facts."""
    limit: float | None = Field(default=None, gt=0)
    """Of a figure of parts: the most that the whole may be, in its unit."""
    potential: str = ""
    """Of a figure of parts: the metric whose part is not one yet."""
    rows: tuple[Side, ...] = ()
    """Of a table: what differs from row to row, in this order."""
    columns: tuple[Side, ...] = ("workload",)
    """Of a table: what stands side by side."""
    shows: Literal["values", "changes"] = "values"
    """Of a table: values, or changes."""
    totals: bool = False
    """Of a table of values: whether it ends with their sums."""
    numbered: bool = True
    """Whether it has a number of its own."""
    for_borrowers: bool = False
    """Whether it is drawn for editions that borrow its study, and its own omits it."""
    configurations: tuple[Id, ...] = ()
    """Of a set-up: the configurations that have it; left out, all."""

    @model_validator(mode="after")
    def _check_sides(self) -> Figure:
        """Each side of a table is a row or a column."""
        for side in self.rows:
            if side in self.columns:
                raise ValueError(
                    f"the figure {self.id} has {side} in rows and in columns; leave it "
                    "in one of them"
                )
        return self

    @model_validator(mode="after")
    def _check_title(self) -> Figure:
        """A title stands with a claim, which has each of its numbers."""
        wrong = wrong_title(self.title, self.claim)
        if wrong:
            raise ValueError(f"the figure {self.id} {wrong}")
        return self

    @model_validator(mode="after")
    def _check_file(self) -> Figure:
        """A file goes with its kind."""
        if bool(self.file) != (self.kind == PYTHON):
            mend = (
                "has a file but not the kind python" if self.file else "names no file"
            )
            raise ValueError(f"the figure {self.id} {mend}")
        return self

    def draws_role(self, role: str | None) -> bool:
        """Whether it draws values of a role; those without one always."""
        return not self.roles or role is None or role in self.roles


def wrong_title(title: str, claim: str) -> str:
    """What is wrong with the words of a figure and the claim that holds them."""
    if bool(title) != bool(claim):
        return "needs a title and a claim that holds it, or neither of them"
    numbers = set(re.findall(_NUMBER, claim))
    free = [n for n in re.findall(rf"\b{_NUMBER}", title) if n not in numbers]
    return f"has {free[0]} in its title and not in its claim" if free else ""


def part_of(figure: Figure, metric: str) -> Figure:
    """The part of a figure that draws one of its metrics, by an id of its own."""
    id = part_id(figure.id, metric)
    update = {"id": id, "metrics": (metric,), "alt": "", "title": "", "claim": ""}
    return figure.model_copy(update=update)


def part_id(figure: str, metric: str) -> str:
    """The id of a part of a figure."""
    return f"{figure}--{metric}"


# What an adjustment of p-values promises of a family of comparisons.
PROMISES = {
    "holm": "the chance that even one of them is called a change and is none is at "
    "most 5%",
    "benjamini-hochberg": "of what is called a change, at most 5% is none on average, "
    "which does not promise that all of it is real",
}


class Noise(Declared):
    """When a change counts: the floor in percent, and the adjustment for many tests."""

    floor: Number = Field(default=2.0, ge=0)
    """The least change, in percent, that counts as one."""
    control: Id | None = None
    """A configuration that repeats the baseline: as far as it differs, a change is
    noise."""
    adjust: Literal["holm", "benjamini-hochberg"] = "holm"
    """How p-values are adjusted for the number of comparisons."""
    primary: tuple[str, ...] = ()
    """The metrics that the question is about, which are judged among themselves; the
    others are judged among all."""


class Claims(Declared):
    """How firm claims must be: below this margin, in percent, one is fragile."""

    margin: Number = Field(default=1.0, ge=0)
    """How near to the limit a claim may hold before it is called fragile, in percentage
    points."""


class Estimates(Declared):
    """What models are asked for beyond the arms that were not measured."""

    workloads: tuple[WorkloadName, ...] = ()
    """Workloads that no configuration ran, and that a reader wants to know of."""


class AskedLoads(Declared):
    """What the models are asked of every configuration: metrics of some loads, that
    nobody need have run, and of one role or area, if they have any."""

    metrics: tuple[str, ...]
    """What is asked."""
    workloads: tuple[WorkloadName, ...]
    """Of which loads; nobody need have run them."""
    role: Part | None = None
    """Of which role or area, if the metrics have some."""


class PublishedRow(Declared):
    """What one published number speaks of, where its row does not tell."""

    test: Id
    """The test that the number speaks of."""
    workloads: str = "*"
    """Name or pattern of the workloads that it speaks of."""


class Published(Declared):
    """Under which ids ``data/published.csv`` has a study and its configurations."""

    study: Name
    """Id of the study in data/published.csv."""
    configurations: dict[Id, str] = Field(default_factory=dict)
    """The id there of each configuration that is called otherwise."""
    rows: dict[str, PublishedRow] = Field(default_factory=dict)
    """What single rows speak of, by their ids."""

    def name_of(self, configuration: str) -> str:
        """The id that the published rows have for a configuration."""
        return self.configurations.get(configuration, configuration)

    def lets(self, row: str, configuration: str, workload: str) -> bool:
        """Whether what is said of a single row leaves it this test and workload."""
        about = self.rows.get(row)
        return about is None or (
            about.test == configuration and matches(workload, about.workloads)
        )


class Study(Declared):
    """One question: a baseline, its tests, workloads, figures."""

    title: Title
    """Its heading."""
    question: str
    """What a reader wants to know."""
    campaigns: tuple[Folder, ...]
    """Folders below raw/ whose runs are used; what several of them measured on one
    configuration is one sample."""
    baseline: Id
    """The configuration that the tests are compared with."""
    tests: tuple[Id, ...]
    """The configurations that are compared with it; an empty list makes a study of
    values."""
    baselines: dict[Id, Id] = Field(default_factory=dict)
    """Another baseline of single tests, by test."""
    workloads: tuple[str, ...]
    """Names or patterns of the workloads, such as RR10(100B) or RR*."""
    metrics: tuple[str, ...] = ()
    """What is derived beside what figures draw."""
    roles: dict[str, tuple[Part, ...]] = Field(default_factory=dict)
    """Of which roles or areas a metric has facts, by metric; of all, if left out."""
    noise: Noise = Noise()
    """When a change counts as one."""
    claims: Claims = Claims()
    """How firm claims must be."""
    published: Published | None = None
    """Where data/published.csv tells of it."""
    estimate: Estimates = Estimates()
    """What may stand in for an arm that was not measured."""
    summary: bool = True
    """Whether the edition's summary has it."""
    setup_of: Name | None = Field(default=None, alias="setup-of")
    """A study whose set-up holds for this one too, and is not repeated."""
    topology: Topology | None = None
    """The set-up: systems, adapters and links of its diagram."""
    asks: tuple[AskedLoads, ...] = ()
    """What models are asked of every configuration."""
    figures: tuple[Figure, ...]
    """Its figures, in order."""

    @model_validator(mode="after")
    def _check_sides(self) -> Study:
        """Each test and workload once, each figure by its own name."""
        for name, all_ids in (("test", self.tests), ("workload", self.workloads)):
            if twice := [id for id in all_ids if all_ids.count(id) > 1]:
                raise ValueError(f"the {name} {twice[0]} is named twice")
        for id in (id for figure in self.figures for id in figure.configurations):
            if id not in self.configurations:
                raise ValueError(
                    f"a figure names {id}, which the study does not compare"
                )
        ids = [figure.id for figure in self.figures]
        if twice := [id for id in ids if ids.count(id) > 1]:
            raise ValueError(f"two figures have the id {twice[0]}")
        return self

    @property
    def of_values(self) -> bool:
        """Whether it has the values of one configuration, and compares nothing."""
        return not self.tests

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
        return tuple(dict.fromkeys([self.baseline, *self._pairs(self.tests)]))

    @property
    def loads(self) -> tuple[str, ...]:
        """The workloads that ran, by name or pattern, and those that did not."""
        return (*self.workloads, *self.estimate.workloads)

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
        if figure.configurations:
            return figure.configurations
        drawn = dict.fromkeys(self._pairs(self.tests_of(figure)))
        return tuple(drawn) or (self.baseline,)

    def _pairs(self, tests: tuple[str, ...]) -> Iterator[str]:
        for test in tests:
            yield from (self.baseline_of(test), test)
