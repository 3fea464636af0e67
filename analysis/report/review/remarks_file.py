"""Files of what people say, which every open page asks for: parsed when they changed.

A desk hears of the same comments from each of its readers. What a file said last is
kept with its words, so that the same words are not parsed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml

from analysis.declared.base import Declared, check_declared, parse_yaml
from analysis.files.limits import DECLARATION_BYTES, KIB
from analysis.files.text_file import read_text

MOST_ENTRIES = 2_000  # whose YAML is kept: nearly all are again what they were
LONGEST = 4 * KIB  # of an entry that is kept
Model = TypeVar("Model", bound=Declared)
MOST_FILES = 256  # two of each study and edition: those of a large project
_last: dict[Path, tuple[str, Declared]] = {}
_written: dict[Declared, str] = {}


def read_remarks(path: Path, model: type[Model]) -> Model:
    """A file as a checked model, empty without a file.

    A :class:`analysis.errors.UserError` names file and line of a mistake.
    """
    if not path.exists():
        return model()
    missing = "this file is missing", "create it"
    text = read_text(path, missing, DECLARATION_BYTES, "DECLARATION_BYTES")
    return remarks_of(text, path, model)


def remarks_of(text: str, path: Path, model: type[Model]) -> Model:
    """What the words of a file say, or would say; else as :func:`read_remarks`."""
    words, found = _last.pop(path, ("", None))
    if words != text or not isinstance(found, model):
        found = check_declared(*parse_yaml(text, path), model, path)
    _last[path] = text, found
    _forget(_last, MOST_FILES)
    return found


def _forget(kept: dict[Any, Any], most: int) -> None:
    """Drop what was kept first."""
    for oldest in list(kept)[:-most]:
        kept.pop(oldest, None)


def listed_text(name: str, entries: Sequence[Declared]) -> str:
    """The YAML of a mapping that has a list of entries alone, or nothing."""
    if not entries:
        return "{}\n"
    return f"{name}:\n" + "".join(map(_entry_text, entries))


def _entry_text(entry: Declared) -> str:
    text = _written.get(entry)
    if text is None:
        told = [entry.model_dump(mode="json", exclude_defaults=True)]
        text = yaml.safe_dump(told, allow_unicode=True, width=88, sort_keys=False)
        if len(text) <= LONGEST:
            _written[entry] = text
            _forget(_written, MOST_ENTRIES)
    return text
