"""A log as netperf 2.7 writes it with ``-k`` and a list of names.

``-b n`` keeps n+1 transactions under way on one connection, which stand for as many
clients. A stream is request/response with a bulk answer.
"""

from __future__ import annotations

from synthetic.emitters import LABEL
from synthetic.noise import source


def netperf_log(
    seed: str,
    clients: int,
    request_bytes: int,
    response_bytes: int,
    transactions: int,
    rate: float,
    latency_us: float,
) -> bytes:
    """The whole log, key and value a line each, of a ``rate`` [1/s] and the mean
    latency [µs] of a transaction; what netperf prints besides is drawn by ``seed``."""
    draw, burst = source("netperf", seed), clients - 1
    spread = 0.2 + 0.1 * draw.random()
    more = f"-b {burst} -D " if burst else ""
    command = (
        "netperf -H 192.0.2.2 -t TCP_RR -l 59 -B SYNTHETIC -- "
        f"{more}-r {request_bytes},{response_bytes} -k names.txt"
    )
    values = {
        "RESULT_BRAND": f'"{LABEL}"',
        "PROTOCOL": "TCP",
        "DIRECTION": "Send|Recv",
        "ELAPSED_TIME": f"{transactions / rate:.2f}",
        "THROUGHPUT": f"{rate:.2f}",
        "THROUGHPUT_UNITS": "Trans/s",
        "REQUEST_SIZE": request_bytes,
        "RESPONSE_SIZE": response_bytes,
        "BURST_SIZE": burst,
        "TRANSACTION_RATE": f"{rate:.3f}",
        "LOCAL_TRANSPORT_RETRANS": 0,
        "LOCAL_BYTES_SENT": transactions * request_bytes,
        "LOCAL_BYTES_RECVD": transactions * response_bytes,
        "MIN_LATENCY": int(latency_us * 0.6),
        "MAX_LATENCY": int(latency_us * (15 + 20 * draw.random())),
        "P50_LATENCY": int(latency_us * 0.97),
        "P90_LATENCY": int(latency_us * (1 + 1.3 * spread)),
        "P99_LATENCY": int(latency_us * (1 + 2.6 * spread)),
        "MEAN_LATENCY": f"{latency_us:.2f}",
        "STDDEV_LATENCY": f"{latency_us * spread:.2f}",
        "COMMAND_LINE": f'"{command}"',
    }
    banner = (
        "MIGRATED TCP REQUEST/RESPONSE TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET "
        f"to 192.0.2.2 () port 0 AF_INET : first burst {burst}\n"
    )
    return (banner + "".join(f"{k}={v}\n" for k, v in values.items())).encode()
