"""What the parameters of a path make of a workload: its rate, and its CPU cost."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from analysis.declared.workload import Workload
from synthetic.network.declaration import Way
from synthetic.stations import Class, Station, throughputs

_UNIT = 64 * 1024  # bytes of a stream that go round together
_HEADERS = 52
_MEGABYTE = 2**20
ENDS = (("client", "server"), ("sender", "receiver"))


@dataclass(frozen=True)
class Setting:
    """A load where it runs: path, system of each role, capacity of the machine."""

    workload: Workload
    path: Way
    systems: Mapping[str, str]
    capacity: float


def packets(size: int, mtu: int) -> int:
    """Packets that carry so many bytes, with 52 bytes of headers each."""
    return math.ceil(size / (mtu - _HEADERS))


def goodput(path: Way) -> float:
    """Payload that the line can carry [bytes/s]; endless where there is no line."""
    if path.link is None:
        return math.inf
    return path.link / 8 * 1e9 * (path.mtu - _HEADERS) / (path.mtu + 38)


def least_latency(workload: Workload, path: Way) -> float:
    """Time that the line needs for one transaction that meets no other [µs]."""
    return (workload.request_bytes + workload.response_bytes) / goodput(path) * 1e6


def cost(role: str, setting: Setting) -> float:
    """CPU time of a transaction at the system of a role [µs]."""
    load, path = setting.workload, setting.path
    if role in ("distributor", "router"):
        both = packets(load.request_bytes, path.mtu)
        both += packets(load.response_bytes, path.mtu)
        return path.forward_cpu * both / setting.capacity
    if load.shape == "STR":
        megabytes = max(load.request_bytes, load.response_bytes) / _MEGABYTE
        sends = role == "sender"
        each = path.send_cpu if sends else path.receive_cpu
        return (each * megabytes + path.fixed_cpu) / setting.capacity
    received = load.response_bytes if role == "client" else load.request_bytes
    kilobytes = (load.request_bytes + load.response_bytes) / 2 / 1024
    work = path.fixed_cpu + path.packet_cpu * packets(received, path.mtu)
    work += path.byte_cpu * kilobytes
    if load.shape == "CRR":
        opening = path.connect
        work += opening.client if role == "client" else opening.server
    return work / setting.capacity


def rates(settings: list[Setting], cps: Mapping[str, int]) -> list[float]:
    """Transactions a second of loads that run at the same time."""
    solved = throughputs([_class(one, cps) for one in settings])
    return [
        rate * 1e6 / _units(one.workload)
        for rate, one in zip(solved, settings, strict=True)
    ]


def _units(load: Workload) -> float:
    """Units that one transaction consists of."""
    if load.shape != "STR":
        return 1.0
    return max(load.request_bytes, load.response_bytes) / _UNIT


def _class(setting: Setting, cps: Mapping[str, int]) -> Class:
    load, path, units = setting.workload, setting.path, _units(setting.workload)
    streams = load.shape == "STR"
    stations = {
        f"cpu {system}": Station(
            cost(role, setting) / units,
            min(load.clients, cps[system]) if streams else cps[system],
        )
        for role, system in setting.systems.items()
    }
    if streams:
        stations[f"fabric {path.port.name}"] = Station(_UNIT / path.fabric / 1000)
        return Class(load.clients * path.window, path.delay, stations)
    for way, size in (("out", load.request_bytes), ("in", load.response_bytes)):
        stations[f"line {way} {path.port.name}"] = Station(
            path.adapter * packets(size, path.mtu)
        )
    kilobytes = (load.request_bytes + load.response_bytes) / 2 / 1024
    delay = path.delay + path.delay_kb * kilobytes
    if load.shape == "CRR":
        delay += path.delay + path.connect.delay
    return Class(load.clients, delay, stations)
