"""Small databases, campaigns and editions, made of a few numbers."""

from __future__ import annotations

import datetime as dt
import io
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from analysis.cli import main
from analysis.declared.campaign import find_campaigns
from analysis.declared.workload import parse_workload
from analysis.facts.fact import Fact, Facts, read_facts
from analysis.files.hashes import content_digest
from analysis.ingest.tables.catalog import TABLES, frame

METRICS = Path(__file__).parents[2] / "data" / "metrics.yaml"
START = dt.datetime(2026, 1, 12, 14, 0, tzinfo=dt.UTC)
SYSTEMS = {"cli": {"role": "client", "cps": 4}, "srv": {"role": "server", "cps": 4}}
SLOW = [97.0, 98, 99, 100, 101, 102, 103, 104, 96, 95]  # rates of ten runs
FAST = [rate * 1.5 for rate in SLOW]
ROLES = {"client": "cli", "server": "srv"}
FIGURE = {"id": "all", "kind": "delta", "metrics": ["rate"], "question": "What?"}


def utc(seconds: float) -> str:
    """A time so many seconds after the start, as the tables write it."""
    time = START + dt.timedelta(seconds=seconds)
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


_OF_CAMPAIGN = """
SELECT rows.*, s.campaign FROM rows LEFT JOIN
(SELECT DISTINCT ON (sha256) * FROM source) s ON s.sha256 = rows.source
"""


@dataclass
class World:
    """A project in a temporary folder, filled row by row."""

    root: Path
    rows: dict[str, list[dict[str, Any]]] = field(
        default_factory=lambda: {name: [] for name in TABLES}
    )
    lab: str = "lab"  # the campaign whose rows and studies are added
    paper: str = "paper"  # the edition of its studies

    @property
    def report(self) -> Path:
        return self.root / "report"

    @property
    def raw(self) -> Path:
        return self.root / "raw"

    @property
    def database(self) -> Path:
        return self.root / "perf.duckdb"

    def file(self, name: str, campaign: str = "") -> str:
        """A raw file; returns what stands for its sha256."""
        campaign = campaign or self.lab
        sha = f"sha-{name}" if campaign == "lab" else f"sha-{campaign}-{name}"
        about = {"file": name, "sha256": sha, "bytes": 1, "campaign": campaign}
        self.rows["source"].append(about)
        return sha

    def run(
        self,
        run: str,
        configuration: str = "A",
        workload: str = "RR10(100B)",
        campaign: str = "",
        rate: float = 100_000.0,
        transactions: int | None = None,
        latency: float | None = None,
        window: tuple[float, float] = (0, 10),
        roles: dict[str, str] | None = None,
        **columns: Any,
    ) -> str:
        """One run with its benchmark; by default all identities hold. Returns it."""
        campaign = campaign or self.lab
        self.rows["run_role"] += [
            {"run": run, "campaign": campaign, "role": role, "system": system}
            for role, system in (roles or ROLES).items()
        ]
        shape = parse_workload(workload)
        seconds = window[1] - window[0]
        self.rows["run"].append(
            {
                "run": run, "campaign": campaign, "configuration": configuration,
                "workload": workload, "repetition": len(self.rows["run"]) + 1,
                "start_utc": utc(window[0]), "end_utc": utc(window[1]),
                "origin": "measured", "status": "ok", "reason": "",
                "idle_before": 1.0, "tick_coverage": 1.0,
            } | columns
        )  # fmt: skip
        size = shape.request_bytes + shape.response_bytes
        self.rows["benchmark"].append(
            {
                "run": run, "tool": "uperf", "shape": shape.shape,
                "clients": shape.clients, "request_bytes": shape.request_bytes,
                "response_bytes": shape.response_bytes, "seconds": seconds,
                "transactions": transactions or round(rate * seconds), "rate": rate,
                "latency_mean_us": latency or shape.clients / rate * 1e6,
                "bytes_per_second": rate * size, "source": self.file(run, campaign),
            }
        )  # fmt: skip
        return run

    def cpu(
        self, run: str, client: float, server: float, campaign: str = "", **columns
    ) -> None:
        """CPU seconds of both sides from control groups."""
        source = self.file(f"{run}-cpu", campaign)
        for role, system, used in (
            ("client", "cli", client),
            ("server", "srv", server),
        ):
            row = {
                "run": run, "role": role, "system": system, "cpu_type": "CP",
                "cpu_seconds": used, "coverage": 1.0, "method": "cgroup",
                "source": source,
            }  # fmt: skip
            self.rows["run_cpu"].append(row | columns)

    def interval(
        self, system: str, start: float, seconds: float, busy_pct: float, **columns: Any
    ) -> None:
        """One interval of a system with 4 CPs, as an RMF report has it."""
        row = {
            "system": system, "cpu_type": "CP", "start_utc": utc(start),
            "seconds": seconds, "online_cpus": 4.0, "busy_pct": busy_pct,
            "basis": "lpar_busy",
        }  # fmt: skip
        row |= columns
        if "source" not in row:
            row["source"] = self.file(f"rmf-{len(self.rows['source'])}")
        self.rows["cpu_interval"].append(row)

    def campaign(self, name: str = "", **changes: Any) -> None:
        """Declares a campaign with the configurations A, A2 and B."""
        data: dict[str, Any] = {
            "title": "Lab", "origin": "measured", "zone": "UTC",
            "measured": {
                "by": "us", "from": START.date(), "to": START.date(), "how": "so"
            },
            "systems": SYSTEMS,
            "configurations": {
                id: {"label": id, "details": {}} for id in ("A", "A2", "B")
            },
            "cpu": {"source": "cgroup"},
        }  # fmt: skip
        folder = self.raw / (name or self.lab)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "campaign.yaml").write_text(yaml.safe_dump(data | changes))

    def study(self, id: str = "question", edition: str = "", **changes: Any) -> Path:
        """Declares a study, A against B, and its edition; returns study.yaml."""
        data: dict[str, Any] = {
            "title": "T", "question": "Q?", "campaigns": [self.lab], "baseline": "A",
            "tests": ["B"], "workloads": ["*"], "figures": [FIGURE],
        }  # fmt: skip
        path = self.report / (edition or self.paper) / "studies" / id / "study.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(data | changes, sort_keys=False))
        studies = sorted(p.parent.name for p in path.parents[1].glob("*/study.yaml"))
        head = {
            "title": "E", "authors": ["us"], "date": START.date(), "front": [],
            "studies": studies,
        }  # fmt: skip
        (path.parents[2] / "edition.yaml").write_text(yaml.safe_dump(head))
        return path

    def runs(self, configuration: str, rates: Sequence[float], **columns: Any) -> None:
        """Runs of one configuration with these rates, each 1 CPU second a side; they
        start in an order that is shuffled with all others."""
        for i, rate in enumerate(rates, start=1):
            run = f"{configuration}-{columns.get('workload', 'RR10')}-{i}"
            begun = 20.0 * (len(self.rows["run"]) * 37 % 97)
            window = {"window": (begun, begun + 10)} | columns
            of = {k: v for k, v in columns.items() if k == "campaign"}
            self.cpu(self.run(run, configuration, rate=rate, **window), 1.0, 1.0, **of)

    def write(self) -> Path:
        """Writes the database and returns its path."""
        self.database.write_bytes(_empty_database())
        self.rows["campaign"] = [
            {"campaign": name, "digest": content_digest(self.raw / name, self.root)}
            for name in find_campaigns(self.raw)
        ]
        _fill(self.database, {name: rows for name, rows in self.rows.items() if rows})
        return self.database

    def arguments(self, out: Path | None = None) -> list[str]:
        """The command line that derives this world's facts."""
        options = {
            "--database": self.database, "--report": self.report, "--raw": self.raw,
            "--metrics": METRICS, "--out": out or self.root / "facts.json",
        }  # fmt: skip
        return ["derive", *(str(x) for pair in options.items() for x in pair)]


