"""The studies of an edition: its own, and those that it borrows from others.

A borrowed study stays where it is: the edition that has it derives its facts and draws
its figures, and whoever borrows it shows the same.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

from analysis.declared.base import line_of, load_yaml, read_declared
from analysis.declared.edition import Edition, find_editions, read_edition
from analysis.declared.mistakes import nearest
from analysis.declared.study import Study
from analysis.errors import Issue, Place, raise_if


def read_studies(folder: Path, edition: Edition) -> dict[str, Study]:
    """The studies of an edition, by id, in the edition's order.

    A :class:`analysis.errors.UserError` where one is borrowed that is not to be had.
    """
    raise_if([*_check_borrowed(folder, edition), *_check_own(folder, edition)])
    return {
        id: read_declared(study_folder(folder, edition, id) / "study.yaml", Study)
        for id in edition.study_ids
    }


def study_folder(folder: Path, edition: Edition, id: str) -> Path:
    """Where a study of the edition in ``folder`` lies; a borrowed one with its own."""
    lender = edition.borrowed.get(id)
    return (folder.parent / lender if lender else folder) / "studies" / id


def check_lent(folder: Path, edition: Edition, derived: Container[str]) -> list[Issue]:
    """Borrowed studies that are not among those of which there are facts."""
    absent = [id for id in edition.borrowed if id not in derived]
    lines = _lines(folder) if absent else {}
    mend = "run 'make report'; it derives the facts of all editions"
    return [
        Issue(
            f"{edition.borrowed[id]} has no facts of {id!r} yet",
            Place(str(folder / "edition.yaml"), lines[id]),
            mend,
        )
        for id in absent
    ]


def _check_borrowed(folder: Path, edition: Edition) -> list[Issue]:
    path, lines = folder / "edition.yaml", _lines(folder) if edition.borrowed else {}
    found = (
        (study, _refused(folder, study, lender))
        for study, lender in edition.borrowed.items()
    )
    return [
        Issue(what, Place(str(path), lines[study]), mend)
        for study, (what, mend) in found
        if what
    ]


def _check_own(folder: Path, edition: Edition) -> list[Issue]:
    """Studies of its own that have no folder: a slip of the pen, or not begun."""
    there = sorted(path.parent.name for path in folder.glob("studies/*/study.yaml"))
    absent = [id for id in edition.own_studies if id not in there]
    if not absent:
        return []
    data, node = load_yaml(folder / "edition.yaml")
    lines = {
        entry: line_of(node, ("studies", *place))
        for place, entry in _places(data["studies"])
        if isinstance(entry, str)
    }
    start = "start it: python -m analysis study new {} --edition {}"
    return [
        Issue(
            f"there is no study {id!r}",
            Place(str(folder / "edition.yaml"), lines.get(id)),
            "".join(f"did you mean {near!r}? or " for near in nearest(id, there))
            + start.format(id, folder.name),
        )
        for id in absent
    ]


def _refused(folder: Path, study: str, lender: str) -> tuple[str, str]:
    """Why a study cannot be borrowed, and what to do; empty where it can."""
    editions = find_editions(folder.parent)
    if lender not in editions:
        known = ", ".join(id for id in editions if id != folder.name)
        return f"there is no edition {lender!r} to borrow from", f"name one of: {known}"
    there = read_edition(folder.parent / lender)
    way = [folder.name, lender]
    while (further := there.borrowed.get(study)) and further not in way:
        way.append(further)
        if further not in editions:
            break
        there = read_edition(folder.parent / further)
    if further in way[:-1]:
        told = " → ".join([*way, further])
        return f"{study!r} is borrowed in a circle: {told}", "let one of them have it"
    if len(way) > 2:
        return f"{lender} borrows {study!r} itself", f"write from: {way[-1]}"
    if study in there.own_studies:
        return "", ""
    names = ", ".join(there.own_studies)
    return f"{lender} has no study {study!r}", f"name one of: {names}"


def _lines(folder: Path) -> dict[str, int]:
    """The line at which each borrowed study is named."""
    data, node = load_yaml(folder / "edition.yaml")
    found: dict[str, int] = {}
    for place, entry in _places(data["studies"]):
        if isinstance(entry, dict) and "from" in entry:
            found[entry["study"]] = line_of(node, ("studies", *place))
    return found


def _places(entries: list[Any]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    for number, entry in enumerate(entries):
        yield (number,), entry
        inner = entry.get("studies", ()) if isinstance(entry, dict) else ()
        yield from (((number, "studies", n), one) for n, one in enumerate(inner))
