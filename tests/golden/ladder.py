"""What the ladder says of arms that nobody measured: small studies, all quantities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis.declared.campaign import ModelSetup
from analysis.declared.workload import parse_workload
from analysis.derive.fallback.knowledge import Knowledge
from analysis.derive.fallback.point import Point, predict_point
from analysis.derive.fallback.question import Answer
from tests.derive.fallback.conftest import (
    HS_Z16,
    HS_Z17,
    OSH,
    interactive,
    knowledge,
    modelled,
    stream,
    study,
)

_CLOSED = (
    ("rate", None), ("latency", None), ("cpu_cost", "client"), ("cpu_cost", "server"),
    ("utilisation", "client"), ("utilisation", "server"), ("storage", None),
)  # fmt: skip
_STREAM = (
    ("throughput", None), ("cpu_cost", "sender"), ("cpu_cost", "receiver"),
    ("cpu_cost_per_mb", "sender"), ("utilisation", "receiver"), ("storage", "sender"),
)  # fmt: skip
_TWO_CPS = OSH.model_copy(update={"cps": 2})
Asked = tuple[Knowledge, str, str, ModelSetup | None]


def _studies() -> dict[str, Asked]:
    name, both = "RR10(4kB)", {"A": HS_Z16, "B": HS_Z17}
    point = interactive("B", name, 250_000, 8.0, 9.0)
    narrow = interactive("B", name, 100_000, 8.0, 9.0, cps=(2, 2))
    loads = [modelled("B", f"RR{n}(1kB)") for n in (1, 5, 10, 20, 40)]
    streams = [
        stream("B", f"STR{n}(1B/20MB)", rate, 5000.0, 9000.0)
        for n, rate in ((1, 900.0), (4, 2200.0))
    ]
    osh = knowledge(study(), *loads, setups={"B": OSH})
    moved = knowledge(study(), streams[0], setups=both)
    network = {"A": OSH.model_copy(update={"cpc": "z16"}), "B": OSH}
    over = knowledge(study(), modelled("B", "RR10(1kB)"), setups=network)
    alone = knowledge(study(), *loads)
    return {
        "generation": (knowledge(study(), point, setups=both), "A", name, None),
        "generation, 2 CPs": (knowledge(study(), narrow, setups=both), "A", name, None),
        "generation over a network": (over, "A", "RR10(1kB)", None),
        "generation of a stream": (moved, "A", "STR1(1B/20MB)", None),
        "measured": (knowledge(study(), point, setups=both), "B", name, None),
        "interpolation": (osh, "B", "RR30(1kB)", None),
        "interpolation, 2 CPs": (osh, "B", "RR40(1kB)", _TWO_CPS),
        "interpolation of streams": (
            knowledge(study(), *streams, setups={"B": OSH}), "B", "STR2(1B/20MB)", None,
        ),
        "beyond": (osh, "B", "RR90(1kB)", None),
        "interpolation without a model": (alone, "B", "RR30(1kB)", None),
        "nothing": (knowledge(study(), point), "A", name, None),
    }  # fmt: skip


def _text(number: float) -> str:
    return f"{number:.9g}"


def _line(answer: Answer) -> Sequence[str]:
    p = answer.prediction
    inputs = (f"{_text(known.value)} ± {_text(known.sigma)}" for known in answer.inputs)
    return (
        str(answer.rung), *map(_text, (p.value, p.low, p.high)), p.unit, p.basis,
        "; ".join((*p.outside, *p.notes)), answer.reason, "; ".join(inputs),
        str(answer.tested_by), *map(_text, answer.left_out),
    )  # fmt: skip


def answers() -> Iterator[str]:
    """One line for each quantity of each study: the answer, or why there is none."""
    for name, (known, arm, load, setup) in _studies().items():
        work = parse_workload(load)
        wanted = _STREAM if work.shape == "STR" else _CLOSED
        point = Point(arm, work, setup or known.setups.get(arm))
        for (metric, role), found in predict_point(point, wanted, known).items():
            cells = _line(found) if isinstance(found, Answer) else [str(found)]
            yield "\t".join((f"{name}: {metric} {role}", *cells))
