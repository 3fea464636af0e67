"""Reviewed text with what is not Markdown blanked out, every offset unchanged."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

# What is inside these is not Markdown: expressions, code blocks, code spans. Code that
# Pandoc might read otherwise (an escaped or unequal backtick, words after a fence, a
# raw attribute) is left for the checks below.
_EXPRESSION = re.compile(r"\{\{(?:(?!\{\{).)*?\}\}|\{##(?:(?!\{##).)*?##\}", re.DOTALL)
_FENCE = re.compile(r"^(```+|~~~+)[ \t]*([\w-]*)[ \t]*$", re.MULTILINE)
_SPAN = re.compile(r"(?<![`\\])(`+)(?!`|\{\w+\}[ \t])[^\n]+?(?<!`)\1(?!`)(?!\{)")


def mask(text: str) -> str:
    """The text with expressions and code blanked out, every offset unchanged."""
    return mask_code(mask_expressions(text))


def mask_expressions(text: str) -> str:
    """The text with expressions and comments blanked out alone."""
    return _EXPRESSION.sub(blank, text)


def mask_code(text: str) -> str:
    """The text with code blanked out alone."""
    parts, done = [], 0
    for start, end in _code_blocks(text):
        parts += [_SPAN.sub(blank, text[done:start]), _blanked(text[start:end])]
        done = end
    return "".join([*parts, _SPAN.sub(blank, text[done:])])


def _code_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Where code blocks begin and end, from fence to fence."""
    lines = list(_FENCE.finditer(text))
    ends: dict[str, list[re.Match[str]]] = defaultdict(list)
    for line in reversed(lines):
        if not line[2]:
            ends[line[1]].append(line)
    done = 0
    for line in lines:
        own = ends[line[1]]
        while own and own[-1].start() <= line.start():
            own.pop()
        if line.start() >= done and own:
            done = own[-1].end()
            yield line.start(), done


def blank(found: re.Match[str]) -> str:
    """What a pattern found, blanked out."""
    return _blanked(found[0])


def _blanked(text: str) -> str:
    return re.sub(r"\S", " ", text)
