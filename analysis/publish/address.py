"""Which destination the user means."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from pathlib import Path

from analysis.errors import user_error
from analysis.publish.destination import Destination
from analysis.publish.local import LocalDestination
from analysis.publish.remote import RemoteDestination
from analysis.publish.settings import SETTINGS, Settings

_REMOTE = re.compile(
    r"(?P<host>(?:[A-Za-z0-9_][\w.-]*@)?(?:[A-Za-z0-9_][\w.-]*|\[[0-9a-fA-F:.]+\]))"
    r":(?P<folder>[^:].*)"
)


def choose_destination(settings: Settings) -> Destination:
    """The destination that the settings name; ``host:folder`` is one over ssh."""
    text = settings.destination
    if not text.strip():
        raise user_error(
            "no destination is given",
            mend="make publish DEST=/srv/www/reports, or 'destination' in publish.yaml",
        )
    before, colon, _ = text.partition(":")
    if not colon or "/" in before:
        return LocalDestination(Path(text), settings.links)
    match = _REMOTE.fullmatch(text)
    if match and "://" not in text and match["folder"].strip("/"):
        folder = match["folder"].rstrip("/")
        return RemoteDestination(match["host"], folder, _program(settings.ssh))
    raise user_error(
        f"not a destination: {text!r}",
        mend="write a folder, or host:folder for a folder of a host over ssh",
    )


def _program(text: str) -> tuple[str, ...]:
    """The words of a command."""
    with suppress(ValueError):  # a quote without its end
        if words := tuple(shlex.split(text)):
            return words
    raise user_error(
        f"not a program with its options: {text!r}",
        SETTINGS,
        mend="write ssh: ssh -p 2222, or leave it out",
    )
