"""Whether ``published:`` of a study names what is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from analysis.declared.base import line_of, load_yaml
from analysis.declared.edition import Edition
from analysis.declared.mistakes import nearest
from analysis.declared.published import PUBLISHED_FILE, Published
from analysis.declared.studies import study_folder
from analysis.declared.study import Study
from analysis.declared.workload import matches
from analysis.errors import Issue, Place

Keys = tuple[str, ...]


def check_published_names(
    folder: Path,
    edition: Edition,
    studies: Mapping[str, Study],
    published: Iterable[Published],
) -> list[Issue]:
    """The names of an edition's own studies that nothing has."""
    rows = {row.id: row.study for row in published}
    return [
        issue
        for id in edition.own_studies
        for issue in _of(study_folder(folder, edition, id), studies[id], rows)
    ]


def _of(folder: Path, study: Study, rows: Mapping[str, str]) -> list[Issue]:
    found = list(_mistakes(study, rows))
    path = folder / "study.yaml"
    node: Any = load_yaml(path)[1] if found else None
    return [
        Issue(what, Place(str(path), line_of(node, ("published", *keys))), mend)
        for keys, what, mend in found
    ]


def _mistakes(study: Study, rows: Mapping[str, str]) -> Iterator[tuple[Keys, str, str]]:
    """Where each mistake is, what it is, and what to do."""
    named = study.published
    if named is None:
        return
    if named.study not in rows.values():
        what = f"no row of {PUBLISHED_FILE} is of a study {named.study!r}"
        yield ("study",), what, _mend(named.study, rows.values())
    for id in named.configurations:
        if id not in study.configurations:
            what = f"{id!r} is no configuration of this study"
            yield ("configurations", id), what, _mend(id, study.configurations)
    for id, row in named.rows.items():
        if id not in rows:
            what = f"{PUBLISHED_FILE} has no row {id!r}"
            yield ("rows", id), what, _mend(id, rows)
        if row.test not in study.configurations:
            what = f"{row.test!r} is no configuration of this study"
            yield ("rows", id), what, _mend(row.test, study.configurations)
        if not any(_meet(name, row.workloads) for name in study.workloads):
            what = f"{row.workloads!r} is no workload of this study"
            yield ("rows", id), what, _mend(row.workloads, study.workloads)


def _meet(one: str, other: str) -> bool:
    """Whether two names or patterns may be of one workload."""
    return matches(one, other) or any(matches(o.strip(), one) for o in other.split(","))


def _mend(name: str, known: Iterable[str]) -> str:
    names = list(dict.fromkeys(known))
    near = nearest(name, names)
    return f"did you mean {near[0]!r}?" if near else f"name one of: {', '.join(names)}"
