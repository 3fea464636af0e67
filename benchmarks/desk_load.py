"""Editors and readers of one part of a text, by the addresses that pages use."""

from __future__ import annotations

import itertools
import json
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

_BUSY = 429
_WORD = re.compile(r"\bword[a-j]+z\b")
_AGAIN_SECONDS = 0.3


@dataclass
class Load:
    """``waited`` are seconds from save to answer, ``met`` counts who was too late.

    ``headers`` go with each request, besides the name of who asks. ``told`` counts what
    each reader heard. An editor rests ``pause`` seconds after a save, and leaves no
    more than ``most`` words of such saves in the part.
    """

    address: str
    edition: str
    text: str
    headers: dict[str, str] = field(default_factory=dict)
    pause: float = 0.0
    most: int = 10_000
    waited: list[float] = field(default_factory=list)
    met: int = 0
    told: list[int] = field(default_factory=list)
    begun: dict[str, float] = field(default_factory=dict)
    seen: list[dict[str, float]] = field(default_factory=list)

    def run(self, editors: int, saves: int, readers: int, first: int = 0) -> list[str]:
        """Save so many words in all, numbered from ``first``; returns them."""
        stop = threading.Event()
        self.told += [0] * (readers - len(self.told))
        self.seen += [{} for _ in range(readers - len(self.seen))]
        threads = [threading.Thread(target=self._read, args=(n, editors + n, stop))
                   for n in range(readers)]  # fmt: skip
        for thread in threads:
            thread.start()
        words = [_word(n) for n in range(first, first + saves)]
        with ThreadPoolExecutor(editors) as pool:
            list(pool.map(self._save, words, itertools.cycle(range(editors))))
        end = time.monotonic() + 5  # for the last one to arrive
        while time.monotonic() < end and not all(words[-1] in one for one in self.seen):
            time.sleep(0.05)
        stop.set()
        for thread in threads:
            thread.join()
        return words

    def seen_in(self) -> list[float]:
        """Seconds from each save to each reader's page with it."""
        return [at - self.begun[word] for one in self.seen
                for word, at in one.items() if word in self.begun]  # fmt: skip

    def page(self) -> str:
        """The page, as it is."""
        return self._ask("", 0)[1]

    def _save(self, word: str, who: int) -> None:
        while True:
            try:
                if self._saved(word, who):
                    time.sleep(self.pause)
                    return
            except (OSError, HTTPException):  # it was killed: try again, as people do
                time.sleep(_AGAIN_SECONDS)

    def _saved(self, word: str, who: int) -> bool:
        headers = self._pass(who)
        while True:
            part = json.loads(self._ask(f"part?text={self.text}&number=0", who)[1])
            if word in part["words"].split():  # its answer was lost, it was not
                return True
            tokens = {one["token"]: one["expression"] for one in part["tokens"]}
            named = {name: part[name] for name in ("text", "number", "hash")}
            words = f"{self._fewer(part['words'])} {word}"
            said = {**named, "words": words, "tokens": tokens}
            begun = self.begun[word] = time.perf_counter()
            status, text = self._ask("save", who, said, headers)
            if status == 200:
                self.waited.append(time.perf_counter() - begun)
                return True
            if status not in (409, _BUSY):
                raise RuntimeError(f"{status}: {text}")
            self.met += status == 409
            time.sleep(1.0 if status == _BUSY else 0)

    def _fewer(self, words: str) -> str:
        """Words of a part with room for one more of a save."""
        old = _WORD.findall(words)
        gone = set(old[: len(old) + 1 - self.most]) if len(old) >= self.most else set()
        return " ".join(one for one in words.split(" ") if one not in gone)

    def _read(self, reader: int, who: int, stop: threading.Event) -> None:
        """Hear of changes, and show them as a page would."""
        version = 0
        while not stop.is_set():
            with suppress(OSError, HTTPException):
                request = self._request(f"changes?version={version}", who)
                with urlopen(request, timeout=20) as changes:  # noqa: S310 - our own
                    while not stop.is_set():
                        line = changes.readline()
                        if not line:
                            break
                        if line.startswith(b"data:"):
                            version = self._shown(reader, who, json.loads(line[5:]))
            version = 0

    def _shown(self, reader: int, who: int, news: dict[str, Any]) -> int:
        self.told[reader] += 1
        sections = news.get("sections")
        html = " ".join(sections.values()) if sections else self._ask("", who)[1]
        now = time.perf_counter()
        for word in _WORD.findall(html):
            self.seen[reader].setdefault(word, now)
        return int(news["version"])

    def _pass(self, who: int) -> dict[str, str]:
        request = Request(f"{self.address}token", headers=self._named(who))  # noqa: S310
        with urlopen(request, timeout=60) as answer:  # noqa: S310
            cookie = answer.headers["Set-Cookie"].partition(";")[0]
            token = json.loads(answer.read())["token"]
        return {"Cookie": cookie, "x-desk-token": token}

    def _ask(
        self,
        path: str,
        who: int,
        said: Any = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, str]:
        data = json.dumps(said).encode() if said else None
        request = self._request(path, who, data, headers)
        try:
            with urlopen(request, timeout=600) as answer:  # noqa: S310
                return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()

    def _request(
        self,
        path: str,
        who: int,
        data: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Request:
        url = f"{self.address}e/{self.edition}/{path}"
        return Request(url, data, {**self._named(who), **(headers or {})})  # noqa: S310

    def _named(self, who: int) -> dict[str, str]:
        return {**self.headers, "X-Remote-User": f"p{who}"}


def lost_or_doubled(text: str, words: list[str]) -> list[str]:
    """The words that are not there just once."""
    found = text.split()
    return [word for word in words if found.count(word) != 1]


def _word(number: int) -> str:
    letters = "".join("abcdefghij"[int(digit)] for digit in str(number))
    return f"word{letters}z"
