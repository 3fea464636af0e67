"""A folder has one owner, also where file locks do not reach other machines."""

from __future__ import annotations

import json
import os
import threading
import time
from dataclasses import asdict, replace

import pytest

from analysis.files import owner
from analysis.files.owner import Owner, leave, own, read_owner

ELSEWHERE = Owner("node2", "another-boot", 77, "theirs")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(owner, "BEAT", 0.04)
    monkeypatch.setattr(owner, "STILL", 0.2)


@pytest.fixture
def path(tmp_path):
    yield tmp_path / "build.owner"
    leave(tmp_path / "build.owner")


def write(path, of):
    path.write_text(json.dumps(asdict(of)))


def wait(until):
    deadline = time.monotonic() + 10
    while not until():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_owner_of_another_machine_is_told_while_it_lives(path):
    write(path, ELSEWHERE)
    ended = threading.Event()

    def live():
        count = 0
        while not ended.wait(0.04):
            count += 1
            draft = path.with_name("draft")
            write(draft, replace(ELSEWHERE, count=count))
            draft.replace(path)

    beat = threading.Thread(target=live)
    beat.start()
    found = own(path, lambda to: None)
    ended.set()
    beat.join()
    assert str(found) == "process 77 on node2"
    assert read_owner(path).sign == "theirs"


def test_one_that_stands_still_is_gone_whatever_its_clock_says(path):
    write(path, ELSEWHERE)
    tomorrow = time.time() + 86_400

    os.utime(path, (tomorrow, tomorrow))
    assert own(path, lambda to: None) is None
    assert read_owner(path).sign != "theirs"
    assert list(path.parent.glob("build.owner.*")) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"host": 1}'])
def test_a_damaged_file_holds_up_nobody(path, text):
    path.write_text(text)
    assert own(path, lambda to: None) is None


def test_a_killed_one_of_this_machine_is_not_waited_for(path, monkeypatch):
    write(path, replace(ELSEWHERE, boot=owner.boot_id()))
    monkeypatch.setattr(owner, "_lives", lambda *_: pytest.fail("it waits"))
    assert own(path, lambda to: None) is None


def test_it_counts_up_and_who_lost_it_is_told_who_has_it(path):
    lost = []
    assert own(path, lost.append) is None
    wait(lambda: read_owner(path).count > 1)
    draft = path.with_name("draft")
    write(draft, ELSEWHERE)
    draft.replace(path)
    wait(lambda: lost)
    assert lost[0].host == "node2"


def test_of_many_who_try_at_once_one_owns_it(path, monkeypatch):
    """As machines whose file locks do not reach each other do."""
    boots = threading.local()
    monkeypatch.setattr(owner, "boot_id", lambda: boots.own)
    write(path, ELSEWHERE)  # gone, and found out by all at the same time
    found = []

    def machine(number):
        boots.own = f"boot-{number}"
        found.append(own(path, lambda to: None))

    threads = [threading.Thread(target=machine, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    path.unlink()
    assert found.count(None) == 1


def test_who_is_displaced_at_once_does_not_own_it(path, monkeypatch):
    write(path, ELSEWHERE)
    make = owner._make

    def displaced(at, mine):
        made = make(at, mine)
        if made:
            write(path, replace(ELSEWHERE, sign="third"))
        return made

    monkeypatch.setattr(owner, "_make", displaced)
    monkeypatch.setattr(owner, "_lives", lambda _, there: there.sign == "third")
    assert own(path, lambda to: None).sign == "third"


def test_a_newer_owner_is_put_back(path):
    write(path, replace(ELSEWHERE, sign="newer"))
    owner._take_away(path, ELSEWHERE)
    assert read_owner(path).sign == "newer"
