"""A Slurm cluster on this machine, of one node or more, as some users may have it."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch")
COMMANDS = ("sbatch", "srun", "squeue", "scancel", "scontrol", "sinfo", "sacct")
PATIENCE_SECONDS = 30
CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={at}/munge.sock
SlurmctldPort={port}
StateSaveLocation={at}/state
SlurmdSpoolDir={at}/spool-%n
SlurmctldPidFile={at}/slurmctld.pid
SlurmdPidFile={at}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MinJobAge=86400
{nodes}
PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
NODE = """NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} \
CPUs={cpus} RealMemory=8000 State=UNKNOWN"""


def missing() -> list[str]:
    """The programs of Slurm that this machine has not."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
    return [name for name in PROGRAMS if not shutil.which(name, path=path)]


@contextmanager
def cluster(
    at: Path, nodes: Sequence[str] = ("node",), cpus: int = 2
) -> Iterator[Path]:
    """Run a cluster of ``nodes``; gives the folder with the commands that ask it.

    A job's environment has no ``SLURM_CONF``, so the commands say it themselves.
    """
    for name in ("state", "bin", *(f"spool-{node}" for node in nodes)):
        (at / name).mkdir()
    conf = at / "slurm.conf"
    conf.write_text(_configuration(at, nodes, cpus))
    for name in COMMANDS:
        (at / "bin" / name).write_text(
            f'#!/bin/sh\nSLURM_CONF={conf} exec {shutil.which(name)} "$@"\n'
        )
        (at / "bin" / name).chmod(0o755)
    started: list[subprocess.Popen[bytes]] = []
    try:
        for name, command in _daemons(at, conf, nodes).items():
            started.append(_started(name, command, at))
        _wait_for_nodes(at / "bin" / "sinfo", len(nodes))
        yield at / "bin"
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(PATIENCE_SECONDS)


def _configuration(at: Path, nodes: Sequence[str], cpus: int) -> str:
    host, user = socket.gethostname().partition(".")[0], getpass.getuser()
    port, *ports = _free_ports(1 + len(nodes))
    lines = [
        NODE.format(name=name, host=host, port=own, cpus=cpus)
        for name, own in zip(nodes, ports, strict=True)
    ]
    told = "\n".join(lines)
    return CONFIGURATION.format(host=host, user=user, at=at, port=port, nodes=told)


def _daemons(at: Path, conf: Path, nodes: Sequence[str]) -> dict[str, list[str]]:
    key = at / "munge.key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    munge = {
        "socket": "sock",
        "pid-file": "pid",
        "log-file": "log",
        "seed-file": "seed",
    }
    files = [f"--{option}={at}/munge.{end}" for option, end in munge.items()]
    munged = [
        "/usr/sbin/munged",
        "--foreground",
        "--force",
        f"--key-file={key}",
        *files,
    ]
    of_nodes = {
        f"slurmd-{node}": ["/usr/sbin/slurmd", "-D", "-N", node, "-f", str(conf)]
        for node in nodes
    }
    control = ["/usr/sbin/slurmctld", "-D", "-f", str(conf)]
    return {"munged": munged, "slurmctld": control, **of_nodes}


def _started(name: str, command: list[str], at: Path) -> subprocess.Popen[bytes]:
    with (at / f"{name}.out").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    if name == "munged":
        _wait_until((at / "munge.sock").exists, "munged")
    return process


def _wait_for_nodes(sinfo: Path, count: int) -> None:
    def idle() -> bool:
        told = subprocess.run(
            [sinfo, "-h", "-N", "-o", "%T"], capture_output=True, check=False
        )
        return told.stdout.split() == [b"idle"] * count

    _wait_until(idle, "the nodes")


def _wait_until(ready: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not ready():
        assert time.monotonic() < until, f"{what} did not come"
        time.sleep(0.1)


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        all = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in all:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in all]
