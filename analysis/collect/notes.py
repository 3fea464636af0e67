"""Where each fetched file came from, ``collected.csv``, and its ``SHA256SUMS``."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from analysis.collect.request import Request
from analysis.declared.collect import COLLECTED_FILE, Server
from analysis.files.atomic import write_text
from analysis.files.checksums import SUMS_FILE, checksums_text, read_checksums
from analysis.files.csv_text import csv_text, read_csv
from analysis.files.hashes import hash_file
from analysis.files.text_file import read_text

_HEADER = ("file", "sha256", "bytes", "fetched_utc", "server", "request")


def note(folder: Path, request: Request, server: Server) -> None:
    """Write down a file that has been fetched: its checksum, and where it came from."""
    path = folder / request.to
    told = {
        "file": request.to,
        "sha256": hash_file(path),
        "bytes": str(path.stat().st_size),
        "fetched_utc": dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "server": f"{server.kind} {server.address}",
        "request": request.what,
    }
    rows = {row["file"]: row for row in read_notes(folder)} | {request.to: told}
    sums = folder / SUMS_FILE
    known = read_checksums(folder).files if sums.exists() else {}
    write_text(sums, checksums_text({**known, request.to: told["sha256"]}))
    ordered = [rows[file] for file in sorted(rows)]
    write_text(folder / COLLECTED_FILE, csv_text(_HEADER, ordered))


def read_notes(folder: Path) -> list[dict[str, str]]:
    """The notes of all files that were fetched so far."""
    path = folder / COLLECTED_FILE
    return list(read_csv(read_text(path))) if path.exists() else []
