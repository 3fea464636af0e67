"""List all campaigns: dates, systems, runs, gaps, sizes, the editions that use them,
and how values of the same workload move over them.

A build writes the same as a page to which the list of reports links.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from analysis.catalogue.catalogue import Catalogue, Places, gather
from analysis.catalogue.words import catalogue_page, plain_text
from analysis.files.atomic import write_text

PLACES = Places()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis catalogue``."""
    parser.add_argument("--raw", type=Path, default=PLACES.raw)
    parser.add_argument("--report", type=Path, default=PLACES.report)
    parser.add_argument("--database", type=Path, default=PLACES.database)
    parser.add_argument("--metrics", type=Path, default=PLACES.metrics)
    parser.add_argument("--templates", type=Path, default=Path("templates"))
    parser.add_argument("--format", choices=("text", "json", "html"), default="text")
    parser.add_argument("--trends", action="store_true", help="all, not only changes")
    parser.add_argument("--out", type=Path, help="write to this file, not the terminal")


def run(args: argparse.Namespace) -> int:
    """Print or write the catalogue; 2 where something of it could not be read."""
    tables = args.database.parent / PLACES.tables.name
    places = Places(args.raw, args.report, args.database, args.metrics, tables)
    catalogue, errors = gather(places)
    text = _text(catalogue, args)
    if args.out:
        write_text(args.out, text + "\n")
    print(args.out or text)
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    return 2 if errors else 0


def _text(catalogue: Catalogue, args: argparse.Namespace) -> str:
    if args.format == "html":
        return catalogue_page(catalogue, args.templates)
    if args.format == "json":
        return json.dumps(catalogue.data(), ensure_ascii=False, indent=1)
    return plain_text(catalogue, args.trends)
