"""Limits of hand-written YAML, checked before its data are made.

Deep nesting would end the program, and aliases of aliases fill the machine, before
anything is known to be wrong.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from analysis.files.limits import (
    YAML_DEPTH,
    YAML_NODES,
    YAML_NUMBER_CHARACTERS,
    YAML_TEXT_CHARACTERS,
)
from analysis.files.text_file import too_large

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


def check_depth(events: Iterable[Any], path: Path, first_line: int) -> None:
    """A :class:`analysis.errors.UserError` where entries are nested too deeply."""
    depth = 0
    for event in events:
        if isinstance(event, _OPENS):
            depth += 1
            if depth > YAML_DEPTH:
                mark: Any = event.start_mark
                line = mark.line + first_line
                raise too_large(
                    "entries nested more deeply", YAML_DEPTH, "YAML_DEPTH", path, line
                )
        elif isinstance(event, _CLOSES):
            depth -= 1


def check_size(root: Any, path: Path, first_line: int) -> None:
    """A :class:`analysis.errors.UserError` where aliases stand for too much.

    What an alias stands for counts each time, and may not hold the alias itself.
    """
    sizes: dict[int, tuple[int, int]] = {}  # entries and depth below a node, by id

    def size(node: Any, level: int) -> tuple[int, int]:
        if id(node) in sizes:
            return sizes[id(node)]
        below = [(0, 0)]
        if level <= YAML_DEPTH:
            below += (size(child, level + 1) for child in _children(node))
        total = 1 + sum(entries for entries, _ in below)
        depth = 1 + max(depth for _, depth in below)
        line = node.start_mark.line + first_line
        if max(level, depth) > YAML_DEPTH:
            what = "aliases nested more deeply"
            raise too_large(what, YAML_DEPTH, "YAML_DEPTH", path, line)
        if total > YAML_NODES:
            what = f"aliases that stand for {total:,} entries"
            raise too_large(what, YAML_NODES, "YAML_NODES", path, line)
        sizes[id(node)] = total, depth
        return total, depth

    if root is not None:
        size(root, 1)


def unfit(node: yaml.ScalarNode) -> str:
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
    if found := _UNFIT.search(node.value):
        return f"a text with the control character U+{ord(found[0]):04X}"
    return ""


def unfit_value(value: object) -> str:
    """What is wrong with a number that YAML knows and no declaration needs."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is no finite number"
    if isinstance(value, int) and value.bit_length() > 63:
        return f"{value} has more than 64 bits"
    return ""


def _children(node: Any) -> list[Any]:
    if isinstance(node, yaml.MappingNode):
        return [part for entry in node.value for part in entry]
    return node.value if isinstance(node, yaml.SequenceNode) else []
