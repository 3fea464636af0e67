"""A program that ends with the one that started it, however that one ended.

``python guard.py FD NICE PROGRAM ARGUMENT…`` runs a program in a process group of its
own, as NICE yields to others, and ends the group when FD, the reading end of a pipe,
is at its end: the system closes the other end with the process that holds it, even a
killed one. No library is imported, so that it starts in a hundredth of a second.
"""

import _thread
import os
import signal
import sys

_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # the pipe tells of the end


def main() -> int:
    """The exit code of the program; 128 and the signal where one ended it."""
    lifeline, nice, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    os.set_inheritable(lifeline, False)
    os.nice(nice)
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    child = os.posix_spawnp(
        program[0], program, os.environ, setpgroup=0, setsigdef=_IGNORED
    )
    _thread.start_new_thread(_follow, (lifeline, child))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    _end(child)  # what it left running
    return 128 - code if code < 0 else code


def _follow(lifeline: int, child: int) -> None:
    while os.read(lifeline, 1):
        pass
    _end(child)


def _end(group: int) -> None:
    try:  # noqa: SIM105 - contextlib takes longer to import than all else
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass


if __name__ == "__main__":
    sys.exit(main())
