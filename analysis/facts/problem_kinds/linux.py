"""Words for what is wrong in CPU evidence of Linux."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.facts.kind import Kind

LINUX: Mapping[str, Kind] = {
    "another_report_begins": Kind("another report begins"),
    "another_snapshot_begins": Kind("another snapshot begins"),
    "asked_and_elapsed": Kind(
        "the client was called for {asked:g} s, but the run took {elapsed:g} s"
    ),
    "client_exit_status": Kind("the client ended with exit status {status}"),
    "command_exit_status": Kind("the command ended with exit status {status}"),
    "command_signal": Kind("the command was ended by signal {signal}"),
    "counted_reports": Kind("{reports} reports in one file; put each in its own"),
    "cpu_seconds_missing": Kind("CPU seconds of client or server are missing"),
    "block_missing": Kind(
        "a block begins at {start}, but the one before ended at {ended}: lines are "
        "missing"
    ),
    "cpus_and_total": Kind("the CPUs do not add up to the line of all CPUs"),
    "cpus_listed": Kind("the host has {cpus} CPUs, but {listed} are listed"),
    "date_guessed": Kind("date {text} was read as month/day/year; {mend}"),
    "date_not_understood": Kind("its date is not understood"),
    "date_unknown": Kind("date {text!r} is not known to be a date"),
    "ends_before_elapsed": Kind("ends before its elapsed time"),
    "ends_before_last_line": Kind("ends before its last line"),
    "ends_before_softirq": Kind("ends before the line softirq"),
    "event_twice": Kind("{event} is there twice; put each report in a file of its own"),
    "interval_without_length": Kind("an interval has no length"),
    "json_no_object": Kind("the JSON is not one object"),
    "lacks_user_or_system": Kind("it lacks user or system time"),
    "last_line_no_end": Kind("its last line has no end"),
    "local_time_ambiguous": Kind("local time is ambiguous"),
    "no_entry_of_all": Kind("no entry for all CPUs"),
    "no_interval_of_all": Kind("it has no interval of all CPUs that could be used"),
    "no_line_of_shares": Kind("not a line of shares"),
    "no_name_and_number": Kind("not a name and a number"),
    "no_perf_csv_line": Kind("not a line of perf stat -x,"),
    "no_perf_json_line": Kind("not a line of perf stat -j"),
    "no_process_time": Kind("it does not tell the CPU time of a process"),
    "no_usable_cpu_interval": Kind("it has no CPU interval that could be used"),
    "no_usable_interval": Kind("it has no interval that could be used"),
    "no_usable_process": Kind("it has no process that could be used"),
    "no_whole_line_of_shares": Kind("not a whole line of shares"),
    "no_whole_ticks": Kind("no line of CPU ticks is whole"),
    "no_window": Kind("the run has no window of time"),
    "not_whole_interval": Kind("not a whole interval: {error}"),
    "not_whole_json": Kind("not whole JSON: {what}"),
    "not_whole_line": Kind("not a whole line"),
    "only_since_boot": Kind("it has no line but that of the time since boot"),
    "other_gap": Kind("{gap:g} s after the line before, not {usual:g} s"),
    "percentage_and_times": Kind("its percentage contradicts its times"),
    "several_reports": Kind("several reports in one file; put each in its own"),
    "several_snapshots": Kind("several snapshots in one file; put each in its own"),
    "shares_and_100": Kind("CPU shares do not add up to 100%"),
    "started_anew": Kind("the system was started anew"),
    "system_wide": Kind("system-wide: its cpu-clock counts idle CPUs too"),
    "task_clock": Kind("its task-clock may be that of whole CPUs, idle or not"),
    "time_not_understood": Kind("its time is not understood"),
    "too_few_intervals": Kind("too few intervals to tell how long one is"),
    "total_not_whole": Kind("the line of all CPUs is not whole"),
    "unusable_intervals": Kind("some intervals are not usable"),
    "unusable_lines": Kind("some lines are not usable"),
    "user_and_system": Kind("user and system time do not make the whole"),
    "value_is": Kind("{name} is {what}"),
    "vmstat_without_times": Kind("it has no times (use vmstat -t)"),
}
