"""A list of checksums that says of a result that it is whole, and as it was made.

Who makes a folder of results writes ``SHA256SUMS`` in it last; who reads them compares.
So a result that was edited, half copied or taken from elsewhere is refused instead of
flowing into a report. ``sha256sum --check SHA256SUMS`` compares by hand.
"""

from __future__ import annotations

from pathlib import Path

from analysis.errors import Issue, NotBuiltError, Place, user_error
from analysis.files.atomic import write_text
from analysis.files.digests import CACHE, file_hashes

SUMS = "SHA256SUMS"
MEND = "remove this folder and run 'make report', which makes it again"


def seal(folder: Path) -> None:
    """Write the checksums of all files below ``folder``, sorted by name."""
    write_text(folder / SUMS, _sums(folder))


def check_sealed(folder: Path) -> None:
    """A :class:`UserError` where the files below ``folder`` are not those that were
    made; a :class:`NotBuiltError` where there is no such folder yet."""
    if not folder.is_dir():
        issue = Issue("is not built yet", Place(str(folder)), "run 'make report' first")
        raise NotBuiltError([issue])
    try:
        written = (folder / SUMS).read_text("utf-8")
    except (OSError, ValueError):
        raise user_error(f"has no {SUMS}: not whole", folder, mend=MEND) from None
    if written != (now := _sums(folder)):
        changed = sorted(set(written.splitlines()) ^ set(now.splitlines()))
        name = changed[0].partition("  ")[2] if changed else SUMS
        what = "is not what was made: edited, half copied or of another build"
        raise user_error(what, folder / name, mend=MEND)


def _sums(folder: Path) -> str:
    # Snakemake lays a hidden file into folders that its rules make.
    files = [p for p in folder.rglob("[!.]*") if p.is_file() and p.name != SUMS]
    hashes = file_hashes(files, f"made/{folder.parent.name}-{folder.name}", CACHE)
    named = {Path(p).relative_to(folder).as_posix(): of for p, of in hashes.items()}
    return "".join(f"{of}  {name}\n" for name, of in sorted(named.items()))
