"""Back-tests: what the models say of numbers that were really published.

Each test hides published numbers, predicts them from others of the same source, and
reports the relative error, predicted over published minus 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from analysis.errors import user_error
from analysis.published import Published
from models.demand import calibrate_delay, fit_two
from models.generation import GenerationQuestion, GenerationTransfer, Quantity
from models.network import Station, solve

_ICSF_CPS, _GATEWAY_CPS = 4, 3
_GATEWAY = ("commarea-32k", "channel-32k")
_GENERATIONS = ("hipersockets-z17", "smcd-z17")


@dataclass(frozen=True)
class Point:
    """One hidden number: what was published, what is predicted, and from which rows.

    ``low`` and ``high`` are the 5% and 95% points where the model gives them.
    """

    label: str
    published: float
    predicted: float
    rows: tuple[str, ...]
    low: float | None = None
    high: float | None = None

    @property
    def error(self) -> float:
        """Predicted over published minus 1."""
        return self.predicted / self.published - 1


@dataclass(frozen=True)
class BackTest:
    """All points of one test and the summary of their errors, as shares of 1."""

    id: str
    model: str
    question: str
    points: tuple[Point, ...]

    @property
    def mean_error(self) -> float:
        """Mean of the errors without their signs."""
        return float(np.mean([abs(p.error) for p in self.points]))

    @property
    def worst_error(self) -> float:
        """The error that is farthest from 0, with its sign."""
        return max((p.error for p in self.points), key=abs)

    @property
    def bias(self) -> float:
        """Mean of the errors with their signs."""
        return float(np.mean([p.error for p in self.points]))

    @property
    def coverage(self) -> float | None:
        """Share of the points inside their 90% range; None without ranges."""
        inside = [
            p.low <= p.published <= p.high
            for p in self.points
            if p.low is not None and p.high is not None
        ]
        return sum(inside) / len(inside) if inside else None


def backtests(rows: Iterable[Published]) -> tuple[BackTest, ...]:
    """All back-tests on the published rows, in a fixed order."""
    known = tuple(rows)
    return tuple(test(known) for test in _TESTS.values())


def backtest(id: str, rows: Sequence[Published]) -> BackTest:
    """One back-test on the published rows by its id."""
    return _TESTS[id](rows)


def audit(rows: Sequence[Published]) -> BackTest:
    """Audit of session objects: the delay of one setting, the CPU cost of the other."""

    def costs(test: str) -> tuple[Published, list[Published]]:
        rate = _one(rows, study="icsf-audit", test=test, metric="rate", kind="value")
        cpu = [
            _one(rows, study="icsf-audit", test=test, role=role, kind="value")
            for role in ("client", "server")
        ]
        return rate, cpu

    def stations(cpu: list[Published]) -> list[Station]:
        return [Station(row.value, _ICSF_CPS) for row in cpu]

    base, base_cpu = costs("sessobj-no")
    hidden, cpu = costs("sessobj-yes")
    clients = int(base.clients)
    delay = calibrate_delay(base.value / 1e6, clients, stations(base_cpu))
    rate = float(solve(clients, delay, stations(cpu))) * 1e6
    used = tuple(row.id for row in (base, *base_cpu, *cpu, hidden))
    point = Point("sessobj-yes, rate", hidden.value, rate, used)
    question = "ICSF audit: rate with session objects, from its CPU cost"
    return BackTest("audit", "queueing", question, (point,))


def gateway_left_out(rows: Sequence[Published]) -> BackTest:
    """CICS TG: each load from the other five of its series, two parameters."""
    found = []
    for series in _gateway(rows):
        for row in series:
            found.append(_gateway_point(row, [r for r in series if r is not row]))
    question = "CICS TG: rate of each load, from the other loads"
    return BackTest("gateway-left-out", "queueing", question, tuple(found))


def gateway_beyond(rows: Sequence[Published], most: int) -> BackTest:
    """CICS TG: the loads above a number of clients from those up to it."""
    found = []
    for series in _gateway(rows):
        fitted = [r for r in series if int(r.clients) <= most]
        beyond = [r for r in series if int(r.clients) > most]
        found += [_gateway_point(row, fitted) for row in beyond]
    question = f"CICS TG: rates above {most} clients, from those up to it"
    return BackTest(f"gateway-beyond-{most}", "queueing", question, tuple(found))


def proportional(rows: Sequence[Published]) -> BackTest:
    """CICS TG without a model: rate per client of the other loads, for comparison."""
    found = []
    for series in _gateway(rows):
        for row in series:
            rest = [r for r in series if r is not row]
            share = np.mean([r.value / int(r.clients) for r in rest])
            value = float(share) * int(row.clients)
            found.append(Point(_label(row), row.value, value, (row.id,)))
    question = "CICS TG: rate of each load, by rule of three"
    return BackTest("gateway-proportional", "none", question, tuple(found))


def generations(rows: Sequence[Published]) -> BackTest:
    """Changes from z16 to z17 from the ratio of CPU capacity alone."""
    model = GenerationTransfer()
    found = []
    for row in rows:
        if row.study not in _GENERATIONS or row.qualifier == "comparable":
            continue
        asked = GenerationQuestion(
            metric=cast(Quantity, row.metric),
            anchor=1.0,
            unit="",
            source="z16",
            target="z17",
            cps=4,
        )
        p = model.predict(asked)
        ratio = 1 + row.value / 100
        found.append(Point(_label(row), ratio, p.value, (row.id,), p.low, p.high))
    question = "change from z16 to z17, from capacity with 4 CPs"
    return BackTest("generation", model.name, question, tuple(found))


def one_cp_streams(rows: Sequence[Published]) -> BackTest:
    """Streams that one CP limits: rate ratio from the ratio of CPU cost."""
    found = []
    for study in ("hipersockets-smcd", "smcd-z17"):
        streams = [r for r in rows if r.study == study and r.workload == "STR*"]
        rate = _one(streams, metric="throughput", kind="delta")
        for cost in (r for r in streams if r.metric == "cpu_cost"):
            value = 1 / (1 + cost.value / 100)
            label = f"{study}, throughput from CPU cost of {cost.role}"
            used = (rate.id, cost.id)
            found.append(Point(label, 1 + rate.value / 100, value, used))
    question = "change of throughput, from that of CPU cost"
    return BackTest("one-cp-streams", "streaming", question, tuple(found))


def little(rows: Sequence[Published]) -> BackTest:
    """Little's law at fixed clients: rate ratio from the ratio of latency."""
    pairs = (
        ("zcx-colocation", "RR*"),
        ("zcx-mtu", "STR*"),
        ("zcx-iwq", "RR*"),
        ("netmarks", "RR*"),
        ("netmarks", "CRR*"),
        ("netmarks", "STR*"),
    )
    found = []
    for study, workload in pairs:
        own = [r for r in rows if (r.study, r.workload) == (study, workload)]
        time = _first(own, ("latency", "response_time"))
        rate = _first(own, ("rate", "throughput"))
        value, published = 1 / (1 + time.value / 100), 1 + rate.value / 100
        label = f"{study} {workload}, {rate.metric} from {time.metric}"
        found.append(Point(label, published, value, (rate.id, time.id)))
    question = "change of the rate, from that of the latency"
    return BackTest("little", "identity", question, tuple(found))


