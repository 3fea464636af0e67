"""What a drawn figure shows: the data of its layers, and the texts of its SVG."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from lxml import etree
from plotnine import ggplot

from analysis.declared.campaign import Configuration
from analysis.declared.metrics import read_metrics
from analysis.declared.study import TIMELINE, Figure, Study
from analysis.declared.topology import Topology
from analysis.errors import Place
from analysis.facts.fact import Facts
from analysis.figures.kind import KINDS
from analysis.figures.output import Drawing
from analysis.figures.page import (
    NARROW,
    POINT,
    SLIDE,
    WIDE,
    PageFormat,
    Words,
    text_width,
)
from analysis.figures.setting import Setting
from analysis.figures.words import Caption
from tests.figures.made import WORKLOADS, make_series

FORMATS = {"wide": WIDE, "narrow": NARROW}
SLIDES = {"slide": SLIDE}
LABELS = {"A": "Offload on", "A2": "Offload on (control)", "B": "Offload off"}
CAPTION = Caption("")


@dataclass(frozen=True)
class Text:
    """A text of a drawing, in points from the top left."""

    label: str
    x: float
    y: float
    size: float
    weight: int
    anchor: str

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, right, top and bottom in mm; the bottom is the line it stands on."""
        width = text_width(self.label, self.size, self.weight)
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        left, base = self.x * POINT - share * width, self.y * POINT
        return left, left + width, base - 0.66 * self.size * POINT, base


@dataclass(frozen=True)
class Drawn:
    """A figure: its words, its SVG, and the data of its layers by geom."""

    words: Words
    svg: bytes
    plot: ggplot | None

    @property
    def root(self) -> Any:
        return etree.fromstring(self.svg)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in mm."""
        _, _, width, height = map(float, self.root.get("viewBox").split())
        return width * POINT, height * POINT

    @property
    def texts(self) -> list[Text]:
        found = self.root.iter("{http://www.w3.org/2000/svg}text")
        return [
            Text(
                text.text,
                float(text.get("x", 0)),
                float(text.get("y", 0)),
                float(text.get("font-size")),
                int(text.get("font-weight", 400)),
                text.get("text-anchor", "start"),
            )
            for text in found
        ]

    @property
    def labels(self) -> list[str]:
        return [text.label for text in self.texts]

    @property
    def layers(self) -> list[Any]:
        """The layers of its plot; none of a diagram."""
        return list(self.plot.layers) if self.plot else []

    def layer(self, geom: str) -> list[dict[str, Any]]:
        """The rows of all layers of a geom."""
        return [
            row
            for layer in self.layers
            if type(layer.geom).__name__ == geom and layer.geom.data is not None
            for row in layer.geom.data.to_dicts()
        ]


def make_setting(
    kind: str,
    metrics: tuple[str, ...],
    workloads: str = "*",
    study: str = "offload",
    baseline: str = "A",
    tests: tuple[str, ...] = ("B",),
    labels: dict[str, str] | None = None,
    **more: Any,
) -> Setting:
    """A figure of a study, as if it had been declared."""
    figure = Figure(
        id="x",
        kind=kind,
        question="What is segmentation offload worth to each kind of traffic?",
        metrics=metrics,
        workloads=workloads,
        **more,
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


def make_drawing(facts: Facts, setting: Setting) -> Drawing:
    """A figure ready to be drawn."""
    kind = KINDS[setting.figure.kind]
    if setting.figure.kind == TIMELINE and not setting.series:
        setting = replace(setting, series=make_series(facts))
    frame = kind.data(facts, setting)
    return Drawing(setting, frame, kind.words(frame, setting), CAPTION)


def draw(facts: Facts, setting: Setting, format: PageFormat = WIDE) -> Drawn:
    """The figure drawn in one format."""
    drawing = make_drawing(facts, setting)
    sheet = drawing.sheet(format, alone=format in SLIDES.values())
    return Drawn(drawing.words, sheet.svg("figure"), sheet.plot)


@cache
def drawn_once(case: Any, format: str) -> Drawn:
    """A case's figure in a format, drawn once for all tests; a case makes both."""
    return draw(*case(), (FORMATS | SLIDES)[format])


def check_texts(drawn: Drawn, format: str) -> list[str]:
    """Texts that leave the page, lie on one another or are too small, in words."""
    # a phone shows the 90 mm of the narrow format on 328 of its 360 pixels
    least = {"slide": 20}.get(format, 8)  # points, for who reads them
    shown = {"narrow": 328 / 96 * 25.4 / 90, "slide": 338 / 128}.get(format, 1.0)
    width, height = drawn.size
    wrong = [
        f"{t.label!r} leaves the page"
        for t in drawn.texts
        for left, right, top, bottom in [t.box]
        if left < -0.3 or right > width + 0.3 or top < -0.01 or bottom > height
    ]
    wrong += [f"{t.label!r} is small" for t in drawn.texts if t.size * shown < least]
    for i, text in enumerate(drawn.texts):
        left, right, top, bottom = text.box
        for other in drawn.texts[:i]:
            x0, x1, y0, y1 = other.box
            if right > x0 and x1 > left and bottom > y0 and y1 > top:
                wrong.append(f"{text.label!r} lies on {other.label!r}")
    return wrong


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
    systems = {"LPA": "4 dedicated CPs", "LPB": "1 CP", "LPC": "2 CPs"}
    return replace(setting, study=study, declared=declared, systems=systems)
