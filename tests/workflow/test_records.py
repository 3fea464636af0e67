"""What is recorded of jobs needs no database, and is the same without one."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.jobs import jobs_since
from tests.workflow.projects import Project
from workflow.make import EXECUTORS
from workflow.records import IN_FILES

WITHOUT = "from workflow.records import without_database; without_database()\n"
RECORD = """
import json, sys
from snakemake.persistence import MetadataRecord
record = MetadataRecord(rule="load", input=["a"], params=[{"b": 1}], starttime=1.5)
record.incomplete = True
again = MetadataRecord.model_validate(json.loads(json.dumps(dict(record.items()))))
print(json.dumps([dict(record.items()), again["rule"], list(again.keys())]))
print("sqlalchemy" in sys.modules or "sqlmodel" in sys.modules)
"""
OTHER_RELEASE = {
    "snakemake/__init__.py": "",
    "snakemake/persistence/__init__.py": "from sqlmodel import Session\n",
    "snakemake/persistence/db.py": "DbPersistence = 'its own'\n",
    "sqlmodel.py": "Session = 'the library'\n",
}
ASKED = """
from snakemake.persistence import Session
from snakemake.persistence.db import DbPersistence
print(Session, DbPersistence)
"""


def ran(program: str, folder: Path | None = None) -> str:
    paths = [str(folder)] if folder else []
    first = f"import sys; sys.path[:0] = {paths}\n"
    command = [sys.executable, "-c", first + program]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_records_are_those_of_snakemake() -> None:
    *own, loaded = ran(WITHOUT + RECORD).splitlines()
    *theirs, its_own = ran(RECORD).splitlines()
    assert (own, loaded, its_own) == (theirs, "False", "True")
    assert json.loads(own[0])[0]["input"] == ["a"]


def test_a_release_that_asks_for_more_has_what_it_asks_for(tmp_path: Path) -> None:
    for name, text in OTHER_RELEASE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert ran(WITHOUT + ASKED, tmp_path) == "the library its own\n"


@pytest.mark.parametrize("first", ["import sqlmodel", "import snakemake.persistence"])
def test_what_is_loaded_already_stays(first: str) -> None:
    told = "import sys\nprint(sys.modules['sqlmodel'].__name__)"
    assert ran(f"{first}\n{WITHOUT}{told}") == "sqlmodel\n"


@pytest.mark.skipif(
    any(module.name.startswith(EXECUTORS) for module in pkgutil.iter_modules()),
    reason="an executor for clusters is installed, and may record in a database",
)
def test_a_database_that_a_profile_asks_for_is_refused_in_plain_words(
    done: Project,
) -> None:
    with (done / "profiles/default/config.yaml").open("a") as file:
        file.write("persistence-backend: db\n")
    (done / "raw/lab/run-1.txt").write_text("2\n")
    since = time.time()
    process = done.start()  # one that has not imported the libraries of a database
    said, _ = process.communicate()
    assert (process.returncode, list(jobs_since(done.folder, since))) == (2, [])
    assert IN_FILES in said and "Traceback" not in said
