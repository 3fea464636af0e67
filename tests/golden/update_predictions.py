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
from models.generation import GenerationTransfer, cpu_share  # noqa: E402
from models.interpolate import Anchor, Interpolation, StreamAnchor, StreamInterpolation  # noqa: E402  # noqa: E402
from models.prediction import Prediction  # noqa: E402
from tests.golden import ladder  # noqa: E402
from tests.models.path import OSA  # noqa: E402

HEAD = "question\tanswer"
_LOADS = "RR1(1kB) RR10(1kB) RR60(1kB) RR1(4kB) RR10(4kB) RR60(4kB) RR1(32kB)"
_DIGITS = 9


def _measured(name: str) -> Anchor:
    """A point that is a little off the network, so that every correction shows."""
    point, off = OSA.point(parse_workload(name)), 1 + 0.01 * (len(name) % 3)
    costs = (point.client * off, point.server / off)
    return Anchor(point.workload, point.rate * off, *costs)


def _interpolated() -> Iterator[tuple[str, Prediction]]:
    anchors = tuple(_measured(name) for name in _LOADS.split())
    model = Interpolation(anchors, (4, 4), 1500)
    for name, cps in (("RR10(1kB)", None), ("RR30(2kB)", None), ("RR60(4kB)", (2, 2)),
                      ("RR80(16kB)", (8, 8))):  # fmt: skip
        for metric, role in (("rate", None), ("latency", None), ("cpu_cost", "client"),
                             ("utilisation", "server")):  # fmt: skip
            found = model.predict(parse_workload(name), metric, role, cps)
            yield f"interpolation: {name}, {cps}: {metric} {role}", found
    few = Interpolation(anchors[:2], (4, 4), 1500, sigma=0.03)
    found = few.predict(parse_workload("RR5(1kB)"), "rate")
    yield "interpolation: of two points", found


def _interpolated_streams() -> Iterator[tuple[str, Prediction]]:
    anchors = tuple(
        StreamAnchor(Workload("STR", n, 1, size * 2**20), rate, 90.0 * size, 140.0 * n)
        for n, size, rate in ((1, 1, 800.0), (4, 1, 2000.0), (1, 20, 1200.0))
    )
    model = StreamInterpolation(anchors)
    for name in ("STR1(1B/1MB)", "STR2(1B/5MB)", "STR8(1B/40MB)"):
        for metric, role in (("throughput", None), ("cpu_cost", "sender"),
                             ("cpu_cost", "receiver")):  # fmt: skip
            found = model.predict(parse_workload(name), metric, role)
            yield f"streams: {name}: {metric} {role}", found


def _transfers() -> Iterator[tuple[str, Prediction]]:
    for metric, cps, share, sigma, target in (
        ("cpu_cost", 4, 1.0, 0.0, "z17"), ("latency", 2.5, 0.4, 0.05, "z17"),
        ("rate", 1, 0.7, 0.02, "z17"), ("throughput", 6, 1.0, 0.0, "z17"),
        ("latency", 3, 0.4, 0.05, "z16"),
    ):  # fmt: skip
        model = GenerationTransfer("z16", target, cps)
        found = model.predict(metric, 100.0, "x", share, sigma)
        yield f"generation: {metric} {cps} {share} {target}", found


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
    "interpolation": partial(_answers, _interpolated),
    "streams": partial(_answers, _interpolated_streams),
    "transfers": partial(_answers, _transfers),
    "back-tests": partial(_figures, _backtests),
    "shares": partial(_figures, _shares),
    "ladder": ladder.answers,
}


def golden(part: str) -> Path:
    """The file of the answers of one part."""
    return HERE / "predictions" / f"{part}.tsv"


if __name__ == "__main__":
    for part, answers in PARTS.items():
        golden(part).write_text("\n".join([HEAD, *answers()]) + "\n", encoding="utf-8")
