"""Record the sha256 of every file of a campaign in its SHA256SUMS.

Prints what changed. Run it once when a campaign is complete: from then on a changed
byte is an error. Checksums that stand in campaign.yaml are moved.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from analysis.declared.base import load_yaml, parse_yaml
from analysis.declared.campaign import CAMPAIGN_FILE, MISSING
from analysis.errors import Issue, Place, raise_if, user_error
from analysis.facts.units import how_many
from analysis.files.atomic import write_text
from analysis.files.checksums import SUMS_FILE, checksums_text, parse_checksums
from analysis.files.hashes import campaign_state
from analysis.ingest.campaign.check import check_place
from analysis.ingest.files import hash_files, list_files, misplaced, plain_files

_SHOWN = 10  # changes of a kind; a campaign that was measured again has thousands
MEND = "rename it, or copy it there"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The campaign's folder."""
    parser.add_argument("folder", type=Path, help="the campaign, raw/<campaign>")


def run(args: argparse.Namespace) -> int:
    """Write the checksums and print one line a change."""
    declared, sums = args.folder / CAMPAIGN_FILE, args.folder / SUMS_FILE
    check_place(args.folder)
    data, node = load_yaml(declared, MISSING.format(args.folder))
    if not isinstance(data, dict):
        raise user_error("not a campaign's declaration", declared, 1)
    rest = _without_block(declared, data, node) if "files" in data else ""
    before = _before(args.folder, data.get("files"))
    after = _hashes(args.folder)
    write_text(sums, checksums_text(after))
    if rest:
        write_text(declared, rest)
        print(f"{declared}: its block 'files:' went to {SUMS_FILE}")
    changes = describe(before, after)
    counts = f"{how_many(len(after), 'file')}, {how_many(len(changes), 'change')}"
    print("\n".join([*_some(changes), f"{sums}: {counts}"]))
    return 0


def _some(changes: list[str]) -> Iterator[str]:
    """The first changes of each kind, and how many more there are."""
    kinds: dict[str, list[str]] = {}
    for change in changes:
        kinds.setdefault(change.split()[0], []).append(change)
    for kind, lines in kinds.items():
        yield from lines[:_SHOWN]
        if len(lines) > _SHOWN:
            yield f"{kind:<8} … and {len(lines) - _SHOWN} more"


def _before(folder: Path, block: Any) -> dict[str, str]:
    """The checksums of until now; those of lines that can be read."""
    if isinstance(block, dict):
        return block
    return parse_checksums(folder)[0].files if (folder / SUMS_FILE).exists() else {}


def _hashes(folder: Path) -> dict[str, str]:
    files, plain = list_files(folder), plain_files(campaign_state(folder))
    reasons = {file: misplaced(folder, file) for file in files if file not in plain}
    raise_if(
        [
            Issue(f"this file {reason}", Place(str(folder / file)), MEND)
            for file, reason in reasons.items()
            if reason
        ]
    )
    return hash_files(folder, files)


def _without_block(path: Path, data: dict[str, Any], node: yaml.MappingNode) -> str:
    """The text of campaign.yaml without ``files:``, all else as it stands."""
    lines = path.read_text(encoding="utf-8").splitlines()
    start = next(k.start_mark.line for k, _ in node.value if k.value == "files")
    end = start + 1
    while end < len(lines) and lines[end][:1] in (" ", "}"):
        end += 1
    text = "\n".join([*lines[:start], *lines[end:]]).rstrip("\n") + "\n"
    if parse_yaml(text, path)[0] != {k: v for k, v in data.items() if k != "files"}:
        what, mend = "the block 'files:' cannot be taken out as it stands", "remove it"
        raise user_error(what, path, start + 1, mend=f"{mend} and run this again")
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
