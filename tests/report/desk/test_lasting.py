"""A desk that runs for days: what it keeps has a bound, and Git is asked no more."""

from __future__ import annotations

import gc
import os
import threading
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from analysis.report.desk import store
from analysis.report.desk.parts import EditedPart
from analysis.report.desk.remarks import part_at
from analysis.report.desk.store import Repository, Save
from analysis.report.document.kept_sections import Rendered
from analysis.report.review import remarks
from analysis.report.review.remarks import (
    Comments,
    Remarked,
    Thread,
    comments_text,
)
from analysis.report.text.passages import Paragraph
from analysis.report.text.reviewed import Reviewed
from analysis.report.text.texts import Text
from analysis.report.text.tree import Node
from tests.report.desk.conftest import Office
from tests.report.desk.test_commenting import SAID, say, threads
from tests.report.desk.test_saving import OBSERVATIONS, edit, git, opened
from tests.report.desk.test_suggesting import decide, suggest

KEPT = (Text, Reviewed, Node, Paragraph, Rendered, Thread, Save)
MERGED = "merge-base"


def work(office: Office, words: str) -> None:
    """A round of all that people do, each time with other words."""
    client = office.client
    for path in ("", "review", "history", "comments?show=all", "threads", "declared"):
        assert client.get(f"e/small/{path}")[0] == 200
    assert client.get(f"e/small/values?about=speed&words=latency+{words}")[0] == 200
    client.sit()
    own = edit(opened(client), f"Latency {words} {{falls by 37%}} (@fig-speed-rr).")
    assert client.post("e/small/look", **own)[0] == 200
    assert client.post("e/small/save", **own)[0] == 200
    assert client.post("e/small/save", **own)[0] == 409
    refused = edit(opened(client), f"Latency {words} {{{{ nothing() }}}}.")
    assert client.post("e/small/save", **refused)[0] == 422
    assert suggest(office, f"{own['words']} More.")[0] == 200
    assert decide(office, accept=False)[0] == 200


def left(office: Office) -> Counter[str]:
    """What there is when nobody works: objects by their kind, threads, open files."""
    with office.desk.lives["small"].lock:
        gc.collect()
        found = Counter(type(one).__name__ for one in gc.get_objects()
                        if isinstance(one, KEPT))  # fmt: skip
    found["threads"] = threading.active_count()
    found["files"] = len(os.listdir("/proc/self/fd"))
    return found


def test_each_round_of_work_leaves_what_the_round_before_left(office: Office) -> None:
    for words in ("sometimes", "often"):
        work(office, words)
    before = left(office)
    assert before["Text"] > 0 and before["Node"] > 0
    for words in ("always", "never", "seldom"):
        work(office, words)
    grown = {name: n - before[name] for name, n in left(office).items()}
    # Connections that were ended are closed within seconds, also of the rounds before.
    assert max(grown.pop("files"), grown.pop("threads")) <= 2
    # The suggestion of each round is in its file, and known as it was and as it is.
    assert grown.pop("Thread") <= 3 * 3
    assert {name: n for name, n in grown.items() if n > 0} == {}
    office.client.headers.clear()


