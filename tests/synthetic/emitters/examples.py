"""One set of plain values for each emitter, and the sha256 of what is written of it.

A hash changes where the bytes of a format do; then those of every campaign do as well.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

START = dt.datetime(2026, 1, 12, 14, 0, tzinfo=dt.UTC)
RUN: dict[str, Any] = {
    "seed": "osh-rr10-100b-1",
    "clients": 10,
    "request_bytes": 100,
    "response_bytes": 200,
    "transactions": 590_000,
    "rate": 10_000.0,
    "latency_us": 1000.0,
}
EXAMPLES: dict[str, dict[str, Any]] = {
    "netperf": RUN,
    "procstat": {
        "seed": "before",
        "cpus": [
            {"user": 4000, "system": 250, "idle": 90_000, "iowait": 9},
            {"user": 4100, "system": 260, "idle": 90_100, "irq": 4, "softirq": 60},
        ],
    },
    "uperf": RUN | {"shape": "CRR", "start": START},
}
BYTES = {
    "netperf": "54812861b41f061c2c7da32e95d7bff80e5d33bc12732f90e25f20021d4ad5bf",
    "procstat": "f74d9242081557a8898ea8b3ffa529e8dad361feefe56c19ad398c0385078fec",
    "uperf": "2bced54210f4cd07b539fcd26ceacdd6bd4a06741018d27def7996c3f8b525b4",
}
