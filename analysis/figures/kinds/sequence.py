"""The sequence diagram of a workload: its messages in the order of time."""

from __future__ import annotations

from analysis.figures.diagrams.sequence import (
    COLUMNS,
    check_sequence,
    data_sequence,
    draw_sequence,
    words_sequence,
)
from analysis.figures.kind import FigureKind

KIND = FigureKind(
    id="sequence",
    data=data_sequence,
    words=words_sequence,
    plot=draw_sequence,
    draws="the messages of one workload, which `workloads` names, with `metrics: []`",
    answers="what is a transaction?",
    caption="The messages of a workload.",
    setup=True,
    check=check_sequence,
    columns=COLUMNS,
)
