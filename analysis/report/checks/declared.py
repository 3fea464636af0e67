"""Numbers typed by hand, by their unit; and what is declared otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.declared.workload import parse_workload
from analysis.report.checks.names import Mention
from analysis.report.material import Material

_SMALL = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
    "eighteen", "nineteen", "twenty",
)  # fmt: skip
_TENS = (
    "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred",
)  # fmt: skip
_VALUES = {word: float(n) for n, word in enumerate(_SMALL, 1)}
_VALUES |= {word: 10.0 * n for n, word in enumerate(_TENS, 3)}
_WORDS = "|".join(sorted(_VALUES, key=len, reverse=True))
_DIGITS = r"(?<![\w.,@/-])[+\u2212~-]?\d[\d,]*(?:\.\d+)?(?:[kM]\b)?"
_NUMBER = rf"(?:{_DIGITS}|\b(?:{_WORDS})\b)"
# Units that only a result has; sizes and counts of things have others.
_RESULT = re.compile(
    rf"(?P<number>{_NUMBER})[\s-]?(?P<unit>%|\u2030|per\s?cent\b"
    r"|percent(?:age points)?\b"
    r"|[\u00b5\u03bcmn]?s(?:/\w+)?\b|(?:micro|milli|nano)?seconds?\b"
    r"|[kKMGT]i?B(?:/s|ps)\b|[kMGT]?bit/s\b|[kMGT]bps\b"
    r"|trans(?:actions)?(?:/s| per second| a second)|-?fold\b"
    r"|times (?:as|more|less|faster|slower|higher|lower|the)\b|x\b|\u00d7)",
    re.IGNORECASE,
)
# Where no results are told, round numbers explain, and others report.
_ROUND = re.compile(r"[^\d]*\d{1,2}0*|[a-z]+", re.IGNORECASE)
_LEVEL = re.compile(
    r"confiden|interval|\blevel|quantile|percentile|significan|p-value|\bCIs?\b"
    r"|\bp\s?[<=\u2264]",
    re.IGNORECASE,
)
_COUNT = re.compile(
    rf"\b(?P<number>\d+|{_WORDS})(?: (?!of\b)\w+)? "
    r"(?P<noun>times|runs|repetitions|machines|LPARs?|CPUs?|CPs?"
    r"|clients|sessions|users|connections)\b",
    re.IGNORECASE,
)
_EACH = re.compile(r"\b(?:each|every|per) (?:configuration|workload|load)\b", re.I)
_VERSION = re.compile(
    r"\b(?P<family>z/OS|TLS ?v?|IPv)(?P<version> ?(?:V\d+R\d+|\d+(?:\.\d+)?))"
    r"(?![\w.]\d)"
)
_SIMPLE = re.compile(r"[\s.v]")


@dataclass(frozen=True)
class DeclaredNumbers:
    """What campaigns declare: their text, settings by name, and counts by noun."""

    text: str
    settings: dict[str, set[float]]
    machines: set[int]
    systems: int
    cps: set[int]
    repetitions: set[int]

    @classmethod
    def of(cls, material: Material, study: str | None) -> DeclaredNumbers:
        """What is declared of a study's campaigns, or of all."""
        names = material.studies[study].campaigns if study else [*material.campaigns]
        campaigns = [material.campaigns[name] for name in names]
        settings = dict[str, set[float]]()
        for campaign in campaigns:
            for configuration in campaign.configurations.values():
                for key, value in configuration.details.items():
                    word, digits = key.split()[0], re.match(r"\s*([\d,]+)", str(value))
                    if digits and word.isupper() and len(word) > 2:
                        number = float(digits[1].replace(",", ""))
                        settings.setdefault(word, set()).add(number)
        systems = [s for campaign in campaigns for s in campaign.systems.items()]
        own = (run for run in material.facts.runs if study in (None, run.study))
        declared = [material.studies[study].model_dump_json()] if study else []
        return cls(
            " ".join([*(c.model_dump_json() for c in campaigns), *declared]),
            settings,
            {len({system.host or id for id, system in systems}), len(systems)},
            len(systems),
            {system.cps for _, system in systems},
            {run.used + run.excluded for run in own},
        )


@dataclass(frozen=True)
class Typed:
    """A finding on typed words: where, what, and the number that should be printed."""

    at: int
    what: str
    number: str = ""


