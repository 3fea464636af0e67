"""Words for what is wrong in reports of RMF, and in displays of z/OS."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.facts.kind import Kind, Values


def _of_server(values: Values) -> str:
    return f"{values['name']} {values['text']}".strip()


def _boosted(values: Values) -> str:
    return (
        "measured under System Recovery Boost, not comparable with other times: "
        + ", ".join(values["boosts"])
    )


RMF: Mapping[str, Kind] = {
    "average_differs": Kind(
        "{figure} of {of}: the lines of the CPUs give {derived:.2f}, "
        "TOTAL/AVERAGE is printed as {printed:.2f}"
    ),
    "boosted": Kind(_boosted),
    "cells_and_headings": Kind("it has {cells} cells, but {headings} headings"),
    "class_times": Kind(
        "{of} class {name}: service times give {used:.3f} s on CPs, APPL% CP "
        "gives {printed:.3f} s"
    ),
    "class_without_factor": Kind(
        "{of} class {name}: service times give {used:.3f} s on CPs, APPL% CP "
        "gives {printed:.3f} s; the zIIP normalisation factor is not in the "
        "report"
    ),
    "comma": Kind(
        "{figure} has a comma, not a decimal point: figures like it are not "
        "used; let RMF write its report in English"
    ),
    "cpu_twice": Kind("CPU {number} of type {kind} is there twice"),
    "csv_damaged": Kind("the CSV is damaged: {error}"),
    "damaged_part": Kind("a {tag} is damaged and was left out: {error}"),
    "dispatch_differs": Kind(
        "LPAR busy of {of} is {used:.3f} s, but dispatch time is "
        "{dispatched:.3f} s; LPAR busy was taken"
    ),
    "empty_reply": Kind("the reply of the server holds no report"),
    "entity": Kind("the document declares an entity ({name}); it is refused"),
    "impossible_percentage": Kind(
        "{figure} is {value:g}%, which cannot be: it was not used"
    ),
    "figure_again": Kind(
        "{name} has a row for {resource!r} twice in one interval: keep one"
    ),
    "interval_again": Kind("this interval is here a second time and was left out"),
    "intervals_overlap": Kind("intervals overlap: the same time would count twice"),
    "json_breaks_off": Kind("the JSON breaks off or is damaged"),
    "length_and_ends": Kind(
        "it is {seconds:g} s long, but start and end are {shown:g} s apart"
    ),
    "line_without_time": Kind("the time or the length of this line is not understood"),
    "more_problems": Kind("{more} more problems are not listed"),
    "no_date_and_time": Kind(
        "{begin!r} is no date and time in the order {order}; see --dates"
    ),
    "no_decoded_report": Kind("only reports in it that are not decoded: {names}"),
    "no_figure": Kind("{column}: {text!r} is no figure"),
    "no_line_below_headings": Kind("it holds no line below its headings"),
    "no_lpar_busy": Kind("no CPU that was online has a figure of LPAR busy"),
    "no_lpar_busy_of": Kind("{kind} has no figure of LPAR busy"),
    "no_page": Kind("it holds no page of a report"),
    "no_table_of_cpus": Kind("CPU report without a table of CPUs"),
    "no_total_of_cpus": Kind(
        "the lines of the CPUs end without TOTAL/AVERAGE: the report is left out"
    ),
    "no_usable_report": Kind("no {names} report in it could be used"),
    "number_of_cpus_needed": Kind(
        "CPU seconds of {kind} need the number of CPUs: ask for {wanted} too"
    ),
    "odd_line_of_cpus": Kind(
        "a line among those of the CPUs is not understood: the report is left out"
    ),
    "odd_line_of_devices": Kind(
        "a line of a device has no activity rate that is a number: it is left out"
    ),
    "odd_start_or_length": Kind("its start or its length is not understood"),
    "of_server": Kind(_of_server),
    "partition_time": Kind(
        "partition {name} was dispatched for {seconds:.3f} s, more than the "
        "{most:.0f} s of its CPUs: it was not used"
    ),
    "partitions_and_total": Kind(
        "the partitions of {kind} add up to {parts:.1f}%, but its line says "
        "{total:.1f}%"
    ),
    "report_without_time": Kind("it does not say when it began and how long it was"),
    "reports_without_time": Kind(
        "its reports do not say when they began and how long they were"
    ),
    "time_twice": Kind("the clock showed this time twice: order decides"),
    "too_large_part": Kind("a {tag} of more than 256 MiB is not read"),
    "xml_breaks_off": Kind("the XML breaks off: {what}"),
    "xml_breaks_off_within": Kind("the XML breaks off within a {tag}"),
    "xml_damaged": Kind("the XML is damaged: {what}"),
    "display_without_end": Kind("the display of {display} has no last message"),
    "no_storage_display": Kind("there is no display of storage that is whole"),
    "storage_columns": Kind("the columns are others than {columns}"),
    "storage_without_end": Kind("the last line is not 'end', so the file is cut off"),
    "several_moments": Kind("the lines are not all of one system, workload and start"),
    "area_twice": Kind("an area stands there twice"),
    "no_area": Kind("there is no area {area!r}; there are {known}"),
    "area_beyond": Kind("{area} has more bytes than {whole}, of which it is a part"),
    "not_a_size": Kind("{text} is no size such as 823K, 12M or NOLIMIT"),
}
