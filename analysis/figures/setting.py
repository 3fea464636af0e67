"""What a figure is drawn from: its declaration and all that its words need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import Configuration
from analysis.declared.edition import read_edition, read_studies, study_folder
from analysis.declared.figure_file import FigureFile, read_figure_file
from analysis.declared.metrics import Metric
from analysis.declared.published import Published
from analysis.declared.study import (
    OVERVIEW,
    PYTHON,
    TIMELINE,
    Figure,
    Study,
    sequence_id,
)
from analysis.errors import Place
from analysis.facts.evidence import read_evidence
from analysis.facts.sentences import name_list
from analysis.facts.series import RunSeries, read_series
from analysis.figures import page

_MOST_METRICS = 3


@dataclass(frozen=True)
class Setting:
    """One figure of one study, with where it is declared.

    ``labels`` names each configuration in words; ``alt`` is None where the author
    leaves the alt text to be written from the facts. ``declared`` and ``systems`` are
    what the study's campaigns declare. ``published`` are all published numbers; those
    that the study's own ``published`` points to are drawn over its facts. ``studies``
    are those of the edition, by id, where the figure is of all of them; ``labels_of``
    has the labels of each, and ``edition_title`` is what its edition says of it.
    ``series`` are those of the study's runs, where it draws what happens inside;
    ``file`` draws it, where its kind is python.
    """

    study_id: str
    study: Study
    figure: Figure
    metrics: dict[str, Metric]
    labels: dict[str, str]
    place: Place
    alt: str | None = None
    declared: dict[str, Configuration] = field(default_factory=dict)
    systems: dict[str, str] = field(default_factory=dict)
    published: tuple[Published, ...] = ()
    studies: Mapping[str, Study] = field(default_factory=dict)
    labels_of: Mapping[str, dict[str, str]] = field(default_factory=dict)
    edition_title: str = ""
    series: tuple[RunSeries, ...] = ()
    file: FigureFile | None = None

    @property
    def id(self) -> str:
        """The figure's id in the edition, ``<study>-<figure>``."""
        return f"{self.study_id}-{self.figure.id}"

    @property
    def title(self) -> str:
        """What it finds in its author's words, empty without any."""
        return self.edition_title or self.figure.title

    @property
    def tests(self) -> tuple[str, ...]:
        """The tests that the figure draws."""
        return self.study.tests_of(self.figure)

    @property
    def baselines(self) -> tuple[str, ...]:
        """What those tests are compared with, each once."""
        return tuple(dict.fromkeys(map(self.study.baseline_of, self.tests)))

    @property
    def configurations(self) -> tuple[str, ...]:
        """The configurations that the figure draws, each baseline before its tests."""
        return self.study.configurations_of(self.figure)

    @property
    def colours(self) -> dict[str, str]:
        """The colour of each configuration."""
        return page.configuration_colours(
            self.baselines, self.tests or self.configurations
        )

    def label(self, configuration: str) -> str:
        """``Offload off``; the id where no campaign gives it a label."""
        return self.labels.get(configuration) or configuration

    def label_list(self, configurations: Iterable[str] = ()) -> str:
        """The labels of some configurations, or of all that the figure draws."""
        return name_list(map(self.label, tuple(configurations) or self.configurations))


def read_settings(
    report: Path, edition: str, evidence: Path, metrics: dict[str, Metric]
) -> list[Setting]:
    """The settings of all figures of an edition, in its order.

    ``evidence`` is where derive says what campaigns declare: a file, or a folder with
    one of each edition; series of runs are beside it.
    """
    folder = report / edition
    edition_of = read_edition(folder)
    studies = read_studies(folder, edition_of)
    names = (name for study in studies.values() for name in study.campaigns)
    homes = edition_of.homes(edition)
    rests_on = read_evidence(evidence, names, {*homes.values()})
    campaigns = {name: one.declared for name, one in rests_on.items()}
    declared_in, labels_of = list[Setting](), dict[str, dict[str, str]]()
    for id, study in studies.items():
        path = study_folder(folder, edition_of, id) / "study.yaml"
        data, node = load_yaml(path)
        # where two campaigns declare an id the first counts
        known = [campaigns[name] for name in reversed(study.campaigns)]
        declared = {id: c for each in known for id, c in each.configurations.items()}
        labels = {name: one.label for name, one in declared.items() if one.label}
        labels_of[id] = labels
        systems = {id: each.processors(id) for each in known for id in each.systems}
        for i, figure in enumerate(study.figures):
            place = Place(str(path), line_of(node, ("figures", i)))
            alt = data["figures"][i].get("alt")
            about = (labels, place, alt, declared, systems)
            setting = Setting(id, study, figure, metrics, *about)
            if figure.kind == TIMELINE:
                there, of = read_series(evidence, [homes[id]]), (homes[id], id)
                series = tuple(x for x in there if (x.edition, x.study) == of)
                setting = replace(setting, series=series)
            if figure.kind == PYTHON:
                allowed = edition_of.python_figures
                file = read_figure_file(path.parent, figure, allowed, place)
                setting = replace(setting, file=file)
            declared_in.append(setting)
    sequences = [
        _made(
            folder, studies, metrics, sequence_id(name), name,
            kind="sequence", metrics=(), question=f"What happens in {name}?",
            caption=f"{name}: its messages, and when its connections are open.",
        )
        for name in edition_of.sequences
    ]  # fmt: skip
    overview = of_edition(folder, studies, metrics, labels_of)
    said = edition_of.overview.title if edition_of.overview else ""
    first = [replace(setting, edition_title=said) for setting in overview]
    return [*first, *sequences, *declared_in]


def of_edition(
    folder: Path,
    studies: Mapping[str, Study],
    metrics: dict[str, Metric],
    labels_of: Mapping[str, dict[str, str]] = MappingProxyType({}),
) -> list[Setting]:
    """The figure of all studies, where there are several and they share metrics."""
    studies = {id: study for id, study in studies.items() if study.summary}
    compared = {m for s in studies.values() if not s.of_values for m in s.glance}
    known = [m for m, it in metrics.items() if m in compared and it.better != "none"]
    counts = {m: sum(m in s.glance for s in studies.values()) for m in known}
    most = sorted((m for m in counts if counts[m]), key=lambda m: -counts[m])
    shown = tuple(m for m in metrics if m in most[:_MOST_METRICS])
    if len(studies) < 2 or not shown:
        return []
    overview = _made(
        folder, studies, metrics, OVERVIEW, "*",
        kind="range", metrics=shown, question="Which studies gain, and which lose?",
        caption="Best and worst change of each comparison.",
    )  # fmt: skip
    return [replace(overview, studies=studies, labels_of=labels_of)]


def _made(
    folder: Path,
    studies: Mapping[str, Study],
    known: dict[str, Metric],
    name: str,
    workloads: str,
    **entries: Any,
) -> Setting:
    """A figure that belongs to no study, as if the first one had it."""
    group, _, id = name.partition("-")
    figure = Figure(id=id, workloads=workloads, **entries)
    first = next(iter(studies.values()))
    study = first.model_copy(update={"figures": (figure,), "workloads": (workloads,)})
    return Setting(group, study, figure, known, {}, Place(str(folder / "edition.yaml")))
