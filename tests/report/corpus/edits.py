"""Edits of files: of a field, of words, of lines or of a file as a whole."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from analysis.files.checksums import SUMS_FILE
from tests.report.corpus.cases import Entry
from tests.report.corpus.harness import field_path, with_field


class Edit(Entry):
    """One edit of a file, in one of several ways; or of a library's version."""

    file: str = ""
    library: str = ""
    field: str = ""
    find: str = ""
    pattern: str = ""
    to: Any = None
    swap: tuple[str, ...] = ()
    remove: str = ""
    drop: str = ""
    prepend: str = ""
    append: str = ""
    create: str = ""
    reorder: bool = False
    touch: bool = False
    delete: bool = False


@contextmanager
def restored(folder: Path, edits: Iterable[Edit]) -> Iterator[None]:
    """Puts the files of edits back to what they were before."""
    paths = {folder / edit.file for edit in edits}
    before = {path: path.read_bytes() if path.is_file() else None for path in paths}
    try:
        yield
    finally:
        for path, content in before.items():
            if content is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(content)


def edited(folder: Path, edit: Edit, rehash: bool = False) -> None:
    """Make an edit below a folder; an edit that changes nothing is a mistake."""
    path = folder / edit.file
    before = path.read_bytes() if path.is_file() else b""
    if edit.touch:
        os.utime(path, (0, 0))
        return
    if edit.delete:
        path.unlink()
        return
    text = _edited(before.decode(), edit)
    assert text.encode() != before, f"nothing to edit: {edit}"
    path.write_text(text, encoding="utf-8")
    if rehash:
        sums = path.parents[len(Path(edit.file).parts) - 3] / SUMS_FILE
        hashes = [sha256(content).hexdigest() for content in (before, text.encode())]
        sums.write_text(sums.read_text("utf-8").replace(*hashes), "utf-8")


def _edited(text: str, edit: Edit) -> str:
    ways: dict[str, Callable[[str, Edit], str]] = {
        "field": lambda text, e: with_field(text, e.field, e.to),
        "find": lambda text, e: text.replace(_lines(e.find), _lines(e.to), 1),
        "pattern": lambda text, e: re.sub(e.pattern, e.to, text),
        "swap": _swapped,
        "remove": _removed,
        "drop": lambda text, e: _kept(text, re.compile(e.drop)),
        "prepend": lambda text, e: _lines(e.prepend) + text,
        "append": lambda text, e: text + _lines(e.append),
        "create": lambda text, e: e.create,
        "reorder": _reordered,
    }
    [way] = [way for name, way in ways.items() if getattr(edit, name)]
    return way(text, edit)


def _lines(words: str) -> str:
    return words.replace("\\n", "\n")


def _kept(text: str, dropped: re.Pattern[str]) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not dropped.match(line))


def _swapped(text: str, edit: Edit) -> str:
    data, (first, second) = yaml.load(text, yaml.CSafeLoader), edit.swap
    values = [_value(data, name) for name in (first, second)]
    return with_field(with_field(text, first, values[1]), second, values[0])


def _value(data: Any, field: str) -> Any:
    for step in field_path(field):
        data = data[step]
    return data


def _removed(text: str, edit: Edit) -> str:
    data = yaml.load(text, yaml.CSafeLoader)
    *parents, last = field_path(edit.remove)
    place = data
    for step in parents:
        place = place[step]
    del place[last]
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False)


def _reordered(text: str, edit: Edit) -> str:
    data = yaml.load(text, yaml.CSafeLoader)
    turned = dict(reversed(data.items()))
    return yaml.safe_dump(turned, allow_unicode=True, sort_keys=False)
