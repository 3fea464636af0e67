"""Words that look like results and are terms of the field, or of method."""

from __future__ import annotations

import re

_LAYERS = "layers?|levels?|edge|priorit(?:y|ies)|bound|half|end|case|numbers?|versions?"
_APART = re.compile(
    r"\b(?:"
    r"(?:half|full)[- ]duplex|(?:most|least)[- ]significant (?:bit|byte|digit|one"
    r"|word)s?"
    r"|least significant|best[- ](?:practices?|efforts?|known|case|way)|worst[- ]case"
    rf"|in the worst case|at (?:best|worst|most|least)|(?:lower|higher"
    rf"|upper)(?:-level)? (?:{_LAYERS})"
    rf"|(?:lower|higher)[- ]level|(?:rising|falling) edges?|(?:the|in) fall of"
    rf"|double quotes?"
    r"|linear (?:buffer|address|memory|list|search|scale|regression)\w*|slow[- ]start"
    r"|no (?:\w+ )?(?:difference|change) (?:in|of) (?:set-?up|settings?|the set-?up"
    r"|method)"
    r"|(?:the )?same (?:machine|kernel|day|order|host|program|profile|hardware|link"
    r"|adapter)"
    r"|worse than (?:useless|nothing)|(?:read|written|run|said|done|measured"
    r"|compared|counted)"
    r" twice|twice(?= (?:as|in) (?:a row|many lines))|once or twice|half an? \w+"
    r"|reduced (?:form|instruction|set|profile)\w*|improve on this|lost (?:packet"
    r"|segment)s?"
    r"|loses none|(?:growing|small|short) (?:window|payload|message)s?|a later \w+"
    r"|sooner or later|no later than"
    r"|(?:the )?better (?:direction|known)|gain control"
    r"|higher or lower|lower or higher|(?:more|less) often|more or less|once more"
    r"|what (?:is|was) (?:lost|gained)|on the whole|times as many (?:clients"
    r"|connections|bytes|packets)|record(?:s|ed)? (?:type|of type|\d)"
    r")\b",
    re.IGNORECASE,
)


def blank_terms(words: str) -> str:
    """The words without such terms, every other character in its place."""
    return _APART.sub(lambda found: re.sub(r"\S", " ", found[0]), words)
