"""``make report``: see :mod:`workflow.make`. An interrupt is heard from the start."""

from __future__ import annotations

import os
import sys

from workflow.interrupt import EXIT_CODE, interrupted, listen

if __name__ == "__main__":
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
