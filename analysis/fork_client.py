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

ADDRESS = "NETPERF_FORK_SERVER"  # environment variable: the path of a Unix socket
OUTPUTS = (1, 2)  # handed over: what the verb writes goes where it would have gone
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
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        code = server.makefile("rb").read()
    if not code:
        print(f"error: {sys.argv[1]!r} was killed", file=sys.stderr)
    return int(code or KILLED)


def _here() -> int:
    from analysis.cli import main

    return main()