def test_the_same_remarks_are_parsed_once(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed, parse = [], remarks.parse_yaml
    monkeypatch.setattr(
        remarks, "parse_yaml", lambda *own: parsed.append(own) or parse(*own)
    )
    assert say(office, about="speed", words="Who reads this?") == 200
    for _ in range(3):
        assert threads(office)["open"] == 1
    assert len(parsed) == 1
    path = office.texts / "studies/speed/comments.yaml"
    path.write_text(path.read_text().replace("Who", "Whoever"))
    [thread] = threads(office)["threads"] or [None]
    page = office.client.get("e/small/comments")[1]
    assert thread is None and "Whoever reads this?" in page and len(parsed) == 2


def test_no_more_files_of_remarks_are_kept_than_there_may_be(tmp_path: Path) -> None:
    for n in range(remarks.MOST_FILES + 5):
        remarks.comments_of("{}\n", tmp_path / f"{n}.yaml")
    assert len(remarks._last) == remarks.MOST_FILES
    assert remarks.comments_of("{}\n", tmp_path / "0.yaml") == Comments()


WORDS = [
    "Why?",
    "Größe: 3 → 4 µs, “so”",
    "two\n\nparagraphs\n",
    "- '#' & *x",
    "a " * 99,
]


def test_remarks_are_written_as_a_whole_file_would_be() -> None:
    said = [Remarked(by="Ann", at="2026-01-01", words=words) for words in WORDS]
    found = Comments(threads=tuple(
        Thread(id=f"{n}", part=one.words, said=(one, *said[:n]))
        for n, one in enumerate(said)
    ))  # fmt: skip
    told = found.model_dump(mode="json", exclude_defaults=True)
    whole = yaml.safe_dump(told, allow_unicode=True, width=88, sort_keys=False)
    assert comments_text(found).partition("\n")[2] == whole
    assert comments_text(Comments()).partition("\n")[2] == "{}\n"


def test_the_likest_part_is_found_where_few_are_looked_at() -> None:
    random, words = Random(3), [f"word{n}" for n in range(12)]  # noqa: S311
    for _ in range(200):
        made = [" ".join(random.choices(words, k=random.randint(0, 9)))
                for _ in range(6)]  # fmt: skip
        parts = [EditedPart("a.md", n, part) for n, part in enumerate(made[1:])]
        thread = Thread(id="1", text="a.md", part=made[0], said=SAID)
        found = part_at(thread, parts)
        likest = max(parts, key=lambda one: alike(thread.part, one.source))
        near = alike(thread.part, likest.source) >= 0.5
        assert found == (likest if near else None), made


def alike(one: str, other: str) -> float:
    """As a comparison of the words in their order has it."""
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one.split(), other.split()).ratio()


def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands of Git from now on."""
    found, run = list[str](), Repository.run

    def told(self: Repository, command: list[str], *own: Any, **more: Any) -> Any:
        found.append(command[0])
        return run(self, command, *own, **more)

    monkeypatch.setattr(Repository, "run", told)
    return found


def test_git_walks_no_history_for_what_the_desk_made(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = asked(monkeypatch)
    for words in ("One.", "Two.", "Three."):
        office.client.sit()
        own = edit(opened(office.client), f"{words} {{falls by 37%}} (@fig-speed-rr).")
        assert office.client.post("e/small/save", **own)[0] == 200
    assert commands.count("fast-import") == 3 and MERGED not in commands
    git(office.texts, "reset", "-q", "--hard", "review/small")  # it is merged
    own = edit(opened(office.client), "Four {falls by 37%} (@fig-speed-rr).")
    assert office.client.post("e/small/save", **own)[0] == 200
    own = edit(opened(office.client), "Five {falls by 37%} (@fig-speed-rr).")
    assert office.client.post("e/small/save", **own)[0] == 200
    assert git(office.texts, "rev-list", "--count", "main..review/small") == "2"
    who = ("-c", "user.name=Bo", "-c", "user.email=bo@example.org")
    git(office.texts, *who, "commit", "-q", "--allow-empty", "-m", "Elsewhere")
    own = edit(opened(office.client), "Six {falls by 37%} (@fig-speed-rr).")
    assert office.client.post("e/small/save", **own)[0] == 200
    assert MERGED in commands


def test_single_objects_become_a_pack_and_nothing_is_lost(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_TIDY", 2)
    limit = "maintenance.loose-objects.auto=1"
    monkeypatch.setattr(store, "_PACKED", ("-c", limit))
    packed, pack = threading.Event(), Repository.pack

    def told(self: Repository) -> None:
        pack(self)
        packed.set()

    monkeypatch.setattr(Repository, "pack", told)
    for words, done in (("One.", False), ("Two.", True)):
        office.client.sit()
        own = edit(opened(office.client), f"{words} {{falls by 37%}} (@fig-speed-rr).")
        assert office.client.post("e/small/save", **own)[0] == 200
        assert packed.wait(30 if done else 0) == done
    assert "in-pack: 0" not in git(office.texts, "count-objects", "-v")
    assert git(office.texts, "rev-list", "--count", "main..review/small") == "2"
    shown = git(office.texts, "show", f"review/small:./{OBSERVATIONS}")
    assert shown.startswith("Two.")
