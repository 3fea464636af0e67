"""How long publishing an unchanged build of 50 MB takes, and the first time beside it.

Printed are the machine and both times; the goal is under 2 s for the unchanged build.
Run it as ``python -m benchmarks.publish``.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.machine import describe

GOAL = 2.0
MEGABYTES, FILES = 50, 100
PAGE = "<!DOCTYPE html><html lang='en'><title>x</title><p>{}</p></html>"


def main() -> int:
    """Publish a made build twice into a folder of this machine."""
    print(*describe(), sep="\n", end="\n\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_build(folder / "builds" / "big")
        (folder / "report/big").mkdir(parents=True)
        (folder / "report/big/edition.yaml").touch()
        first = publish(folder)
        again = publish(folder)
    print(f"first time     {first:5.2f} s   {MEGABYTES} MB, {FILES} files")
    print(f"unchanged      {again:5.2f} s   (goal: {GOAL:g} s)")
    return int(again > GOAL)


def make_build(folder: Path) -> None:
    """A final build with files of random bytes and a page of 5 MB."""
    (folder / "tables").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE.format("word " * 1_000_000))
    for number in range(FILES):
        size = (MEGABYTES - 5) * 1_000_000 // FILES
        (folder / f"tables/{number}.parquet").write_bytes(os.urandom(size))
    (folder / "provenance.json").write_text('{"studies": {}, "campaigns": {}}')
    hashes = {
        path.relative_to(folder).as_posix(): digest(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    manifest = {
        "edition": "big", "build": "0123456789ab", "title": "Big", "subtitle": "",
        "date": "2026-01-01", "number": "", "status": "final", "origins": [],
        "files": hashes,
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(manifest))


def publish(folder: Path) -> float:
    """Seconds of the whole command."""
    command = [sys.executable, "-m", "analysis", "publish", "--to", f"{folder}/www"]
    start = time.perf_counter()
    subprocess.run(
        [*command, "--builds", f"{folder}/builds", "--report", f"{folder}/report"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - start


def digest(path: Path) -> str:
    """The sha256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
