"""Releases at a folder: complete, permanent, current, rolled back, removed."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from analysis.publish.destination import LocalDestination, as_user_errors
from tests.conftest import ROOT
from tests.publish.conftest import Publish, current
from tests.publish.made_build import build_id, make_build


def releases(dest: Path) -> list[str]:
    """Names in the edition's folder."""
    return sorted(os.listdir(dest / "releases/small"))


def rebuild(tmp_path: Path, text: str) -> str:
    """Another build of the edition in place of the last; its id."""
    return build_id(make_build(tmp_path / "builds" / "small", text=text))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each publication is a minute after the last."""
    import datetime as dt

    class Clock(dt.datetime):
        minutes = 0

        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:
            cls.minutes += 1
            start = dt.datetime(2026, 11, 21, 12, tzinfo=tz)
            return start + dt.timedelta(minutes=cls.minutes)

    monkeypatch.setattr("analysis.publish.publication.dt.datetime", Clock)


def test_a_release_is_whole_and_current(
    build: Path, dest: Path, publish: Publish
) -> None:
    assert publish() == 0
    id = build_id(build)
    assert releases(dest) == sorted([id, "current"])
    assert os.readlink(dest / "releases/small/current") == id
    folder = dest / "releases/small" / id
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ", 1)
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    for name in ("facts.json", "provenance.json", "data/speed.csv", "manifest.json"):
        assert (folder / name).is_file()
    assert "licence: as the project" in (folder / "README.txt").read_text()
    page = (dest / "index.html").read_text()
    assert f"releases/small/{id}/index.html" in page
    assert "releases/small/current/index.html" in page


def test_modes_fit_a_web_root_whatever_the_umask(
    build: Path, dest: Path, publish: Publish
) -> None:
    before = os.umask(0o077)
    try:
        assert publish() == 0
    finally:
        os.umask(before)
    for path in (dest, *dest.rglob("*")):
        if not path.is_symlink():
            wanted = 0o755 if path.is_dir() else 0o644
            assert stat.S_IMODE(path.stat().st_mode) == wanted, path


def test_a_build_published_twice_is_there_once(
    build: Path, dest: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish() == publish() == 0
    assert [
        line.partition(": ")[2]
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("small")
    ] == [
        "published, 13 files",
        "published before, and is the current one again, 13 files",
    ]
    assert releases(dest) == sorted([build_id(build), "current"])


@pytest.mark.usefixtures("clock")
def test_rolling_back_and_forth(tmp_path: Path, dest: Path, publish: Publish) -> None:
    ids = []
    for text in ("one", "two", "three"):
        ids.append(rebuild(tmp_path, text))
        assert publish() == 0
    assert current(dest) == ids[2]
    assert publish("--rollback") == 0
    assert current(dest) == ids[1]
    assert publish("--rollback") == 0
    assert current(dest) == ids[0]
    assert publish("--rollback", ids[2]) == 0
    assert current(dest) == ids[2]
    assert "two" in (dest / f"releases/small/{ids[1]}/index.html").read_text()


@pytest.mark.usefixtures("clock")
def test_the_oldest_has_nothing_before_it(
    build: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish() == 0
    assert publish("--rollback") == 2
    assert "there is no release to roll back to" in capsys.readouterr().err


@pytest.mark.usefixtures("clock")
def test_old_releases_go_and_the_current_one_never(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    ids = []
    for text in ("one", "two", "three"):
        ids.append(rebuild(tmp_path, text))
        assert publish() == 0
    assert publish("--rollback", ids[0]) == 0
    ids.append(rebuild(tmp_path, "four"))
    assert publish("--keep", "2") == 0
    assert releases(dest) == sorted([ids[2], ids[3], "current"])
    page = (dest / "index.html").read_text()
    assert ids[3] in page and ids[0] not in page


def test_keeping_none_is_refused(
    build: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish("--keep", "0") == 2
    assert "mend: write a whole number of 1 or more" in capsys.readouterr().err


@pytest.mark.usefixtures("clock")
def test_the_list_names_every_release(
    tmp_path: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish("--list") == 0
    assert "nothing is published" in capsys.readouterr().out
    first = rebuild(tmp_path, "one")
    publish()
    second = rebuild(tmp_path, "two")
    publish()
    capsys.readouterr()
    assert publish("--list") == 0
    assert capsys.readouterr().out.splitlines() == [
        f"small  {second}  2026-11-21T12:02:00Z  final  unsigned  current",
        f"small  {first}  2026-11-21T12:01:00Z  final  unsigned",
    ]


def test_a_dry_run_writes_nothing(
    build: Path, dest: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish("--dry-run") == 0
    assert build_id(build) in capsys.readouterr().out
    assert not dest.exists()


def test_without_symbolic_links_a_small_page_leads_there(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    (tmp_path / "publish.yaml").write_text("links: false\n")
    first = rebuild(tmp_path, "one")
    assert publish() == 0
    second = rebuild(tmp_path, "two")
    assert publish() == 0
    pointer = dest / "releases/small/current/index.html"
    assert not pointer.parent.is_symlink()
    assert f"url=../{second}/index.html" in pointer.read_text()
    assert publish("--rollback", first) == 0
    assert current(dest) == first


def test_a_share_that_has_no_links_any_more_has_a_page_instead(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    first, current_place = rebuild(tmp_path, "one"), dest / "releases/small/current"
    assert publish() == 0
    page = (current_place / "index.html").read_bytes()
    (tmp_path / "publish.yaml").write_text("links: false\n")
    second = rebuild(tmp_path, "two")
    assert publish() == 0
    assert not current_place.is_symlink() and current(dest) == second
    assert (dest / f"releases/small/{first}/index.html").read_bytes() == page


def test_raw_files_come_along_on_demand(
    tmp_path: Path, dest: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "raw/lab/A(1)/log.txt"
    log.parent.mkdir(parents=True)
    log.write_text("uperf")
    digest = hashlib.sha256(b"uperf").hexdigest()
    build = make_build(tmp_path / "builds" / "small", raw={"A(1)/log.txt": digest})
    assert publish("--with-raw") == 0
    place = dest / "releases/small" / build_id(build) / "raw/lab/A(1)/log.txt"
    assert place.read_text() == "uperf"
    log.write_text("edited")
    assert publish("--with-raw") == 2
    assert "not made from the files of" in capsys.readouterr().err


def test_raw_files_come_along_where_the_pages_lead_to_them(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    log = tmp_path / "raw/lab/A(1)/log.txt"
    log.parent.mkdir(parents=True)
    log.write_text("uperf")
    digest = hashlib.sha256(b"uperf").hexdigest()
    build = make_build(tmp_path / "builds" / "small", raw={"A(1)/log.txt": digest})
    manifest = build / "manifest.json"
    told = json.loads(manifest.read_text()) | {"raw_files": True}
    manifest.write_text(json.dumps(told))
    assert publish() == 0
    place = dest / "releases/small" / build_id(build) / "raw/lab/A(1)/log.txt"
    assert hashlib.sha256(place.read_bytes()).hexdigest() == digest


def test_settings_of_the_project_are_checked(
    tmp_path: Path, build: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "publish.yaml").write_text("keep: 3\ndestinaton: /srv\n")
    assert publish() == 2
    said = capsys.readouterr().err
    assert "publish.yaml:2" in said and "there is no such entry" in said


def test_a_second_publisher_waits_or_is_told(
    build: Path, dest: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    with LocalDestination(dest).lock(0):
        assert publish("--wait", "0.1") == 2
        said = capsys.readouterr().err
        assert "someone else publishes here now; waited 0.1 s" in said
        other = subprocess.Popen(
            [sys.executable, "-m", "analysis", "publish", "--to", str(dest),
             "--builds", str(build.parent), "--wait", "60",
             "--report", str(build.parent.with_name("report"))],
            cwd=ROOT, stdout=subprocess.PIPE,
        )  # fmt: skip
        with pytest.raises(subprocess.TimeoutExpired):
            other.wait(timeout=1.5)
        assert not (dest / "releases").exists()
    assert other.wait(timeout=30) == 0
    assert current(dest) == build_id(build)
    assert other.stdout
    other.stdout.close()


def test_a_damaged_release_is_told_and_never_made_current(
    tmp_path: Path, dest: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    first = rebuild(tmp_path, "one")
    publish()
    second = rebuild(tmp_path, "two")
    publish()
    (dest / f"releases/small/{first}/facts.json").write_text("{}")
    assert publish("--rollback", first) == 2
    said = capsys.readouterr().err
    assert "this release is damaged: facts.json is not the same" in said
    assert current(dest) == second
    rebuild(tmp_path, "one")
    assert publish() == 2
    assert current(dest) == second


@pytest.mark.parametrize(
    "path", ["index.html", "releases", "releases/small/current/index.html"]
)
def test_foreign_files_in_the_way_stay(
    path: str,
    build: Path,
    dest: Path,
    publish: Publish,
    capsys: pytest.CaptureFixture[str],
) -> None:
    foreign = dest / path
    foreign.parent.mkdir(parents=True)
    foreign.write_text("the home page of another team")
    assert publish() == 2
    assert "stands in the way" in capsys.readouterr().err
    assert foreign.read_text() == "the home page of another team"
    assert not list(dest.rglob("manifest.json"))


def test_a_destination_that_is_gone_is_told(
    build: Path, tmp_path: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish(to=tmp_path / "not/mounted") == 2
    assert "see that it is mounted" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "ftp://host/www", "host:", "-oProxy=x:/y"])
def test_destinations_that_mean_nothing(
    text: str, build: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish(to=text) == 2
    assert "error: " in capsys.readouterr().err


class Full(LocalDestination):
    """A folder that is full after some files."""

    def upload(self, files: Mapping[str, Path], folder: str) -> None:
        """Copy one file, then fail as a full disk does."""
        super().upload(dict(list(files.items())[:1]), folder)
        with as_user_errors(self.root):
            raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_destination_keeps_the_old_release(
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = rebuild(tmp_path, "one")
    assert publish() == 0
    rebuild(tmp_path, "two")
    with monkeypatch.context() as patched:
        patched.setattr(
            "analysis.publish.verb.choose_destination", lambda *_: Full(dest)
        )
        assert publish() == 2
    assert "no space left on device" in capsys.readouterr().err
    assert current(dest) == first
    assert publish() == 0
    assert os.listdir(dest / ".publish") == []


def test_what_arrives_changed_is_not_released(
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Flipping(LocalDestination):
        def upload(self, files: Mapping[str, Path], folder: str) -> None:
            super().upload(files, folder)
            page = self.root / folder / second / "index.html"
            page.write_bytes(page.read_bytes().replace(b"two", b"tvo"))

    first = rebuild(tmp_path, "one")
    assert publish() == 0
    second = rebuild(tmp_path, "two")
    monkeypatch.setattr(
        "analysis.publish.verb.choose_destination", lambda *_: Flipping(dest)
    )
    assert publish() == 2
    said = capsys.readouterr().err
    assert f"what arrived is not what was sent: {second}/index.html is not" in said
    assert releases(dest) == sorted([first, "current"])


def test_release_json_has_nothing_of_the_machine(
    build: Path, dest: Path, publish: Publish
) -> None:
    publish()
    about = json.loads((dest / "releases/small/current/release.json").read_text())
    assert set(about) == {
        "edition", "build", "title", "subtitle", "headline", "date", "year", "number",
        "status", "origins", "formats",
        "schema", "published", "news", "draft", "files", "sequence",
    }  # fmt: skip


def test_a_release_that_claims_to_be_the_last_of_all_stops_none(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    """As ``sequence`` in release.json is in no list of hashes."""
    ids = []
    for text in ("one", "two", "three"):
        ids.append(build_id(make_build(tmp_path / "builds/small", text=text)))
        assert publish() == 0
        path = dest / f"releases/small/{ids[-1]}/release.json"
        about = json.loads(path.read_text())
        path.write_text(json.dumps(about | {"sequence": 2**53 - 1}))
        assert publish("--list") == 0
    assert publish("--rollback", ids[0]) == 0
