"""A desk behind a reverse proxy: who is believed, who may what, and who did what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args
from urllib.request import Request, urlopen

import pytest

from analysis.errors import UserError
from analysis.report.desk.actions import VERBS, desk_routes
from analysis.report.desk.desk import make_desk
from analysis.report.desk.people import (
    Action,
    ActionLog,
    Person,
    Role,
    Team,
    allowed,
    may,
    read_team,
    team_file,
)
from analysis.report.desk.server import Served, application
from analysis.report.material import Sources
from tests.report.desk.asking import Client
from tests.report.desk.conftest import ANN, Office
from tests.report.desk.test_saving import OBSERVATIONS, PART, edit, opened

ANYTHING = {
    "text": "x", "number": 0, "hash": "x", "words": "Hm.", "about": "x", "id": "x",
    "stamp": "x", "accept": True,
}  # fmt: skip
TEAM = """\
host: desk.example.org
proxies: [127.0.0.1]
people:
  ann: {name: Ann Author, email: ann@example.org, role: author}
  rob: {name: Rob Reviewer, email: rob@example.org, role: reviewer}
  cy: {name: Cy Commenter, email: cy@example.org, role: commenter}
  rea: {name: Rea Reader, email: rea@example.org, role: reader}
"""
HOST = {"Host": "desk.example.org"}


def team_of(folder: Path, text: str = TEAM) -> Team:
    path = folder / "desk.yaml"
    path.write_text(text)
    return read_team(path)


class Room:
    """A desk of a team that is served, and its log."""

    def __init__(self, project: Sources, folder: Path) -> None:
        team = team_file(folder / "desk.yaml")
        self.log = folder / "log.tsv"
        self.desk = make_desk(
            {"small": project}, folder / "documents", folder / "journal"
        )
        self.desk.team, self.desk.log = team, ActionLog(self.log)
        routes = desk_routes(self.desk)
        guarded = application(routes, who=team.who, knows=team.knows, scheme="https")
        self.server = Served(guarded, 0)

    def client(self, name: str, **more: str) -> Client:
        """Somebody whom the proxy has signed in."""
        headers = {**HOST, "X-Remote-User": name, **more}
        return Client(self.server.address, headers)


@pytest.fixture
def room(project: Sources, tmp_path: Path) -> Iterator[Room]:
    team_of(tmp_path)
    room = Room(project, tmp_path)
    yield room
    room.server.shutdown()


def test_each_role_may_what_the_one_before_it_may_and_more() -> None:
    can = {role: allowed(Person("A", "a@b", role)) for role in get_args(Role)}
    assert can == {
        "reader": ("read",),
        "commenter": ("read", "comment", "suggest"),
        "reviewer": ("read", "comment", "suggest", "edit", "approve"),
        "author": get_args(Action),
    }
    assert allowed(Person("", "", "author")) == ("read",)
    assert not may(Person("Ann", "", "author"), "edit")


def test_only_the_word_of_the_proxy_is_believed(tmp_path: Path) -> None:
    team = team_of(tmp_path)

    def who(peer: str | None, *names: str) -> Person | None:
        headers = [(b"x-remote-user", name.encode()) for name in names]
        client = (peer, 1) if peer else None
        return team.who({"type": "http", "client": client, "headers": headers})

    assert who("127.0.0.1", "ann") == Person("Ann Author", "ann@example.org", "author")
    for refused in (
        who("10.0.0.7", "ann"), who(None, "ann"), who("", "ann"), who("::1", "ann"),
        who("127.0.0.1"), who("127.0.0.1", ""), who("127.0.0.1", "Ann"),
        who("127.0.0.1", "rea", "ann"), who("127.0.0.1", "ann,rea"),
    ):  # fmt: skip
        assert refused is None
    others = team.model_copy(update={"others": "read"})
    scope = {"client": ("127.0.0.1", 1), "headers": [(b"x-remote-user", b"zoe")]}
    assert others.who({"type": "http", **scope}) == Person()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (TEAM.replace("[127.0.0.1]", "[]"), "proxies"),
        (TEAM.replace("127.0.0.1", "anywhere"), "proxies"),
        (TEAM.replace("role: reader}", "role: king}"), "role"),
        (TEAM.replace("desk.example.org\n", "'https://x/'\n", 1), "host"),
        (TEAM.replace("Ann Author", "'Ann <x@y>'"), "name"),
        (TEAM + "boss: ann\n", "boss"),
    ],
)
def test_a_mistake_in_the_list_of_people_is_told(
    tmp_path: Path, wrong: str, told: str
) -> None:
    with pytest.raises(UserError) as error:
        team_of(tmp_path, wrong)
    assert told in str(error.value) and "desk.yaml:" in str(error.value)


def test_a_changed_list_counts_at_once_and_a_mistake_in_it_changes_nothing(
    room: Room, tmp_path: Path
) -> None:
    rob = room.client("rob")
    path = "e/small/changes?version=-1"  # behind: it is told at once, then waits
    request = Request(f"{room.server.address}{path}", headers=rob.headers)  # noqa: S310
    with urlopen(request, timeout=30) as stream:  # noqa: S310 - our own
        assert stream.readline().startswith(b"data:") and stream.readline() == b"\n"
        desk = tmp_path / "desk.yaml"
        desk.write_text(TEAM.replace("rob: {name: Rob", "rob: [name: Rob"))
        assert rob.get("")[0] == 200
        assert "the people are as they were" in room.client("ann").get("")[1]
        desk.write_text(TEAM.replace("  rob:", "  zoe:"))
        assert rob.get("")[0] == 403
        assert "as they were" not in room.client("ann").get("")[1]
        assert 'content="Rob Reviewer"' in room.client("zoe").get("e/small/")[1]
        room.desk.lives["small"].stage.fail("News.")
        assert stream.readline() == b""  # the page that was Rob's hears no more
    desk.write_text(TEAM + "scheme: http\n")
    assert "count from a new start" in room.client("ann").get("")[1]
    desk.unlink()
    assert room.client("ann").get("e/small/")[0] == 200


def test_what_each_may_is_held_by_the_server_and_logged(room: Room) -> None:
    said = edit(opened(room.client("rea"), PART), "Whoever.")
    about = {"about": "speed", "words": "Why?\tBecause\nof"}
    tried = {}
    for name in ("rea", "cy", "rob"):
        client = room.client(name)
        client.sit()
        tried[name] = [
            client.post("e/small/comment", **about)[0],
            client.post("e/small/approve", id="speed", stamp="0")[0],
            client.post("e/small/save", **said)[0],
        ]
    assert tried == {
        "rea": [403, 403, 403], "cy": [200, 403, 403], "rob": [200, 409, 200],
    }  # fmt: skip
    looks = {name: room.client(name) for name in ("rea", "cy")}
    for client in looks.values():
        client.sit()
    codes = [c.post("e/small/look", **said)[0] for c in looks.values()]
    assert codes[0] == 403 and codes[1] != 403
    lines = [line.split("\t")[1:] for line in room.log.read_text().splitlines()]
    assert len(lines) == 9 and all(len(line) == 5 for line in lines)
    assert ["Rea Reader", "edit", "small", said["text"], "403"] in lines
    assert ["Rob Reviewer", "edit", "small", said["text"], "200"] in lines
    assert (
        'name="desk-may" content="read comment suggest"'
        in (room.client("cy").get("e/small/")[1])
    )


def test_hostile_requests_get_nothing(room: Room) -> None:
    hostile: list[dict[str, str]] = [
        {"Host": "127.0.0.1"},
        {"Host": "desk.example.org.elsewhere.example"},
        {"Origin": "http://desk.example.org"},
        {"Origin": "https://elsewhere.example"},
        {"Sec-Fetch-Site": "same-site"},
        {"X-Remote-User": "nobody"},
        {"X-Remote-User": ""},
        {"X-Remote-User": "ann\xa0"},
    ]
    for path in ("e/small/", "e/small/changes?version=x"):
        said = [room.client("ann", **more).get(path)[0] for more in hostile]
        assert said == [403] * len(hostile)
    assert room.client("ann").get("e/small/changes?version=x")[0] == 400


def test_no_verb_is_without_a_role_that_the_server_asks_for(office: Office) -> None:
    routes = desk_routes(office.desk)
    posts = {route.path for route in routes if "POST" in (route.methods or ())}
    assert posts == {f"/e/{{edition}}/{name}" for name in VERBS}
    office.client.sit()
    for role in get_args(Role):
        office.chair[0] = replace(ANN, role=role)
        for name, verb in VERBS.items():
            code = office.client.post(f"e/small/{name}", **ANYTHING)[0]
            assert (code == 403) == (verb.action not in allowed(office.chair[0]))


def test_what_is_done_is_done_also_where_no_log_can_be_written(office: Office) -> None:
    client, blocked = office.client, office.texts / OBSERVATIONS / "log.tsv"
    office.desk.log = ActionLog(blocked)
    client.sit()
    part = opened(client)
    assert client.post("e/small/save", **edit(part, "New words."))[0] == 200
    assert client.get("")[1].count("lacks lines") == 1
    office.desk.log = ActionLog(office.texts / "../../log.tsv")
    office.desk.log.problem = "the log lacks lines"
    assert client.post("e/small/comment", about="speed", words="Hm.")[0] == 200
    assert "lacks lines" not in client.get("")[1]


@pytest.mark.parametrize(
    "name",
    ["Ann\u200b Author", "Ann  Author", "ANN AUTHOR", "Ann\u00a0Author",
     "\u0410nn \u0410uth\u043er", "\u0391nn Auth\u03bfr"],
)  # fmt: skip
def test_names_that_look_alike_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "desk.yaml"
    path.write_text(
        f'{TEAM}  eve: {{name: "{name}", email: ann@example.org, role: author}}\n'
    )
    with pytest.raises(UserError, match=r"look alike|has letters of .* and Latin"):
        read_team(path)


def test_a_name_may_be_of_any_script_and_of_one_a_word(tmp_path: Path) -> None:
    path = tmp_path / "desk.yaml"
    name = "\u0410\u043d\u043d\u0430 M\u00fcller-\u0391\u03bd\u03bd\u03b1"
    member = "email: eve@example.org, role: author"
    path.write_text(f"{TEAM}  eve: {{name: {name}, {member}}}\n")
    assert read_team(path).people["eve"].name == name
    # All of it in letters of another script, it looks like another's all the same.
    path.write_text(
        f"{TEAM}  eve: {{name: \u0415\u0440\u0430, {member}}}\n"
        f"  epa: {{name: Epa, email: epa@example.org, role: author}}\n"
    )
    with pytest.raises(UserError, match="look alike"):
        read_team(path)
