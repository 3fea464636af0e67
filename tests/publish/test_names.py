"""Names that would lead out of a build or a release."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.publish.conftest import Publish
from tests.publish.made_build import make_build

Said = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    "name",
    ["../x", "/etc/passwd", "a/../../x", "x\0y", "\ud800", "n" * 256, "a//b", ".x",
     "a/.b", "", "x\u202ey", "release.json", "SHA256SUMS", "README.txt",
     "manifest.json", "a/", " a", "a:b"],
)  # fmt: skip
def test_names_that_lead_elsewhere_are_refused(
    name: str, build: Path, dest: Path, publish: Publish, capsys: Said
) -> None:
    path = build / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["files"][name] = "0" * 64
    path.write_text(json.dumps(manifest))
    assert publish() == 2
    assert capsys.readouterr().err.startswith("error: ")
    assert not dest.exists()


@pytest.mark.parametrize("campaign", ["../..", "/etc", "..", "a/../.."])
def test_campaigns_that_lead_elsewhere_are_refused(
    campaign: str, tmp_path: Path, publish: Publish, capsys: Said
) -> None:
    about = {
        "title": "", "origin": "", "licence": None,
        "measured": {"by": "", "from": "", "to": ""}, "files": {"passwd": "0" * 64},
        "digest": "ab12",
    }  # fmt: skip
    make_build(tmp_path / "builds/small", campaigns={campaign: about})
    assert publish("--with-raw") == 2
    assert "not a safe name of a campaign" in capsys.readouterr().err
