"""Which builds are published, and words of the command line that will not do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.publish.conftest import Publish
from tests.publish.made_build import make_build

Said = pytest.CaptureFixture[str]


def test_a_build_whose_edition_is_gone_is_left_out(
    build: Path, dest: Path, publish: Publish, capsys: Said
) -> None:
    gone = make_build(build.with_name("gone"), edition="gone")
    assert publish() == 0
    assert capsys.readouterr().out.count(f"note: {gone} is left out") == 1
    assert [path.name for path in (dest / "releases").iterdir()] == ["small"]


def test_nothing_is_left_to_publish(
    build: Path, edition: Path, dest: Path, publish: Publish, capsys: Said
) -> None:
    edition.unlink()
    assert publish() == 2
    assert "nothing is built yet" in capsys.readouterr().err
    assert not dest.exists()


def test_a_build_whose_edition_is_gone_is_refused_by_name(
    build: Path, edition: Path, dest: Path, publish: Publish, capsys: Said
) -> None:
    edition.unlink()
    assert publish("--edition", "small") == 2
    said = capsys.readouterr().err
    assert "small is no edition any more" in said
    assert "mend: remove this folder, or bring" in said
    assert not dest.exists()


@pytest.mark.parametrize(
    ("option", "value", "mend"),
    [
        ("--keep", "x", "write a whole number of 1 or more"),
        ("--keep", "2.5", "write a whole number of 1 or more"),
        ("--wait", "soon", "write seconds, 0 or more"),
        ("--wait", "nan", "write seconds, 0 or more"),
    ],
)
def test_a_value_that_will_not_do(
    option: str, value: str, mend: str, build: Path, publish: Publish, capsys: Said
) -> None:
    assert publish(option, value) == 2
    said = capsys.readouterr().err
    assert said == f"error: {option}: {value!r} will not do\n  mend: {mend}\n"


@pytest.mark.parametrize("text", ["", "# destination: /srv\n"])
def test_empty_settings_are_the_defaults(
    text: str, tmp_path: Path, build: Path, publish: Publish
) -> None:
    (tmp_path / "publish.yaml").write_text(text)
    assert publish() == 0


@pytest.mark.parametrize("ssh", ["", "  ", '"ssh -p 22'])
def test_a_program_that_is_none_is_told(
    tmp_path: Path, build: Path, publish: Publish, capsys, ssh: str
) -> None:
    (tmp_path / "publish.yaml").write_text(f"ssh: {json.dumps(ssh)}\n")
    assert publish(to="host.invalid:/srv") == 2
    assert "publish.yaml: not a program with its options" in capsys.readouterr().err
