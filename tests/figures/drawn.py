"""What a drawn figure shows, read back from the layers of its ggplot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from plotnine import ggplot

from analysis.declared.campaign import Configuration, System
from analysis.declared.edition import Figure, Study
from analysis.declared.metrics import read_metrics
from analysis.declared.topology import Topology
from analysis.errors import Place
from analysis.facts.fact import Facts
from analysis.figures.kind import KINDS
from analysis.figures.parts import Words
from analysis.figures.setting import Setting
from analysis.figures.theme import NARROW, POINT, WIDE, PageFormat, text_width
from tests.figures.made import WORKLOADS

FORMATS = {"wide": WIDE, "narrow": NARROW}
LABELS = {"A": "Offload on", "A2": "Offload on (control)", "B": "Offload off"}


@dataclass(frozen=True)
class Drawn:
    """The marks of a figure by sort, and its words."""

    words: Words
    layers: dict[str, list[dict[str, Any]]]

    @property
    def texts(self) -> list[str]:
        return [text["label"] for text in self.layers["geom_text"]]


def make_setting(
    kind: str,
    metrics: tuple[str, ...],
    workloads: str = "*",
    study: str = "offload",
    baseline: str = "A",
    tests: tuple[str, ...] = ("B",),
    labels: dict[str, str] | None = None,
) -> Setting:
    """A figure of a study, as if it had been declared."""
    figure = Figure(
        id="x",
        kind=kind,
        question="What is segmentation offload worth to each kind of traffic?",
        metrics=metrics,
        workloads=workloads,
    )
    declared = Study(
        title="t",
        question="q",
        campaigns=("linux-veth",),
        baseline=baseline,
        tests=tests,
        workloads=WORKLOADS,
        figures=(figure,),
    )
    labels = LABELS if labels is None else labels
    place = Place("study.yaml", 1)
    return Setting(study, declared, figure, read_metrics(), labels, place)


def draw(facts: Facts, setting: Setting, format: PageFormat = WIDE) -> Drawn:
    """The figure drawn in one format."""
    kind = KINDS[setting.figure.kind]
    frame = kind.data(facts, setting)
    words = kind.words(frame, setting)
    return Drawn(words, _layers(kind.draw(frame, setting, words, format)))


def boxes(drawn: Drawn) -> list[tuple[str, float, float, float, float]]:
    """Every text with its left, right, top and bottom in mm from the top left."""
    found = []
    for text in drawn.layers["geom_text"]:
        width = text_width(text["label"], text["size"], text["fontweight"])
        shift = {"left": 0.0, "center": 0.5, "right": 1.0}[text["ha"]]
        left, base = text["x"] - shift * width, -text["y"]
        top = base - 0.66 * text["size"] * POINT
        found.append((text["label"], left, left + width, top, base))
    return found


def _layers(plot: ggplot) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for layer in plot.layers:
        found.setdefault(type(layer.geom).__name__, []).extend(layer._data.to_dicts())
    return found


def make_diagram(
    topology: dict[str, Any],
    tests: tuple[str, ...] = ("own", "shared"),
    details: dict[str, dict[str, str]] | None = None,
) -> Setting:
    """A set-up diagram of a study whose baseline is ``direct``."""
    setting = make_setting(
        "topology", (), study="s", baseline="direct", tests=tests, labels={}
    )
    study = setting.study.model_copy(
        update={"topology": Topology.model_validate(topology)}
    )
    told = {"CPC": "z17", "Interface": "Network Express 25GbE", "Release": "3.2"}
    declared = {
        id: Configuration(label=id, details=told | (details or {}).get(id, {}))
        for id in ("direct", "own", "shared")
    }
    systems = {
        "LPA": System(cps=4, dedicated=True),
        "LPB": System(cps=1),
        "LPC": System(cps=2),
    }
    return replace(setting, study=study, declared=declared, systems=systems)
