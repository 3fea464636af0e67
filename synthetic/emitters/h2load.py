"""A log as h2load 1.52 writes it, of one thread.

Layout: ``h2load.cc`` of nghttp2. Durations have two decimals and change their unit.
"""

from __future__ import annotations

from synthetic.noise import source

_HEADERS, _FRAMES = 186, 51  # bytes of a response besides its document


def h2load_log(
    seed: str,
    clients: int,
    requests: int,
    failed: int,
    rate: float,
    latency_us: float,
    document_bytes: int,
) -> bytes:
    """The whole log of ``requests``, of which some failed, at a ``rate`` [1/s] with a
    mean latency [µs]; the time of a connect is drawn by ``seed``."""
    good, body, heads = (
        requests - failed, requests * document_bytes, requests * _HEADERS,
    )  # fmt: skip
    whole, seconds = body + heads + requests * _FRAMES, requests / rate
    connect = 300 * (1 + 0.2 * source("h2load", seed).random())
    each = rate / clients
    cells = f"{each * 0.98:>12.2f}{each * 1.02:>12.2f}{each:>13.2f}{each * 0.01:>12.2f}"
    lines = [
        "starting benchmark...",
        f"spawning thread #0: {clients} total client(s). {requests} total requests",
        "Application protocol: http/1.1",
        *(f"progress: {share}% done" for share in range(10, 101, 10)),
        "",
        f"finished in {_duration(seconds * 1e6)}, {rate:.2f} req/s, "
        f"{_size(whole / seconds)}/s",
        f"requests: {requests} total, {requests} started, {requests} done, "
        f"{good} succeeded, {failed} failed, 0 errored, 0 timeout",
        f"status codes: {good} 2xx, 0 3xx, 0 4xx, {failed} 5xx",
        f"traffic: {_size(whole)} ({whole}) total, {_size(heads)} ({heads}) headers "
        f"(space savings 0.00%), {_size(body)} ({body}) data",
        f"{'min':>24}{'max':>12}{'mean':>13}{'sd':>11}{'+/- sd':>14}",
        _spread("time for request:", latency_us),
        _spread("time for connect:", connect),
        _spread("time to 1st byte:", connect + latency_us),
        f"req/s           :{cells}{'68.00%':>10}",
    ]
    return ("\n".join(lines) + "\n").encode()


def _spread(name: str, mean: float) -> str:
    low, *rest = (_duration(mean * factor) for factor in (0.5, 6.0, 1.0, 0.3))
    return f"{name}{low:>11}" + "".join(f"{x:>12}" for x in rest) + f"{'88.00%':>10}"


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
