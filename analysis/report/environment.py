"""Rendering reviewed Markdown: sandboxed expressions, errors with file and line."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateError, TemplateSyntaxError, nodes
from jinja2.exceptions import UndefinedError
from jinja2.sandbox import SandboxedEnvironment

from analysis.errors import Issue, Place, UserError, user_error
from analysis.report.lookup import UnknownError, nearest
from analysis.report.values import filters

# Jinja's own comments begin as Pandoc's anchors do: ## Title {#sec-title}
COMMENT_START, COMMENT_END = "{##", "##}"
# Around what an expression printed, while the text is being made: private characters.
_PRINTED = re.compile("\ue000([^\ue001]*)\ue001")
_MISTAKES = (TemplateError, TypeError, ValueError, LookupError, ArithmeticError)


@dataclass(frozen=True)
class Printed:
    """What one expression printed, and where the text has it."""

    line: int
    expression: str
    output: str


def prose_environment() -> SandboxedEnvironment:
    """The sandbox: unknown names are errors; prose reaches no file and no module."""
    environment = SandboxedEnvironment(
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        comment_start_string=COMMENT_START,
        comment_end_string=COMMENT_END,
        finalize=lambda value: f"\ue000{value}\ue001",
    )
    environment.filters = dict(filters())
    return environment


def render_prose(
    environment: SandboxedEnvironment,
    text: str,
    names: Mapping[str, Any],
    path: Path,
) -> str:
    """``text`` with its expressions replaced; a mistake is named by file and line."""
    return _PRINTED.sub(r"\1", _render(environment, text, names, path))


def render_printed(
    environment: SandboxedEnvironment,
    text: str,
    names: Mapping[str, Any],
    path: Path,
) -> tuple[str, tuple[Printed, ...]]:
    """As :func:`render_prose`, with what every expression printed, in order."""
    marked = _render(environment, text, names, path)
    outputs = _PRINTED.findall(marked)
    sources = _expressions(environment, text)
    printed = tuple(
        Printed(line, expression, output)
        for (line, expression), output in zip(sources, outputs, strict=True)
    )
    return _PRINTED.sub(r"\1", marked), printed


def check_expressions(
    environment: SandboxedEnvironment, text: str, path: Path
) -> list[Issue]:
    """Issues of expressions that print words or numbers of their own."""
    return [
        Issue(
            f"an expression prints {node.value!r}, which is no fact",
            Place(str(path), node.lineno),
            "write words outside of expressions, and numbers as delta(…) or value(…)",
        )
        for output in environment.parse(text).find_all(nodes.Output)
        for part in output.nodes
        if not isinstance(part, nodes.TemplateData)
        for node in _constants(part)
    ]


def _constants(node: nodes.Node) -> Iterator[nodes.Const]:
    """The constants that a node prints: those that no function takes as an argument."""
    if isinstance(node, nodes.Const):
        yield node
    elif isinstance(node, nodes.Call | nodes.Filter | nodes.Getattr | nodes.Getitem):
        if node.node is not None:
            yield from _constants(node.node)
    else:
        for child in node.iter_child_nodes():
            yield from _constants(child)


def _expressions(environment: SandboxedEnvironment, text: str) -> list[tuple[int, str]]:
    """Line and words of every expression of a text that holds no statements."""
    found: list[tuple[int, str]] = []
    parts: list[str] = []
    start = 0
    for line, kind, value in environment.lex(text):
        if kind == "variable_begin":
            parts, start = [], line
        elif kind == "variable_end":
            found.append((start, " ".join("".join(parts).split())))
        else:
            parts.append(value)
    return found


def _render(
    environment: SandboxedEnvironment,
    text: str,
    names: Mapping[str, Any],
    path: Path,
) -> str:
    try:
        code = environment.compile(text, str(path), str(path))
        template = Template.from_code(environment, code, dict(names))
        return template.render()
    except TemplateSyntaxError as error:
        raise _syntax_error(error, environment, path) from error
    except _MISTAKES as error:
        raise _run_error(error, names, path) from error


def _syntax_error(
    error: TemplateSyntaxError, environment: SandboxedEnvironment, path: Path
) -> UserError:
    message = error.message or "not an expression"
    mend = 'expressions are written {{ delta("latency", "RR10(100B)") }}'
    if message.startswith("No filter named"):
        mend = nearest(message.split("'")[1], environment.filters)
    return user_error(message.rstrip("."), path, error.lineno, mend=mend)


def _run_error(error: Exception, names: Mapping[str, Any], path: Path) -> UserError:
    mend = error.mend if isinstance(error, UnknownError) else ""
    if isinstance(error, UndefinedError):
        mend = nearest(_first_quoted(str(error)), names)
    if isinstance(error, TypeError):
        mend = "give the expression its arguments by name"
    return user_error(
        str(error).removeprefix("Values."), path, _line_in(error, path), mend=mend
    )


def _line_in(error: Exception, path: Path) -> int | None:
    """The last line of the template that the error passed through."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return lines[-1] if lines else None


def _first_quoted(message: str) -> str:
    parts = message.split("'")
    return parts[1] if len(parts) > 1 else message
