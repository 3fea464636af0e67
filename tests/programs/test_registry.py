"""Registries find the files of a package by what these declare."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from analysis.programs.registry import Registry, declared_as

FILES = {
    "__init__.py": "",
    "one.py": "ID = 'one'\nTHING = ID",
    "helper.py": "raise ImportError('only what declares a thing is imported')",
    "room/__init__.py": "THING: str = 'room'",
    "room/two.py": "\nTHING = 'two'  # and no other\n",
    "room/other.py": "OTHER_THING = 'other'\nprint('THING =')",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shelf"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "modules", {**sys.modules})
    return folder


def things() -> Registry[str]:
    return Registry("shelf", "THING", lambda module: (module.THING, module.__name__))


def test_it_finds_what_modules_and_packages_declare(package: Path) -> None:
    found = things()
    assert found.modules == ["shelf.one", "shelf.room", "shelf.room.two"]
    assert "shelf.one" not in sys.modules
    assert dict(found) == {
        "one": "shelf.one", "room": "shelf.room", "two": "shelf.room.two",
    }  # fmt: skip


def test_two_of_one_name_are_refused(package: Path) -> None:
    (package / "again.py").write_text("THING = 'one'")
    with pytest.raises(ValueError, match=r"shelf.one: there is another 'one'"):
        len(things())


def test_an_entry_has_an_id(package: Path) -> None:
    (package / "one.py").write_text("class THING:\n    id = 'x'\nTHING: type = THING")
    (package / "room/__init__.py").write_text("")
    (package / "room/two.py").write_text("")
    [(id, entry)] = Registry("shelf", "THING", declared_as("THING")).items()
    assert (id, entry.__name__) == ("x", "THING")
