"""What was made of what: a mark for each step that is done.

A mark holds the step's key and a hash of its result, and below them the key of the
step alone and a hash of the results that went into it. It counts for nothing, and the
step runs again, where the key is another one, a step before it was made anew, or the
result is not what the step made: absent, edited, half copied or of another project. A
mark is void from the start where inputs changed after the build had looked at them, as
nobody knows which of them were read.

Who plans removes no mark. A step that must run is given a mark of another name, which
is not there yet; Snakemake makes what is not there. Run as a program, this writes marks
in place of earlier ones: ``python -m workflow.made MARK KEY RESULT [MARK KEY RESULT]
--with RESULT… --of INPUT…``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from analysis.errors import UserError, told
from analysis.files.atomic import whole_file
from analysis.files.digests import CACHE, digest_of, file_hashes
from analysis.files.inputs import is_draft
from workflow.changed_code import changed_code, drop_kept
from workflow.clocks import is_younger
from workflow.single import LOCK

MARKS = Path("data/build/marks")
UP_TO_DATE = "Nothing to be done: everything is up to date."
_MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Step:
    """A step that is to be done: its key, and the file or folder that it makes.

    ``beside`` are more results that it makes, ``before`` the names of the steps whose
    results go into it, ``inputs`` the files and folders that do. ``mark`` is a path:
    where it exists, the step is done. ``own`` is the step's key without those of the
    steps before it.
    """

    name: str
    key: str
    result: Path
    before: tuple[str, ...] = ()
    inputs: tuple[Path, ...] = ()
    beside: tuple[Path, ...] = ()
    mark: str = ""
    own: str = ""


def with_marks(steps: Iterable[Step]) -> dict[str, Step]:
    """The steps by name, each with its mark; its key tells the marks before it, too.

    ``steps`` are in an order in which they can run.
    """
    found: dict[str, Step] = {}
    for step in steps:
        marks = {name: found[name].mark for name in step.before}
        step = replace(step, key=digest_of({"key": step.key, **marks}))
        found[step.name] = replace(step, mark=(MARKS / _mark_of(step)).as_posix())
    return found


def void_steps(steps: Iterable[Step]) -> list[Step]:
    """The steps that must run."""
    return [step for step in steps if not Path(step.mark).exists()]


def _mark_of(step: Step) -> str:
    """The mark that says that the step is done, else the first that is not there."""
    there = {path.name: path.read_text("utf-8") for path in marks_of(step.name)}
    told = [name for name, text in there.items() if text.startswith(f"{step.key} ")]
    whole = made_line(step) if told else ""
    done = (name for name in told if there[name].partition("\n")[0] == whole)
    free = (name for name in map(str, count(1)) if name not in there)
    return f"{step.name}/{next(done, None) or next(free)}"


def made_line(step: Step) -> str:
    """What the mark of a step says when its result is as it is now."""
    return f"{step.key} {result_hash(step)}"


def result_hash(step: Step) -> str:
    """The hash of what a step made, as it is now."""
    files = [path for result in (step.result, *step.beside) for path in _files(result)]
    return digest_of(file_hashes(files, f"made/{step.name}", CACHE))


def marks_of(step: str) -> list[Path]:
    """The marks of a step that are there."""
    return sorted((MARKS / step).glob("[0-9]*"))


def same_line(own: str, before: Iterable[Path]) -> str:
    """What does not change while a step and all that goes into it are the same: the
    step's own key, and the hashes of the results that ``before`` mark, in their order.
    The shell of a step makes it as well, see :func:`workflow.rules.made`."""
    return " ".join([own, *(mark.read_text("utf-8").split()[1] for mark in before)])


def _files(result: Path) -> list[Path]:
    """The files of a result: of a report those that its manifest names."""
    if not result.is_dir():
        return [result] if result.exists() else []
    manifest = result / _MANIFEST
    if not manifest.exists():
        return sorted(path for path in result.rglob("*") if path.is_file())
    named = [result / name for name in _named(manifest)]
    return sorted({manifest, *(path for path in named if path.is_file())})


def _named(manifest: Path) -> list[str]:
    try:
        return list(json.loads(manifest.read_text("utf-8"))["files"])
    except (ValueError, LookupError, TypeError):
        return []  # not what was made, which its own hash tells


def changed_since(start: os.stat_result, inputs: Iterable[Path]) -> list[Path]:
    """The files among inputs that changed in any way since ``start`` was written.

    Both times are of file systems, and never of the machine that looks. Those of two
    file systems may differ by ``SKEW``: what changed a little before on another one
    counts as changed, which costs that the step is made once more.
    """
    found = ((path, _state_of(path)) for path in _inputs(inputs))
    return [Path(path) for path, state in found if state and is_younger(state, start)]


def _state_of(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _inputs(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        if not path.is_dir():
            yield str(path)
        for folder, folders, names in os.walk(path, followlinks=True):
            folders[:] = [name for name in folders if not is_draft(name)]
            yield from (f"{folder}/{name}" for name in names if not is_draft(name))


def main() -> None:
    """Write the marks that are named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m workflow.made")
    parser.add_argument("marks", nargs="+", metavar="MARK KEY RESULT")
    parser.add_argument(
        "--with", nargs="*", type=Path, default=[], metavar="RESULT", dest="beside"
    )
    parser.add_argument("--of", nargs="*", type=Path, default=[], metavar="INPUT")
    parser.add_argument("--own", default="", metavar="KEY")
    parser.add_argument("--before", nargs="*", type=Path, default=[], metavar="MARK")
    args = parser.parse_args()
    marks = zip(*[iter(args.marks)] * 3, strict=True)
    steps = [
        Step(Path(mark).parent.name, key, Path(result), mark=mark)
        for mark, key, result in marks
    ]
    steps[0] = replace(steps[0], beside=tuple(args.beside))
    changed = _changed(steps[0].name, args.of)
    for place, step in enumerate(steps):
        void = not place and changed
        line = f"{step.key} void" if void else made_line(step)
        same = "" if place else same_line(args.own, args.before)
        write_mark(step, f"{line}\n{same}\n")
    if changed:
        print(
            f"note: {changed[0]} changed while {steps[0].name} was made; "
            "the next 'make report' makes it again",
            file=sys.stderr,
        )


def _changed(step: str, inputs: Iterable[Path]) -> list[Path]:
    """What changed of the inputs and the code of a step since the build began."""
    if not LOCK.exists():
        return []
    start = LOCK.stat()
    if code := changed_code(step, start):
        drop_kept(step)
    return [*changed_since(start, inputs), *code]


def write_mark(step: Step, text: str) -> None:
    """Write a step's mark, which takes the place of all earlier ones.

    That of the list of editions is written by each report, by two at once as well.
    """
    with whole_file(Path(step.mark), rivals=True) as draft:
        draft.write_text(text, encoding="utf-8")
    for path in marks_of(step.name):
        if path != Path(step.mark):
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    try:
        main()
    except (UserError, OSError) as error:
        raise SystemExit(f"error: {told(error)}") from None
