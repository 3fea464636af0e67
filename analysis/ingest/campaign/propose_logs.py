"""Which files of a folder are the logs of runs: one a run, the best of its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from analysis.ingest.campaign.guess import role_of
from analysis.ingest.detect import FORMATS, kind_of
from analysis.ingest.reading import Reading

Readings = Mapping[str, Reading]
_EVIDENCE = ("linux", "rmf", "smf", "campaign")  # kinds of formats that are no logs
_RANK = ("ok", "degraded", "truncated", "failed", "empty")


def of_test(reading: Reading, test: str) -> Reading:
    """A reading with the results of one test alone."""
    own = [row for row in reading.results if (row["test"] or "") == test]
    return replace(reading, results=own)


def logs_of(readings: Readings) -> list[str]:
    """One file a run: of those with a result, not the server's where the client's
    is there; and unreadable ones that are named as the logs of other folders."""
    sure = [
        file
        for file, reading in sorted(readings.items())
        if reading.results or _is_lost_log(reading)
    ]
    clients = [file for file in sure if role_of(PurePosixPath(file).name) != "server"]
    names = Counter(PurePosixPath(file).name for file in clients)
    done = {PurePosixPath(file).parent for file in clients}
    lost = [
        file
        for file, reading in sorted(readings.items())
        if reading.format == "unknown"
        and names[PurePosixPath(file).name] > 1
        and PurePosixPath(file).parent not in done
    ]
    done |= {PurePosixPath(file).parent for file in lost}
    servers = [file for file in sure if PurePosixPath(file).parent not in done]
    return _one_a_stem([*clients, *lost, *servers], readings)


def _one_a_stem(files: list[str], readings: Readings) -> list[str]:
    """Of files such as ``client.txt`` and ``client.stderr`` the better one."""
    best: dict[str, tuple[int, int, str]] = {}
    for file in files:
        path = PurePosixPath(file)
        rank = _RANK.index(readings[file].status)
        mine = (rank, int(path.suffix in (".stderr", ".err")), file)
        stem = (path.parent / path.name.split(".")[0]).as_posix()
        best[stem] = min(best.get(stem, mine), mine)
    return sorted(file for _, _, file in best.values())


def _is_lost_log(reading: Reading) -> bool:
    """A log of a known tool that failed before it had any result; an empty reply of
    RMF or a broken file of mpstat is none."""
    lost = reading.status in ("failed", "truncated") and reading.format in FORMATS
    if not lost or reading.tables or reading.results:
        return False
    return kind_of(reading.format) not in _EVIDENCE
