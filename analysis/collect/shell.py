"""Files of hosts by the programs ssh and sftp of this machine, with their own keys."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from analysis.collect.request import Request, UnreachableError, broken_off, unreachable
from analysis.declared.collect import Server, WantedFile
from analysis.errors import UserError, user_error

_SCRIPT = 'n=$(wc -c <"$1") && echo "$n" && head -c "$n" <"$1"'
_LOST = 255  # as ssh ends that has no connection
_WORKS = "see that 'ssh HOST true' works without a question"


def requests(server: Server, wanted: WantedFile) -> Iterator[Request]:
    """One request of one file."""
    save = _by_ssh if server.kind == "ssh" else _by_sftp
    yield Request(wanted.to, wanted.path, partial(save, server, wanted.path))


def _by_ssh(server: Server, path: str, draft: Path) -> None:
    """The bytes that a file has when it is asked for; a log may grow meanwhile."""
    remote = shlex.join(["sh", "-c", _SCRIPT, "sh", path])
    command = [*_program("ssh", server, "-p"), _host(server), remote]
    with draft.open("w+b") as file:
        _run(command, server, path, b"", file.fileno())
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
    data = draft.read_bytes()
    draft.write_bytes(data[size:])


def _by_sftp(server: Server, path: str, draft: Path) -> None:
    command = [*_program("sftp", server, "-P"), "-q", "-b", "-", _host(server)]
    told = f"get {_quoted(path)} {_quoted(str(draft.absolute()))}\n"
    _run(command, server, path, told.encode(), subprocess.DEVNULL)
    if not draft.is_file():
        raise broken_off(server, path, 0)


def _quoted(path: str) -> str:
    """A path as one word of sftp, in which no sign stands for several files."""
    return "".join(f"\\{c}" if c in "\\\"' *?[]#" else c for c in path)


def _program(name: str, server: Server, port: str) -> list[str]:
    options = ["-o", "BatchMode=yes", "-o", f"ConnectTimeout={server.seconds:.0f}"]
    told = server.address.partition(":")[2]
    return [name, *options, *([port, told] if told else [])]


def _host(server: Server) -> str:
    host = server.address.partition(":")[0]
    return f"{server.user}@{host}" if server.user else host


def _run(
    command: Sequence[str], server: Server, path: str, given: bytes, output: int
) -> None:
    try:
        done = subprocess.run(
            command, input=given, stdout=output, stderr=subprocess.PIPE,
            timeout=server.seconds, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        mend = f"install {command[0]}, or copy the file by hand"
        raise user_error(f"{command[0]} is not installed here", mend=mend) from None
    except subprocess.TimeoutExpired:
        raise unreachable(server, TimeoutError()) from None
    if done.returncode:
        raise _failure(done, server, path)


def _failure(
    done: subprocess.CompletedProcess[bytes], server: Server, path: str
) -> UserError:
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    said = lines[-1] if lines else f"exit code {done.returncode}"
    if done.returncode == _LOST:
        told = user_error(f"cannot be reached: {said}", server.address, mend=_WORKS)
        return UnreachableError(told.issues)
    mend = "see that the path is right and that you may read it"
    return user_error(f"{path}: {said}", server.address, mend=mend)
