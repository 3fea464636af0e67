"""``make preview``: see :mod:`workflow.preview`. Ctrl-C ends it without a word, also
while modules are imported."""

from __future__ import annotations

if __name__ == "__main__":
    try:
        from workflow.preview import main

        code = main()
    except KeyboardInterrupt:
        code = 0
    raise SystemExit(code)
