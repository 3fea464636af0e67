"""One level for each situation: the model's, moved to where the targets want it.

A situation is what campaign.yaml says of a configuration, with a workload. Two
configurations with the same details are one situation, and so have the same level.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from analysis.declared.targets import ZIIP_COST, Target, quantity_of
from analysis.declared.workload import parse_workload
from analysis.errors import Issue, raise_if
from synthetic.network.declaration import NetworkDeclaration
from synthetic.network.performance import ENDS, Setting, cost, rates

_SAME = 5e-4  # two ways to one level may differ by this share
Situation = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Node:
    """A quantity of a situation: its rate [1/s], or the CPU cost of a role [µs]."""

    situation: Situation
    workload: str
    quantity: str


@dataclass(frozen=True)
class Level:
    """A value, and the targets by which it was reached, none if it is the model's."""

    value: float
    by: tuple[Target, ...] = ()


@dataclass
class Levels:
    """All levels of a campaign, found on demand."""

    declared: NetworkDeclaration
    levels: dict[Node, Level] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._follow()

    def level(self, configuration: str, workload: str, quantity: str) -> Level:
        """The level of a quantity: that of its targets, else the model's."""
        node = self._node(configuration, workload, quantity)
        if node not in self.levels:
            self.levels[node] = Level(self._modelled(configuration, workload, quantity))
        return self.levels[node]

    def systems(self, configuration: str, workload: str) -> dict[str, str]:
        """The system of each role of a load, the client's side first."""
        mix, load = self.declared.mix_of(configuration), parse_workload(workload)
        if mix:
            return {str(role): id for role, id in mix.loads[workload].items()}
        path = self.declared.path(configuration, workload)
        near, far = ENDS[load.shape == "STR"]
        if load.shape == "STR" and load.request_bytes < load.response_bytes:
            near, far = far, near
        between = {"distributor": path.via} if path.via else {}
        return {near: path.near, **between, far: path.far}

    def _node(self, configuration: str, workload: str, quantity: str) -> Node:
        details = self.declared.campaign.configurations[configuration].details
        situation = tuple(sorted((k, str(v)) for k, v in details.items()))
        return Node(situation, parse_workload(workload).name, quantity)

    @cached_property
    def _steps(self) -> dict[Node, list[tuple[Node, float, Target]]]:
        """From each node where a change leads, the ratio, and the target."""
        steps: dict[Node, list[tuple[Node, float, Target]]] = {}
        for target in self.declared.targets:
            if target.baseline is None:
                continue
            base, test = (
                self._node(id, target.workload, target.quantity)
                for id in (target.baseline, target.test)
            )
            steps.setdefault(base, []).append((test, target.ratio, target))
            steps.setdefault(test, []).append((base, 1 / target.ratio, target))
        return steps

    def _follow(self) -> None:
        """Give every node of a target its level; those that contradict are told."""
        issues: dict[str, Issue] = {}
        for target in sorted(self.declared.targets, key=lambda t: t.kind == "change"):
            first = target.baseline or target.test
            node = self._node(first, target.workload, target.quantity)
            if target.kind == "value":
                level = Level(target.value, (target,))
                contradictions = self._meet(node, level, target)
            elif node not in self.levels:
                value = self._modelled(first, target.workload, target.quantity)
                contradictions = self._spread(node, Level(value))
            else:
                continue
            for issue in contradictions:  # once for each target
                issues.setdefault(str(issue.where), issue)
        raise_if(list(issues.values()))

    def _meet(self, node: Node, level: Level, by: Target) -> Iterator[Issue]:
        """A level for a node: the first one is taken, another must agree."""
        known = self.levels.get(node)
        if known is None:
            yield from self._spread(node, level)
        elif abs(level.value / known.value - 1) > _SAME:
            yield self._contradiction(known, level, by)

    def _spread(self, start: Node, level: Level) -> Iterator[Issue]:
        """From a node over all changes that lead on."""
        self.levels[start] = level
        waiting = deque([start])
        while waiting:
            at = waiting.popleft()
            here = self.levels[at]
            for node, ratio, target in self._steps.get(at, ()):
                reached = Level(here.value * ratio, (*here.by, target))
                known = self.levels.get(node)
                if known is None:
                    self.levels[node] = reached
                    waiting.append(node)
                elif abs(reached.value / known.value - 1) > _SAME:
                    yield self._contradiction(known, reached, target)

    def _contradiction(self, known: Level, other: Level, by: Target) -> Issue:
        against = known.by[-1] if known.by else by
        what = (
            f"two targets contradict each other: {by.words} asks for "
            f"{other.value:.5g}, where line {against.line} ({against.words}) asks for "
            f"{known.value:.5g}"
        )
        mend = f"change one of them; the other is {self.declared.place_of(against)}"
        return Issue(what, self.declared.place_of(by), mend)

    def _modelled(self, configuration: str, workload: str, quantity: str) -> float:
        """What the parameters of the paths make of it."""
        settings = self._settings(configuration, workload)
        load = parse_workload(workload).name
        roles = settings[load].systems
        if quantity in (quantity_of(ZIIP_COST, role) for role in roles):
            return 0.0
        if quantity != "rate":
            return self._cost(settings, load, quantity)
        solved = rates(list(settings.values()), self.declared.cps)
        return dict(zip(settings, solved, strict=True))[load]

    def _cost(self, settings: Mapping[str, Setting], load: str, role: str) -> float:
        """CPU time of a transaction; of a system that several loads share, of one of
        any of them."""
        system = settings[load].systems[role]
        shared = [
            (name, setting, role)
            for name, setting in settings.items()
            for role, other in setting.systems.items()
            if other == system
        ]
        if len(shared) == 1:
            return cost(role, settings[load])
        solved = rates(list(settings.values()), self.declared.cps)
        asked = dict(zip(settings, solved, strict=True))
        spent = sum(asked[name] * cost(role, setting) for name, setting, role in shared)
        return spent / sum(asked[name] for name, _, _ in shared)

    def _settings(self, configuration: str, workload: str) -> dict[str, Setting]:
        """The loads that run together with one, and itself, by name."""
        mix = self.declared.mix_of(configuration)
        loads: Iterable[str] = mix.loads if mix else [workload]
        capacity = self.declared.machine(configuration).capacity
        return {
            parse_workload(load).name: Setting(
                parse_workload(load),
                self.declared.path(configuration, load),
                self.systems(configuration, load),
                capacity,
            )
            for load in loads
        }
