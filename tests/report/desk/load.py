"""Several editors of one part of a text at once, while others read its page.

They use the addresses that the pages of the desk use.
"""

from __future__ import annotations

import itertools
import json
import re
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

_BUSY, _TOO_LATE = 429, 409
_WORD = re.compile(r"\bword[a-j]+z\b")


@dataclass
class Load:
    """Editors and readers of the first part of a text.

    Each save adds a word of its own, and most saves meet another's. ``met`` counts
    saves that came too late, ``seen`` has the words that each reader had.
    """

    address: str
    edition: str
    text: str
    met: int = 0
    seen: list[set[str]] = field(default_factory=list)

    def run(self, editors: int, saves: int, readers: int) -> list[str]:
        """Save so many words in all, new to the text; returns them."""
        self.get("")  # a first page takes its time
        first, stop = time.time_ns(), threading.Event()
        words = [_word(first + nth) for nth in range(saves)]
        self.seen = [set() for _ in range(readers)]
        with ThreadPoolExecutor(readers) as reading:
            for nth in range(readers):
                reading.submit(self._read, nth, editors + nth, stop)
            with ThreadPoolExecutor(editors) as saving:
                list(saving.map(self._save, words, itertools.cycle(range(editors))))
            end = time.monotonic() + 5  # for the last one to arrive
            while time.monotonic() < end and not all(words[-1] in s for s in self.seen):
                time.sleep(0.05)
            stop.set()
        return words

    def get(self, path: str, who: int = 0) -> str:
        """What an address of the edition answers."""
        with self._open(path, who) as answer:
            return str(answer.read().decode())

    def _save(self, word: str, who: int) -> None:
        headers = {"Origin": "/".join(self.address.split("/")[:3])}
        while True:
            part = json.loads(self.get(f"part?text={self.text}&number=0", who))
            tokens = {one["token"]: one["expression"] for one in part["tokens"]}
            body = {name: part[name] for name in ("text", "number", "hash")}
            body |= {"words": f"{part['words']} {word}", "tokens": tokens}
            try:
                self._open("save", who, json.dumps(body).encode(), headers).close()
            except HTTPError as error:
                if error.code not in (_TOO_LATE, _BUSY):
                    raise RuntimeError(f"{error.code}: {error.read()!r}") from error
                self.met += error.code == _TOO_LATE
                time.sleep(1.0 if error.code == _BUSY else 0)
            else:
                return

    def _read(self, nth: int, who: int, stop: threading.Event) -> None:
        """Hear of changes, and show them as a page would."""
        version = 0
        while not stop.is_set():
            with (
                suppress(OSError, HTTPException),
                self._open(f"changes?version={version}", who) as changes,
            ):
                while not stop.is_set() and (line := changes.readline()):
                    if line.startswith(b"data:"):
                        version = self._show(nth, who, json.loads(line[5:]))

    def _show(self, nth: int, who: int, news: dict[str, Any]) -> int:
        sections = news.get("sections")
        html = " ".join(sections.values()) if sections else self.get("", who)
        self.seen[nth].update(_WORD.findall(html))
        return int(news["version"])

    def _open(
        self,
        path: str,
        who: int,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        url = f"{self.address}e/{self.edition}/{path}"
        request = Request(url, body, {**self._named(who), **(headers or {})})  # noqa: S310
        return urlopen(request, timeout=60)  # noqa: S310

    def _named(self, who: int) -> dict[str, str]:
        return {"X-Remote-User": f"p{who}"}


def lost_or_doubled(text: str, words: list[str]) -> list[str]:
    """The words that are not there just once."""
    there = text.split()
    return [word for word in words if there.count(word) != 1]


def _word(number: int) -> str:
    letters = "".join("abcdefghij"[int(digit)] for digit in str(number))
    return f"word{letters}z"
