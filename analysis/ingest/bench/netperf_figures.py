"""What netperf's figures mean, in whichever form they are printed.

Sources: netperf 2.7's manual and ``netlib.c``. ``-f K``, ``M`` and ``G`` are binary,
``k``, ``m`` and ``g`` decimal bits. One instance is one connection; with ``-b n`` it
keeps n+1 transactions under way, which then count as clients. CPU utilisation and
service demand are those of the whole machine, so that each of several instances
claims all of it: they are evidence in ``details`` and never a cost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.logs.checks import agree
from analysis.ingest.logs.result import BULK, Result
from analysis.ingest.logs.text import GIB, KIB, MIB
from analysis.ingest.reading import Problem

TRANSACTIONS = "Trans/s"
_BYTES = {
    "bits": 1 / 8,
    "10^3bits": 1e3 / 8,
    "10^6bits": 1e6 / 8,
    "10^9bits": 1e9 / 8,
    "Bytes": 1.0,
    "KBytes": KIB,
    "MBytes": MIB,
    "GBytes": GIB,
}
UNIT = re.compile(
    r"(?<!\S)(10\^[369]bits|[KMG]?Bytes)\s*+(?:/\s*+)?(?:s\b|sec\b|per sec)"
)
_BURST = re.compile(r"first burst (\d+)")
_KINDS = (  # words of the banner, shape, test
    ("Connect/Request/Response", "CRR", "CRR"),
    ("Connect/Close", None, "CC"),
    ("REQUEST/RESPONSE", "RR", "RR"),
    ("OMNI Connect|Send|Recv", "CRR", "CRR"),
    ("OMNI Send|Recv", "RR", "RR"),
    ("OMNI Send", "STR", "STREAM"),
    ("OMNI Receive", "STR", "MAERTS"),
    ("MAERTS", "STR", "MAERTS"),
    ("SENDFILE", "STR", "SENDFILE"),
    ("STREAM", "STR", "STREAM"),
)


def bytes_per_second(value: float, unit: str) -> float | None:
    """A rate of ``-f`` in bytes/s; null where the unit is not one of bytes."""
    found = UNIT.match(unit + " per sec" if "/" not in unit else unit)
    return value * _BYTES[found[1]] if found else None


def banner_facts(banner: str) -> dict[str, Any]:
    """Shape, test, burst and whether it is a confidence run, of a banner's line."""
    kind, shape = next(((t, s) for w, s, t in _KINDS if w in banner), (None, None))
    protocol = banner.removeprefix("MIGRATED ").split(" ", 1)[0]
    burst = _BURST.search(banner)
    return {
        "test": f"{protocol}_{kind}" if kind else None,
        "shape": shape,
        "burst": int(burst[1]) if burst else 0,
        "repeats": "% conf." in banner,
    }


def transaction_row(
    rate: float,
    seconds: float | None,
    sizes: tuple[int, int] | None,
    burst: int = 0,
    repeats: bool = False,
) -> dict[str, Any]:
    """Row of an RR, CRR or CC test; ``sizes`` are request and response in bytes.

    The mean latency is that of Little's law, exact for a closed loop. With
    confidence runs the rate is a mean over an unknown number of transactions.
    """
    row: dict[str, Any] = {"clients": burst + 1, "rate": rate, "seconds": seconds}
    if rate > 0:
        row["latency_mean_us"] = (burst + 1) * 1e6 / rate
    if seconds is not None and not repeats:
        row["transactions"] = round(rate * seconds)
    if sizes is not None and any(sizes):
        row["request_bytes"], row["response_bytes"] = sizes
        row["bytes_per_second"] = rate * sum(sizes)
    return row


def shape_of(shape: str | None, sizes: tuple[int, int] | None) -> str | None:
    """RR with a bulk answer is a stream: ``STR(1B/20MB)`` is ``-r 1,20971520``."""
    return "STR" if shape == "RR" and sizes and max(sizes) >= BULK else shape


def check_cpu(
    result: Result,
    utils: list[float],
    demands: list[float],
    units: float,
    line: int,
    roles: Sequence[str] = ("client", "server"),
) -> None:
    """Keep utilisation [%] and service demand as evidence; say what is void.

    ``units`` are transactions or KiB a second. Service demand is
    utilisation × CPUs × 10^4 ÷ units, so the number of CPUs must come out whole. A log
    does not say how many there are: a rate that is wrong by a whole factor fits.
    """
    if not utils or utils[0] < 0:
        return
    result.details["cpu_utilisation_pct"] = utils
    result.details["service_demand_us"] = demands
    result.details["cpu_scope"] = "whole machine; no cost where instances run together"
    for role, util, demand in zip(roles, utils, demands, strict=False):
        if util > 100:
            what = remark(
                "cpu_impossible",
                f"CPU utilisation of {util:g}% is impossible; service demand is void",
            )
            result.problems.append(Problem(what, line))
        elif util > 1 and demand > 0 and units > 0:
            cpus = demand * units / (util * 1e4)
            if agree(cpus, max(1, round(cpus)), 0.03):
                result.role_cpus[role] = round(cpus)
            else:
                result.judge(
                    "degraded",
                    remark(
                        "service_demand", "service demand does not fit rate and CPU"
                    ),
                    line,
                )
