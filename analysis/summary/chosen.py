"""Which of the named files are logs of runs, and whose CPU time the others tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analysis.errors import user_error
from analysis.ingest.campaign.guess import role_of
from analysis.ingest.campaign.propose import is_evidence, logs_of
from analysis.ingest.reading import Reading

AT_MOST = 2  # runs beside each other
SIDES = ("client", "server")
Readings = Mapping[str, Reading]


@dataclass(frozen=True)
class CpuEvidence:
    """A file with CPU time; ``side`` is empty where nobody tells it, ``system`` where
    the file speaks of one alone."""

    file: str
    side: str = ""
    system: str = ""


@dataclass
class Chosen:
    """A run: its log, and the files that tell its CPU time."""

    log: str
    evidence: list[CpuEvidence] = field(default_factory=list)


def key_of(path: Path) -> str:
    """What a file is called here: its path from the root, without the first ``/``."""
    return path.absolute().as_posix().lstrip("/")


def listed(paths: Sequence[Path]) -> list[list[Path]]:
    """The files of each path: of a folder all in it but hidden ones."""
    return [_files(path) if path.is_dir() else [path] for path in paths]


def _files(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.iterdir() if path.is_file())
    return [path for path in found if not path.name.startswith(".")]


def split_name(given: str) -> tuple[str, Path]:
    """System and path of ``SYSTEM=FILE``; no system of a path alone."""
    system, named, path = given.partition("=")
    if named and "/" not in system and not Path(given).exists():
        return system, Path(path)
    return "", Path(given)


def choose(
    readings: Readings,
    groups: Sequence[Sequence[Path]],
    sides: Sequence[tuple[int, CpuEvidence]],
) -> list[Chosen]:
    """One run or two; a :class:`UserError` where the files are of none or of more.

    What a group with one log has is of that log, else of all. ``sides`` are what is
    named for a side, with the number of the option that names it: the first one is of
    the first run and the second of the second, while a single one is of all.
    """
    keys = [[key_of(path) for path in group] for group in groups]
    named = [key for group in keys for key in group]
    logs = logs_of({key: readings[key] for key in named})
    runs = [Chosen(log) for log in sorted(logs, key=named.index)]
    if not 0 < len(runs) <= AT_MOST:
        raise _wrong_number(logs, named, readings)
    for group in keys:
        own = [run for run in runs if run.log in group] or runs
        for key in group:
            if key not in logs and is_evidence(readings[key]):
                evidence = CpuEvidence(key, role_of(Path(key).name) or "")
                for run in own:
                    run.evidence.append(evidence)
    for side in SIDES:
        told = [(number, one) for number, one in sides if one.side == side]
        _add_side(runs, side, told)
    return runs


def _add_side(
    runs: Sequence[Chosen], side: str, told: Sequence[tuple[int, CpuEvidence]]
) -> None:
    """Give the evidence of a side to the runs; what is named for it counts alone."""
    many = {number for number, _ in told}
    if len(many) > len(runs):
        what = f"--{side} is given {len(many)} times for {len(runs)} runs"
        raise user_error(what, mend=f"write --{side} once for each run, or for all")
    for place, run in enumerate(runs if told else ()):
        own = [one for number, one in told if len(many) == 1 or number == place]
        kept = [one for one in run.evidence if one.side not in (side, "")]
        run.evidence = kept + own


def _wrong_number(
    logs: Sequence[str], named: Sequence[str], readings: Readings
) -> Exception:
    if logs:
        what = f"{len(logs)} runs: {', '.join('/' + log for log in logs[:4])}"
        mend = "name the files of one run or of two; of more, make a campaign"
        return user_error(what, mend=mend)
    told = "; ".join(
        f"/{key} is {readings[key].format}: {readings[key].reason or 'no log'}"
        for key in named[:4]
    )
    mend = "name the log of a benchmark; 'inspect FILE' says what a file is"
    return user_error(f"there is no log of a run: {told or 'no file'}", mend=mend)
