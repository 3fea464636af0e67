"""Whether a folder can be that of a campaign: it is there, and holds no other one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from analysis.declared.campaign import CAMPAIGN_FILE
from analysis.declared.mistakes import nearest
from analysis.errors import user_error
from analysis.files.inputs import campaign_files

RAW = Path("raw")


def check_place(folder: Path, files: Iterable[str] | None = None) -> None:
    """A :class:`UserError` where the folder is absent, or has campaigns in it, whose
    files would count twice; ``files`` are those below it, where they are known."""
    if not folder.is_dir():
        meant = "".join(f"did you mean {path}? " for path in _meant(folder))
        mend = f"{meant}copy the files there, then run 'campaign init {folder}'"
        raise user_error("there is no such campaign", folder, mend=mend)
    known = campaign_files(folder) if files is None else files
    for name in sorted(name for name in known if name.endswith(f"/{CAMPAIGN_FILE}")):
        inner = folder / name
        mend = (
            f"name the folder of one: {inner.parent}; if both were measured, move "
            "one out, to a folder of its own below raw/"
        )
        raise user_error(f"a campaign inside of {folder}", inner, mend=mend)


def _meant(folder: Path) -> list[Path]:
    """The folder in ``raw`` of that name, or one beside it with a name like it."""
    if (RAW / folder).is_dir():
        return [RAW / folder]
    others = [path.name for path in folder.parent.glob("*") if path.is_dir()]
    return [folder.with_name(name) for name in nearest(folder.name, others)]
