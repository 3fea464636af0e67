"""Where the program runs: in the project's folder, and by its code or an installed one.

Verbs that look at files alone work anywhere; all others read the folders of the
project. The command may be installed once and called in several checkouts, or in one
that went on since: that is told, as a build runs the code of the checkout.
"""

from __future__ import annotations

import filecmp
from collections.abc import Sequence
from pathlib import Path

from analysis.errors import user_error

ANYWHERE = {
    "inspect", "summary", "collect", "campaign", "checksums", "ingest",
    "load", "diff", "completion", "fingerprint",
}  # fmt: skip
_CODE = Path("analysis")
_OWN = Path(__file__).resolve().parent
_PROJECT = ("data/metrics.yaml", "templates", "report")


def check_folder(verb: str, args: Sequence[str]) -> None:
    """A :class:`UserError` where a verb needs the project and is called elsewhere."""
    asks = {"-h", "--help"}.intersection(args)
    if verb in ANYWHERE or asks or is_project(Path()):
        return
    here = Path.cwd()
    above = next((folder for folder in here.parents if is_project(folder)), None)
    mend = f"cd {above}" if above else "go to its checkout, where the Makefile is"
    raise user_error(f"{verb!r} needs the folder of the project", here, mend=mend)


def is_project(folder: Path) -> bool:
    """Whether a folder has any of what only a project has."""
    return any((folder / name).exists() for name in _PROJECT)


def other_code() -> int:
    """How many modules of the checkout in this folder are not those that run."""
    here = _CODE.resolve()
    if here == _OWN or not (here / "cli.py").is_file():
        return 0
    names = {path.relative_to(root).as_posix() for root in (here, _OWN)
             for path in root.rglob("*.py")}  # fmt: skip
    _, *others = filecmp.cmpfiles(here, _OWN, names, shallow=False)
    return sum(map(len, others))
