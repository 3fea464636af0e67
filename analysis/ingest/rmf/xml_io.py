"""Channel, device and PCIe reports of the Postprocessor in XML.

RMF's MB are 10^6 byte: its overview conditions divide bytes by microseconds (z/OS RMF
User's Guide, conditions of records 73 and 74-9).
"""

from __future__ import annotations

from analysis.ingest.rmf.collect import Collector, Interval, Row
from analysis.ingest.rmf.figures import number, percentage, scaled
from analysis.ingest.rmf.xml_tables import Element, Fields, tables

MEGA = 1e6


def _mega(text: str) -> float | None:
    value = scaled(text)
    return None if value is None else value * MEGA


def _speed(text: str) -> float | None:
    value = scaled(text)
    return None if value is None else value / MEGA


def _text(text: str) -> str | None:
    return text or None


def _online(text: str) -> bool | None:
    return text.lower() == "online" if text else None


_CHANNEL: Fields = (
    ("online", ("Status",), _online),
    ("kind", ("Type",), _text),
    ("speed_mbps", ("Speed",), _speed),
    ("partition_busy_pct", ("Util%", "LPAR"), percentage),
    ("total_busy_pct", ("Util%", "Total"), percentage),
    ("bus_busy_pct", ("Util%", "Bus"), percentage),
    ("partition_read_bytes_per_second", ("Read MB/Sec", "LPAR"), _mega),
    ("total_read_bytes_per_second", ("Read MB/Sec", "Total"), _mega),
    ("partition_write_bytes_per_second", ("Write MB/Sec", "LPAR"), _mega),
    ("total_write_bytes_per_second", ("Write MB/Sec", "Total"), _mega),
    ("partition_write_bytes_per_second", ("Write B/Sec", "LPAR"), scaled),
    ("total_write_bytes_per_second", ("Write B/Sec", "Total"), scaled),
    ("partition_messages_per_second", ("Message Rate", "LPAR"), scaled),
    ("total_messages_per_second", ("Message Rate", "Total"), scaled),
    ("send_failures_per_second", ("Send Failed", "LPAR"), scaled),
    ("receive_failures_per_second", ("Receive Failed", "LPAR"), scaled),
)


def add_channels(report: Element, interval: Interval, to: Collector) -> None:
    """The rows of ``channel_interval``: channel paths, HiperSockets among them.

    A channel path that several tables of the report name becomes one row.
    """
    rows: dict[str, Row] = {}
    for table in tables(report):
        if not table.has("Channel Path ID"):
            continue
        for cells in table.rows:
            channel = table.cell(cells, "Channel Path ID")
            if channel:
                found = table.fields(cells, _CHANNEL)
                if channel in rows:
                    _fill(rows[channel], found)
                else:
                    rows[channel] = found | {"channel": channel}
    for row in rows.values():
        to.add("channel_interval", interval, row)


def _fill(row: Row, more: Row) -> None:
    for name, value in more.items():
        if row.get(name) is None:
            row[name] = value


_DEVICE: Fields = (
    ("device", ("Device Number",), _text),
    ("volume", ("Volume",), _text),
    ("lcu", ("LCU",), _text),
    ("kind", ("Device Type",), _text),
    ("rate", ("Device Activity Rate",), number),
    ("response_ms", ("Average Response Time",), number),
    ("iosq_ms", ("IOS Queue",), number),
    ("pending_ms", ("Pending",), number),
    ("disconnect_ms", ("Average", "Disconnect"), number),
    ("connect_ms", ("Average", " Connect Time"), number),
    ("busy_pct", ("% Device Utilized",), number),
    ("connect_pct", ("% Device Connect",), number),
)


def add_devices(report: Element, interval: Interval, to: Collector) -> None:
    """The rows of ``device_interval``; times are means over requests."""
    for table in tables(report):
        if table.has("Device Number"):
            for cells in table.rows:
                row = table.fields(cells, _DEVICE)
                if row.get("device"):
                    to.add("device_interval", interval, row)


_FUNCTION: Fields = (
    ("channel", ("CHID",), _text),
    ("device", ("Function Name",), _text),
    ("job", ("Job",), _text),
    ("allocated_seconds", ("Alloc", "Time"), number),
    ("read", ("Read", "Rate"), _mega),
    ("written", ("Write", "Rate"), _mega),
    ("received", ("Received",), _mega),
    ("sent", ("Transmitted",), _mega),
)


def add_functions(report: Element, interval: Interval, to: Collector) -> None:
    """The rows of ``pcie_interval``: bytes are rates × allocated time."""
    rows: dict[str, Row] = {}
    for table in tables(report):
        if not table.has("Function ID"):
            continue
        for cells in table.rows:
            function = table.cell(cells, "Function ID")
            if function:
                row = rows.setdefault(function, {"function": function})
                _fill(row, table.fields(cells, _FUNCTION))
    for row in rows.values():
        to.add("pcie_interval", interval, row | _moved(row, interval.length))


def _moved(row: Row, seconds: float) -> Row:
    """Bytes by direct memory access, or of the Ethernet side."""
    allocated = row.get("allocated_seconds")
    time = seconds if allocated is None else allocated
    for counts, rates in (("dma", ("read", "written")), ("ethernet", _ETHERNET)):
        both = [row.get(rate) for rate in rates]
        if any(rate is not None for rate in both):
            inward, outward = (None if r is None else round(r * time) for r in both)
            return {"counts": counts, "bytes_in": inward, "bytes_out": outward}
    return {}


_ETHERNET = ("received", "sent")
