"""Which release readers see after a publication, and which of the old ones go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis.publish.bundle import Bundle
from analysis.publish.documents import MOST
from analysis.publish.release import Release


def takes_over(bundle: Bundle, releases: Sequence[Release], asked: bool) -> bool:
    """Whether a bundle becomes the current release of its edition.

    A draft does not where the current one is final, unless it is ``asked`` for.
    """
    current = [r for r in releases if r.edition == bundle.edition and r.current]
    displaces = bool(bundle.about["draft"]) and any(not r.draft for r in current)
    return asked or not displaces


def after(bundle: Bundle, releases: Sequence[Release], current: bool) -> list[Release]:
    """The releases of an edition, newest first, once the bundle is published."""
    own = [r for r in releases if r.edition == bundle.edition]
    if bundle.id not in {release.id for release in own}:
        last = max((release.sequence for release in own), default=0)
        sequence = min(last + 1, MOST)  # whatever someone wrote into a release.json
        about = bundle.described(sequence)
        own = [Release(bundle.edition, bundle.id, about), *own]
    if not current:
        return own
    return [replace(release, current=release.id == bundle.id) for release in own]


def surplus(own: Sequence[Release], keep: int | None) -> list[Release]:
    """Those beyond the newest ``keep``; never the current one nor the newest final."""
    beyond = own[keep:] if keep else ()
    return [r for r in beyond if not r.current and r.id != _newest_final(own)]


def removable(
    own: Sequence[Release], bundle: Bundle, keep: int | None
) -> list[Release]:
    """What may go before the bundle has come; nothing without a current release."""
    if not any(release.current for release in own):
        return []
    beyond = surplus(after(bundle, own, current=False), keep)
    return [r for r in beyond if r.id not in (bundle.id, _newest_final(own))]


def _newest_final(own: Sequence[Release]) -> str | None:
    return next((release.id for release in own if not release.draft), None)
