"""A campaign that a step of the build generates, with stages that take no time."""

from __future__ import annotations

import pytest

from tests.report import conftest as small
from tests.workflow.projects import (
    BUILD,
    EDITION,
    RULES,
    SNAKEMAKE,
    kill,
    wait_for,
)

FILES = "data/build/raw/made"
FROM_GENERATE = ["generate", *(rule for rule in RULES if rule != "backtest")]
GENERATOR = """\
import argparse
import time
from pathlib import Path

from analysis.files.atomic import whole_folder

parser = argparse.ArgumentParser()
parser.add_argument("campaign")
parser.add_argument("--out", type=Path)
args = parser.parse_args()
with whole_folder(args.out) as draft:
    (draft / "campaign.yaml").write_text("title: Made\\n")
    Path("began-generate").touch()
    time.sleep(float(Path("slow-generate").exists()))
    (draft / "log.txt").write_text("1\\n")
"""


@pytest.fixture
def generating(stand_in):
    """A project in which an edition of its own rests on a generated campaign."""
    editions = {EDITION: "[lab]", "second": "[made]"}
    files = {
        "synthetic/__init__.py": "",
        "synthetic/__main__.py": GENERATOR,
        "synthetic/campaigns/made/campaign.yaml": "title: Made\n",
        "raw/lab/campaign.yaml": "title: Lab\n",
    }
    for edition, campaigns in editions.items():
        study = small.STUDY.replace("[lab]", campaigns)
        files[f"report/{edition}/edition.yaml"] = small.EDITION
        files[f"report/{edition}/studies/speed/study.yaml"] = study
    for name, text in files.items():
        (stand_in / name).parent.mkdir(parents=True, exist_ok=True)
        (stand_in / name).write_text(text)
    return stand_in


def test_it_is_made_once_and_again_where_its_declaration_or_code_changed(generating):
    """Also where its reader changed with it: Snakemake looks at no key of what follows
    an input that is called ancient."""
    code, said, ran = generating.build()
    assert (code, ran[0]) == (0, "generate"), said
    assert generating.planned() == []
    declaration = ("synthetic/campaigns/made/campaign.yaml",)
    for names in (declaration, ("synthetic/__main__.py", "analysis/ingest/verb.py")):
        for name in names:
            with (generating / name).open("a") as file:
                file.write("more = 1\n")
        assert generating.build()[2] == FROM_GENERATE


def test_an_edition_that_does_not_rest_on_it_needs_none_of_it(generating):
    (generating / "synthetic/__main__.py").write_text("raise SystemExit(1)\n")
    assert generating.build(*BUILD, "--edition", EDITION)[0] == 0
    assert not (generating / FILES).exists()
    assert generating.build(*BUILD, "--edition", "second")[0] == 2
    (generating / "synthetic/__main__.py").write_text(GENERATOR)
    assert generating.build(*SNAKEMAKE)[0] == 0
    assert (generating / FILES / "log.txt").exists()


def test_a_killed_generator_leaves_nothing_half_made(generating):
    (generating / "slow-generate").touch()
    process = generating.start()
    wait_for(generating / "began-generate", process)
    kill(process, with_jobs=True)
    assert not (generating / FILES).exists()
    code, said, _ = generating.build()
    assert code == 0, said
    assert sorted(p.name for p in (generating / FILES).parent.iterdir()) == ["made"]
