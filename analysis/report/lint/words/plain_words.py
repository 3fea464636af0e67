"""Words that may stand beside what data check, as they turn no result round.

A word that is in none of these tables, asserts nothing and names nothing of the edition
may say anything: *survives* beside a change, *peak* beside a median.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

Beside = Literal[
    "claim",
    "things",
    "pointer",
    "count",
    "predicted",
    "measured",
    "published",
    "average",
    "limit",
]


def _of(words: str) -> frozenset[str]:
    return frozenset(words.split())


_JOINING = _of(
    "a an the this that these those it its they their them itself themselves which"
    " who whose what how of by with for to at on over against from in into through"
    " under between per as than while whereas and or but when if where there here"
    " then too also well so again instead compared relative beside beyond within"
    " across one's both each either out about roughly around some rather apart via"
    " toward towards respectively below above next such same other already two three"
    " four five small medium large nothing answer answers answered mix mixed all"
    " depending according after during"
)
_VERBS = _of(
    "is are was were be been being has have had does do did change changes changed"
    " changing move moves moved reach reaches reached take takes took taken need"
    " needs needed use uses used using spend spends spent cost costs costing give"
    " gives gave given show shows shown see sees come comes came lie lies stand"
    " stands go goes differ differs differed differing print prints printed went"
    " amount amounts vary varies varied span spans hold holds follow follows make"
    " makes made bring brings say says said get gets got moving turning switching"
    " taking losing lying put puts tell tells told count counts counted work works"
    " carry carries carried set sets"
)
_NOUNS = _of(
    "configuration change changes comparison comparisons interval intervals range"
    " ranges value values median time times transaction transactions size mb megabyte"
    " number numbers result results difference differences ratio study figure table"
    " section limit noise payload payloads workload workloads cpus pair pairs verdict"
    " verdicts metric metrics percent work part parts step case cases control loss"
    " gain saving savings drop fall rise increase decrease reduction story adjustment"
    " margin test cpu side sides end ends"
)
# Things that runs have: beside a value they say of which one it is.
_THINGS = _of(
    "second seconds sizes message messages request requests response responses packet"
    " packets connection connections session sessions handshake handshakes frame"
    " frames queue queues cp cps studies report edition configuration configurations"
    " setting settings system systems machine machines runs run traffic steps path"
    " paths client clients server servers sender receiver stream streams adapter"
    " adapters link links port ports stack lpar lpars host hosts twin twins"
)
_ALWAYS = _JOINING | _VERBS | _NOUNS
# Beside a claim nothing is printed whose size these could turn round.
_CLAIM = _of(
    "run down up widely anywhere markedly zero notice notices travel travels slowly"
    " hardly barely scarcely seldom rarely all every any none no not never nor"
    " neither alone can cannot one two three four many most few several more less"
    " least once still already just even much far now yet always direction directions"
    " way ways thing anything nothing something everything whole entire small large"
    " larger smaller big bigger short long single new old since because after before"
    " during without good bad clear clearly case kind kinds sort cause interactive"
    " bulk matters matter whatever however itself being having result level order"
    " turn place point points first second last done keep keeps stay stays remain"
    " remains leave leaves feel feels find finds pay pays let lets mean means stop"
)
_COUNT = _of(
    "good usable valid all every any none no not of failed excluded kept used"
    " measured only two three apart out were left dropped"
)
_POINTER = _of(
    "failed excluded see say says tell tells why how what show shows give gives list"
    " lists describe describes described explain explains more detail details dealt"
    " find found read"
)
_PREDICTED = _of("predicted prediction predicts modelled model expected estimated")
_PUBLISHED = _of("published publishes printed slides paper report reports ibm up")
_MEASURED = _of("measured measurement measurements observed saw we our found")
_WORD = re.compile(r"(?<!['’])@?[^\W\d_](?:[\w’'-]*\w)")
_ENDING = re.compile(r"['’]s?$")


def strange(words: str, beside: Iterable[Beside], known: frozenset[str]) -> list[str]:
    """The words of a clause, in order, that no table has.

    ``beside`` says beside what they stand; ``known`` are words that the edition
    declares, in small letters.
    """
    allowed = known.union(_ALWAYS, *(_TABLES[name] for name in beside))
    found = (match[0] for match in _WORD.finditer(words))
    return [word for word in found if not _fits(word.lower(), allowed)]


def only_names(words: str, known: frozenset[str]) -> bool:
    """Whether words name and join, and have no verb: the head of a column."""
    found = (match[0].lower() for match in _WORD.finditer(words))
    return all(_fits(word, known | _JOINING | _NOUNS | _THINGS) for word in found)


def _fits(word: str, allowed: frozenset[str]) -> bool:
    if word.startswith("@") or _ENDING.sub("", word) in allowed:
        return True
    if word.endswith("ies") and f"{word[:-3]}y" in allowed:
        return True
    return "-" in word and all(part in allowed for part in word.split("-"))


_TABLES: Mapping[Beside, frozenset[str]] = {
    "claim": _CLAIM,
    "things": _THINGS,
    "pointer": _POINTER | _THINGS,
    "count": _COUNT | _of("run runs workload workloads report"),
    "predicted": _PREDICTED,
    "published": _PUBLISHED,
    "measured": _MEASURED,
    "limit": _of("any anything least less more too most no not none nothing only"),
    "average": _of("average averages averaged mean"),
}