def _gateway(rows: Sequence[Published]) -> list[list[Published]]:
    """The seven series of 32K payloads, in order of clients."""
    own = [r for r in rows if r.study in _GATEWAY and r.metric == "rate"]
    own.sort(key=lambda r: int(r.clients))
    ids = sorted({(r.study, r.test) for r in own}, key=str)
    return [[r for r in own if (r.study, r.test) == id] for id in ids]


def _gateway_point(row: Published, fitted: list[Published]) -> Point:
    loads = [int(r.clients) for r in fitted]
    demand, delay, _ = fit_two(loads, [r.value for r in fitted], _GATEWAY_CPS)
    value = float(solve(int(row.clients), delay, [Station(demand, _GATEWAY_CPS)]))
    return Point(_label(row), row.value, value, (row.id, *(r.id for r in fitted)))


def _label(row: Published) -> str:
    parts = (row.study, row.test, row.workload, row.variant, row.clients, row.role)
    return ", ".join(str(p) for p in (*parts, row.metric) if p)


def _one(rows: Iterable[Published], **wanted: str) -> Published:
    """The single row with these entries; a ``UserError`` if there is not just one."""
    found = [r for r in rows if all(getattr(r, k) == v for k, v in wanted.items())]
    if len(found) != 1:
        raise user_error(
            f"{len(found)} published rows have {wanted}",
            "data/published.csv",
            mend="a back-test needs exactly one; restore the file",
        )
    return found[0]


def _first(rows: Iterable[Published], metrics: tuple[str, ...]) -> Published:
    return _one([r for r in rows if r.metric in metrics])


_TESTS: dict[str, Callable[[Sequence[Published]], BackTest]] = {
    "audit": audit,
    "gateway-left-out": gateway_left_out,
    "gateway-beyond-400": lambda rows: gateway_beyond(rows, 400),
    "gateway-beyond-300": lambda rows: gateway_beyond(rows, 300),
    "gateway-proportional": proportional,
    "generation": generations,
    "one-cp-streams": one_cp_streams,
    "little": little,
}
