"""Kinds of problems of raw files that several readers meet, with their words.

A problem that one reader alone meets has its words where it is noticed.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis.facts.kind import Kind, Values


def _all(values: Values) -> str:
    return "; ".join(map(str, values["remarks"]))


def _left_out(values: Values) -> str:
    folders, more = values["folders"], len(values["folders"]) - _SHOWN
    shown = ", ".join(name or "the campaign's folder" for name in folders[:_SHOWN])
    rest = f" and {more} more folders" if more > 0 else ""
    count = values["files"]
    what = "1 file" if count == 1 else f"{count:,} files"
    return f"{what} with evidence that no run names, in {shown}{rest}"


_SHOWN = 8


def _of_server(values: Values) -> str:
    return f"{values['name']} {values['text']}".strip()


def _boosted(values: Values) -> str:
    return (
        "measured under System Recovery Boost, not comparable with other times: "
        + ", ".join(values["boosts"])
    )


def _lost(values: Values) -> str:
    count = values["records"]
    many = "more than 65,535" if count is None else f"{count:,}"
    since, until = values["since"], values["until"]
    when = f"at {until}" if since == until else f"between {since} and {until}"
    return (
        f"SMF of {values['system']} lost {many} records {when}: what they would have "
        "told is missing"
    )


PROBLEMS: Mapping[str, Kind] = {
    "at_line": Kind("line {line}: {what}"),
    "capture_odd": Kind(
        "the capture ratio lies outside {least:.0f} to {most:.0f}% in "
        "{intervals} intervals, first {ratio:.1f}% of {system}: service "
        "classes may be missing or counted twice"
    ),
    "decimal_comma": Kind(
        "{text} has a comma in a number, before decimals or between thousands; run "
        "the tool with LC_ALL=C"
    ),
    "decimal_comma_in_csv": Kind(
        "{text}: with decimal commas, nothing tells which comma separates two values; "
        "run the tool with LC_ALL=C or with another separator (perf stat -x ';')"
    ),
    "declared_otherwise": Kind("{declared}, but this file {what}"),
    "ebcdic_text": Kind("looks like EBCDIC text; transfer it as text, not in binary"),
    "figures_contradict_each_other": Kind(
        "its figures contradict each other: {what} is {printed:g}, but "
        "{computed:g} by {source}"
    ),
    "interval_differs": Kind(
        "{figure} of the interval from {start} is {here:g} here and {taken:g} "
        "in the file that was taken"
    ),
    "intervals_differ": Kind(
        "{figure} of the interval from {start} is {here:g} here and {taken:g} "
        "in the file that was taken; and {more} more intervals differ"
    ),
    "json_cut_off_damaged": Kind("the JSON is cut off or damaged"),
    "left_out": Kind(_left_out),
    "no_unit": Kind("{text} has none of the units {known}"),
    "not_a_count": Kind("{text} is not a count"),
    "of_file": Kind("{file}: {cause}"),
    "out_of_bounds": Kind("{text} is out of all bounds"),
    "reader_failed": Kind("the reader could not cope: {name}: {error}"),
    "together": Kind(_all),
    "unknown_binary": Kind("looks like binary data of a kind that is not known"),
    "unknown_text": Kind("looks like text of a kind that is not known"),
    "cut_before": Kind("ends before its last line, {line}"),
    "begins_late": Kind("begins after its first line"),
    "cells_and_columns": Kind(
        "{cells} cells, but the header has {columns} columns; write decimals with a "
        "point, and quotation marks around a text with a comma"
    ),
    "datagrams": Kind("datagrams: the rate is that of this side"),
    "invalid_csv": Kind("not valid CSV: {error}"),
    "its_last_line_cut_off": Kind("its last line is cut off"),
    "last_lines_missing": Kind("the last lines are missing"),
    "little_not_1": Kind("rate × latency ÷ clients is {little:.3g}, not 1"),
    "local_throughput": Kind("throughput and local_throughput do not fit together"),
    "maybe_cut_off": Kind("its last line has no end, so it may be cut off"),
    "messages_and_latency": Kind("messages and latency do not fit together"),
    "messages_seconds_bandwidth": Kind(
        "messages, seconds and bandwidth do not fit together"
    ),
    "missing_value": Kind("{name} is missing"),
    "no_data_moved": Kind("no data was moved"),
    "no_operation_ended": Kind("no operation ended"),
    "no_transaction": Kind("there was no transaction"),
    "no_value": Kind("there is no value for {name}"),
    "not_understood": Kind("{text} is not understood"),
    "of_test": Kind("{name}: {what}"),
    "other_contract": Kind("benchmark_contract is not 1"),
    "rate_contradicts": Kind("the rate contradicts bytes and seconds"),
    "same_test_again": Kind("the same test again, or another log"),
    "sender_count": Kind("the other side received; this log has the sender's count"),
    "sent_not_arrived": Kind(
        "no report of the server: this is what was sent, not what arrived"
    ),
    "session_no_end": Kind("the session has no end"),
    "several_logs": Kind("several logs in one file; put each in its own"),
    "short_for_hey": Kind("it took {seconds:.4f} s, which hey rounds to 0.0001"),
    "summary_missing": Kind("the summary is not there, or not whole"),
    "value_negative": Kind("a value is negative"),
    "values_and_names": Kind("{values} values for {names} names"),
    "another_report_begins": Kind("another report begins"),
    "another_snapshot_begins": Kind("another snapshot begins"),
    "client_exit_status": Kind("the client ended with exit status {status}"),
    "block_missing": Kind(
        "a block begins at {start}, but the one before ended at {ended}: lines are "
        "missing"
    ),
    "cpus_and_total": Kind("the CPUs do not add up to the line of all CPUs"),
    "date_not_understood": Kind("its date is not understood"),
    "event_twice": Kind("{event} is there twice; put each report in a file of its own"),
    "interval_without_length": Kind("an interval has no length"),
    "last_line_no_end": Kind("its last line has no end"),
    "no_whole_line_of_shares": Kind("not a whole line of shares"),
    "not_whole_interval": Kind("not a whole interval: {error}"),
    "not_whole_json": Kind("not whole JSON: {what}"),
    "not_whole_line": Kind("not a whole line"),
    "other_gap": Kind("{gap:g} s after the line before, not {usual:g} s"),
    "several_reports": Kind("several reports in one file; put each in its own"),
    "several_snapshots": Kind("several snapshots in one file; put each in its own"),
    "shares_and_100": Kind("CPU shares do not add up to 100%"),
    "unusable_intervals": Kind("some intervals are not usable"),
    "unusable_lines": Kind("some lines are not usable"),
    "boosted": Kind(_boosted),
    "class_times": Kind(
        "{of} class {name}: service times give {used:.3f} s on CPs, APPL% CP "
        "gives {printed:.3f} s"
    ),
    "class_without_factor": Kind(
        "{of} class {name}: service times give {used:.3f} s on CPs, APPL% CP "
        "gives {printed:.3f} s; the zIIP normalisation factor is not in the "
        "report"
    ),
    "empty_reply": Kind("the reply of the server holds no report"),
    "of_server": Kind(_of_server),
    "no_storage_display": Kind("there is no display of storage that is whole"),
    "not_a_size": Kind("{text} is no size such as 823K, 12M or NOLIMIT"),
    "duplicates": Kind(
        "{count} duplicate records were dropped, the first at byte offset "
        "{first}: part of the dump is in the file twice"
    ),
    "odd_record": Kind("the {of} record at byte offset {where} {what}"),
    "records_lost": Kind(_lost),
    "sent_as_text": Kind(
        "SMF records that were sent as text (byte offset 0): {what}; {mend}"
    ),
    "triplet_past_end": Kind(
        "the triplet of the {name} section points past its record (offset "
        "{offset}, length {length}, number {number}, record of {bytes} bytes)"
    ),
    "triplet_too_early": Kind(
        "the triplet of the {name} section points in front of the sections of "
        "its record (offset {offset}, length {length}, number {number}, record "
        "of {bytes} bytes)"
    ),
    "validity_flag": Kind(
        "the record at byte offset {where} says{of} that {says} ({name}): {effect}"
    ),
}
