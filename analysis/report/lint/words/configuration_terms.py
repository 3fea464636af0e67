"""By which words a text names the configurations of a study: from what is declared."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise

from analysis.declared.campaign import Configuration
from analysis.declared.study import Study
from analysis.report.lint.words.mention import NameTerm

_TOKEN = re.compile(r"[A-Za-z0-9](?:[\w./#+-]*\w)?(?:\([A-Z]+\))?")
_NAMELIKE = re.compile(r"\w*[A-Z]\w*[A-Z]|\w*\d|.*\(")
_ORDINARY = frozenset(
    {"type", "frame", "frames", "interface", "interfaces", "feature", "features",
     "queue", "traffic", "target", "both", "with", "over", "internally", "protocol",
     "protocols", "system", "systems", "ports", "adapter"}
)  # fmt: skip
_COMMON = frozenset({"IP", "TCP", "LPAR", "LPARs", "CP", "CPs", "MTU", "CHPID", "FID"})
_DOES = re.compile(r"\b([A-Za-z]{4,})ing\b")  # auditing is what the tests do
_SWITCH = frozenset({"on", "off"})
_ARMS = "setting|configuration|arrangement"
_KINDS = ("machine", "release", "protocol", "version", "cipher", "signature", "adapter")
_OFF = (
    r"(?:without|w/o) (?:the |any |segmentation )?{0}",
    r"{0} (?:\w+ed |is |was |being |left |stays |remains )?"
    r"(?:off|gone|disabled|absent|missing|out)",
    r"(?:no|missing|absent|disabled) {0}",
    r"(?:tak|leav|switch|turn)\w* (?:the )?{0} (?:is |was |\w+ed )?(?:away|off|out)",
    r"(?:remov|dropp|disabl|los)(?:ing|ed|es?) (?:the )?{0}",
    r"{0} is (?:taken|left|switched|turned) (?:away|off|out)",
)
_ON = (
    r"(?:with|w/) (?:the |segmentation )?{0}(?! (?:is |was |\w+ed )?off)",
    r"{0} (?:is |was |\w+ed |stays |remains |kept )?(?:on|active|enabled|in place)"
    r"(?! (?:(?:and|or|versus|against) )?off)",
)
_IT_OFF = (
    r"without(?=[.,;:)])|without it|with it off|the switch off"
    r"|(?:is|are|was) (?:switched |turned )?off"
)
_IT_ON = r"with it (?:on)?"


def configuration_terms(
    study: Study, declared: Mapping[str, Configuration]
) -> Iterator[NameTerm]:
    """The terms that tell some configurations of a study from others."""
    every = frozenset(study.configurations)
    for words, names in _distinguishing(study, declared).items():
        plain = re.escape(words)
        exact = words != words.lower() or bool(_NAMELIKE.match(words))
        yield NameTerm(plain, frozenset(names), exact=exact)
    for id in study.configurations:
        ordinary = id.isalpha() and id.islower()  # new, shared: words of their own
        yield NameTerm(_id(id), frozenset({id}), loose=ordinary, exact=True)
    yield from _switches(study, declared)
    tests, first = frozenset(study.tests), every - frozenset(study.tests)
    for stem in _DOES.findall(study.title):
        doing = rf"{re.escape(stem.lower())}(?:ing|s|ed)?"
        yield NameTerm(doing, tests, loose=True)
        yield NameTerm(rf"(?:without|w/o) (?:the |any )?{doing}", first)
    yield NameTerm(r"baselines?", first)
    if kinds := "|".join(_kinds(study, declared)):
        yield NameTerm(rf"(?:new(?:er|est)?|stronger) (?:{kinds})", tests)
        yield NameTerm(rf"(?:old(?:er)?|weaker) (?:{kinds})", first)
        yield NameTerm(rf"(?:both|two|either) (?:{kinds})s?", every, True)
    yield NameTerm(rf"(?:both|two|either|the) (?:{_ARMS})s?", every, True)
    if controls := frozenset(i for i in every if _control(i, declared)):
        yield NameTerm(r"control", controls)
        yield NameTerm(r"twins?|same configuration|identical configurations", every)


def _kinds(study: Study, declared: Mapping[str, Configuration]) -> list[str]:
    """What differs between the configurations, in a word: a release, a protocol."""
    told = f"{study.title} {study.question}".lower()
    own = [declared[id].details for id in study.configurations if id in declared]
    for key in {key for details in own for key in details}:
        if len({details.get(key) for details in own}) > 1:
            told += f" {key.lower()}"
    return [kind for kind in _KINDS if kind in told]


def _control(id: str, declared: Mapping[str, Configuration]) -> bool:
    return id in declared and declared[id].control_of is not None


def _id(id: str) -> str:
    """A name that is a word by itself, such as A, begins no sentence."""
    if len(id) > 1:
        return re.escape(id)
    verbs = "is|was|has|had|answers|beats|needs|and|or|against"
    return rf"(?:(?<=[a-z,;:(] ){id}|{id}(?= (?:{verbs})\b))"


def _distinguishing(
    study: Study, declared: Mapping[str, Configuration]
) -> dict[str, set[str]]:
    """Words of labels and details that some, but not all, configurations have."""
    found: dict[str, set[str]] = defaultdict(set)
    for id in study.configurations:
        if id in declared:
            for words in _words(declared[id]):
                found[words].add(id)
    return {w: ids for w, ids in found.items() if len(ids) < len(study.configurations)}


def _words(configuration: Configuration) -> Iterator[str]:
    label = _TOKEN.findall(configuration.label)
    yield from (word for word in label if _tells(word))
    yield from (f"{a} {b}".lower() for a, b in pairwise(label))
    yield from (
        word.lower()
        for word, after in zip(label, [*label[1:], ""], strict=True)
        if _plain(word) and not after[:1].isupper()  # Network Express is a name
    )
    for key, value in configuration.details.items():
        tokens = _TOKEN.findall(str(value))
        yield from (word for word in tokens if _tells(word))
        yield from (stem for word in tokens if (stem := _stem(word)))
        yield from (
            f"{a} {_stem(b) or b}"
            for a, b in pairwise(tokens)
            if a[0].isupper() and b[0].isupper()
        )
        yield from (w.lower() for w in tokens if "frames" in tokens and _plain(w))
        if re.fullmatch(r"[\d.]+", str(value)):
            yield from (f"{word} {value}" for word in key.split())


def _tells(word: str) -> bool:
    if word in _COMMON or word[0].isdigit():
        return False
    return len(word) > 1 and bool(_NAMELIKE.match(word))


def _plain(word: str) -> bool:
    lower = word.lower()
    return len(word) > 4 and word.isalpha() and lower not in _ORDINARY


def _stem(word: str) -> str:
    """``OSA-Express`` of OSA-Express7S, ``SMC-R`` of SMC-Rv2."""
    stem = re.sub(r"(?:v\d+|\d+[A-Z]?)$", "", word)
    return stem if stem != word and len(stem) > 3 and "." not in word else ""


def _switches(
    study: Study, declared: Mapping[str, Configuration]
) -> Iterator[NameTerm]:
    """``with offload``, ``offload off``: details that are on here and off there."""
    states: dict[str, dict[str, str]] = defaultdict(dict)
    for id in study.configurations:
        for key, value in (declared[id].details if id in declared else {}).items():
            if value in _SWITCH:
                states[key][id] = str(value)
    for key, own in states.items():
        on = frozenset(id for id, state in own.items() if state == "on")
        off = frozenset(own) - on
        if not on or not off:
            continue
        first, *rest = key.lower().split()
        noun = rf"(?:{first} )?{' '.join(rest)}" if rest else first
        last = rest[-1] if rest else first
        yield NameTerm(_either(_OFF, noun, last), off)
        yield NameTerm(_either(_ON, noun, last), on)
        both = rf"(?:{noun}|{last}) on (?:and|or|versus|against) off"
        yield NameTerm(both, on | off)
        yield NameTerm(_IT_OFF, off)
        yield NameTerm(_IT_ON, on)
        yield NameTerm(rf"(?:{noun}|{last})", on, loose=True)


def _either(forms: tuple[str, ...], *nouns: str) -> str:
    ways = (form.format(f"(?:{noun})") for form in forms for noun in nouns)
    return f"(?:{'|'.join(ways)})"
