"""The Python file of a figure that a study draws itself: read, never run here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from analysis.declared.study import Figure
from analysis.errors import Issue, Place, UserError, user_error
from analysis.files.inputs import open_regular

MOST_BYTES = 100_000


@dataclass(frozen=True)
class FigureFile:
    """The text of the file, and its path as messages tell it."""

    path: str
    text: str


def read_figure_file(
    study: Path, figure: Figure, allowed: bool, place: Place
) -> FigureFile:
    """The file of a figure of kind python, which lies in the folder of its study.

    ``place`` is that of its declaration. A :class:`UserError` where the edition does
    not allow such figures, and where the file is none that Python can read.
    """
    path = study / figure.file
    if not allowed:
        what = f"figure {figure.id}: this edition runs no Python files"
        mend = "write python-figures: true in its edition.yaml, if you trust the file"
        raise UserError([Issue(what, place, mend)])
    if path.is_symlink():
        mend = "copy what it leads to"
        raise user_error("is a symbolic link, no file", path, mend=mend)
    with open_regular(path) as stream:
        content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        what = f"has more than {MOST_BYTES // 1000} kB"
        raise user_error(what, path, mend="let it draw one figure alone")
    try:
        text = content.decode("utf-8")
        compile(text, str(path), "exec", dont_inherit=True)
    except UnicodeDecodeError as error:
        mend = "save it as UTF-8"
        raise user_error("is no UTF-8", path, None, error.start, mend) from None
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        what = f"is no Python: {getattr(error, 'msg', None) or error}"
        raise user_error(what, path, line, mend="mend this line") from None
    return FigureFile(str(path), text)
