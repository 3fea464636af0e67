"""What a release consists of and what makes one damaged: by builds made by hand."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.errors import UserError
from analysis.publish.build import Build, parse_sums, read_build, safe_name
from analysis.publish.bundle import make_bundle
from analysis.publish.destination import NO_FILE, UNREADABLE
from analysis.publish.release import (
    Release,
    check_release,
    damage,
    differences,
    short_list,
)
from tests.conftest import ROOT
from tests.publish.made_build import make_build

AT = "2026-01-01T00:00:00Z"
LAB = {
    "title": "A laboratory", "origin": "measured", "licence": None,
    "measured": {"by": "us", "from": "2026-01-12", "to": "2026-01-16"},
}  # fmt: skip


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def build(folder: Path, raw: dict[str, str] | None = None, **manifest: Any) -> Build:
    told = {
        "edition": "small", "build": "1a", "title": "T", "date": "2026-01-01",
        "status": "final", "formats": {"html": "index.html"},
    } | manifest  # fmt: skip
    (folder / "b").mkdir(parents=True)
    (folder / "b/manifest.json").write_text("{}")
    (folder / "b/index.html").write_text("page")
    files = {"index.html": sha("page")}
    campaigns = {"lab": LAB | {"files": raw or {}}}
    return Build(folder / "b", "small", "1a", files, told, {"campaigns": campaigns})


def bundled(tmp_path: Path, made: Build, raw: Path | None = None):
    return make_bundle(made, AT, tmp_path / "scratch", raw)


@pytest.mark.parametrize("status", ["final", None])
def test_a_bundle_has_its_files_hashes_and_description(tmp_path: Path, status) -> None:
    found = bundled(tmp_path, build(tmp_path, status=status))
    hashes = found.release.files
    names = [
        "README.txt", "SHA256SUMS", "index.html", "manifest.json",
        "ro-crate-metadata.json", "signers.txt",
        "verify.sh", "workflow/Snakefile",
    ]  # fmt: skip
    assert [*found.files] == [*hashes] == names
    for name, path in found.files.items():
        assert sha(path.read_text("utf-8")) == hashes[name]
    told = {name: hashes[name] for name in names if name != "SHA256SUMS"}
    sums = parse_sums(found.files["SHA256SUMS"].read_bytes())
    assert sums == told and [*sums] == sorted(sums)
    assert json.loads(found.release.model_dump_json()) == {
        "edition": "small", "build": "1a", "title": "T", "subtitle": None,
        "headline": None, "date": "2026-01-01", "year": None, "number": None,
        "status": status, "origins": None, "formats": {"html": "index.html"},
        "schema": 1,
        "published": AT, "draft": status is None, "news": None, "sequence": 0,
        "files": hashes,
    }  # fmt: skip


def test_a_release_names_the_commit_and_says_what_is_in_none(tmp_path: Path) -> None:
    made, report = build(tmp_path), tmp_path / "project/report"
    report.mkdir(parents=True)
    (report / "edition.yaml").write_text("title: One\n")

    def named() -> str:
        found = make_bundle(made, AT, tmp_path / "scratch", report=report)
        [line] = re.findall(
            "^  commit +(.*)$", found.files["README.txt"].read_text(), re.M
        )
        return line

    def git(*words: str) -> str:
        command = ["git", "-c", "user.name=A", "-c", "user.email=a@b", *words]
        return subprocess.run(
            command, cwd=report.parent, check=True, capture_output=True, text=True
        ).stdout.strip()

    assert named() == "not known"
    git("init", "-q")
    assert named() == "not known"
    git("add", ".")
    git("commit", "-qm", "Begin")
    assert named() == git("rev-parse", "HEAD")
    (report / "edition.yaml").write_text("title: Other\n")
    assert named() == f"{git('rev-parse', 'HEAD')} with changes that are in no commit"


@pytest.mark.parametrize("licence", [None, "CC0"])
def test_the_notes_say_what_is_there_and_whose_it_is(tmp_path: Path, licence) -> None:
    made = build(tmp_path, formats={"html": "index.html", "pdf": "a.pdf"})
    made.provenance["campaigns"]["lab"]["licence"] = licence
    notes = bundled(tmp_path, made).files["README.txt"].read_text("utf-8")
    assert notes.startswith("T\nEdition small, build 1a\n\nindex.html ")
    assert notes.endswith(
        "\n\nWhere the data are from:\n  lab: A laboratory\n    origin: measured\n"
        "    digest: not known\n"
        "    by us, 2026-01-12 to 2026-01-16\n"
        f"    licence: {licence or 'not declared; ask before passing on'}\n"
    )
    assert "raw/" not in notes and "index.html is the report." in notes
    made.files["a.pdf"] = sha("")  # type: ignore[index]
    (made.folder / "a.pdf").touch()
    both = bundled(tmp_path, made, tmp_path).files["README.txt"].read_text("utf-8")
    assert "index.html and a.pdf are the report." in both
    assert "\n  raw/             the raw files\n" in both


def test_raw_files_come_along_where_they_are_those_of_the_build(tmp_path: Path) -> None:
    raw = {"log.txt": sha("log"), "b/log.txt": sha("b")}
    made = build(tmp_path, raw)
    (tmp_path / "raw/lab/b").mkdir(parents=True)
    (tmp_path / "raw/lab/log.txt").write_text("log")
    (tmp_path / "raw/lab/b/log.txt").write_text("b")
    found = bundled(tmp_path, made, tmp_path / "raw")
    for name, digest in raw.items():
        assert found.release.files[f"raw/lab/{name}"] == digest
        assert found.files[f"raw/lab/{name}"] == tmp_path / "raw/lab" / name


def test_raw_files_that_are_not_those_of_the_build_are_all_told(tmp_path: Path) -> None:
    names = ("absent", "edited", "folder", ".hidden", "link")
    made = build(tmp_path, dict.fromkeys(names, sha("x")))
    place = tmp_path / "raw/lab"
    (place / "folder").mkdir(parents=True)
    (place / "edited").write_text("y")
    (tmp_path / "x").write_text("x")
    (place / "link").symlink_to(tmp_path / "x")
    with pytest.raises(UserError) as caught:
        bundled(tmp_path, made, tmp_path / "raw")
    told = [(Path(i.where.file).name, i.what) for i in caught.value.issues]
    other, unsafe = "not the file of this build", "not a safe name to publish"
    assert told == [
        ("absent", other), ("edited", other), ("folder", other), (".hidden", unsafe),
        ("link", unsafe),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("a", True), ("a/b.c", True), ("x" * 255, True), ("x" * 256, False),
        ("é" * 127, True), ("é" * 128, False), ("", False), ("a//b", False),
        ("/a", False), ("a/", False), (".a", False), ("a/.b", False), ("..", False),
        (" a", False), ("a /b", False), ("a:b", False), ("a\\b", False),
        ("a\nb", False),
        ("a?b", False), ("a\u202eb", False), ("a b", True),
    ],
)  # fmt: skip
def test_names_that_suit_every_server(name: str, safe: bool) -> None:
    assert safe_name(name) is safe


@pytest.mark.parametrize(
    ("found", "wanted", "said"),
    [
        ({"a": "1"}, {"a": "1"}, []),
        ({"a": "1", "release.json": "9"}, {"a": "1"}, []),
        ({}, {"b": "1", "a": "1"}, ["a is missing", "b is missing"]),
        ({"a": "2"}, {"a": "1"}, ["a is not the same"]),
        ({"a": NO_FILE, "b": UNREADABLE}, {"a": "1", "b": "1"},
         ["a is no file", "b cannot be read"]),
        ({"x\n": "1", "b": "1"}, {"b": "1"}, ["'x\\n' is foreign"]),
    ],
)  # fmt: skip
def test_how_files_differ_from_their_list(found, wanted, said) -> None:
    assert differences(found, wanted) == said


PATH = "releases/small/1a"
ABOUT = {
    "edition": "small", "build": "1a", "title": "T", "subtitle": None,
    "date": "2026-01-01", "number": None, "status": "final", "origins": None,
    "formats": {}, "draft": False,
}  # fmt: skip


def lists(**manifest: Any) -> tuple[dict[str, str], dict[str, bytes]]:
    """Hashes that are there, and the lists of a release that agree with them."""
    page = sha("page")
    told = {n: v for n, v in ABOUT.items() if n != "draft" and v is not None}
    text = json.dumps(told | {"files": {"index.html": page}} | manifest)
    sums = f"{page}  index.html\n{sha(text)}  manifest.json\n"
    hashes = {"index.html": page, "manifest.json": sha(text), "SHA256SUMS": sha(sums)}
    contents = {f"{PATH}/SHA256SUMS": sums, f"{PATH}/manifest.json": text}
    return hashes, {name: text.encode() for name, text in contents.items()}


def shelf_at(hashes: dict[str, str], contents: dict[str, bytes]) -> Any:
    """A destination with one release."""
    return SimpleNamespace(
        name="/srv", read=lambda names: contents,
        hashes=lambda path: {
            f"{PATH}/{name}".removeprefix(f"{path}/"): digest
            for name, digest in hashes.items()
        },
    )  # fmt: skip


def released(hashes: dict[str, str], **about: Any) -> Release:
    return Release.model_construct(**(ABOUT | {"files": hashes} | about))


def damage_of(release: Release, hashes: Any, contents: Any) -> list[str]:
    return damage(shelf_at(hashes, contents), [release]).get(PATH, ["gone"])


def damaged(about: dict | None = None, **manifest: Any) -> list[str]:
    hashes, contents = lists(**manifest)
    release = released(hashes, **(about or {}))
    return damage_of(release, hashes, contents)


def test_lists_that_agree_are_no_damage() -> None:
    assert damaged() == []


@pytest.mark.parametrize("name", [name for name in ABOUT if name != "draft"])
def test_what_two_documents_tell_otherwise_is_damage(name: str) -> None:
    other: Any = {"formats": {"pdf": "x.pdf"}, "origins": ["x"]}.get(name, "2027-01-01")
    said = f"release.json and manifest.json disagree on the {name}"
    of_path = name in ("edition", "build")  # of a release they name its folder
    assert (damaged(**{name: other}) if of_path else damaged({name: other})) == [said]


def test_a_draft_is_what_is_not_final() -> None:
    said = "release.json and manifest.json disagree on the draft"
    assert damaged({"draft": True}) == [said]
    assert damaged({"status": "draft", "draft": True}, status="draft") == []


def test_hashes_that_disagree_are_damage() -> None:
    hashes, contents = lists()
    release = released(hashes)
    other = lists(files={"index.html": sha("other")})
    told = damage_of(released(other[0]), *other)
    assert told == ["manifest.json and SHA256SUMS disagree on index.html"]
    for bad in (b"", b"x"):
        spoilt = contents | {f"{PATH}/SHA256SUMS": bad}
        (said,) = damage_of(release, hashes, spoilt)
        assert said.startswith("SHA256SUMS or manifest.json cannot be read: ")
    less = contents[f"{PATH}/SHA256SUMS"].split(b"\n", 1)[1]
    told = damage_of(release, hashes, contents | {f"{PATH}/SHA256SUMS": less})
    assert told == [
        "release.json and SHA256SUMS disagree on index.html",
        "manifest.json and SHA256SUMS disagree on index.html",
    ]


def test_damage_is_told_with_its_place() -> None:
    hashes, contents = lists()
    release = released(hashes)
    check_release(shelf_at(hashes, contents), release)
    lost = shelf_at(hashes | {"index.html": "0"}, contents)
    assert damage(lost, [release]) == {PATH: ["index.html is not the same"]}
    with pytest.raises(UserError, match=f"/srv/{PATH}: this release is damaged: index"):
        check_release(lost, release)
    gone = shelf_at({}, contents)
    with pytest.raises(UserError, match="damaged: nothing is in it"):
        check_release(gone, release)
    assert damage(gone, [release]) == {}  # while one lists, another may remove


@pytest.mark.parametrize(
    ("names", "words"),
    [("a", "a"), ("abc", "a, b, c"), ("abcd", "a, b, c and 1 more"),
     ("abcde", "a, b, c and 2 more")],
)  # fmt: skip
def test_three_are_named_and_the_others_counted(names: str, words: str) -> None:
    assert short_list(list(names)) == words


@pytest.mark.parametrize("campaigns", [("linux-veth",), ()])
def test_a_release_with_raw_files_declares_what_it_borrows_if_it_has_all_of_it(
    tmp_path: Path, campaigns: tuple[str, ...]
) -> None:
    about = LAB | {"digest": "0" * 16, "files": {}}
    made = make_build(
        tmp_path / "build",
        edition="linux-veth-talk",
        campaigns=dict.fromkeys(campaigns, about),
    )
    bundle = make_bundle(
        read_build(made), AT, tmp_path / "scratch", ROOT / "raw", None,
        ROOT / "report",
    )  # fmt: skip
    declared = {
        f"source/report/{name}/edition.yaml"
        for name in ("linux-veth", "linux-veth-talk")
    }
    assert declared & bundle.files.keys() == (declared if campaigns else set())
