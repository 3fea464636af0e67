"""What the call of a benchmark tells of its workload: its options, a profile of uperf.

A log may not tell the sizes that its tool was called with. The command stands in
``meta.json`` of the driver, at the head of the log as a shell echoes it, or in a small
file beside it.

uperf's profile, XML, has transactions of flowops with options such as ``size=8k
count=4``. A value may be a variable of the environment, ``size=$req``, set on the
command line. A log names the profile, in small letters, and the transaction that was
measured.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from lxml import etree

from analysis.files.limits import COMMAND_BYTES
from analysis.ingest.reading import Reading

Words = list[str]
CommandLoad = dict[str, Any]  # shape, clients, request_bytes, response_bytes: if told
# Letters after a size, as each tool reads them.
_BINARY = {"k": 2**10, "K": 2**10, "m": 2**20, "M": 2**20, "g": 2**30, "G": 2**30}
_MIXED = _BINARY | {"k": 10**3, "m": 10**6, "g": 10**9}
_SIZE = re.compile(r"(\d{1,12})([A-Za-z]?)[Bb]?")
_END = re.compile(r"[;&|\"\n]")


def load_of_call(
    reading: Reading, commands: str, profiles: Iterable[Profile]
) -> CommandLoad:
    """The workload that a log's tool was called for in ``commands``, which are any
    text: by the profile that the log names, else by options."""
    if profile := used_by(profiles, reading.details.get("profile"), commands):
        return sizes_of(profile, reading.details.get("main_transaction"), commands)
    return load_of_command(commands, reading.tool_name) if commands else {}


def load_of_command(commands: str, tool: str) -> CommandLoad:
    """What the options of the first call of a tool tell; ``tool`` is as a log names
    it."""
    for program, words in _calls(commands):
        of, read = _PROGRAMS[program]
        if of == tool:
            return {name: value for name, value in read(words).items() if value}
    return {}


def commands_of(folder: Path, files: Iterable[str]) -> dict[str, str]:
    """The beginning of each file in which a benchmark is called."""
    commands = {}
    for file in files:
        with (folder / file).open("rb") as stream:
            head = stream.read(COMMAND_BYTES).decode("utf-8", "replace")
        if any(word.startswith("-") for _, words in _calls(head) for word in words):
            commands[file] = head
    return commands


def _calls(text: str) -> Iterator[tuple[str, Words]]:
    """Each call of a known tool: its name, and the words after it."""
    for match in _CALL.finditer(text):
        rest = _END.split(text[match.end() :], maxsplit=1)[0]
        try:
            yield match[1], shlex.split(rest)
        except ValueError:  # a quotation mark without its pair
            yield match[1], rest.split()


def _netperf(words: Words) -> CommandLoad:
    test = _option(words, "-t") or "TCP_STREAM"
    of_test = words[words.index("--") + 1 :] if "--" in words else []
    if test.endswith(("_RR", "_CRR", "_CC")):
        sizes = (_option(of_test, "-r") or "").split(",")
        sides = (_size(sizes[0], _MIXED), _size(sizes[-1], _MIXED))
        shape = "CRR" if "CRR" in test else "RR"
        return {"shape": shape} | dict(zip(_SIDES, sides, strict=True))
    if not test.endswith(("_STREAM", "_SENDFILE")):
        return {}
    return {"shape": "STR", "request_bytes": _size(_option(of_test, "-m"), _MIXED)}


def _sockperf(words: Words) -> CommandLoad:
    size = _size(_option(words, "-m", "--msg-size"), {})
    if words and words[0] in ("ping-pong", "pp", "under-load", "ul"):
        return {"shape": "RR", "request_bytes": size, "response_bytes": size}
    return {"shape": "STR", "request_bytes": size}


def _told_by(
    shape: str = "", units: Mapping[str, int] = _BINARY, **options: tuple[str, ...]
) -> Callable[[Words], CommandLoad]:
    """Reads what each of these options tells."""
    return lambda words: (
        {"shape": shape}
        | {name: _size(_option(words, *of), units) for name, of in options.items()}
    )


_NEPER = {
    "request_bytes": ("-Q", "--request-size"),
    "response_bytes": ("-R", "--response-size"),
    "clients": ("-F", "--num-flows"),
}
_QPERF = _told_by(
    request_bytes=("-m", "--msg_size"), response_bytes=("-m", "--msg_size")
)
_IPERF = _told_by(
    "STR", request_bytes=("-l", "--length", "--len"), clients=("-P", "--parallel")
)
_WEB = _told_by(units={}, clients=("-c", "--connections", "--clients"))
# By the name of the program: its tool as logs are told to be of, and who reads it.
_PROGRAMS: dict[str, tuple[str, Callable[[Words], CommandLoad]]] = {
    "netperf": ("netperf", _netperf),
    "sockperf": ("sockperf", _sockperf),
    "tcp_rr": ("neper", _told_by("RR", {}, **_NEPER)),
    "udp_rr": ("neper", _told_by("RR", {}, **_NEPER)),
    "tcp_crr": ("neper", _told_by("CRR", {}, **_NEPER)),
    "qperf": ("qperf", _QPERF),
    "iperf3": ("iperf3", _IPERF),
    "iperf": ("iperf", _IPERF),
    "wrk": ("wrk", _WEB),
    "hey": ("hey", _WEB),
    "h2load": ("h2load", _WEB),
    "uperf": ("uperf", lambda _: {}),  # of which a profile tells
}
_NAMES = "|".join(sorted(_PROGRAMS, key=len, reverse=True))
_CALL = re.compile(rf"(?:^|[\s;&|/(\"'])({_NAMES})[ \t]+(?=\S)", re.MULTILINE)


def _option(words: Words, *names: str) -> str | None:
    """The value of the first of these options: ``-m 64``, ``-m64``, ``--size=64``."""
    for index, word in enumerate(words):
        for name in names:
            if word == name:
                return words[index + 1] if index + 1 < len(words) else None
            if word.startswith(f"{name}="):
                return word[len(name) + 1 :]
            if len(name) == 2 and word.startswith(name) and word[2:3].isdigit():
                return word[2:]
    return None


def _size(text: str | None, units: Mapping[str, int]) -> int | None:
    """A whole number, with one of the letters after it that the tool knows."""
    match = _SIZE.fullmatch(text or "")
    factor = (units.get(match[2]) if match[2] else 1) if match else None
    return int(match[1]) * factor if match and factor else None


# Profiles of uperf

_BEGIN = re.compile(rb"\s*(?:<\?xml|<!--|<profile[\s>])")
_UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30}
_NUMBER = re.compile(r"(\d{1,12})([kmg]?)b?", re.IGNORECASE)
_VALUE = r"(?:^|[\s;\"'(]){}=[\"']?(\w+)"
_SIDES = {
    "request_bytes": ("write", "send", "sendfile", "sendfilev"),
    "response_bytes": ("read", "recv"),
}

Flowop = tuple[str, Mapping[str, str]]  # its type, and its options


@dataclass(frozen=True)
class Profile:
    """A profile by the name in it: the flowops of each transaction, and the threads or
    processes of its one group, empty where there are more."""

    file: str
    name: str
    transactions: tuple[tuple[Flowop, ...], ...]
    clients: str = ""


def profiles_of(folder: Path, files: Iterable[str]) -> list[Profile]:
    """The files that are profiles; what is no sound XML is none."""
    profiles = []
    for file in files:
        with (folder / file).open("rb") as stream:
            data = stream.read(COMMAND_BYTES + 1)
        if _BEGIN.match(data) and b"<profile" in data and len(data) <= COMMAND_BYTES:
            profiles += _read(file, data)
    return profiles


def _read(file: str, data: bytes) -> list[Profile]:
    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        return []
    name = root.get("name")
    if root.tag != "profile" or not name:
        return []
    transactions = tuple(
        tuple((op.get("type", ""), _options(op)) for op in one.iter("flowop"))
        for one in root.iter("transaction")
    )
    groups = [group.attrib for group in root.iter("group")]
    strands = [v for g in groups for v in map(g.get, ("nthreads", "nprocs")) if v]
    clients = str(strands[0]) if len(groups) == len(strands) == 1 else ""
    return [Profile(file, name, transactions, clients)]


def _options(flowop: etree._Element) -> dict[str, str]:
    pairs = (word.partition("=") for word in flowop.get("options", "").split())
    return {name: value for name, _, value in pairs}


def used_by(
    profiles: Iterable[Profile], name: str | None, commands: str
) -> Profile | None:
    """The profile of a log: by its name, and of several by the path in the command."""
    named = [p for p in profiles if name and p.name.lower() == name.lower()]
    called = [p for p in named if PurePosixPath(p.file).name in commands] or named
    alike = all(p.transactions == called[0].transactions for p in called)
    return called[0] if called and alike else None


def sizes_of(profile: Profile, transaction: str | None, commands: str) -> CommandLoad:
    """Bytes of a transaction, ``Txn1`` the second, and clients; what is not told, or is
    random, is left out."""
    number = re.fullmatch(r"Txn(\d{1,3})", transaction or "")
    if not number or int(number[1]) >= len(profile.transactions):
        return {}
    loads: CommandLoad = {}
    for side, types in _SIDES.items():
        sizes = [
            _bytes(options, commands)
            for type, options in profile.transactions[int(number[1])]
            if type in types
        ]
        if sizes and None not in sizes:
            loads[side] = sum(filter(None, sizes))
    clients = _number(profile.clients, commands)
    return loads | ({"clients": clients} if clients else {})


def _bytes(options: Mapping[str, str], commands: str) -> int | None:
    size = _number(options.get("size", ""), commands)
    count = _number(options.get("count", "1"), commands)
    return None if size is None or count is None else size * count


def _number(text: str, commands: str) -> int | None:
    """A number with its unit; a variable is what all commands set it to."""
    if text.startswith("$"):
        name = re.escape(text[1:].strip("{}"))
        values = {*re.findall(_VALUE.format(name), commands)}
        text = values.pop() if len(values) == 1 else ""
    match = _NUMBER.fullmatch(text)
    return int(match[1]) * _UNITS[match[2].lower()] if match else None
