"""Many people at the desk: saves by several editors at once, while others read.

All edit one part of one text, so most saves meet another's. Each writes a word of its
own; in the end every word is there once. Needs a built project. Run it as
``python -m benchmarks.desk``; it works in a copy.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from analysis.report.desk.app import desk_routes
from analysis.report.desk.desk import make_desk, sources_of_all
from analysis.report.desk.people import Person
from analysis.report.desk.serving import Served, application
from benchmarks.preview import copy_built

TEXT = "studies/offload/background.md"
_BUSY = 429


@dataclass
class Load:
    """Editors and readers of one part; ``waited`` are seconds from save to answer."""

    address: str
    edition: str
    text: str
    waited: list[float] = field(default_factory=list)
    met: int = 0
    told: list[int] = field(default_factory=list)

    def run(self, editors: int, saves: int, readers: int) -> list[str]:
        """Save so many words in all; returns them."""
        stop = threading.Event()
        for n in range(readers):
            self.told.append(0)
            threading.Thread(target=self._read, args=(n, stop), daemon=True).start()
        words = [
            f"word{'abcdefghij'[n % 10]}{'x' * (n // 10 + 1)}" for n in range(saves)
        ]
        with ThreadPoolExecutor(editors) as pool:
            list(pool.map(self._save, words))
        stop.set()
        return words

    def _save(self, word: str) -> None:
        headers = self._pass()
        while True:
            part = json.loads(self._ask(f"part?text={self.text}&number=0")[1])
            tokens = {one["token"]: one["expression"] for one in part["tokens"]}
            named = {name: part[name] for name in ("text", "number", "hash")}
            said = {**named, "words": f"{part['words']} {word}", "tokens": tokens}
            begun = time.perf_counter()
            status, text = self._ask("save", said, headers)
            if status == 200:
                self.waited.append(time.perf_counter() - begun)
                return
            if status not in (409, _BUSY):
                raise RuntimeError(f"{status}: {text}")
            self.met += status == 409
            time.sleep(1.0 if status == _BUSY else 0)

    def _read(self, reader: int, stop: threading.Event) -> None:
        """Hear of changes for as long as it takes."""
        path = f"{self.address}e/{self.edition}/changes?version=0"
        with urlopen(path, timeout=600) as changes:  # noqa: S310 - our own address
            while not stop.is_set():
                self.told[reader] += changes.readline().startswith(b"data:")

    def _pass(self) -> dict[str, str]:
        with urlopen(f"{self.address}token", timeout=60) as answer:  # noqa: S310
            cookie = answer.headers["Set-Cookie"].partition(";")[0]
            token = json.loads(answer.read())["token"]
        return {"Cookie": cookie, "x-desk-token": token}

    def _ask(
        self, path: str, said: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, str]:
        data = json.dumps(said).encode() if said else None
        url = f"{self.address}e/{self.edition}/{path}"
        request = Request(url, data, headers or {})  # noqa: S310 - our own address
        try:
            with urlopen(request, timeout=600) as answer:  # noqa: S310
                return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()


def lost_or_doubled(text: str, words: list[str]) -> list[str]:
    """The words that are not there just once."""
    found = text.split()
    return [word for word in words if found.count(word) != 1]


def main() -> int:
    """Print the times, and end with 1 where a save was lost or doubled."""
    args = _parse()
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        project = copy_built(Path(name, "project"), "linux-veth")
        report, built = project / "report", project / "data/build"
        for command in (["init", "-q"], ["add", "report"], ["commit", "-qm", "Begin"]):
            who = ("-c", "user.name=Bench", "-c", "user.email=bench@localhost")
            subprocess.run(["git", *who, *command], cwd=project, check=True)
        sources = sources_of_all(report, built / "facts.json", built / "figures")
        own = {"linux-veth": sources["linux-veth"]}
        person = Person("Bench", "bench@localhost", "author")
        desk = make_desk(own, Path(name, "documents"), built / "desk")
        desk.warm()
        server = Served(application(desk_routes(desk), who=lambda _: person), 0)
        load = Load(server.address, "linux-veth", TEXT)
        begun = time.perf_counter()
        words = load.run(args.editors, args.saves, args.readers)
        took = time.perf_counter() - begun
        wrong = lost_or_doubled((report / "linux-veth" / TEXT).read_text(), words)
        server.shutdown()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    middle, most = statistics.median(load.waited), max(load.waited)
    print(f"{args.saves} saves by {args.editors} editors in {took:.1f} s; {load.met} "
          f"met another's\na save took {middle:.2f} s (median), {most:.2f} s at most\n"
          f"{args.readers} readers heard {min(load.told)} to {max(load.told)} changes\n"
          f"{memory:.0f} MiB at most; lost or doubled: {len(wrong)}")  # fmt: skip
    return 1 if wrong else 0


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--saves", type=int, default=20)
    parser.add_argument("--editors", type=int, default=5)
    parser.add_argument("--readers", type=int, default=20)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
