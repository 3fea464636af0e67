"""Imports point one way: core ← ingest ← derive ← figures, and report ← publish."""

from __future__ import annotations

import ast
from collections.abc import Collection
from pathlib import Path

import pytest

from analysis.cli import VERBS

ROOT = Path(__file__).resolve().parents[2]
CORE = "core"
ROOMS = {CORE, "files", "declared", "facts", "programs", "statistics"}
MAY_IMPORT = {
    CORE: {CORE},  # errors, arguments, the command line
    "files": {CORE, "files"},
    "declared": {CORE, "files", "declared"},
    "facts": {CORE, "files", "declared", "facts"},
    "programs": {CORE, "files", "programs"},
    "statistics": {CORE, "files", "declared", "facts", "programs", "statistics"},
    "ingest": {*ROOMS, "ingest"},
    "derive": {*ROOMS, "ingest", "derive"},
    "figures": {*ROOMS, "derive", "figures"},
    "report": {*ROOMS, "report"},
    "publish": {*ROOMS, "report", "publish"},
    "ask": {*ROOMS, "report", "publish", "ask"},
    "catalogue": {*ROOMS, "derive", "report", "catalogue"},
    "collect": {*ROOMS, "ingest", "collect"},
    "regress": {*ROOMS, "catalogue", "regress"},
    "reference": {*ROOMS, "ingest", "report", "reference"},
    "notebook": {*ROOMS, "notebook"},
    "summary": {*ROOMS, "ingest", "derive", "summary"},
    "plan": {*ROOMS, "ingest", "derive", "figures", "plan"},
    "start": {*ROOMS, "derive", "start"},
    "models": {*ROOMS, "models"},
    "synthetic": {*ROOMS, "synthetic"},  # and the layouts of SMF, which readers declare
    "workflow": {*ROOMS, "report", "workflow"},  # stages are started, not imported
}
# The rooms of two stages: each may import those before it. What lies loose beside
# them starts them or says what they register, but for the inputs of a report: modules
# that all its rooms use, and that use none.
INPUTS = "inputs"
INPUT_MODULES = {
    "bound", "finding", "git_host", "material", "pictures", "source_options",
    "study_facts", "table",
}  # fmt: skip
LOOSE = ("output", "verb")
LOOSE_MODULES = tuple(f"analysis.report.{name}" for name in LOOSE)
ORDER = {
    "ingest": (
        "compressed", "smf", "tables", "logs", "bench", "web", "services", "linux",
        "rmf", "campaign", "joining",
    ),
    "report": (
        INPUTS, "language", "text", "tables", "checks", "review", "pages",
        "slides", "beside", "document", "engines", "outputs", "preview", "across",
        "builds", "desk",
    ),
}  # fmt: skip
FALLBACK = "analysis.derive.fallback"
DATABASE = {"duckdb"}
LAYOUTS = ("analysis.ingest.smf.columns", "analysis.ingest.smf.types")
RAW_READERS = {"analysis.ingest", "duckdb", "polars", "lxml"}
TABLES = {"duckdb", "polars"}
TOPS = ("analysis", "models", "synthetic", "workflow")
OUTSIDE = {"snakemake", "workflow", "benchmarks", "tests"}


def imports(source: str, package: str) -> set[str]:
    """All dotted names that a module imports, relative ones made absolute."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = parts[: len(parts) - node.level + 1] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            names |= {stem, *(f"{stem}.{alias.name}" for alias in node.names)}
    return names


def stage(module: str) -> str:
    """``core`` or the stage that a module belongs to; empty if it is not the project's.

    Verbs are started by the command line alone, so their imports of it do not count.
    """
    parts = module.split(".")
    if parts[0] in ("models", "synthetic", "workflow"):
        return parts[0]
    if parts[0] != "analysis":
        return ""
    return parts[1] if len(parts) > 1 and parts[1] in MAY_IMPORT else CORE


def check_imports(module: str, imported: set[str]) -> list[str]:
    """What is wrong with a module's imports, in words."""
    own = stage(module)
    falls_back = f"{module}.".startswith(f"{FALLBACK}.")
    allowed = MAY_IMPORT[own] | ({"models"} if falls_back else set())
    forbidden = {"benchmarks", "tests"} if own == "workflow" else set(OUTSIDE)
    if own not in ("ingest", "derive"):
        forbidden |= DATABASE
    if own in ("report", "publish", "workflow"):
        forbidden |= TABLES
    if own in ("models", "synthetic"):
        forbidden |= RAW_READERS
    if own == "synthetic":
        imported = {name for name in imported if not name.startswith(LAYOUTS)}
    return [
        f"{module} imports {name}"
        for name in sorted(imported)
        if (stage(name) and stage(name) not in allowed)
        or any(name == outer or name.startswith(f"{outer}.") for outer in forbidden)
    ]


