"""Templates: a project's own, and those of the program that it leaves as they are.

A file in the project's ``templates/`` stands in place of the program's of that name.
"""

from __future__ import annotations

from pathlib import Path

from analysis.files.inputs import text_files
from analysis.program import PROGRAM

TEMPLATES = PROGRAM / "templates"


def template_file(templates: Path, name: str) -> Path:
    """A template by its name: that of the project, in ``templates``, or the
    program's."""
    over = templates / name
    return over if over.is_file() else TEMPLATES / name


def template_folders(templates: Path, below: str = "") -> list[Path]:
    """Where templates are looked for: in the project, then in the program."""
    places = [templates] if templates.resolve() == TEMPLATES else [templates, TEMPLATES]
    return [place / below for place in places]


def template_files(templates: Path, below: str = "") -> dict[str, Path]:
    """The templates below a folder of theirs, by name in the order of names.

    A :class:`analysis.errors.UserError` names all that is no file.
    """
    found = {
        path.relative_to(place).as_posix(): path
        for place in reversed(template_folders(templates, below))
        for path in text_files(place)
    }
    return dict(sorted(found.items()))
