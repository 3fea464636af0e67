"""What moved since an approval, in words: from what to what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analysis.report.review.record import Record
from analysis.report.review.seen import BETWEEN, CONTENT, ORDER, PARTS, Seen

_KINDS = {
    "text": "the text",
    "values": "printed values",
    "figures": "figure data",
    "meaning": "what is declared",
    "drawings": "the drawings",
}
_EARLIER = (
    "the approval is of an earlier version, which covered less: read the study again"
)
_LONG = 80  # characters, beyond which the words that moved are told alone
_AROUND = 2  # words told on either side of them


def moved(record: Record, now: Seen) -> Iterator[str]:
    """What moved since a record, part by part."""
    if record.earlier:
        yield _EARLIER
        return
    then = record.details()
    if then is None:
        hashes = (side.hashes[:CONTENT] for side in (record, now))
        for part, old, new in zip(PARTS, *hashes, strict=False):
            if old != new:
                yield f"{_KINDS.get(part, part)} moved; the record keeps no details"
        return
    yield from _text(then.text, now.text)
    yield from _claims(then.claims, now.claims)
    for pairs in (_pairs(then.meaning, now.meaning), _pairs(then.values, now.values)):
        yield from (_change(*pair) for pair in pairs)
    figures = list(_pairs(then.figures, now.figures))
    yield from (_data(*pair) for pair in figures)
    told = {name.partition(":")[0] for name, _, _ in figures}
    for name, before, after in _pairs(then.drawings, now.drawings):
        if before is None or after is None:
            yield f"figure {name} {'is new' if after else 'is gone'}"
        elif name not in told:
            yield f"figure {name} is drawn otherwise; its numbers are the same"


def moved_looks(record: Record | None, now: Seen) -> Iterator[str]:
    """The templates that changed since a record."""
    then = record.details() if record else None
    if then is None or not then.looks:
        yield "the approval does not say with which templates the pages were made"
        return
    for name, before, after in _pairs(then.looks, now.looks):
        told = "is new" if before is None else "changed" if after else "is gone"
        yield f"{name} {told}"


def _text(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    for name, before, after in _pairs(then, now):
        if name.startswith(ORDER):
            # A paragraph that came, went or begins otherwise is told by itself.
            if before and after and _paragraphs(before) == _paragraphs(after):
                of = name.removeprefix(ORDER)
                yield f"text: the paragraphs of {of} stand in another order"
        elif before is None or after is None:
            yield f"text: ‘{name}’ {'is gone' if after is None else 'is new'}"
        else:
            yield f"text: ‘{name}’ was edited, {_from_to(before, after)}"


def _paragraphs(order: str) -> list[str]:
    return sorted(order.split(BETWEEN))


def _claims(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    words = {"holds": "held", "fails": "failed"}
    for name, before, after in _pairs(then, now):
        if before is None:
            yield f"claim: ‘{name}’ is new and {after}"
        elif after is None:
            yield f"claim: ‘{name}’ is gone"
        else:
            yield f"claim: ‘{name}’ {words.get(before, before)} and now {after}"


def _change(name: str, before: str | None, after: str | None) -> str:
    if before is None:
        return f"{name} is new: {after}"
    if after is None:
        return f"{name} is gone: it was {before}"
    return f"{name} moved {_from_to(before, after)}"


def _from_to(before: str, after: str) -> str:
    """Both in full where they are short, else the words that differ."""
    if max(len(before), len(after)) > _LONG:
        before, after = _apart(before.split(), after.split())
    return f"from {before} to {after}"


def _apart(before: list[str], after: list[str]) -> tuple[str, str]:
    """The words between what both begin with and what both end with."""
    first = _alike(before, after)
    last = _alike(before[first:][::-1], after[first:][::-1])
    start = max(first - _AROUND, 0)
    sides = []
    for words in (before, after):
        end = min(len(words) - last + _AROUND, len(words))
        shown = [*["…"][: start > 0], *words[start:end], *["…"][: end < len(words)]]
        sides.append(f"‘{' '.join(shown)}’")
    return sides[0], sides[1]


def _alike(one: list[str], other: list[str]) -> int:
    """With how many equal words two lists begin."""
    pairs = enumerate(zip(one, other, strict=False))
    apart = (at for at, (a, b) in pairs if a != b)
    return next(apart, min(len(one), len(other)))


def _data(name: str, before: str | None, after: str | None) -> str:
    """A row of a figure: its first number that moved, and how many did."""
    if before is None or after is None:
        return _change(f"figure {name}", before, after)
    old, new = before.split("; "), after.split("; ")
    if len(old) != len(new):
        return f"figure {name} has {len(new)} points and had {len(old)}"
    pairs = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
    more = f" ({len(pairs)} of {len(old)} points moved)" if len(old) > 1 else ""
    return f"figure {name} moved from {pairs[0][0]} to {pairs[0][1]}{more}"


def _pairs(
    then: Mapping[str, str], now: Mapping[str, str]
) -> Iterator[tuple[str, str | None, str | None]]:
    for name in dict.fromkeys((*now, *then)):
        if then.get(name) != now.get(name):
            yield name, then.get(name), now.get(name)
