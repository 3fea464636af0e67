"""Results of tools without a public log, such as AWM or TPNS, by the contracts.

They are described in docs/how-to/benchmark-contract.md and storage-contract.md.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from analysis.files.csv_text import csv_text

_COLUMNS = (
    "benchmark_contract", "tool", "workload", "start", "seconds", "transactions",
    "latency_mean_ms", "bytes_per_second", "errors",
)  # fmt: skip


def contract_result(start: dt.datetime, **values: object) -> bytes:
    """A file with one result; ``values`` are by the columns of the contract."""
    row = {"benchmark_contract": 1, "start": _time(start)} | values
    used = [column for column in _COLUMNS if column in row]
    return csv_text(used, [row]).encode()


def contract_storage(
    system: str,
    workload: str,
    start: dt.datetime,
    areas: Mapping[str, int],
    cut: bool = False,
) -> bytes:
    """Bytes in use by area at one moment, while the sessions of a workload were up; a
    file that is ``cut`` has no last line."""
    about = f"1,{system},{workload},{_time(start)}"
    lines = ["storage_contract,system,workload,start,area,bytes"]
    lines += [f"{about},{area},{size}" for area, size in areas.items()]
    return ("\n".join([*lines, *([] if cut else ["end"])]) + "\n").encode()


def _time(moment: dt.datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
