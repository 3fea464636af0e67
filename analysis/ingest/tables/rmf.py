"""What reports of RMF add to the tables of z/OS: columns, tables and comments."""

from __future__ import annotations

import polars as pl

Schema = dict[str, pl.DataType]
S, F, I = pl.String(), pl.Float64(), pl.Int64()  # noqa: E741 - column types
_TIMED: Schema = {"start_utc": S, "seconds": F}
_ORIGIN: Schema = {"source": S, "position": I}

RMF_MORE: dict[str, Schema] = {
    "class_interval": {"response_ms": F},
    "channel_interval": {
        "kind": S,
        "speed_mbps": F,
        "total_busy_pct": F,
        "bus_busy_pct": F,
        "partition_read_bytes_per_second": F,
        "total_read_bytes_per_second": F,
        "partition_write_bytes_per_second": F,
        "total_write_bytes_per_second": F,
        "partition_messages_per_second": F,
        "total_messages_per_second": F,
        "send_failures_per_second": F,
        "receive_failures_per_second": F,
    },
    "device_interval": {
        "kind": S,
        "rate": F,
        "response_ms": F,
        "iosq_ms": F,
        "busy_pct": F,
        "connect_pct": F,
    },
}

RMF_TABLES: dict[str, Schema] = {
    "xcf_interval": {
        "system": S,
        "scope": S,
        "direction": S,
        "partner": S,
        "transport_class": S,
        "xcf_group": S,
        "member": S,
        "status": S,
        **_TIMED,
        "requests_out": I,
        "requests_in": I,
        "rejected": I,
        **_ORIGIN,
    },
    "storage_interval": {
        "system": S,
        "area": S,
        "place": S,
        **_TIMED,
        "minimum_bytes": F,
        "maximum_bytes": F,
        "mean_bytes": F,
        **_ORIGIN,
    },
    "storage_snapshot": {
        "system": S,
        "job": S,
        "area": S,
        "place": S,
        "start_utc": S,
        "current_bytes": F,
        "current_bytes_resolution": F,
        "maximum_bytes": F,
        "allocated_bytes": F,
        "limit_bytes": F,
        **_ORIGIN,
    },
    "metric_interval": {
        "system": S,
        "report": S,
        "resource": S,
        "metric": S,
        **_TIMED,
        "value": F,
        **_ORIGIN,
    },
}

RMF_TABLE_COMMENTS = {
    "xcf_interval": "XCF requests by transport class, member or path",
    "storage_interval": "Common virtual storage by area and key",
    "storage_snapshot": "Storage by area at one moment, as a console displays it",
    "metric_interval": "Figures by the name that their report gives them: of RMF "
    "Monitor III, overview reports and mapped CSV files",
}

RMF_COLUMNS = {
    "total_busy_pct": "channel busy for all LPARs [%]",
    "bus_busy_pct": "bus of the channel busy [%]",
    "channel_interval.kind": "type of the channel path, such as OSD or IQD",
    "channel_interval.speed_mbps": "speed of the channel path [Mbit/s]",
    "partition_read_bytes_per_second": "bytes read for this LPAR [byte/s]",
    "total_read_bytes_per_second": "bytes read for all LPARs [byte/s]",
    "partition_write_bytes_per_second": "bytes written for this LPAR [byte/s]",
    "total_write_bytes_per_second": "bytes written for all LPARs [byte/s]",
    "partition_messages_per_second": "HiperSockets messages of this LPAR [1/s]",
    "total_messages_per_second": "HiperSockets messages of all LPARs [1/s]",
    "send_failures_per_second": "messages that this LPAR could not send [1/s]",
    "receive_failures_per_second": "messages that this LPAR could not receive [1/s]",
    "device_interval.kind": "type of the device",
    "device_interval.rate": "start subchannel requests a second [1/s]",
    "device_interval.response_ms": "mean response time of a request [ms]",
    "device_interval.busy_pct": "share of the time that the device was in use [%]",
    "class_interval.response_ms": "mean response time of ended transactions [ms]",
    "iosq_ms": "mean time in the queue of IOS [ms]",
    "connect_pct": "share of the time that the device was connected [%]",
    "scope": "what the rows are by, as the report says it",
    "direction": "local, outbound or inbound",
    "partner": "system at the other end",
    "transport_class": "XCF transport class",
    "xcf_group": "XCF group",
    "member": "member of the XCF group",
    "xcf_interval.status": "as printed, such as Active",
    "requests_out": "requests sent",
    "requests_in": "requests received",
    "rejected": "requests rejected",
    "area": "area of storage, or storage key, as the report names it",
    "place": "below 16M or above 16M, 31-bit or 64-bit; null where none is told",
    "storage_snapshot.start_utc": "when it was displayed [UTC, ISO 8601]",
    "storage_snapshot.job": "job that the storage belongs to; null of the system's",
    "current_bytes": "in use [byte]",
    "allocated_bytes": "in use and free, of a pool [byte]",
    "limit_bytes": "the most that may be in use; null where there is no limit [byte]",
    "storage_snapshot.maximum_bytes": "most in use since the start [byte]",
    "minimum_bytes": "least in the interval [byte]",
    "maximum_bytes": "most in the interval [byte]",
    "mean_bytes": "mean of the interval [byte]",
    "report": "the report, such as CPC or OVERVIEW",
    "resource": "what the figure is of, such as a partition or a channel",
    "metric": "name of the figure: column id, or condition of the overview",
    "value": "the figure, in the unit of the report",
}
