"""Children: what they return and say, how they end, and that none is left."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from pathlib import Path

import pytest

from tests.children import Ended, side_by_side, start


def only(work) -> Ended:
    [(name, ended)] = side_by_side([("one", partial(start, work, 5))], 1)
    assert name == "one"
    return ended


def test_a_child_returns_a_code_and_says_something():
    ended = only(lambda: (1, {"failed": "a test"}))
    assert (ended.code, ended.said, ended.timeout) == (1, {"failed": "a test"}, False)


def test_a_child_that_raises_says_nothing():
    def work():
        raise MemoryError

    ended = only(work)
    assert (ended.code, ended.said) == (3, {})


@pytest.mark.parametrize("reason", [signal.SIGKILL, signal.SIGXCPU])
def test_a_child_that_is_ended_is_out_of_time(reason):
    ended = only(lambda: os.kill(os.getpid(), reason))
    assert (ended.code, ended.timeout) == (-reason, True)


def test_a_child_that_is_late_is_ended():
    child = start(lambda: time.sleep(60), 5)
    child.until = 0.0
    ended = child.ended()
    assert ended is not None
    assert ended.timeout
    assert not child.folder.exists()


def test_files_of_a_child_go_with_it():
    def work():
        import tempfile

        return 0, {"folder": tempfile.mkdtemp()}

    assert not Path(only(work).said["folder"]).exists()


def test_all_children_end_whatever_their_number():
    work = [(n, partial(start, lambda n=n: (n, {}), 5)) for n in range(7)]
    found = {name: ended.code for name, ended in side_by_side(work, 3)}
    assert found == {n: n for n in range(7)}
    assert list(side_by_side([], 3)) == []


def test_children_end_with_who_asked_for_them():
    begun = []

    def begin():
        begun.append(start(lambda: time.sleep(60), 5))
        return begun[-1]

    quick = partial(start, lambda: (0, {}), 5)
    children = side_by_side([("slow", begin), ("quick", quick)], 2)
    assert next(children)[0] == "quick"
    children.close()
    assert os.waitstatus_to_exitcode(os.waitpid(begun[0].pid, 0)[1]) == -signal.SIGKILL
