"""A Slurm cluster of one node on this machine, as some of its users may have it."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
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
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={at}/state
SlurmdSpoolDir={at}/spool
SlurmctldPidFile={at}/slurmctld.pid
SlurmdPidFile={at}/slurmd.pid
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
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2 \
RealMemory=8000 State=UNKNOWN
PartitionName=debug Nodes=node Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> list[str]:
    """The programs of Slurm that this machine has not."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
    return [name for name in PROGRAMS if not shutil.which(name, path=path)]


@contextmanager
def cluster(at: Path) -> Iterator[Path]:
    """Run a cluster; gives the folder with the commands that ask it.

    A job's environment has no ``SLURM_CONF``, so the commands say it themselves.
    """
    for name in ("state", "spool", "bin"):
        (at / name).mkdir()
    host, user = socket.gethostname().partition(".")[0], getpass.getuser()
    settings = CONFIGURATION.format(host=host, user=user, at=at, ports=_free_ports())
    conf = at / "slurm.conf"
    conf.write_text(settings)
    for name in COMMANDS:
        (at / "bin" / name).write_text(
            f'#!/bin/sh\nSLURM_CONF={conf} exec {shutil.which(name)} "$@"\n'
        )
        (at / "bin" / name).chmod(0o755)
    started: list[subprocess.Popen[bytes]] = []
    try:
        for command in _daemons(at, conf):
            started.append(_started(command, at))
        _wait_for_node(at / "bin" / "sinfo")
        yield at / "bin"
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(PATIENCE_SECONDS)


def _daemons(at: Path, conf: Path) -> list[list[str]]:
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
    return [
        ["/usr/sbin/munged", "--foreground", "--force", f"--key-file={key}", *files],
        ["/usr/sbin/slurmctld", "-D", "-f", str(conf)],
        ["/usr/sbin/slurmd", "-D", "-N", "node", "-f", str(conf)],
    ]


def _started(command: list[str], at: Path) -> subprocess.Popen[bytes]:
    log = (at / f"{Path(command[0]).name}.out").open("wb")
    process = subprocess.Popen(command, stdout=log, stderr=log)
    if command[0].endswith("munged"):
        _wait_until((at / "munge.sock").exists, "munged")
    return process


def _wait_for_node(sinfo: Path) -> None:
    def idle() -> bool:
        told = subprocess.run(
            [sinfo, "-h", "-o", "%T"], capture_output=True, check=False
        )
        return told.stdout.strip() == b"idle"

    _wait_until(idle, "the node")


def _wait_until(ready, what: str) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not ready():
        assert time.monotonic() < until, f"{what} did not come"
        time.sleep(0.1)


def _free_ports() -> list[int]:
    with socket.socket() as one, socket.socket() as other:
        for each in (one, other):
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in (one, other)]
