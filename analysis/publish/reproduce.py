"""Make a release or build again in a temporary folder, and say what differs.

It starts from the raw files, those of the release or of this project, where they are
the ones of the release; else from its tables. All facts and figures are compared, or
one by its name.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from analysis.declared.campaign import CAMPAIGN_FILE, campaign_folder
from analysis.errors import raise_if, user_error
from analysis.facts.units import how_many
from analysis.files.checksums import seal
from analysis.files.hashes import digest_of, hash_file
from analysis.program import PROGRAM
from analysis.programs.child import run_child
from analysis.publish.build import FACTS, SOURCE, Build, check_files, read_build
from analysis.publish.bundle import DECLARED, campaigns_of, homes_of
from analysis.report.builds.provenance import made_by
from analysis.usage import near

_SHOWN = 10  # things that differ
_SECONDS = 6 * 3600  # of a stage


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis reproduce``."""
    parser.add_argument("release", type=Path, help="folder of a build or release")
    parser.add_argument("name", nargs="?", help="a fact's key, or a figure; all")
    parser.add_argument(
        "--tables", action="store_true", help="from its tables, not from raw files"
    )


def run(args: argparse.Namespace) -> int:
    """Say ``same`` of each that is, and what differs; 1 where anything does."""
    build = read_build(args.release.resolve())
    facts = _facts(build.folder / FACTS)
    drawn = {n[5:-4] for n in build.files if n[:5] == "data/" and n[-4:] == ".csv"}
    if args.name and args.name not in facts.keys() | drawn:
        guess = near(args.name, [*facts, *drawn])
        what = f"there is no fact or figure {args.name!r}{guess}"
        mend = "facts.html has the key of each value, data/ a file of each figure"
        raise user_error(what, build.folder, mend=mend)
    print(f"{build.edition} {build.id}")
    for words in _other_code(build):
        print(f"  {words}")
    with tempfile.TemporaryDirectory(prefix="reproduce-") as name:
        room = Path(name)
        _lay_out(build, room, args.tables)
        _make(build, room, args.name if args.name in drawn else None, args.name is None)
        bad = 0
        if args.name not in drawn:
            made: dict[str, Any] = {}
            for path in sorted(room.glob("facts/*/facts.json")):
                made |= _facts(path)
            wanted = [args.name] if args.name else [*facts]
            bad += _tell("fact", {k: _differs(facts[k], made.get(k)) for k in wanted})
        if args.name not in facts:
            ids = [args.name] if args.name else sorted(drawn)
            bad += _tell("figure", {id: _figure(build, id, room) for id in ids})
    return int(bad > 0)


def _tell(kind: str, found: Mapping[str, list[str]]) -> int:
    """Print what differs of each, and how many are the same; how many are not."""
    other = {name: words for name, words in found.items() if words}
    for name, words in list(other.items())[:_SHOWN]:
        print(f"{kind} {name} differs: " + "; ".join(words[:_SHOWN]))
    if len(other) > _SHOWN:
        print(f"{how_many(len(other) - _SHOWN, f'more {kind}')} differ")
    if same := len(found) - len(other):
        print(f"{how_many(same, kind)}: same" if len(found) > 1 else f"{kind}: same")
    return len(other)


def _other_code(build: Build) -> Iterator[str]:
    """What makes facts and figures here and is not as it was then."""
    now = made_by()
    then = build.provenance.get("code", {})
    stages = ("ingest", "derive", "figures")
    other = [stage for stage in stages if then.get(stage) != now.code.get(stage)]
    if other:
        yield f"note: the code of {', '.join(other)} is not that of the release"
    libraries = build.provenance.get("libraries") or {}
    for name, version in sorted(libraries.items()):
        if (here := now.libraries.get(name)) != version:
            yield f"note: {name} is {here or 'not here'}, and was {version}"


def _lay_out(build: Build, room: Path, from_tables: bool) -> None:
    """Make a project in ``room`` with the declarations and data of a release.

    They are those in the release, if it has them, else those of the current folder.
    """
    carried = build.folder / SOURCE
    home = carried if carried.is_dir() else Path.cwd()
    if not (home / "report" / build.edition / "edition.yaml").is_file():
        what = "neither this release nor the current folder declares its studies"
        mend = "run this in the project that made it"
        raise user_error(what, build.folder, mend=mend)
    raw = build.folder / "raw" if carried.is_dir() else home / "raw"
    for name in ("report", "templates"):
        if (home / name).is_dir():
            (room / name).symlink_to((home / name).resolve())
    hidden = shutil.ignore_patterns("build")
    if (home / "data").is_dir():
        shutil.copytree(home / "data", room / "data", ignore=hidden)
    campaigns = build.provenance.get("campaigns", {})
    homes = homes_of(build.edition, home / "report")
    for name in sorted({*campaigns, *campaigns_of(homes, home / "report")}):
        folder, about = campaign_folder(raw, name).resolve(), campaigns.get(name)
        if not (folder / CAMPAIGN_FILE).is_file():
            what = "this campaign is neither here nor in the release"
            mend = "run this in the project, after: make report"
            raise user_error(what, folder, mend=mend)
        (room / "raw").mkdir(exist_ok=True)
        (room / "raw" / name).symlink_to(folder)
        why = "as asked" if from_tables else about and _other_raw(about, folder)
        if why:
            _take_tables(build, name, room / "tables" / name)
        words = f"its tables: {why}" if why else f"the raw files in {_shown(folder)}"
        print(f"  {name}: from {words}")


