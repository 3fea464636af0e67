"""RMF's Postprocessor in text, with ASA control: activity of CPUs, classes, devices."""

from __future__ import annotations

from collections.abc import Iterator

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.rmf_report import ClassReport, RmfReport, RmfReports
from synthetic.emitters.smf_74_1 import DeviceValues
from synthetic.listing import Cpus, Listing
from synthetic.listing_classes import Block, policy_lines
from synthetic.listing_devices import HEADS, device_head, device_line

_CPUS_A_PAGE = 32
_DEVICES_A_PAGE = 50


def write(of: RmfReports) -> bytes:
    """All pages, below a line that says what this is."""
    pages = "".join(page for each in of.intervals for page in _pages(each))
    return f" {of.label}\n{pages}".encode()


def _pages(of: RmfReport) -> Iterator[str]:
    begin = of.times[0]
    minutes, rest = divmod(of.millis, 60_000)
    length = f"{minutes:02d}.{rest // 1000:02d}.{rest % 1000:03d}"
    date, time = f"{begin:%m/%d/%Y}", f"{begin:%H.%M.%S}"
    listing = Listing(of.system, date, time, length, release=of.release)
    if of.cpus:
        yield from _cpus(of, listing)
    if of.classes:
        lines = [line for each in of.classes for line in _class(each, of)]
        policy = policy_lines(of.ziip_factor, [of.system], of.zaap_factor)
        title = "WORKLOAD ACTIVITY"
        yield listing.page(title, *lines, plex=of.plex)
        yield listing.page(title, *policy, page=2, plex=of.plex)
    yield from _devices(of, listing)


def _devices(of: RmfReport, listing: Listing) -> Iterator[str]:
    for page, first in enumerate(range(0, len(of.devices), _DEVICES_A_PAGE), 1):
        some = of.devices[first : first + _DEVICES_A_PAGE]
        lines = [device_head(round(of.seconds)), *HEADS]
        lines += [_device(each, of.seconds) for each in some]
        yield listing.page("DIRECT ACCESS DEVICE ACTIVITY", *lines, page=page)


def _device(it: DeviceValues, seconds: float) -> str:
    share = it.requests / 1000 / seconds / it.exposures * 100
    used = (it.connect_ms * share, (it.connect_ms + it.disconnect_ms) * share)
    times = (it.pending_ms, it.disconnect_ms, it.connect_ms)
    rate = it.requests / seconds
    return device_line(it.device, it.volume, it.lcu, rate, times, used, it.exposures)


def _cpus(of: RmfReport, listing: Listing) -> Iterator[str]:
    cpus = Cpus(
        [cpu.layout(of.seconds) for cpu in of.cpus],
        of.seconds,
        of.system,
        weight="DED" if of.dedicated else "100",
        machine=(of.family, of.model),
    )
    for page, first in enumerate(range(0, len(of.cpus), _CPUS_A_PAGE), 1):
        lines = cpus.activity(first, first + _CPUS_A_PAGE)
        yield listing.page("CPU ACTIVITY", *lines, page=page)
    yield listing.page("PARTITION DATA REPORT", *cpus.partitions(), page=9)


def _class(it: ClassReport, of: RmfReport) -> list[str]:
    block = Block(
        it.name,
        it.kind.upper(),
        it.cp_seconds * it.tcb_share,
        it.cp_seconds * (1 - it.tcb_share),
        0.0,
        0.0,
        it.ziip_seconds,
        it.ziip_on_cp_seconds,
        str(it.ended),
        f"PERIOD=1 IMPORTANCE={it.importance}",
        (it.response_ms or 0.0) / 1000,
        zaap=it.zaap_seconds,
        zaap_on_cp=it.zaap_on_cp_seconds,
        zaap_factor=of.zaap_factor,
        workload=it.workload,
    )
    return block.new(of.ziip_factor, of.seconds)


EMITTER = Emitter("rmf_text", "RMF Postprocessor (text)", "rmf_text", RmfReports, write)
