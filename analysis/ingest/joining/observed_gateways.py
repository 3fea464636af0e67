"""Statistics of gateways against the runs that name them: were they reset before?"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

from analysis.errors import Issue, Place
from analysis.ingest.campaign.runs import RunLine
from analysis.ingest.joining.assign import CampaignReading, Frames
from analysis.ingest.joining.run_table import run_table

_EARLY = dt.timedelta(seconds=1)  # clocks are no better
_MORE = 1.05  # requests that a gateway may count beside those of the load
_MEND = (
    "reset the statistics of the gateway before each run, or take the file out of "
    "the run's column cpu: its counts are of other requests, too"
)


def check_gateways(tables: Frames, evidence: CampaignReading) -> list[Issue]:
    """Statistics that count from before a run, or more requests than it made."""
    rows = tables["gateway_interval"]
    named = rows.filter(rows["run"].is_not_null()).to_dicts()
    if not named:
        return []
    checked = evidence.checked
    runs = run_table(checked, evidence.readings, evidence.results)
    starts = dict(runs.select("run", "start_utc").iter_rows())
    lines = {line.run: line for line in checked.runs}
    files = {sha256: file for file, sha256 in checked.files.items()}
    return [
        Issue(
            f"{what}: the statistics of the gateway were not reset before run "
            f"{row['run']} (line {lines[row['run']].line} of runs.csv)",
            Place(str(checked.folder / files[row["source"]]), row["position"]),
            _MEND,
        )
        for row in named
        for what in _mistakes(row, lines[row["run"]], starts, evidence)
    ]


def _mistakes(
    row: dict[str, Any],
    line: RunLine,
    starts: dict[str, str | None],
    evidence: CampaignReading,
) -> Iterator[str]:
    begun, start = row["start_utc"], starts[line.run]
    if begun and start:
        first, run = map(dt.datetime.fromisoformat, (begun, start))
        if first < run - _EARLY:
            yield f"it counts from {begun}, and the run began at {start}"
            return
    made = sum(r["transactions"] or 0 for r in evidence.results[line.run])
    if made and (row["transactions"] or 0) > made * _MORE:
        yield f"it counts {row['transactions']:,} requests, and {line.log} {made:,}"
