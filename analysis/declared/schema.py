"""JSON Schemas of the files that people write by hand, made from their models.

Editors complete and check by them. The text under an entry of a model is what a schema
says of it, and the first sentences under the class what it says of the whole.
"""

from __future__ import annotations

import ast
import functools
import inspect
import os
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SCHEMAS = Path("docs/reference")
Schema = dict[str, Any]


@functools.cache
def schema_of(model: type[BaseModel]) -> Schema:
    """The schema of a model, with what is said of its entries."""
    made = model.model_json_schema(schema_generator=_Described)
    return {"$schema": DIALECT} | _without_titles(made)


def entries_at(model: type[BaseModel], keys: tuple[Any, ...]) -> list[str]:
    """The names of the entries that may stand where ``keys`` lead."""
    whole = schema_of(model)
    parts = [whole]
    for key in keys:
        parts = [below for part in parts for below in _below(part, key, whole)]
    return sorted({name for part in parts for name in part.get("properties", ())})


def branches(schema: Schema, whole: Schema) -> Iterator[Schema]:
    """A schema itself, behind its reference, or each of which it may be."""
    if "$ref" in schema:
        yield from branches(whole["$defs"][schema["$ref"].rsplit("/", 1)[1]], whole)
    elif "anyOf" in schema:
        for part in schema["anyOf"]:
            yield from branches(part, whole)
    else:
        yield schema


class _Described(GenerateJsonSchema):
    """The generator, with the texts under the entries of a model."""

    def model_schema(self, schema: Any) -> Schema:
        made = super().model_schema(schema)
        model: type[BaseModel] = schema["cls"]
        if model.__doc__:
            made["description"] = _plain(model.__doc__.split("\n\n")[0])
        for name, words in texts_of(model).items():
            entry = made["properties"][model.model_fields[name].alias or name]
            entry["description"] = _plain(words)
        return made


@functools.cache
def texts_of(model: type[BaseModel]) -> dict[str, str]:
    """The text under each entry of a model's class."""
    [node] = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    texts, entry = {}, ""
    for part in node.body if isinstance(node, ast.ClassDef) else []:
        match part:
            case ast.AnnAssign(target=ast.Name(id=name)):
                entry = name
            case ast.Expr(value=ast.Constant(value=str(words))) if entry:
                texts[entry], entry = words, ""
            case _:
                entry = ""
    return texts


def _plain(words: str) -> str:
    return " ".join(words.replace("``", "`").split())


def _below(schema: Schema, key: Any, whole: Schema) -> Iterator[Schema]:
    """What an entry of that name or number may be."""
    for branch in branches(schema, whole):
        known = branch.get("properties", {})
        more = [branch.get("items"), branch.get("additionalProperties")]
        more += branch.get("patternProperties", {}).values()
        more += branch.get("prefixItems", [])
        below = [known[key]] if key in known else [m for m in more if m]
        for part in (one for one in below if isinstance(one, dict)):
            yield from branches(part, whole)


def _without_titles(value: Any) -> Any:
    """Titles that pydantic makes from names say nothing new."""
    if isinstance(value, list):
        return [_without_titles(part) for part in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _without_titles(part)
        for key, part in value.items()
        if key != "title" or not isinstance(part, str)
    }


def schema_file(id: str) -> Path:
    """Where the schema of a kind of file lies, below the project's folder."""
    return SCHEMAS / f"{id}.schema.json"


def schema_line(id: str, path: Path) -> str:
    """The first line of the file of that kind that is written to ``path``; empty in a
    project that has no schemas."""
    if not SCHEMAS.is_dir():
        return ""
    way = os.path.relpath(schema_file(id), path.parent)
    return f"# yaml-language-server: $schema={Path(way).as_posix()}\n"
