"""What a claim says, after it was read and before any fact is looked at."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from analysis.declared.workload import Workload, matches, parse_workload
from analysis.facts.fact import Verdict

Axis = Literal["payload", "clients"]
Derived = Literal["saving", "gain"]
ShareOf = Literal["no", "every", "most"]


@dataclass(frozen=True)
class Pattern:
    """Workloads by name, ``RR*`` or ``RR60(4kB..32kB)``; sizes in bytes."""

    text: str
    low: float = 0
    high: float = math.inf

    def fits(self, name: str) -> bool:
        """Whether the workload of this name is meant."""
        size = payload(parse_workload(name))
        return matches(name, self.text) and self.low <= size <= self.high


@dataclass(frozen=True)
class Workloads:
    """Those that fit a pattern and no exception; ``text`` is as it was written."""

    patterns: tuple[Pattern, ...] = (Pattern("*"),)
    without: tuple[Pattern, ...] = ()
    bounds: tuple[Pattern, ...] = ()
    text: str = ""

    def fits(self, name: str) -> bool:
        """Whether the workload of this name is meant."""
        return (
            any(p.fits(name) for p in self.patterns)
            and all(p.fits(name) for p in self.bounds)
            and not any(p.fits(name) for p in self.without)
        )


@dataclass(frozen=True)
class Subject:
    """A metric, of the roles and configurations named, or what it saves or gains."""

    metric: str
    names: tuple[str, ...] = ()
    derived: Derived | None = None


@dataclass(frozen=True)
class Amount:
    """How large a change must be: percent without sign. ``peak``: the largest alone."""

    low: float
    high: float = math.inf
    peak: bool = False


@dataclass(frozen=True)
class Moves:
    """``falls by 20% to 40% on average``; ``sign`` is −1 or +1."""

    sign: int
    amount: Amount | None = None
    average: bool = False
    beyond_noise: bool = False


@dataclass(frozen=True)
class Gets:
    """``improves``, ``worsens``: beyond noise, in the metric's better direction."""

    verdict: Literal["improved", "regressed"]


@dataclass(frozen=True)
class Is:
    """``is comparable``: every change has this verdict."""

    verdict: Verdict


@dataclass(frozen=True)
class ShareIs:
    """``no comparison is improved or regressed``; ``every``; ``most``: over half."""

    share: ShareOf
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True)
class Quantity:
    """A number with its unit, as a limit."""

    value: float
    unit: str


@dataclass(frozen=True)
class Share:
    """So many percent of another configuration's value."""

    percent: float
    of: Subject


@dataclass(frozen=True)
class Order:
    """``is below …``; ``runs``: how many may differ, or None to compare medians."""

    above: bool
    right: Subject | Quantity | Share
    runs: int | None = None

    @property
    def fits(self) -> bool:
        """Runs have only runs to be compared with."""
        return self.runs is None or isinstance(self.right, Subject)


@dataclass(frozen=True)
class Grows:
    """``grows with payload``; ``sign`` is −1 where it shrinks."""

    axis: Axis
    sign: int


@dataclass(frozen=True)
class Proportion:
    """``is in proportion to clients up to 300 within 3%``; ``within`` in percent."""

    axis: Axis
    within: float
    most: float = math.inf


@dataclass(frozen=True)
class Stops:
    """``stops growing from 500 clients on within 1%``."""

    axis: Axis
    start: int
    within: float


@dataclass(frozen=True)
class InOrder:
    """``grows in the order A, B, C``, of configurations; −1 where it shrinks."""

    names: tuple[str, ...]
    sign: int


@dataclass(frozen=True)
class Differs:
    """``differs by at most 5%`` over workloads, or between two configurations."""

    most: float
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Crosses:
    """``crosses latency of A between 4kB and 32kB``, or numbers of clients."""

    other: Subject
    axis: Axis
    low: int
    high: int


@dataclass(frozen=True)
class Modes:
    """``is bimodal``, ``is not bimodal``."""

    two: bool


@dataclass(frozen=True)
class Scatters:
    """``scatters more for … than for …``: the interval of the change is wider."""

    than: Workloads


@dataclass(frozen=True)
class Ranks:
    """Values, falls or rises that are larger than those of others.

    ``more`` is False where they are smaller. ``most``: than of all other workloads of
    the study; else ``than`` has the workloads, or ``other`` the subject, that follow.
    """

    measure: Literal["value", "fall", "rise"]
    more: bool
    most: bool = False
    than: Workloads | None = None
    other: Subject | None = None

    @property
    def complete(self) -> bool:
        """Whether it says what is compared."""
        return self.most or self.than is not None or self.other is not None


Growth = Grows | Proportion | Stops | InOrder | Differs | Crosses
Predicate = Moves | Gets | Is | ShareIs | Order | Growth | Modes | Scatters | Ranks


@dataclass(frozen=True)
class Claim:
    """One claim; ``text`` is as written, ``line`` is where in its ``file``.

    ``sentence`` are the words that it stands with; empty in a front matter.
    """

    text: str
    subject: Subject | None
    predicate: Predicate
    workloads: Workloads = field(default_factory=Workloads)
    predicted: bool = False
    line: int = 0
    file: str = ""
    sentence: str = ""


def payload(workload: Workload) -> int:
    """The payload of a transaction, in bytes: the larger of its two directions."""
    return max(workload.request_bytes, workload.response_bytes)
