"""Sessions proposed for the runs of a folder: what a restart or a new set-up parts.

Names come first, as whoever measured gave them; then the starts of the systems, and
last long pauses. That no system was started anew, or that no pause was long, does not
say that all runs had one set-up, so one session is proposed by its name alone.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Mapping, Sequence
from itertools import accumulate
from statistics import median

from analysis.facts.units import how_many
from analysis.ingest.campaign.guess import as_id
from analysis.ingest.campaign.propose import Run, plain_file, span_of
from analysis.ingest.linux.procstat import BOOT_WOBBLE
from analysis.ingest.reading import Circumstances, Reading

_LONG = 3600.0  # seconds: within one set-up people pause for less
_USUAL = 10  # times the median of all pauses: a timer may part all runs by an hour
_PAUSES = f"pauses of an hour or more that are {_USUAL} times the usual one"


def propose_sessions(runs: Sequence[Run], readings: Mapping[str, Reading]) -> str:
    """Give each run its session; how many these are and by what, in words, empty where
    nothing tells."""
    files = [(run.log, *map(plain_file, run.cpu)) for run in runs]
    known = [[readings[file].circumstances for file in named] for named in files]
    proposals = {
        "names in their paths": [run.guess.session for run in runs],
        "session=… in meta.json": [_label(of_run) for of_run in known],
        "the starts of the systems": _by_boot(known),
        _PAUSES: _by_pause(runs, readings),
    }
    for what, sessions in proposals.items():
        if sessions and all(sessions):
            for run, session in zip(runs, sessions, strict=True):
                run.session = session
            return f"{how_many(len({*sessions}), 'session')} by {what}"
    return ""


def _label(of_run: Sequence[Circumstances]) -> str:
    named = (c.labels.get("session", "") for c in of_run if c.labels)
    return as_id(next(filter(None, named), ""))


def _by_boot(known: Sequence[Sequence[Circumstances]]) -> list[str]:
    """By the ids of boots; else by the last start of any system of a run."""
    ids = [tuple(sorted({c.boot_id for c in of if c.boot_id})) for of in known]
    if all(ids):
        return _numbered(ids)
    told = [[_seconds(c.boot_utc) for c in of if c.boot_utc] for of in known]
    if not all(told):
        return []
    last = [max(starts) for starts in told]
    begun, of_start = 0.0, dict[float, float]()
    for start in sorted({*last}):
        begun = begun if start - begun <= BOOT_WOBBLE else start
        of_start[start] = begun
    return _numbered([of_start[start] for start in last])


def _by_pause(runs: Sequence[Run], readings: Mapping[str, Reading]) -> list[str]:
    spans = [
        (run.start, run.end) if run.start else span_of(readings[run.log])
        for run in runs
    ]
    known = [(_seconds(span[0]), _seconds(span[1])) for span in spans if span]
    if not known or len(known) < len(runs):
        return []
    order = sorted(range(len(runs)), key=lambda at: known[at])
    ends = accumulate((known[at][1] for at in order), max)
    starts = (known[at][0] for at in order[1:])
    pauses = [max(start - end, 0.0) for end, start in zip(ends, starts, strict=False)]
    least = max(_LONG, _USUAL * median(pauses)) if pauses else _LONG
    numbers = accumulate((pause >= least for pause in pauses), initial=1)
    by_run = dict(zip(order, numbers, strict=True))
    return _numbered([by_run[at] for at in range(len(runs))])


def _numbered(keys: Sequence[Hashable]) -> list[str]:
    """1, 2, 3 … in the order in which keys first occur; empty of one key alone."""
    numbers = {key: str(at) for at, key in enumerate(dict.fromkeys(keys), 1)}
    return [numbers[key] for key in keys] if len(numbers) > 1 else []


def _seconds(time: str) -> float:
    return dt.datetime.fromisoformat(time).timestamp()
