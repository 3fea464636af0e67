"""What a reviewer sees, made anew only where what it rests on is another."""

from __future__ import annotations

import operator
from collections.abc import Sequence

from analysis.files.file_cache import state_of
from analysis.report.claims.checked import Checked
from analysis.report.review.seen import FILES, Seen, seen, study_texts


def seen_once(checked: Checked, study: str) -> Seen:
    """What :func:`seen` gives.

    The same again for the same material, texts of the study, outcomes and pictures.
    """
    kept, pictures = checked.material.kept, checked.material.pictures[study]
    told = (*study_texts(checked, study).values(), checked.outcomes[study])
    drawn = [state_of(picture.folder / name) for picture in pictures for name in FILES]
    last = kept.get(("seen", study))
    if not (last and last[1] == drawn and _same(last[0], told)):
        last = kept["seen", study] = told, drawn, seen(checked, study)
    found: Seen = last[2]
    return found


def _same(last: Sequence[object], now: Sequence[object]) -> bool:
    return len(last) == len(now) and all(map(operator.is_, last, now))
