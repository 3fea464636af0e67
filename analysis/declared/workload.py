"""Workloads: the shapes, declared once with their words, and the names.

Names, patterns, metrics, orders, tables and the check of wording follow from a shape.
A name such as ``RR40(100B)``, ``CRR40(64B/8kB)`` or ``WEB80(73B/~7.6kB)`` gives
the shape, the number of clients or sessions, the bytes that one of them sends and
the bytes that it receives in one transaction. One size stands for both ways,
and where nothing comes back for the one. A size after ``~`` is a mean.
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


@dataclass(frozen=True)
class Shape:
    """One shape: its label, what a transaction of it is, and what texts call it.

    ``words`` is a regular expression of what texts call workloads of the shape besides
    its name. ``bulk`` ones are told by their throughput, the others by their rate.
    Of an ``answered`` one, a single size holds for both ways; else nothing comes back.
    An ``idle`` one may have no session at all, as when storage is taken. Clients of one
    that ``thinks`` wait between two transactions. Logs of programs that do not know the
    shape say one that it is ``logged_as``. Each of its clients is a ``client``.
    """

    label: str
    transaction: str
    words: str
    bulk: bool = False
    answered: bool = True
    idle: bool = False
    thinks: bool = False
    logged_as: tuple[str, ...] = ()
    client: str = "client"


# What texts call workloads of several shapes.
FAMILIES = {("GET", "PUT"): r"file transfers?|FTP(?: (?:work|transfers?))?"}
SHAPES = {
    "RR": Shape(
        "request/response",
        "one request and one response over an open connection",
        r"interactive(?: work(?:loads?)?| traffic)?|request workloads?"
        r"|(?:short )?requests?|messages?",
    ),
    "CRR": Shape(
        "connect/request/response",
        "opening a connection, one request, one response, closing the connection",
        r"(?:short |new )?connections? for (?:each|every) request"
        r"|(?:short|new) connections?"
        r"|handshakes?",
    ),
    "STR": Shape(
        "streaming",
        "a small message in one direction and a large one in the other, over an open "
        "connection",
        r"streams?|streaming(?: work)?|bulk(?: transfers?| data)?|transfers?"
        r"|downloads?|uploads?",
        bulk=True,
    ),
    "GET": Shape(
        "file get",
        "one file that a client fetches from a server, as with FTP",
        r"gets?|downloads?|retrievals?",
        bulk=True,
        logged_as=("STR",),
    ),
    "PUT": Shape(
        "file put",
        "one file that a client stores on a server, as with FTP",
        r"puts?|uploads?",
        bulk=True,
        logged_as=("STR",),
    ),
    "TN": Shape(
        "terminal (TN3270)",
        "one input of a terminal user and the screen that answers it; the user thinks "
        "before the next one",
        r"TN3270E?(?: (?:work|sessions?|users?|traffic))?|terminals?",
        idle=True,
        thinks=True,
        logged_as=("RR",),
        client="session",
    ),
    "WEB": Shape(
        "web serving",
        "one request for a page or a file, and the answer of the web server",
        r"web(?: (?:work(?:loads?)?|serving|requests?|pages?|traffic))?",
        logged_as=("RR", "CRR"),
    ),
    "ECI": Shape(
        "external call (ECI)",
        "one synchronous call of a program in CICS through a gateway, and its answer",
        r"ECI(?: (?:calls?|requests?))?|(?:external|gateway) calls?",
        thinks=True,
        logged_as=("RR",),
    ),
    "LOG": Shape(
        "log messages",
        "one message that a system sends to a logging daemon; nothing comes back",
        r"syslog(?: messages?)?|log(?:ging)? messages?",
        answered=False,
        logged_as=("RR", "STR"),
    ),
}
# Any shape's name in a regular expression, the longer ones first.
ANY_SHAPE = "|".join(sorted(SHAPES, key=len, reverse=True))

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
_UNITS = ("GB", "MB", "kB")
_BASE = {"binary": 1024, "decimal": 1000}
_SIZE = r"(~?)\s*(\d{1,9}(?:\.\d{1,9})?)\s*(B|kB|KB|MB|GB)"
_NAME = re.compile(
    rf"(?:\[(?P<boxed>{ANY_SHAPE})\]|(?P<shape>{ANY_SHAPE}))"
    rf"\s*(?:\[(?P<n1>\d{{1,9}})\]|\((?P<n2>\d{{1,9}})\)|(?P<n3>\d{{1,9}}))"
    rf"\s*\(\s*{_SIZE}(?:\s*/\s*{_SIZE})?\s*\)"
)


@dataclass(frozen=True, order=True)
class Workload:
    """One workload: shape, number of clients, bytes each way per transaction.

    ``means`` tells whether the bytes sent and received are means of various sizes.
    """

    shape: str
    clients: int
    request_bytes: int
    response_bytes: int
    means: tuple[bool, bool] = (False, False)

    @functools.cached_property
    def name(self) -> str:
        """The canonical name, for example ``CRR40(64B/8kB)``."""
        return self.written("short")

    def written(self, form: Form) -> str:
        """The name in one of the forms of published reports; see :data:`FORMS`."""
        if form not in FORMS:
            raise ValueError(f"there is no form {form!r}; choose of {', '.join(FORMS)}")
        request, response = self.sizes
        both = f"{request}/{response}"
        answer = request if SHAPES[self.shape].answered else format_size(0)
        short = request if response == answer else both
        return FORMS[form].format(
            shape=self.shape, clients=self.clients, short=short, both=both
        )

    @property
    def sizes(self) -> tuple[str, str]:
        """The bytes sent and received as names have them: ``73B`` and ``~7.6kB``."""
        request, response = self.means
        return (
            _size(self.request_bytes, request),
            _size(self.response_bytes, response),
        )

    @property
    def slug(self) -> str:
        """The name as used in keys and anchors, for example ``crr40-64b-8kb``."""
        name = self.name.lower().replace("~", "mean")
        return re.sub(r"[^a-z0-9.]+", "-", name).strip("-")

    @property
    def order(self) -> tuple[int, ...]:
        """Sort key of every table and figure: shape, then clients, then payload."""
        shapes = list(SHAPES)
        size = (self.request_bytes, self.response_bytes)
        return (shapes.index(self.shape), self.clients, *size, *self.means)


@functools.lru_cache(maxsize=1024)  # every run of a campaign names one of a few
def parse_workload(text: str, units: PayloadUnits = "binary") -> Workload:
    """The workload that a name stands for; ``ValueError`` if it is not a name."""
    match = _NAME.fullmatch(text.strip())
    if not match:
        raise ValueError(
            f"{text!r} is not a workload name; write it as RR40(100B), "
            f"CRR40(64B/8kB) or STR3(1B/20MB), with a shape of {', '.join(SHAPES)}"
        )
    shape = match["boxed"] or match["shape"]
    clients = int(match["n1"] or match["n2"] or match["n3"])
    if clients < 1 and not SHAPES[shape].idle:
        raise ValueError(f"{text!r}: a workload has at least one client")
    sent, received = ("".join(filter(None, match.groups()[-n:][:3])) for n in (6, 3))
    request = parse_size(sent, units)
    means = sent.startswith("~"), received.startswith("~")
    if received:
        return Workload(shape, clients, request, parse_size(received, units), means)
    if SHAPES[shape].answered:
        return Workload(shape, clients, request, request, (means[0], means[0]))
    return Workload(shape, clients, request, 0, (means[0], False))


def workload_order(name: str) -> tuple[int, ...]:
    """The sort key of a workload's name: shape, clients, payload."""
    return parse_workload(name).order


