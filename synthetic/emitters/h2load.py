"""A log as h2load 1.52 writes it, of one thread.

Layout: ``h2load.cc`` of nghttp2. Durations have two decimals and change their unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from pydantic import model_validator

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.values import Count, Half, Measured, Positive, Some, refuse
from synthetic.noise import source


class H2loadLog(Measured):
    """What h2load saw: ``requests`` in all, of which ``failed``, and bytes of a
    response. Details are drawn by ``seed``."""

    seed: str
    clients: Some
    requests: Some
    rate: Positive  # 1/s
    failed: Count = 0
    latency_us: Positive  # mean of a request
    document_bytes: Some
    header_bytes: Half = 186
    tls: bool = False

    @model_validator(mode="after")
    def _fits(self) -> Self:
        refuse(self.failed > self.requests, "failed", "these are more than requests")
        few = self.requests < self.clients
        refuse(few, "requests", "there are fewer than clients")
        return self


def write(run: H2loadLog) -> bytes:
    """The whole log."""
    lines = [*_progress(run), "", *_counts(run), *_times(run)]
    return ("\n".join(lines) + "\n").encode()


def _progress(run: H2loadLog) -> Iterator[str]:
    yield "starting benchmark..."
    yield (
        f"spawning thread #0: {run.clients} total client(s). "
        f"{run.requests} total requests"
    )
    if run.tls:
        yield from ["TLS Protocol: TLSv1.3", "Cipher: TLS_AES_256_GCM_SHA384"]
    yield "Application protocol: http/1.1"
    yield from (f"progress: {share}% done" for share in range(10, 101, 10))


def _counts(run: H2loadLog) -> Iterator[str]:
    good, body = run.requests - run.failed, run.requests * run.document_bytes
    heads = run.requests * run.header_bytes
    whole = body + heads + run.requests * 51
    seconds = run.requests / run.rate
    yield (
        f"finished in {_duration(seconds * 1e6)}, {run.rate:.2f} req/s, "
        f"{_size(whole / seconds)}/s"
    )
    yield (
        f"requests: {run.requests} total, {run.requests} started, {run.requests} done, "
        f"{good} succeeded, {run.failed} failed, 0 errored, 0 timeout"
    )
    yield f"status codes: {good} 2xx, 0 3xx, 0 4xx, {run.failed} 5xx"
    yield (
        f"traffic: {_size(whole)} ({whole}) total, {_size(heads)} ({heads}) headers "
        f"(space savings 0.00%), {_size(body)} ({body}) data"
    )


def _times(run: H2loadLog) -> Iterator[str]:
    draw = source("h2load", run.seed)
    connect = (300 if not run.tls else 5000) * (1 + 0.2 * draw.random())
    yield f"{'min':>24}{'max':>12}{'mean':>13}{'sd':>11}{'+/- sd':>14}"
    yield _spread("time for request:", run.latency_us)
    yield _spread("time for connect:", connect)
    yield _spread("time to 1st byte:", connect + run.latency_us)
    each = run.rate / run.clients
    cells = f"{each * 0.98:>12.2f}{each * 1.02:>12.2f}{each:>13.2f}{each * 0.01:>12.2f}"
    yield f"req/s           :{cells}{'68.00%':>10}"


def _spread(name: str, mean: float) -> str:
    cells = [_duration(mean * factor) for factor in (0.5, 6.0, 1.0, 0.3)]
    low, high, middle, spread = cells
    return f"{name}{low:>11}{high:>12}{middle:>12}{spread:>12}{'88.00%':>10}"


def _duration(micros: float) -> str:
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if micros >= size:
            return f"{micros / size:.2f}{unit}"
    return f"{round(micros)}us"


def _size(octets: float) -> str:
    for unit, power in (("GB", 3), ("MB", 2), ("KB", 1)):
        if octets >= 1024**power:
            return f"{octets / 1024**power:.2f}{unit}"
    return f"{octets:.0f}B"


EMITTER = Emitter("h2load", "log of h2load", "h2load", H2loadLog, write)
