"""``python -m analysis VERB``: see ``analysis.cli``."""

try:
    from analysis.cli import main

    code = main()
except KeyboardInterrupt:  # while modules are imported, or a second one
    code = 130
raise SystemExit(code)
