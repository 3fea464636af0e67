"""A build, a destination, and the verb that brings one to the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.cli import main
from analysis.publish.destination import LocalDestination
from analysis.publish.release import read_shelf
from tests.conftest import ROOT
from tests.publish.made_build import build_id, make_build

Publish = Callable[..., int]


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """A finished, approved build."""
    return make_build(tmp_path / "builds" / "small")


@pytest.fixture(autouse=True)
def edition(tmp_path: Path) -> Path:
    """The declaration of the edition that is built."""
    path = tmp_path / "report/small/edition.yaml"
    path.parent.mkdir(parents=True)
    path.touch()
    return path


@pytest.fixture
def dest(tmp_path: Path) -> Path:
    """Where to publish; the folder above is there, it is not."""
    return tmp_path / "www"


@pytest.fixture
def publish(tmp_path: Path, dest: Path) -> Publish:
    """The verb with this test's folders; returns its exit code."""

    def run(*options: str, to: str | Path = dest) -> int:
        return main(
            [
                "publish", f"--to={to}", "--builds", str(tmp_path / "builds"),
                "--raw", str(tmp_path / "raw"), "--report", str(tmp_path / "report"),
                "--templates", str(ROOT / "templates"),
                "--settings", str(tmp_path / "publish.yaml"), *options,
            ]
        )  # fmt: skip

    return run


def publish_three(tmp_path: Path, publish: Publish) -> list[str]:
    """Three releases, and a build to come; the ids of all four."""
    ids = []
    for text in ("one", "two", "three", "four"):
        ids.append(build_id(make_build(tmp_path / "builds/small", text=text)))
        if text != "four":
            assert publish() == 0
    return ids


def current(dest: Path) -> str | None:
    """The id of the release that is the current one of the small edition."""
    releases = read_shelf(LocalDestination(dest)).of("small")
    return next((release.build for release in releases if release.current), None)
