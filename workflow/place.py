"""Put a finished folder where it is read: ``workflow.place MADE PLACE [FLAG KEY]``.

All files change in one step, so a reader, and who comes after a kill, finds the old
folder or the new one, whole. Files that others laid into a report's folder stay.
Then ``FLAG`` holds the key of what was placed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from analysis.files.atomic import deliver


def main(made: str, place: str, flag: str = "", key: str = "") -> int:
    """Copy, then exchange; 2 where it cannot be done."""
    try:
        deliver(Path(made), Path(place))
        if flag:
            Path(flag).write_text(f"{key}\n", encoding="utf-8")
    except OSError as error:
        print(f"error: {place}: cannot be put in place: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