def parse_size(text: str, units: PayloadUnits = "binary") -> int:
    """Bytes of a payload size such as ``64B``, ``8kB`` or ``20MB``.

    A mean such as ``~7.6kB`` is rounded to whole bytes.
    """
    match = re.fullmatch(_SIZE, text.strip())
    if not match:
        raise ValueError(f"{text!r} is not a size; write it as 64B, 8kB or 20MB")
    size = float(match[2]) * _BASE[units] ** _POWERS[match[3]]
    if match[1]:
        return round(size)
    if size != int(size):
        raise ValueError(
            f"{text!r} is not a whole number of bytes; write ~{text.strip()} for a mean"
        )
    return int(size)


def _size(size: int, mean: bool) -> str:
    """A size as names have it; a mean in the largest unit, as short as can be."""
    if not mean:
        return format_size(size)
    unit = next((u for u in _UNITS if size >= 1024 ** _POWERS[u]), "B")
    power: int = 1024 ** _POWERS[unit]
    texts = (f"{size / power:.{places}f}" for places in range(10))
    short = next(text for text in texts if round(float(text) * power) == size)
    return f"~{short}{unit}"


def format_size(size: int) -> str:
    """A payload size in the largest binary unit that divides it: ``8kB``."""
    for unit in _UNITS:
        if size and size % 1024 ** _POWERS[unit] == 0:
            return f"{size // 1024 ** _POWERS[unit]}{unit}"
    return f"{size}B"


def matches(name: str, pattern: str) -> bool:
    """Whether a workload name fits a pattern: itself, ``RR*`` or ``*``, or one of some
    that commas separate.

    ``RR*`` means the shape RR and not CRR; brackets are ordinary characters.
    """
    patterns = pattern.replace("[", "[[]").split(",")
    return any(fnmatchcase(name, each.strip()) for each in patterns)
