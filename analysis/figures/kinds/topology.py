"""The set-up diagram: what is joined to what, as a study declares it."""

from __future__ import annotations

from analysis.figures.diagrams.check import check_topology
from analysis.figures.diagrams.draw import draw_topology
from analysis.figures.diagrams.scene import COLUMNS, data_topology, words_topology
from analysis.figures.kind import FigureKind

KIND = FigureKind(
    id="topology",
    data=data_topology,
    words=words_topology,
    plot=draw_topology,
    draws="the set-up diagram, with `metrics: []`",
    answers="what is joined to what?",
    caption="Set-up: {all}.",
    setup=True,
    check=check_topology,
    columns=COLUMNS,
)
