"""``python -m analysis VERB``: see ``analysis.cli``."""

from analysis.cli import main

raise SystemExit(main())
