"""A desk over the small project, served, with a way to ask it, and a browser."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from analysis.report.desk.actions import desk_routes
from analysis.report.desk.desk import Desk, make_desk
from analysis.report.desk.people import Person
from analysis.report.desk.server import Served, application
from analysis.report.material import Sources
from tests.report.conftest import make_project
from tests.report.desk.asking import Client
from tests.report.devtools import Browser, Page

Visit = Callable[..., Page]
ANN = Person("Ann Author", "ann@example.org", "author")


class Office(NamedTuple):
    """A desk that is served, the project it is of, a client, and who asks."""

    desk: Desk
    client: Client
    project: Sources
    chair: list[Person]

    @property
    def texts(self) -> Path:
        """The texts of the small edition."""
        return self.project.report / "small"


@cache
def _repository() -> dict[str, bytes]:
    """The files of Git that has the small project's texts: to copy them is faster."""
    with tempfile.TemporaryDirectory() as name:
        make_project(Path(name))
        for command in (
            ["init", "-q", "-b", "main", "--template="],
            ["add", "report"],
            ["-c", "user.name=Setup", "-c", "user.email=s@example.org",
             "commit", "-qm", "Begin"],
        ):  # fmt: skip
            subprocess.run(["git", *command], cwd=name, check=True)
        files = [path for path in Path(name, ".git").rglob("*") if path.is_file()]
        return {str(path.relative_to(name)): path.read_bytes() for path in files}


@pytest.fixture
def office(project: Sources, tmp_path: Path) -> Iterator[Office]:
    for name, content in _repository().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    desk = make_desk({"small": project}, tmp_path / "documents", tmp_path / "journal")
    chair = [ANN]
    server = Served(application(desk_routes(desk), who=lambda _: chair[0]), 0)
    yield Office(desk, Client(server.address), project, chair)
    server.shutdown()


@pytest.fixture
def visit(office: Office, running: Browser) -> Iterator[Visit]:
    """Opens pages of the desk, from its address on, for as long as there is a desk:
    they ask for what is new, so it would wait for them, and they for another.

    Words are plain text there, or have chips where a test asks for them."""
    opened: list[Page] = []

    def visit(path: str, width: int, chips: bool = False, **like: Any) -> Page:
        opened.append(running.open(f"{office.client.address}{path}", width, **like))
        if not chips:
            opened[-1].ask("localStorage.setItem('desk-plain', 'yes')")
        return opened[-1]

    yield visit
    for page in opened:
        page.close()


@pytest.fixture
def page(visit: Visit) -> Page:
    found = visit("e/small/", 390)
    found.until("document.querySelector('.desk-figure')")
    return found
