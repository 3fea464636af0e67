"""``make report``: see :mod:`workflow.make`. An interrupt is heard from the start."""

from __future__ import annotations

import os
import sys

from workflow.interrupt import EXIT_CODE, interrupted, listen


def open_closed() -> None:
    """Open standard streams that are closed, to nowhere: files that are opened later
    would take their numbers, and programs that are started their output."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, "w" if number else "r")  # noqa: SIM115
            if stream.fileno() != number:
                os.dup2(stream.fileno(), number)
            os.set_inheritable(number, True)
            setattr(sys, name, stream)


if __name__ == "__main__":
    open_closed()
    listen()
    try:
        from workflow.make import main
        from workflow.single import release

        try:
            code = main()
        finally:
            release()
    except KeyboardInterrupt:
        code = EXIT_CODE
    sys.stdout.flush()
    sys.stderr.flush()
    # Snakemake's timers would hold the process for another second.
    os._exit(EXIT_CODE if interrupted() else code)
