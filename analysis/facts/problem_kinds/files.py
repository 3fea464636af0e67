"""Words for what is wrong in any raw file, and in what files tell together."""

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
FILES: Mapping[str, Kind] = {
    "all_failed": Kind("all {total:,} {what}"),
    "at_line": Kind("line {line}: {what}"),
    "capture_odd": Kind(
        "the capture ratio lies outside {least:.0f} to {most:.0f}% in "
        "{intervals} intervals, first {ratio:.1f}% of {system}: service "
        "classes may be missing or counted twice"
    ),
    "converted_dump": Kind("looks like {what}, though an SMF dump by its name; {mend}"),
    "damaged_terse": Kind("a tersed file (AMATERSE): {error}; {mend}"),
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
    "empty_file": Kind("the file is empty"),
    "figures_contradict_each_other": Kind(
        "its figures contradict each other: {what} is {printed:g}, but "
        "{computed:g} by {source}"
    ),
    "impossible_value": Kind("{what}: it was not used"),
    "interval_differs": Kind(
        "{figure} of the interval from {start} is {here:g} here and {taken:g} "
        "in the file that was taken"
    ),
    "intervals_differ": Kind(
        "{figure} of the interval from {start} is {here:g} here and {taken:g} "
        "in the file that was taken; and {more} more intervals differ"
    ),
    "intervals_lack": Kind(
        "its intervals tell of {covered:.4g} of {seconds:.4g} s: some are missing"
    ),
    "json_cut_off_damaged": Kind("the JSON is cut off or damaged"),
    "last_line_cut_off": Kind("the last line is cut off"),
    "left_out": Kind(_left_out),
    "looks_like": Kind("looks like {what}"),
    "more_values_unused": Kind("{more} more values of {table}.{column} were not used"),
    "no_benchmark_result": Kind("{log}: no benchmark result in it ({format})"),
    "no_measurement": Kind("there is no measurement in it"),
    "no_unit": Kind("{text} has none of the units {known}"),
    "no_zone": Kind(
        "its times are local and it names no zone; give --zone, or zone: in "
        "campaign.yaml, for example America/New_York"
    ),
    "not_a_count": Kind("{text} is not a count"),
    "not_whole_archive": Kind(
        "{name} {what} after {bytes:,} unpacked bytes; fetch it again, in binary"
    ),
    "of_file": Kind("{file}: {cause}"),
    "of_logs": Kind("{bad} of {logs} logs: {cause}"),
    "other_tool": Kind("looks like a log of {tool}, which is not read; {mend}"),
    "out_of_bounds": Kind("{text} is out of all bounds"),
    "quoted": Kind("{text}"),
    "reader_failed": Kind("the reader could not cope: {name}: {error}"),
    "repeated": Kind(
        "{rows} rows of {table} are in an earlier file too; they count once"
    ),
    "several_formats": Kind("looks like {names}; put each in its own file"),
    "some_failed": Kind("{errors:,} of {total:,} {what}"),
    "together": Kind(_all),
    "too_many_digits": Kind(
        "a number in it has more digits than any count or time has"
    ),
    "unknown_binary": Kind("looks like binary data of a kind that is not known"),
    "unknown_text": Kind("looks like text of a kind that is not known"),
}
