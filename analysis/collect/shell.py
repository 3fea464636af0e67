"""Files of hosts by the programs ssh and sftp of this machine, with their own keys."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO

from analysis.collect.request import Request, broken_off, no_way_in, unreachable
from analysis.declared.collect import Server, WantedFile
from analysis.errors import UserError, user_error

_SCRIPT = 'n=$(wc -c <"$1") && echo "$n" && head -c "$n" <"$1"'
_LOST = 255  # as ssh ends that has no connection
_STEP = 2**20  # bytes


def requests(server: Server, wanted: WantedFile) -> Iterator[Request]:
    """One request of one file."""
    if wanted.environment:
        yield Request(wanted.to, "its settings", partial(_environment, server))
        return
    save = _by_ssh if server.kind == "ssh" else _by_sftp
    yield Request(wanted.to, wanted.path, partial(save, server, wanted.path))


def _by_ssh(server: Server, path: str, draft: Path) -> None:
    """The bytes that a file has when it is asked for; a log may grow meanwhile."""
    remote = shlex.join(["sh", "-c", _SCRIPT, "sh", path])
    command = [*_program("ssh", server, "-p"), _host(server), remote]
    with draft.open("w+b") as file:
        _run(command, server, path, draft, output=file)
        file.seek(0)
        head, body = file.readline(80).strip(), file.tell()
        if not head.isdigit():
            what = f"prints what it was not asked for: {head!r}"
            mend = "see that 'ssh HOST true' prints nothing"
            raise user_error(what, server.address, mend=mend)
        size = int(head)
        got = draft.stat().st_size - body
        if got != size:
            raise broken_off(server, path, got, size)
        _without_head(draft, body)


def _without_head(draft: Path, size: int) -> None:
    """Without its first bytes, in its place: a dump may be larger than the memory."""
    with draft.open("r+b") as file:
        at = 0
        while data := os.pread(file.fileno(), _STEP, at + size):
            at += os.pwrite(file.fileno(), data, at)
        file.truncate(at)


def _environment(server: Server, draft: Path) -> None:
    """What a host says of itself; nothing is left there."""
    script = Path(__file__).with_name("environment.sh").read_text("utf-8")
    remote = shlex.join(["sh", "-c", script])
    command = [*_program("ssh", server, "-p"), _host(server), remote]
    with draft.open("wb") as file:
        _run(command, server, "its settings", draft, output=file)


def _by_sftp(server: Server, path: str, draft: Path) -> None:
    command = [*_program("sftp", server, "-P"), "-b", "-", _host(server)]
    request = f"get {_quoted(path)} {_quoted(str(draft.absolute()))}\n"
    _run(command, server, path, draft, request.encode())
    if not draft.is_file():
        raise broken_off(server, path, 0)


def _quoted(path: str) -> str:
    """A path as one word of sftp, in which no sign stands for several files."""
    return "".join(f"\\{c}" if c in "\\\"' *?[]#" else c for c in path)


def _program(name: str, server: Server, port: str) -> list[str]:
    options = ["-o", "BatchMode=yes", "-o", f"ConnectTimeout={server.seconds:.0f}"]
    number = server.address.partition(":")[2]
    return [name, *options, *([port, number] if number else [])]


def _host(server: Server) -> str:
    host = server.address.partition(":")[0]
    return f"{server.user}@{host}" if server.user else host


def _run(
    command: Sequence[str], server: Server, path: str, draft: Path,
    given: bytes = b"", output: IO[bytes] | None = None,
) -> None:  # fmt: skip
    """Run a program that writes a draft, which has to grow within the server's time."""
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
            stdout=output or subprocess.DEVNULL,
        )  # fmt: skip
    except FileNotFoundError:
        mend = f"install {command[0]}, or copy the file by hand"
        raise user_error(f"{command[0]} is not installed here", mend=mend) from None
    with process:
        try:
            lines = _output(process, given, server, draft)
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise _failure(process.returncode, lines, server, path, draft)


def _output(
    process: subprocess.Popen[bytes], given: bytes, server: Server, draft: Path
) -> list[str]:
    """What a program says until it ends."""
    rest: bytes | None = given
    size = 0
    while True:
        try:
            _, text = process.communicate(rest, timeout=server.seconds)
            return text.decode(errors="replace").strip().splitlines()
        except subprocess.TimeoutExpired:
            before, size, rest = size, _size(draft), None
            if size == before:
                raise unreachable(server, TimeoutError()) from None


def _size(draft: Path) -> int:
    return draft.stat().st_size if draft.exists() else 0


def _failure(
    code: int, lines: list[str], server: Server, path: str, draft: Path
) -> UserError:
    if code == _LOST and _size(draft):
        return broken_off(server, path)
    words = [line for line in lines if not line.startswith("Connection closed")]
    last = (words or lines or [f"exit code {code}"])[-1]
    if code == _LOST:
        return no_way_in(server, *_refusal(last, "\n".join(lines), server))
    mend = "see that the path is right and that you may read it"
    return user_error(f"{path}: {last}", server.address, mend=mend)


def _refusal(last: str, output: str, server: Server) -> tuple[str, str]:
    """Why there is no connection, and what to do about it."""
    host, _, port = server.address.partition(":")
    call = shlex.join(["ssh", *(["-p", port] if port else []), _host(server)])
    if "HOST IDENTIFICATION HAS CHANGED" in output:
        name = f"[{host}]:{port}" if port else host
        what = "its host key is not the one that is known here"
        mend = "ask who runs it whether the key is new; if so, forget the old one: "
        return what, f"{mend}{shlex.join(['ssh-keygen', '-R', name])}; then {call}"
    if "Host key verification failed" in last:
        mend = f"connect once by hand, and compare the key that it shows: {call}"
        return "its host key is not known here", mend
    if "Permission denied" in last:
        mend = "put your public key into ~/.ssh/authorized_keys there, or correct "
        return f"refuses the key: {last}", f"{mend}'user' of the server; try {call}"
    return f"cannot be reached: {last}", f"see that '{call} true' works, unasked"
