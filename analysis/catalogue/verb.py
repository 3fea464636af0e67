"""List all campaigns: dates, systems, runs, gaps, sizes, the editions that use them,
and how values of the same workload move over them.

A build writes the same as a page to which the list of reports links.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.catalogue.catalogue import (
    CampaignEntry,
    Catalogue,
    Places,
    gather,
    some,
)
from analysis.catalogue.series import openmetrics, otava_files
from analysis.catalogue.trends import Trend, TrendChange
from analysis.declared.metrics import read_metrics
from analysis.derive.completeness import SmcConnections
from analysis.derive.runs import newest_database
from analysis.errors import user_error
from analysis.facts.sentences import listed
from analysis.facts.units import (
    format_number,
    format_percent,
    format_percent_interval,
    format_value,
)
from analysis.files.atomic import write_text
from analysis.report.pages.html_page import Filters, html_page
from analysis.statistics.levels import SMALLEST

_SIZES = (("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
_HEAD = ("campaign", "dates", "origin", "runs", "failed", "gaps", "size", "editions")
_RIGHT = {"runs", "failed", "gaps", "size"}
_BARS = "▁▂▃▄▅▆▇█"
TEMPLATE = "catalogue.html.j2"
WIDTH, HEIGHT, MARGIN = 320, 88, 8
PLACES = Places()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis catalogue``."""
    parser.add_argument("--raw", type=Path, default=PLACES.raw)
    parser.add_argument("--report", type=Path, default=PLACES.report)
    parser.add_argument("--database", type=Path, default=PLACES.database)
    parser.add_argument("--metrics", type=Path, default=PLACES.metrics)
    parser.add_argument("--templates", type=Path, default=Path("templates"))
    forms = ("text", "json", "html", "openmetrics", "otava")
    parser.add_argument("--format", choices=forms, default="text")
    parser.add_argument("--trends", action="store_true", help="all, not only changes")
    parser.add_argument(
        "--out", type=Path, help="write to this file (otava: folder), not the terminal"
    )


def run(args: argparse.Namespace) -> int:
    """Print or write the catalogue; 2 where something of it could not be read."""
    tables = args.database.parent / PLACES.tables.name
    places = Places(args.raw, args.report, args.database, args.metrics, tables)
    with newest_database(args.database, tables) as newest:
        catalogue, errors = gather(replace(places, database=newest))
    if args.format == "otava":
        _write_series(catalogue, args)
    else:
        text = _text(catalogue, args)
        if args.out:
            write_text(args.out, text + "\n")
        print(args.out or text)
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    return 2 if errors else 0


def _write_series(catalogue: Catalogue, args: argparse.Namespace) -> None:
    """A folder for tools that look for change points."""
    if not args.out:
        raise user_error(
            "otava writes several files", mend="name a folder: --out FOLDER"
        )
    for name, text in otava_files(catalogue.trends, read_metrics(args.metrics)).items():
        write_text(args.out / name, text)
    print(args.out)


def _text(catalogue: Catalogue, args: argparse.Namespace) -> str:
    if args.format == "html":
        return catalogue_page(catalogue, args.templates)
    if args.format == "openmetrics":
        return openmetrics(catalogue.trends, read_metrics(args.metrics))
    if args.format == "json":
        return json.dumps(catalogue.data(), ensure_ascii=False, indent=1)
    return plain_text(catalogue, args.trends)


def size_text(size: int) -> str:
    """``1.6 MB``; a kB is 1000 bytes."""
    for unit, bytes in _SIZES:
        if size >= bytes:
            return f"{format_number(size / bytes)} {unit}"
    return f"{size} bytes"


def ends_text(of: SmcConnections) -> str:
    """``12 closed by the application``, the most frequent cause first."""
    causes = sorted(of.causes.items(), key=lambda cause: (-cause[1], cause[0]))
    return ", ".join(f"{count:,} {cause}" for cause, count in causes)


def dates_text(entry: CampaignEntry) -> str:
    """``2026-01-12`` or ``2026-01-12 to 2026-01-16``."""
    return " to ".join(dict.fromkeys(filter(None, (entry.start, entry.end))))


def plain_text(catalogue: Catalogue, all_trends: bool = False) -> str:
    """A table of the campaigns, what each lacks, and how values moved.

    Of trends without a change only the number is told, unless ``all_trends``.
    """
    if not catalogue.campaigns:
        return "no campaign yet: docs/how-to/campaign.md says how to bring one in"
    parts = [
        "\n".join(_table(catalogue.campaigns)),
        *filter(None, ("\n".join(_about(entry)) for entry in catalogue.campaigns)),
        "\n".join(_trends(catalogue.trends, all_trends)),
        *(f"note: {note}" for note in catalogue.notes),
    ]
    return "\n\n".join(parts)


def _table(entries: tuple[CampaignEntry, ...]) -> Iterator[str]:
    rows = [_HEAD, *map(_row, entries)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(width) if name in _RIGHT else cell.ljust(width)
            for name, cell, width in zip(_HEAD, row, widths, strict=True)
        ]
        yield "  ".join(cells).rstrip()


def _row(entry: CampaignEntry) -> tuple[str, ...]:
    read = entry.state == "read"
    return (
        entry.name,
        dates_text(entry) or "–",
        entry.origin or entry.state,
        f"{entry.usable:,}" if read else "–",
        f"{entry.failed:,}" if read else "–",
        str(len(entry.gaps)) if read else "–",
        size_text(entry.raw_bytes) if entry.raw_bytes else "–",
        ", ".join(entry.editions) or "none",
    )


