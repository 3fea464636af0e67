"""What a profile of uperf tells of the workload that its log leaves out: the sizes.

uperf's XML has transactions of flowops with options such as ``size=8k count=4``. A
value may be a variable of the environment, ``size=$req``, set on the command line.
A log names the profile, in small letters, and the transaction that was measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from lxml import etree

from analysis.files.limits import COMMAND_BYTES

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
    found = []
    for file in files:
        with (folder / file).open("rb") as stream:
            data = stream.read(COMMAND_BYTES + 1)
        if _BEGIN.match(data) and b"<profile" in data and len(data) <= COMMAND_BYTES:
            found += _read(file, data)
    return found


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
    words = flowop.get("options", "").split()
    pairs = (word.partition("=") for word in words)
    return {name: value for name, _, value in pairs}


def used_by(
    profiles: Iterable[Profile], name: str | None, commands: str
) -> Profile | None:
    """The profile of a log: by its name, and of several by the path in the command."""
    own = [p for p in profiles if name and p.name.lower() == name.lower()]
    found = [p for p in own if PurePosixPath(p.file).name in commands] or own
    alike = all(p.transactions == found[0].transactions for p in found)
    return found[0] if found and alike else None


def sizes_of(
    profile: Profile, transaction: str | None, commands: str
) -> dict[str, int]:
    """``request_bytes`` and ``response_bytes`` of a transaction, ``Txn1`` the second,
    and ``clients``; what is not told, or is random, is left out."""
    number = re.fullmatch(r"Txn(\d{1,3})", transaction or "")
    if not number or int(number[1]) >= len(profile.transactions):
        return {}
    flowops = profile.transactions[int(number[1])]
    found = {}
    for side, types in _SIDES.items():
        own = [options for of, options in flowops if of in types]
        parts = [_bytes(options, commands) for options in own]
        if own and None not in parts:
            found[side] = sum(filter(None, parts))
    clients = _number(profile.clients, commands)
    return found | ({"clients": clients} if clients else {})


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
    found = _NUMBER.fullmatch(text)
    return int(found[1]) * _UNITS[found[2].lower()] if found else None
