"""What the expressions of reviewed text print.

Only what a :class:`Vocabulary` declares is ever called, and only with the literals of
the text; what a function gives is handed to declared filters and printed, and nothing
of it can be reached by name.
"""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

from analysis.declared.mistakes import did_you_mean
from analysis.errors import Issue, Place, raise_if
from analysis.files.limits import PRINTED_CHARACTERS
from analysis.report.language.printed import Printed, as_bound
from analysis.report.language.scope import UnknownError, one_of
from analysis.report.language.syntax import Call, Expression

Functions = Mapping[str, Callable[..., Any]]
_MISTAKES = (TypeError, ValueError, LookupError, ArithmeticError)


@dataclass(frozen=True)
class Vocabulary:
    """All that an expression may call: functions by name, and filters by name.

    Parameters are annotated with the types of values that they take.
    """

    functions: Functions
    filters: Functions


def evaluate(
    expressions: Iterable[Expression], vocabulary: Vocabulary, path: Path
) -> tuple[Printed, ...]:
    """What each expression of a text prints, in order.

    One :class:`analysis.errors.UserError` tells all mistakes by file and line.
    """
    printed: list[Printed] = []
    issues: list[Issue] = []
    for part in expressions:
        try:
            found = _printed(part, vocabulary)
        except _MISTAKES as error:
            mend = error.mend if isinstance(error, UnknownError) else ""
            issues.append(Issue(str(error), Place(str(path), part.line), mend))
            continue
        printed.append(found)
    raise_if(issues)
    return tuple(printed)


def _printed(expression: Expression, vocabulary: Vocabulary) -> Printed:
    call = expression.call
    name = one_of("function", call.name, vocabulary.functions)
    value = found = _apply(vocabulary.functions[name], call)
    for call in expression.filters:
        name = one_of("filter", call.name, vocabulary.filters)
        value = _apply(vocabulary.filters[name], call, value)
    bound = as_bound(value)
    if (length := len(str(bound))) > PRINTED_CHARACTERS:
        raise UnknownError(
            f"{expression.call.name} prints {length:,} characters; at most "
            f"{PRINTED_CHARACTERS:,} go into a text (PRINTED_CHARACTERS)",
            "print less",
        )
    ways = tuple(call.name for call in expression.filters)
    return Printed(expression.line, expression.source, bound, found, value, ways)


def _apply(function: Callable[..., Any], call: Call, *before: object) -> Any:
    """What a declared function gives for a call whose arguments fit it.

    ``before`` is the value that a filter is applied to.
    """
    signature, hints = inspect.signature(function), _hints(_plain(function))
    known = list(signature.parameters)[len(before) :]
    for name in call.named:
        if name not in known:
            hint = did_you_mean(name, known) or f"leave out {name}="
            raise UnknownError(f"{call.name} takes no argument {name!r}", hint)
    try:
        given = signature.bind(*before, *call.arguments, **call.named).arguments
    except TypeError as error:
        raise UnknownError(
            f"{call.name}: {error}",
            f"give the expression its arguments by name: {_form(call.name, known)}",
        ) from None
    for name, value in given.items():
        if not isinstance(value, hints[name]) or isinstance(value, bool):
            raise _unfit(call.name, name if name in known else "", value)
    return function(**given)


def _unfit(function: str, argument: str, value: object) -> UnknownError:
    if argument:
        return UnknownError(
            f"{function} takes no {reprlib.repr(value)} as {argument!r}",
            "write it in quotes",
        )
    return UnknownError(
        f"'| {function}' does not fit what stands before it",
        "leave it out, or put before it what it prints",
    )


def _form(name: str, parameters: list[str]) -> str:
    return f"{name}({', '.join(f'{p}=…' for p in parameters)})"


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method as its class has it, which stays the same from text to text."""
    plain: Callable[..., Any] = getattr(function, "__func__", function)
    return plain


@cache
def _hints(function: Callable[..., Any]) -> Mapping[str, Any]:
    return get_type_hints(function)
