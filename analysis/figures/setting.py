"""What a figure is drawn from: its declaration and all that its words need."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from analysis.campaign import read_campaign
from analysis.declared import check_declared, line_of, load_yaml
from analysis.edition import Figure, Study, read_edition
from analysis.errors import Place
from analysis.figures.palette import configuration_colours
from analysis.metrics import Metric


@dataclass(frozen=True)
class Setting:
    """One figure of one study, with where it is declared.

    ``labels`` names each configuration in words; ``alt`` is None where the author
    leaves the alt text to be written from the facts.
    """

    study_id: str
    study: Study
    figure: Figure
    metrics: dict[str, Metric]
    labels: dict[str, str]
    place: Place
    alt: str | None = None

    @property
    def id(self) -> str:
        """The figure's id in the edition, ``<study>-<figure>``."""
        return f"{self.study_id}-{self.figure.id}"

    @property
    def configurations(self) -> tuple[str, ...]:
        """The baseline and then the tests."""
        return (self.study.baseline, *self.study.tests)

    @property
    def colours(self) -> dict[str, str]:
        """The colour of each configuration."""
        return configuration_colours(self.study.baseline, self.study.tests)

    def named(self, configuration: str) -> str:
        """``B (Offload off)``; the bare id where no campaign gives it a label."""
        label = self.labels.get(configuration, "")
        label = label.replace(" (", ", ").replace(")", "")
        return f"{configuration} ({label})" if label else configuration


def read_settings(
    report: Path, edition: str, raw: Path, metrics: dict[str, Metric]
) -> list[Setting]:
    """The settings of all figures of an edition, in its order."""
    folder = report / edition
    return [
        setting
        for study in read_edition(folder).study_ids
        for setting in _study_settings(folder, study, raw, metrics)
    ]


def _study_settings(
    folder: Path, study_id: str, raw: Path, metrics: dict[str, Metric]
) -> list[Setting]:
    path = folder / "studies" / study_id / "study.yaml"
    data, node = load_yaml(path)
    study = check_declared(data, node, Study, path)
    labels = _labels(raw, study)
    return [
        Setting(
            study_id,
            study,
            figure,
            metrics,
            labels,
            Place(str(path), line_of(node, ("figures", i))),
            data["figures"][i].get("alt"),
        )
        for i, figure in enumerate(study.figures)
    ]


def _labels(raw: Path, study: Study) -> dict[str, str]:
    labels: dict[str, str] = {}
    for campaign in study.campaigns:
        declared = read_campaign(raw / campaign).configurations
        labels |= {id: c.label for id, c in declared.items() if id not in labels}
    return labels
