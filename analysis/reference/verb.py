"""Write the schemas and the reference pages of the files that people write.

Editors complete and check YAML by the schemas in docs/reference. Run it when an entry,
a metric or a kind of figure was added.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from analysis.declared.schema import SCHEMAS
from analysis.files.atomic import write_text
from analysis.reference.files import FILES
from analysis.reference.formats import formats_page
from analysis.reference.page import page_of
from analysis.reference.whole import whole_schema


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
    found = {"formats.md": formats_page()}
    for file in FILES:
        schema = whole_schema(file)
        text = json.dumps(schema, indent=1, ensure_ascii=False)
        found[file.schema_file.name] = f"{text}\n"
        found[f"{file.id}.md"] = page_of(file, schema)
    return found
