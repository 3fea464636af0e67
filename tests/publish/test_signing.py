"""A release verifies with ``sha256sum`` and ``ssh-keygen`` alone, or says why not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from analysis.cli import main
from analysis.publish.verb import read_settings
from tests.conftest import ROOT
from tests.publish.made_build import make_build

pytestmark = pytest.mark.skipif(
    not shutil.which("ssh-keygen"),
    reason="needs ssh-keygen: apt install openssh-client",
)
COMMIT = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor Ann\n{}\nApprove\n"
SUMS, SIGNED = "SHA256SUMS", "SHA256SUMS.sig"


@dataclass(frozen=True)
class Keys:
    """Keys of SSH of several people, below one folder."""

    folder: Path

    def file(self, name: str) -> Path:
        path = self.folder / name
        if not path.is_file():
            made = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path]
            subprocess.run(made, check=True)
        return path

    def fingerprint(self, name: str) -> str:
        command = ["ssh-keygen", "-lf", self.file(name)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return done.stdout.split()[1]

    def sign(self, name: str, space: str, text: str) -> str:
        command = ["ssh-keygen", "-Y", "sign", "-q", "-f", self.file(name), "-n", space]
        done = subprocess.run(
            command, input=text, check=True, capture_output=True, text=True
        )
        return done.stdout


def publish(folder: Path, *options: str) -> int:
    return main(
        [
            "publish", f"--to={folder / 'www'}", "--builds", str(folder / "builds"),
            "--raw", str(folder / "raw"), "--report", str(folder / "report"),
            "--templates", str(ROOT / "templates"),
            "--settings", str(folder / "publish.yaml"), *options,
        ]
    )  # fmt: skip


def build_for(folder: Path, keys: Keys, **provenance: Any) -> None:
    """A build that Ann approved with her key, and her edition."""
    signature = keys.sign("ann", "git", COMMIT.format("")).rstrip("\n")
    header = "gpgsig " + signature.replace("\n", "\n ") + "\n"
    study = {
        "title": "Speed", "state": "approved", "moved": [], "claims": [], "values": {},
        "approvals": [{"by": "Ann", "on": "2026-01-01", "known": "signed",
                       "commit": COMMIT.format(header)}],
    }  # fmt: skip
    ann = {"name": "Ann Author", "key": keys.fingerprint("ann")}
    more = {"reviewers": [ann], "studies": {"speed": study}} | provenance
    make_build(folder / "builds/small", **more)
    (folder / "report/small").mkdir(parents=True, exist_ok=True)
    (folder / "report/small/edition.yaml").touch()


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    return Keys(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory, keys: Keys) -> Path:
    """A signed release; tests work on copies."""
    folder = tmp_path_factory.mktemp("signed")
    build_for(folder, keys)
    assert publish(folder, "--sign", str(keys.file("ann"))) == 0
    return (folder / "www/releases/small/current").resolve()


def verify(release: Path, *key: str) -> tuple[int, str]:
    command = ["sh", release / "verify.sh", *key]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def edit(
    name: str, old: bytes = b"", new: bytes = b"x"
) -> Callable[[Path, Keys], None]:
    def change(release: Path, keys: Keys) -> None:
        content = (release / name).read_bytes()
        assert old in content
        (release / name).write_bytes(content.replace(old, new, 1))

    return change


def remove(name: str) -> Callable[[Path, Keys], None]:
    return lambda release, keys: (release / name).unlink()


def add(name: str) -> Callable[[Path, Keys], None]:
    return lambda release, keys: (release / name).write_text("more")


def flip_a_bit(release: Path, keys: Keys) -> None:
    content = bytearray((release / "small.pdf").read_bytes())
    content[-1] ^= 1
    (release / "small.pdf").write_bytes(content)


def link(release: Path, keys: Keys) -> None:
    (release / "facts.json").rename(release.parent / "elsewhere.json")
    (release / "facts.json").symlink_to(release.parent / "elsewhere.json")


def swap(release: Path, keys: Keys) -> None:
    one, other = release / "index.html", release / "facts.json"
    contents = one.read_bytes(), other.read_bytes()
    one.write_bytes(contents[1])
    other.write_bytes(contents[0])


def relist(release: Path) -> str:
    """The list made anew over what is there now."""
    names = [line[66:] for line in (release / SUMS).read_text().splitlines()]
    command = ["sha256sum", *names]
    done = subprocess.run(command, cwd=release, check=True, capture_output=True)
    (release / SUMS).write_bytes(done.stdout)
    return done.stdout.decode()


def edit_and_list(release: Path, keys: Keys) -> None:
    edit("facts.json", b"50", b"49")(release, keys)
    relist(release)


def sign_as_another(release: Path, keys: Keys) -> None:
    edit("facts.json", b"50", b"49")(release, keys)
    signature = keys.sign("eve", "netperf-report", relist(release))
    (release / SIGNED).write_text(signature)


def sign_for_another_purpose(release: Path, keys: Keys) -> None:
    (release / SIGNED).write_text(
        keys.sign("ann", "file", (release / SUMS).read_text())
    )


def sign_another_list(release: Path, keys: Keys) -> None:
    (release / SIGNED).write_text(keys.sign("ann", "netperf-report", "another list\n"))


def approve_as_another(release: Path, keys: Keys) -> None:
    name = "approvals/speed-1.commit"
    text = (release / name).read_text()
    (release / f"{name}.sig").write_text(keys.sign("eve", "git", text))
    (release / SIGNED).write_text(keys.sign("ann", "netperf-report", relist(release)))


def edit_an_approval(release: Path, keys: Keys) -> None:
    edit("approvals/speed-1.commit", b"Ann", b"Eve")(release, keys)
    (release / SIGNED).write_text(keys.sign("ann", "netperf-report", relist(release)))


def cut_the_list(release: Path, keys: Keys) -> None:
    lines = (release / SUMS).read_text().splitlines(keepends=True)
    (release / SUMS).write_text("".join(lines[1:]))


TAMPERED: list[tuple[str, Callable[[Path, Keys], None], str]] = [
    ("a value is edited", edit("facts.json", b"50", b"49"), "facts.json: FAILED"),
    ("a bit is flipped", flip_a_bit, "small.pdf: FAILED"),
    ("a byte is appended", edit("index.html"), "index.html: FAILED"),
    ("a picture is edited", edit("figures/speed.svg"), "figures/speed.svg: FAILED"),
    ("the manifest is edited", edit("manifest.json"), "manifest.json: FAILED"),
    ("the script is edited", edit("verify.sh", b"#", b"# "), "verify.sh: FAILED"),
    ("a signer is added", edit("signers.txt"), "signers.txt: FAILED"),
    ("a file is missing", remove("data/speed.csv"), "data/speed.csv: FAILED open"),
    ("the notes are missing", remove("README.txt"), "README.txt: FAILED open"),
    ("a file is added", add("more.html"), "./more.html: not on the list"),
    ("a hidden file is added", add("data/.more"), "./data/.more: not on the list"),
    ("a file is a link", link, "./facts.json: no file"),
    ("two files are exchanged", swap, "index.html: FAILED"),
    ("a line of the list is gone", cut_the_list, "not on the list"),
    ("the list is empty", lambda r, k: (r / SUMS).write_text(""), "no good signature"),
    ("the list is missing", remove(SUMS), f"{SUMS}: no good signature"),
    ("a value and the list are edited", edit_and_list, f"{SUMS}: no good signature"),
    ("another one signed", sign_as_another, f"{SUMS}: signed by another: SHA256:"),
    ("it was signed for something else", sign_for_another_purpose, "no good signature"),
    ("another list was signed", sign_another_list, f"{SUMS}: no good signature"),
    ("the signature is cut", lambda r, k: (r / SIGNED).write_text("-"), "no good sign"),
    ("the signature is missing", remove(SIGNED), f"{SUMS}: its signature is missing"),
    ("another one approved", approve_as_another, "speed-1.commit: signed by another"),
    ("an approval is edited", edit_an_approval, "speed-1.commit: no good signature"),
]  # fmt: skip


def test_a_release_as_it_was_published_is_said_to_be_so(
    published: Path, keys: Keys
) -> None:
    for key in ((), (keys.fingerprint("ann"),)):
        code, said = verify(published, *key)
        assert code == 0, said
        ann = f"signed by {keys.fingerprint('ann')} Ann Author"
        assert f"{SUMS}: {ann}" in said and f"speed-1.commit: {ann}" in said


@pytest.mark.parametrize(
    ("change", "words"), [each[1:] for each in TAMPERED], ids=[t[0] for t in TAMPERED]
)
def test_a_tampered_release_is_told(
    published: Path, keys: Keys, tmp_path: Path, change, words: str
) -> None:
    release = tmp_path / "release"
    shutil.copytree(published, release)
    change(release, keys)
    code, said = verify(release)
    assert code == 1 and words in said, said


def test_another_signer_than_the_one_asked_for_is_told(
    published: Path, keys: Keys
) -> None:
    code, said = verify(published, keys.fingerprint("eve"))
    assert code == 1 and f"{SUMS}: signed by another" in said


def test_an_unsigned_release_says_so_everywhere(
    tmp_path: Path, keys: Keys, capsys: pytest.CaptureFixture[str]
) -> None:
    build_for(tmp_path, keys)
    assert publish(tmp_path) == 0
    assert "not signed: readers cannot tell who published it" in capsys.readouterr().out
    release = (tmp_path / "www/releases/small/current").resolve()
    code, said = verify(release)
    assert code == 0 and f"{SUMS}: not signed" in said
    code, said = verify(release, keys.fingerprint("ann"))
    assert code == 1 and "its signature is missing" in said
    assert publish(tmp_path, "--list") == 0
    assert "unsigned" in capsys.readouterr().out


def test_who_is_no_reviewer_with_a_key_does_not_sign(
    tmp_path: Path, keys: Keys, capsys: pytest.CaptureFixture[str]
) -> None:
    build_for(tmp_path, keys)
    assert publish(tmp_path, "--sign", str(keys.file("eve"))) == 2
    assert "no reviewer of small has this key: SHA256:" in capsys.readouterr().err
    assert not (tmp_path / "www").exists()
    assert publish(tmp_path, "--sign", str(tmp_path / "absent")) == 2
    assert "cannot be signed" in capsys.readouterr().err


def test_anybody_signs_where_no_reviewer_has_a_key(tmp_path: Path, keys: Keys) -> None:
    build_for(tmp_path, keys, reviewers=[], studies={})
    (tmp_path / "publish.yaml").write_text(f"sign: {keys.file('eve')}\n")
    assert read_settings(tmp_path / "publish.yaml").sign == keys.file("eve")
    assert publish(tmp_path) == 0
    release = (tmp_path / "www/releases/small/current").resolve()
    assert verify(release, keys.fingerprint("eve"))[0] == 0
    assert f"signed by {keys.fingerprint('eve')}" in verify(release)[1]
    assert publish(tmp_path, "--list") == 0


def test_a_release_that_another_signs_again_stays_as_it_was_signed(
    tmp_path: Path, keys: Keys, capsys: pytest.CaptureFixture[str]
) -> None:
    build_for(tmp_path, keys, reviewers=[], studies={})
    assert publish(tmp_path, "--sign", str(keys.file("ann"))) == 0
    release = (tmp_path / "www/releases/small/current").resolve()
    before = {path: path.read_bytes() for path in release.rglob("*") if path.is_file()}
    assert publish(tmp_path, "--sign", str(keys.file("eve"))) == 0
    assert "published before" in capsys.readouterr().out
    about = release / "release.json"
    assert all(p.read_bytes() == text for p, text in before.items() if p != about)
    assert json.loads(about.read_text())["files"] == json.loads(before[about])["files"]
    assert publish(tmp_path, "--list") == 0


def test_the_script_runs_from_elsewhere(published: Path, tmp_path: Path) -> None:
    command = ["sh", os.path.relpath(published / "verify.sh", tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True)
    assert done.returncode == 0
