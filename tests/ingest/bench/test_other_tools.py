"""Logs of tools that are not read are called by their names, with the way to go.

Those of vegeta, ghz, fio, redis-benchmark and sysbench are as the tools' sources print
them, those of memtier and ntttcp as their documentation shows them.
"""

from __future__ import annotations

import pytest

from analysis.ingest.detect import FORMATS, read_file, tool_of
from tests.ingest.benchmark_logs import GOLDEN, unpacked

HEADS = [
    (
        "vegeta",
        "Requests      [total, rate, throughput]  1200, 120.00, 65.87\n"
        "Duration      [total, attack, wait]      10.09s, 9.99s, 99.85ms\n",
    ),
    ("vegeta", "Requests\t[total, rate, throughput]\t1200, 120.00, 65.87\n"),
    ("vegeta", "Bucket         #     %       Histogram\n[0s,    2ms]  6007  70.90%\n"),
    ("vegeta", '{\n  "latencies": {\n    "total": 237119463,\n'),
    ("vegeta", '{"latencies":{"total":237119463,"mean":2371194,"50th":2854306}}'),
    ("ghz", "\nSummary:\n  Count:\t200\n  Total:\t181.57 ms\n  Slowest:\t69.60 ms\n"),
    ("ghz", "\nSummary:\n  Name:\t\tGreeter\n  Count:\t200\n  Total:\t181.57 ms\n"),
    ("ghz", "Summary:\r\n  Count:\t200\r\n"),
    ("ghz", "\nduration (ms),status,error\n1.23,OK,\n"),
    ("ghz", '{"endReason":"normal","date":"2026-01-12T09:00:00Z","options":{}}'),
    ("ghz", '{\n  "name": "Greeter",\n  "endReason": "timeout",\n'),
    ("fio", "seq read: (g=0): rw=read, bs=(R) 4096B-4096B, ioengine=psync\n"),
    ("fio", "3;fio-3.42;job1;0;0;1024;10;2\n"),
    (
        "fio",
        "job1: (g=0): rw=randread, bs=(R) 4096B-4096B, ioengine=libaio, iodepth=1\n"
        "fio-3.28\nStarting 1 process\n",
    ),
    ("fio", '{\n  "fio version" : "fio-3.28",\n  "timestamp" : 1652000000\n}\n'),
    (
        "memtier_benchmark",
        "4         Threads\n50        Connections per thread\n\n\nALL STATS\n"
        "==========\nType         Ops/sec     Hits/sec   Misses/sec\n",
    ),
    (
        "redis-benchmark",
        "====== SET ======\n  100000 requests completed in 0.88 seconds\n"
        "  50 parallel clients\n",
    ),
    (
        "redis-benchmark",
        "SET: rps=0.0 (overall: nan) avg_msec=nan (overall: nan)\r      \r"
        "====== SET ======\n  100000 requests completed in 0.88 seconds\n",
    ),
    (
        "redis-benchmark",
        "   \rMSET (10 keys): 142.36 requests per second, p50=1 msec\n",
    ),
    ("redis-benchmark", '"test","rps","avg_latency_ms","min_latency_ms"\n'),
    ("redis-benchmark", "PING_INLINE: 142653.36 requests per second, p50=0.183 msec\n"),
    ("ntttcp", "NTTTCP for Linux 1.4.0\n---------------------\n"),
    ("ntttcp", '<ntttcps computername="SENDER" version="5.33">\n</ntttcps>\n'),
    ("sysbench", "sysbench 0.4.12:  multi-threaded system evaluation benchmark\n"),
    ("sysbench", "sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)\n\nRunning\n"),
]


@pytest.mark.parametrize(("tool", "head"), HEADS)
def test_a_tool_is_named_with_the_way_to_go(tmp_path, tool, head):
    path = tmp_path / "client.txt"
    path.write_text(head, encoding="utf-8")
    reading = read_file(path)
    assert (reading.format, reading.status) == ("unknown", "failed")
    assert f"looks like a log of {tool}, which is not read" in reading.reason
    assert "docs/how-to/benchmark-contract.md" in reading.reason


def test_what_is_read_is_not_taken_for_another_tools():
    files = [p for p in GOLDEN.rglob("*") if p.is_file() and p.parent.name in FORMATS]
    assert len(files) > 100
    for path in files:
        assert tool_of(unpacked(path).decode("latin-1")) == ""
