"""The statements of the corpus: what is written where, and what must come of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

HERE = Path(__file__).parent
Outcome = Literal["error", "held", "warning", "silent"]


class Entry(BaseModel):
    """What is written in the corpus; a name that is not known is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Statement(Entry):
    """A sentence or more, put into one text of an edition.

    ``file`` is the text's place in the edition. With a colon, a field of a declaration
    follows (``study.yaml:figures[0].question``), which ``text`` replaces; else
    ``text`` is appended as a paragraph of its own. ``claims`` are added to the claims
    of the text, ``allow`` to its exceptions. ``expect`` is the least that must come of
    it: ``warning`` only where a person has to judge.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    way: str
    edition: Literal["linux-veth", "zos-cs-3.2"]
    file: str
    how: Literal["append", "replace"]
    text: str
    expect: Literal["error", "warning", "pass"]
    why: str
    claims: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    status: Literal["draft", "final"] = "draft"


class Known(Entry):
    """What falls short today, by id; all lists must shrink to nothing.

    ``silent`` statements are false and nothing is said of them, ``warned`` of only get
    a warning where they must be stopped, ``refused`` are true and an error, ``held``
    are true and stop a final edition. ``unnoticed`` changes must be noticed, ``alarms``
    are changes that mean nothing and are.
    """

    silent: tuple[str, ...] = ()
    warned: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    unnoticed: tuple[str, ...] = ()
    alarms: tuple[str, ...] = ()


def statements() -> list[Statement]:
    """All statements, false ones first, in the order of the files."""
    return [
        Statement(**given)
        for kind in ("false", "true")
        for path in sorted((HERE / kind).glob("*.yaml"))
        for given in _given(path)
    ]


def known() -> Known:
    """What is known to fall short."""
    return Known(**read(HERE / "silent.yaml"))


def read(path: Path) -> Any:
    """What a YAML file says."""
    return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)


def _given(path: Path) -> Iterator[dict[str, Any]]:
    """The statements of a file; each takes what it does not say from its group."""
    for group in read(path):
        common = {name: said for name, said in group.items() if name != "statements"}
        common.setdefault("expect", "pass" if path.parent.name == "true" else "error")
        for own in group["statements"]:
            given = common | own
            field = ".yaml:" in given["file"]
            yield {"how": "replace" if field else "append"} | given
