"""A build that is told to end (SIGTERM), as by a machine that is shut down."""

from __future__ import annotations

import signal
import threading

import pytest

from tests.workflow.projects import EDITION, Project, wait_for

ENDS = "told to end: what runs is finished first; run it again to go on"


@pytest.mark.parametrize(("step", "code"), [("derive", 1), ("report", 0)])
def test_the_step_that_runs_is_finished(done: Project, step: str, code: int) -> None:
    """In its last step the build is whole then; in another it goes on next time."""
    (done / "raw/lab/run-1.txt").write_text("2\n")
    for verb in ("ingest", "derive", "report"):
        module = done / f"analysis/{verb}/verb.py"
        module.write_text(module.read_text().replace("CONSTANT = 1", "CONSTANT = 2"))
    slow, began = done / f"slow-{step}", done / f"began-{step}"
    slow.write_text("60")
    began.unlink()
    process = done.start()
    wait_for(began, process)
    process.send_signal(signal.SIGTERM)
    threading.Timer(1, slow.unlink).start()
    said, _ = process.communicate()
    assert (process.returncode, said.count(ENDS)) == (code, 1)
    assert "failed" not in said
    assert (f"report/build/{EDITION}/index.html" in said) is (code == 0)
    assert bool(done.stale()) is (code == 1)
    assert done.build()[0] == 0
    assert done.stale() == []
