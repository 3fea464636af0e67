"""Who may change something: a page of this server, which was given a pass.

The pass is a cookie that goes with no request of another page, and a token that only a
page of ours can read. Who has an old one, as after the server was started again, asks
for another one and keeps the text.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import Counter, deque
from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from analysis.files.limits import (
    REQUEST_CONNECTIONS,
    REQUEST_STREAMS,
    REQUESTS_PER_MINUTE,
)
from analysis.report.desk.showing import asking

COOKIE, HEADER = "desk", "x-desk-token"
_MINUTE = 60.0


@dataclass
class Passes:
    """The passes of one run of the server; ``secure`` ones go by HTTPS alone."""

    secure: bool = False

    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    _asked: dict[str, deque[float]] = field(default_factory=dict)
    _open: Counter[str] = field(default_factory=Counter)

    def give(self, request: Request) -> Response:
        """A token, and the cookie that it fits."""
        cookie = request.cookies.get(COOKIE) or secrets.token_urlsafe(24)
        answer = JSONResponse({"token": self._token(cookie, request)})
        answer.set_cookie(
            COOKIE, cookie, httponly=True, samesite="strict", secure=self.secure
        )
        return answer

    def check(self, request: Request) -> None:
        """A 403 without a pass that fits, a 429 of who asks too often."""
        cookie = request.cookies.get(COOKIE, "")
        token, own = request.headers.get(HEADER, ""), self._token(cookie, request)
        if not cookie or not hmac.compare_digest(token.encode(), own.encode()):
            raise HTTPException(403)
        self.count(request)

    def count(self, request: Request) -> None:
        """A 429 of who asks too often."""
        now = time.monotonic()
        asked = self._asked.setdefault(asking(request).email, deque())
        while asked and asked[0] < now - _MINUTE:
            asked.popleft()
        if len(asked) >= REQUESTS_PER_MINUTE:
            raise HTTPException(429)
        asked.append(now)

    async def heard(
        self, request: Request, told: AsyncIterable[Any]
    ) -> AsyncIterator[Any]:
        """The same news, for as long as somebody hears them."""
        self._open[email := asking(request).email] += 1
        try:
            async for news in told:
                yield news
        finally:
            self._open[email] -= 1

    def count_streams(self, request: Request) -> None:
        """A 429 of who has too many pages open; all without a name are one."""
        email = asking(request).email
        most = REQUEST_STREAMS if email else REQUEST_CONNECTIONS // 2
        if self._open[email] >= most:
            raise HTTPException(429)

    def _token(self, cookie: str, request: Request) -> str:
        """What fits a cookie, in the hand of the person whom it was given."""
        said = f"{cookie}\0{asking(request).email}".encode()
        return hmac.new(self.secret, said, hashlib.sha256).hexdigest()
