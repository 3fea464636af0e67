"""Files that tests write again and again in one place."""

from __future__ import annotations

from pathlib import Path


def write_fresh(path: Path, content: str | bytes) -> None:
    """Write a file that may be there, as a new one.

    One that is emptied and filled, ext4 puts on the disk at once, lest a crash leave
    it empty: that takes far longer than to read what most tests write.
    """
    path.unlink(missing_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
