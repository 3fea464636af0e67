"""What was made of what: a mark for each step that is done.

A mark holds the step's key and a hash of its result. It is void, and the step runs
again, where the key is another one or the result is not what the step made: absent,
edited, half copied or of another project. Run as a program, it writes a mark:
``python -m workflow.made MARK KEY RESULT [shared]``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from analysis.atomic import write_text
from analysis.digests import CACHE, digest_of, file_hashes

MARKS = Path("data/build/made")
_MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Step:
    """A step that is to be done: its key, and the file or folder that it makes.

    ``before`` are the names of the steps whose results go into it. A ``shared``
    result is one that other steps bring up to date: it must be there.
    """

    name: str
    key: str
    result: Path
    before: tuple[str, ...] = ()
    shared: bool = False

    @property
    def mark(self) -> str:
        """The path of its mark."""
        return str(MARKS / self.name)


def void_steps(steps: Iterable[Step]) -> list[Step]:
    """The steps that must run: by their own mark, or after one that must.

    ``steps`` are in an order in which they can run.
    """
    found: dict[str, Step] = {}
    for step in steps:
        if not found.keys().isdisjoint(step.before) or not _is_done(step):
            found[step.name] = step
    return list(found.values())


def void_marks(steps: Iterable[Step]) -> None:
    """Remove the marks of the steps that must run, which tells Snakemake to."""
    for step in void_steps(steps):
        Path(step.mark).unlink(missing_ok=True)


def _is_done(step: Step) -> bool:
    mark = Path(step.mark)
    return mark.exists() and mark.read_text("utf-8") == _mark(step)


def _mark(step: Step) -> str:
    """What the mark of a step says when its result is as it is now."""
    if step.shared:
        return f"{step.key} shared\n" if step.result.exists() else ""
    hashes = file_hashes(_files(step.result), f"made/{step.name}", CACHE)
    return f"{step.key} {digest_of(hashes)}\n"


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


def main() -> None:
    """Write the mark that is named on the command line."""
    mark, key, result, *shared = sys.argv[1:]
    step = Step(Path(mark).name, key, Path(result), shared=bool(shared))
    write_text(Path(mark), _mark(step))


if __name__ == "__main__":
    main()
