"""A log as ab (ApacheBench) 2.3 writes it.

Layout: ``output_results`` of ``ab.c``. Times of connections and percentiles are whole
milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from pydantic import model_validator

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.values import Count, Half, Measured, Positive, Some, refuse
from synthetic.noise import source

_HEAD = (
    "This is ApacheBench, Version 2.3 <$Revision: 1913912 $>\n"
    "Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www.zeustech.net/\n"
    "Licensed to The Apache Software Foundation, http://www.apache.org/\n\n"
    "Benchmarking 192.0.2.2 (be patient).....done\n\n"
)
_SHARES = (50, 66, 75, 80, 90, 95, 98, 99)
_TAIL = (0.96, 1.05, 1.12, 1.18, 1.4, 1.7, 2.2, 2.6)  # of the mean
_SLOWEST = 6.0


class AbLog(Measured):
    """What ab saw: ``clients`` at once, ``requests`` in all, of which ``errors`` had no
    status 2xx, and bytes of a response. Details are drawn by ``seed``."""

    seed: str
    clients: Some
    requests: Some
    rate: Positive  # 1/s
    errors: Count = 0
    document_bytes: Some
    header_bytes: Half = 233
    keep_alive: bool = False
    tls: bool = False

    @model_validator(mode="after")
    def _fits(self) -> Self:
        refuse(self.errors > self.requests, "errors", "these are more than requests")
        few = self.requests < self.clients
        refuse(few, "requests", "there are fewer than clients")
        return self

    @property
    def mean_ms(self) -> float:
        """Of a request, as its clients are never idle."""
        return self.clients / self.rate * 1000


def write(run: AbLog) -> bytes:
    """The whole log."""
    lines = [*_about(run), "", *_counts(run), "", *_times(run), "", *_percentiles(run)]
    return (_HEAD + "\n".join(lines) + "\n").encode()


def _row(name: str, value: object) -> str:
    return f"{name + ':':<24}{value}"


def _about(run: AbLog) -> Iterator[str]:
    yield from ["", _row("Server Software", "SYNTHETIC/1.0")]
    yield _row("Server Hostname", "192.0.2.2")
    yield _row("Server Port", 443 if run.tls else 80)
    if run.tls:
        yield _row("SSL/TLS Protocol", "TLSv1.3,TLS_AES_256_GCM_SHA384,2048,256")
    yield from ["", _row("Document Path", "/synthetic")]
    yield _row("Document Length", f"{run.document_bytes} bytes")


def _counts(run: AbLog) -> Iterator[str]:
    seconds, body = run.requests / run.rate, run.requests * run.document_bytes
    whole = body + run.requests * run.header_bytes
    yield _row("Concurrency Level", run.clients)
    yield _row("Time taken for tests", f"{seconds:.3f} seconds")
    yield _row("Complete requests", run.requests)
    yield _row("Failed requests", 0)
    if run.errors:
        yield _row("Non-2xx responses", run.errors)
    if run.keep_alive:
        yield _row("Keep-Alive requests", run.requests)
    yield _row("Total transferred", f"{whole} bytes")
    yield _row("HTML transferred", f"{body} bytes")
    yield _row("Requests per second", f"{run.rate:.2f} [#/sec] (mean)")
    yield _row("Time per request", f"{run.mean_ms:.3f} [ms] (mean)")
    each = f"{run.mean_ms / run.clients:.3f}"
    yield _row(
        "Time per request", f"{each} [ms] (mean, across all concurrent requests)"
    )
    received = f"{whole / 1024 / seconds:.2f}"
    yield _row("Transfer rate", f"{received} [Kbytes/sec] received")


def _times(run: AbLog) -> Iterator[str]:
    """Connection times: making one takes a share where none is kept."""
    share = 0.0 if run.keep_alive else 0.15 + 0.1 * source("ab", run.seed).random()
    parts = {"Connect": share, "Processing": 1 - share, "Waiting": 0.9 * (1 - share)}
    yield "Connection Times (ms)"
    yield "              min  mean[+/-sd] median   max"
    for name, part in (parts | {"Total": 1.0}).items():
        mean = run.mean_ms * part
        low, middle, top = (round(mean * factor) for factor in (0.4, 0.96, _SLOWEST))
        cells = f"{low:>5} {round(mean):>4} {mean * 0.3:>5.1f} {middle:>6} {top:>7}"
        yield f"{name + ':':<12}{cells}"


def _percentiles(run: AbLog) -> Iterator[str]:
    yield "Percentage of the requests served within a certain time (ms)"
    for percent, factor in zip(_SHARES, _TAIL, strict=True):
        yield f"  {percent}% {round(run.mean_ms * factor):>6}"
    yield f" 100% {round(run.mean_ms * _SLOWEST):>6} (longest request)"


EMITTER = Emitter("ab", "log of ab", "ab", AbLog, write)
