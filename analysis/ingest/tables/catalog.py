"""The tables of ``perf.duckdb``: names, columns, types, comments and units.

Times are UTC, ISO 8601 text with microseconds and a trailing ``Z``, which sorts and
compares as time does. Every row that was read from a file says which (``source``,
the file's sha256) and where (``position``: byte offset of the record, or line). A
column ``<name>_resolution`` has the step in which the source tells ``<name>``.

A column means the same in every table, unless ``table.column`` says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from analysis.declared.workload import SHAPES
from analysis.ingest.printed import Resolved
from analysis.ingest.smf.columns import (
    END,
    ORIGIN,
    SECONDS,
    START,
    SYSTEM,
    B,
    DeclaredTable,
    F,
    I,
    S,
    by_name,
    column,
)
from analysis.ingest.smf.types import TABLES as SMF_TABLES

Schema = dict[str, pl.DataType]
_MOST = 2**63 - 1
_RESOLUTION = "_resolution"
_STEP = (
    "step in which the source tells {}, in its unit; null where it is negligible or "
    "not known"
)

_TABLES = (
    DeclaredTable("campaign",
                  "One row a campaign: from which files its tables were made", (
        column("campaign", "folder in raw/; every table of the database has it", S),
        column("digest", "hash of the names and bytes of all files of the campaign", S),
    )),
    DeclaredTable("source",
                  "One row a raw file of a campaign, also one that cannot be used", (
        column("file", "path below the campaign's folder", S),
        column("sha256", "sha256 of the file's bytes, in hex", S),
        column("format", "format by content; document: no run names the file", S),
        column("bytes", "size [byte]"),
        column("campaign", type=S),
        column("status", "ok, degraded, failed, truncated or empty", S),
        column("reason", "why the status is not ok", S),
        column("problems", "JSON list of {line or offset, message}", S),
        column("timed",
               "over which time the rates of a log of this format are, in words", S),
    )),
    DeclaredTable("run", "One row a declared run, also one that failed", (
        column("run", "id of the run, unique within its campaign", S),
        column("campaign", type=S),
        column("configuration", "id of the configuration in campaign.yaml", S),
        column("workload", "canonical name, such as CRR10(64B/8kB)", S),
        column("repetition", "1, 2, 3 … of this workload on this configuration"),
        column("session",
               "id of the session: runs without a restart of the systems or a new "
               "set-up between them; null where it is not recorded", S),
        START,
        END,
        column("origin", "measured, published, modelled or synthetic", S),
        column("status", "ok, degraded, failed, truncated or empty", S),
        column("reason", type=S),
        column("idle_before",
               "share of CPU time that was idle just before the run [0 to 1]", F),
        column("tick_coverage",
               "accounted clock ticks / (seconds x CPUs x HZ) [0 to about 1]", F),
        column("log", "the benchmark's log, a file of the table source", S),
    )),
    DeclaredTable("run_role", "Which system had which role in a run", (
        column("run", "run; null where a file serves many runs", S),
        column("campaign", type=S),
        column("role",
               "client, server, sender, receiver, distributor, target or router", S),
        SYSTEM,
    )),
    DeclaredTable("benchmark", "One row a benchmark's result, from the log of a run", (
        column("run", "run; null where a file serves many runs", S),
        column("tool", "program that made the load", S),
        column("test",
               "which result of a log that holds several, such as RETR or new", S),
        column("shape", f"{', '.join(SHAPES)} or null", S),
        column("clients", "number of concurrent clients"),
        column("request_bytes", "bytes that a client sends in a transaction [byte]"),
        column("response_bytes",
               "bytes that a client receives in a transaction [byte]"),
        column("start_utc", "start of the steady part [UTC, ISO 8601]", S),
        column("seconds", "length of the steady part [s]", F),
        column("transactions", "transactions of the whole log, warm-up included"),
        column("rate", "transactions a second in the steady part [1/s]", F),
        column("latency_mean_us",
               "mean time of a transaction over the whole log [µs]", F),
        column("latency_p50_us", "median time of a transaction [µs]", F),
        column("latency_p90_us",
               "90th percentile of the time of a transaction [µs]", F),
        column("latency_p99_us",
               "99th percentile of the time of a transaction [µs]", F),
        column("latency_p999_us",
               "99.9th percentile of the time of a transaction [µs]", F),
        column("latency_max_us", "longest time of a transaction [µs]", F),
        column("latency_deviation_us",
               "standard deviation of the time of a transaction [µs]", F),
        column("jitter_us",
               "mean change of the time that a datagram is under way, from one to the "
               "next, smoothed as RFC 3550 has it [µs]", F),
        column("bytes_per_second",
               "bytes moved both ways in the steady part [byte/s]", F),
        column("bytes_moved",
               "bytes moved both ways in the whole log, warm-up included [byte]", F),
        column("errors", "errors that the tool counted"),
        column("retransmits", "segments of TCP that were sent again"),
        column("datagrams", "datagrams or messages that were sent and counted"),
        column("lost_datagrams", "of the datagrams, those that did not arrive"),
        column("late_datagrams",
               "of the datagrams, those that arrived after one sent later"),
        column("figures",
               "other numbers of the log: a JSON object of them by name", S),
        column("rate_resolution", type=F),
        column("latency_mean_us_resolution", type=F),
        column("latency_p50_us_resolution", type=F),
        column("latency_p90_us_resolution", type=F),
        column("latency_p99_us_resolution", type=F),
        column("latency_p999_us_resolution", type=F),
        column("latency_max_us_resolution", type=F),
        column("latency_deviation_us_resolution", type=F),
        column("jitter_us_resolution", type=F),
        column("bytes_per_second_resolution", type=F),
        *ORIGIN,
    )),
    DeclaredTable("interval",
                  "One row an interval that a benchmark's log tells, inside its run; "
                  "those of mpstat, sar and sadf are in cpu_interval", (
        column("run", "run; null where a file serves many runs", S),
        column("start_s",
               "start of the interval, from that of the measured part; below zero in "
               "what the tool leaves out [s]", F),
        SECONDS,
        column("rate", "transactions a second in the interval [1/s]", F),
        column("bytes_per_second", "bytes moved in it, of all ways [byte/s]", F),
        column("retransmits", "segments of TCP that were sent again in it"),
        column("omitted", "1 where the tool leaves it out of its result, as a warm-up"),
        *ORIGIN,
    )),
    DeclaredTable("run_cpu", "CPU time of a run by role, over the window of the run", (
        column("run", "run; null where a file serves many runs", S),
        column("role",
               "client, server, sender, receiver, distributor, target or router", S),
        SYSTEM,
        column("cpu_type", type=S),
        column("cpu_seconds", "CPU time used in the run [s]", F),
        column("cpu_seconds_resolution", type=F),
        column("system_seconds", "part of the CPU time in kernel mode [s]", F),
        column("coverage",
               "share of the run's window that the evidence covers [0 to about 1]", F),
        column("method", "where the CPU time comes from: cgroup, procstat, …", S),
        column("scope", "what the rows are by, as the report says it", S),
        *ORIGIN,
    )),
    DeclaredTable("run_counter", "Hardware counters and energy of a run by side", (
        column("run", "run; null where a file serves many runs", S),
        column("role",
               "client, server, sender, receiver, distributor, target or router", S),
        SYSTEM,
        column("cycles"),
        column("instructions"),
        column("counted_seconds",
               "CPU time in which cycles and instructions were counted [s]; null where "
               "they are of a whole system", F),
        column("joules", "energy of all processor packages of the machine [J]", F),
        SECONDS,
        column("scope", "what the rows are by, as the report says it", S),
        column("basis", "tool that measured", S),
        *ORIGIN,
    )),
    DeclaredTable("energy_counter",
                  "Energy counters of a Linux system (powercap, RAPL)", (
        SYSTEM,
        column("zone", "number and name of a package, such as 0 package-0", S),
        column("read_utc", "when the counters were read [UTC, ISO 8601]", S),
        column("joules", "energy of all processor packages of the machine [J]", F),
        column("range_joules", "value at which the counter begins anew [J]", F),
        column("run", "run; null where a file serves many runs", S),
        *ORIGIN,
    )),
    DeclaredTable("cpu_counter",
                  "Cumulative clock ticks of a Linux system since boot (/proc/stat)", (
        SYSTEM,
        column("cpu", "all, or the CPU's number", S),
        column("busy_ticks",
               "user, nice, system, irq and softirq ticks since boot [1/HZ s]"),
        column("idle_ticks", "idle and iowait ticks since boot [1/HZ s]"),
        column("steal_ticks",
               "ticks that the hypervisor gave to others since boot [1/HZ s]"),
        column("run", "run; null where a file serves many runs", S),
        *ORIGIN,
    )),
    DeclaredTable("process_interval",
                  "CPU time of a process over an interval (pidstat)", (
        SYSTEM,
        column("process", "name of the command", S),
        column("pid", "process number"),
        START,
        SECONDS,
        column("cpu_seconds", "CPU time used in the run [s]", F),
        column("user_seconds", "part of the CPU time in user mode [s]", F),
        column("system_seconds", "part of the CPU time in kernel mode [s]", F),
        column("basis", "tool that measured", S),
        column("run", "run; null where a file serves many runs", S),
        *ORIGIN,
    )),
    DeclaredTable("cgroup_counter", "Cumulative CPU time of a control group", (
        SYSTEM,
        column("usage_seconds", "CPU time since the control group was made [s]", F),
        column("usage_seconds_resolution", type=F),
        column("user_seconds", type=F),
        column("system_seconds", type=F),
        column("throttled_seconds",
               "time that its CPU limit held the control group back [s]", F),
        column("run", "run; null where a file serves many runs", S),
        *ORIGIN,
    )),
    DeclaredTable("gateway_interval", "Requests to a CICS Transaction Gateway", (
        column("run", "run; null where a file serves many runs", S),
        SYSTEM,
        column("gateway", "name of the gateway daemon", S),
        START,
        SECONDS,
        column("transactions", "requests that ended"),
        column("response_ms", "mean response time of the gateway [ms]", F),
        column("response_ms_resolution", type=F),
        column("basis", "interval (GD_I…), or lifetime: differences of GD_L…", S),
        *ORIGIN,
    )),
    DeclaredTable("xcf_interval", "XCF requests by transport class, member or path", (
        SYSTEM,
        column("scope", "what the rows are by, as the report says it", S),
        column("direction", "local, outbound or inbound", S),
        column("partner", "system at the other end", S),
        column("transport_class", "XCF transport class", S),
        column("xcf_group", "XCF group", S),
        column("member", "member of the XCF group", S),
        column("status", "as printed, such as Active", S),
        START,
        SECONDS,
        column("requests_out", "requests sent"),
        column("requests_in", "requests received"),
        column("rejected", "requests rejected"),
        *ORIGIN,
    )),
    DeclaredTable("storage_snapshot",
                  "Storage by area at one moment, as a console displays it", (
        SYSTEM,
        column("job", "job that the storage belongs to; null of the system's", S),
        column("area", type=S),
        column("place", type=S),
        column("start_utc", "when it was displayed [UTC, ISO 8601]", S),
        column("current_bytes", "in use [byte]", F),
        column("current_bytes_resolution", type=F),
        column("maximum_bytes", "most in use since the start [byte]", F),
        column("allocated_bytes", "in use and free, of a pool [byte]", F),
        column("limit_bytes",
               "the most that may be in use; null where there is no limit [byte]", F),
        *ORIGIN,
    )),
    DeclaredTable("connection_snapshot",
                  "TCP connections and UDP sockets when NETSTAT displayed them", (
        SYSTEM,
        column("stack", type=S),
        column("job", "name of the job, started task or user", S),
        column("connection", "number of the connection"),
        column("state", "state, such as Establsh or Listen", S),
        column("local_ip", "IP address on this side; null: any", S),
        column("local_port", "port on this side"),
        column("remote_ip", "IP address of the partner; null: none", S),
        column("remote_port", "port of the partner"),
        column("bytes_in"),
        column("bytes_out"),
        column("segments_in", "TCP segments received"),
        column("segments_out", "TCP segments sent"),
        column("retransmits", "TCP segments sent again"),
        column("duplicate_acks_in", "duplicate acknowledgements received"),
        column("rtt_ms", "smoothed round-trip time [ms]", F),
        column("rtt_deviation_ms", "how far round-trip times are off rtt_ms [ms]", F),
        column("segment_bytes", "largest segment that it sends [byte]"),
        column("send_window_bytes", "send window [byte]"),
        column("most_send_window_bytes", "largest send window [byte]"),
        column("congestion_window_bytes", "congestion window [byte]"),
        column("receive_window_bytes", "receive window [byte]"),
        column("smcr", "state of SMC-R, such as Active", S),
        column("smcr_reason", "why SMC-R is not used, as a code", S),
        column("smcd", "state of SMC-D, such as Active", S),
        column("smcd_reason", "why SMC-D is not used, as a code", S),
        *ORIGIN,
    )),
    DeclaredTable("interface_snapshot",
                  "Interfaces when NETSTAT displayed them, with counts since they "
                  "started", (
        SYSTEM,
        column("stack", type=S),
        column("interface", "name of the interface or link", S),
        column("kind", "type of the interface, such as IPAQENET or RNIC", S),
        column("status", "its status, such as Ready", S),
        column("chpid_type", "type of its channel path, such as OSD", S),
        column("mtu", "largest packet [byte]"),
        column("speed_mbps", "speed of the interface [Mbit/s]", F),
        column("inbound", "how it is interrupted for packets received (INBPERF)", S),
        column("workload_queueing",
               "whether packets received are sorted into several queues (IWQ)", B),
        column("read_storage", "storage for packets received", S),
        column("pnetid", "name of its physical network", S),
        column("smcr", "whether it is for SMC-R", S),
        column("smcd", "whether it is for SMC-D", S),
        column("bytes_in"),
        column("bytes_out"),
        column("packets_in", "packets received"),
        column("packets_out", "packets sent"),
        column("errors_in", "packets received with errors"),
        column("errors_out", "packets not sent for errors"),
        column("discards_in", "packets received and discarded"),
        column("discards_out", "packets discarded before they were sent"),
        column("operations_in", "operations received, of RNIC and ISM"),
        column("operations_out", "operations sent, of RNIC and ISM"),
        *ORIGIN,
    )),
    DeclaredTable("metric_interval",
                  "Figures by the name that their report gives them: of RMF Monitor "
                  "III, overview reports and mapped CSV files", (
        SYSTEM,
        column("report", "the report, such as CPC or OVERVIEW", S),
        column("resource",
               "what the figure is of, such as a partition or a channel", S),
        column("metric",
               "name of the figure: column id, or condition of the overview", S),
        START,
        SECONDS,
        column("value", "the figure, in the unit of the report", F),
        *ORIGIN,
    )),
)  # fmt: skip
DECLARED = by_name((*_TABLES, *SMF_TABLES))
TABLES: dict[str, Schema] = {name: table.schema for name, table in DECLARED.items()}
BENCHMARK = TABLES["benchmark"]


def _comments() -> dict[str, str]:
    """What columns mean, by name, and by ``table.column`` where that is another."""
    tables = (*SMF_TABLES, *_TABLES)
    every = [(table, one) for table in tables for one in table.columns]
    named: dict[str, str] = {}
    for _, one in every:
        step = one.name.removesuffix(_RESOLUTION)
        comment = one.comment or (_STEP.format(step) if step != one.name else "")
        if comment:
            named.setdefault(one.name, comment)
    return named | {
        f"{table.name}.{one.name}": one.comment
        for table, one in every
        if one.comment and one.comment != named[one.name]
    }


COLUMNS = _comments()


def _integer(value: float) -> int:
    if abs(value) <= _MOST and (whole := int(value)) == value:
        return whole
    raise ValueError(f"{value!r:.40} is no whole number of 64 bits")


_VALUES: dict[pl.DataType, Callable[[Any], Any]] = {S: str, F: float, I: _integer}


def result_row(cells: Mapping[str, Any]) -> dict[str, Any]:
    """A row of ``benchmark`` with all columns and their types; absent ones are null."""
    return {
        column: None if (cell := _cell(cells, column)) is None else _VALUES[kind](cell)
        for column, kind in BENCHMARK.items()
    }


def _cell(row: Mapping[str, Any], column: str) -> Any:
    """The value of a column; a resolution is that of the number which it is of."""
    if column in row or not column.endswith(_RESOLUTION):
        return row.get(column)
    number = row.get(column.removesuffix(_RESOLUTION))
    return number.resolution or None if isinstance(number, Resolved) else None


def frame(table: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Rows as a frame with all columns of the table; absent columns are null.

    A ``ValueError`` names a number that has more than 64 bits."""
    schema = TABLES[table]
    try:
        return pl.DataFrame(
            [{c: _cell(row, c) for c in schema} for row in rows], schema
        )
    except (OverflowError, pl.exceptions.ComputeError):
        for row in rows:
            _check(table, row)
        raise


def _check(table: str, row: Mapping[str, Any]) -> None:
    for name, kind in TABLES[table].items():
        if kind == I and row.get(name) is not None:
            try:
                _integer(row[name])
            except ValueError as error:
                raise ValueError(f"{table}.{name}: {error}") from None
