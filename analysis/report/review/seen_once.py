"""What a reviewer sees, made anew only where what it rests on is another."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from analysis.files.hashes import state_of
from analysis.report.claims.checked import Checked
from analysis.report.pictures import Picture
from analysis.report.review.seen import FILES, Seen, matter_seen, seen, study_texts
from analysis.report.text.texts import matter_texts

Look = dict[str, str]  # as :func:`analysis.report.review.looks.looks` tells it


def seen_once(checked: Checked, study: str, look: Look) -> Seen:
    """What :func:`seen` gives, with the look of the pages.

    The same again for the same material, texts of the study, outcomes, pictures and
    look.
    """
    pictures = checked.material.pictures[study]
    rests_on = _rests_on(checked, study)
    return _once(checked, study, look, rests_on, pictures, lambda: seen(checked, study))


def matter_seen_once(checked: Checked, look: Look) -> Seen:
    """What :func:`matter_seen` gives, likewise."""
    material = checked.material
    rests_on = list[object](matter_texts(checked.texts, material.edition).values())
    pictures = [*material.sequences]
    if material.overview:
        pictures.append(material.overview)
    for study in material.edition.borrowed:
        rests_on += _rests_on(checked, study)
        pictures += material.pictures[study]
    return _once(checked, None, look, rests_on, pictures, lambda: matter_seen(checked))


def _rests_on(checked: Checked, study: str) -> list[object]:
    return [*study_texts(checked, study).values(), checked.outcomes[study]]


def _once(
    checked: Checked,
    study: str | None,
    look: Look,
    rests_on: Sequence[object],
    pictures: Iterable[Picture],
    see: Callable[[], Seen],
) -> Seen:
    kept = checked.material.kept
    drawn = [state_of(picture.folder / name) for picture in pictures for name in FILES]
    last = kept.get(("seen", study))
    if not (last and last[1] == (drawn, look) and _same(last[0], rests_on)):
        now = replace(see(), looks=look)
        last = kept["seen", study] = rests_on, (drawn, look), now
    found: Seen = last[2]
    return found


def _same(last: Sequence[object], now: Sequence[object]) -> bool:
    return len(last) == len(now) and all(map(operator.is_, last, now))
