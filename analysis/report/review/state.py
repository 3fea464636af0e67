"""The state of each study's review: draft, approved or stale, and what moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from analysis.report.claims.checked import Checked
from analysis.report.review.record import Record, read_record
from analysis.report.review.seen import Seen, seen

State = Literal["draft", "approved", "stale"]
_PARTS = ("text", "values", "claims", "figures")
_KINDS = {"text": "the text", "values": "printed values", "figures": "figure data"}


@dataclass(frozen=True)
class Review:
    """One study's review; ``moved`` says in words what changed since the approval."""

    study: str
    state: State
    now: Seen
    record: Record | None = None
    moved: tuple[str, ...] = ()


def reviews(checked: Checked) -> dict[str, Review]:
    """The review of every study of an edition, in its order."""
    return {study: review(checked, study) for study in checked.material.studies}


def review(checked: Checked, study: str) -> Review:
    """The review of one study."""
    now = seen(checked, study)
    record = read_record(checked.material.folder / "studies" / study)
    if record is None:
        return Review(study, "draft", now)
    if record.stamp == now.stamp:
        return Review(study, "approved", now, record)
    return Review(study, "stale", now, record, tuple(_moved(record, now)))


def _moved(record: Record, now: Seen) -> Iterator[str]:
    then = record.details()
    if then is None:
        stamps = (record.stamp.split("-"), now.stamp.split("-"))
        for part, old, new in zip(_PARTS, *stamps, strict=True):
            if old != new:
                yield f"{_KINDS.get(part, part)} moved; the record keeps no details"
        return
    yield from _text(then.text, now.text)
    yield from _claims(then.claims, now.claims)
    for name, before, after in _pairs(then.values, now.values):
        yield _change(name, before, after)
    for name, before, after in _pairs(then.figures, now.figures):
        yield _data(name, before, after)


def _text(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    for name, before, after in _pairs(then, now):
        edited = "is new" if before is None else "was edited"
        yield f"text: ‘{name}’ {'is gone' if after is None else edited}"


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
    return f"{name} moved from {before} to {after}"


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
