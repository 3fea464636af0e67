"""What each person looked at last of an edition, kept beside the journal.

So what changed since is known after a start of the desk as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from analysis.files.atomic import alone_in, write_text
from analysis.report.review.snapshot import CONTENT

_Stamps = dict[str, dict[str, str]]  # by address and review
_STAMPS = TypeAdapter(_Stamps)


@dataclass
class Looks:
    """The stamps of what somebody saw last, in a file that others may write as well."""

    path: Path

    def last(self, email: str, review: str) -> str:
        """What a person looked at last of a review, whatever its look; empty for none.

        It is a stamp as :func:`seen_of` has it.
        """
        return self._known.get(email, {}).get(review, "")

    def note(self, email: str, stamps: Mapping[str, str]) -> None:
        """A person looked at these stamps, by their reviews.

        Where the file cannot be written, it is known until the desk ends.
        """
        seen = {review: seen_of(stamp) for review, stamp in stamps.items()}
        before = self._known.get(email, {})
        if not email or before | seen == before:
            return
        self._known[email] = before | seen
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with alone_in(self.path.parent):
                kept = self._read() | {email: self._known[email]}
                write_text(self.path, _STAMPS.dump_json(kept).decode())

    @cached_property
    def _known(self) -> _Stamps:
        return self._read()

    def _read(self) -> _Stamps:
        """What the file says; nothing of one that nobody can read."""
        try:
            return _STAMPS.validate_json(self.path.read_bytes())
        except (OSError, ValidationError):
            return {}


def seen_of(stamp: str) -> str:
    """The part of a stamp that is of what one reads: all but the look of pages."""
    return "-".join(stamp.split("-")[:CONTENT])
