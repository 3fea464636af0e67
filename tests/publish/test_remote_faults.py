"""A host that fails, hangs, answers nonsense, is full, or loses its publisher."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from analysis.files import limits
from analysis.publish.destination import LocalDestination, RemoteDestination
from tests.publish.conftest import Publish
from tests.publish.killing import check_destination, current_page
from tests.publish.made_build import build_id, make_build
from tests.publish.standins import needs_flock, stand_in

pytestmark = needs_flock
Said = pytest.CaptureFixture[str]


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The stand-in for ssh; publish.yaml names it."""
    ssh = stand_in(tmp_path / "programs", monkeypatch)
    (tmp_path / "publish.yaml").write_text(f"ssh: {ssh}\n")
    return ssh


@pytest.fixture
def host(ssh: str, dest: Path) -> str:
    """The destination as the user writes it."""
    return f"host:{dest}"


@pytest.fixture
def fault(tmp_path: Path, ssh: str) -> Path:
    """What the stand-in reads before each command, once it is written."""
    return tmp_path / "programs/fault"


def two(tmp_path: Path, publish: Publish, host: str) -> tuple[str, str]:
    """A release at the host, and a build to come; their ids."""
    first = build_id(make_build(tmp_path / "builds/small", text="one"))
    assert publish(to=host) == 0
    return first, build_id(make_build(tmp_path / "builds/small", text="two"))


def test_killed_before_any_command(
    tmp_path: Path, dest: Path, publish: Publish, host: str, fault: Path
) -> None:
    two(tmp_path, publish, host)
    pages = {current_page(dest), (tmp_path / "builds/small/index.html").read_bytes()}
    for point in range(3, 40, 4):
        count = tmp_path / f"count-{point}"
        fault.write_text(
            f"echo x >>{count}; if [ $(wc -l <{count}) -gt {point} ]; then "
            'kill -9 "$PUBLISHER"; exit 1; fi\n'
        )
        child = os.fork()
        if child == 0:
            os.environ["PUBLISHER"] = str(os.getpid())
            tempfile.tempdir = str(tmp_path)
            os._exit(publish("--keep", "1", to=host))
        _, status = os.waitpid(child, 0)
        fault.unlink()
        assert current_page(dest) in pages
        assert publish("--keep", "1", to=host) == 0
        check_destination(dest)
        if not os.WIFSIGNALED(status):
            break
        make_build(tmp_path / "builds/small", text=f"again {point}")
        pages = {
            current_page(dest), (tmp_path / "builds/small/index.html").read_bytes()
        }  # fmt: skip
    assert point > 10


@pytest.mark.parametrize(
    ("fault_text", "limit", "words"),
    [
        ("exec sleep 1000", 0.2, "the host does not answer; waited 0.2 s"),
        ("echo Welcome; ", 60, "the host answers what it was not asked: 'Welcome"),
        ("head -c 99 /dev/zero; exit 0", 60, "the host answers what it was not asked"),
        ("exit 0", 60, "the host answers what it was not asked: ''"),
        ("echo no such key >&2; exit 255", 60, "cannot be reached: no such key"),
        ("exit 3", 60, "the destination refuses: exit code 3"),
        ("command='nonesuch'", 60, "mend: install on the host what is missing"),
    ],
)
@pytest.mark.parametrize("verb", [(), ("--list",), ("--rollback",)])
def test_a_host_that_fails_is_told(
    verb: tuple[str, ...],
    fault_text: str,
    limit: float,
    words: str,
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    host: str,
    fault: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Said,
) -> None:
    two(tmp_path, publish, host)
    old = current_page(dest)
    fault.write_text(fault_text + "\n")
    monkeypatch.setattr(limits, "HOST_SECONDS", limit)
    capsys.readouterr()
    assert publish("--wait", "0", *verb, to=host) == 2
    said = capsys.readouterr().err
    assert words in said and "\n  mend: " in said
    assert current_page(dest) == old


