"""Code that cannot be read: told in one message, whatever a build was about to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.programs.fingerprint import fingerprint
from analysis.programs.registry import Registry, declared_as


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "analysis/derive").mkdir(parents=True)
    (tmp_path / "analysis/derive/verb.py").write_text("FACTOR = 1\n")
    return tmp_path


@pytest.mark.parametrize(
    ("code", "where", "why"),
    [
        (b"FACTOR = 2\ndef run(:\n", "verb.py:2", "is no Python: invalid syntax"),
        (b"FACTOR = '\xff'\n", "verb.py", "is no Python: "),
        (b"FACTOR = 1\0\n", "verb.py", "is no Python: "),
    ],
)
def test_a_module_that_is_no_python_is_told(
    project: Path, code: bytes, where: str, why: str
) -> None:
    (project / "analysis/derive/verb.py").write_bytes(code)
    with pytest.raises(UserError) as caught:
        fingerprint("derive", project)
    assert where in str(caught.value)
    assert why in str(caught.value)
    assert "mend: correct it" in str(caught.value)


def test_what_an_editor_lays_beside_a_module_is_no_code(project: Path) -> None:
    before = fingerprint("derive", project)
    (project / "analysis/derive/.#verb.py").symlink_to("ann@host.123")
    (project / "analysis/derive/~verb.py").write_text("half a li")
    assert fingerprint("derive", project) == before


def test_what_an_editor_lays_beside_a_module_is_no_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = tmp_path / "room_of_drafts"
    room.mkdir()
    for name in ("__init__.py", "one.py", "~one.py"):
        (room / name).write_text("KIND = 1\n" if "one" in name else "")
    (room / ".#one.py").symlink_to("ann@host.123")
    monkeypatch.syspath_prepend(tmp_path)
    kinds = Registry(room.name, "KIND", declared_as("KIND"))
    assert kinds.modules == ["room_of_drafts.one"]
