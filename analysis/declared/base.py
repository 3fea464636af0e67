"""What people write: YAML read with the line of every entry, CSV, and their models."""

from __future__ import annotations

import csv
import math
import re
import reprlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from analysis.declared.mistakes import mistakes
from analysis.errors import Issue, Place, UserError, raise_if, user_error
from analysis.files.limits import (
    DECLARATION_BYTES,
    YAML_DEPTH,
    YAML_NODES,
    YAML_NUMBER_CHARACTERS,
    YAML_TEXT_CHARACTERS,
)
from analysis.files.text_file import read_text, too_large

# By words of the parser's: what people did, and how to mend it.
_YAML_MENDS = {
    "cannot start any token": "indent with blanks, not with tabs, and put a text that "
    "begins with % @ or ` in quotes",
    "mapping values are not allowed": "put a text that has a colon and a blank in "
    "quotes, and indent entries of one level alike",
    "expected <block end>": "indent entries of one level alike, and close quotes",
    "could not find expected ':'": "write a colon and a blank after the entry's name",
    "expected ',' or": "close the bracket, and put commas between its entries",
    "": "see this line and the one before: indentation, colons, quotes, brackets",
}
_OPENS = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_CLOSES = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
_TEXT = "tag:yaml.org,2002:str"
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
# Sixties with a colon, and digits to base 8, 16 or 2: 1:30 is 90, and 010 is 8.
_OTHERWISE = re.compile(r"[-+]?(?:[\d_.]+(?::[\d_.]+)+|0[\d_]+|0[box][0-9a-fA-F]\w*)")
# Control characters, among them those that show a text in another order than it has.
_UNFIT = re.compile(
    "[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufffe\uffff]"
)
Model = TypeVar("Model", bound=BaseModel)
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Declared(BaseModel):
    """Base of all declared inputs: no unknown entries, nothing changes later."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class _Loader(_Base):  # type: ignore[misc]  # which of the two is known at run time
    """A safe loader that tells where a date or a number is none, as ``2026-13-01``."""

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        what, value = "", None
        if isinstance(node, yaml.ScalarNode):
            what = _unfit_words(node)
        try:
            value = None if what else super().construct_object(node, deep=deep)
        except (ValueError, LookupError, AttributeError) as error:
            what = f"{reprlib.repr(node.value)} cannot be read: {error}"
        if isinstance(value, float) and not math.isfinite(value):
            what = f"{value} is no finite number"
        if isinstance(value, int) and value.bit_length() > 63:
            what = f"{value} has more than 64 bits"
        if what:
            raise yaml.constructor.ConstructorError(
                problem=what, problem_mark=node.start_mark
            ) from None
        return value


def _unfit_words(node: yaml.ScalarNode) -> str:
    """What is wrong with the words of an entry before they are read; else empty."""
    limit, name, kind = YAML_NUMBER_CHARACTERS, "YAML_NUMBER_CHARACTERS", "number"
    if node.tag == _TEXT:
        limit, name, kind = YAML_TEXT_CHARACTERS, "YAML_TEXT_CHARACTERS", "text"
    if len(node.value) > limit:
        size = f"{len(node.value):,} characters"
        return f"a {kind} of {size}; at most {limit:,} are read ({name})"
    if node.tag in _NUMBERS and _OTHERWISE.fullmatch(node.value):
        return (
            f"{node.value} is read as another number by YAML; write the number "
            "plainly, or in quotes what is none"
        )
    if unfit := _UNFIT.search(node.value):
        return f"a text with the control character U+{ord(unfit[0]):04X}"
    return ""


def read_declared(path: Path, model: type[Model]) -> Model:
    """The YAML file as a checked model; a :class:`UserError` names file and line."""
    return check_declared(*load_yaml(path), model, path)


def load_yaml(path: Path, create: str = "create it") -> tuple[Any, Any]:
    """The plain data of a YAML file, and its node tree (which knows the lines).

    ``create`` says how to mend that the file is missing.
    """
    return parse_yaml(declared_text(path, create), path)


def declared_text(path: Path, create: str = "create it") -> str:
    """The text of a YAML file, as :func:`load_yaml` reads it."""
    missing = "this file is missing", create
    return read_text(path, missing, DECLARATION_BYTES, "DECLARATION_BYTES")


def parse_yaml(text: str, path: Path, first_line: int = 1) -> tuple[Any, Any]:
    """As :func:`load_yaml`, for text that begins at line ``first_line`` of a file."""
    try:
        _check_depth(yaml.parse(text, Loader=_Base), path, first_line)
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return None, None
        _check_nodes(node, path, first_line)  # before entries are merged
        return loader.construct_document(node), node
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + first_line
        what = f"not valid YAML: the control character U+{error.character:04X}"
        raise user_error(what, path, line, mend="remove it") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = mark.line + first_line if mark else None
        problem = str(error.problem or error.context)
        mend = next(mend for sign, mend in _YAML_MENDS.items() if sign in problem)
        raise user_error(f"not valid YAML: {problem}", path, at, mend=mend) from None


def check_declared(
    data: Any, node: Any, model: type[Model], path: Path, first_line: int = 1
) -> Model:
    """Data as a checked model; every mistake becomes one issue with its line."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise UserError(
            [
                Issue(
                    mistake.what,
                    Place(str(path), line_of(node, mistake.keys, first_line)),
                    mistake.mend,
                )
                for mistake in mistakes(error, data, model)
            ]
        ) from None


