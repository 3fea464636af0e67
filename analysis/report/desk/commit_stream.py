"""What Git's ``fast-import`` reads, and what its ``cat-file --batch`` writes.

One process makes the blobs, trees and commits of a save and moves the branch, unless
somebody else moved it meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.report.desk.people import Person

_SIGNS = re.compile(r"[<>\x00-\x1f\x7f]+")  # that no name in a commit can have


@dataclass(frozen=True)
class FileCommit:
    """A commit of one file: its path in the repository, its text, by whom, and why."""

    path: str
    text: str
    by: Person
    what: str


def stream(ref: str, upon: str, made: Sequence[FileCommit]) -> bytes:
    """Commits one after another on ``ref``, the first upon another commit.

    Git answers with the hash of the last one. Without any, the branch is moved.
    """
    origin = f"from {upon}\n".encode() if upon else b""
    if not made:
        return f"reset {ref}\n".encode() + origin + b"\n"
    commands = [
        _commit(ref, one, origin if n == 0 else b"") for n, one in enumerate(made)
    ]
    return b"".join([*commands, b"get-mark :1\n"])


def _commit(ref: str, one: FileCommit, origin: bytes) -> bytes:
    name, email = (_SIGNS.sub(" ", said) for said in (one.by.name, one.by.email))
    who = f"{name.strip()} <{email.strip()}> now"
    quoted = one.path.replace("\\", "\\\\").replace('"', '\\"')
    return b"".join((
        f"commit {ref}\nmark :1\n".encode(),
        f"author {who}\ncommitter {who}\n".encode(),
        _data(f"{one.what}\n"),
        origin,
        f'M 100644 inline "{quoted}"\n'.encode(),
        _data(one.text),
    ))  # fmt: skip


def _data(text: str) -> bytes:
    data = text.encode()
    return b"data %d\n%b\n" % (len(data), data)


def objects(said: bytes) -> Iterator[tuple[str, str | None]]:
    """Hash and text of each object that was asked for; ("", None) for what is not."""
    while said:
        head, _, said = said.partition(b"\n")
        if head.endswith(b" missing"):
            yield "", None
            continue
        id, _, size = head.decode().split(" ")
        yield id, said[: int(size)].decode("utf-8", "replace")
        said = said[int(size) + 1 :]
