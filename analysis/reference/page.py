"""Pages of the documentation that list every entry of a file, made from its schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from analysis.declared.mistakes import form_of
from analysis.declared.schema import Schema, branches
from analysis.reference.files import WrittenFile
from analysis.reference.whole import example_of

_MADE = "<!-- Made by `python -m analysis schema`; the models have the words. -->"
_HEAD = "| entry | meaning | what may stand there | if left out |\n|---|---|---|---|"
_TYPES = {
    "string": "text", "integer": "whole number", "number": "number",
    "boolean": "`true` or `false`", "object": "entries",
}  # fmt: skip
_LIMITS = {
    "minimum": "{} or more", "exclusiveMinimum": "more than {}",
    "maximum": "at most {}", "exclusiveMaximum": "less than {}",
}  # fmt: skip


def page_of(file: WrittenFile, schema: Schema) -> str:
    """The page of one kind of file."""
    parts = [
        f"# {file.place.rsplit('/', 1)[1].removeprefix('*')}",
        _MADE,
        f"{file.about} Lies at `{file.place}`. An editor that knows YAML completes and "
        f"checks it by [its schema]({file.schema_file.name}).",
        f"```yaml\n{example_of(file)}```",
        "## Entries",
        _table(schema, schema),
    ]
    for name in _in_order(schema):
        part = schema["$defs"][name]
        parts += [f"## {name}", part.get("description", ""), _table(part, schema)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _in_order(schema: Schema) -> list[str]:
    """Names of the parts that have entries of their own, as a reader meets them."""
    found: dict[str, None] = {}
    waiting: list[Any] = [schema.get("properties", {})]
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, dict):
            name = str(value.get("$ref", "")).rsplit("/", 1)[-1]
            part = schema.get("$defs", {}).get(name, {})
            if name and name not in found and "properties" in part:
                found[name] = None
                waiting.append(part["properties"])
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return list(found)


def _table(part: Schema, whole: Schema) -> str:
    needed = part.get("required", ())
    rows = [
        f"| `{name}` | {_cell(entry.get('description', ''))} "
        f"| {_cell('; '.join(_kinds(entry, whole)))} "
        f"| {'needed' if name in needed else _default(entry)} |"
        for name, entry in part["properties"].items()
    ]
    return "\n".join([_HEAD, *rows])


def _kinds(entry: Schema, whole: Schema) -> Iterator[str]:
    """What may stand for an entry: one text for each way to write it."""
    if "$ref" in entry:
        name = entry["$ref"].rsplit("/", 1)[1]
        if "properties" in whole["$defs"][name]:
            yield f"[{name}](#{name.lower()})"
            return
    if "anyOf" in entry:
        for part in entry["anyOf"]:
            yield from _kinds(part, whole)
        return
    for branch in branches(entry, whole):
        if branch.get("type") != "null":
            yield _kind(branch, whole)


def _kind(entry: Schema, whole: Schema) -> str:
    if "enum" in entry:
        return ", ".join(f"`{json.dumps(value)}`".replace('"', "")
                         for value in entry["enum"])  # fmt: skip
    if entry.get("type") == "array":
        inner = entry.get("items") or {"anyOf": entry.get("prefixItems", [{}])}
        return f"list of: {'; '.join(dict.fromkeys(_kinds(inner, whole)))}"
    if entry.get("type") == "object":
        values = [*entry.get("patternProperties", {}).values()]
        values += [v for v in [entry.get("additionalProperties")] if v]
        each = (kind for value in values for kind in _kinds(value, whole))
        return f"entries, each of: {'; '.join(dict.fromkeys(each))}"
    if entry.get("format") == "date":
        return "day"
    told = form_of(entry.get("pattern", "")) or _TYPES.get(entry.get("type", ""), "any")
    limits = (words.format(entry[n]) for n, words in _LIMITS.items() if n in entry)
    return ", ".join([told, *limits])


def _default(entry: Schema) -> str:
    default = entry.get("default")
    if default in (None, "", [], {}) or isinstance(default, dict):
        return ""
    return f"`{json.dumps(default)}`"


def _cell(words: str) -> str:
    return words.replace("|", "\\|")
