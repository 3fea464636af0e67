"""What the command line of a benchmark tells of its workload.

A log may not tell the sizes that its tool was called with. The command stands in
``meta.json`` of the driver, at the head of the log as a shell echoes it, or in a small
file beside it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from analysis.files.limits import COMMAND_BYTES

Words = list[str]
CommandLoad = dict[str, Any]
# Letters after a size, as each tool reads them.
_BINARY = {"k": 2**10, "K": 2**10, "m": 2**20, "M": 2**20, "g": 2**30, "G": 2**30}
_MIXED = _BINARY | {"k": 10**3, "m": 10**6, "g": 10**9}
_SIZE = re.compile(r"(\d{1,12})([A-Za-z]?)[Bb]?")
_END = re.compile(r"[;&|\"\n]")


def load_of_command(commands: str, tool: str) -> CommandLoad:
    """Of ``shape``, ``clients``, ``request_bytes`` and ``response_bytes`` what the
    first call of a tool tells; ``commands`` is any text, ``tool`` as a log names it."""
    for program, words in _calls(commands):
        of, read = _PROGRAMS[program]
        if of == tool:
            return {name: value for name, value in read(words).items() if value}
    return {}


def commands_of(folder: Path, files: Iterable[str]) -> dict[str, str]:
    """The beginning of each file in which a benchmark is called."""
    found = {}
    for file in files:
        with (folder / file).open("rb") as stream:
            head = stream.read(COMMAND_BYTES).decode("utf-8", "replace")
        if any(word.startswith("-") for _, words in _calls(head) for word in words):
            found[file] = head
    return found


def _calls(text: str) -> Iterator[tuple[str, Words]]:
    """Each call of a known tool: its name, and the words after it."""
    for found in _CALL.finditer(text):
        rest = _END.split(text[found.end() :], maxsplit=1)[0]
        try:
            yield found[1], shlex.split(rest)
        except ValueError:  # a quotation mark without its pair
            yield found[1], rest.split()


def _netperf(words: Words) -> CommandLoad:
    test = _option(words, "-t") or "TCP_STREAM"
    own = words[words.index("--") + 1 :] if "--" in words else []
    if test.endswith(("_RR", "_CRR", "_CC")):
        sizes = (_option(own, "-r") or "").split(",")
        request = _size(sizes[0], _MIXED)
        response = _size(sizes[-1], _MIXED)
        shape = "CRR" if "CRR" in test else "RR"
        return {
            "shape": shape, "request_bytes": request, "response_bytes": response,
        }  # fmt: skip
    if not test.endswith(("_STREAM", "_SENDFILE")):
        return {}
    return {"shape": "STR", "request_bytes": _size(_option(own, "-m"), _MIXED)}


def _sockperf(words: Words) -> CommandLoad:
    size = _size(_option(words, "-m", "--msg-size"), {})
    kinds = {"ping-pong": "RR", "pp": "RR", "under-load": "RR", "ul": "RR"}
    shape = kinds.get(words[0] if words else "", "STR")
    return {"shape": shape, "request_bytes": size} | (
        {"response_bytes": size} if shape == "RR" else {}
    )


def _neper(words: Words) -> CommandLoad:
    request = _size(_option(words, "-Q", "--request-size"), {})
    response = _size(_option(words, "-R", "--response-size"), {})
    flows = _size(_option(words, "-F", "--num-flows"), {})
    return {
        "request_bytes": request, "response_bytes": response, "clients": flows,
    }  # fmt: skip


def _qperf(words: Words) -> CommandLoad:
    size = _size(_option(words, "-m", "--msg_size"), _BINARY)
    return {"request_bytes": size, "response_bytes": size}


def _iperf(words: Words) -> CommandLoad:
    return {
        "shape": "STR",
        "request_bytes": _size(_option(words, "-l", "--length", "--len"), _BINARY),
        "clients": _size(_option(words, "-P", "--parallel"), {}),
    }


def _web(words: Words) -> CommandLoad:
    return {"clients": _size(_option(words, "-c", "--connections", "--clients"), {})}


def _rr(shape: str) -> Callable[[Words], CommandLoad]:
    return lambda words: {"shape": shape} | _neper(words)


# By the name of the program: its tool as logs are told to be of, and who reads it.
_PROGRAMS: dict[str, tuple[str, Callable[[Words], CommandLoad]]] = {
    "netperf": ("netperf", _netperf),
    "sockperf": ("sockperf", _sockperf),
    "tcp_rr": ("neper", _rr("RR")),
    "udp_rr": ("neper", _rr("RR")),
    "tcp_crr": ("neper", _rr("CRR")),
    "qperf": ("qperf", _qperf),
    "iperf3": ("iperf3", _iperf),
    "iperf": ("iperf", _iperf),
    "wrk": ("wrk", _web),
    "hey": ("hey", _web),
    "h2load": ("h2load", _web),
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
            short = len(name) == 2 and word.startswith(name)
            if short and word[2:3].isdigit():
                return word[2:]
    return None


def _size(text: str | None, units: Mapping[str, int]) -> int | None:
    """A whole number, with one of the letters after it that the tool knows."""
    found = _SIZE.fullmatch(text or "")
    if not found:
        return None
    letter = found[2]
    factor = units.get(letter) if letter else 1
    return int(found[1]) * factor if factor else None
