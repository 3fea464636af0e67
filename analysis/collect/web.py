"""Answers over HTTP and HTTPS: whole ones, or an error that says what happened."""

from __future__ import annotations

import base64
import http.client
import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from analysis.collect.request import (
    Login,
    broken_off,
    no_answer,
    no_way_in,
    refused,
    unreachable,
)
from analysis.declared.collect import Server
from analysis.errors import UserError, user_error
from analysis.files.limits import DOCUMENT_BYTES, INPUT_BYTES, SHOWN_CHARACTERS

_BLOCK = 2**16
_SHOWN = 200  # letters of a path in a message


class Sink(Protocol):
    """What takes the bytes of an answer."""

    def write(self, data: bytes, /) -> object:
        """Take some bytes, in order."""


@dataclass(frozen=True)
class Web:
    """A server that answers GET, and PUT where there is a ``body``; ``name`` is what
    the declaration calls it."""

    name: str
    server: Server
    login: Login | None

    def save(
        self, path: str, draft: Path, headers: Mapping[str, str] | None = None
    ) -> None:
        """Write a whole answer to a file."""
        with draft.open("wb") as file:
            self.pass_on(path, file, headers)

    def text(
        self,
        path: str,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> bytes:
        """A whole answer of moderate size."""
        kept = _Kept(self.server)
        self.pass_on(path, kept, headers, body)
        return bytes(kept.data)

    def pass_on(
        self,
        path: str,
        sink: Sink,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> None:
        """Give the bytes of an answer to a sink; a :class:`UserError` unless the answer
        is whole."""
        got = 0
        with self._answer(path, headers or {}, body) as answer:
            size = answer.length  # null of chunks, which tell their end themselves
            while block := self._block(answer, path, got):
                got += len(block)
                if got > INPUT_BYTES:
                    what = f"more than {INPUT_BYTES:,} bytes (INPUT_BYTES)"
                    mend = "fetch it in parts"
                    raise user_error(what, self.server.address, mend=mend)
                sink.write(block)
            if size is not None and got < size:
                raise broken_off(self.server, path[:_SHOWN], got, size)

    def _block(self, answer: http.client.HTTPResponse, path: str, got: int) -> bytes:
        try:
            return answer.read(_BLOCK)
        except TimeoutError as error:
            raise unreachable(self.server, error) from None
        except (http.client.HTTPException, OSError, ValueError):
            raise broken_off(self.server, path[:_SHOWN], got) from None

    @contextmanager
    def _answer(
        self, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> Iterator[http.client.HTTPResponse]:
        connection = self._connection()
        try:
            try:
                method = "GET" if body is None else "PUT"
                connection.request(method, path, body, {**headers, **self._who()})
                answer = connection.getresponse()
            except ssl.SSLCertVerificationError as error:
                raise _no_trust(self.server, error) from None
            except http.client.HTTPException as error:
                what = f"answers what is no HTTP: {type(error).__name__}"
                mend = "see that this is the port of the server"
                raise user_error(what, self.server.address, mend=mend) from None
            except OSError as error:
                raise unreachable(self.server, error) from None
            self._check_status(answer, path)
            yield answer
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.server.address)
        host, seconds = parts.hostname or "", self.server.seconds
        if parts.scheme == "http":
            return http.client.HTTPConnection(host, parts.port, timeout=seconds)
        context = tls_context(self.server)
        return http.client.HTTPSConnection(
            host, parts.port, timeout=seconds, context=context
        )

    def _who(self) -> dict[str, str]:
        if self.login is None:
            return {}
        pair = f"{self.login.user}:{self.login.password}".encode()
        return {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}

    def _check_status(self, answer: http.client.HTTPResponse, path: str) -> None:
        if answer.status == http.client.OK:
            return
        user = self.login.user if self.login else ""
        if answer.status in (401, 403):
            raise refused(self.server, self.name, user)
        words = f"{answer.status} {answer.reason}{_reason(answer)}"
        if 300 <= answer.status < 400:
            words += f", which leads to {answer.getheader('Location', 'nowhere')}"
        raise no_answer(self.server, path[:_SHOWN], words)


@dataclass
class _Kept:
    """A sink that keeps all in memory, up to a limit."""

    server: Server
    data: bytearray = field(default_factory=bytearray)

    def write(self, data: bytes) -> None:
        self.data += data
        if len(self.data) > DOCUMENT_BYTES:
            what = f"a list of more than {DOCUMENT_BYTES:,} bytes (DOCUMENT_BYTES)"
            raise user_error(what, self.server.address)


def tls_context(server: Server) -> ssl.SSLContext:
    """How the server is to prove who it is, and the client's certificate."""
    try:
        context = ssl.create_default_context(cafile=_file(server.authority))
        if server.certificate:
            context.load_cert_chain(_file(server.certificate) or "")
    except (OSError, ssl.SSLError) as error:
        file = server.certificate or server.authority
        what = f"cannot be used as a certificate: {error.strerror or error}"
        mend = "name a PEM file; that of the client has its key in it as well"
        raise user_error(what, file, mend=mend) from None
    return context


def _file(name: str) -> str | None:
    return str(Path(name).expanduser()) if name else None


def _no_trust(server: Server, error: ssl.SSLCertVerificationError) -> UserError:
    what = f"its certificate is not accepted: {error.verify_message}"
    mend = (
        "have it renewed, or name in 'authority' the PEM file of who signed it; "
        "it is never ignored"
    )
    return no_way_in(server, what, mend)


def _reason(answer: http.client.HTTPResponse) -> str:
    """What a server says beside its status: z/OSMF in JSON."""
    try:
        body = json.loads(answer.read(SHOWN_CHARACTERS))
        words = next(filter(None, map(body.get, ("message", "details", "reason"))), "")
    except (OSError, ValueError, AttributeError, http.client.HTTPException):
        return ""
    return f": {' '.join(str(words).split())}" if words else ""
