"""Pages for people: their commands, options, links and anchors are right."""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from analysis.cli import VERBS
from benchmarks.project import ROOT, project_files

INDEXES = (ROOT / "README.md", ROOT / "docs" / "README.md")
PAGES = sorted(
    path
    for path in project_files()
    if path.suffix == ".md"
    and (
        path.name in ("README.md", "CHANGELOG.md")
        or path.relative_to(ROOT).parts[0] == "docs"
    )
)
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
CODE = re.compile(r"`([^`]+)`")
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
PROGRAM = re.compile(r"(?:(?:\.venv/bin/)?python -m analysis|netperf-report) (?!--)")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose_of(text: str) -> str:
    """A page without its code."""
    return CODE.sub("", FENCE.sub("", text))


def snippets(text: str) -> list[str]:
    """The lines of shell examples, and all code inside sentences."""
    lines = [
        line.strip()
        for language, block in FENCE.findall(text)
        if language in ("sh", "console")
        for line in block.replace("\\\n", " ").splitlines()
    ]
    spans = CODE.findall(FENCE.sub("", text))
    return [*lines, *(" ".join(span.split()) for span in spans)]


@cache
def parser_of(verb: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    importlib.import_module(VERBS[verb][0]).add_arguments(parser)
    return parser


def check_options(verb: str, words: list[str]) -> list[str]:
    known = set(re.findall(r"--[a-z-]+", parser_of(verb).format_help())) | {"--debug"}
    asked = [word.split("=")[0] for word in words if word.startswith("--")]
    return [f"{verb} has no {option}" for option in asked if option not in known]


def check_program(words: list[str]) -> list[str]:
    """What a call of the program names that does not exist."""
    verb, *rest = words
    if verb not in VERBS:
        return [] if verb.isupper() else [f"there is no verb {verb}"]
    action = next((w for w in rest if not w.startswith("-")), "")
    usage = re.sub(r"\[[^]]*\]", "", parser_of(verb).format_usage())
    choices = re.search(r"\{([\w,]+)\}", usage)
    wrong = choices and action.islower() and action not in choices[1].split(",")
    issues = [f"{verb} has no {action}"] if wrong else []
    return issues + check_options(verb, rest)


def check_make(words: list[str]) -> list[str]:
    """What a call of make names that does not exist."""
    targets = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)[1].split()
    variables = re.findall(r"^([A-Z]+) \?=", MAKEFILE, re.MULTILINE)
    issues = []
    for word in words:
        name, equals, value = word.partition("=")
        known = variables if equals else targets
        issues += [] if name in known else [f"make has no {word}"]
        if name == "OPTIONS":
            issues += check_options("publish", value.split())
    return issues


def check_snippet(line: str) -> list[str]:
    """What a command names that does not exist; nothing for other lines."""
    line = re.sub(r"\s#.*|\s*[|>].*", "", line)
    found = PROGRAM.match(line)
    if found:
        return check_program(shlex.split(line[found.end() :]))
    return check_make(shlex.split(line)[1:]) if line.startswith("make ") else []


def anchors(page: Path) -> set[str]:
    """Where a link into a page may lead."""
    prose = FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in kept}


def check_links(page: Path, text: str) -> list[str]:
    """Links that lead nowhere."""
    issues = []
    for path, anchor in LINK.findall(prose_of(text)):
        target = (page.parent / path) if path else page
        if not target.exists():
            issues.append(f"there is no {path}")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            issues.append(f"{path} has no heading {anchor}")
    return issues


def linked(page: Path) -> set[Path]:
    found = LINK.findall(prose_of(page.read_text(encoding="utf-8")))
    return {(page.parent / path).resolve() for path, _ in found if path}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_command_of_a_page_exists(page):
    lines = snippets(page.read_text(encoding="utf-8"))
    assert [issue for line in lines for issue in check_snippet(line)] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_of_a_page_leads_somewhere(page):
    assert check_links(page, page.read_text(encoding="utf-8")) == []


def test_every_page_is_found_from_an_index():
    reachable = set().union(*map(linked, INDEXES))
    pages = [p for p in PAGES if p.relative_to(ROOT).parts[0] == "docs"]
    assert [name_of(p) for p in pages if p not in {*reachable, *INDEXES}] == []


@pytest.mark.parametrize(
    ("line", "issue"),
    [
        ("make coffee", "make has no coffee"),
        ("make report EDITON=x", "make has no EDITON=x"),
        ("make publish OPTIONS='--rolback 3'", "publish has no --rolback"),
        ("python -m analysis guess FILE", "there is no verb guess"),
        (".venv/bin/python -m analysis edition old x", "edition has no old"),
        ("python -m analysis inspect x --row | head", "inspect has no --row"),
    ],
)
def test_a_command_that_does_not_exist_is_found(line, issue):
    assert check_snippet(line) == [issue]


def test_commands_that_exist_are_not():
    assert check_snippet("make publish DEST=x OPTIONS='--keep 5'  # old ones go") == []
    assert check_snippet("python -m analysis VERB") == []
    assert check_snippet("python -m analysis study new ID --edition x > y") == []
    assert check_snippet("grep --nonsense x") == []


def test_commands_in_lists_and_in_sentences_are_found():
    text = "1. Do\n\n   ```sh\n   make tea\n   ```\n\nor `make\ncoffee` it.\n"
    assert snippets(text) == ["make tea", "make coffee"]


def test_a_link_that_leads_nowhere_is_found(tmp_path):
    page = tmp_path / "a.md"
    page.write_text("# One: two, three\n")
    assert check_links(page, "[x](b.md) [y](#one-two-three)") == ["there is no b.md"]
    assert check_links(page, "[x](a.md#one)") == ["a.md has no heading one"]
