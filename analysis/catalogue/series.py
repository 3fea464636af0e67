"""Values over campaigns in the forms that other tools read.

A CSV file of time, campaign and one column a metric is what tools that look for change
points read, such as Apache Otava (once Hunter), whose ``otava.yaml`` stands beside.
OpenMetrics is the text that Prometheus and its like take in.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

import yaml

from analysis.catalogue.trends import Trend
from analysis.declared.metrics import Metric

CONFIG = "otava.yaml"
_DIRECTIONS = {"higher": 1, "lower": -1, "none": 0}
_ESCAPED = {"\\": r"\\", '"': r"\"", "\n": r"\n"}


def otava_files(
    trends: Iterable[Trend], metrics: Mapping[str, Metric]
) -> dict[str, str]:
    """The files of a folder by name: a CSV file a workload, and the settings.

    Metrics stand in one file where the same campaigns have them, as no cell is empty.
    """
    files, tests = dict[str, str](), dict[str, object]()
    for name, group in _groups(trends):
        points = group[0].points
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["time", "campaign", *(trend.metric for trend in group)])
        for row, point in enumerate(points):
            values = (repr(trend.points[row].value) for trend in group)
            writer.writerow([f"{point.date}T00:00:00Z", point.campaign, *values])
        files[f"{name}.csv"] = stream.getvalue()
        tests[name] = {
            "type": "csv",
            "file": f"{name}.csv",
            "time_column": "time",
            "attributes": ["campaign"],
            "metrics": {
                trend.metric: {
                    "column": trend.metric,
                    "direction": _DIRECTIONS[metrics[trend.metric].better],
                }
                for trend in group
            },
        }
    settings = yaml.safe_dump({"tests": tests}, sort_keys=False, allow_unicode=True)
    return {**files, CONFIG: settings}


def _groups(trends: Iterable[Trend]) -> Iterator[tuple[str, list[Trend]]]:
    """Trends of one workload, role and configuration, with a name of its own."""
    used: dict[str, int] = {}

    def kind(trend: Trend) -> tuple[str, ...]:
        campaigns = " ".join(point.campaign for point in trend.points)
        return trend.workload, trend.role, trend.configuration, trend.origin, campaigns

    in_order = sorted(trends, key=lambda trend: (kind(trend), trend.metric))
    for key, group in groupby(in_order, key=kind):
        slug = re.sub(r"[^a-z0-9]+", "-", " ".join(key[:4]).lower()).strip("-")
        used[slug] = used.get(slug, 0) + 1
        yield slug if used[slug] == 1 else f"{slug}-{used[slug]}", list(group)


def openmetrics(trends: Iterable[Trend], metrics: Mapping[str, Metric]) -> str:
    """The medians as gauges, one family a metric, with the days of campaigns as times.

    OpenMetrics 1.0: samples of the same labels stand together, the earliest first.
    """
    lines = []
    in_order = sorted(trends, key=lambda trend: trend.metric)
    for id, group in groupby(in_order, key=lambda trend: trend.metric):
        family = f"netperf_{id}"
        says = f"{metrics[id].label}, {metrics[id].unit}, median over runs"
        lines += [f"# TYPE {family} gauge", f"# HELP {family} {_escaped(says)}"]
        for trend in group:
            names = ("workload", "role", "configuration", "origin")
            known = {name: getattr(trend, name) for name in names}
            labels = ",".join(f'{n}="{_escaped(v)}"' for n, v in known.items() if v)
            for point in sorted(trend.points, key=lambda point: point.date):
                day = dt.datetime.fromisoformat(point.date).replace(tzinfo=dt.UTC)
                at = int(day.timestamp())
                lines.append(f"{family}{{{labels}}} {point.value!r} {at}")
    return "\n".join([*lines, "# EOF"])


def _escaped(text: str) -> str:
    return "".join(_ESCAPED.get(character, character) for character in text)
