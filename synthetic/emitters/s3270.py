"""The output of an s3270 script: a status line and a result for each command.

Layout: x3270-script(1). The last field is the seconds that the command took, with three
decimals. The host is named where s3270 is started, so no command connects.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.smf_119 import Address
from synthetic.emitters.values import LABEL, Count, Line, Measured

Millis = Annotated[float, Field(strict=True, ge=1, lt=1e9)]


class Session(Measured):
    """A session: how long the host took to answer each of its transactions."""

    host: Address
    response_ms: tuple[Millis, ...]
    timeouts: Count = 0


class S3270Log(Measured):
    """Sessions one after another."""

    sessions: tuple[Session, ...]
    timeout_ms: Millis = 10_000.0
    label: Line = LABEL


def write(of: S3270Log) -> bytes:
    """The whole output."""
    lines = [f"data: {of.label}"]
    for session in of.sessions:
        lines += _session(session, of.timeout_ms)
    return ("\n".join(lines) + "\n").encode()


def _session(it: Session, timeout: float) -> Iterator[str]:
    """Its transactions, those without an answer, and its end."""
    here = f"U F U C({it.host}) I 4 24 80 0 0 0x0"
    for millis in it.response_ms:
        yield from [f"{here} {millis / 1000:.3f}", "ok"]
    for _ in range(it.timeouts):
        yield "data: Wait(): Timed out"
        yield from [f"{here} {timeout / 1000:.3f}", "error"]
    yield from ["L F U N N 4 24 80 0 0 0x0 0.000", "ok"]


EMITTER = Emitter("s3270", "output of s3270", "tn3270_s3270", S3270Log, write)
