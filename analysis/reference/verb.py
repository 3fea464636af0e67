"""Write the schemas and the reference pages of the files that people write.

Editors complete and check YAML by the schemas in docs/reference. Run it when an entry,
a metric or a kind of figure was added.
"""

from __future__ import annotations

import argparse
import copy
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel

from analysis.declared.acknowledged import Acknowledgements
from analysis.declared.brand import Brand
from analysis.declared.campaign import Campaign
from analysis.declared.checks import figure_kinds
from analysis.declared.collect import Collect
from analysis.declared.edition import Edition
from analysis.declared.metrics import read_metrics
from analysis.declared.mistakes import form_of
from analysis.declared.questions import SharedQuestions
from analysis.declared.schema import SCHEMAS, Schema, branches, schema_file, schema_of
from analysis.declared.study import Study
from analysis.files.atomic import write_text
from analysis.ingest.rmf.csv_mapping import MAPPED, Mapping
from analysis.ingest.tables.catalog import DECLARED
from analysis.program import PROGRAM
from analysis.reference.formats import formats_page
from analysis.report.output import OUTPUTS

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
_ANALYSIS = Path(__file__).parents[1]
_USERS = {  # where a table is named, and who uses it then
    "facts": ("derive/**/*.py", r"(?:FROM|JOIN) {0}\b|\"{0}\""),
    "checks": ("ingest/joining/*.py", r"tables\[\"{0}\"\]|in_runs\(\"{0}\"\)"),
}
_TABLES_HEAD = "| table | what is in it | columns | used by |\n|---|---|---|---|"


@dataclass(frozen=True)
class WrittenFile:
    """A kind of file: its name, where it lies, its model, and what it is for."""

    id: str
    place: str
    model: type[BaseModel]
    about: str


FILES = (
    WrittenFile(
        "campaign", "raw/*/campaign.yaml", Campaign,
        "What was measured, by whom, when, and on which systems.",
    ),
    WrittenFile(
        "study", "report/*/studies/*/study.yaml", Study,
        "One question: what is compared, when a change counts, and the figures.",
    ),
    WrittenFile(
        "edition", "report/*/edition.yaml", Edition,
        "One report: its studies in order, and what stands around them.",
    ),
    WrittenFile(
        "collect", "raw/*/collect.yaml", Collect,
        "Which files of a campaign are fetched, and from which servers.",
    ),
    WrittenFile(
        "mapping", "raw/**/*.mapping.yaml", Mapping,
        "What the columns of a CSV file of another product mean.",
    ),
    WrittenFile(
        "questions", "report/questions.yaml", SharedQuestions,
        "Questions that several editions ask.",
    ),
    WrittenFile(
        "acknowledged", "data/acknowledged.yaml", Acknowledgements,
        "Regressions that are known: why, and until when.",
    ),
    WrittenFile(
        "brand", "templates/_brand.yml", Brand,
        "The look of a company: colours, logo, typeface.",
    ),
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis schema``."""
    parser.add_argument("--out", type=Path, default=SCHEMAS)


def run(args: argparse.Namespace) -> int:
    """Write all of them, and say where."""
    for name, text in written().items():
        write_text(args.out / name, text)
        print(args.out / name)
    return 0


def written() -> dict[str, str]:
    """The text of each file, by its name."""
    texts = {"formats.md": formats_page(), "tables.md": tables_page()}
    for file in FILES:
        schema = whole_schema(file)
        text = json.dumps(schema, indent=1, ensure_ascii=False)
        texts[schema_file(file.id).name] = f"{text}\n"
        texts[f"{file.id}.md"] = page_of(file, schema)
    return texts


def whole_schema(file: WrittenFile) -> Schema:
    """The schema of a kind of file, with the names that files of the project add."""
    made = copy.deepcopy(schema_of(file.model))
    made["examples"] = [_as_json(yaml.safe_load(example_of(file)))]
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
    path = PROGRAM / SCHEMAS / "examples" / f"{file.id}.yaml"
    return path.read_text(encoding="utf-8")


def _offer(entry: Schema, names: Iterable[str]) -> None:
    place = entry.get("items", entry)
    place.pop("pattern", None)
    place["enum"] = list(names)


def _as_json(value: Any) -> Any:
    """YAML knows days, JSON has their texts."""
    if isinstance(value, dict):
        return {key: _as_json(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_as_json(part) for part in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def page_of(file: WrittenFile, schema: Schema) -> str:
    """The page of one kind of file."""
    parts = [
        f"# {file.place.rsplit('/', 1)[1].removeprefix('*')}",
        _MADE,
        f"{file.about} Lies at `{file.place}`. An editor that knows YAML completes and "
        f"checks it by [its schema]({schema_file(file.id).name}).",
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
    names: dict[str, None] = {}
    waiting: list[Any] = [schema.get("properties", {})]
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, dict):
            name = str(value.get("$ref", "")).rsplit("/", 1)[-1]
            part = schema.get("$defs", {}).get(name, {})
            if name and name not in names and "properties" in part:
                names[name] = None
                waiting.append(part["properties"])
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return list(names)


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
    words = form_of(entry.get("pattern", "")) or _TYPES.get(
        entry.get("type", ""), "any"
    )
    limits = (text.format(entry[n]) for n, text in _LIMITS.items() if n in entry)
    return ", ".join([words, *limits])


def _default(entry: Schema) -> str:
    default = entry.get("default")
    if default in (None, "", [], {}) or isinstance(default, dict):
        return ""
    return f"`{json.dumps(default)}`"


def _cell(words: str) -> str:
    return words.replace("|", "\\|")


def tables_page() -> str:
    """All tables of the catalogue, each with its users."""
    rows = [
        f"| `{name}` | {table.comment} | {len(table.columns)} | "
        f"{', '.join(users_of(name)) or 'your questions'} |"
        for name, table in sorted(DECLARED.items())
    ]
    parts = [
        "# Tables",
        "<!-- Made by `python -m analysis schema`; the catalogue has the words. -->",
        "`data/build/perf.duckdb` has these tables of all campaigns, and `inspect FILE "
        "--rows` prints the rows of one file. *Facts* says that facts of reports rest "
        "on a table, *checks* that `ingest` holds it against what is declared, or "
        "makes the CPU time of runs of it. All others are read from SMF, RMF and Linux "
        "for *your questions*, in SQL or in a notebook. What each column holds, and in "
        "which unit, the database says itself:",
        "```sql\nSELECT table_name, column_name, comment FROM duckdb_columns();\n```",
        "\n".join([_TABLES_HEAD, *rows]),
    ]
    return "\n\n".join(parts) + "\n"


def users_of(table: str) -> Iterator[str]:
    """Who uses a table, beside the database and ``inspect``, which have all."""
    for user, (files, pattern) in _USERS.items():
        named = re.compile(pattern.format(table))
        texts = (path.read_text("utf-8") for path in _ANALYSIS.glob(files))
        if any(map(named.search, texts)):
            yield user
