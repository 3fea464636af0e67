"""Habits that a linter does not know: lengths, left-overs, paths of one machine."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from pathlib import Path

from benchmarks.project import ROOT, project_files
from tests.meta.test_circles import TOPS, graph_of
from tests.meta.test_dependencies import modules

FUNCTION_LINES = 60
MODULE_LINES = 600
LONG: dict[str, str] = {}  # longer modules, each with its reason
SLIVER_LINES = 60
# Entries of registries, and programs of their own, which nobody need import.
OPENED = re.compile(
    r"^(?:KIND|FORMAT|OUTPUT|RECORDS|STATISTIC|if __name__)\b", re.MULTILINE
)
LEFT_OVER = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" * 3]) + r")\b")
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:work|farm|root|home|Users)/\w")
WRITTEN = {".py", ".md", ".yaml", ".yml", ".toml", ".lua", ".j2", ".css", ".sql", ".sh"}
Issues = dict[str, list[str]]
parsed = cache(ast.parse)  # for several checks
CODE = ("analysis", "benchmarks", "models", "synthetic", "workflow")


def written_files() -> list[Path]:
    """What people wrote in this project: not raw evidence, not the lock."""
    return [
        path
        for path in project_files()
        if path.suffix in WRITTEN or path.name in ("Makefile", "Snakefile", "run")
        if path.relative_to(ROOT).parts[0] != "raw"
    ]


def check_text(text: str) -> list[str]:
    """Lines that should not be there: reminders, and paths of one machine."""
    return [
        f"line {number}: {line.strip()}"
        for number, line in enumerate(text.splitlines(), 1)
        if LEFT_OVER.search(line) or MACHINE_PATH.search(line)
    ]


def check_lengths(source: str) -> list[str]:
    """Functions and a module that are too long."""
    issues = [
        f"{node.name} has {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(parsed(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if node.end_lineno - node.lineno + 1 > FUNCTION_LINES
    ]
    lines = source.count("\n")
    return issues + ([f"{lines} lines"] if lines > MODULE_LINES else [])


def slivers(
    graph: Mapping[str, Collection[str]], known: Mapping[str, Path]
) -> set[str]:
    """Short modules that one neighbour alone imports, and that no registry opens."""
    found = set()
    for name, path in known.items():
        users = [
            user for user, names in graph.items() if name in names and user != name
        ]
        text, beside = path.read_text("utf-8"), [known[user].parent for user in users]
        short = text.count("\n") < SLIVER_LINES and path.stem != "__init__"
        if short and beside == [path.parent] and not OPENED.search(text):
            found.add(name)
    return found


def check_late_imports(source: str) -> list[str]:
    """Imports by a computed name, which the fingerprint of a verb would not see.

    Registries are followed, and of the table of verbs each has its own.
    """
    return [
        f"line {node.lineno}: import_module of a computed name"
        for node in ast.walk(parsed(source))
        if isinstance(node, ast.Call)
        if ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__")
        if not isinstance(node.args[0], ast.Constant | ast.Subscript)
    ]


def named(paths: list[Path]) -> dict[str, Path]:
    return {path.relative_to(ROOT).as_posix(): path for path in paths}


PYTHON = named([p for folder in CODE for p in sorted((ROOT / folder).rglob("*.py"))])
WORDS = named(written_files())


def found_in(files: dict[str, Path], check: Callable[[str], list[str]]) -> Issues:
    """What a check finds, by the name of the file."""
    found = {name: check(path.read_text("utf-8")) for name, path in files.items()}
    return {name: issues for name, issues in found.items() if issues}


def test_nothing_is_left_over():
    assert WORDS
    assert found_in(WORDS, check_text) == {}


def test_functions_and_modules_are_short():
    assert PYTHON
    assert found_in(PYTHON, check_lengths).keys() == LONG.keys()


def test_no_module_is_a_sliver_of_its_neighbour():
    known = modules(TOPS)
    assert slivers(graph_of(known), known) == set()


def test_a_sliver_is_found(tmp_path):
    texts = {"a": "x = 1\n", "b": "KIND = 1\n", "c": "x = 1\n" * SLIVER_LINES}
    known = {name: tmp_path / f"{name}.py" for name in (*texts, "user")}
    for name, path in known.items():
        path.write_text(texts.get(name, ""))
    assert slivers({"user": {*texts}}, known) == {"a"}
    assert slivers({"user": {"a"}, "c": {"a"}}, known) == set()


def test_late_imports_name_their_module():
    own = {name: path for name, path in PYTHON.items() if name.startswith("analysis/")}
    assert own
    assert found_in(own, check_late_imports) == {}


def test_a_reminder_and_a_machine_s_path_are_found():
    assert check_text("ok\n# " + "TO" + "DO: later\n") == ["line 2: # TO" + "DO: later"]
    assert check_text('open("/ho' + 'me/ann/x")')
    assert not check_text("https://example.org/home/page and ../work/x")


def test_a_long_function_and_a_long_module_are_found():
    long = "def f():\n" + "    x = 1\n" * FUNCTION_LINES
    assert check_lengths(long) == [f"f has {FUNCTION_LINES + 1} lines"]
    longer = MODULE_LINES + 50
    assert check_lengths("x = 1\n" * longer) == [f"{longer} lines"]


def test_a_computed_import_is_found():
    assert check_late_imports("import importlib\nimportlib.import_module(f'a.{b}')")
    assert not check_late_imports("import_module('analysis.facts.units')")
    assert not check_late_imports("import_module(FORMATS[name])")
