"""The shapes of workloads, each declared once with its words.

Names, patterns, metrics, orders, tables and the check of wording all follow from this.
"""

from __future__ import annotations

from dataclasses import dataclass


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