def _shown(folder: Path) -> str:
    here = Path.cwd()
    return str(folder.relative_to(here)) if folder.is_relative_to(here) else str(folder)


def _other_raw(about: Mapping[str, Any], folder: Path) -> str:
    """Why a campaign's folder is not what a build was made from; empty where it is."""
    hashes = dict[str, str]()
    for name in (*about["files"], *DECLARED):
        if not (folder / name).is_file():
            return f"{name} is missing"
        hashes[name] = hash_file(folder / name)
    for name, sha256 in about["files"].items():
        if hashes[name] != sha256:
            return f"{name} is not the file of the release"
    told = about.get("digest")
    return "" if digest_of(hashes) == told else "its declarations are not those of then"


def _take_tables(build: Build, campaign: str, folder: Path) -> None:
    """The tables of a release, if they are whole, as ``derive`` reads them."""
    start = f"tables/{campaign}/"
    names = {n: sha256 for n, sha256 in build.files.items() if n.startswith(start)}
    if not names:
        what = f"the release has no tables of {campaign}"
        raise user_error(what, build.folder, mend="take its raw files")
    raise_if(check_files(build.folder, names))
    folder.mkdir(parents=True)
    for name in names:
        shutil.copyfile(build.folder / name, folder / name.removeprefix(start))


def _make(build: Build, room: Path, figure: str | None, whole: bool) -> None:
    """Facts and, if they are asked for, figures in ``room``."""
    for path in sorted((room / "raw").iterdir()):
        tables = room / "tables" / path.name
        if tables.is_dir():
            seal(tables)
        else:
            _run(room, "ingest", "--campaign", path, "--out", tables)
    where = ("--tables", room / "tables", "--tables-alone", "--out")
    homes = homes_of(build.edition, room / "report")
    for edition in homes:
        facts = room / "facts" / edition
        _run(room, "derive", "--edition", edition, *where, facts)
    drawn = (
        [build.edition] if figure else sorted({build.edition, *homes} if whole else ())
    )
    for edition in drawn:
        only = ("--only", figure) if figure else ()
        out = ("--facts", room / "facts", "--out", room / "figures" / edition)
        _run(room, "figures", "--edition", edition, *out, *only)


def _run(room: Path, *arguments: str | Path) -> None:
    """One stage in ``room``; its warnings are in the release."""
    command = [sys.executable, "-m", "analysis", *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": str(PROGRAM)}
    done = run_child(command, room, environment=environment, seconds=_SECONDS)
    if done.code != 0:
        what = done.errors.decode(errors="replace").strip().removeprefix("error: ")
        raise user_error(f"{arguments[0]} stopped: {what}", mend="see what it says")


def _facts(path: Path) -> dict[str, Any]:
    """The facts of a file by their keys."""
    return {one["key"]: one for one in json.loads(path.read_bytes())["facts"]}


def _differs(then: Mapping[str, Any], now: Mapping[str, Any] | None) -> list[str]:
    """What differs of a fact, in words."""
    if now is None:
        return ["it is not derived any more"]
    return [
        f"{name} {_other(then.get(name), now.get(name))}"
        for name in (*then, *(name for name in now if name not in then))
        if then.get(name) != now.get(name)
    ]


def _other(then: Any, now: Any) -> str:
    """Two values that differ: ``was 1.25, is 1.26; the same to 2 digits``."""
    words = f"was {_brief(then)}, is {_brief(now)}"
    if (digits := same_digits(then, now)) is None:
        return words
    return f"{words} (the same to {how_many(digits, 'digit')})"


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:60]}…"


def same_digits(then: Any, now: Any) -> int | None:
    """How many significant digits two numbers share; None where they are none.

    From their relative difference: 1.2499 and 1.2500 share four.
    """
    try:
        one, other = float(then), float(now)
    except (TypeError, ValueError):
        return None
    most = max(abs(one), abs(other))
    if one == other or not math.isfinite(most):
        return None
    return max(0, math.floor(-math.log10(abs(one - other) / most)))


def _figure(build: Build, id: str, room: Path) -> list[str]:
    """What differs of a figure: cells of its data, and its drawing."""
    made = next(room.glob(f"figures/*/{id}/"), None)
    if made is None:
        return ["it is not drawn any more"]
    then, now = (
        list(csv.reader(path.read_text("utf-8").splitlines()))
        for path in (build.folder / f"data/{id}.csv", made / "figure.csv")
    )
    words = []
    if [len(then), *then[:1]] != [len(now), *now[:1]]:
        words.append(f"{len(then) - 1} rows were drawn, and are {len(now) - 1}")
    for number, rows in enumerate(zip_longest(then, now, fillvalue=()), 1):
        for name, *cells in zip_longest(then[0], *rows, fillvalue=""):
            if cells[0] != cells[1]:
                words.append(f"row {number}, {name} {_other(*cells)}")
    drawing = build.folder / f"figures/{id}.svg"
    if drawing.is_file() and drawing.read_bytes() != (made / "figure.svg").read_bytes():
        words.append("its drawing is another one")
    return words
