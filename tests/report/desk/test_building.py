"""A desk that builds meanwhile says what is not built yet, and takes up what is."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path

import pytest

from analysis.report.builds.built import BUILDS, begin_build, end_build
from analysis.report.desk import verb
from tests.report.desk.conftest import Office


class Build:
    """A build that runs until it is told its end."""

    code: int | None = None
    asked = ""
    sent: int | None = None

    def poll(self) -> int | None:
        return self.code

    def send_signal(self, number: int) -> None:
        self.sent = number

    def wait(self) -> None:
        self.code = 130


def test_what_is_being_built_is_on_the_list(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = Build()

    def start(editions: str, _engine: str, apart: bool) -> Build:
        build.asked = editions
        assert apart  # or Ctrl-C would end the desk in the middle
        return build

    monkeypatch.setattr(verb, "start", start)
    monkeypatch.chdir(tmp_path)
    begin_build(BUILDS, "small")
    args = argparse.Namespace(build=["small"], engine="")
    with verb._build(office.desk, args):
        assert build.asked == "small"
        assert "Being built: small. Until then" in office.client.get("")[1]
        build.code = 2
        assert "The build failed" in office.client.get("")[1]
        end_build(BUILDS, "small")
        build.code = 0
        assert office.desk.building() == ""
        build.code = None
    assert (build.sent, build.code) == (signal.SIGINT, 130)
    with verb._build(office.desk, argparse.Namespace(build=None)):
        assert build.sent == signal.SIGINT


def test_new_figures_come_to_the_page(office: Office) -> None:
    office.client.get("e/small/")
    stage, sources = office.desk.lives["small"].stage, office.project
    version, figures = stage.version, sources.figures.absolute()
    office.desk.take_up({figures / "latency/figure.svg"}, sources.facts, figures)
    assert stage.version == version + 1
