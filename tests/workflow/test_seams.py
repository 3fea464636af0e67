"""Each stage opens the files that docs/seams.md allows it, and no other."""

from __future__ import annotations

import re
import sys
import time
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from analysis.files.hashes import CACHE as DIGESTS
from benchmarks.project import ROOT
from tests.workflow.opened import opened_by
from tests.workflow.projects import EDITION, Project, copy_built

pytestmark = [
    pytest.mark.xdist_group("real"),
    pytest.mark.skipif(sys.platform != "linux", reason="needs Linux: inotify"),
]
CODE = ("analysis", "models", "workflow", "synthetic", "benchmarks", "tests")
BUILT = "data/build/"
BESIDE = ("data/build/digests/*", "data/build/fonts/*")
TABLES = f"data/build/ingest/{EDITION}"
CACHE = "data/build/cache"
_PREVIEW = f"""
import tempfile
from pathlib import Path
from analysis.report.engines.pandoc import PandocEngine
from workflow.preview import make
with tempfile.TemporaryDirectory() as folder:
    make({EDITION!r}, Path(folder), PandocEngine()).now.whole()
"""
_DESK = f"""
import json, tempfile
from pathlib import Path
from analysis.report.desk.desk import make_desk, sources_of_all
from analysis.report.desk.editing import Edit, look, open_part, save
from analysis.report.desk.people import Person
built = Path("data/build")
own = sources_of_all(Path("report"), built / "facts", built / "figures")
with tempfile.TemporaryDirectory() as folder:
    desk = make_desk({{{EDITION!r}: own[{EDITION!r}]}}, Path(folder))
    desk.warm()
    live = desk.lives[{EDITION!r}]
    part = open_part(live, "front/summary.md", 0)
    words = part["source"] + "\\n"
    edit = Edit(part["text"], part["number"], part["hash"], words + "\\nMore of it.")
    look(live, edit)
    save(live, edit, Person("Ann", "ann@example.org", "author"))
"""
_PROGRAMS = {"preview": _PREVIEW, "desk": _DESK}
VERBS = {
    "ingest": f"--campaign raw/{EDITION} --out {TABLES} --cache {CACHE}",
    "plan": f"--campaign raw/{EDITION}",
    "load": f"--tables {TABLES} --raw raw",
    "derive": "",
    "backtest": "--out data/build/backtest.json",
    "predict": f"--edition {EDITION} --study offload",
    "figures": f"--edition {EDITION}",
    "check": "",
    "facts": "offload",
    "review": "status",
    "report": f"--edition {EDITION}",
    "index": "",
    "catalogue": "--format html --out report/build/catalogue.html",
    "diff": f"report/build/{EDITION} report/build/{EDITION}",
    "publish": "--draft --to ../published",
}
STAGES = (*VERBS, *_PROGRAMS)
_CELL, _AS = re.compile(r"`([^`]+)`"), re.compile(r"what `(\w+)` reads")


def allowed() -> dict[str, set[str]]:
    """What each stage may open, from the page for people: patterns of paths."""
    text = (ROOT / "docs/seams.md").read_text(encoding="utf-8")
    found: dict[str, set[str]] = {}
    for line in text.partition("\n## ")[0].splitlines():
        names, *cells = [cell.strip() for cell in line.strip("| \n").split(" | ")]
        if not line.startswith("| `"):
            continue
        patterns: set[str] = set()
        for cell in cells:
            patterns.update(*(found[name] for name in _AS.findall(cell)))
            patterns.update(_CELL.findall(_AS.sub("", cell)))
        found |= dict.fromkeys(_CELL.findall(names), patterns)
    return found


def command(stage: str) -> list[str]:
    if stage in _PROGRAMS:
        return [sys.executable, "-c", _PROGRAMS[stage]]
    return [sys.executable, "-m", "analysis", stage, *VERBS[stage].split()]


def strangers(opened: set[str], patterns: set[str]) -> list[str]:
    """The files that none of the patterns allows."""
    known = (*patterns, *BESIDE)
    return sorted(n for n in opened if not any(_is_of(n, p) for p in known))


def _is_of(name: str, pattern: str) -> bool:
    """Whether the pattern allows it; what is built only where the pattern says so."""
    told = pattern.startswith(BUILT) or not name.startswith(BUILT)
    return told and fnmatchcase(name, pattern)


@pytest.fixture(scope="module")
def stages(built: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A built project whose raw files are known: their digests are of this copy."""
    project = copy_built(built, tmp_path_factory.mktemp("stages") / "project")
    time.sleep(2.1)  # what is younger than a tick of its clock is looked at again
    campaign = f"raw/{EDITION}"
    look = (
        "from pathlib import Path; from analysis.files import hashes; "
        f"hashes.content_digest(Path({campaign!r}))"
    )
    code, said, _ = project.build(sys.executable, "-c", look)
    assert code == 0, said
    assert (project / str(DIGESTS / campaign)).exists()
    return project


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_opens_what_it_may_and_nothing_else(
    stages: Project, stage: str
) -> None:
    asked = command(stage)
    code, said, opened = opened_by(asked, stages.folder, (*CODE, ".snakemake"))
    assert code in (0, 1), said
    assert strangers(opened, allowed()[stage]) == []
    assert opened


@pytest.mark.parametrize("stage", ["figures", "check", "facts", "review", "preview"])
def test_only_derive_and_what_is_before_it_may_open_evidence(stage: str) -> None:
    patterns = allowed()[stage]
    declared = (
        f"raw/{EDITION}/campaign.yaml",
        "data/build/raw/zos-cs-3.2/campaign.yaml",
    )
    for path in (
        *(declared if stage != "check" else ()),  # which checks the names of others
        f"raw/{EDITION}/runs.csv",
        "data/build/raw/zos-cs-3.2/runs.csv",
        f"{TABLES}/benchmark.parquet",
        "data/build/perf.duckdb",
    ):
        assert strangers({path}, patterns) == [path]


def test_a_file_that_a_library_or_a_child_opens_is_seen(tmp_path: Path) -> None:
    for name in ("one.parquet", "two.txt", "code/three.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1")
    read = (
        "import polars, subprocess\n"
        "subprocess.run(['cat', 'two.txt', 'code/three.txt'], capture_output=True)\n"
        "polars.read_parquet('one.parquet')"
    )
    _, _, opened = opened_by([sys.executable, "-c", read], tmp_path, ["code"])
    assert opened == {"one.parquet", "two.txt"}
