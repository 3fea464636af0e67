"""Releasing from the desk: final, build and publish, roll back, by the commands.

The commands themselves run, so that nothing goes out which they would refuse: what they
print is shown. One runs at a time, in the project's folder, and no page waits for it.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass as checked_dataclass

from analysis.declared.edition import read_edition
from analysis.errors import user_error
from analysis.files.text_file import read_text
from analysis.report.desk.desk import Live
from analysis.report.desk.editing import save_text
from analysis.report.desk.parts import rewritten
from analysis.report.desk.people import Person, may

_EDITION, _STATUS = "edition.yaml", "status"
_LINES = 200  # of what a command prints
_LONG = 300  # characters of a line
_SECONDS = 3600.0
_LIST_SECONDS = 60.0
_PUBLISH = ("-m", "analysis", "publish")
_alone = threading.Lock()


@checked_dataclass(frozen=True)
class ReleaseStep:
    """What shall be done: ``build`` is the id of a release to roll back to."""

    do: Literal["final", "draft", "publish", "rollback"]
    build: Annotated[str, Field(pattern=r"^[0-9a-f]{0,64}$")] = ""


@dataclass
class ReleaseRun:
    """What was begun last, by whom, what it printed, and how it ended."""

    words: str
    by: str
    lines: list[str] = field(default_factory=list)
    code: int | None = None

    @property
    def as_json(self) -> dict[str, Any]:
        """As JSON."""
        return {"words": self.words, "by": self.by, "lines": self.lines} | {
            "running": self.code is None,
            "done": self.code == 0,
        }


def release_names(live: Live, by: Person) -> dict[str, Any]:
    """What the page *Release* shows: the state, the releases, what runs or ran.

    To list the releases is work, which is done for who may release alone.
    """
    status = read_edition(live.maker.sources.report / live.id).status
    names = {"status": status, "release": live.release, "rows": [], "problem": ""}
    if may(by, "release"):
        listed = _run([*_PUBLISH, "--list"], _LIST_SECONDS)
        words = (listed.stdout or listed.stderr).strip().splitlines()
        rows = [line.split("  ") for line in words if line.startswith(f"{live.id}  ")]
        bad = listed.returncode not in (0, 1)
        names |= {"rows": rows, "problem": "\n".join(words) if bad else ""}
    return names


def release(live: Live, step: ReleaseStep, by: Person) -> str:
    """Begin a step; what is declared is saved at once, and its commit returned."""
    if step.do in ("final", "draft"):
        return _declare(live, step.do, by)
    draft = read_edition(live.maker.sources.report / live.id).status == "draft"
    ids = ("--edition", live.id)
    if step.do == "rollback":
        back = f"--rollback={step.build}" if step.build else "--rollback"
        commands, words = [[*_PUBLISH, *ids, back]], "Rolling back"
    else:
        marked = ["--draft"] if draft else []
        build = ["-m", "workflow.build", *ids]
        commands, words = [build, [*_PUBLISH, *ids, *marked]], "Building, publishing"
    if not _alone.acquire(blocking=False):
        what = "another release is being made"
        raise user_error(what, mend="wait until it is done, and load this page again")
    live.release = ReleaseRun(words, by.name)
    work = threading.Thread(target=_work, args=(live.release, commands), daemon=True)
    work.start()
    return ""


def _declare(live: Live, status: str, by: Person) -> str:
    """Save the status of an edition, which the checks of a final one may refuse."""
    with live.lock:
        path = live.maker.sources.report / live.id / _EDITION
        before = read_text(path)
        try:
            after = rewritten(path, _STATUS, status)
        except LookupError:  # it is not there, which is a draft
            after = f"{before.rstrip()}\n{_STATUS}: {status}\n"
        if after == before:
            return ""
        return save_text(live, _EDITION, before, after, by, f"{live.id}: {status}")


def _work(release: ReleaseRun, commands: Sequence[Sequence[str]]) -> None:
    try:
        for command in commands:
            done = _run(command, _SECONDS)
            printed = f"{done.stdout}{done.stderr}".splitlines()[-_LINES:]
            release.lines += [line[:_LONG] for line in printed if line.strip()]
            if done.returncode:
                release.code = done.returncode
                return
        release.code = 0
    finally:
        release.code = 1 if release.code is None else release.code
        _alone.release()


def _run(command: Sequence[str], limit: float) -> subprocess.CompletedProcess[str]:
    """What a command of the project did; one that takes too long has failed."""
    try:
        return subprocess.run(
            [sys.executable, *command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit,
            check=False,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired:
        words = f"it took more than {limit:g} s and was ended\n"
        return subprocess.CompletedProcess(command, 2, "", words)
