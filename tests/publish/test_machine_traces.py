"""What tells of the machine on which a build was made does not leave it."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.publish.gates import machine_traces

HOME, PROJECT, HOST = "/users/ann", "/builds/project-7", "build-host-7"


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(Path, "home", lambda: Path(HOME))
    monkeypatch.setattr(Path, "cwd", lambda: Path(PROJECT))
    monkeypatch.setattr("socket.gethostname", lambda: HOST)
    return monkeypatch


def found(folder: Path, text: str, name: str = "index.html") -> list[str]:
    (folder / name).write_text(text, encoding="utf-8")
    return [issue.what for issue in machine_traces(folder, [name])]


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("the home folder", HOME),
        ("the path of the project", PROJECT),
        ("the name of this host", HOST),
    ],
)
@pytest.mark.parametrize("name", ["a.html", "a.json", "a.csv", "a.svg", "a.txt"])
def test_each_trace_is_found_in_each_sort_of_text(tmp_path, what, text, name):
    assert found(tmp_path, f"made in {text}/x", name) == [f"contains {what}: {text}"]


def test_all_traces_of_a_file_are_told_with_its_place(tmp_path):
    (tmp_path / "b.csv").write_text(HOST)
    (tmp_path / "a.csv").write_text(f"{HOME} {PROJECT}")
    issues = list(machine_traces(tmp_path, ["b.csv", "a.csv"]))
    places = [(Path(issue.where.file).name, issue.what) for issue in issues]
    assert [name for name, _ in places] == ["a.csv", "a.csv", "b.csv"]
    assert {what.partition(":")[0] for _, what in places} == {
        "contains the home folder",
        "contains the path of the project",
        "contains the name of this host",
    }
    assert all(issue.mend for issue in issues)


def test_a_clean_text_and_what_is_no_text_pass(tmp_path):
    assert found(tmp_path, "made with care") == []
    assert found(tmp_path, HOME, "a.woff2") == []


@pytest.mark.parametrize(
    ("host", "told"),
    [("web1", False), ("web-1", True), ("laboratory", False), ("lab7x", True)],
)
def test_a_name_that_any_text_may_have_is_no_trace(tmp_path, machine, host, told):
    machine.setattr("socket.gethostname", lambda: host)
    assert bool(found(tmp_path, f"the {host} of it")) is told


@pytest.mark.parametrize(("home", "told"), [("/", False), ("/ann", False),
                                            ("/a/nn", True)])  # fmt: skip
def test_a_short_folder_is_no_trace(tmp_path, machine, home, told):
    machine.setattr(Path, "home", lambda: Path(home))
    assert bool(found(tmp_path, f"in {home} here")) is told
