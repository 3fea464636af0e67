"""Hand-written YAML, read with the line of every entry, checked against a model."""

from __future__ import annotations

import reprlib
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from analysis.declared.limits import check_depth, check_size, unfit, unfit_value
from analysis.declared.mistakes import mistakes
from analysis.errors import Issue, Place, UserError, raise_if, user_error
from analysis.files.limits import DECLARATION_BYTES
from analysis.files.text_file import read_text

# By words of the parser's: what people did, and how to mend it.
_YAML_MENDS = {
    "cannot start any token": "indent with blanks, not with tabs, and put a text that "
    "begins with % @ or ` in quotes",
    "mapping values are not allowed": "put a text that has a colon and a blank in "
    "quotes, and indent entries of one level alike",
    "expected <block end>": "indent entries of one level alike, and close quotes",
    "could not find expected ':'": "write a colon and a blank after the entry's name",
    "expected ',' or": "close the bracket, and put commas between its entries",
}
_YAML_MEND = "see this line and the one before: indentation, colons, quotes, brackets"


class Declared(BaseModel):
    """Base of all declared inputs: no unknown entries, nothing changes later."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _no_yes(value: Any) -> Any:
    """Pydantic takes true for 1; who writes it meant something else."""
    if isinstance(value, bool):
        raise ValueError(f"{str(value).lower()} is no number")
    return value


Number = Annotated[float, BeforeValidator(_no_yes)]
Model = TypeVar("Model", bound=BaseModel)
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]  # which of the two is known at run time
    """A safe loader that tells where a date or a number is none, as ``2026-13-01``."""

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        what = unfit(node) if isinstance(node, yaml.ScalarNode) else ""
        try:
            found = None if what else super().construct_object(node, deep=deep)
        except (ValueError, LookupError, AttributeError) as error:
            what = f"{reprlib.repr(node.value)} cannot be read: {error}"
        if what := what or unfit_value(found):
            raise yaml.constructor.ConstructorError(
                problem=what, problem_mark=node.start_mark
            ) from None
        return found


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
        check_depth(yaml.parse(text, Loader=_Base), path, first_line)
        loader = _Loader(text)
        node = loader.get_single_node()
        check_size(node, path, first_line)
        raise_if(_check_repeats(node, path, first_line))  # before entries are merged
        return node and loader.construct_document(node), node
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + first_line
        what = f"not valid YAML: the control character U+{error.character:04X}"
        raise user_error(what, path, line, mend="remove it") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = mark.line + first_line if mark else None
        problem = str(error.problem or error.context)
        mends = (mend for sign, mend in _YAML_MENDS.items() if sign in problem)
        mend = next(mends, _YAML_MEND)
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


def _check_repeats(root: Any, path: Path, first_line: int) -> list[Issue]:
    """Entries that one mapping names twice: YAML would silently keep the last."""
    issues: list[Issue] = []
    visited: set[int] = set()  # an alias leads to the same node again
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in visited:
            continue
        visited.add(id(node))
        if isinstance(node, yaml.MappingNode):
            issues += _repeats(node, path, first_line)
            values = (value for _, value in node.value)
            waiting += [v for v in values if not isinstance(v, yaml.ScalarNode)]
        elif isinstance(node, yaml.SequenceNode):
            waiting += node.value
    return issues


def _repeats(node: Any, path: Path, first_line: int) -> list[Issue]:
    issues, first = [], dict[str, int]()
    for name, _ in node.value:
        line = name.start_mark.line + first_line
        if str(name.value) in first:
            what = f"{name.value!r} is listed twice, first in line {first[name.value]}"
            issues.append(Issue(what, Place(str(path), line), "remove one of them"))
        first.setdefault(str(name.value), line)
    return issues
