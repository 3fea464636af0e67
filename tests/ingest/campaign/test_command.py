"""What the command line of a tool tells of its workload."""

from __future__ import annotations

import pytest

from analysis.ingest.campaign.calls import load_of_command


@pytest.mark.parametrize(
    ("command", "tool", "told"),
    [
        ("netperf -H h -t TCP_RR -- -r 100,100", "netperf", ("RR", None, 100, 100)),
        ("netperf -t TCP_CRR -- -r 64,8K", "netperf", ("CRR", None, 64, 8192)),
        ("netperf -t UDP_RR -- -r 1k", "netperf", ("RR", None, 1000, 1000)),
        ("netperf -H h -- -m 64K", "netperf", ("STR", None, 65536, None)),
        ("for i in 1 2; do netperf -t TCP_RR -- -r 7,9 & done", "netperf",
         ("RR", None, 7, 9)),
        ("sockperf ping-pong --tcp -m 100", "sockperf", ("RR", None, 100, 100)),
        ("sockperf tp --msg-size=1400", "sockperf", ("STR", None, 1400, None)),
        ("tcp_rr -c -H h -F 10 -Q 64 -R 8192", "neper", ("RR", 10, 64, 8192)),
        ("tcp_crr --request-size=1 -R 2", "neper", ("CRR", None, 1, 2)),
        ("qperf h -m 64K tcp_lat", "qperf", (None, None, 65536, 65536)),
        ("iperf3 -c h -P4 -l 128K", "iperf3", ("STR", 4, 131072, None)),
        ("wrk -t2 -c8 -d4s http://h/", "wrk", (None, 8, None, None)),
        ('{"client_cmd": "netperf -t TCP_RR -- -r 5,6", "rc": 0}', "netperf",
         ("RR", None, 5, 6)),
        ("netperf -t TCP_RR -- -r many", "netperf", ("RR", None, None, None)),
        ("netperf -t 'TCP_RR -- -r 5", "netperf", ("RR", None, 5, 5)),
        ("wrk -c8 http://h/", "netperf", (None, None, None, None)),
        ("the mynetperf -r 1", "netperf", (None, None, None, None)),
    ],
)  # fmt: skip
def test_a_command_tells_its_load(command, tool, told):
    found = load_of_command(command, tool)
    names = ("shape", "clients", "request_bytes", "response_bytes")
    assert tuple(found.get(name) for name in names) == told
