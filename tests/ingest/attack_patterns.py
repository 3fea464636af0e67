"""Search attacks on every regular expression of the readers, one after the other.

Run as a program: it tells the first pattern that takes too long, and stops. An attack
is a long run of what one repetition of the pattern takes, after what leads up to it,
without what should follow: a pattern that tries each beginning, or each way to share
out the run, takes hours.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

LENGTH = 30_000
# Readers of this room are given no line longer than 4,096 bytes.
BOUNDED = re.compile(r"analysis\.ingest\.rmf\.")
SECONDS = 1.0  # of CPU, for an attack: a linear pattern takes 0.03, any other 2 or more
REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
LETTERS = [chr(c) for c in (*b" 1a,.[:-/=x_\t", *range(33, 127), 10, 0xE9)]
# What is asked of one line from its beginning cannot try later beginnings.
FROM_START = ("match", "fullmatch")
ANYWHERE = ("search", "finditer", "findall", "sub", "split", "each", "first", "last")


def patterns(package: str) -> Iterator[tuple[str, str | bytes, int, bool]]:
    """Module, pattern, flags, and whether it may match anywhere."""
    folder = importlib.import_module(package).__path__
    for found in pkgutil.walk_packages(folder, f"{package}."):
        if found.ispkg or BOUNDED.match(found.name):
            continue
        module = importlib.import_module(found.name)
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern) and f"{name} = " in source:
                anywhere = not _only_from_start(name, source)
                yield found.name, value.pattern, value.flags, anywhere
        yield from _literal(found.name, module, source)


def _only_from_start(name: str, source: str) -> bool:
    used = re.findall(rf"\b{name}\b(?:\.(\w+))?", source)[1:]
    return all(use in FROM_START for use in used)


def _literal(
    of: str, module: Any, source: str
) -> Iterator[tuple[str, str | bytes, int, bool]]:
    """Patterns that stand where they are used, as text or by the name of one."""
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if node.args and node.func.attr in (*FROM_START, *ANYWHERE):
            text = node.args[0]
            value = text.value if isinstance(text, ast.Constant) else None
            if isinstance(text, ast.Name):
                value = vars(module).get(text.id)
            of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
            if isinstance(value, str | bytes) and (
                of_re or node.func.attr in ANYWHERE[-3:]
            ):
                yield of, value, 0, node.func.attr in ANYWHERE


def attacks(pattern: str | bytes, flags: int, anywhere: bool) -> set[str]:
    """Texts that a pattern takes long to refuse if it is not linear."""
    tree = parser.parse(
        pattern, flags & ~re.UNICODE if isinstance(pattern, bytes) else flags
    )
    made = set()
    for lead, run in _runs(tree):
        if run:
            long = run * (LENGTH // len(run))
            made |= {f"{lead}{long}{end}" for end in "\0\n"}
            if anywhere:
                made.add(long + "\0")
                made.add((lead + run) * (LENGTH // len(lead + run)) + "\0")
    return made


def _runs(tree: Any, lead: str = "") -> Iterator[tuple[str, str]]:
    for kind, value in tree:
        if kind in REPEATS:
            if value[1] > 50:
                for run in _samples(value[2]):
                    yield lead, run
            yield from _runs(value[2], lead)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from _runs(branch, lead)
        elif kind is op.SUBPATTERN:
            yield from _runs(value[3], lead)
        lead += _sample([(kind, value)])


def _samples(tree: Any) -> set[str]:
    found = {_sample(tree)}
    if len(tree) == 1 and tree[0][0] in (op.IN, op.ANY):
        found |= {c for c in " 1a,." if tree[0][0] is op.ANY or _takes(tree[0][1], c)}
    return found


def _sample(tree: Any) -> str:
    """A short text that the pattern takes, or nearly."""
    text = ""
    for kind, value in tree:
        if kind is op.LITERAL:
            text += chr(value)
        elif kind is op.NOT_LITERAL:
            text += next(c for c in LETTERS if ord(c) != value)
        elif kind is op.ANY:
            text += "x"
        elif kind is op.IN:
            text += next((c for c in LETTERS if _takes(value, c)), "")
        elif kind in REPEATS:
            text += _sample(value[2]) * value[0]
        elif kind is op.SUBPATTERN:
            text += _sample(value[3])
        elif kind is op.BRANCH:
            text += _sample(value[1][0])
    return text


def _takes(members: Any, letter: str) -> bool:
    refused = found = False
    for kind, value in members:
        if kind is op.NEGATE:
            refused = True
        elif kind is op.LITERAL:
            found |= ord(letter) == value
        elif kind is op.RANGE:
            found |= value[0] <= ord(letter) <= value[1]
        elif kind is op.CATEGORY:
            name = str(value).rpartition("_")[2]
            is_one = re.match({"DIGIT": r"\d", "SPACE": r"\s"}.get(name, r"\w"), letter)
            found |= bool(is_one) != ("_NOT_" in str(value))
    return found != refused


def main() -> None:
    """Attack all patterns of the packages named."""
    for package in sys.argv[1:]:
        for module, pattern, flags, anywhere in sorted(set(patterns(package)), key=str):
            compiled = re.compile(pattern, flags)
            attack = compiled.search if anywhere else compiled.match
            told = f"{module}: {pattern!r} is not linear"
            signal.signal(signal.SIGVTALRM, lambda *_, told=told: sys.exit(told))
            for text in attacks(pattern, flags, anywhere):
                signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
                attack(text.encode("latin-1") if isinstance(pattern, bytes) else text)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


if __name__ == "__main__":
    main()
