"""Record the sha256 of every file of a campaign in its campaign.yaml.

Rewrites the block 'files:' and nothing else, and prints what changed. Run it once
when a campaign is complete: from then on a changed byte is an error.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import yaml

from analysis.atomic import write_text
from analysis.campaign import CAMPAIGN_FILE
from analysis.declared import load_yaml, parse_yaml
from analysis.errors import Issue, Place, raise_if, user_error
from analysis.ingest.files import hash_files, list_files, misplaced, plain_files

_PLAIN = re.compile(r"[A-Za-z_][\w()+-]*[./][\w./()+-]*", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The campaign's folder."""
    parser.add_argument("folder", type=Path, help="the campaign, raw/<campaign>")


def run(args: argparse.Namespace) -> int:
    """Rewrite the block and print one line a change."""
    path = args.folder / CAMPAIGN_FILE
    data, node = load_yaml(path)
    if not isinstance(data, dict):
        raise user_error("not a campaign's declaration", path, 1)
    before = data.get("files") or {}
    after = _hashes(args.folder)
    text = path.read_text(encoding="utf-8")
    write_text(path, _checked(replace_block(text, node, after), data, after, path))
    changes = describe(before, after)
    print("\n".join([*changes, f"{path}: {len(after)} files, {len(changes)} changes"]))
    return 0


def _hashes(folder: Path) -> dict[str, str]:
    files, plain = list_files(folder), plain_files(folder)
    reasons = {file: misplaced(folder, file) for file in files if file not in plain}
    raise_if(
        [
            Issue(f"this file {reason}", Place(str(folder / file)), "copy it there")
            for file, reason in reasons.items()
            if reason
        ]
    )
    return hash_files(folder, files)


def replace_block(text: str, node: Any, files: dict[str, str]) -> str:
    """The text of campaign.yaml with a new block ``files:``, which may be new."""
    block = ["files:", *(f"  {_key(f)}: {h}" for f, h in sorted(files.items()))]
    lines = text.splitlines()
    start, end = _extent(lines, node)
    return "\n".join([*lines[:start], *block, *lines[end:]]) + "\n"


def _extent(lines: list[str], node: yaml.MappingNode) -> tuple[int, int]:
    for name, _ in node.value:
        if name.value == "files":
            start = end = name.start_mark.line + 1
            while end < len(lines) and lines[end][:1] in (" ", "}"):
                end += 1
            return start - 1, end
    return len(lines), len(lines)


def _key(file: str) -> str:
    return file if _PLAIN.fullmatch(file) else json.dumps(file, ensure_ascii=False)


def _checked(text: str, data: Any, files: dict[str, str], path: Path) -> str:
    """The new text, once it is sure that nothing but ``files`` changed."""
    if parse_yaml(text, path)[0] != data | {"files": files}:
        raise user_error(
            "the block 'files:' cannot be rewritten as it stands",
            path,
            mend="remove it and run this again",
        )
    return text


def describe(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """One line for each file that is new, changed or gone."""
    lines = []
    for file in sorted({*before, *after}):
        if file not in before:
            lines.append(f"new      {file}")
        elif file not in after:
            lines.append(f"gone     {file}")
        elif before[file] != after[file]:
            lines.append(f"changed  {file}")
    return lines
