"""Workload names: ``RR40(100B)``, ``CRR40(64B/8kB)``, ``STR3(1B/20MB)``.

A name gives the shape, the number of clients, the bytes that a client sends and
the bytes that it receives in one transaction. One size stands for both ways.
Payload units are binary (kB = 1024 B, MB = 2**20 B), which is the convention of
the published reports. The names of a campaign's ``runs.csv`` may have decimal ones,
if its declaration says so; the workload then has those bytes, and its own name says
them in binary units: ``RR1(1kB)`` becomes ``RR1(1000B)``.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

SHAPES = {
    "RR": "request/response",
    "CRR": "connect/request/response",
    "STR": "streaming",
}
PayloadUnits = Literal["binary", "decimal"]
Form = Literal["short", "both", "boxed", "apart"]
# How published reports write RR10(100B): in short, with both sizes, boxed, set apart.
FORMS: dict[Form, str] = {
    "short": "{shape}{clients}({short})",
    "both": "{shape}{clients}({both})",
    "boxed": "[{shape}][{clients}]({both})",
    "apart": "{shape}({clients})({both})",
}
_POWERS = {"B": 0, "kB": 1, "KB": 1, "MB": 2, "GB": 3}
_BASE = {"binary": 1024, "decimal": 1000}
_SIZE = r"(\d{1,9}(?:\.\d{1,9})?)\s*(B|kB|KB|MB|GB)"
_NAME = re.compile(
    rf"(?:\[(?P<boxed>CRR|RR|STR)\]|(?P<shape>CRR|RR|STR))"
    rf"\s*(?:\[(?P<n1>\d{{1,9}})\]|\((?P<n2>\d{{1,9}})\)|(?P<n3>\d{{1,9}}))"
    rf"\s*\(\s*{_SIZE}(?:\s*/\s*{_SIZE})?\s*\)"
)


@dataclass(frozen=True, order=True)
class Workload:
    """One workload: shape, number of clients, bytes each way per transaction."""

    shape: str
    clients: int
    request_bytes: int
    response_bytes: int

    @property
    def name(self) -> str:
        """The canonical name, for example ``CRR40(64B/8kB)``."""
        return self.written("short")

    def written(self, form: Form) -> str:
        """The name in one of the forms of published reports; see :data:`FORMS`."""
        if form not in FORMS:
            raise ValueError(f"there is no form {form!r}; choose of {', '.join(FORMS)}")
        request = format_size(self.request_bytes)
        both = f"{request}/{format_size(self.response_bytes)}"
        short = request if self.request_bytes == self.response_bytes else both
        return FORMS[form].format(
            shape=self.shape, clients=self.clients, short=short, both=both
        )

    @property
    def slug(self) -> str:
        """The name as used in keys and anchors, for example ``crr40-64b-8kb``."""
        return re.sub(r"[^a-z0-9.]+", "-", self.name.lower()).strip("-")

    @property
    def order(self) -> tuple[int, int, int, int]:
        """Sort key of every table and figure: shape, then clients, then payload."""
        shapes = list(SHAPES)
        size = (self.request_bytes, self.response_bytes)
        return (shapes.index(self.shape), self.clients, *size)


@functools.lru_cache(maxsize=1024)  # every run of a campaign names one of a few
def parse_workload(text: str, units: PayloadUnits = "binary") -> Workload:
    """The workload that a name stands for; ``ValueError`` if it is not a name."""
    found = _NAME.fullmatch(text.strip())
    if not found:
        raise ValueError(
            f"{text!r} is not a workload name; write it as RR40(100B), "
            "CRR40(64B/8kB) or STR3(1B/20MB)"
        )
    shape = found["boxed"] or found["shape"]
    clients = int(found["n1"] or found["n2"] or found["n3"])
    sizes = found.groups()[-4:]
    request = parse_size(f"{sizes[0]}{sizes[1]}", units)
    response = parse_size(f"{sizes[2]}{sizes[3]}", units) if sizes[2] else request
    if clients < 1:
        raise ValueError(f"{text!r}: a workload has at least one client")
    return Workload(shape, clients, request, response)


def parse_size(text: str, units: PayloadUnits = "binary") -> int:
    """Bytes of a payload size such as ``64B``, ``8kB`` or ``20MB``."""
    found = re.fullmatch(_SIZE, text.strip())
    if not found:
        raise ValueError(f"{text!r} is not a size; write it as 64B, 8kB or 20MB")
    size = float(found[1]) * _BASE[units] ** _POWERS[found[2]]
    if size != int(size):
        raise ValueError(f"{text!r} is not a whole number of bytes")
    return int(size)


def format_size(size: int) -> str:
    """A payload size in the largest binary unit that divides it: ``8kB``."""
    for unit in ("GB", "MB", "kB"):
        if size and size % 1024 ** _POWERS[unit] == 0:
            return f"{size // 1024 ** _POWERS[unit]}{unit}"
    return f"{size}B"


def matches(name: str, pattern: str) -> bool:
    """Whether a workload name fits a pattern: itself, ``RR*`` or ``*``.

    ``RR*`` means the shape RR and not CRR; brackets are ordinary characters.
    """
    return fnmatchcase(name, pattern.replace("[", "[[]"))
