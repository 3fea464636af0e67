"""The desk of a team: several editors save at once, while others read."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.cost import Numbers, environment, numbers
from tests.report.desk.load import Load, lost_or_doubled

_HOST = "desk.localhost"
_TEAM = f"host: {_HOST}\nscheme: http\nproxies: [127.0.0.1]\npeople:\n"
_GIT = ("git", "-c", "user.name=Bench", "-c", "user.email=bench@localhost")


def measure(
    python: str, project: Path, text: Path, editors: int, readers: int, saves: int
) -> Numbers:
    """Serve a built project to a team that edits the first part of a study's text.

    A word that is lost or doubled ends the benchmark.
    """
    edition, *rest = text.relative_to(project / "report").parts
    with _served(python, project, editors + readers) as (process, address):
        load = Load(address, edition, "/".join(rest), {"Host": _HOST})
        words = load.run(editors, saves, readers)
        process.kill()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if wrong := lost_or_doubled(text.read_text(encoding="utf-8"), words):
        sys.exit(f"desk: {len(wrong)} of {saves} words are lost or doubled: {wrong}")
    return {
        **numbers(load.seconds, usage),
        "s a save": statistics.median(load.waited),
        "s the slowest save": max(load.waited),
        "s until a reader sees it": statistics.median(load.seen_in() or [0.0]),
        "saves that met another's": load.met,
    }


@contextmanager
def _served(
    python: str, project: Path, people: int
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The desk of a team in a process of its own, and its address."""
    names = (f"p{nth}" for nth in range(people))
    listed = [
        f"  {p}: {{name: {p}, email: {p}@localhost, role: author}}" for p in names
    ]
    (project / "desk.yaml").write_text(_TEAM + "\n".join(listed) + "\n")
    for words in ("init -q", "add report", "commit -qm Begin --allow-empty"):
        subprocess.run([*_GIT, *words.split()], cwd=project, check=True)
    command = [python, "-m", "analysis", "desk", "--team", "desk.yaml", "--port", "0"]
    process = subprocess.Popen(
        command, cwd=project, env=environment(), stdout=subprocess.PIPE, text=True
    )
    try:
        line = process.stdout.readline() if process.stdout else ""
        if not line:
            sys.exit("desk: it did not start; the reason is above")
        yield process, line.split()[0]
    finally:
        process.kill()
        process.wait()
