"""One set of plain values for each emitter, and of the sha256 of its bytes 16 digits.

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
OF_SYSTEM: dict[str, Any] = {"system": "SYNA", "start": START, "millis": 60_000}
OF_STACK: dict[str, Any] = {"system": "SYNA", "end": START, "seconds": 60.0}
REPORT = OF_SYSTEM | {
    "cpus": [
        {"busy_seconds": 30.5},
        {"kind": "zAAP", "busy_seconds": 12.0, "mvs_busy_seconds": 14.0},
        {"kind": "zIIP", "busy_seconds": 6.0, "parked_seconds": 30.0},
    ],
    "classes": [
        {
            "name": "SYNSTC",
            "cp_seconds": 28.0,
            "ziip_seconds": 4.0,
            "zaap_seconds": 11.5,
            "zaap_on_cp_seconds": 2.5,
            "ended": 100,
            "response_ms": 12.5,
        },
        {"name": "SYNNET", "kind": "report", "cp_seconds": 28.0},
    ],
    "ziip_factor": 1.5,
}
STORAGE = [
    {"area": "SQA", "below_bytes": 774_144, "above_bytes": 10_905_190},
    {"area": "LSQA/SWA/229/230", "job": "TCPIP", "below_bytes": 204_800},
]
DEVICE: dict[str, Any] = {
    "device": "0A01",
    "volume": "SYN001",
    "requests": 12_000,
    "connect_ms": 0.25,
    "pending_ms": 0.125,
}
EXAMPLES: dict[str, dict[str, Any]] = {
    "ab": {
        "seed": "web-80-1",
        "clients": 80,
        "requests": 325_500,
        "rate": 5425.0,
        "document_bytes": 7600,
    },
    "contract": {
        "results": [
            {
                "tool": "AWM",
                "workload": "RR40(200B/1000B)",
                "start": START,
                "seconds": 200.0,
                "transactions": 8_000_000,
                "latency_ms": 1.0,
            }
        ]
    },
    "storage_contract": {
        "system": "SYNS",
        "workload": "TN4000(100B/800B)",
        "start": START,
        "areas": [
            {"area": "csm", "bytes": 4_000_000},
            {"area": "total", "bytes": 9_000_000},
        ],
    },
    "ctg_statistics": {
        "gateway": "SYNCTG",
        "start": START,
        "seconds": 300,
        "intervals": [
            {"requests": 30_000, "response_ms": 4, "bytes_in": 10, "bytes_out": 20},
            {"requests": 0, "response_ms": 0},
        ],
    },
    "ftp_zos": {
        "user": "SYNUSER",
        "start": START,
        "transfers": [
            {
                "command": "RETR",
                "file": "'SYN.TEST.G20M'",
                "bytes": 20_971_520,
                "seconds": 0.52,
            },
            {
                "command": "STOR",
                "file": "'SYN.TEST.P20M'",
                "bytes": 20_971_520,
                "seconds": 0.61,
            },
        ],
    },
    "h2load": {
        "seed": "web-80-2",
        "clients": 80,
        "requests": 325_500,
        "rate": 5425.0,
        "latency_us": 14_746.5,
        "document_bytes": 7600,
        "tls": True,
    },
    "iperf3": {
        "seed": "str3-1",
        "clients": 3,
        "bytes": 147_500_000_000,
        "seconds": 59.0,
        "retransmits": 4,
        "host_cpu_pct": 180.5,
        "remote_cpu_pct": 97.25,
        "reverse": True,
        "start": START,
    },
    "netperf": RUN,
    "procstat": {
        "seed": "before",
        "cpus": [
            {"user": 4000, "system": 250, "idle": 90_000, "iowait": 9},
            {"user": 4100, "system": 260, "idle": 90_100, "irq": 4, "softirq": 60},
        ],
    },
    "rmf_text": {"intervals": [REPORT | {"devices": [DEVICE]}]},
    "rmf_xml": {"intervals": [REPORT | {"devices": [DEVICE], "storage": STORAGE}]},
    "s3270": {"sessions": [{"host": "192.0.2.1", "response_ms": [12.0, 14.0, 250.0]}]},
    "smf_119_2": {
        "system": "SYNA",
        "job": "SYNUPERF",
        "start": START,
        "seconds": 59.4,
        "remote_ip": "192.0.2.2",
        "local_ip": "2001:db8::1",
        "remote_port": 20_000,
        "local_port": 40_001,
        "bytes_in": 10**12,
        "bytes_out": 7,
        "segments_in": 10**9,
        "segments_out": 5,
        "active": True,
    },
    "smf_119_5": OF_STACK
    | {
        "connections_opened": 10,
        "connections_accepted": 3,
        "segments_in": 590_000,
        "segments_out": 590_001,
        "datagrams_in": 590_012,
        "datagrams_out": 590_013,
        "udp_in": 12,
        "udp_out": 13,
    },
    "smf_119_6": OF_STACK
    | {
        "interfaces": [
            {
                "name": "SYNOSH1",
                "bytes_in": 10**10,
                "packets_in": 590_000,
                "bytes_out": 10**9,
                "packets_out": 590_001,
            }
        ]
    },
    "smf_119_ftp": {
        "system": "SYNA",
        "role": "server",
        "command": "STOR",
        "file": "SYN.FTP.DATA(M20)",
        "start": START,
        "seconds": 0.52,
        "bytes": 20_971_520,
        "remote_ip": "192.0.2.9",
    },
    "smf_119_tn3270": {
        "system": "SYNA",
        "lu": "SYNLU001",
        "application": "ITPECHO1",
        "remote_ip": "192.0.2.9",
        "start": START,
        "seconds": 60.0,
        "bytes_in": 600,
        "bytes_out": 4800,
        "round_trips": 6,
        "response_ms": 12.5,
        "network_ms": 2.0,
    },
    "smf_30": {
        "system": "SYNA",
        "job": "TCPIP",
        "program": "EZBTCPIP",
        "start": START,
        "seconds": 60.0,
        "tcb_seconds": 12.34,
        "srb_seconds": 5.67,
        "ziip_seconds": 1.5,
        "ziip_on_cp_seconds": 0.25,
    },
    "smf_70": OF_SYSTEM
    | {
        "partitions": [
            {
                "name": "SYNA",
                "number": 1,
                "engines": [
                    {"busy_seconds": 30.5, "dedicated": True},
                    {"kind": "zAAP", "busy_seconds": 12.0},
                    {"kind": "zIIP", "busy_seconds": 6.0, "parked_seconds": 30.0},
                ],
            },
            {"name": "SYNB", "number": 2, "engines": [{"busy_seconds": 1.0}]},
        ]
    },
    "smf_72": OF_SYSTEM
    | {
        "name": "SYNSTC",
        "periods": [{"cp_seconds": 28.0, "ziip_seconds": 4.0, "ended": 100}],
        "ziip_factor": 1.5,
    },
    "smf_73": OF_SYSTEM
    | {
        "paths": [
            {"chpid": "1C", "busy_pct": 12.5},
            {"chpid": "F0", "kind": "IQD", "busy_pct": 0.0},
        ]
    },
    "smf_74_1": OF_SYSTEM | {"devices": [DEVICE]},
    "smf_74_9": OF_SYSTEM
    | {
        "functions": [
            {
                "function": "00000021",
                "channel": "01C4",
                "bytes_in": 10**12,
                "bytes_out": 10**9,
            }
        ]
    },
    "zos_storage": {
        "system": "SYNA",
        "start": START,
        "areas": [
            {"area": "ECSA", "current": 45_654, "maximum": 56_823, "limit": 204_800},
            {
                "area": "HVPRIVATE",
                "place": "64-BIT",
                "unit": "M",
                "current": 50,
                "maximum": 51,
            },
        ],
        "pools": [
            {"source": "ECSA", "in_use": 176, "free": 80},
            {"source": "DATA SPACE 64", "buffer": 16, "in_use": 364, "free": 148},
        ],
        "vtam": {
            "csa": 2384,
            "csa_maximum": 2401,
            "private": 806,
            "private_maximum": 829,
        },
        "real_mb": 16_384,
    },
    "uperf": RUN | {"shape": "CRR", "start": START},
}
BYTES = {
    "ab": "0c53c2195a425bf9",
    "contract": "cbd8cfc86d635021",
    "storage_contract": "ceaeca2878f25feb",
    "ctg_statistics": "11c4ea6aa1b49306",
    "ftp_zos": "c4e6d38d7156ff3f",
    "h2load": "9c6935abc9820fc3",
    "iperf3": "bce444991a7c9bf0",
    "netperf": "54812861b41f061c",
    "procstat": "f74d9242081557a8",
    "rmf_text": "28fbcff9a9e4a2e6",
    "rmf_xml": "a2468dec99c8c2a6",
    "s3270": "aa06824b324906cc",
    "smf_119_2": "1fc296d3d361fb7c",
    "smf_119_5": "142842345c6e1fe4",
    "smf_119_6": "afcdd51c421a5c74",
    "smf_119_ftp": "95fade8593678608",
    "smf_119_tn3270": "e8b7e403305a150c",
    "smf_30": "38bbb284a6da8d7d",
    "smf_70": "5860439121bae13e",
    "smf_72": "a3af909534baed4b",
    "smf_73": "37af4cca62f0f019",
    "smf_74_1": "4380a22e0501f492",
    "smf_74_9": "4e8d4072b366a6fe",
    "zos_storage": "8c6de042a3354a12",
    "uperf": "2bced54210f4cd07",
}