def _fill(database: Path, tables: Mapping[str, list[dict[str, Any]]]) -> None:
    """Make tables of a database, with their rows."""
    with duckdb.connect(str(database)) as con:
        con.begin()  # a commit of each table takes longer than all else
        for name in sorted(tables, key=lambda name: name != "source"):
            con.register("rows", frame(name, tables[name]))
            joined = "source" in TABLES[name] and "campaign" not in TABLES[name]
            rows = _OF_CAMPAIGN if joined else "FROM rows"
            con.execute(f"CREATE OR REPLACE TABLE {name} AS {rows}")
        con.commit()


@cache
def _empty_database() -> bytes:
    """All tables without a row: to make them takes longer than to fill some."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder, "empty.duckdb")
        _fill(database, {name: [] for name in TABLES})
        return database.read_bytes()


@pytest.fixture(scope="session")
def new_world() -> type[World]:
    """What makes an empty project in a folder, for fixtures that outlive a test."""
    return World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """An empty project with one campaign, ``lab``."""
    made = World(tmp_path)
    made.campaign()
    return made


class Scenes(dict[str, Callable[[World], object]]):
    """What tests of a module fill and declare, each scene in a campaign of its own:
    to begin and to end takes longer than all else, so they are read in one go."""

    def __call__(self, make: Callable[[World], object]) -> Callable[[World], object]:
        """Add a scene, by the name of its function."""
        self[make.__name__.replace("_", "-")] = make
        return make

    def fill(self, root: Path) -> World:
        """Make all scenes in one project."""
        world = World(root)
        for name, make in self.items():
            scene = World(root, lab=name, paper=name)
            scene.campaign()
            make(scene)
            for table, rows in scene.rows.items():
                world.rows[table] += rows
        return world


@pytest.fixture(scope="module")
def warned(derived_scenes: tuple[dict[str, Facts], str]) -> str:
    """What was said on the standard error as they were derived."""
    return derived_scenes[1]


@pytest.fixture(scope="module")
def derived_scenes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Facts], str]:
    """The facts of each of the module's ``SCENES``, and what was warned of."""
    world = request.module.SCENES.fill(tmp_path_factory.mktemp("scenes"))
    world.write()
    with redirect_stderr(io.StringIO()) as said:
        code = main(world.arguments())
    assert code == 0, said.getvalue()
    facts = read_facts(world.root / "facts.json")
    return {name: facts.of(name) for name in request.module.SCENES}, said.getvalue()


@pytest.fixture(scope="module")
def scenes(derived_scenes: tuple[dict[str, Facts], str]) -> dict[str, Facts]:
    """The facts of each of the module's ``SCENES``."""
    return derived_scenes[0]


def derive(world: World) -> Facts:
    """The facts of a small world."""
    world.write()
    assert main(world.arguments()) == 0
    return read_facts(world.root / "facts.json")


def fact(facts: Facts, key: str) -> Fact:
    """The only fact with this key."""
    (found,) = [f for f in facts.facts if f.key == key]
    return found
