"""All mutants of a room of the program: each is one small change of its source.

The changes are mistakes as people make them: a limit one off, a comparison at its
boundary, a sign, a condition turned round, a statement left out. To replace each
operator by each other one would only add mutants that die at once.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ANALYSIS = "facts files declared ingest derive statistics figures report publish"
ROOMS = {room: f"analysis/{room}" for room in ANALYSIS.split()} | {"models": "models"}

_SWAPS = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<=", ">"),
    ast.LtE: ("<=", "<", ">"),
    ast.Gt: (">", ">=", "<"),
    ast.GtE: (">=", ">", "<"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"),
    ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
Edit = tuple[int, int, bytes]  # bytes from, to, and what takes their place


@dataclass(frozen=True)
class Mutant:
    """One change of a module: its lines before and after, with single spaces."""

    module: str
    line: int
    was: str
    becomes: str
    occurrence: int  # among equal changes of equal lines
    edit: Edit

    @property
    def room(self) -> str:
        """The room of the program in which it is."""
        return next(r for r, path in ROOMS.items() if self.module.startswith(path))

    @property
    def change(self) -> tuple[str, str, str]:
        """Its module, and its line before and after."""
        return self.module, self.was, self.becomes

    @property
    def id(self) -> str:
        """The same while its line stays, wherever that moves."""
        return f"{self.module}: {self.was}  ->  {self.becomes} #{self.occurrence}"

    def code(self) -> bytes:
        """The module's source with the change."""
        return _changed(source(self.module), self.edit)


def sample(rooms: list[str], size: int, seed: int) -> list[Mutant]:
    """Mutants by chance, each as likely as any other; all where ``size`` is 0.

    They are in the order of chance: the first of a sample are one, too. A change
    elsewhere in the program takes none out of the sample but its own.
    """
    whole = [mutant for room in rooms for mutant in population(room)]
    whole.sort(key=lambda m: hashlib.sha256(f"{seed} {m.id}".encode()).digest())
    return whole[: size or None]


def population(room: str) -> list[Mutant]:
    """All mutants of a room."""
    paths = sorted((ROOT / ROOMS[room]).rglob("*.py"))
    return [m for path in paths for m in mutants(path.relative_to(ROOT).as_posix())]


def mutants(module: str) -> Iterator[Mutant]:
    """All mutants of a module."""
    text = source(module)
    starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
    times: Counter[tuple[str, str]] = Counter()
    for node in _nodes(ast.parse(text)):
        for edit in _edits(node, text, starts):
            line = text.count(b"\n", 0, edit[0]) + 1
            change = _line(text, edit[0]), _line(_changed(text, edit), edit[0])
            yield Mutant(module, line, *change, times[change], edit)
            times[change] += 1


@cache
def source(module: str) -> bytes:
    """A module's text."""
    return (ROOT / module).read_bytes()


def statement(text: bytes, line: int) -> bytes:
    """The function, class or other statement of a module in which a line is."""
    lines = text.splitlines()
    ends = ((n.lineno, n.end_lineno or n.lineno) for n in ast.parse(text).body)
    return next(b"\n".join(lines[a - 1 : b]) for a, b in ends if a <= line <= b)


def _changed(text: bytes, edit: Edit) -> bytes:
    begin, end, new = edit
    return text[:begin] + new + text[end:]


def _line(text: bytes, at: int) -> str:
    begin, end = text.rfind(b"\n", 0, at) + 1, text.find(b"\n", at)
    return " ".join(text[begin:end].decode().split())


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes in which a change can be seen."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue  # types are never computed
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _unseen(child):
                yield from _nodes(child)


def _unseen(node: ast.AST) -> bool:
    """Words of messages, sizes of caches, and what guards against its author alone."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) == "lru_cache"
    if isinstance(node, ast.If):
        return ast.unparse(node.test) in ("TYPE_CHECKING", "__name__ == '__main__'")
    guard = isinstance(node, ast.keyword) and node.arg in ("strict", "frozen")
    return guard or isinstance(node, ast.JoinedStr)


def _edits(node: ast.AST, text: bytes, starts: list[int]) -> Iterator[Edit]:
    """The changes of one node, those of its parts apart."""

    def span(part: ast.expr | ast.stmt) -> tuple[int, int]:
        begin = starts[part.lineno - 1] + part.col_offset
        return begin, starts[(part.end_lineno or 1) - 1] + (part.end_col_offset or 0)

    def swapped(operator: ast.AST, left: ast.expr, right: ast.expr) -> Iterator[Edit]:
        sign, *others = _SWAPS.get(type(operator), ("",))
        begin = text.find(sign.encode(), span(left)[1], span(right)[0])
        for other in others if begin >= 0 else ():
            yield begin, begin + len(sign), other.encode()

    match node:
        case ast.Compare():
            sides = pairwise([node.left, *node.comparators])
            for operator, (left, right) in zip(node.ops, sides, strict=True):
                yield from swapped(operator, left, right)
        case ast.BinOp():
            yield from swapped(node.op, node.left, node.right)
        case ast.BoolOp():
            for left, right in pairwise(node.values):
                yield from swapped(node.op, left, right)
        case ast.UnaryOp(op=ast.Not() | ast.Invert() | ast.USub()):
            begin, _ = span(node)
            sign = b"not" if isinstance(node.op, ast.Not) else text[begin : begin + 1]
            yield begin, begin + len(sign), b"+" if sign == b"-" else b""
        case ast.Constant(value=bool()):
            yield *span(node), str(not node.value).encode()
        case ast.Constant(value=int() | float()):
            for by in (-1, 1):
                yield *span(node), repr(node.value + by).encode()
        case ast.If() | ast.While() | ast.IfExp():
            yield _negated(text, *span(node.test))
        case ast.comprehension():
            for test in node.ifs:
                yield _negated(text, *span(test))
        case ast.For():
            yield *span(node.iter), b"()"
        case ast.Break():
            yield *span(node), b"continue"
        case ast.Continue():
            yield *span(node), b"break"
        case ast.Raise() | ast.AugAssign() | ast.Expr(value=ast.Call() | ast.Await()):
            yield *span(node), b"pass"


def _negated(text: bytes, begin: int, end: int) -> Edit:
    return begin, end, b"(not (" + text[begin:end] + b"))"
