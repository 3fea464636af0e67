"""The catalogue as plain text for a terminal, and the words of trends for all forms."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.catalogue.catalogue import CampaignEntry, Catalogue
from analysis.catalogue.trends import Trend, TrendChange
from analysis.facts.sentences import listed
from analysis.facts.units import (
    format_number,
    format_percent,
    format_percent_interval,
    format_value,
)
from analysis.statistics.levels import SMALLEST

_SIZES = (("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
_HEAD = ("campaign", "dates", "origin", "runs", "failed", "gaps", "size", "editions")
_RIGHT = {"runs", "failed", "gaps", "size"}
_BARS = "▁▂▃▄▅▆▇█"


def size_text(size: int) -> str:
    """``1.6 MB``; a kB is 1000 bytes."""
    for unit, of in _SIZES:
        if size >= of:
            return f"{format_number(size / of)} {unit}"
    return f"{size} bytes"


def dates_text(entry: CampaignEntry) -> str:
    """``2026-01-12`` or ``2026-01-12 to 2026-01-16``."""
    return " to ".join(dict.fromkeys(filter(None, (entry.start, entry.end))))


def told(catalogue: Catalogue, all_trends: bool = False) -> str:
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
        size_text(entry.raw_bytes),
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
        yield f"  {entry.state}: run 'make report'"
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
    changed, tested = (
        sum(bool(t.changes) for t in trends),
        sum(t.tested for t in trends),
    )
    few = len(trends) - tested
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
    said = f"{format_percent(change.percent)} ({reach}) from {change.campaign} on"
    differs = listed(change.differs) or "nothing that is declared"
    return f"{said}; differs in {differs}"


def bars(trend: Trend) -> str:
    """The medians as a row of blocks, the least the lowest."""
    values = [point.value for point in trend.points]
    low, reach = min(values), (max(values) - min(values)) or 1.0
    return "".join(_BARS[round((v - low) / reach * (len(_BARS) - 1))] for v in values)
