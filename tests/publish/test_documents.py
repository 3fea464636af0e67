"""Documents that are not what they should be: told in one line, never a traceback."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from analysis.cli import main
from analysis.files import limits
from analysis.publish.build import Manifest, parse
from tests.publish.conftest import Publish
from tests.publish.killing import current_page
from tests.publish.made_build import build_id, make_build

Said = pytest.CaptureFixture[str]
BAD: dict[str, bytes] = {
    "empty": b"",
    "truncated": b'{"edition": "small", "files": {"a',
    "not UTF-8": b'{"edition": "\xff"}',
    "a zero byte": b"\0" * 40,
    "a list": b"[1]",
    "a string": b'"files"',
    "null": b"null",
    "deep": b'{"edition": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep objects": b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
    "a lone surrogate": b'{"edition": "\\ud800"}',
    "a long integer": b'{"number": ' + b"9" * 4_301 + b"}",
    "infinity": b'{"number": Infinity}',
    "nothing in it": b"{}",
}


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def as_huge(path: Path) -> None:
    with open(path, "wb") as stream:
        stream.truncate(limits.DOCUMENT_BYTES + 1)


PLACES: dict[str, Callable[[Path], None]] = {
    **{
        name: lambda path, b=content: path.write_bytes(b)
        for name, content in BAD.items()
    },
    "a folder": as_folder,
    "a loop": as_loop,
    "a pipe": as_pipe,
    "absent": Path.unlink,
    "huge": as_huge,
}
WRONG = [
    ("date", "yesterday"),
    ("date", 20261121),
    ("date", None),
    ("title", None),
    ("title", "x\x00y"),
    ("title", ["x"]),
    ("origins", "measured"),
    ("origins", [1]),
    ("files", []),
    ("files", {"a": 1}),
    ("files", None),
    ("build", 7),
    ("edition", {}),
    ("status", 1e308),
]
FEW = ("empty", "nothing in it", "a loop", "absent", "huge")


def each_place(ways: Iterable[str], first: str, *others: str) -> pytest.MarkDecorator:
    """One document spoilt in some ways, and others in few: all are read in one way."""
    cases = [(first, place) for place in ways]
    cases += [(name, place) for name in others for place in FEW]
    return pytest.mark.parametrize(
        ("name", "spoil"),
        [pytest.param(name, PLACES[at], id=f"{name} {at}") for name, at in cases],
    )


def told(said: str) -> bool:
    """Whether this is one error of ours that says where and how to mend it."""
    return said.startswith("error: ") and "\n  mend: " in said and "Trace" not in said


@pytest.fixture
def two(tmp_path: Path, publish: Publish) -> list[str]:
    """Two releases at the destination."""
    ids = []
    for text in ("one", "two"):
        ids.append(build_id(make_build(tmp_path / "builds/small", text=text)))
        assert publish() == 0
    return ids


@each_place(PLACES, "manifest.json", "provenance.json")
def test_a_spoilt_document_of_a_build_is_told(
    name: str,
    spoil: Callable[[Path], None],
    build: Path,
    dest: Path,
    publish: Publish,
    capsys: Said,
) -> None:
    spoil(build / name)
    assert publish() == 2
    assert told(capsys.readouterr().err)
    assert not dest.exists()
    assert main(["diff", str(build), str(build)]) == 2
    assert told(capsys.readouterr().err)


@pytest.mark.parametrize(("entry", "value"), WRONG)
def test_a_wrong_entry_of_a_manifest_is_told(
    entry: str, value: object, build: Path, dest: Path, publish: Publish, capsys: Said
) -> None:
    path = build / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), entry: value}))
    assert publish() == 2
    assert told(capsys.readouterr().err)
    assert not dest.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"campaigns": []},
        {"campaigns": {"lab": {"files": 1}}},
        {"campaigns": {"lab": None}},
        {"studies": {"speed": {"state": "approved"}}},
        {"studies": {"speed": {"state": 1, "moved": [], "claims": []}}},
        {"studies": {"speed": {"state": "approved", "moved": None, "claims": [0]}}},
        {"studies": {"speed": {"state": "else", "moved": [], "claims": []}}},
        {"matter": {"state": "approved"}},
        {"matter": {"state": "else", "moved": [], "asked": True}},
        {"checks": [{"severity": "error"}]},
        {"checks": 1},
        {"texts": {"a": 1}},
        {"code": {"derive": []}},
    ],
)
def test_a_wrong_entry_of_provenance_is_told(
    wrong: dict[str, object], tmp_path: Path, publish: Publish, capsys: Said
) -> None:
    build = make_build(tmp_path / "builds/small", **wrong)  # type: ignore[arg-type]
    assert publish() == 2
    said = capsys.readouterr().err
    assert told(said) and "provenance.json" in said
    assert main(["diff", str(build), str(build)]) == 2
    assert told(capsys.readouterr().err)


@each_place((*FEW, "a folder", "a pipe"), "release.json", "manifest.json", "SHA256SUMS")
def test_a_release_with_a_spoilt_document_is_never_made_current(
    name: str,
    spoil: Callable[[Path], None],
    dest: Path,
    publish: Publish,
    two: list[str],
    capsys: Said,
) -> None:
    page = current_page(dest)
    spoil(dest / "releases/small" / two[0] / name)
    capsys.readouterr()
    assert publish("--rollback") == 2
    assert told(capsys.readouterr().err)
    assert publish("--rollback", two[0]) == 2
    assert told(capsys.readouterr().err)
    assert current_page(dest) == page
    assert publish("--list") == 1
    said = capsys.readouterr().out
    assert f"{two[1]}  2" in said and said.count("damaged: ") == 1
    assert publish() == 0  # the other release is published again all the same
    assert "Traceback" not in capsys.readouterr().err


def test_a_build_whose_release_lost_its_description_is_not_published_over_it(
    dest: Path, publish: Publish, two: list[str], capsys: Said
) -> None:
    (dest / "releases/small" / two[1] / "release.json").write_text("{}")
    assert publish() == 2
    said = capsys.readouterr().err
    assert told(said) and "a folder that is no release has the name" in said


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("title", None),
        ("files", []),
        ("build", 7),
        ("published", "now"),
        ("published", "2026-13-45T00:00:00Z"),
        ("published", "2026-1-1T00:00:00Z"),
        ("draft", "no"),
        ("sequence", -1),
        ("sequence", 10**30),
        ("sequence", "first"),
        # sound as such, but not what the other lists say
        ("title", "Another title"),
        ("date", "2020-01-01"),
        ("draft", True),
        ("files", {}),
    ],
)
def test_a_release_that_is_described_otherwise_is_damaged(
    entry: str,
    value: object,
    dest: Path,
    publish: Publish,
    two: list[str],
    capsys: Said,
) -> None:
    path = dest / "releases/small" / two[0] / "release.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), entry: value}))
    assert publish("--rollback", two[0]) == 2
    assert told(capsys.readouterr().err)
    assert publish("--list") == 1
    assert "damaged: " in capsys.readouterr().out


def test_a_page_that_was_changed_in_all_lists_but_one_is_damaged(
    dest: Path, publish: Publish, two: list[str], capsys: Said
) -> None:
    import hashlib

    folder = dest / "releases/small" / two[0]
    (folder / "index.html").write_text("forged")
    digest = hashlib.sha256(b"forged").hexdigest()
    old = json.loads((folder / "manifest.json").read_text())["files"]["index.html"]
    sums = (folder / "SHA256SUMS").read_text().replace(old, digest)
    (folder / "SHA256SUMS").write_text(sums)
    about = (folder / "release.json").read_text().replace(old, digest)
    files = json.loads(about)["files"]
    about = about.replace(
        files["SHA256SUMS"], hashlib.sha256(sums.encode()).hexdigest()
    )
    (folder / "release.json").write_text(about)
    assert publish("--rollback", two[0]) == 2
    said = capsys.readouterr().err
    assert "manifest.json and SHA256SUMS disagree on index.html" in said
    assert main(["diff", str(folder), str(dest / "releases/small" / two[1])]) == 2
    said = capsys.readouterr().err
    assert "manifest.json and SHA256SUMS disagree on index.html" in said


@pytest.mark.parametrize("name", [b"x\xffy", b"new\nline", b"\x1b[2J", "ü".encode()])
def test_foreign_files_of_any_name_are_told(
    name: bytes, dest: Path, publish: Publish, two: list[str], capfd: Said
) -> None:
    folder = os.fsencode(dest / "releases/small" / two[0])
    with open(os.path.join(folder, name), "wb"):
        pass
    assert publish("--list") == 1
    said = capfd.readouterr().out
    assert "is foreign" in said and "\x1b" not in said and said.count("\n") == 2
    assert publish("--rollback") == 2
    assert told(capfd.readouterr().err)


def test_a_diff_of_a_release_reads_its_list_of_hashes(
    dest: Path, two: list[str], capsys: Said
) -> None:
    old, new = (dest / "releases/small" / id for id in two)
    assert main(["diff", str(old), str(new)]) == 0
    (old / "tables.parquet").write_bytes(b"foreign")
    assert main(["diff", str(old), str(new)]) == 0  # nothing lists it
    (old / "SHA256SUMS").write_text("no list\n")
    assert main(["diff", str(old), str(new)]) == 2
    assert "SHA256SUMS: cannot be read: not a sha256" in capsys.readouterr().err


def test_of_several_mistakes_the_first_is_told() -> None:
    with pytest.raises(ValueError, match=r"^'edition': ") as told:
        parse(b'{"edition": 1, "title": 2, "build": 3}', Manifest)
    assert "\n" not in str(told.value)