def test_a_failure_in_the_middle_leaves_the_old_release(
    tmp_path: Path, dest: Path, publish: Publish, host: str, fault: Path, capsys: Said
) -> None:
    two(tmp_path, publish, host)
    old = current_page(dest)
    fault.write_text(
        'case "$command" in *-xomf*) echo "Input/output error" >&2; exit 1;; esac\n'
    )
    assert publish(to=host) == 2
    assert "the destination refuses: Input/output error" in capsys.readouterr().err
    assert current_page(dest) == old
    check_destination(dest)


def test_a_full_host_is_pruned_first(
    tmp_path: Path, dest: Path, publish: Publish, host: str, fault: Path, capsys: Said
) -> None:
    ids = []
    for text in ("one", "two", "three"):
        ids.append(build_id(make_build(tmp_path / "builds/small", text=text)))
        assert publish(to=host) == 0
    new = build_id(make_build(tmp_path / "builds/small", text="four"))
    fault.write_text(
        f'case "$command" in *-xomf*) if [ -e {dest}/releases/small/{ids[1]} ]; '
        'then echo "x: No space left on device" >&2; exit 1; fi;; esac\n'
    )
    assert publish(to=host) == 2
    assert (
        "make room there, or publish with a smaller --keep" in capsys.readouterr().err
    )
    assert publish("--keep", "2", to=host) == 0
    assert f"small {ids[1]}: removed to make room" in capsys.readouterr().out
    assert set(os.listdir(dest / "releases/small")) == {ids[2], new, "current"}
    check_destination(dest)


def test_nobody_else_publishes_while_the_lock_is_held(
    dest: Path, publish: Publish, host: str, ssh: str, build: Path, capsys: Said
) -> None:
    with RemoteDestination("host", str(dest), (ssh,)).lock(0):
        assert publish("--wait", "0.3", to=host) == 2
        assert "someone else publishes here now; waited 0.3" in capsys.readouterr().err
    assert publish("--wait", "0", to=host) == 0


def test_a_publisher_that_lost_its_connection_cannot_go_on(
    tmp_path: Path, dest: Path, publish: Publish, host: str, fault: Path, capsys: Said
) -> None:
    """What ssh does with -S without a connection: it asks for one of its own."""
    two(tmp_path, publish, host)
    old = current_page(dest)
    ssh = tmp_path / "programs/ssh"
    first = ssh.read_text().partition("while :;")
    lost = 'case "$*" in *ProxyCommand=false*) [ ! -e "$SSH_FAULT" ] || exit 255;; esac'
    ssh.write_text(f"{first[0]}{lost}\n{first[1]}{first[2]}")
    fault.touch()
    assert publish(to=host) == 2
    assert "the host cannot be reached" in capsys.readouterr().err
    fault.unlink()
    assert current_page(dest) == old
    assert publish("--wait", "0", to=host) == 0
    check_destination(dest)


def test_names_that_a_shell_would_read_otherwise(
    dest: Path, ssh: str, tmp_path: Path
) -> None:
    host = RemoteDestination("host", str(dest), (ssh,))
    odd = ["-n", "a b", "$(touch x)", "new\nline", "back\\slash", "ümlaut", "*"]
    files = {name: tmp_path / f"{number}" for number, name in enumerate(odd)}
    for name, path in files.items():
        path.write_text(name)
    dest.mkdir()
    host.upload(files, "releases/folder")
    folder = dest / "releases/folder"
    assert {p.name: p.read_text() for p in folder.iterdir()} == {n: n for n in odd}
    (folder / "link").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe")
    assert host.entries() == LocalDestination(dest).entries()
    hashes = host.hashes("releases/folder")
    assert set(hashes) == {*odd, "link", "pipe"}
    assert hashes["link"] == hashes["pipe"] == "no file"
    paths = [f"releases/folder/{name}" for name in (*odd, "link", "pipe", "none")]
    assert host.read(paths) == {f"releases/folder/{n}": n.encode() for n in odd}
    host.move([("releases/folder/a b", "releases/c/d e")])
    assert (dest / "releases/c/d e").read_text() == "a b"
    assert host.link("releases/to", "folder/x y")
    assert os.readlink(dest / "releases/to") == "folder/x y"
    host.remove("releases/folder")
    assert sorted(os.listdir(dest / "releases")) == ["c", "to"]
