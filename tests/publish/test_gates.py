"""What stops a build from being published, and says so."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from analysis.report.builds.built import begin_build, end_build
from tests.publish.conftest import Publish
from tests.publish.made_build import PAGE, make_build

FOUND = {
    "severity": "error",
    "check": "lint",
    "where": "report/small/front/preface.md:3",
    "what": "a number typed by hand",
    "mend": "write {{ value(…) }}",
}
UNFINISHED = {
    "the edition is a draft": {"status": "draft"},
    "nobody has approved it": {"state": "draft"},
    "its approval is void: text: ‘Latency’ was edited": {"state": "stale"},
    "front and back matter: nobody has approved it": {
        "matter": {"state": "draft", "moved": [], "asked": True}
    },
    "front and back matter: its approval is void: edition › title moved": {
        "matter": {"state": "stale", "moved": ["edition › title moved"], "asked": True}
    },
    "the look of the pages: its approval is void: templates/house.css changed": {
        "look": {"state": "stale", "moved": ["templates/house.css changed"]}
    },
    "the templates changed since this build: templates/": {"looks": {}},
    "a claim fails: latency falls (−5%)": {"claim": "fails"},
    "a number typed by hand": {"checks": [FOUND]},
    "a sentence of the scaffold": {
        "checks": [
            FOUND | {"severity": "held", "what": "a sentence of the scaffold: 'say …'"}
        ]
    },
}
WEB = "https://example.com"
UNSAFE = {
    "a link to nothing: #gone": '<a href="#gone">x</a>',
    "a link to a file that is not there: gone.csv": '<a href="gone.csv">x</a>',
    "a link with an unknown scheme: file:///x": '<a href="file:///x">x</a>',
    f"<script> asks for {WEB}/a.js": f'<script src="{WEB}/a.js"></script>',
    f"<link> asks for {WEB}/a.css": f'<link rel="stylesheet" href="{WEB}/a.css">',
    f"<img> asks for {WEB}/a.png": f'<img src="{WEB}/a.png" alt="a">',
    f"a style asks for {WEB}/a": f"<style>a {{{{ src: url({WEB}/a) }}}}</style>",
    "a script may ask the network: fetch(": "<script>fetch('/x')</script>",
    "may run or load something: onclick of <p>": '<p onclick="x()">x</p>',
    "a script in an attribute: href of <a>": '<a href="javascript:x()">x</a>',
    "may run or load something: <iframe>": '<iframe srcdoc="x"></iframe>',
    "the page's policy does not list": "<script>x()</script>",
    "an image without an alt text": '<img src="data:image/png;base64,AA==">',
    "a drawing without an alt text": "<svg><rect/></svg>",
}


@pytest.mark.parametrize("reason", UNFINISHED)
def test_an_unfinished_build_is_not_published(
    reason: str,
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make_build(tmp_path / "builds" / "small", **UNFINISHED[reason])
    assert publish() == 2
    said = capsys.readouterr().err
    assert reason in said and "mend:" in said
    assert not dest.exists()


def test_all_reasons_are_listed_at_once(
    tmp_path: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    make_build(tmp_path / "builds" / "small", state="stale", status="draft")
    assert publish() == 2
    said = capsys.readouterr().err
    assert "the edition is a draft" in said and "its approval is void" in said


@pytest.mark.parametrize("reason", UNSAFE)
@pytest.mark.parametrize("option", ["", "--draft"])
def test_an_unsafe_page_is_never_published(
    reason: str,
    option: str,
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = PAGE.replace("<p>{text}</p>", UNSAFE[reason])
    make_build(
        tmp_path / "builds" / "small", page=page, banner="Draft: not reviewed yet."
    )
    assert publish(*filter(None, [option])) == 2
    assert reason in capsys.readouterr().err
    assert not dest.exists()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("figures/a.svg", b'<svg onload="x()"/>', "a.svg: an attribute that may run"),
        ("figures/a.SVG", b"<svg><script/></svg>", "a.SVG: a script in a drawing"),
        ("other.html", b"<p onclick='x()'>x</p>", "other.html: an attribute that may"),
        ("other.htm", b"<p>x</p>", "other.htm: a page without a policy"),
        ("other.html", b"", "other.html: not a page that can be read"),
    ],
)
def test_every_page_and_drawing_of_a_build_is_checked(
    name: str,
    content: bytes,
    reason: str,
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make_build(tmp_path / "builds" / "small", files={name: content})
    assert publish() == 2
    assert reason in capsys.readouterr().err
    assert not dest.exists()


def test_a_marked_draft_is_published_on_demand(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    make_build(
        tmp_path / "builds" / "small",
        state="draft",
        status="draft",
        banner="Draft: not reviewed yet.",
    )
    assert publish("--draft") == 0
    current = dest / "releases/small/current"
    assert "Draft" in (current / "index.html").read_text()
    assert json.loads((current / "release.json").read_text())["draft"] is True
    assert '<span class="banner">draft</span>' in (dest / "index.html").read_text()


def test_a_draft_whose_pages_do_not_say_so_stays_here(
    tmp_path: Path, dest: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    make_build(tmp_path / "builds" / "small", state="stale")
    assert publish("--draft") == 2
    assert "the pages do not say that they are a draft" in capsys.readouterr().err
    assert not dest.exists()


def test_what_was_changed_after_the_build_stays_here(
    build: Path, dest: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    (build / "index.html").write_text("<p>something else</p>")
    assert publish() == 2
    said = capsys.readouterr().err
    assert "index.html: not the file that was built" in said
    assert not dest.exists()


def test_a_file_is_only_published_if_the_manifest_names_it(
    build: Path, dest: Path, publish: Publish
) -> None:
    (build / "notes-to-self.txt").write_text("secret")
    assert publish() == 0
    assert not list(dest.rglob("notes-to-self.txt"))


@pytest.mark.parametrize(
    "name",
    ["../x", "/etc/passwd", "a/../../x", "x\0y", "\ud800", "n" * 256, "a//b", ".x",
     "a/.b", "", "x\u202ey", "release.json", "SHA256SUMS", "README.txt",
     "manifest.json", "a/", " a", "a:b"],
)  # fmt: skip
def test_names_that_lead_elsewhere_are_refused(
    name: str,
    build: Path,
    dest: Path,
    publish: Publish,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = build / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["files"][name] = "0" * 64
    path.write_text(json.dumps(manifest))
    assert publish() == 2
    said = capsys.readouterr().err  # JSON has no lone half of a pair at all
    assert said.startswith("error: ") and (
        name in said or repr(name) in said or "\ud800" in name
    )
    assert not dest.exists()


@pytest.mark.parametrize("campaign", ["../..", "/etc", "..", "a/../.."])
def test_campaigns_that_lead_elsewhere_are_refused(
    campaign: str, tmp_path: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    about = {
        "title": "", "origin": "", "licence": None,
        "measured": {"by": "", "from": "", "to": ""}, "files": {"passwd": "0" * 64},
        "digest": "ab12",
    }  # fmt: skip
    make_build(tmp_path / "builds/small", campaigns={campaign: about})
    assert publish("--with-raw") == 2
    assert "not a safe name of a campaign" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("entry", "value"), [("edition", "../x"), ("edition", "a/b"), ("build", "..")]
)
def test_ids_that_lead_elsewhere_are_refused(
    entry: str,
    value: str,
    build: Path,
    dest: Path,
    publish: Publish,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = build / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {entry: value}))
    assert publish() == 2
    assert f"not a safe {entry}" in capsys.readouterr().err
    assert not dest.exists()


def test_a_link_out_of_the_build_is_refused(
    tmp_path: Path, build: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_bytes((build / "data/speed.csv").read_bytes())
    (build / "data/speed.csv").unlink()
    (build / "data/speed.csv").symlink_to(secret)
    assert publish() == 2
    assert "a link to outside of the build" in capsys.readouterr().err


def test_traces_of_the_machine_are_refused(
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "build-host-7")
    make_build(tmp_path / "builds" / "small", text="made on build-host-7")
    assert publish() == 2
    assert "contains the name of this host: build-host-7" in capsys.readouterr().err
    assert not dest.exists()


def test_nothing_built_says_what_to_do(
    publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish() == 2
    assert "run 'make report' first" in capsys.readouterr().err


def test_a_build_of_which_a_later_one_failed_is_published_if_asked_for(
    tmp_path: Path, dest: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    builds = tmp_path / "builds"
    make_build(builds / "small")
    begin_build(builds, "small")
    os.utime(builds / "small/manifest.json", (time.time() - 7300, time.time() - 7300))
    os.utime(builds / ".begun/small", (time.time() - 190, time.time() - 190))
    assert publish() == 2
    said = capsys.readouterr().err
    assert "a later build of small began at " in said
    assert "3 minutes ago, and did not finish" in said
    assert "was made 2 hours ago" in said
    assert "run 'make report'" in said
    assert publish("--old") == 0
    end_build(builds, "small")
    assert publish() == 0
