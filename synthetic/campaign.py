"""All files of a campaign, by their path below its folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from analysis.declared.campaign import CAMPAIGN_FILE, RUNS_FILE, find_campaigns
from analysis.declared.campaign import (
    GENERATORS as CAMPAIGNS,
)
from analysis.declared.cpu import SYSTEM_ROLES
from analysis.declared.targets import TARGETS
from analysis.errors import user_error
from analysis.files.atomic import whole_folder
from analysis.files.checksums import SUMS_FILE, checksums_text
from analysis.files.csv_text import csv_text
from synthetic.declaration import Declaration
from synthetic.generator import GENERATORS, read_declaration

ROOT = Path(__file__).resolve().parents[1]
DECLARED = ROOT / CAMPAIGNS
README = "README.md"
COLUMNS = ("run", "order", "configuration", "workload", "repetition", "start", "end",
           *SYSTEM_ROLES, "log", "cpu", "note")  # fmt: skip


def declared(campaign: str, root: Path | None = None) -> Declaration[Any]:
    """What is declared of a campaign of this project, or of one in another folder."""
    root = root or (Path() if Path().resolve() == ROOT else ROOT)
    folder = root / CAMPAIGNS
    names = find_campaigns(folder)
    if campaign not in names:
        what, mend = f"there is no campaign {campaign!r}", ", ".join(names)
        raise user_error(what, folder, mend=f"choose one of: {mend}")
    targets = root / TARGETS / f"{campaign}.csv"
    return read_declaration(campaign, folder / campaign, targets)


def all_files(of: Declaration[Any]) -> dict[str, bytes]:
    """Every file of a campaign."""
    parts = list(GENERATORS[of.making.generator].make(of))
    made = {name: data for part in parts for name, data in part.files.items()}
    made[README] = (of.folder / README).read_bytes()
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in made.items()}
    made[SUMS_FILE] = checksums_text(hashes).encode()
    made[RUNS_FILE] = _runs_csv([run for part in parts for run in part.runs])
    made[CAMPAIGN_FILE] = (of.folder / CAMPAIGN_FILE).read_bytes()
    return made


def _runs_csv(rows: Iterable[Mapping[str, str]]) -> bytes:
    rows = list(rows)
    used = [c for c in COLUMNS if c == "order" or any(row.get(c) for row in rows)]
    numbered = ({**row, "order": str(at)} for at, row in enumerate(rows, 1))
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
