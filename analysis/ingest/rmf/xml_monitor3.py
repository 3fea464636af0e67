"""Monitor III reports in XML: ``<report>``, and the ``<perf-config>`` of old releases.

The old dialect is that of z/OS V1: one ``<metric>`` each, with its figures in
attributes.
"""

from __future__ import annotations

from lxml import etree

from analysis.ingest.rmf.collect import Collector
from analysis.ingest.rmf.figures import number
from analysis.ingest.rmf.monitor3 import MonitorReport, Times, add_monitor, stamp
from analysis.ingest.rmf.xml_tables import Element, clean, text_of, variables


def add_report(element: Element, position: int, to: Collector) -> None:
    """The rows of a ``<report>``; one with a message alone has none."""
    metric = element.find("metric")
    if metric is None:
        return
    name = metric.get("id") or text_of(metric, "description") or "?"
    resource = text_of(element.find("resource"), "reslabel")
    report = MonitorReport(name, resource, _times(element.find("time-data")))
    report.columns = [text_of(c) for c in element.iterfind("column-headers/col")]
    report.rows = [[clean(c.text) for c in row] for row in element.iterfind("row")]
    caption = element.find("caption")
    report.caption = variables(caption) if caption is not None else {}
    add_monitor(report, position, etree.tostring(element), to)


def _times(time: Element | None) -> Times:
    if time is None:
        return Times()
    return Times(
        stamp(text_of(time, "local-start")),
        stamp(text_of(time, "local-end")),
        stamp(text_of(time, "utc-start")),
        stamp(text_of(time, "utc-end")),
        number(text_of(time, "data-range")) or None,
        number(text_of(time, "gatherer-interval")) or None,
    )


def add_metrics(element: Element, position: int, to: Collector) -> None:
    """The rows of a ``<performance-data>``."""
    for metric in element.iterfind("metric"):
        span, length = metric.find("timerange"), metric.find("data-range")
        if span is None:
            times = Times()
        else:
            seconds = None if length is None else number(length.get("seconds"))
            times = Times(
                stamp(span.get("localstart")),
                stamp(span.get("localend")),
                stamp(span.get("utcstart")),
                stamp(span.get("utcend")),
                seconds or None,
            )
        name = metric.get("description") or metric.get("id") or "?"
        report = MonitorReport(name, metric.get("resource", ""), times)
        report.rows = [
            [row.get("label", ""), row.get("value", "")]
            for row in metric.iterfind("row")
        ]
        add_monitor(report, position, etree.tostring(metric), to)
