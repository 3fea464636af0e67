"""The level of each quantity of a load: what its targets make of a declared value.

Quantities are those of :attr:`Target.quantity`: ``rate`` [1/s], ``response_time`` [ms],
a role for its CPU cost [µs], ``storage of`` an area [MB], and ``io_rate of`` a role
[1/s].
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from analysis.declared.targets import RATE, Target
from analysis.declared.workload import Workload, parse_workload
from analysis.errors import Issue, raise_if
from synthetic.services.declaration import ServiceDeclaration

RESPONSE = "response_time"
_MB, _SECOND = 1e6, 1e3  # bytes; ms
Key = tuple[str, str, str]  # study, configuration, workload


@dataclass
class Levels:
    """All levels of a campaign, by load and quantity."""

    of: ServiceDeclaration
    found: dict[Key, dict[str, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        values = [t for t in self.of.targets if t.kind == "value"]
        changes = [t for t in self.of.targets if t.kind == "change"]
        for target in values:
            own = self.found.setdefault(_key(target, target.test), {})
            own[target.quantity] = _value(target)
        raise_if([issue for target in changes for issue in self._move(target)])
        raise_if([issue for key in self.found for issue in self._beyond(key)])

    def _move(self, target: Target) -> Iterator[Issue]:
        base = self.found.get(_key(target, str(target.baseline)), {})
        if target.quantity not in base:
            what = f"the baseline of this target has no value: {target.words}"
            mend = "give its baseline a row of the kind value, before this one"
            yield Issue(what, self.of.place_of(target), mend)
            return
        own = self.found.setdefault(_key(target, target.test), {})
        own[target.quantity] = base[target.quantity] * target.ratio

    def _beyond(self, key: Key) -> Iterator[Issue]:
        """Systems that would be busier than they can be."""
        study, _, name = key
        bench, own = self.of.making.studies[study], self.found[key]
        for role, system in bench.systems(parse_workload(name).shape).items():
            share = own.get(role, 0) * own.get(RATE, 0) / 1e6 / self.of.cps[system]
            if share > 1:
                what = f"{name} over {key[1]} would make {system} {share:.0%} busy"
                place = self.of.place("studies", study)
                yield Issue(what, place, "lower the rate or the CPU cost")

    def response(self, key: Key) -> float:
        """The response time [ms], of clients that never wait unless one is given."""
        own = self.found[key]
        clients = parse_workload(key[2]).clients
        return own.get(RESPONSE, clients / own[RATE] * _SECOND)


def _key(target: Target, configuration: str) -> Key:
    return target.study, configuration, parse_workload(target.workload).name


def _value(target: Target) -> float:
    if target.metric == "throughput":
        return target.value * _MB / moved(target.load)
    return target.value


def moved(load: Workload) -> int:
    """Bytes that a transaction moves the way that counts."""
    return max(load.request_bytes, load.response_bytes)
