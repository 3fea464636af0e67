"""Publishing over ssh to a real sshd of this test's own."""

from __future__ import annotations

import getpass
import hashlib
import os
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.files import limits
from analysis.publish.destination import LocalDestination, RemoteDestination
from tests.publish.conftest import Publish, current
from tests.publish.made_build import build_id, make_build
from tests.publish.standins import needs_flock, stand_in

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
LACKING = [n for n in ("ssh", "ssh-keygen", "flock") if not shutil.which(n)]
needs_sshd = pytest.mark.skipif(
    not SSHD or bool(LACKING),
    reason="needs sshd and ssh: apt install openssh-server",
)
needs_ssh = pytest.mark.skipif(
    not shutil.which("ssh"), reason="needs ssh: apt install openssh-client"
)
CONFIG = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile {folder}/sshd.pid
StrictModes no
UsePAM no
PasswordAuthentication no
SetEnv HOME={folder}
"""


@pytest.fixture(scope="module")
def sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The ssh command that reaches a server of this module's own."""
    folder = tmp_path_factory.mktemp("sshd")
    for name in ("host", "user"):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f"]
        subprocess.run([*command, str(folder / name)], check=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = folder / "sshd_config"
    config.write_text(CONFIG.format(port=port, folder=folder))
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # where a server of root hides
    server = subprocess.Popen(
        [str(SSHD), "-D", "-f", str(config), "-E", str(folder / "log")]
    )
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    yield (
        f"ssh -p {port} -i {folder}/user -F none -o StrictHostKeyChecking=no "
        f"-o UserKnownHostsFile={folder}/known -o LogLevel=ERROR"
    )
    server.terminate()
    server.wait()


@pytest.fixture(
    params=[
        pytest.param("stand-in", marks=needs_flock),
        pytest.param("sshd", marks=needs_sshd),
    ]
)
def ssh(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """The ssh command, and a host that it reaches."""
    if request.param == "sshd":
        return str(request.getfixturevalue("sshd"))
    return stand_in(tmp_path / "programs", monkeypatch)


@pytest.fixture
def host(tmp_path: Path, ssh: str, dest: Path) -> str:
    """The destination as the user writes it; publish.yaml has the command."""
    (tmp_path / "publish.yaml").write_text(f"ssh: {ssh}\n")
    return f"{getpass.getuser()}@127.0.0.1:{dest}"


def test_a_release_over_ssh_is_that_of_a_folder(
    tmp_path: Path, dest: Path, publish: Publish, host: str
) -> None:
    names = {"data/a (1).csv": b"1", "data/it's $HOME.csv": b"2"}
    build = make_build(tmp_path / "builds/small", text="one", files=names)
    assert publish(to=host) == 0
    folder = dest / "releases/small" / build_id(build)
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ", 1)
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    assert (folder / "data/it's $HOME.csv").read_bytes() == b"2"
    assert current(dest) == build_id(build)
    modes = {oct(p.stat().st_mode & 0o777) for p in folder.rglob("*") if p.is_file()}
    assert modes == {"0o644"}
    assert publish(to=host) == 0  # again: nothing new
    assert publish(to=dest) == 0  # and from a mounted share: the same release


def test_rollback_list_and_keep_over_ssh(
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    host: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = build_id(make_build(tmp_path / "builds/small", text="one"))
    assert publish(to=host) == 0
    second = build_id(make_build(tmp_path / "builds/small", text="two"))
    assert publish("--keep", "1", to=host) == 0
    assert not (dest / "releases/small" / first).exists()
    capsys.readouterr()
    assert publish("--list", to=host) == 0
    assert capsys.readouterr().out.startswith(f"small  {second}")
    assert publish("--rollback", second, to=host) == 0


def test_an_sshd_lock_is_waited_for(
    tmp_path: Path, dest: Path, publish: Publish, host: str, build: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with LocalDestination(dest).lock(0):
        assert publish("--wait", "0.2", to=host) == 2
    assert "someone else publishes here now" in capsys.readouterr().err
    assert publish(to=host) == 0


def test_a_file_that_is_too_long_for_a_document_is_not_read(
    dest: Path, ssh: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DOCUMENT_BYTES", 100)
    dest.mkdir()
    (dest / "release.json").write_bytes(b"{" + b" " * 100)
    (dest / "small.json").write_bytes(b"{" + b" " * 99)
    host = RemoteDestination(
        f"{getpass.getuser()}@127.0.0.1", str(dest), tuple(shlex.split(ssh))
    )
    found = host.read(["release.json", "none.json", "small.json"])
    assert found == {"small.json": b"{" + b" " * 99}


def test_mistakes_are_told(
    tmp_path: Path, build: Path, publish: Publish, host: str, dest: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    assert publish(to=f"{host}/not/there") == 2
    assert "there is no such folder on the host" in capsys.readouterr().err
    dest.mkdir()
    (dest / "releases").write_text("foreign")
    assert publish(to=host) == 2
    assert "stands in the way" in capsys.readouterr().err


@needs_ssh
def test_an_unreachable_host_is_told(
    tmp_path: Path, build: Path, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "publish.yaml").write_text("ssh: ssh -F none -p 1\n")
    assert publish(to="127.0.0.1:www") == 2
    said = capsys.readouterr().err
    assert "the host cannot be reached" in said and "refused" in said.lower()


@needs_ssh
@pytest.mark.parametrize("options", [["--list"], []])
def test_no_folder_for_sockets_is_left(
    options: list[str],
    tmp_path: Path,
    build: Path,
    publish: Publish,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "publish.yaml").write_text("ssh: ssh -F none -p 1\n")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    assert publish(*options, to="127.0.0.1:www") == 2
    assert not list(temporary.iterdir())
