"""Write anew what ``inspect`` says of every golden file.

Run ``python tests/golden/update.py``. Look at the differences before you commit
them: a changed figure needs a reason.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent
sys.path.insert(0, str(GOLDEN.parents[1]))

from analysis.ingest.detect import FORMATS, read_file  # noqa: E402
from analysis.ingest.inspect_file import row_lines, summary  # noqa: E402

SUFFIX = ".expected.json"


def files() -> list[Path]:
    """The golden files, without what is expected of them."""
    found = [path for name in FORMATS for path in (GOLDEN / name).glob("*")]
    return sorted(path for path in found if not path.name.endswith(SUFFIX))


def said(path: Path) -> str:
    """What ``inspect --json`` and ``--rows`` say, as one JSON document."""
    reading = read_file(path, "UTC")
    about = summary(path, reading) | {"file": path.name}
    rows = [json.loads(line) for line in row_lines(path, reading)]
    known = [{k: v for k, v in row.items() if v is not None} for row in rows]
    told = reading.circumstances.known()
    more = {"circumstances": told} if told else {}
    whole = {"summary": about, **more, "details": reading.details, "rows": known}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    for file in files():
        file.with_name(file.name + SUFFIX).write_text(said(file), encoding="utf-8")
