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
from collections import deque
from dataclasses import dataclass, field

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from analysis.files.limits import REQUESTS_PER_MINUTE

COOKIE, HEADER = "desk", "x-desk-token"
_MINUTE = 60.0


@dataclass
class Passes:
    """The passes of one run of the server."""

    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    _asked: dict[str, deque[float]] = field(default_factory=dict)

    def give(self, request: Request) -> Response:
        """A token, and the cookie that it fits."""
        cookie = request.cookies.get(COOKIE) or secrets.token_urlsafe(24)
        answer = JSONResponse({"token": self._token(cookie)})
        answer.set_cookie(COOKIE, cookie, httponly=True, samesite="strict")
        return answer

    def check(self, request: Request) -> None:
        """A 403 without a pass that fits, a 429 of who asks too often."""
        cookie = request.cookies.get(COOKIE, "")
        token = request.headers.get(HEADER, "").encode()
        if not cookie or not hmac.compare_digest(token, self._token(cookie).encode()):
            raise HTTPException(403)
        self._count(request.client.host if request.client else "")

    def _token(self, cookie: str) -> str:
        return hmac.new(self.secret, cookie.encode(), hashlib.sha256).hexdigest()

    def _count(self, who: str) -> None:
        now = time.monotonic()
        asked = self._asked.setdefault(who, deque())
        while asked and asked[0] < now - _MINUTE:
            asked.popleft()
        if len(asked) >= REQUESTS_PER_MINUTE:
            raise HTTPException(429)
        asked.append(now)