def room(module: str) -> tuple[str, str] | None:
    """The stage and the room of a module; none of what lies loose."""
    match module.split("."):
        case ["analysis", "report", module, *_] if module in INPUT_MODULES:
            return "report", INPUTS
        case ["analysis", stage, room, *_] if room in ORDER.get(stage, ()):
            return stage, room
    return None


def check_rooms(module: str, imported: set[str]) -> list[str]:
    """What a module imports of a room that comes after its own, in words."""
    own = room(module)
    return [
        f"{module} imports {name}"
        for name in sorted(imported)
        if own and _comes_after(own, name)
    ]


def _comes_after(own: tuple[str, str], name: str) -> bool:
    if own == ("report", INPUTS) and name.startswith(LOOSE_MODULES):
        return True
    other, order = room(name), ORDER[own[0]]
    same_stage = other is not None and other[0] == own[0]
    return same_stage and order.index(other[1]) > order.index(own[1])


def test_every_folder_of_these_stages_is_a_room():
    for stage, order in ORDER.items():
        folders = (ROOT / "analysis" / stage).glob("*/__init__.py")
        assert {path.parent.name for path in folders} == set(order) - {INPUTS}
    loose = {path.stem for path in (ROOT / "analysis/report").glob("*.py")}
    assert loose == {*INPUT_MODULES, *LOOSE, "__init__"}


def modules(tops: Collection[str] = TOPS) -> dict[str, Path]:
    found = {}
    for path in [p for top in tops for p in ROOT.glob(f"{top}/**/*.py")]:
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


def test_a_module_imports_only_what_its_stage_may():
    wrong = []
    for module, path in modules().items():
        package = module if path.stem == "__init__" else module.rpartition(".")[0]
        found = imports(path.read_text(encoding="utf-8"), package)
        wrong += check_imports(module, found) + check_rooms(module, found)
    assert wrong == []


@pytest.mark.parametrize(
    ("module", "imported", "wrong"),
    [
        ("analysis.report.tables.cells", "analysis.report.checks.check", True),
        ("analysis.report.checks.check", "analysis.report.tables.cells", False),
        ("analysis.report.tables.cells", "analysis.report.table", False),
        ("analysis.report.text.texts", "analysis.report.tables.blocks", True),
        ("analysis.report.material", "analysis.report.language.scope", True),
        ("analysis.report.material", "analysis.report.output", True),
        ("analysis.report.material", "analysis.report.pictures", False),
        ("analysis.ingest.logs.text", "analysis.ingest.bench.uperf", True),
        ("analysis.ingest.verb", "analysis.ingest.joining.assign", False),
    ],
)
def test_rooms_import_one_way(module, imported, wrong):
    assert bool(check_rooms(module, {imported})) is wrong


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("analysis.errors", "from analysis.ingest.bench import uperf"),
        ("analysis.ingest.bench.uperf", "from analysis.derive.family import change"),
        ("analysis.ingest.bench.uperf", "import models.queue"),
        ("analysis.derive.family", "from models import queue"),
        ("analysis.derive.fallbacks", "from models import queue"),
        ("analysis.derive.family", "from ..report import values"),
        (
            "analysis.figures.kinds.delta",
            "from analysis.report.language.functions import evaluate",
        ),
        ("analysis.figures.kinds.delta", "import duckdb"),
        (
            "analysis.report.language.functions",
            "def late():\n    import analysis.ingest.bench.uperf",
        ),
        ("analysis.report.language.functions", "from duckdb import connect"),
        ("analysis.report.beside.ledger", "def late():\n    import polars as pl"),
        (
            "analysis.report.beside.ledger",
            "from analysis.derive.samples import read_evidence",
        ),
        ("workflow.plan", "from analysis.ingest.store import ingest"),
        ("analysis.derive.family", "from snakemake.cli import main"),
        ("analysis.errors", "from workflow.single import hold"),
        ("models.queue", "import duckdb"),
        ("models.queue", "from analysis.derive import fallback"),
        ("models.queue", "import polars as pl"),
        ("analysis.derive.family", "from synthetic import noise"),
        ("synthetic.network.generator", "from analysis.ingest.bench import uperf"),
    ],
)
def test_an_import_the_wrong_way_is_found(module, source):
    assert check_imports(module, imports(source, module.rpartition(".")[0]))


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("analysis.derive.fallback", "import models.queue"),
        ("analysis.derive.fallback.backtest", "import models.queue"),
        ("analysis.derive.family", "import duckdb"),
        ("analysis.figures.kinds.delta", "from analysis.facts.fact import Fact"),
        ("analysis.report.verb", "from .assemble import assemble"),
        ("models.queue", "import math"),
        ("synthetic.network.plan", "from analysis.declared.workload import Workload"),
    ],
)
def test_an_import_the_right_way_is_not(module, source):
    assert not check_imports(module, imports(source, module.rpartition(".")[0]))


def test_every_verb_has_its_module():
    assert {module for module, _ in VERBS.values()} <= modules().keys()
