"""Many people at the desk: saves by several editors at once, while others read.

All edit one part of one text, so most saves meet another's. Each writes a word of its
own; in the end every word is there once. With ``--kills`` the server is killed and
started again meanwhile; with ``--minutes`` it goes on for that long, and its memory is
told by the minute: then the part keeps the last words alone, and editors rest for
``--pause`` seconds after each save. Needs a built project. Run it as
``python -m benchmarks.desk``; it works in a copy, with the desk of a team in a process
of its own.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from benchmarks.desk_load import Load, lost_or_doubled
from benchmarks.preview import copy_built

EDITION, TEXT = "linux-veth", "studies/offload/background.md"
_KEPT = 100  # words in the part that is edited for minutes


class Server:
    """The program of the desk, for so many people."""

    def __init__(self, project: Path, people: int) -> None:
        self.project, self.port, self.memory = project, 0, list[float]()
        listed = [f"  p{n}: {{name: P{n}, email: p{n}@localhost, role: author}}\n"
                  for n in range(people)]  # fmt: skip
        (project / "desk.yaml").write_text(
            "host: desk.localhost\nscheme: http\nproxies: [127.0.0.1]\npeople:\n"
            + "".join(listed)
        )
        self.start()

    def start(self) -> None:
        """Start it, and return when it listens."""
        program = ["-m", "analysis", "desk", "--team", "desk.yaml"]
        self.process = subprocess.Popen(
            [sys.executable, *program, "--port", str(self.port)],
            cwd=self.project,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout  # noqa: S101 - a pipe
        self.address = self.process.stdout.readline().split()[0]
        self.port = int(self.address.rstrip("/").rpartition(":")[2])

    def kill(self) -> None:
        """End it as nothing else would."""
        self.process.kill()
        self.process.wait()

    def resident(self) -> float:
        """MiB of memory that it holds."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        return 0.0

    def watch(self, stop: threading.Event, kills: int) -> None:
        """Note its memory by the minute; kill it so often, a few seconds apart."""
        for n in itertools.count():
            wait = random.uniform(2, 6) if n < kills else 60.0  # noqa: S311
            if stop.wait(wait):
                return
            if n < kills:
                self.kill()
                self.start()
            else:
                self.memory.append(self.resident())


@contextmanager
def served(people: int, edition: str = EDITION) -> Iterator[Server]:
    """The desk over a copy of the project, as a repository of its own."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        project = copy_built(Path(name, "project"), edition)
        for command in (["init", "-q"], ["add", "report"], ["commit", "-qm", "Begin"]):
            _git(project, *command)
        server = Server(project, people)
        try:
            yield server
        finally:
            server.kill()


def main() -> int:
    """Print the times, and end with 1 where a save was lost or doubled."""
    args = _parse()
    branch, most = f"review/{args.edition}", _KEPT if args.minutes else 10_000
    with served(args.editors + args.readers, args.edition) as server:
        told = {"Host": "desk.localhost"}
        load = Load(server.address, args.edition, args.text, told, args.pause, most)
        load.page()
        stop = threading.Event()
        with ThreadPoolExecutor(1) as pool:
            watching = pool.submit(server.watch, stop, args.kills)
            begun, words = time.perf_counter(), list[str]()
            while not words or time.perf_counter() - begun < 60 * args.minutes:
                words += load.run(args.editors, args.saves, args.readers, len(words))
            took = time.perf_counter() - begun
            stop.set()
            watching.result()
        file = (server.project / "report" / args.edition / args.text).read_text("utf-8")
        wrong = lost_or_doubled(file, words[-most // 2 :])
        path = f"report/{args.edition}/{args.text}"
        held = _git(server.project, "show", f"{branch}:{path}")
        commits = _git(server.project, "rev-list", "--count", f"HEAD..{branch}")
        memory = [*server.memory, server.resident()]
    _tell(load, took, args)
    print(f"{len(words)} words saved, {int(commits)} commits; lost or doubled: "
          f"{len(wrong)}; Git holds what the file does: {held == file}\nMiB by the "
          f"minute: {', '.join(f'{one:.0f}' for one in memory)}")  # fmt: skip
    return 1 if wrong or held != file else 0


def _tell(load: Load, took: float, args: argparse.Namespace) -> None:
    def times(seconds: list[float]) -> str:
        ordered = sorted(seconds) or [0.0]
        most = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
        middle = statistics.median(ordered)
        return f"{middle:.2f} s (median), {most:.2f} s (95%), {ordered[-1]:.2f} s (max)"

    print(f"{len(load.waited)} saves by {args.editors} editors and {args.readers} "
          f"readers in {took:.0f} s, {load.met} met another's, {args.kills} kills\n"
          f"a save took        {times(load.waited)}\n"
          f"a reader saw it in {times(load.seen_in())}")  # fmt: skip


def _git(folder: Path, *command: str) -> str:
    who = ("-c", "user.name=Bench", "-c", "user.email=bench@localhost")
    done = subprocess.run(
        ["git", *who, *command], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--saves", type=int, default=20)
    parser.add_argument("--editors", type=int, default=5)
    parser.add_argument("--readers", type=int, default=20)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--pause", type=float, default=0, help="seconds")
    parser.add_argument("--edition", default=EDITION)
    parser.add_argument("--text", default=TEXT, help="its first part is edited")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