def typed(
    words: str,
    known: DeclaredNumbers,
    mentions: Sequence[Mention],
    prints: bool,
    results: bool,
) -> Iterator[Typed]:
    """Numbers that an expression should print, and what is declared otherwise.

    The latter of texts of ``results`` alone: others tell of more than was declared.
    ``words`` are of a sentence, with blanks where values are printed and where an
    exception stands; ``mentions`` are its names, with their places in it.
    """
    otherwise = (
        [
            *_settings(words, known),
            *_counts(words, known, mentions),
            *(_versions(words, known) if prints else ()),
        ]
        if results
        else []
    )
    yield from otherwise
    places = {one.at for one in otherwise}
    for number in () if _LEVEL.search(words) else _RESULT.finditer(words):
        passes = not results and _ROUND.fullmatch(number["number"])
        if not (passes or number.start() in places or _declared(number, known)):
            what = f"a number typed by hand: {number[0]!r}"
            yield Typed(number.start(), what, number[0])


def says(claim: str, typed: str) -> bool:
    """Whether a claim has the number that was typed beside it."""
    number = re.match(_NUMBER, typed, re.IGNORECASE)
    values = map(_value, re.findall(_DIGITS, claim))
    return number is not None and _value(number[0]) in values


def _settings(words: str, known: DeclaredNumbers) -> Iterator[Typed]:
    for name, values in known.settings.items():
        number = re.search(rf"\b{name}\b(?: \w+){{0,4}} ([\d,]+\d)\b", words)
        if number and float(number[1].replace(",", "")) not in values:
            declared = ", ".join(f"{value:g}" for value in sorted(values))
            what = f"{number[1]} is no declared value of {name}: {declared}"
            yield Typed(number.start(1), what)


def _counts(
    words: str, known: DeclaredNumbers, mentions: Sequence[Mention]
) -> Iterator[Typed]:
    for count in _COUNT.finditer(words):
        number, noun = _value(count["number"]) or 0, count["noun"].lower()
        if noun == "machines" and number > max(known.machines, default=number):
            yield Typed(count.start(), f"{count[0]}: there are {max(known.machines)}")
        elif noun.startswith("lpar") and known.systems and number > known.systems:
            yield Typed(count.start(), f"{count[0]}: there are {known.systems}")
        elif noun in ("cp", "cps") and known.cps and number not in known.cps:
            what = f"{count[0]}: systems have {_listed(known.cps)}"
            if f"{number:g}" not in re.findall(r"\d+", known.text):
                yield Typed(count.start(), what)
        elif noun in ("times", "repetitions", "runs") and _EACH.search(words):
            if known.repetitions and number not in known.repetitions:
                runs = _listed(known.repetitions)
                what = f"{count[0]}: of each there are {runs} runs"
                yield Typed(count.start(), what)
        elif noun in ("clients", "sessions", "users", "connections"):
            names = [m for m in mentions if m.dimension == "workload" and "(" in m.text]
            clients = {parse_workload(n).clients for m in names for n in m.names}
            if clients and number not in clients:
                what = f"{count[0]}: {names[0].text} has {_listed(clients)}"
                yield Typed(count.start(), what)


def _versions(words: str, known: DeclaredNumbers) -> Iterator[Typed]:
    """A release or protocol beside values, of which others are declared."""
    declared = {_SIMPLE.sub("", v[0]).lower() for v in _VERSION.finditer(known.text)}
    for version in _VERSION.finditer(words):
        family = _SIMPLE.sub("", version["family"]).lower()
        others = any(one.startswith(family) for one in declared)
        if others and version["version"].strip() not in known.text:
            yield Typed(version.start(), f"{version[0]} is not what is declared")


def _listed(numbers: set[int]) -> str:
    return " or ".join(map(str, sorted(numbers)))


def _declared(number: re.Match[str], known: DeclaredNumbers) -> bool:
    """Whether campaigns say the same number with the same unit, in words or digits."""
    value, unit = _value(number["number"]), number["unit"].lower()
    forms = {number["number"].strip("+~")}
    forms |= {word for word, other in _VALUES.items() if other == value}
    if value is not None:
        forms.add(f"{value:g}")
    stem = re.escape(unit.rstrip("s") or unit)
    return any(
        re.search(rf"(?<![\d.]){re.escape(form)}[\s-]?{stem}", known.text, re.I)
        for form in forms
    )


def _value(text: str) -> float | None:
    if text.lower() in _VALUES:
        return _VALUES[text.lower()]
    digits = text.strip("+~\u2212-").replace(",", "")
    return float(digits) if re.fullmatch(r"\d+(?:\.\d+)?", digits) else None
