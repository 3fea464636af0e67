"""All mutants of a part of the program: each is one small change of one line.

The operators are those of cosmic-ray that make mistakes as people make them: a limit
one off, a comparison at its boundary, a sign, a condition turned round. Replacing each
operator by each other one only multiplies the mutants that die at once. One operator
is our own: a statement that does something is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.operators.provider import OperatorProvider
from parso.python.tree import Keyword
from parso.tree import NodeOrLeaf

ROOT = Path(__file__).resolve().parents[2]

PARTS = {
    "derive": "analysis/derive",
    "statistics": "analysis/statistics",
    "claims": "analysis/report/claims",
    "review": "analysis/report/review",
    "publish": "analysis/publish",
    "models": "models",
}

_BINARY = (
    "Add_Sub Sub_Add Mul_Div Div_Mul FloorDiv_Mul Mod_FloorDiv Pow_Mul "
    "BitOr_BitAnd BitAnd_BitOr"
)
_COMPARISON = (
    "Eq_NotEq NotEq_Eq Lt_LtE Lt_Gt LtE_Lt LtE_Gt Gt_GtE Gt_Lt GtE_Gt GtE_Lt "
    "Is_IsNot IsNot_Is"
)
_UNARY = "USub_UAdd Delete_Not Delete_Invert"
_OTHER = (
    "AddNot ReplaceTrueWithFalse ReplaceFalseWithTrue ReplaceAndWithOr "
    "ReplaceOrWithAnd ReplaceBreakWithContinue ReplaceContinueWithBreak "
    "ExceptionReplacer NumberReplacer ZeroIterationForLoop"
)
OPERATORS = (
    *(f"ReplaceBinaryOperator_{name}" for name in _BINARY.split()),
    *(f"ReplaceComparisonOperator_{name}" for name in _COMPARISON.split()),
    *(f"ReplaceUnaryOperator_{name}" for name in _UNARY.split()),
    *_OTHER.split(),
    "StatementRemoval",
)


class StatementRemoval(Operator):
    """Leaves out a statement that raises, calls or adds to something."""

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[tuple]:
        """Where a statement may be left out: of this node, or nowhere."""
        if node.type == "simple_stmt" and _acts(node.children[0]):
            yield (node.start_pos, node.end_pos)

    def mutate(self, node: NodeOrLeaf, index: int) -> NodeOrLeaf:
        """The statement with ``pass`` in its place."""
        first = node.children[0].get_first_leaf()
        node.children[0] = Keyword("pass", first.start_pos, first.prefix)
        return node

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        """What cosmic-ray asks of each operator."""
        return (Example("check(x)\n", "pass\n"),)


def _acts(statement: NodeOrLeaf) -> bool:
    if statement.type in ("raise_stmt", "atom_expr"):
        return True
    return statement.type == "expr_stmt" and statement.children[1].type == "operator" \
        and statement.children[1].value != "="  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change: the n-th place where an operator can act in a module."""

    module: str
    line: int
    operator: str
    occurrence: int

    @property
    def id(self) -> str:
        """How the change is named in the journal."""
        return f"{self.module}:{self.line}:{self.operator}:{self.occurrence}"

    @property
    def in_function(self) -> bool:
        """Whether its line runs when a function is called, and not at import."""
        return self.line in _in_functions(self.module)

    def code(self) -> str:
        """The module's source with the change."""
        mutated = mutate_code(
            _source(self.module), _made(self.operator), self.occurrence
        )
        if mutated is None:
            raise LookupError(f"{self.id} is not there")
        return mutated

    def change(self) -> tuple[str, str]:
        """The first line that differs, before and after, with single spaces."""
        old, new = _source(self.module).splitlines(), self.code().splitlines()
        at = self.line - 1
        while at < len(new) and old[at] == new[at]:
            at += 1
        return " ".join(old[at].split()), " ".join(new[at].split())


def population(part: str) -> list[Mutant]:
    """All mutants of a part, in the order of its modules and lines."""
    found: list[Mutant] = []
    for path in sorted((ROOT / PARTS[part]).rglob("*.py")):
        found += sorted(_mutants(path.relative_to(ROOT).as_posix()), key=_order)
    return found


def _order(mutant: Mutant) -> tuple[int, str, int]:
    return mutant.line, mutant.operator, mutant.occurrence


def _mutants(module: str) -> Iterator[Mutant]:
    source = _source(module)
    spans = [*_annotations(source), *_caches(source)]
    nodes = list(ast_nodes(get_ast(source)))
    for name in OPERATORS:
        operator = _made(name)
        places = [p for node in nodes for p in operator.mutation_positions(node)]
        for occurrence, (start, _) in enumerate(places):
            mutant = Mutant(module, start[0], name, occurrence)
            within = any(first <= start < last for first, last in spans)
            if not within and (name != "ExceptionReplacer" or _can_be_made(mutant)):
                yield mutant


def _can_be_made(mutant: Mutant) -> bool:
    """cosmic-ray cannot replace an exception that is named with its module."""
    try:
        mutant.code()
    except AttributeError:
        return False
    return True


def _annotations(source: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Where types stand: they are never computed, so no test can see a change."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        for name in ("annotation", "returns"):
            found = getattr(node, name, None)
            if isinstance(found, ast.expr):
                yield (
                    (found.lineno, _column(lines, found.lineno, found.col_offset)),
                    (
                        found.end_lineno or found.lineno,
                        _column(lines, found.end_lineno, found.end_col_offset),
                    ),
                )


def _caches(source: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Where it stands how much is kept of what was computed: it changes no answer."""
    for node in ast.walk(ast.parse(source)):
        for call in getattr(node, "decorator_list", ()):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "lru_cache":
                yield (call.lineno, 0), ((call.end_lineno or call.lineno) + 1, 0)


def _column(lines: list[str], line: int | None, offset: int | None) -> int:
    """The place of a character of which the tree knows the byte."""
    return len(lines[(line or 1) - 1].encode()[: offset or 0].decode())


def _made(name: str) -> Operator:
    if name == "StatementRemoval":
        return StatementRemoval()
    return OperatorProvider()[name]()


@cache
def _in_functions(module: str) -> set[int]:
    """The lines of the bodies of functions."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        line
        for node in ast.walk(ast.parse(_source(module)))
        if isinstance(node, functions)
        for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)
    }


@cache
def _source(module: str) -> str:
    return (ROOT / module).read_text(encoding="utf-8")
