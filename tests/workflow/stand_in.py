"""A stage that only sleeps and writes: what Snakemake sees of the real ones.

Copied into a project as ``analysis/stand_in.py``; each verb's module there is a line
that imports it. Files in the project steer it: ``slow-<verb>`` holds seconds to sleep
between reading and writing, or until it is removed; ``fail-<verb>`` makes it fail, and
``fail-<verb>-<name>`` that of one campaign or edition.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from pathlib import Path

from analysis.errors import user_error

FOLDERS = ("ingest", "figures")
OPTIONS = (
    *("campaign", "database", "facts", "figures", "report", "raw", "builds", "kept"),
    *("edition", "engine", "out", "backtest", "published", "metrics", "index"),
    *("parts", "read-by", "cores"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of all verbs."""
    parser.add_argument("--tables", nargs="*")
    parser.add_argument("--code", nargs="*")
    parser.add_argument("--editions", nargs="*")
    parser.add_argument("--libraries", nargs="*")
    parser.add_argument("--for-build", action="store_true")
    parser.add_argument("--deal", nargs=2)
    for option in OPTIONS:
        parser.add_argument(f"--{option}")


def run_as(verb: str, constant: int, args: argparse.Namespace) -> int:
    """Write the verb's output from its inputs, each file in one step."""
    if args.deal:
        return 0  # so small a campaign is read by one job
    words, name = f"{verb} {constant} {_text(args)}", Path(args.out).name
    Path(f"began-{verb}").touch()
    _wait(Path(f"slow-{verb}"))
    if any(map(Path.exists, map(Path, (f"fail-{verb}", f"fail-{verb}-{name}")))):
        raise user_error("this cannot be", "observations.md", 3, mend="write it well")
    _write(verb, Path(args.out), args.edition, words)
    print(f"{verb} is done")
    return 0


def _wait(slow: Path) -> None:
    if not slow.exists():
        return
    until = time.monotonic() + float(slow.read_text(encoding="utf-8"))
    while slow.exists() and time.monotonic() < until:
        time.sleep(0.02)


def _text(args: argparse.Namespace) -> str:
    texts = [Path("report", args.edition)] if args.edition and args.engine else []
    files = sorted(path for folder in texts for path in folder.rglob("*.md"))
    return " ".join(path.read_text(encoding="utf-8") for path in files)


def _write(verb: str, out: Path, edition: str, words: str) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    if verb == "derive":
        out.with_name("evidence.json").write_text(words, encoding="utf-8")
    if verb in FOLDERS:
        part = out.with_name(f".{out.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        (part / "table").write_text(words, encoding="utf-8")
        shutil.rmtree(out, ignore_errors=True)
        part.rename(out)
        return
    names = ("index.html", f"{edition}.pdf", "manifest.json")
    for file in [out / name for name in names] if verb == "report" else [out]:
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f"{file.name}.part")
        text = (
            json.dumps({"files": dict.fromkeys(names)})
            if file.suffix == ".json"
            else words
        )
        part.write_text(text, encoding="utf-8")
        part.replace(file)
