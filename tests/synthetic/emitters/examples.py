"""Plain values of runs, and a file of each format that a campaign has."""

from __future__ import annotations

import datetime as dt
from typing import Any

from synthetic.declaration import Machine
from synthetic.emitters.contract import contract_result, contract_storage
from synthetic.emitters.ctg_statistics import ctg_statistics
from synthetic.emitters.h2load import h2load_log
from synthetic.emitters.netperf import netperf_log
from synthetic.emitters.procstat import procstat
from synthetic.emitters.smf import ClassTime, Engine, device_record, space_record
from synthetic.emitters.uperf import UperfLog
from synthetic.evidence import Minute, dump, report

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
WEB: dict[str, Any] = {
    "seed": "web-80-2",
    "clients": 80,
    "requests": 325_500,
    "failed": 0,
    "rate": 5425.0,
    "latency_us": 14_746.5,
    "document_bytes": 7600,
}
RESULT: dict[str, Any] = {
    "tool": "AWM",
    "workload": "RR40(200B/1000B)",
    "seconds": 200.0,
    "transactions": 8_000_000,
    "latency_mean_ms": 1.0,
}


def minute(**values: Any) -> Minute:
    """A minute of a system with a CP, a zAAP and a zIIP."""
    engines = [Engine("CP", 30.5), Engine("zAAP", 12.0), Engine("zIIP", 6.0)]
    whole: dict[str, Any] = {
        "system": "SYNA",
        "start": START,
        "millis": 60_000,
        "machine": Machine(type="9175", model="704", systems=("SYNA", "SYNB")),
        "level": "ZV030200",
        "engines": {"SYNA": engines, "SYNB": [Engine("CP", 1.0)]},
        "classes": [
            ClassTime("SYNSTC", 27.0, 0.6, 4.0, 11.5, 2.5),
            ClassTime("SYNNET", 1.5),
        ],
    }
    return Minute(**whole | values)


_MINUTE = minute()
_RECORDS = {
    "before": [device_record(_MINUTE.interval, {0xA01: "SYN001"}, 12_000, 0.25)],
    "after": [
        space_record("SYNA", -5, "TCPIP", "EZBTCPIP", START, 60.0, 12.34, 5.67, 1.5)
    ],
}
# By the format as which the file is read.
EXAMPLES: dict[str, bytes] = {
    "contract": contract_result(START, **RESULT),
    "ctg_statistics": ctg_statistics("SYNCTG", START, 300, 30_000, 4, 10, 20, -5),
    "h2load": h2load_log(**WEB),
    "netperf_omni": netperf_log(**RUN),
    "procstat": procstat("before", [{"user": 4000, "system": 250, "idle": 90_000}]),
    "rmf_xml": report([_MINUTE]),
    "smf": dump([minute(**_RECORDS)], START),
    "storage_contract": contract_storage(
        "SYNS", "TN4000(100B/800B)", START, {"csm": 4_000_000, "total": 9_000_000}
    ),
    "uperf": UperfLog(**RUN, shape="CRR", start=START).write(),
}
