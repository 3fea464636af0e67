"""EBCDIC code pages: bytes to text.

Python has codecs of a few. The others differ from code page 037 in the characters
listed here (code point in hexadecimal, then the character), as the character maps of
the C library have them.
"""

from __future__ import annotations

import codecs

from analysis.errors import user_error

DEFAULT = "1047"
_CODECS = ("037", "273", "424", "500", "875", "1026", "1140")
_UNLIKE_037 = {
    "277": "47}4A#4F!5A¤5BÅ5F^67$6Aø70¦7BÆ7CØ80@9C{9E[9F]A1üB0¢BA¬BB|C0æD0åDC~",
    "278": (
        "43{47}4A§4F!51`5A¤5BÅ5F^63#67$6Aö79é7BÄ7CÖ9F]A1üB0¢B5[BA¬BB|C0äCC¦D0åDC~EC@"
    ),
    "280": (
        "44{48\\4A°4F!51]54}58~5Aé5F^6Aò79ù7B£7C§90[A1ìB0¢B1#B5@BA¬BB|C0àCD¦D0èDD`E0ç"
    ),
    "284": "49¦4A[5A]69#6Añ7BÑA1¨B0¢BA^BB!BD~",
    "285": "4A$5B£A1‾B0¢B1[BA^BC~",
    "297": (
        "44@48\\4A°4F!51{54}5A§5F^6Aù79µ7B£7Cà90[A0`A1¨B0¢B1#B5]BA¬BB|BD~C0éD0èDD¦E0ç"
    ),
    "871": ("4Aþ4F!5AÆ5FÖ79ð7CÐ8C`8E{9C}9E]A1öAC@AE[B0¢BA¬BB|BE\\C0ÞCC~D0æE0´EC^"),
    "1047": "5F^AD[B0¬BAÝBB¨BD]",
    "1141": ("43{4AÄ4F!59~5AÜ5F^63[6Aö7C§9F€A1ßB0¢B5@BA¬BB|C0äCC¦D0üDC}E0ÖEC\\FC]"),
    "1148": "4A[4F!5A]5F^9F€B0¢BA¬BB|",
}
NAMES = tuple(sorted({*_CODECS, *_UNLIKE_037}, key=int))


class CodePage:
    """One code page; ``table`` holds the character of each of the 256 bytes."""

    def __init__(self, name: str = DEFAULT) -> None:
        self.name = name
        self.table = _table(name)

    def decode(self, raw: bytes) -> str:
        """The text without the blanks and zeros that pad it; controls are dropped."""
        text = self._text(raw)
        if not text.isprintable():
            text = "".join(c for c in text if c.isprintable())
        return text.strip()

    def spelled(self, raw: bytes) -> str:
        """The text without what pads it; controls show that it is no name."""
        return self._text(raw).strip(" \0")

    def _text(self, raw: bytes) -> str:
        return codecs.charmap_decode(raw, "strict", self.table)[0]


def _table(name: str) -> str:
    if name in _CODECS:
        return _codec(name)
    if name not in _UNLIKE_037:
        raise user_error(
            f"the EBCDIC code page {name!r} is not known",
            mend=f"give one of {', '.join(NAMES)}",
        )
    table = list(_codec("037"))
    unlike = _UNLIKE_037[name]
    for at in range(0, len(unlike), 3):
        table[int(unlike[at : at + 2], 16)] = unlike[at + 2]
    return "".join(table)


def _codec(name: str) -> str:
    return bytes(range(256)).decode(f"cp{name}", "replace")
