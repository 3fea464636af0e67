"""A client of the desk, as a browser would ask."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen


@dataclass
class Client:
    """Asks at an address."""

    address: str
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str) -> tuple[int, str]:
        """The status and the text of an answer."""
        return self._ask(Request(f"{self.address}{path}", headers=self.headers))  # noqa: S310

    def post(self, path: str, **said: Any) -> tuple[int, Any]:
        """The status of an answer to JSON, and what it says."""
        headers = {"Content-Type": "application/json", **self.headers}
        data = json.dumps(said).encode()
        request = Request(f"{self.address}{path}", data, headers)  # noqa: S310
        status, text = self._ask(request)
        return status, json.loads(text) if text.startswith(("{", "[")) else text

    def sit(self) -> None:
        """Ask from now on as a page of the desk does, whose browser says so."""
        name = self.headers.get("Host")
        origin = f"https://{name}" if name else self.address.rstrip("/")
        self.headers |= {"Origin": origin}

    def _ask(self, request: Request) -> tuple[int, str]:
        try:
            with urlopen(request, timeout=60) as answer:  # noqa: S310 - our own
                return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()
