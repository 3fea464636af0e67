"""Words that declarations hold: titles, questions, captions, changed where they stand.

Only the bytes of the words themselves change; all else of the YAML stays as it is.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.declared.base import check_declared, load_yaml, parse_yaml
from analysis.declared.edition import Edition
from analysis.declared.study import Study
from analysis.errors import UserError, user_error
from analysis.files.text_file import read_text

_EDITION, _STUDY = "edition.yaml", "study.yaml"
Keys = tuple[str | int, ...]


@dataclass(frozen=True)
class DeclaredWords:
    """Words in a file of the edition, at keys such as ``front.0.title``.

    ``at`` is a selector of the elements of a page that print them.
    """

    file: str
    entry: str
    words: str
    at: str


def declared_words(folder: Path, edition: Edition) -> Iterator[DeclaredWords]:
    """All words of an edition's declarations that a page prints."""
    data = load_yaml(folder / _EDITION)[0]
    yield from _found(_EDITION, data, _of_edition(data))
    for study in edition.own_studies:
        file = f"studies/{study}/{_STUDY}"
        data = load_yaml(folder / file)[0]
        yield from _found(file, data, _of_study(data, study))


def rewritten(path: Path, entry: str, words: str) -> str:
    """The content of a declaration with other words at an entry.

    A :class:`analysis.errors.UserError` where the declaration would be none, or words
    could not stand there.
    """
    before = read_text(path)
    data, node = parse_yaml(before, path)
    keys = keys_of(entry)
    wanted = copy.deepcopy(data)
    inner = _at(wanted, keys[:-1])
    inner[keys[-1]] = words
    scalar = _node(node, keys)
    start, end = scalar.start_mark.index, scalar.end_mark.index
    for form in (words, json.dumps(words, ensure_ascii=False)):
        after = f"{before[:start]}{form}{before[end:]}"
        if _reads(after, path) == wanted:
            model: Any = Edition if path.name == _EDITION else Study
            check_declared(*parse_yaml(after, path), model, path)
            return after
    raise user_error("these words cannot stand there", path, mend="edit the file")


def keys_of(entry: str) -> Keys:
    """``front.0.title`` as keys."""
    return tuple(int(k) if k.isdecimal() else k for k in entry.split("."))


def _of_edition(data: dict[str, Any]) -> Iterator[tuple[Keys, str]]:
    yield ("title",), ".cover h1"
    yield ("subtitle",), ".cover .subtitle"
    for part in ("front", "back"):
        for n, section in enumerate(data.get(part) or ()):
            yield (part, n, "title"), f"#sec-{section['id']}"
    for n, entry in enumerate(data["studies"]):
        if isinstance(entry, dict) and "title" in entry:
            yield ("studies", n, "title"), f"#sec-{entry['id']}"
    for n, table in enumerate(data.get("tables") or ()):
        yield ("tables", n, "caption"), f"#tbl-{table['id']} caption"


def _of_study(data: dict[str, Any], study: str) -> Iterator[tuple[Keys, str]]:
    yield ("title",), f"#sec-{study}"
    yield ("question",), f"#sec-{study} ~ .question p"
    for n, figure in enumerate(data.get("figures") or ()):
        yield ("figures", n, "question"), f"#fig-{study}-{figure['id']} figcaption"


def _found(
    file: str, data: dict[str, Any], places: Iterator[tuple[Keys, str]]
) -> Iterator[DeclaredWords]:
    for keys, at in places:
        words = _at(data, keys[:-1]).get(keys[-1])
        if isinstance(words, str) and words:
            yield DeclaredWords(file, ".".join(map(str, keys)), words, at)


def _at(data: Any, keys: Keys) -> Any:
    for key in keys:
        data = data[key]
    return data


def _node(node: Any, keys: Keys) -> Any:
    for key in keys:
        if isinstance(key, int):
            node = node.value[key]
        else:
            node = next(value for name, value in node.value if name.value == key)
    return node


def _reads(text: str, path: Path) -> Any:
    try:
        return parse_yaml(text, path)[0]
    except UserError:
        return None
