"""Files of a host over a real sshd on loopback, with keys that live for this test."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from analysis.cli import main

SSHD = shutil.which("sshd") or "/usr/sbin/sshd"
NEEDED = (SSHD, "/usr/bin/ssh", "/usr/bin/sftp", "/usr/bin/ssh-keygen")
SERVER = """
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
PidFile none
AuthorizedKeysFile {folder}/authorized
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
Subsystem sftp internal-sftp
"""
CLIENT = """
IdentityFile {folder}/mine
IdentitiesOnly yes
IdentityAgent none
UserKnownHostsFile {folder}/known
GlobalKnownHostsFile /dev/null
"""


@dataclass(frozen=True)
class Sshd:
    """A server, its address, and the folder with its keys and those of the client."""

    folder: Path
    port: int

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    def know(self, key: str) -> None:
        """Let the client know that key of the host, or none."""
        kind = (self.folder / f"{key}.pub").read_text() if key else ""
        known = f"[127.0.0.1]:{self.port} {kind}" if key else ""
        (self.folder / "known").write_text(known)

    def let_in(self, key: str) -> None:
        """Let the server accept that key alone."""
        shutil.copy(self.folder / f"{key}.pub", self.folder / "authorized")


@pytest.fixture(scope="module")
def sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    """A server that runs, and programs ``ssh`` and ``sftp`` that have its keys."""
    if not all(Path(program).is_file() for program in NEEDED):
        pytest.skip("needs sshd and ssh: apt install openssh-server")
    folder = tmp_path_factory.mktemp("sshd")
    for name in ("host", "mine", "other"):
        make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name]
        subprocess.run(make, check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for name, text in (("sshd_config", SERVER), ("config", CLIENT)):
        (folder / name).write_text(text.format(port=port, folder=folder))
    for name in ("ssh", "sftp"):
        script = f'#!/bin/sh\nexec /usr/bin/{name} -F {folder}/config "$@"\n'
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    with suppress(OSError):
        Path("/run/sshd").mkdir(exist_ok=True)  # as its service would
    command = [SSHD, "-D", "-e", "-f", str(folder / "sshd_config")]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stderr=log)
    try:
        if not _answers(port, server):
            pytest.skip(f"sshd does not run here: {(folder / 'log').read_text()}")
        yield Sshd(folder, port)
    finally:
        server.terminate()
        server.wait()


def _answers(port: int, server: subprocess.Popen[bytes]) -> bool:
    for _ in range(200):
        if server.poll() is not None:
            return False
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return True
        time.sleep(0.01)
    return False


@pytest.fixture
def lab(sshd: Sshd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign's folder, with the client's programs in the path."""
    monkeypatch.setenv("PATH", f"{sshd.folder}:/usr/bin:/bin")
    sshd.know("host")
    sshd.let_in("mine")
    return tmp_path / "lab"


def collect(sshd: Sshd, lab: Path, *files: tuple[str, Path]) -> int:
    """The exit code of fetching files, each by ssh or sftp to a name of its own."""
    lab.mkdir(exist_ok=True)
    servers = {kind: {"kind": kind, "address": sshd.address} for kind, _ in files}
    wanted = [
        {"from": kind, "path": str(path), "to": f"{n}.{kind}"}
        for n, (kind, path) in enumerate(files)
    ]
    text = yaml.safe_dump({"servers": servers, "files": wanted})
    (lab / "collect.yaml").write_text(text)
    return main(["collect", str(lab)])


def test_files_come_whole_and_what_is_missing_is_named(
    sshd: Sshd, lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "it's a [log] *.txt"
    log.write_bytes(b"\0\1\n\r\xff" * 500_000)
    gone = tmp_path / "gone.txt"
    assert collect(sshd, lab, ("ssh", log), ("sftp", log), ("sftp", gone)) == 2
    assert [(lab / name).read_bytes() for name in ("0.ssh", "1.sftp")] == [
        log.read_bytes()
    ] * 2
    told = capsys.readouterr().err
    assert told.startswith(f"error: {sshd.address}: {gone}: ")
    assert {path.name for path in lab.iterdir()} == {
        "0.ssh", "1.sftp", "collect.yaml", "collected.csv", "SHA256SUMS"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "known", "accepted", "what", "cure"),
    [
        ("ssh", "other", "mine", "its host key is not the one that", "ssh-keygen -R"),
        ("sftp", "other", "mine", "its host key is not the one that", "ssh-keygen -R"),
        ("ssh", "", "mine", "its host key is not known here", "connect once by hand"),
        ("ssh", "host", "other", "refuses the key: ", "~/.ssh/authorized_keys"),
    ],
)
def test_a_host_that_is_another_or_lets_nobody_in(
    sshd: Sshd, lab: Path, capsys: pytest.CaptureFixture[str],
    kind: str, known: str, accepted: str, what: str, cure: str,
) -> None:  # fmt: skip
    sshd.know(known)
    sshd.let_in(accepted)
    assert collect(sshd, lab, (kind, Path(__file__))) == 2
    said, _, mend = capsys.readouterr().err.partition("\n  mend: ")
    assert said.startswith(f"error: {sshd.address}: {what}")
    assert cure in mend
    assert f"ssh -p {sshd.port} 127.0.0.1" in mend
    assert [path.name for path in lab.iterdir()] == ["collect.yaml"]
