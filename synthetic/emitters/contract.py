"""Results of tools without a public log, such as AWM or TPNS, by the contract.

It is described in docs/how-to/benchmark-contract.md.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Annotated, Any, Literal

from pydantic import Field

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.values import Count, Line, Measured, Positive, Some, Token, Utc

_COLUMNS = {
    "tool": "tool",
    "workload": "workload",
    "start": "start",
    "seconds": "seconds",
    "transactions": "transactions",
    "latency_ms": "latency_mean_ms",
    "p99_ms": "latency_p99_ms",
    "bytes_per_second": "bytes_per_second",
    "errors": "errors",
    "test": "test",
}


class Result(Measured):
    """One result; what is null is left out."""

    tool: Token
    seconds: Positive
    transactions: Some
    workload: Token | None = None
    start: Utc | None = None
    latency_ms: Positive | None = None
    p99_ms: Positive | None = None
    bytes_per_second: Positive | None = None
    errors: Count = 0
    test: Line | None = None

    def cells(self) -> dict[str, Any]:
        """By the columns of the contract."""
        values = {_COLUMNS[name]: value for name, value in self if value is not None}
        if self.start:
            values["start"] = f"{self.start:%Y-%m-%dT%H:%M:%SZ}"
        return values


class ContractResults(Measured):
    """Results in one file; where there are several, each has its own ``test``."""

    results: Annotated[tuple[Result, ...], Field(min_length=1)]
    form: Literal["csv", "json"] = "csv"


def write(of: ContractResults) -> bytes:
    """The whole file."""
    rows = [result.cells() for result in of.results]
    if of.form == "json":
        whole = {"benchmark_contract": 1, "results": rows}
        return (json.dumps(whole, indent=1) + "\n").encode()
    used = [c for c in _COLUMNS.values() if any(c in row for row in rows)]
    out = io.StringIO(newline="")
    table = csv.DictWriter(out, ["benchmark_contract", *used], lineterminator="\n")
    table.writeheader()
    table.writerows({"benchmark_contract": 1} | row for row in rows)
    return out.getvalue().encode()


EMITTER = Emitter(
    "contract", "results by the contract", "contract", ContractResults, write
)
