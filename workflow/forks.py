"""Verbs at hand: a process that has imported them while Snakemake is still planning."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from analysis.cli import VERBS
from analysis.fork_client import ADDRESS
from workflow.single import JOBS, STATE

SOCKET = str(STATE / "verbs")  # from the project's folder: such a path must be short
# What a verb imports only when it comes to it, and what runs beside it.
LATER = {"derive": ["scipy.stats", VERBS["catalogue"][0]]}


@contextmanager
def verbs_at_hand(steps: Iterable[str]) -> Iterator[None]:
    """Within the block, the verbs of these steps are forked from a process of ours.

    Steps are named as in a plan: by their verb, then perhaps by what they work on.
    Elsewhere than on Linux, libraries of the system may not survive a fork.
    """
    if sys.platform != "linux":
        yield
        return
    verbs = dict.fromkeys(step.partition("-")[0] for step in steps)
    modules = [
        ",".join([VERBS[verb][0], *LATER.get(verb, [])])
        for verb in verbs
        if verb in VERBS
    ]
    # For a build after a killed one, these verbs are jobs that have outlived it.
    jobs = os.open(JOBS, os.O_RDWR)
    command = [sys.executable, "-m", "workflow.fork_server", SOCKET, *modules]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[jobs])
    os.close(jobs)
    os.environ[ADDRESS] = SOCKET
    try:
        yield
    finally:
        del os.environ[ADDRESS]
        server.communicate()
