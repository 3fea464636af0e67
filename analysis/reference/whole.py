"""The schema of a file, with the names that files of the project add to its model.

These are the kinds of figures, the metrics and the output formats.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import yaml

from analysis.declared.checks import figure_kinds
from analysis.declared.metrics import read_metrics
from analysis.declared.schema import SCHEMAS, Schema, schema_of
from analysis.ingest.rmf.csv_mapping import MAPPED
from analysis.reference.files import WrittenFile
from analysis.report.output import OUTPUTS


def whole_schema(file: WrittenFile) -> Schema:
    """The schema of a kind of file, with the names that files of the project add."""
    made = copy.deepcopy(schema_of(file.model))
    made["examples"] = [_plain(yaml.safe_load(example_of(file)))]
    parts = {file.model.__name__: made, **made.get("$defs", {})}
    metrics = tuple(read_metrics())
    for model, entry, names in (
        ("Figure", "kind", figure_kinds()),
        ("Figure", "metrics", metrics),
        ("Study", "metrics", metrics),
        ("AskedLoads", "metrics", metrics),
        ("Edition", "formats", tuple(OUTPUTS)),
        ("Mapping", "table", MAPPED),
    ):
        if model in parts:
            _offer(parts[model]["properties"][entry], names)
    return made


def example_of(file: WrittenFile) -> str:
    """The example of a kind of file."""
    path = SCHEMAS / "examples" / f"{file.id}.yaml"
    return path.read_text(encoding="utf-8")


def _offer(entry: Schema, names: Iterable[str]) -> None:
    place = entry.get("items", entry)
    place.pop("pattern", None)
    place["enum"] = list(names)


def _plain(value: Any) -> Any:
    """YAML knows days, JSON has their texts."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
