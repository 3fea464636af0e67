"""Code that changes while a build runs, and back again."""

from __future__ import annotations

import pytest

from tests.workflow.projects import EDITION, Project, wait_for


def test_an_edit_of_code_that_is_undone_while_a_step_runs_counts(done: Project) -> None:
    """Its result is of code that is no longer there, under the key of that which is."""
    text = done / f"report/{EDITION}/studies/offload/observations.md"
    text.write_text("A sentence more.\n")
    verb = done / "analysis/report/verb.py"
    before = verb.read_text()
    slow, began = done / "slow-report", done / "began-report"
    slow.write_text("60")
    began.unlink()
    process = done.start()
    wait_for(began, process)
    verb.write_text(before.replace("CONSTANT = 1", "CONSTANT = 2"))
    slow.unlink()
    said, _ = process.communicate()
    assert process.returncode == 0, said
    assert "analysis/report/verb.py changed while report-linux-veth was made" in said
    verb.write_text(before)
    assert done.stale() == ["report"]


def test_code_of_others_may_change_while_a_step_runs(done: Project) -> None:
    text = done / f"report/{EDITION}/studies/offload/observations.md"
    text.write_text("A sentence more.\n")
    slow, began = done / "slow-report", done / "began-report"
    slow.write_text("60")
    began.unlink()
    process = done.start()
    wait_for(began, process)
    (done / "analysis/derive/verb.py").touch()
    slow.unlink()
    said, _ = process.communicate()
    assert (process.returncode, "changed while" in said) == (0, False)
    assert done.stale() == []


@pytest.mark.parametrize(
    ("verb", "edited", "kept"),
    [
        ("ingest", "raw/lab/run-1.txt", "data/build/parts/lab/0000-of-1"),
        ("derive", "data/metrics.yaml", "data/build/studies/an-edition"),
    ],
)
def test_what_is_kept_of_either_code_is_not_kept(
    done: Project, verb: str, edited: str, kept: str
) -> None:
    (done / kept).mkdir(parents=True)
    (done / edited).write_text("# other words\n")
    slow, began = done / f"slow-{verb}", done / f"began-{verb}"
    slow.write_text("60")
    began.unlink()
    process = done.start()
    wait_for(began, process)
    (done / f"analysis/{verb}/verb.py").touch()
    slow.unlink()
    said, _ = process.communicate()
    assert process.returncode == 0, said
    assert not (done / kept).exists()
