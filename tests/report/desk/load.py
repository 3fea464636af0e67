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

    Each save adds a word of its own, and most saves meet another's. ``headers`` go with
    each request, ``waited`` are seconds from save to answer, ``met`` counts saves that
    came too late, ``seen`` has when each reader had which word, and ``seconds`` passed
    until all was saved and seen.
    """

    address: str
    edition: str
    text: str
    headers: Mapping[str, str] = field(default_factory=dict)
    waited: list[float] = field(default_factory=list)
    met: int = 0
    seconds: float = 0.0
    begun: dict[str, float] = field(default_factory=dict)
    seen: list[dict[str, float]] = field(default_factory=list)

    def run(self, editors: int, saves: int, readers: int) -> list[str]:
        """Save so many words in all, new to the text; returns them."""
        self.get("")  # a first page takes its time
        first, stop = time.time_ns(), threading.Event()
        words = [_word(first + nth) for nth in range(saves)]
        self.seen = [{} for _ in range(readers)]
        begin = time.perf_counter()
        with ThreadPoolExecutor(readers) as reading:
            for nth in range(readers):
                reading.submit(self._read, nth, editors + nth, stop)
            with ThreadPoolExecutor(editors) as saving:
                list(saving.map(self._save, words, itertools.cycle(range(editors))))
            end = time.monotonic() + 5  # for the last one to arrive
            while time.monotonic() < end and not all(words[-1] in s for s in self.seen):
                time.sleep(0.05)
            self.seconds = time.perf_counter() - begin
            stop.set()
        return words

    def seen_in(self) -> list[float]:
        """Seconds from each save to each reader's page with it."""
        return [
            at - self.begun[word]
            for seen in self.seen
            for word, at in seen.items()
            if word in self.begun
        ]

    def get(self, path: str, who: int = 0) -> str:
        """What an address of the edition answers."""
        with self._open(path, who) as answer:
            return str(answer.read().decode())

    def _save(self, word: str, who: int) -> None:
        url = f"{self.address}token"
        with urlopen(Request(url, headers=self._named(who))) as answer:  # noqa: S310
            cookie = answer.headers["Set-Cookie"].partition(";")[0]
            headers = {"x-desk-token": json.load(answer)["token"], "Cookie": cookie}
        while True:
            part = json.loads(self.get(f"part?text={self.text}&number=0", who))
            tokens = {one["token"]: one["expression"] for one in part["tokens"]}
            body = {name: part[name] for name in ("text", "number", "hash")}
            body |= {"words": f"{part['words']} {word}", "tokens": tokens}
            begin = self.begun[word] = time.perf_counter()
            try:
                self._open("save", who, json.dumps(body).encode(), headers).close()
            except HTTPError as error:
                if error.code not in (_TOO_LATE, _BUSY):
                    raise RuntimeError(f"{error.code}: {error.read()!r}") from error
                self.met += error.code == _TOO_LATE
                time.sleep(1.0 if error.code == _BUSY else 0)
            else:
                self.waited.append(time.perf_counter() - begin)
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
        now = time.perf_counter()
        for word in _WORD.findall(html):
            self.seen[nth].setdefault(word, now)
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
        return {**self.headers, "X-Remote-User": f"p{who}"}


def lost_or_doubled(text: str, words: list[str]) -> list[str]:
    """The words that are not there just once."""
    there = text.split()
    return [word for word in words if there.count(word) != 1]


def _word(number: int) -> str:
    letters = "".join("abcdefghij"[int(digit)] for digit in str(number))
    return f"word{letters}z"
