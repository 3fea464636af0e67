"""A log as netperf 2.7 writes it with ``-k`` and a list of names.

``-b n`` keeps n+1 transactions under way on one connection, which stand for as many
clients. A stream is request/response with a bulk answer.
"""

from __future__ import annotations

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.values import LABEL, Line, Measured, Positive, Some
from synthetic.noise import source


class NetperfLog(Measured):
    """What netperf saw of a run; what it prints besides is drawn by ``seed``."""

    seed: str
    clients: Some
    request_bytes: Some
    response_bytes: Some
    transactions: Some
    rate: Positive  # 1/s
    latency_us: Positive  # mean of a transaction
    label: Line = LABEL


def write(run: NetperfLog) -> bytes:
    """The whole log: key and value, a line each."""
    draw, latency = source("netperf", run.seed), run.latency_us
    burst = run.clients - 1
    seconds = run.transactions / run.rate
    request, response = run.request_bytes, run.response_bytes
    spread = 0.2 + 0.1 * draw.random()
    values = {
        "RESULT_BRAND": f'"{run.label}"',
        "PROTOCOL": "TCP",
        "DIRECTION": "Send|Recv",
        "ELAPSED_TIME": f"{seconds:.2f}",
        "THROUGHPUT": f"{run.rate:.2f}",
        "THROUGHPUT_UNITS": "Trans/s",
        "REQUEST_SIZE": request,
        "RESPONSE_SIZE": response,
        "BURST_SIZE": burst,
        "TRANSACTION_RATE": f"{run.rate:.3f}",
        "LOCAL_TRANSPORT_RETRANS": 0,
        "LOCAL_BYTES_SENT": run.transactions * request,
        "LOCAL_BYTES_RECVD": run.transactions * response,
        "MIN_LATENCY": int(latency * 0.6),
        "MAX_LATENCY": int(latency * (15 + 20 * draw.random())),
        "P50_LATENCY": int(latency * 0.97),
        "P90_LATENCY": int(latency * (1 + 1.3 * spread)),
        "P99_LATENCY": int(latency * (1 + 2.6 * spread)),
        "MEAN_LATENCY": f"{latency:.2f}",
        "STDDEV_LATENCY": f"{latency * spread:.2f}",
        "COMMAND_LINE": _command(burst, request, response),
    }
    text = _banner(burst) + "".join(f"{k}={v}\n" for k, v in values.items())
    return text.encode()


def _banner(burst: int) -> str:
    return (
        "MIGRATED TCP REQUEST/RESPONSE TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET "
        f"to 192.0.2.2 () port 0 AF_INET : first burst {burst}\n"
    )


def _command(burst: int, request: int, response: int) -> str:
    more = f"-b {burst} -D " if burst else ""
    return (
        f'"netperf -H 192.0.2.2 -t TCP_RR -l 59 -B SYNTHETIC -- '
        f'{more}-r {request},{response} -k names.txt"'
    )


EMITTER = Emitter("netperf", "log of netperf", "netperf_omni", NetperfLog, write)
