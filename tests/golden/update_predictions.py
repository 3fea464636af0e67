"""Write anew what the models answer to some questions: the numbers of their versions.

Run ``python tests/golden/update_predictions.py`` after a change that is meant. A model
whose answers change needs a new version: look at each difference.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from analysis.declared.published import read_published  # noqa: E402
from analysis.declared.workload import Workload, parse_workload  # noqa: E402
from models.backtest import backtests  # noqa: E402
from models.generation import (  # noqa: E402
    GenerationQuestion,
    GenerationTransfer,
    cpu_share,
)
from models.interpolate import Interpolation, InterpolationQuestion  # noqa: E402
from models.mixed import MixedModel, MixedQuestion  # noqa: E402
from models.network import solve  # noqa: E402
from models.prediction import Prediction  # noqa: E402
from models.queueing import (  # noqa: E402
    QueueingModel,
    QueueingQuestion,
    Setup,
    central_path,
)
from models.ratio import Ratio, RatioQuestion, RatioTransfer  # noqa: E402
from models.simulate import FlowKind, Visit, simulate  # noqa: E402
from models.streaming import StreamingModel, StreamingQuestion  # noqa: E402
from models.streams import (  # noqa: E402
    StreamAnchor,
    StreamInterpolation,
    StreamInterpolationQuestion,
)
from tests.golden import ladder  # noqa: E402

HEAD = "question\tanswer"
_LOADS = "RR1(1kB) RR10(1kB) RR60(1kB) RR1(4kB) RR10(4kB) RR60(4kB) RR1(32kB)"
_DIGITS = 9
_SETUPS = {
    "osd": Setup(parse_workload("RR10(4kB)"), "osd"),
    "osh, 60 clients": Setup(parse_workload("RR60(1kB)"), "osh"),
    "osd, 60 clients, 2 CPs": Setup(parse_workload("RR60(4kB)"), "osd", cps=2),
    "osd, 32 kB, small MTU": Setup(parse_workload("RR10(32kB)"), "osd", mtu=1500),
    "osd, 12 kB": Setup(parse_workload("RR10(12kB)"), "osd"),
    "hipersockets, z16": Setup(parse_workload("RR40(4kB)"), "hipersockets", "z16"),
    "smcd, 32 kB": Setup(parse_workload("RR10(32kB)"), "smcd"),
    "smcr, one way": Setup(parse_workload("RR10(100B/32kB)"), "smcr"),
    "plain CRR": Setup(parse_workload("CRR40(64B/8kB)"), "osd"),
    "TLS": Setup(parse_workload("CRR40(64B/8kB)"), "osd", handshake="tls13-1301"),
    "700 clients": Setup(parse_workload("RR700(1kB)"), "osd"),
}
_STREAMS = {
    "osd": Setup(parse_workload("STR3(1B/20MB)"), "osd"),
    "osd, away": Setup(parse_workload("STR3(20MB/1B)"), "osd"),
    "osh, one": Setup(parse_workload("STR1(20MB/1B)"), "osh", cps=1),
    "hipersockets, z16": Setup(parse_workload("STR3(1B/5MB)"), "hipersockets", "z16"),
    "smcd, many": Setup(parse_workload("STR16(1B/1MB)"), "smcd"),
}


def _closed() -> Iterator[tuple[str, Prediction]]:
    quantities = (
        ("rate", None), ("latency", None), ("cpu_cost", "client"),
        ("cpu_cost", "server"), ("utilisation", "client"), ("utilisation", "server"),
    )  # fmt: skip
    model = QueueingModel()
    for name, setup in _SETUPS.items():
        for metric, role in quantities:
            asked = QueueingQuestion(setup, metric, role)
            yield f"queueing: {name}: {metric} {role}", model.predict(asked)
    for metric, role in quantities:
        asked = QueueingQuestion(_SETUPS["osd"], metric, role)
        for name in ("osh, 60 clients", "smcd, 32 kB"):
            found = model.predict_change(asked, _SETUPS[name])
            yield f"queueing: osd to {name}: {metric} {role}", found


def _streaming() -> Iterator[tuple[str, Prediction]]:
    quantities = (
        ("throughput", None), ("latency", None), ("cpu_cost", "sender"),
        ("cpu_cost", "receiver"),
    )  # fmt: skip
    model = StreamingModel()
    for metric, role in quantities:
        for name, setup in _STREAMS.items():
            asked = StreamingQuestion(setup, metric, role)
            yield f"streaming: {name}: {metric} {role}", model.predict(asked)
        asked = StreamingQuestion(_STREAMS["osd"], metric, role)
        change = model.predict_change(asked, _STREAMS["osh, one"])
        yield f"streaming: osd to osh: {metric} {role}", change


def _measured(name: str) -> tuple[float, float, float]:
    """A point that is a little off the network, so that every correction shows."""
    work = parse_workload(name)
    path = central_path(Setup(work, "osd"))
    rate = float(solve(work.clients, path.delay, path.stations(4)))
    off = 1 + 0.01 * (len(name) % 3)
    return rate * 1e6 * off, float(path.client) * off, float(path.server) / off


def _interpolated() -> Iterator[tuple[str, Prediction]]:
    from models.fitted import Anchor

    anchors = tuple(Anchor(parse_workload(n), *_measured(n)) for n in _LOADS.split())
    model = Interpolation(anchors, 4, 1500)
    for name, cps in (("RR10(1kB)", None), ("RR30(2kB)", None), ("RR60(4kB)", 2),
                      ("RR80(16kB)", 8)):  # fmt: skip
        for metric, role in (("rate", None), ("latency", None), ("cpu_cost", "client"),
                             ("utilisation", "server")):  # fmt: skip
            asked = InterpolationQuestion(parse_workload(name), metric, role, cps)
            yield f"interpolation: {name}, {cps}: {metric} {role}", model.predict(asked)
    few = Interpolation(anchors[:2], 4, 1500, sigma=0.03)
    asked = InterpolationQuestion(parse_workload("RR5(1kB)"), "rate")
    yield "interpolation: of two points", few.predict(asked)


def _interpolated_streams() -> Iterator[tuple[str, Prediction]]:
    anchors = tuple(
        StreamAnchor(Workload("STR", n, 1, size * 2**20), rate, 90.0 * size, 140.0 * n)
        for n, size, rate in ((1, 1, 800.0), (4, 1, 2000.0), (1, 20, 1200.0))
    )
    model = StreamInterpolation(anchors)
    for name in ("STR1(1B/1MB)", "STR2(1B/5MB)", "STR8(1B/40MB)"):
        for metric, role in (("throughput", None), ("cpu_cost", "sender"),
                             ("cpu_cost", "receiver")):  # fmt: skip
            asked = StreamInterpolationQuestion(parse_workload(name), metric, role)
            yield f"streams: {name}: {metric} {role}", model.predict(asked)


def _transfers() -> Iterator[tuple[str, Prediction]]:
    model = GenerationTransfer()
    for metric, cps, share, sigma, target in (
        ("cpu_cost", 4, 1.0, 0.0, "z17"), ("latency", 2.5, 0.4, 0.05, "z17"),
        ("rate", 1, 0.7, 0.02, "z17"), ("throughput", 6, 1.0, 0.0, "z17"),
        ("latency", 3, 0.4, 0.05, "z16"),
    ):  # fmt: skip
        asked = GenerationQuestion(metric, 100.0, "x", "z16", target, cps, share, sigma)
        yield f"generation: {metric} {cps} {share} {target}", model.predict(asked)
    for qualifier in ("exact", "about", "comparable", "average", "over", "up to"):
        for ratio in (0.6, 1.02):
            asked = RatioQuestion(50.0, "µs", Ratio(ratio, qualifier), 0.03)
            try:
                found = RatioTransfer().predict(asked)
            except (KeyError, ValueError):
                continue
            yield f"ratio: {qualifier} {ratio}", found


def _mixed() -> Iterator[tuple[str, Prediction]]:
    setup = _SETUPS["osd"]
    for stream, queues in (("STR1(5MB/1B)", "one"), ("STR2(1B/5MB)", "separate")):
        for metric in ("latency", "rate", "throughput"):
            asked = MixedQuestion(setup, parse_workload(stream), metric, queues)
            yield f"mixed: {stream} {queues}: {metric}", MixedModel().predict(asked)
    narrow = MixedQuestion(setup, parse_workload("STR1(5MB/1B)"), "latency", window=1)
    yield "mixed: narrow window", MixedModel().predict(narrow)


def _backtests() -> Iterator[tuple[str, float]]:
    for test in backtests(read_published()):
        for point in test.points:
            yield f"back-test: {test.id}: {point.label}", point.predicted
        for name in ("mean_error", "worst_error", "bias"):
            yield f"back-test: {test.id}: {name}", getattr(test, name)
        if test.coverage is not None:
            yield f"back-test: {test.id}: coverage", test.coverage


def _shares() -> Iterator[tuple[str, float]]:
    for factor in (0.8, 0.9, 1.1):
        yield f"share of CPU: {factor}", cpu_share(90_000, 10, (5.0, 7.0), 4, factor)


def _simulated() -> Iterator[tuple[str, float]]:
    short = FlowKind(3, (Visit(0, 1.0), Visit(None, 2.0)))
    long = FlowKind(2, (Visit(0, 5.0), Visit(1, 2.0)), 1)
    for times in ("exponential", "fixed"):
        found = simulate([short, long], [2, 1], 500, 7, times)
        yield f"simulation: {times}", found[0]
        yield f"simulation, long: {times}", found[1]


def _text(number: float) -> str:
    return f"{number:.{_DIGITS}g}"


def _answers(part: Callable[[], Iterator[tuple[str, Prediction]]]) -> Iterator[str]:
    for name, p in part():
        numbers = map(_text, (p.value, p.low, p.high))
        said = "; ".join((*p.outside, *p.notes))
        yield "\t".join(
            (name, f"{p.model} {p.version}", *numbers, p.unit, p.basis, said)
        )


def _figures(part: Callable[[], Iterator[tuple[str, float]]]) -> Iterator[str]:
    for name, number in part():
        yield "\t".join((name, "", _text(number)))


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "queueing": partial(_answers, _closed),
    "streaming": partial(_answers, _streaming),
    "interpolation": partial(_answers, _interpolated),
    "streams": partial(_answers, _interpolated_streams),
    "transfers": partial(_answers, _transfers),
    "mixed": partial(_answers, _mixed),
    "back-tests": partial(_figures, _backtests),
    "shares": partial(_figures, _shares),
    "simulation": partial(_figures, _simulated),
    "ladder": ladder.answers,
}


def golden(part: str) -> Path:
    """The file of the answers of one part."""
    return HERE / "predictions" / f"{part}.tsv"


if __name__ == "__main__":
    for part, answers in PARTS.items():
        golden(part).write_text("\n".join([HEAD, *answers()]) + "\n", encoding="utf-8")
