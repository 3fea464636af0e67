"""``python -m analysis VERB``: see ``analysis.cli``."""

import os

try:
    if "NETPERF_FORK_SERVER" in os.environ:  # as ``ADDRESS``, whose module costs time
        from analysis.fork_client import main
    else:
        from analysis.cli import main

    code = main()
except KeyboardInterrupt:  # while modules are imported, or a second one
    code = 130
raise SystemExit(code)
