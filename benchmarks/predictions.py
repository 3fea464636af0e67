"""How fast predictions with their uncertainty are: 1,000 different questions.

Printed are the machine, and the seconds of each model's share; the goal is under 10 s
for all. Run it as ``python -m benchmarks.predictions``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from analysis.declared.workload import Workload
from benchmarks.machine import describe
from models.fitted import Anchor
from models.generation import GenerationQuestion, GenerationTransfer
from models.interpolate import Interpolation, InterpolationQuestion
from models.queueing import QueueingModel, QueueingQuestion, Setup
from models.ratio import Ratio, RatioQuestion, RatioTransfer
from models.streaming import StreamingModel, StreamingQuestion

GOAL = 10.0
INTERFACES = ("osd", "osh", "hipersockets", "smcd", "smcr")
KB, MB = 1024, 2**20


def main() -> int:
    """Time each model's questions once, then print the total beside its goal."""
    print(*describe(), sep="\n", end="\n\n")
    total, count = 0.0, 0
    for name, ask in (
        ("queueing", queueing),
        ("streaming", streaming),
        ("interpolation", interpolation),
        ("transfers", transfers),
    ):
        start = time.perf_counter()
        asked = sum(1 for predict in ask() if predict())
        seconds = time.perf_counter() - start
        total, count = total + seconds, count + asked
        print(f"{name:16} {asked:5} predictions {seconds:6.2f} s")
    print(f"{'all':16} {count:5} predictions {total:6.2f} s   (goal: {GOAL:g} s)")
    return int(total > GOAL or count != 1000)


def queueing() -> Iterator[Callable[[], object]]:
    """500 setups of RR over five interfaces, each another one."""
    model = QueueingModel()
    for clients in range(1, 101):
        for name in INTERFACES:
            setup = Setup(Workload("RR", clients, 50 * clients, 50 * clients), name)
            question = QueueingQuestion(setup, "latency")
            yield lambda question=question: model.predict(question)  # type: ignore[misc]


def streaming() -> Iterator[Callable[[], object]]:
    """200 streams."""
    model = StreamingModel()
    for size in range(1, 41):
        for name in INTERFACES:
            setup = Setup(Workload("STR", 1 + size % 4, 1, size * MB), name)
            question = StreamingQuestion(setup, "throughput")
            yield lambda question=question: model.predict(question)  # type: ignore[misc]


def interpolation() -> Iterator[Callable[[], object]]:
    """200 loads between eight measured points."""
    points = ((1, 1), (10, 1), (60, 1), (1, 4), (10, 4), (60, 4), (1, 32), (10, 32))
    anchors = tuple(
        Anchor(
            Workload("RR", n, size * KB, size * KB),
            1e6 * n / (110 + 3 * size + 1.4 * n),
            5 + 0.6 * size,
            5 + 0.6 * size,
        )
        for n, size in points
    )
    model = Interpolation(anchors, cps=4, mtu=1500)
    for nth in range(200):
        work = Workload("RR", 1 + nth % 60, KB + 100 * nth, KB + 100 * nth)
        question = InterpolationQuestion(work, "rate")
        yield lambda question=question: model.predict(question)  # type: ignore[misc]


def transfers() -> Iterator[Callable[[], object]]:
    """50 generation transfers and 50 published ratios."""
    moved, ratio = GenerationTransfer(), RatioTransfer()
    for nth in range(1, 51):
        question = GenerationQuestion("latency", nth, "µs", "z16", "z17", 4)
        yield lambda question=question: moved.predict(question)  # type: ignore[misc]
        asked = RatioQuestion(nth, "µs", Ratio(0.4, "up to"))
        yield lambda asked=asked: ratio.predict(asked)  # type: ignore[misc]


if __name__ == "__main__":
    raise SystemExit(main())
