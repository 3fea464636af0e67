"""What the clients of a run of uperf did: values of its log, flowop by flowop.

RR takes two flowops a transaction, CRR four, a stream 320 pieces of 64 kB and one small
one.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal, Self

from pydantic import model_validator

from synthetic.emitters.values import (
    LABEL,
    Line,
    Measured,
    Positive,
    Some,
    Utc,
    refuse,
)

_PIECE = 64 * 1024


class UperfLog(Measured):
    """What uperf saw of a run; ``seconds`` is the time under load.

    Details that it prints besides, such as the slowest transaction, are drawn by
    ``seed``.
    """

    seed: str
    shape: Literal["RR", "CRR", "STR"]
    clients: Some
    request_bytes: Some
    response_bytes: Some
    transactions: Some
    rate: Positive  # 1/s
    latency_us: Positive  # mean of a transaction
    start: Utc
    seconds: Positive = 59.0
    aborted: bool = False  # the server went away under load
    label: Line = LABEL

    @model_validator(mode="after")
    def _enough(self) -> Self:
        few = self.transactions < 2 * self.clients
        refuse(few, "transactions", "there are fewer than two a client")
        return self


@dataclass(frozen=True)
class Strand:
    """One client: transactions begun, and flowops and bytes of them done."""

    begun: int
    missing: int
    ops: int
    bytes: int


def flowops(run: UperfLog) -> list[tuple[str, int, int]]:
    """Kind, number and bytes of the flowops of one transaction, in their order."""
    sizes = [("write", run.request_bytes), ("read", run.response_bytes)]
    if run.shape == "STR":
        return [(kind, *_pieces(size)) for kind, size in sizes]
    moved = [(kind, 1, size) for kind, size in sizes]
    if run.shape == "RR":
        return moved
    return [("connect", 1, 0), *moved, ("disconnect", 1, 0)]


def _pieces(size: int) -> tuple[int, int]:
    return (1, size) if size < _PIECE else (size // _PIECE, _PIECE)


@dataclass(frozen=True)
class Load:
    """What a run's log tells of: its clients and what each of them did."""

    run: UperfLog
    kinds: list[tuple[str, int, int]]
    strands: list[Strand]
    draw: random.Random

    @property
    def once(self) -> bool:
        """Whether connections are made once, before the load."""
        return self.run.shape != "CRR"

    @property
    def ops(self) -> int:
        """Flowops under load."""
        return sum(strand.ops for strand in self.strands)

    @property
    def bytes(self) -> int:
        """Bytes moved under load, both ways."""
        return sum(strand.bytes for strand in self.strands)

    @property
    def all_ops(self) -> int:
        """Flowops with those that connect and disconnect once."""
        return self.ops + (2 * len(self.strands) if self.once else 0)


def strands_of(
    run: UperfLog, kinds: list[tuple[str, int, int]], draw: random.Random
) -> list[Strand]:
    """All clients, each of which began about as much and lacks a part of its last."""
    clients, size = run.clients, sum(n for _, n, _ in kinds)
    weights = [1 + 0.03 * (draw.random() - 0.5) for _ in range(clients)]
    begun = [int(run.transactions * w / sum(weights)) for w in weights]
    begun[0] += run.transactions - sum(begun)
    made = []
    for count in begun:
        missing = draw.randrange(size)
        done = size * count - missing
        moved = sum(n * b for _, n, b in kinds) * count - _bytes_of_last(kinds, missing)
        made.append(Strand(count, missing, done, moved))
    return made


def _bytes_of_last(kinds: list[tuple[str, int, int]], missing: int) -> int:
    """Bytes of the last so many flowops of a transaction."""
    lost = 0
    for _, number, size in reversed(kinds):
        cut = min(number, missing)
        lost, missing = lost + cut * size, missing - cut
    return lost
