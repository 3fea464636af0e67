"""What the parts of a project may be called: each pattern once, with its words.

Names of campaigns, editions and studies are names of folders and parts of addresses
and commands, so they hold nothing that a shell, a web server or a file system reads
as more than a name. Raw files may be called anything.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from pydantic import AfterValidator, Field

from analysis.declared.mistakes import form, nearest
from analysis.errors import Issue, Place, raise_if
from analysis.files.limits import NAME_CHARACTERS, TITLE_CHARACTERS, TITLE_WORD

_MORE = f"{{0,{NAME_CHARACTERS - 1}}}$"  # characters; a dot is neither last nor double
NAME = rf"^[a-z0-9](\.?[a-z0-9-]){_MORE}"  # of editions, studies, figures and the like
ID = r"^[A-Za-z0-9][A-Za-z0-9_-]*$"  # of configurations and systems
FOLDER = rf"^[A-Za-z0-9](\.?[A-Za-z0-9_-]){_MORE}"  # of campaigns
RUN = r"^[A-Za-z0-9][A-Za-z0-9_.,:+=@()/-]*$"
TITLE = rf"^\s*\S{{1,{TITLE_WORD}}}(\s+\S{{1,{TITLE_WORD}}})*\s*$"
# report/build and data/build hold what is made, among it report/build/index.html.
RESERVED = frozenset({"build", "index.html"})
_DEVICES = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9])(\..*)?", re.IGNORECASE)
WORDS = {
    NAME: "small letters, digits, single dots and hyphens, a letter or digit first, "
    f"no dot last, at most {NAME_CHARACTERS} characters",
    ID: "letters, digits, hyphens and underscores, a letter or digit first",
    FOLDER: "the name of a folder: letters, digits, single dots, hyphens and "
    f"underscores, no dot last, at most {NAME_CHARACTERS} characters",
    TITLE: f"words of at most {TITLE_WORD} characters each",
    RUN: "letters, digits and _ . , : + = @ ( ) / -, a letter or digit first",
}
Name = Annotated[str, Field(pattern=form(NAME, WORDS[NAME]))]
Title = Annotated[
    str, Field(pattern=form(TITLE, WORDS[TITLE]), max_length=TITLE_CHARACTERS)
]
Id = Annotated[str, Field(pattern=form(ID, WORDS[ID]))]
Folder = Annotated[str, Field(pattern=form(FOLDER, WORDS[FOLDER]))]


def fits(name: str, pattern: str) -> bool:
    """Whether a name is of one of the patterns."""
    return re.fullmatch(pattern.removesuffix("$"), name) is not None


def fits_folder(name: str, pattern: str) -> bool:
    """Whether a folder may have a name: it is of the pattern and not reserved.

    Devices of Windows are no names there, where reports may be read from a share.
    """
    return not (name in RESERVED or _DEVICES.fullmatch(name)) and fits(name, pattern)


def find_named(folder: Path, file: str, pattern: str) -> list[str]:
    """Names of the folders below ``folder`` that hold ``file``, sorted.

    A :class:`UserError` tells of all names that are not of the pattern. A folder whose
    name begins with a dot is a draft and not looked at.
    """
    holding = (path.parent.name for path in folder.glob(f"*/{file}"))
    names = sorted(name for name in holding if not name.startswith("."))
    bad = [name for name in names if not fits_folder(name, pattern)]
    mend = f"rename it: {WORDS[pattern]} ({pattern})"
    where = Place(str(folder))
    raise_if([Issue(f"the name {n!r} will not do here", where, mend) for n in bad])
    return names


def known_zone(zone: str) -> str:
    """The name itself; a :class:`ValueError` where it is none of a time zone."""
    try:
        return ZoneInfo(zone).key
    except (ZoneInfoNotFoundError, ValueError):
        ends = _by_end()
        near = nearest(zone.replace(" ", "_"), ends)
        meant = "".join(f"did you mean {ends[name]!r}? " for name in near)
        raise ValueError(
            f"{zone!r} is not a time zone; {meant}write a name such as UTC or "
            "America/New_York"
        ) from None


@functools.cache
def _by_end() -> dict[str, str]:
    """The names by their last parts, which is what people write."""
    return {name.rsplit("/", 1)[-1]: name for name in sorted(available_timezones())}


Zone = Annotated[str, AfterValidator(known_zone)]
