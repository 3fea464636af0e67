"""A run's log as netperf 2.7 writes it with ``-k`` and a list of names.

``-b n`` keeps n+1 transactions under way on one connection, which stand for as many
clients. A stream is request/response with a bulk answer.
"""

from __future__ import annotations

from synthetic.noise import source
from synthetic.runs import Run
from synthetic.uperf import LABEL


def netperf_log(run: Run) -> str:
    """The whole text: key and value, a line each."""
    workload, draw = run.load.workload, source("netperf", run.id)
    burst = workload.clients - 1
    seconds = run.transactions / run.rate
    request, response = workload.request_bytes, workload.response_bytes
    spread = 0.2 + 0.1 * draw.random()
    values = {
        "RESULT_BRAND": f'"{LABEL}"',
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
        "MIN_LATENCY": int(run.latency * 0.6),
        "MAX_LATENCY": int(run.latency * (15 + 20 * draw.random())),
        "P50_LATENCY": int(run.latency * 0.97),
        "P90_LATENCY": int(run.latency * (1 + 1.3 * spread)),
        "P99_LATENCY": int(run.latency * (1 + 2.6 * spread)),
        "MEAN_LATENCY": f"{run.latency:.2f}",
        "STDDEV_LATENCY": f"{run.latency * spread:.2f}",
        "COMMAND_LINE": _command(burst, request, response),
    }
    return _banner(burst) + "".join(f"{k}={v}\n" for k, v in values.items())


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
