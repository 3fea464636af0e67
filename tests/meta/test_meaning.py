"""Meaning is data: kinds have words, names have one meaning, nobody reads a message."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from string import Formatter

import pytest

from analysis.facts.kinds import KINDS
from analysis.facts.problem_kinds import PROBLEMS
from benchmarks.project import ROOT

ROOMS = ("analysis", "models", "workflow")
MAKERS = ("remark", "Remark", "refusal")
# What holds words for people: no code learns anything from it.
MESSAGES = frozenset({"message", "note", "notes", "reason", "words"})
# An author's own words, which are typeset; and what Snakemake says, which has no kinds.
NOT_OURS = {
    "analysis/report": "words of authors and words that were composed are typeset",
    "analysis/publish": "words of a build are compared and typeset",
    "workflow/snakemake_logger_plugin_brief": "Snakemake tells by messages alone",
}
READING = frozenset(
    {"startswith", "endswith", "partition", "rpartition", "split", "rsplit", "find",
     "index", "removeprefix", "removesuffix", "match", "fullmatch", "search", "sub"}
)  # fmt: skip
LIST = re.compile(r"(list|Problems|dict\[[^]]+, list)\b")
CHANGING = frozenset({"append", "extend", "insert", "pop", "remove", "clear"})
# A tree of codes gives free nodes back, a hundred thousand times for each file.
OWN_LISTS = {"analysis/ingest/compressed/terse.py": ["_forget"]}
# Names of other rooms; what is nowhere is to leave the list.
SAME_NAME = {
    "Published": "a number, and of an edition, whose schema has this title",
}


@cache
def modules() -> dict[str, ast.Module]:
    """The code, by its path."""
    paths = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return {str(p.relative_to(ROOT)): ast.parse(p.read_bytes()) for p in paths}


def kinds_made(tree: ast.AST) -> Iterator[str]:
    """The kinds of the remarks that some code makes, where it names them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and _name(node.func) in MAKERS:
            kind = node.args[0]
            ends = [kind.body, kind.orelse] if isinstance(kind, ast.IfExp) else [kind]
            yield from (
                end.value
                for end in ends
                if isinstance(end, ast.Constant) and isinstance(end.value, str)
            )


def messages_read(tree: ast.AST) -> Iterator[int]:
    """The lines on which a message is searched, split or compared with a text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in READING and any(
                _is_message(each) for each in (node.func.value, *node.args)
            ):
                yield node.lineno
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(map(_is_message, sides)) and any(map(_is_text, sides)):
                yield node.lineno


def lists_changed(tree: ast.AST) -> Iterator[str]:
    """The functions that change a list which was given to them."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            given = {
                each.arg
                for each in (*function.args.args, *function.args.kwonlyargs)
                if each.annotation and LIST.match(ast.unparse(each.annotation))
            }
            if given & set(map(_changed, ast.walk(function))):
                yield function.name


def _changed(node: ast.AST) -> str:
    """The name of what a statement makes longer or shorter, else nothing."""
    at: ast.AST = node
    if isinstance(node, ast.AugAssign):
        at = node.target
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        at = node.func.value if node.func.attr in CHANGING else node
    return at.id if isinstance(at, ast.Name) and at is not node else ""


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _is_message(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in MESSAGES


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and bool(node.value)


def test_every_kind_has_words_at_one_place():
    """They stand where it is made, or are declared where several make it."""
    made = [
        (kind, path, bool(call.args[1:]) and _name(call.func) != "Remark")
        for path, tree in modules().items()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        for kind in kinds_made(ast.Expression(call))
        if call.args and _name(call.func) in MAKERS
    ]
    twice = [kind for kind, _, here in made if here == (kind in KINDS)]
    assert twice == []
    alone = [kind for kind, _, here in made if here]
    assert sorted({kind for kind in alone if alone.count(kind) > 1}) == []
    assert len(alone) > 200


def values_lacking(tree: ast.AST) -> Iterator[str]:
    """The kinds that are made without a value that their words name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and _name(node.func) == "remark":
            given = {keyword.arg for keyword in node.keywords}
            for kind in KINDS.keys() & {*kinds_made(ast.Expression(node))}:
                words = KINDS[kind].words
                if isinstance(words, str) and None not in given:
                    fields = {field for _, field, *_ in Formatter().parse(words)}
                    yield from ([kind] if fields - {None} - given else [])


def test_words_get_all_their_values():
    trees = modules().items()
    assert [(p, kind) for p, tree in trees for kind in values_lacking(tree)] == []
    assert list(values_lacking(ast.parse("remark('of_test')"))) == ["of_test"]


def test_a_kind_is_declared_once():
    files = ("kinds.py", "problem_kinds.py")
    sources = [(ROOT / "analysis/facts" / f).read_text("utf-8") for f in files]
    assert len(KINDS) == sum(source.count(": Kind(") for source in sources)


def test_every_kind_of_problem_is_made_somewhere():
    """Words that nothing says are left over."""
    texts = {
        node.value
        for path, tree in modules().items()
        if "facts/problem_kinds" not in path
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert set(PROBLEMS) - texts == set()


@pytest.mark.parametrize(
    ("code", "kinds"),
    [
        ("remark('a', x=1)", ["a"]),
        ("remark('a' if x else 'b')", ["a", "b"]),
        ("Remark('a', values={})", ["a"]),
        ("other('a')", []),
    ],
)
def test_kinds_are_found_in_code(code, kinds):
    assert list(kinds_made(ast.parse(code))) == kinds


def test_nobody_reads_a_message():
    found = [
        f"{path}:{line}"
        for path, tree in modules().items()
        if not path.startswith(tuple(NOT_OURS))
        for line in messages_read(tree)
    ]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "problem.message.startswith('x')",
        "re.match('x', reading.reason)",
        "'x' in row.notes",
        "remark.words == 'x'",
        "remark.words.split(': ')",
    ],
)
def test_a_message_that_is_read_is_found(code):
    assert list(messages_read(ast.parse(code))) == [1]
    assert list(messages_read(ast.parse("reading.reason == other.reason"))) == []


def test_sql_reads_no_message():
    texts = [
        (path, node.value)
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert [path for path, text in texts if " LIKE '" in text] == []


def test_one_class_name_has_one_meaning():
    places: dict[str, set[str]] = defaultdict(set)
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(path)
    twice = {name: at for name, at in places.items() if len(at) > 1}
    assert {name: at for name, at in twice.items() if name not in SAME_NAME} == {}
    assert set(SAME_NAME) - set(twice) == set()


def test_nothing_appends_to_somebody_elses_list():
    changed = {path: list(lists_changed(tree)) for path, tree in modules().items()}
    assert {path: by for path, by in changed.items() if by} == OWN_LISTS


@pytest.mark.parametrize("code", ["x.append(1)", "x += [1]", "x.clear()"])
def test_a_list_that_is_changed_by_another_is_found(code):
    assert list(lists_changed(ast.parse(f"def f(x: list[int]): {code}"))) == ["f"]
    assert list(lists_changed(ast.parse(f"def f(x: Rows): {code}"))) == []
