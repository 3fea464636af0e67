"""Numbers typed by hand, by their unit; and what is declared otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from analysis.declared.metrics import read_metrics
from analysis.declared.workload import parse_workload
from analysis.facts.fact import Fact
from analysis.facts.units import unit_pattern
from analysis.report.checks.names import Mention
from analysis.report.material import Material

_SMALL = """one two three four five six seven eight nine ten eleven twelve thirteen
fourteen fifteen sixteen seventeen eighteen nineteen twenty"""
_TENS = "thirty forty fifty sixty seventy eighty ninety hundred"
_VALUES = {word: float(n) for n, word in enumerate(_SMALL.split(), 1)}
_VALUES |= {word: 10.0 * n for n, word in enumerate(_TENS.split(), 3)}
_WORDS = "|".join(sorted(_VALUES, key=len, reverse=True))
_DIGITS = r"(?<![\w.,@/-])[+\u2212~-]?\d[\d,]*(?:\.\d+)?(?:[kM]\b)?"
_NUMBER = rf"(?:{_DIGITS}|\b(?:{_WORDS})\b)"


@cache
def results(units: frozenset[str]) -> re.Pattern[str]:
    """An expression for typed results, of what facts of these ``units`` say: all rates,
    and sizes and counts where facts have them, as other ones are set-up."""
    every = {u for m in read_metrics().values() for u in (m.unit, *m.other_units)}
    known = {u for u in every | units if "/" in u} | units
    of = "|".join(sorted({unit_pattern(u) for u in known if u[0].isalnum()}))
    return re.compile(
        rf"(?P<number>{_NUMBER})[\s-]?(?P<unit>%|\u2030|per\s?cent\b"
        r"|percent(?:age points)?\b"
        r"|[\u00b5\u03bcmn]?s(?:/\w+)?\b|(?:micro|milli|nano)?seconds?\b"
        rf"|{of}|-?fold\b"
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
    rf"\b(?P<number>\d[\d,]*|{_WORDS})(?: (?!of\b)\w+)? (?P<noun>times|runs|repetitions"
    r"|machines|LPARs?|CPUs?|CPs?|zIIPs?|zAAPs?|clients|sessions|users|connections"
    r"|configurations|workloads)\b",
    re.IGNORECASE,
)
_ENGINES = ("cp", "ziip", "zaap")
_EACH = re.compile(
    r"\b(?:each|every|per) (?:configuration|workload|load|side|cipher|release)\b",
    re.I,
)
# Engines that somebody has, and not the work of so many.
_HAS = re.compile(
    r"(?:^|\b(?:has|have|had|with|its|their|all|both|and)(?: the)? )$", re.I
)
_IN_ALL = re.compile(r"\b(?:together|altogether|in (?:all|total)|would|could)\b", re.I)
_ALL = re.compile(r"\ball (?:the |of the )?$", re.IGNORECASE)
# Names with a number in them, of which others of the same form may be declared.
_NUMBERED = re.compile(
    r"(?<![\w.@/-])(?:(?:z/OS |OS/390 )?V\d+R\d+|z/OS \d\.\d|TLS ?v?\d\.\d|\d+ km|z\d+"
    r"|(?!MTU)[A-Z]{3,} \d+|(?!\d+[kMG]?B\b)(?=[\w-]*[A-Z])(?=[\w-]*\d)(?:\w|-(?=\w))+)"
    r"(?![\w(*]|[.-]\w)"
)
_RELEASE = re.compile(r"(?:z/OS |OS/390 )?V(\d+)R(\d+)")
# What a study did: its words hold for its own systems.
_DONE = re.compile(
    r"\b(?:we|ran|runs?|measur\w+|test(?:s|ed)|compar\w+|used?|uses|has|have|had|study"
    r"|were|systems|LPARs?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class DeclaredNumbers:
    """What is declared of a study: all text, its settings, and numbers by what they are
    of; ``forms`` are names with a number by their form, ``units`` those of facts."""

    text: str
    settings: dict[str, set[tuple[str, float]]]
    counts: dict[str, set[int]]
    qualified: dict[tuple[str, ...], set[int]]
    forms: dict[str, set[str]]
    systems: int
    units: frozenset[str] = frozenset()

    @classmethod
    def of(cls, material: Material, study: str | None) -> DeclaredNumbers:
        """What is declared of a study and its campaigns, or of all campaigns."""
        own = material.studies[study] if study else None
        names = own.campaigns if own else [*material.campaigns]
        campaigns = [material.campaigns[name] for name in names]
        found = [(id, one) for c in campaigns for id, one in c.configurations.items()]
        used = [one for id, one in found if not own or id in own.configurations]
        details = [pair for one in used for pair in one.details.items()]
        text = " ".join(c.model_dump_json() for c in campaigns)
        lines = [f"{key.removesuffix(' release')} {value}" for key, value in details]
        near = "\n".join([*(one.label for one in used), *lines])
        if study and own:
            background = material.study_folder(study) / "background.md"
            near += own.model_dump_json()
            near += background.read_text("utf-8") if background.is_file() else ""
        systems = [s for c in campaigns for s in c.systems.items()]
        facts = (f for f in material.facts.facts if f.study == study)
        known = cls.named(near, f"{text} {near}", len(systems), facts)
        for key, value in details:
            known._read(key.split(), str(value))
        known.counts.setdefault("cp", {system.cps for _, system in systems})
        runs = [run for run in material.facts.runs if study in (None, run.study)]
        known.counts["run"] = {run.used + run.excluded for run in runs}
        if own:
            known.counts["configuration"] = {len(own.configurations)}
            known.counts["workload"] = {len({run.workload for run in runs})}
        return known

    @classmethod
    def named(
        cls, near: str, text: str, systems: int, facts: Iterable[Fact]
    ) -> DeclaredNumbers:
        """What the words ``near`` a study name, of whose facts the units are known."""
        known = cls(text, {}, {}, {}, {}, systems, frozenset(f.unit for f in facts))
        for *_, form, name in _numbered(near):
            known.forms.setdefault(form, set()).add(name)
        return known

    def _read(self, key: list[str], value: str) -> None:
        """Take in a detail: ``MTU``, ``CPs of each LPAR``, ``Sending LPARs``."""
        if key[0].isupper() and len(key[0]) > 2:
            for part in value.split(";"):
                if number := re.match(r"\s*(?:(\w*[a-z]) )?(\d[\d,]*)", part):
                    size = (number[1] or "").lower(), float(number[2].replace(",", ""))
                    self.settings.setdefault(key[0], set()).add(size)
        elif key[0] == "CPs":
            numbers = {int(n) for n in re.findall(r"\b\d+\b", value)}
            self.counts.setdefault("cp", set()).update(numbers)
        elif number := re.fullmatch(_NUMBER, value, re.IGNORECASE):
            kind = (*(w for w in key if w[0].isupper() or w[-1] == "s"),)
            self.qualified.setdefault(kind, set()).add(int(_value(number[0]) or 0))
        for count in _COUNT.finditer(value):
            if _noun(count) in _ENGINES:
                many = int(_value(count["number"]) or 0)
                self.counts.setdefault(_noun(count), set()).add(many)


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
    strict: bool,
) -> Iterator[Typed]:
    """Numbers that an expression should print, and what is declared otherwise.

    The latter of texts of results, ``strict`` ones, alone: others tell of more than was
    declared. ``words`` are of a sentence, with blanks where values are printed and
    where an exception stands; ``mentions`` are its names, with their places in it.
    """
    wrong = list(otherwise(words, known, mentions, prints)) if strict else []
    yield from wrong
    places = {one.at for one in wrong}
    found = () if _LEVEL.search(words) else results(known.units).finditer(words)
    for number in found:
        passes = not strict and _ROUND.fullmatch(number["number"])
        if not (passes or number.start() in places or _declared(number, known)):
            what = f"a number typed by hand: {number[0]!r}"
            yield Typed(number.start(), what, number[0])


def otherwise(
    words: str, known: DeclaredNumbers, mentions: Sequence[Mention], prints: bool
) -> Iterator[Typed]:
    """What words say of a study in numbers and names that is declared otherwise."""
    yield from _settings(words, known)
    yield from _counts(words, known, mentions)
    if prints or _DONE.search(words):
        yield from _forms(words, known)


def says(claim: str, typed: str) -> bool:
    """Whether a claim has the number that was typed beside it."""
    number = re.match(_NUMBER, typed, re.IGNORECASE)
    values = map(_value, re.findall(_DIGITS, claim))
    return number is not None and _value(number[0]) in values


def _settings(words: str, known: DeclaredNumbers) -> Iterator[Typed]:
    """``an MTU of 1500``: of all, or of the loads that the same clause names."""
    for name, values in known.settings.items():
        for found in re.finditer(rf"\b{name}\b(?: [a-z]+){{0,4}} (\d[\d,]*)\b", words):
            clause = re.split(r"[,;:] ", words[: found.start(1)].lower())[-1]
            own = {v for load, v in values if load and re.search(rf"\b{load}", clause)}
            fits = own or {value for _, value in values}
            if float(found[1].replace(",", "")) not in fits:
                declared = ", ".join(f"{value:g}" for value in sorted(fits))
                what = f"{found[1]} is no declared value of {name}: {declared}"
                yield Typed(found.start(1), what)


def _counts(
    words: str, known: DeclaredNumbers, mentions: Sequence[Mention]
) -> Iterator[Typed]:
    for count in _COUNT.finditer(words):
        number, noun = int(_value(count["number"]) or 0), _noun(count)
        many, before = known.counts.get(noun, set()), words[: count.start()]
        what = ""
        if noun in ("machine", "lpar", "system") and 0 < known.systems < number:
            what = f"there are {known.systems}"
        elif noun in _ENGINES and many and number not in many:
            if _HAS.search(before) and number > 1 and not _IN_ALL.search(words):
                what = f"systems have {_listed(many)}"
        elif noun == "run" and _EACH.search(words) and many and number not in many:
            what = f"of each there are {_listed(many)} runs"
        elif noun in ("configuration", "workload") and many:
            if number > max(many) or (_ALL.search(before) and number not in many):
                what = f"the study has {_listed(many)}"
        elif noun == "client":
            loads = [m for m in mentions if m.dimension == "workload"]
            exact = [m for m in loads if m.text[-1] in "0123456789)"]
            clients = {parse_workload(n).clients for m in exact for n in m.names}
            if clients and number not in clients:
                what = f"{exact[0].text} has {_listed(clients)}"
        if what:
            yield Typed(count.start(), f"{count[0]}: {what}")
    for kind, numbers in known.qualified.items():
        things = [word for word in kind if word[-1] == "s"]
        others = (word[:4].lower() in words.lower() for word in kind)
        if things and all(others):
            for one in re.finditer(rf"({_NUMBER}) (?:\w+ )?{things[0]}\b", words, re.I):
                if _value(one[1]) not in numbers:
                    what = f"{one[0]}: {' '.join(kind)}: {_listed(numbers)}"
                    yield Typed(one.start(), what)


def _noun(count: re.Match[str]) -> str:
    noun = count["noun"].lower().removesuffix("s")
    same = {"time": "run", "repetition": "run", "cpu": "cp"}
    same |= dict.fromkeys(("session", "user", "connection"), "client")
    return same.get(noun, noun)


def _forms(words: str, known: DeclaredNumbers) -> Iterator[Typed]:
    """A release, a protocol, a machine, of which others are declared."""
    for at, written, form, name in _numbered(words):
        others = known.forms.get(form, {name})
        if name not in others:
            listed = " and ".join(sorted(others)[:3])
            yield Typed(at, f"{written} is not what is declared: {listed}")


def _numbered(words: str) -> Iterator[tuple[int, str, str, str]]:
    """Names with a number: where and as written, their form, and in one spelling."""
    for found in _NUMBERED.finditer(words):
        name = re.sub(r"^TLS ?v?", "TLSv", _RELEASE.sub(r"z/OS \1.\2", found[0]))
        yield found.start(), found[0], re.sub(r"\d+[A-Z]?\b|\d+", "#", name), name


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
