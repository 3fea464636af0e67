"""What files of office programs must not have: programs, requests, mute pictures."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from lxml import etree

from analysis.errors import Issue, Place

_ACTIVE = ("vbaProject.bin", "activeX", "embeddings/")
_AGAIN = "build the edition again: make report"


@dataclass(frozen=True)
class OfficeFile:
    """A kind of file: its ``name`` in messages, and what is said of another one.

    ``main`` is the part without which it is none, ``texts`` begin the names of parts
    with pictures, and ``mute`` is the XPath of pictures without an alt text.
    """

    name: str
    refusal: str
    main: str
    texts: str
    mute: str

    def check(self, path: Path) -> list[Issue]:
        """Why a file must not be published."""
        where = Place(str(path))
        try:
            with zipfile.ZipFile(BytesIO(path.read_bytes())) as file:
                file.getinfo(self.main)
                return [Issue(what, where, _AGAIN) for what in self._mistakes(file)]
        except (zipfile.BadZipFile, KeyError, etree.XMLSyntaxError):
            return [Issue(self.refusal, where, _AGAIN)]

    def _mistakes(self, file: zipfile.ZipFile) -> Iterator[str]:
        for name in file.namelist():
            if any(word in name for word in _ACTIVE):
                yield f"{self.name} with {name}"
            elif name.endswith(".rels"):
                yield from self._asks(etree.fromstring(file.read(name)))
            elif name.startswith(self.texts) and self._is_mute(file.read(name)):
                yield f"a picture without an alt text: {name}"

    def _is_mute(self, part: bytes) -> bool:
        return bool(etree.fromstring(part).xpath(self.mute))

    def _asks(self, relations: etree._Element) -> Iterator[str]:
        """What a file would load from elsewhere; its links load nothing."""
        for one in relations:
            outside = one.get("TargetMode") == "External"
            if outside and not str(one.get("Type")).endswith("/hyperlink"):
                yield f"{self.name} that asks for {one.get('Target')}"