def line_of(node: Any, keys: tuple[Any, ...], first_line: int = 1) -> int:
    """The line of an entry, or of its nearest ancestor that exists."""
    line = first_line
    for key in keys:
        child = _child(node, key)
        if child is None:
            break
        line, node = child[0].start_mark.line + first_line, child[1]
    return line


def span_of(node: Any, keys: tuple[Any, ...]) -> tuple[int, int]:
    """Where the value of an entry that exists begins and ends, in letters."""
    for key in keys:
        _, node = _child(node, key) or (None, None)
    return node.start_mark.index, node.end_mark.index


def _child(node: Any, key: Any) -> tuple[Any, Any] | None:
    if isinstance(node, yaml.MappingNode):
        for name, value in reversed(node.value):  # those that are merged come first
            if name.value == str(key):
                return name, value
    is_item = isinstance(node, yaml.SequenceNode) and isinstance(key, int)
    if is_item and key < len(node.value):
        return node.value[key], node.value[key]
    return None


def _check_depth(events: Iterable[Any], path: Path, first_line: int) -> None:
    """A :class:`UserError` where entries are nested so deeply that to put them together
    would end the program."""
    depth = 0
    for event in events:
        depth += isinstance(event, _OPENS) - isinstance(event, _CLOSES)
        if depth > YAML_DEPTH:
            what, line = "entries nested more deeply", event.start_mark.line
            raise too_large(what, YAML_DEPTH, "YAML_DEPTH", path, line + first_line)


def _check_nodes(root: yaml.Node, path: Path, first_line: int) -> None:
    """A :class:`UserError` where aliases stand for more than the machine has room for,
    or where one mapping names an entry twice: YAML would silently keep the last.

    What an alias stands for counts each time, and may not hold the alias itself.
    """
    sizes: dict[int, tuple[int, int]] = {}  # entries and depth below a node, by id
    issues: list[tuple[int, Issue]] = []

    def size(node: Any, level: int) -> tuple[int, int]:
        if id(node) in sizes:
            return sizes[id(node)]
        children = node.value if isinstance(node, yaml.SequenceNode) else []
        if isinstance(node, yaml.MappingNode):
            children = [part for entry in node.value for part in entry]
        inner = children if level <= YAML_DEPTH else []
        below = [(0, 0), *(size(child, level + 1) for child in inner)]
        total = 1 + sum(entries for entries, _ in below)
        depth = 1 + max(depth for _, depth in below)
        line = node.start_mark.line + first_line
        if max(level, depth) > YAML_DEPTH:
            what = "aliases nested more deeply"
            raise too_large(what, YAML_DEPTH, "YAML_DEPTH", path, line)
        if total > YAML_NODES:
            what = f"aliases that stand for {total:,} entries"
            raise too_large(what, YAML_NODES, "YAML_NODES", path, line)
        if isinstance(node, yaml.MappingNode):
            issues.extend(_repeats(node, path, first_line))
        sizes[id(node)] = total, depth
        return total, depth

    size(root, 1)
    raise_if([issue for _, issue in sorted(issues, key=lambda one: one[0])])


def _repeats(
    node: yaml.MappingNode, path: Path, first_line: int
) -> Iterator[tuple[int, Issue]]:
    first: dict[str, int] = {}
    for name, _ in node.value:
        line = name.start_mark.line + first_line
        if str(name.value) in first:
            what = f"{name.value!r} is listed twice, first in line {first[name.value]}"
            yield line, Issue(what, Place(str(path), line), "remove one of them")
        first.setdefault(str(name.value), line)


def read_rows(
    path: Path,
    model: type[Model],
    check: Callable[[list[tuple[int, Model]]], list[Issue]],
    missing: str = "restore it",
) -> list[tuple[int, Model]]:
    """The rows of a CSV file with the line at which each one ends, all columns there.

    ``check`` tells what is wrong between rows, ``missing`` how to mend that the file
    is. A :class:`UserError` lists every mistake.
    """
    text = read_text(path, ("this file is missing", missing), DECLARATION_BYTES)
    fields = model.model_fields.items()
    wanted = [name for name, field in fields if not field.exclude]
    rows, issues = list[tuple[int, Model]](), list[Issue]()
    reader = csv.DictReader(text.splitlines(), strict=True)
    try:
        if reader.fieldnames != wanted:
            mend = f"write {','.join(wanted)}"
            raise user_error("other columns", path, 1, mend=mend)
        for record in reader:
            line = reader.line_num
            if None in record or None in record.values():
                mend = "give every column, quoted where it holds a comma"
                raise user_error("other columns", path, line, mend=mend)
            try:
                rows.append((line, model.model_validate(record)))
            except ValidationError as error:
                issues += [
                    Issue(mistake.what, Place(str(path), line), mistake.mend)
                    for mistake in mistakes(error, record, model)
                ]
    except csv.Error as error:
        line = reader.reader.line_num
        raise user_error(f"not CSV: {error}", path, line) from None
    raise_if(issues + check(rows))
    return rows
