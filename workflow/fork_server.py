"""Imports modules once, and forks a process for each verb that a build asks for.

``python -m workflow.fork_server SOCKET MODULE,MODULE…`` has the modules of one verb in
each argument, in the order of the steps. It listens before it imports, and between two
imports, so that nobody waits for all of them, and is one verb ahead: of a step that is
kept nothing is imported. It ends with its standard input, which who started it holds,
and when the last verb has ended.

Nothing but imports is done before the fork: libraries that start threads when they are
used, as polars and DuckDB do, would not find them in the new process.
"""

from __future__ import annotations

import gc
import importlib
import json
import multiprocessing
import os
import select
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

from analysis.fork_client import BEGUN, OUTPUTS

_WAITING = 64  # clients that may wait to be heard


def main(arguments: Sequence[str]) -> None:
    """Serve until the standard input ends; the first argument is the socket's path."""
    place, *verbs = arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with who started it
    gc.disable()  # what is imported stays
    mask = os.umask(0o177)  # nobody else may ask
    with socket.socket(socket.AF_UNIX) as listener:
        try:
            Path(place).unlink(missing_ok=True)
            listener.bind(place)
        except OSError:
            return  # no place, or no sockets in this file system: verbs start as ever
        os.umask(mask)
        listener.listen(_WAITING)
        # Short of files, processes or memory, verbs run where they are asked for.
        with suppress(OSError):
            _serve(listener, iter(verbs))
    with suppress(OSError):
        Path(place).unlink()


def _serve(listener: socket.socket, verbs: Iterator[str]) -> None:
    modules: Iterator[str] = iter(next(verbs, "").split(","))
    module = next(modules, "")
    fork = multiprocessing.get_context("fork")
    while True:
        patience = 0 if module else None
        ready, _, _ = select.select([sys.stdin, listener], [], [], patience)
        if sys.stdin in ready:
            return
        if listener not in ready:
            # Who runs the verb is told why a module cannot be imported.
            with suppress(Exception):
                importlib.import_module(module)
            module = next(modules, "")
            continue
        client, _ = listener.accept()
        with client:
            fork.Process(target=_answer, args=(listener, client)).start()
        if ahead := next(verbs, ""):
            modules = chain(modules, ahead.split(","))
            module = module or next(modules, "")
        multiprocessing.active_children()  # takes note of those that have ended


def _answer(listener: socket.socket, client: socket.socket) -> None:
    """In a new process: run what a client asks for, and tell it the exit code.

    What cannot begin here does so there, as the client is not told that it began.
    """
    listener.close()
    try:
        if not _take_over(client):
            return
        client.sendall(BEGUN)
    except OSError:
        return
    ended = threading.Event()
    threading.Thread(target=_end_with, args=(client, ended), daemon=True).start()
    code = _run()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    ended.set()
    with suppress(OSError):
        client.sendall(str(code).encode())
        client.shutdown(socket.SHUT_RDWR)


def _take_over(client: socket.socket) -> bool:
    """Be as who asks is: its outputs, folder, environment and words."""
    _, outputs, _, _ = socket.recv_fds(client, 1, len(OUTPUTS))
    request = client.makefile("rb").readline()
    if not request or len(outputs) < len(OUTPUTS):
        return False  # it found that it cannot ask, or no more files may be open
    for there, here in zip(outputs, OUTPUTS, strict=True):
        os.dup2(there, here)
        os.close(there)
    asked = json.loads(request)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["of"])
    sys.argv[:] = asked["argv"]
    return True


def _run() -> int:
    from analysis.cli import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.freeze()
    gc.enable()
    try:
        return main()
    except KeyboardInterrupt:  # a second one
        return 130
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        traceback.print_exc()
        return 1


def _end_with(client: socket.socket, ended: threading.Event) -> None:
    """End this process at once when its client is gone before it."""
    with suppress(OSError):
        client.recv(1)
    if not ended.is_set():
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1:])
