"""Files of the program, and those of a project that stand over them.

The project is the current folder: its raw/, report/ and data/. The program lies where
its packages do: where it was installed, or in a checkout, which is a project as well. A
template of the project stands in place of the program's of the same name.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

from analysis.files.inputs import text_files

PROGRAM = Path(__file__).resolve().parents[2]
TEMPLATES = PROGRAM / "templates"
LOCKS = (Path("uv.lock"), Path("requirements.txt"))  # of the project's environment
NAME = "netperf-report"  # of the distribution, and of its command
_VERSION = re.compile(r'^version = "([^"]+)"', re.MULTILINE)


def is_checkout(folder: Path = PROGRAM) -> bool:
    """Whether a folder has the program's sources, and is no installation of it."""
    return all((folder / n).is_file() for n in ("pyproject.toml", "analysis/cli.py"))


@functools.cache
def version() -> str:
    """The program's version, as its checkout declares it or as it was installed."""
    if is_checkout():
        [number] = _VERSION.findall((PROGRAM / "pyproject.toml").read_text("utf-8"))
        return str(number)
    from importlib import metadata  # a third of what every start imports

    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:
        return "unknown"


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
