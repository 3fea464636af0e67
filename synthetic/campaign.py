"""All files of a campaign, by their path below its folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from analysis.declared.campaign import CAMPAIGN_FILE, ROLES, RUNS_FILE, find_campaigns
from analysis.errors import user_error
from analysis.files.atomic import whole_folder
from analysis.files.checksums import SUMS_FILE, checksums_text
from analysis.files.csv_text import csv_text
from synthetic.dumps import dump
from synthetic.logs import netperf_log, snapshots, uperf_log
from synthetic.plan import CPCS, LINUX, Slot, plan
from synthetic.rmf_report import report
from synthetic.runs import Minute, Run, minutes
from synthetic.targets import arms, read_targets

DECLARED = Path(__file__).with_name("campaigns")
README = "README.md"
TARGETS = "targets.csv"
NETPERF = ("linux-sharing",)
# Beside the dump, RMF's reports of one system, so that one source is chosen.
BOTH = ("osh-osd", "SYNB")
# RMF's reports and no dump.
XML_ONLY = ("tls-versions", "SYNB")
COLUMNS = ("run", "order", "configuration", "workload", "repetition", "start", "end",
           *ROLES, "log", "cpu", "note")  # fmt: skip
Files = dict[str, bytes]


def declared(campaign: str) -> Path:
    """The folder with the declaration of a campaign that can be generated."""
    names = find_campaigns(DECLARED)
    if campaign not in names:
        what, mend = f"there is no campaign {campaign!r}", ", ".join(names)
        raise user_error(what, DECLARED, mend=f"choose one of: {mend}")
    return DECLARED / campaign


def planned(folder: Path) -> dict[str, list[Slot]]:
    """The slots of every study, from the targets in the folder of a declaration."""
    return plan(arms(read_targets(folder / TARGETS)))


def all_files(folder: Path) -> Files:
    """Every file of the campaign that is declared in ``folder``."""
    made: Files = {}
    rows: list[dict[str, str]] = []
    for slots in planned(folder).values():
        session = list(minutes(slots))
        made |= study_files(session)
        rows += list(_rows(session))
    made[README] = (folder / README).read_bytes()
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in made.items()}
    made[SUMS_FILE] = checksums_text(hashes).encode()
    made[RUNS_FILE] = _runs_csv(rows)
    made[CAMPAIGN_FILE] = (folder / CAMPAIGN_FILE).read_bytes()
    return made


def study_files(session: list[Minute]) -> Files:
    """Logs and CPU evidence of one study."""
    runs = [run for minute in session for run in minute.runs]
    made = {_log(run): _text(run).encode() for run in runs}
    study = session[0].slot.study
    for system in _systems(session):
        own = [m for m in session if system in CPCS[m.slot.cpc]]
        if system in LINUX:
            for run, pair in snapshots(own, system).items():
                made |= {
                    name: text.encode()
                    for name, text in zip(_snapshots(study, run), pair, strict=True)
                }
            continue
        both = (study, system) == BOTH
        if both or (study, system) == XML_ONLY:
            made[_xml(study, system)] = report(own, system, classes=both).encode()
        if (study, system) != XML_ONLY:
            made[_dump(study, system)] = dump(own, system)
    return made


def _systems(session: list[Minute]) -> list[str]:
    used = {name for m in session for r in m.runs for name in r.load.systems.values()}
    return [name for names in CPCS.values() for name in names if name in used]


def _text(run: Run) -> str:
    return netperf_log(run) if run.slot.study in NETPERF else uperf_log(run)


def _log(run: Run) -> str:
    tool = "netperf" if run.slot.study in NETPERF else "uperf"
    return f"{tool}/{run.slot.study}/synthetic_{run.id}.txt"


def _dump(study: str, system: str) -> str:
    return f"smf/{study}/synthetic_{system}.smf"


def _xml(study: str, system: str) -> str:
    return f"rmf/{study}/synthetic_{system}.xml"


def _snapshots(study: str, run: str) -> tuple[str, str]:
    stem = f"linux/{study}/synthetic_{run}"
    return f"{stem}.before", f"{stem}.after"


def _evidence(run: Run) -> list[str]:
    """The files with CPU time of a run's systems."""
    study, found = run.slot.study, []
    for system in dict.fromkeys(run.load.systems.values()):
        if system in LINUX:
            found += [f"{system}={name}" for name in _snapshots(study, run.id)]
        elif (study, system) == XML_ONLY:
            found.append(_xml(study, system))
        else:
            found.append(_dump(study, system))
        if (study, system) == BOTH:
            found.append(_xml(study, system))
    return found


def _rows(session: list[Minute]) -> Iterator[dict[str, str]]:
    for run in (run for minute in session for run in minute.runs):
        beside = [r.id for r in _together(run, session) if r is not run]
        yield {
            "run": run.id,
            "configuration": run.slot.configuration,
            "workload": run.load.workload.name,
            "repetition": str(run.slot.repetition),
            "start": _time(run.start),
            "end": _time(run.end),
            **run.load.systems,
            "log": _log(run),
            "cpu": ";".join(_evidence(run)),
            "note": f"beside {', '.join(beside)}" if beside else "",
        }


def _together(run: Run, session: list[Minute]) -> tuple[Run, ...]:
    return next(minute.runs for minute in session if run in minute.runs)


def _time(moment: object) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z"


def _runs_csv(rows: list[dict[str, str]]) -> bytes:
    used = [c for c in COLUMNS if c == "order" or any(row.get(c) for row in rows)]
    numbered = (row | {"order": str(at)} for at, row in enumerate(rows, 1))
    return csv_text(used, numbered).encode()


def write(campaign: str, out: Path) -> int:
    """Write all files in place of those of before, and return their number.

    A :class:`UserError` where ``out`` holds anything but a synthetic campaign.
    """
    _check_replaceable(out)
    made = all_files(declared(campaign))
    with whole_folder(out) as draft:
        for name, data in made.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return len(made)


def _check_replaceable(out: Path) -> None:
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    declared = out / CAMPAIGN_FILE
    if not (declared.is_file() and "\norigin: synthetic\n" in declared.read_text()):
        raise user_error(
            "this is no synthetic campaign, and would be overwritten",
            out,
            mend="give --out another folder",
        )
