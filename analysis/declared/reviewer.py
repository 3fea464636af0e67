"""Who may approve the studies of an edition: ``reviewers`` in ``edition.yaml``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from analysis.declared.base import Declared
from analysis.declared.mistakes import form

_EMAIL = form(r"^[^\s@<>]+@[^\s@<>]+$", "an address such as ann@example.org")
_SSH = "SHA256:"
_KEY = form(
    rf"^({_SSH}[A-Za-z0-9+/]{{43}}|([0-9A-Fa-f]{{4}} *){{10}}|[0-9A-Fa-f]{{64}})$",
    "the whole fingerprint of a key: ssh-keygen -lf KEY.pub, or gpg --fingerprint",
)
_LINE = form(r"^\S(.{0,198}\S)?$", "a name on one line")
Line = Annotated[str, Field(pattern=_LINE)]
Email = Annotated[str, Field(pattern=_EMAIL)]


class Reviewer(Declared):
    """Somebody who may approve: by an address, or by the key that signs the commits.

    ``key`` is the fingerprint of a key of SSH (``SHA256:…``) or of OpenPGP.
    """

    name: Line
    """Name, on one line."""
    email: Email = ""
    """Address, as Git has it."""
    key: Annotated[str, Field(pattern=_KEY)] = ""
    """Fingerprint of the key that signs, of SSH (SHA256:…) or OpenPGP."""

    @model_validator(mode="after")
    def _told(self) -> Reviewer:
        if not (self.email or self.key):
            raise ValueError("a reviewer has an email, a key, or both")
        return self

    def is_called(self, by: str) -> bool:
        """Whether an approval by ``by`` says that it is this one's."""
        names = (self.name, self.email, f"{self.name} <{self.email}>")
        return by.casefold() in {name.casefold() for name in names if name}

    def has_key(self, *fingerprints: str) -> bool:
        """Whether one of the fingerprints, as Git tells them, is that of the key."""
        own = self.key.replace(" ", "")
        if own.startswith(_SSH):
            return own in fingerprints
        return any(found.upper() == own.upper() for found in fingerprints)
