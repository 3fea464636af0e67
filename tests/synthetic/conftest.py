"""The synthetic campaign, from its raw bytes to facts, once a session."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

from analysis.cli import main
from analysis.facts.fact import Fact, read_facts
from synthetic.campaign import declared
from synthetic.network.declaration import NetworkDeclaration
from synthetic.network.plan import planned
from tests.derive.conftest import World

ROOT = Path(__file__).parents[2]
CAMPAIGN = "zos-cs-3.2"
OF: NetworkDeclaration = declared(CAMPAIGN, ROOT)
METRICS = ["rate", "latency", "throughput", "cpu_cost", "utilisation"]


@dataclass(frozen=True)
class Derived:
    """Tables that ingest made, and facts by their key."""

    tables: Path
    facts: dict[str, Fact]

    def table(self, name: str) -> pl.DataFrame:
        return pl.read_parquet(self.tables / f"{name}.parquet")

    def find(self, **wanted: object) -> list[Fact]:
        """The facts that have all these properties."""
        return [
            fact
            for fact in self.facts.values()
            if all(getattr(fact, name) == value for name, value in wanted.items())
        ]


@pytest.fixture(scope="session")
def derived(
    raw: Path, ingested: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Derived:
    world = World(tmp_path_factory.mktemp("synthetic"))
    for study in planned(OF):
        _declare(world, study)
    world.raw.symlink_to(raw)
    (world.root / "data").symlink_to(raw.parent / "data")
    tables = ingested[CAMPAIGN]
    load = ["load", "--tables", str(tables), "--out", str(world.database)]
    for verb in (load, world.arguments()):
        assert main(verb) == 0
    facts = read_facts(world.root / "facts.json").facts
    return Derived(tables, {fact.key: fact for fact in facts})


def _declare(world: World, study: str) -> None:
    """The study with all its pairs."""
    own = [target for target in OF.targets if target.study == study]
    tests = {t.test: t.baseline for t in own if t.baseline}
    values = [t.test for t in own if not t.baseline]
    pairs = tests or {values[-1]: values[0]}
    baseline = next(iter(pairs.values()))
    world.study(
        study,
        campaigns=[CAMPAIGN],
        baseline=baseline,
        tests=list(pairs),
        baselines={t: b for t, b in pairs.items() if b != baseline},
        workloads=["*"],
        metrics=METRICS,
        figures=[],
    )
