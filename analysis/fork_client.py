"""Run a verb in a process forked from one that has imported all of it already.

A build starts a dozen verbs, and each would import the same libraries for half a second
or more. So it keeps :mod:`workflow.fork_server` beside it, and tells by an
environment variable where that listens. Without it verbs run as they always do.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from contextlib import suppress

ADDRESS = "NETPERF_FORK_SERVER"  # environment variable: the path of a Unix socket
OUTPUTS = (1, 2)  # handed over: what the verb writes goes where it would have gone
BEGUN = b"."  # the first thing that is answered; then comes the exit code
KILLED = 128 + signal.SIGKILL  # as a shell says of a program that was killed


def main() -> int:
    """Run the verb of the command line elsewhere, or here if nobody listens.

    Returns its exit code. It is ended as soon as this process is gone.
    """
    with socket.socket(socket.AF_UNIX) as server:
        try:
            server.connect(os.environ[ADDRESS])
            request = {"argv": sys.argv, "folder": os.getcwd(), "of": {**os.environ}}
            socket.send_fds(server, [b"\n"], OUTPUTS)
            server.sendall(json.dumps(request).encode() + b"\n")
        except OSError:
            return _here()
        # Ctrl-C is heard by the verb, which is of the same group and ends by it.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        answer = _answer_of(server)
    if not answer.startswith(BEGUN):  # who listened there has ended, or is no such
        signal.signal(signal.SIGINT, before)
        return _here()
    code = answer.removeprefix(BEGUN)
    if not code:
        print(f"error: {sys.argv[1]!r} was killed", file=sys.stderr)
    return int(code or KILLED)


def _answer_of(server: socket.socket) -> bytes:
    """All that is answered until somebody hangs up, or is killed."""
    found = b""
    with suppress(OSError):
        while more := server.recv(64):
            found += more
            if not found.startswith(BEGUN):
                break
    return found


def _here() -> int:
    from analysis.cli import main

    return main()
