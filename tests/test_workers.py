"""Tests of a group or of a file share a worker; workers share what one has made."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from xdist.remote import Producer

from tests.workers import APART, longest_first, made_once, scheduler

SLOW = APART[0]
COLLECTED = [
    *("tests/b.py::one@long", "tests/c.py::two@long", "tests/b.py::three[a]@long"),
    *(f"{SLOW}x.py::one", f"{SLOW}x.py::two"),
    *("tests/a.py::one", "tests/a.py::two[x@y]", "tests/a.py::Three::four"),
    *("tests/b.py::four", "tests/b.py::five"),
]
UNITS = [COLLECTED[:3], [COLLECTED[3]], [COLLECTED[4]], COLLECTED[5:8], COLLECTED[8:]]


LOG = Producer("tests", enabled=False)


class Worker:
    """Writes down what it is given to run."""

    def __init__(self) -> None:
        self.gateway, self.shutting_down = SimpleNamespace(id="gw0"), False
        self.given: list[list[str]] = []

    def send_runtest_some(self, indexes: list[int]) -> None:
        self.given.append([COLLECTED[index] for index in indexes])

    def shutdown(self) -> None:
        self.shutting_down = True


class Config(SimpleNamespace):
    """Options of a run with one worker."""

    def getvalue(self, name: str) -> Any:
        return getattr(self.option, name)

    getoption = getvalue


def config(dist: str) -> Any:
    return Config(option=Config(dist=dist, tx=["popen"], loadscopereorder=True))


def test_a_worker_has_a_group_or_a_file_at_a_time_in_the_order_of_collection() -> None:
    made, worker = scheduler(config("loadgroup"), LOG), Worker()
    assert made
    made.add_node(worker)
    made.add_node_collection(worker, COLLECTED)
    made.schedule()
    for index in range(len(COLLECTED)):
        made.mark_test_complete(worker, index)
    assert worker.given == UNITS


@pytest.mark.parametrize("dist", ["load", "loadfile", "worksteal", "no"])
def test_another_way_that_was_asked_for_is_taken(dist: str) -> None:
    assert scheduler(config(dist), LOG) is None


def test_groups_begin_before_slow_tests_and_these_before_others() -> None:
    def item(nodeid: str, mark: str | None = None) -> Any:
        return SimpleNamespace(nodeid=nodeid, get_closest_marker=lambda _: mark)

    found = [item("tests/a.py"), item(f"{SLOW}b.py"), item(f"{SLOW}c.py", "group")]
    assert sorted(found, key=longest_first) == found[::-1]


def test_one_makes_what_all_read(tmp_path: Path) -> None:
    made: list[Path] = []

    def make(folder: Path) -> None:
        made.append(folder)
        folder.mkdir()
        time.sleep(0.05)  # in which the others come
        (folder / "whole").touch()

    def read(_: int) -> bool:
        return (made_once(tmp_path / "made", make) / "whole").exists()

    with ThreadPoolExecutor(3) as workers:
        assert all(workers.map(read, range(3)))
    assert made == [tmp_path / "made"]


def test_what_failed_is_made_anew(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        folder.mkdir()
        raise ValueError

    with pytest.raises(ValueError):
        made_once(tmp_path / "made", fail)
    assert made_once(tmp_path / "made", Path.mkdir).is_dir()
