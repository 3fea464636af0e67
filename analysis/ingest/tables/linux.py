"""Tables of CPU evidence on Linux, with a comment on each table and column."""

from __future__ import annotations

import polars as pl

Schema = dict[str, pl.DataType]
S, F, I = pl.String(), pl.Float64(), pl.Int64()  # noqa: E741 - column types

LINUX_TABLES: dict[str, Schema] = {
    "process_interval": {
        "system": S,
        "process": S,
        "pid": I,
        "start_utc": S,
        "seconds": F,
        "cpu_seconds": F,
        "user_seconds": F,
        "system_seconds": F,
        "basis": S,
        "run": S,
        "source": S,
        "position": I,
    },
    "cgroup_counter": {
        "system": S,
        "usage_seconds": F,
        "usage_seconds_resolution": F,
        "user_seconds": F,
        "system_seconds": F,
        "throttled_seconds": F,
        "run": S,
        "source": S,
        "position": I,
    },
}
LINUX_TABLE_COMMENTS = {
    "process_interval": "CPU time of a process over an interval (pidstat)",
    "cgroup_counter": "Cumulative CPU time of a control group",
}
LINUX_COLUMNS = {
    "scope": "whose CPU time it is: system, cgroup or process; null: of an LPAR",
    "process": "name of the command",
    "pid": "process number",
    "user_seconds": "part of the CPU time in user mode [s]",
    "system_seconds": "part of the CPU time in kernel mode [s]",
    "usage_seconds": "CPU time since the control group was made [s]",
    "throttled_seconds": "time that its CPU limit held the control group back [s]",
    "process_interval.basis": "tool that measured",
}