def _about(entry: CampaignEntry) -> Iterator[str]:
    yield f"{entry.name}: {entry.title or entry.state}"
    if entry.systems:
        yield f"  systems: {', '.join(entry.systems)}"
        yield f"  configurations: {', '.join(c.id for c in entry.configurations)}"
    if entry.workloads:
        yield f"  workloads: {', '.join(entry.workloads)}"
    if entry.title and entry.state != "read":
        edition = "".join(f" EDITION={id}" for id in entry.editions[:1])
        yield f"  {entry.state}: run 'make report{edition}'"
    if entry.dumps:
        whole = sum(not one.lacks for one in entry.dumps)
        count = f"{whole} of {len(entry.dumps)}"
        yield f"  dumps: {count} tables of a system cover all of its runs"
    for one in filter(lambda one: one.connections, entry.smc):
        count = f"{one.smc:,} of {one.connections:,} connections"
        yield f"  SMC: {one.configuration}: {count} (119-2); {ends_text(one)}"
    if without := [one.configuration for one in entry.smc if not one.connections]:
        yield f"  SMC: no record 119-2 of runs of {some(without)}"
    yield from (f"  gap: {gap}" for gap in entry.gaps)


def _trends(trends: tuple[Trend, ...], all_trends: bool) -> Iterator[str]:
    yield trends_text(trends)
    for trend in trends if all_trends else (t for t in trends if t.changes):
        yield f"  {trend.name} [{trend.origin}]"
        yield f"    {bars(trend)}  {points_text(trend)}"
        yield from (f"    {change_text(change)}" for change in trend.changes)


def trends_text(trends: tuple[Trend, ...]) -> str:
    """How many values are followed over campaigns, and how many changed."""
    if not trends:
        return (
            "no trend: no two campaigns have the same workload on configurations that "
            "are called alike"
        )
    changed = sum(bool(trend.changes) for trend in trends)
    few = sum(not trend.tested for trend in trends)
    words = f"{len(trends)} trends over campaigns: {changed} with a change of level"
    less = f", {few} of fewer than {SMALLEST} campaigns or of single runs, not tested"
    return words + less * bool(few)


def points_text(trend: Trend) -> str:
    """The first and the last median: ``101 trans/s (jan) → 121 trans/s (apr)``."""
    return " → ".join(
        f"{format_value(point.value, trend.unit)} ({point.campaign})"
        for point in (trend.points[0], trend.points[-1])
    )


def change_text(change: TrendChange) -> str:
    """``+20% (+18 to +22%) from april on; differs in Kernel: 6.1 → 6.2``."""
    reach = format_percent_interval(change.low, change.high)
    words = f"{format_percent(change.percent)} ({reach}) from {change.campaign} on"
    differs = listed(change.differs) or "nothing that is declared"
    return f"{words}; differs in {differs}"


def bars(trend: Trend) -> str:
    """The medians as a row of blocks, the least the lowest."""
    values = [point.value for point in trend.points]
    low, reach = min(values), (max(values) - min(values)) or 1.0
    return "".join(_BARS[round((v - low) / reach * (len(_BARS) - 1))] for v in values)


@dataclass(frozen=True)
class PlotMark:
    """A median of the plot in pixels, its interval as two heights, and its words."""

    x: float
    y: float
    low: float
    high: float
    words: str


@dataclass(frozen=True)
class TrendPlot:
    """A trend as a small plot: medians with intervals, and a step line of levels.

    It is drawn by the template in the colours of the page. A figure of a report takes a
    second to draw, and a catalogue may have hundreds.
    """

    trend: Trend
    marks: tuple[PlotMark, ...]
    levels: str

    @property
    def alt(self) -> str:
        """What is to be seen, in words."""
        changes = "; ".join(map(change_text, self.trend.changes))
        return f"{self.trend.name}: {points_text(self.trend)}. {changes or 'No change'}"


def plot(trend: Trend) -> TrendPlot:
    """Where a trend's medians and levels lie; the plot begins at zero on no axis."""
    ends = [
        end for p in trend.points for end in (p.value, p.low, p.high) if end is not None
    ]
    low, reach = min(ends), (max(ends) - min(ends)) or 1.0
    step = (WIDTH - 2 * MARGIN) / max(len(trend.points) - 1, 1)

    def y_of(value: float | None, other: float) -> float:
        share = ((other if value is None else value) - low) / reach
        return round(HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN), 1)

    marks = tuple(
        PlotMark(
            round(MARGIN + i * step, 1),
            y_of(p.value, p.value),
            y_of(p.low, p.value),
            y_of(p.high, p.value),
            f"{p.campaign}, {p.date}: {format_value(p.value, trend.unit)}, "
            f"{p.runs} runs",
        )
        for i, p in enumerate(trend.points)
    )
    heights = [y_of(level, level) for level in trend.levels]
    path = " ".join(
        f"{'L' if i else 'M'}{mark.x - step / 2 * bool(i):.1f} {y} H{mark.x:.1f}"
        + (f" H{mark.x + step / 2:.1f}" if i < len(heights) - 1 else "")
        for i, (mark, y) in enumerate(zip(marks, heights, strict=bool(heights)))
    )
    return TrendPlot(trend, marks, path)


def catalogue_page(catalogue: Catalogue, templates: Path) -> str:
    """The page as HTML; it asks the network for nothing."""
    known = {
        "catalogue": catalogue,
        "plots": [plot(trend) for trend in catalogue.trends],
        "trends_text": trends_text(catalogue.trends),
        "width": WIDTH,
        "height": HEIGHT,
    }
    filters: Filters = {
        "size_text": size_text,
        "dates_text": dates_text,
        "ends_text": ends_text,
        "change_text": change_text,
        "points_text": points_text,
    }
    return html_page(templates, TEMPLATE, known, filters)
