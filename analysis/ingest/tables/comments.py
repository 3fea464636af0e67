"""What each table and column of ``perf.duckdb`` holds, with its unit.

A column means the same in every table, unless ``table.column`` says otherwise.
"""

from __future__ import annotations

from analysis.declared.shapes import SHAPES
from analysis.ingest.tables.linux import LINUX_COLUMNS, LINUX_TABLE_COMMENTS
from analysis.ingest.tables.rmf import RMF_COLUMNS, RMF_TABLE_COMMENTS
from analysis.ingest.tables.shared import SHARED_COLUMNS, SHARED_TABLE_COMMENTS
from analysis.ingest.tables.subsystems import (
    SUBSYSTEM_COLUMNS,
    SUBSYSTEM_TABLE_COMMENTS,
)
from analysis.ingest.tables.tcpip import TCPIP_COLUMNS, TCPIP_TABLE_COMMENTS
from analysis.ingest.tables.zos_comments import ZOS_COLUMNS, ZOS_TABLE_COMMENTS

TABLE_COMMENTS = {
    "campaign": "One row a campaign: from which files its tables were made",
    "source": "One row a raw file of a campaign, also one that cannot be used",
    "run": "One row a declared run, also one that failed",
    "run_role": "Which system had which role in a run",
    "benchmark": "One row a benchmark's result, from the log of a run",
    "run_cpu": "CPU time of a run by role, over the window of the run",
    "cpu_interval": "CPU utilisation of a system over an interval",
    "cpu_counter": "Cumulative clock ticks of a Linux system since boot (/proc/stat)",
    **LINUX_TABLE_COMMENTS,
    **ZOS_TABLE_COMMENTS,
    **TCPIP_TABLE_COMMENTS,
    **SHARED_TABLE_COMMENTS,
    **SUBSYSTEM_TABLE_COMMENTS,
    **RMF_TABLE_COMMENTS,
}

_RESOLVED = (
    "rate", "latency_mean_us", "latency_p50_us", "latency_p90_us", "latency_p99_us",
    "bytes_per_second", "cpu_seconds", "busy_seconds", "dispatch_seconds", "cp_seconds",
    "usage_seconds", "response_ms", "current_bytes",
)  # fmt: skip

COLUMNS = {
    **{
        f"{name}_resolution": f"step in which the source tells {name}, in its unit; "
        "null where it is negligible or not known"
        for name in _RESOLVED
    },
    "cp_seconds_resolution": "step in which the source tells the CPU times of the row "
    "[s]; null where it is negligible or not known",
    "file": "path below the campaign's folder",
    "sha256": "sha256 of the file's bytes, in hex",
    "format": "format by content; document: no run names the file",
    "bytes": "size [byte]",
    "campaign": "folder in raw/; every table of the database has it",
    "digest": "hash of the names and bytes of all files of the campaign",
    "status": "ok, degraded, failed, truncated or empty",
    "reason": "why the status is not ok",
    "problems": "JSON list of {line or offset, message}",
    "timed": "over which time the rates of a log of this format are, in words",
    "run": "run; null where a file serves many runs",
    "run.run": "id of the run, unique within its campaign",
    "configuration": "id of the configuration in campaign.yaml",
    "workload": "canonical name, such as CRR10(64B/8kB)",
    "repetition": "1, 2, 3 … of this workload on this configuration",
    "start_utc": "start [UTC, ISO 8601]",
    "benchmark.start_utc": "start of the steady part [UTC, ISO 8601]",
    "end_utc": "end [UTC, ISO 8601]",
    "origin": "measured, published, modelled or synthetic",
    "idle_before": "share of CPU time that was idle just before the run [0 to 1]",
    "tick_coverage": "accounted clock ticks / (seconds x CPUs x HZ) [0 to about 1]",
    "log": "the benchmark's log, a file of the table source",
    "tool": "program that made the load",
    "test": "which result of a log that holds several, such as RETR or new",
    "shape": f"{', '.join(SHAPES)} or null",
    "clients": "number of concurrent clients",
    "request_bytes": "bytes that a client sends in a transaction [byte]",
    "response_bytes": "bytes that a client receives in a transaction [byte]",
    "seconds": "length [s]",
    "benchmark.seconds": "length of the steady part [s]",
    "transactions": "transactions of the whole log, warm-up included",
    "rate": "transactions a second in the steady part [1/s]",
    "latency_mean_us": "mean time of a transaction over the whole log [µs]",
    "latency_p50_us": "median time of a transaction [µs]",
    "latency_p90_us": "90th percentile of the time of a transaction [µs]",
    "latency_p99_us": "99th percentile of the time of a transaction [µs]",
    "bytes_per_second": "bytes moved both ways in the steady part [byte/s]",
    "errors": "errors that the tool counted",
    "role": "client, server, sender, receiver, distributor, target or router",
    "system": "LPAR or host; of machine-wide rows the host that the systems are on",
    "cpu_type": "CP, zIIP, …",
    "cpu_seconds": "CPU time used in the run [s]",
    "coverage": "share of the run's window that the evidence covers [0 to about 1]",
    "cpu_interval.coverage": "accounted clock ticks / (seconds x CPUs x HZ); null "
    "where the basis does not count ticks",
    "method": "where the CPU time comes from: cgroup, procstat, …",
    "online_cpus": "CPUs online, the mean over the interval",
    "busy_pct": "busy share of the online CPUs [%]; the column basis says of what",
    "busy_seconds": "CPU time that was busy [s]; on Linux without steal",
    "mvs_busy_pct": "MVS busy: share of the time that the CPUs were not waiting [%]",
    "parked_pct": "share of the time that the CPUs were parked [%]",
    "steal_pct": "part of busy_pct that the hypervisor gave to others [%]",
    "basis": "what busy_pct is: mpstat or procstat (100 - idle - iowait), lpar_busy, …",
    "cpu": "all, or the CPU's number",
    "busy_ticks": "user, nice, system, irq and softirq ticks since boot [1/HZ s]",
    "idle_ticks": "idle and iowait ticks since boot [1/HZ s]",
    "steal_ticks": "ticks that the hypervisor gave to others since boot [1/HZ s]",
    "source": "sha256 of the file that the row was read from",
    "position": "where in that file: byte offset of the record, or line",
    **LINUX_COLUMNS,
    **ZOS_COLUMNS,
    **TCPIP_COLUMNS,
    **SHARED_COLUMNS,
    **SUBSYSTEM_COLUMNS,
    **RMF_COLUMNS,
}
