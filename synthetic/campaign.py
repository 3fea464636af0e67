"""A campaign that is generated: read from its declaration, and all its files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from analysis.declared.base import check_declared, line_of, load_yaml
from analysis.declared.campaign import (
    CAMPAIGN_FILE,
    RUNS_FILE,
    find_campaigns,
    read_campaign,
)
from analysis.declared.campaign import (
    GENERATORS as CAMPAIGNS,
)
from analysis.declared.targets import TARGETS, read_targets
from analysis.declared.vocabulary import SYSTEM_ROLES
from analysis.errors import Issue, raise_if, user_error
from analysis.files.atomic import whole_folder
from analysis.files.checksums import SUMS_FILE, checksums_text
from analysis.files.csv_text import csv_text
from synthetic import gateway, services
from synthetic.declaration import Declaration, Making
from synthetic.network import declaration as network
from synthetic.network import generator
from synthetic.session import Part

ROOT = Path(__file__).resolve().parents[1]
DECLARED = ROOT / CAMPAIGNS
README = "README.md"
COLUMNS = ("run", "order", "configuration", "workload", "repetition", "start", "end",
           *SYSTEM_ROLES, "log", "cpu", "note")  # fmt: skip


class Generator(NamedTuple):
    """A kind of campaign: what its declaration holds, the metrics of targets that it
    can meet, and what makes its parts; equal declarations give equal bytes."""

    title: str
    takes: type[Making]
    declaration: type[Declaration[Any]]
    metrics: frozenset[str]
    make: Callable[[Any], Iterator[Part]]


GENERATORS = {
    "gateway": Generator(
        "clients that think, and a transaction gateway",
        gateway.Making,
        gateway.GatewayDeclaration,
        gateway.METRICS,
        gateway.make,
    ),
    "network": Generator(
        "loads between systems",
        network.Making,
        network.NetworkDeclaration,
        network.METRICS,
        generator.make,
    ),
    "services": Generator(
        "clients of file transfer, terminals, web pages, and the storage they take",
        services.Making,
        services.ServiceDeclaration,
        services.METRICS,
        services.make,
    ),
}


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


def read_declaration(campaign: str, folder: Path, targets: Path) -> Declaration[Any]:
    """What is declared of a campaign; a :class:`UserError` lists every mistake."""
    file = folder.with_name(f"{campaign}.yaml")
    data, node = load_yaml(file)
    id = str(data.get("generator", "")) if isinstance(data, dict) else ""
    if id not in GENERATORS:
        what = f"there is no generator {id!r}" if id else "no generator is named"
        known = ", ".join(f"{id} ({one.title})" for id, one in GENERATORS.items())
        mend = f"write 'generator: …' with one of: {known}"
        raise user_error(what, file, line_of(node, ("generator",)), mend=mend)
    chosen = GENERATORS[id]
    made = chosen.declaration(
        campaign,
        folder,
        read_campaign(folder),
        check_declared(data, node, chosen.takes, file),
        read_targets(targets),
        file,
        targets,
        node,
    )
    mend = f"choose one of: {', '.join(sorted(chosen.metrics))}"
    unmade = [
        Issue(
            f"the generator {id!r} makes no {target.metric}",
            made.place_of(target),
            mend,
        )
        for target in made.targets
        if target.metric not in chosen.metrics
    ]
    raise_if([*unmade, *made.mistakes()])
    return made


def all_files(declaration: Declaration[Any]) -> dict[str, bytes]:
    """Every file of a campaign; a :class:`UserError` where targets contradict each
    other or cannot be met."""
    parts = list(GENERATORS[declaration.making.generator].make(declaration))
    made = {name: data for part in parts for name, data in part.files.items()}
    made[README] = (declaration.folder / README).read_bytes()
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in made.items()}
    made[SUMS_FILE] = checksums_text(hashes).encode()
    made[RUNS_FILE] = _runs_csv([row for part in parts for row in part.rows])
    made[CAMPAIGN_FILE] = (declaration.folder / CAMPAIGN_FILE).read_bytes()
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
    file = out / CAMPAIGN_FILE
    if not (file.is_file() and "\norigin: synthetic\n" in file.read_text()):
        raise user_error(
            "this is no synthetic campaign, and would be overwritten",
            out,
            mend="give --out another folder",
        )
