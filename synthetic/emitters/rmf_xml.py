"""RMF's Postprocessor in XML (``<ddsml>``): CPU, WLMGL, DEVICE and VSTOR reports."""

from __future__ import annotations

from collections.abc import Iterator

from synthetic.ddsml import Interval, document, minutes, table
from synthetic.emitters.emitter import Emitter
from synthetic.emitters.rmf_report import RmfReport, RmfReports
from synthetic.emitters.rmf_xml_classes import class_segment, part, policy, segment
from synthetic.emitters.rmf_xml_storage import storage_segments
from synthetic.emitters.smf_74_1 import DeviceValues

_DEVICES = [
    "Device Number",
    "Device Type",
    "Volume Serial Number",
    "LCU Number",
    "Device Activity Rate",
    "Average Response Time",
    "Average IOS Queue Time",
    "Average Device Pending Time",
    "Average Device Disconnect Time",
    "Average Device Connect Time",
    "% Device Connect Time",
    "% Device Utilized",
]


def write(of: RmfReports) -> bytes:
    """The whole document."""
    parts = [text for each in of.intervals for text in _reports(each)]
    release = of.intervals[0].release if of.intervals else "V3R2"
    return document(*parts, server=f"ZOS{release}", comment=of.label).encode()


def _reports(of: RmfReport) -> Iterator[str]:
    if of.cpus:
        yield _cpus(of)
    if of.classes:
        segments = [class_segment(each, of) for each in of.classes]
        yield _report(
            of, 'id="WLMGL" option="SCLASS"', "Workload Activity Report", *segments,
            policy(of),
        )  # fmt: skip
    if of.storage:
        segments = storage_segments(of.storage)
        yield _report(of, 'id="VSTOR"', "Virtual Storage Activity Report", *segments)
    if of.devices:
        rows = [(_device(each, of.seconds), False) for each in of.devices]
        inner = segment(
            "Direct Access Device Activity", part("", table(_DEVICES, rows))
        )
        yield _report(of, 'id="DEVICE"', "Device Activity Report", inner)


def _times(of: RmfReport) -> tuple[str, str]:
    begin, end = (f"{moment:%m/%d/%Y-%H.%M.%S}" for moment in of.times)
    return begin, end


def _cpus(of: RmfReport) -> str:
    return Interval(
        tuple(cpu.layout(of.seconds) for cpu in of.cpus),
        *_times(of),
        of.seconds,
        of.system,
        of.system,
        machine=(of.family, of.model),
        level=f"z/OS {of.release}",
        dedicated=of.dedicated,
    ).xml()


def _report(of: RmfReport, metric: str, about: str, *segments: str) -> str:
    start, end = _times(of)
    classes = "WLMGL" in metric
    name, kind = (of.plex, "SYSPLEX") if classes else (of.system, "SYSTEM")
    *most, last = segments
    return f"""
  <postprocessor>
    <metric {metric}>
      <description>{about}</description>
      <type>Interval</type></metric>
    <resource><resname>{name}</resname><restype>{kind}</restype></resource>
    <time-data><display-start locale="en-us">{start}</display-start>
      <display-end locale="en-us">{end}</display-end>
      <report-interval unit="minutes">{minutes(of.seconds)}</report-interval>
    </time-data>
    {"".join(most)}
    {last}
  </postprocessor>"""


def _device(it: DeviceValues, seconds: float) -> list[str]:
    share = it.requests / 1000 / seconds / it.exposures * 100
    connected, used = it.connect_ms * share, (it.connect_ms + it.disconnect_ms) * share
    times = (it.pending_ms, it.disconnect_ms, it.connect_ms)
    return [
        f"0{it.device}",
        "33909",
        it.volume,
        f"{it.lcu:04X}",
        f"{it.requests / seconds:.3f}",
        f"{sum(times):.3f}",
        "0.000",
        *(f"{time:.3f}" for time in times),
        f"{connected:.2f}",
        f"{used:.2f}",
    ]


EMITTER = Emitter("rmf_xml", "RMF Postprocessor (XML)", "rmf_xml", RmfReports, write)
