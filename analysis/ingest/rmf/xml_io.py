"""Channel, device and PCIe reports of the Postprocessor in XML.

RMF's MB are 10^6 byte: its overview conditions divide bytes by microseconds (z/OS RMF
User's Guide, conditions of records 73 and 74-9).
"""

from __future__ import annotations

from analysis.ingest.rmf.clock import ReportInterval
from analysis.ingest.rmf.collect import Collector, Row
from analysis.ingest.rmf.columns import (
    numbers,
    same_as,
    scaled_by,
    words,
)
from analysis.ingest.rmf.figures import number, scaled
from analysis.ingest.rmf.xml_tables import ColumnFields, Element, Fields, tables

MEGA = 1e6


_mega, _speed = scaled_by(MEGA), scaled_by(1 / MEGA)
_CHANNEL: ColumnFields = (
    ("channel", ("Channel Path ID",), words),
    ("online", ("Status",), same_as("online")),
    ("kind", ("Type",), words),
    ("speed_mbps", ("Speed",), _speed),
    ("partition_busy_pct", ("Util%", "LPAR"), numbers),
    ("total_busy_pct", ("Util%", "Total"), numbers),
    ("bus_busy_pct", ("Util%", "Bus"), numbers),
    ("partition_read_bytes_per_second", ("Read MB/Sec", "LPAR"), _mega),
    ("total_read_bytes_per_second", ("Read MB/Sec", "Total"), _mega),
    ("partition_write_bytes_per_second", ("Write MB/Sec", "LPAR"), _mega),
    ("total_write_bytes_per_second", ("Write MB/Sec", "Total"), _mega),
    ("partition_write_bytes_per_second", ("Write B/Sec", "LPAR"), scaled_by(1)),
    ("total_write_bytes_per_second", ("Write B/Sec", "Total"), scaled_by(1)),
    ("partition_messages_per_second", ("Message Rate", "LPAR"), scaled_by(1)),
    ("total_messages_per_second", ("Message Rate", "Total"), scaled_by(1)),
    ("send_failures_per_second", ("Send Failed", "LPAR"), scaled_by(1)),
    ("receive_failures_per_second", ("Receive Failed", "LPAR"), scaled_by(1)),
)


def add_channels(report: Element, interval: ReportInterval, to: Collector) -> None:
    """The rows of ``channel_interval``: channel paths, HiperSockets among them."""
    _add_texts("channel_interval", _CHANNEL, report, interval, to)


_DEVICE: ColumnFields = (
    ("device", ("Device Number",), words),
    ("volume", ("Volume",), words),
    ("lcu", ("LCU",), words),
    ("kind", ("Device Type",), words),
    ("rate", ("Device Activity Rate",), numbers),
    ("response_ms", ("Average Response Time",), numbers),
    ("iosq_ms", ("IOS Queue",), numbers),
    ("pending_ms", ("Pending",), numbers),
    ("disconnect_ms", ("Average", "Disconnect"), numbers),
    ("connect_ms", ("Average", " Connect Time"), numbers),
    ("busy_pct", ("% Device Utilized",), numbers),
    ("connect_pct", ("% Device Connect",), numbers),
)


def add_devices(report: Element, interval: ReportInterval, to: Collector) -> None:
    """The rows of ``device_interval``; times are means over requests."""
    _add_texts("device_interval", _DEVICE, report, interval, to)


def _add_texts(
    name: str,
    fields: ColumnFields,
    report: Element,
    interval: ReportInterval,
    to: Collector,
) -> None:
    """Rows of the tables that have the first of the fields, which no row may lack."""
    for table in tables(report):
        if table.has(*fields[0][1]):
            to.add_texts(name, interval, *table.texts(fields))


def _bytes(text: str) -> float | None:
    value = scaled(text)
    return None if value is None else value * MEGA


def _fill(row: Row, more: Row) -> None:
    for name, value in more.items():
        if row.get(name) is None:
            row[name] = value


def _text(text: str) -> str | None:
    return text or None


_FUNCTION: Fields = (
    ("channel", ("CHID",), _text),
    ("device", ("Function Name",), _text),
    ("job", ("Job",), _text),
    ("allocated_seconds", ("Alloc", "Time"), number),
    ("read", ("Read", "Rate"), _bytes),
    ("written", ("Write", "Rate"), _bytes),
    ("received", ("Received",), _bytes),
    ("sent", ("Transmitted",), _bytes),
)


def add_functions(report: Element, interval: ReportInterval, to: Collector) -> None:
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
