"""What a figure is drawn from: its declaration and all that its words need."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from analysis.campaign import Campaign, Configuration, System, read_campaign
from analysis.declared import check_declared, line_of, load_yaml
from analysis.edition import Figure, Study, read_edition
from analysis.errors import Place
from analysis.figures.palette import configuration_colours
from analysis.metrics import Metric
from analysis.published import Published


@dataclass(frozen=True)
class Setting:
    """One figure of one study, with where it is declared.

    ``labels`` names each configuration in words; ``alt`` is None where the author
    leaves the alt text to be written from the facts. ``declared`` and ``systems`` are
    what the study's campaigns declare. ``published`` are all published numbers; those
    that the study's own ``published`` points to are drawn over its facts.
    """

    study_id: str
    study: Study
    figure: Figure
    metrics: dict[str, Metric]
    labels: dict[str, str]
    place: Place
    alt: str | None = None
    declared: dict[str, Configuration] = field(default_factory=dict)
    systems: dict[str, System] = field(default_factory=dict)
    published: tuple[Published, ...] = ()

    @property
    def id(self) -> str:
        """The figure's id in the edition, ``<study>-<figure>``."""
        return f"{self.study_id}-{self.figure.id}"

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
        return configuration_colours(self.baselines, self.tests)

    def named(self, configuration: str) -> str:
        """``B (Offload off)``; the bare id where no campaign gives it a label."""
        label = self.labels.get(configuration, "")
        label = re.sub(r" \(([^()]*)\)", r", \1", label)
        return f"{configuration} ({label})" if label else configuration


def read_settings(
    report: Path, edition: str, raw: Path, metrics: dict[str, Metric]
) -> list[Setting]:
    """The settings of all figures of an edition, in its order."""
    folder = report / edition
    campaigns = _Campaigns(raw)
    return [
        setting
        for study in read_edition(folder).study_ids
        for setting in _study_settings(folder, study, campaigns, metrics)
    ]


class _Campaigns:
    """The campaigns of an edition, each of which is read once."""

    def __init__(self, raw: Path) -> None:
        self.raw = raw
        self._read: dict[str, Campaign] = {}

    def of(self, study: Study) -> list[Campaign]:
        """The campaigns of a study; where two declare an id the first one counts."""
        for id in study.campaigns:
            if id not in self._read:
                self._read[id] = read_campaign(self.raw / id)
        return [self._read[id] for id in reversed(study.campaigns)]


def _study_settings(
    folder: Path, study_id: str, campaigns: _Campaigns, metrics: dict[str, Metric]
) -> list[Setting]:
    path = folder / "studies" / study_id / "study.yaml"
    data, node = load_yaml(path)
    study = check_declared(data, node, Study, path)
    found = campaigns.of(study)
    declared = {id: c for each in found for id, c in each.configurations.items()}
    systems = {id: s for each in found for id, s in each.systems.items()}
    return [
        Setting(
            study_id,
            study,
            figure,
            metrics,
            {id: c.label for id, c in declared.items()},
            Place(str(path), line_of(node, ("figures", i))),
            data["figures"][i].get("alt"),
            declared,
            systems,
        )
        for i, figure in enumerate(study.figures)
    ]
