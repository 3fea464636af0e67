"""A stage that only sleeps and writes: what Snakemake sees of the real ones.

Copied into a project as ``analysis/stand_in.py``; each verb's module there is a line
that imports it. Files in the project steer it: ``slow-<verb>`` holds seconds to sleep
between reading and writing, or until it is removed; ``fail-<verb>`` makes it fail, and
``fail-<verb>-<name>`` that of one campaign or edition.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from analysis.declared.edition import read_edition, read_studies
from analysis.errors import user_error
from analysis.files.atomic import placed, whole_folder, write_text
from analysis.files.checksums import check_sealed, seal
from analysis.files.hashes import campaign_state

_READ = {"figures": "data/build/facts", "report": "data/build/figures"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of all verbs."""
    parser.add_argument("--tables", nargs="*")
    for option in (
        *("campaign", "edition", "engine", "out", "cache", "facts", "cores", "format"),
    ):
        parser.add_argument(f"--{option}")


def run_as(verb: str, constant: int, args: argparse.Namespace) -> int:
    """Write the verb's output from its inputs, each file in one step."""
    words, name = f"{verb} {constant} {_text(verb, args)}", Path(args.out).name
    Path(f"began-{verb}").touch()
    _wait(Path(f"slow-{verb}"))
    if any(map(Path.exists, map(Path, (f"fail-{verb}", f"fail-{verb}-{name}")))):
        raise user_error("this cannot be", "observations.md", 3, mend="write it well")
    if args.edition:
        folder = Path("report", args.edition)
        read_studies(folder, read_edition(folder))
    if args.campaign:
        campaign_state(Path(args.campaign))
    if verb in _READ and (read := Path(_READ[verb], args.edition)).is_dir():
        check_sealed(read)
    _write(verb, args, words)
    print(f"{verb} is done")
    return 0


def _wait(slow: Path) -> None:
    if not slow.exists():
        return
    until = time.monotonic() + float(slow.read_text(encoding="utf-8"))
    while slow.exists() and time.monotonic() < until:
        time.sleep(0.02)


def _text(verb: str, args: argparse.Namespace) -> str:
    texts = sorted(Path("report", args.edition).rglob("*.md")) if args.engine else []
    return " ".join(path.read_text(encoding="utf-8") for path in texts)


def _write(verb: str, args: argparse.Namespace, words: str) -> None:
    if verb == "report":
        names = ("index.html", f"{args.edition}.pdf")
        with placed(Path(args.out)) as draft:
            for name in names:
                (draft / name).write_text(words, "utf-8")
            named = json.dumps({"files": dict.fromkeys(names)})
            (draft / "manifest.json").write_text(named, "utf-8")
    elif verb in ("ingest", "derive", "figures"):
        with whole_folder(Path(args.out)) as draft:
            (draft / "table").write_text(words, "utf-8")
            seal(draft)
    else:
        write_text(Path(args.out), words)
