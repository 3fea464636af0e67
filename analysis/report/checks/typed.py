# ruff: noqa: E501
"""Numbers typed by hand, by their unit; and what is declared otherwise than told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.report.material import Material

_SMALL = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_VALUES = {word: float(n) for n, word in enumerate(_SMALL, 1)}
_VALUES |= {
    w: 10.0 * n
    for n, w in enumerate(
        ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"],
        3,
    )
}
_WORDS = "|".join(sorted(map(re.escape, _VALUES), key=len, reverse=True))
_DIGITS = r"(?<![\w.,@/-])[+\u2212~-]?\d[\d,]*(?:\.\d+)?(?:[kM]\b)?"
_NUMBER = rf"(?:{_DIGITS}|\b(?:{_WORDS})\b)"
# Units that only a result has; sizes and counts of things have others.
_RESULT = re.compile(
    rf"(?P<number>{_NUMBER})[\s-]?(?P<unit>%|\u2030|per\s?cent\b|percent(?:age points)?\b"
    r"|[\u00b5\u03bcmn]?s(?:/\w+)?\b|(?:micro|milli|nano)?seconds?\b|minutes?\b"
    r"|[kKMGT]i?B(?:/s|ps)\b|[kMGT]?bit/s\b|[kMGT]bps\b|trans(?:actions)?(?:/s| per second| a second)"
    r"|-?fold\b|times (?:as|more|less|faster|slower|higher|lower|the)\b|x\b|\u00d7)",
    re.IGNORECASE,
)
_LEVEL = re.compile(
    r"confiden|interval|\blevel|quantile|percentile|significan|p-value", re.I
)
_COUNT = re.compile(
    rf"\b(?P<number>\d+|{_WORDS})(?: \w+)? (?P<noun>times|runs|repetitions|machines|clients|CPUs?|CPs?)\b",
    re.IGNORECASE,
)
_MADE = re.compile(
    r"\b(?:each|every|per) (?:configuration|workload|load)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class DeclaredNumbers:
    """What campaigns declare: their text, settings by name, and counts by noun."""

    text: str
    settings: dict[str, set[float]]
    machines: set[int]
    repetitions: set[int]

    @classmethod
    def of(cls, material: Material, study: str | None) -> DeclaredNumbers:
        """What is declared of a study's campaigns, or of all."""
        names = (
            material.studies[study].campaigns if study else tuple(material.campaigns)
        )
        text, settings = list[str](), dict[str, set[float]]()
        machines = set[int]()
        for name in names:
            campaign = material.campaigns[name]
            text += [campaign.model_dump_json()]
            hosts = {s.host or id for id, s in campaign.systems.items()}
            machines |= {len(hosts), len(campaign.systems)} if len(hosts) > 1 else {1}
            for own in campaign.configurations.values():
                for key, value in own.details.items():
                    word, found = key.split()[0], re.match(r"\s*([\d,]+)", str(value))
                    if found and word.isupper() and len(word) > 2:
                        number = float(found[1].replace(",", ""))
                        settings.setdefault(word, set()).add(number)
        runs = {
            r.used + r.excluded for r in material.facts.runs if study in (None, r.study)
        }
        return cls(" ".join(text), settings, machines, runs)


def typed(said: str, known: DeclaredNumbers) -> Iterator[tuple[int, str, str]]:
    """Numbers in a sentence that an expression should print, or that are declared else.

    ``said`` has blanks where values are printed, and where an exception stands.
    """
    taken = set[int]()
    for name, values in known.settings.items():
        found = re.search(rf"\b{name}\b(?: \w+){{0,4}} ([\d,]+\d)\b", said)
        if found and float(found[1].replace(",", "")) not in values:
            taken.add(found.start(1))
            own = ", ".join(f"{value:g}" for value in sorted(values))
            yield (
                found.start(1),
                f"{found[1]} is no declared value of {name}: {own}",
                "",
            )
    for found in _COUNT.finditer(said):
        number, noun = _value(found["number"]), found["noun"].lower()
        if (
            noun == "machines"
            and known.machines
            and (number or 0) > max(known.machines)
        ):
            yield (
                found.start(),
                f"{found[0]}: declared are {sorted(known.machines)}",
                "",
            )
        made = noun in ("times", "repetitions") and _MADE.search(said)
        if made and number and known.repetitions and number not in known.repetitions:
            taken.add(found.start())
            own = ", ".join(map(str, sorted(known.repetitions)))
            yield found.start(), f"{found[0]}: runs were repeated {own} times", ""
    if _LEVEL.search(said):
        return
    for found in _RESULT.finditer(said):
        if found.start() not in taken and not _declared(found, known):
            yield found.start(), f"a number typed by hand: {found[0]!r}", found[0]


def _declared(found: re.Match[str], known: DeclaredNumbers) -> bool:
    """Whether campaigns say the same number with the same unit, in words or digits."""
    number, unit = found["number"], found["unit"].lower()
    value = _value(number)
    forms = {number.strip("+~")} | {w for w, n in _VALUES.items() if n == value}
    if value is not None:
        forms.add(f"{value:g}")
    stem = unit.rstrip("s") or unit
    return any(
        re.search(
            rf"(?<![\d.]){re.escape(form)}[\s-]?{re.escape(stem)}", known.text, re.I
        )
        for form in forms
    )


def _value(text: str) -> float | None:
    if text.lower() in _VALUES:
        return _VALUES[text.lower()]
    try:
        return float(text.strip("+~\u2212-").replace(",", ""))
    except ValueError:
        return None
