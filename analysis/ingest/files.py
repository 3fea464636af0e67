"""The files of a campaign: which there are, where they lie and their checksums."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

from analysis.declared.campaign import CAMPAIGN_FILE, RUNS_FILE
from analysis.declared.collect import COLLECT_FILE, COLLECTED_FILE
from analysis.errors import Issue, Place, UserError
from analysis.files.checksums import RECORD, SUMS_FILE, Checksums, parse_checksums
from analysis.files.hashes import CampaignState, hash_file
from analysis.files.inputs import campaign_files
from analysis.files.limits import NAME_BYTES, PATH_BYTES

# What a line of SHA256SUMS cannot hold as it is.
_CONTROL = r"\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff"
_UNLISTABLE = re.compile(f"[{_CONTROL}]")
_PART = rf"[^./\\:{_CONTROL}][^/\\:{_CONTROL}]*"
_PLAIN = re.compile(rf"(?:{_PART}/)*{_PART}\Z")
OWN = {CAMPAIGN_FILE, RUNS_FILE, SUMS_FILE, COLLECT_FILE, COLLECTED_FILE}
_LARGE = 2**20  # bytes of a file from which on hashing in threads is faster
AT_MOST = 10  # files not listed that are named; the rest is counted
INSIDE = "copy it into the folder and name it by its path below it, with /"
BACK = "put it back, or take its line out"
UNCHANGED = (
    f"put the measured file back; if the change is meant, {RECORD} and say why in "
    "the campaign"
)


def list_files(folder: Path) -> list[str]:
    """Files below a campaign's folder, sorted, ``/`` between folders.

    Declaration, runs and checksums are left out; see :func:`campaign_files` for the
    rest.
    """
    return sorted(campaign_files(folder).keys() - OWN)


def plain_files(state: CampaignState) -> frozenset[str]:
    """Of these files those with a plain path on which no symbolic link lies."""
    names = state.states.keys() - OWN - state.links
    return frozenset(filter(_PLAIN.match, names))


def hash_files(folder: Path, files: Iterable[str]) -> dict[str, str]:
    """The sha256 of each file, by file."""
    paths = {name: Path(f"{folder}/{name}") for name in files}
    large = {n: path for n, path in paths.items() if path.stat().st_size >= _LARGE}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        hashed = dict(zip(large, pool.map(hash_file, large.values()), strict=True))
    return {n: hashed.get(n) or hash_file(path) for n, path in paths.items()}


def misplaced(folder: Path, file: str) -> str:
    """Why a file's name is not a plain path below the campaign's folder, or ``""``."""
    pure = PurePosixPath(file)
    if pure.is_absolute() or re.match(r"[A-Za-z]:[\\/]", file):
        return "is an absolute path"
    if "\\" in file:
        return "has backslashes"
    if "\0" in file:
        return "has a NUL in it"
    if match := _UNLISTABLE.search(file):
        return f"has the control character U+{ord(match[0]):04X} in its name"
    if any(len(part.encode()) > NAME_BYTES for part in pure.parts):
        return f"has a name of more than {NAME_BYTES} bytes (NAME_BYTES)"
    if len(file.encode()) > PATH_BYTES:
        return f"is a path of more than {PATH_BYTES:,} bytes (PATH_BYTES)"
    if ".." in pure.parts:
        return "leads out of the campaign's folder"
    if any(part.startswith(".") for part in pure.parts):
        return "has a name that begins with a dot"
    if pure.as_posix() != file or file in OWN:
        return "is not a file of the campaign"
    if not (folder / file).resolve().is_relative_to(folder.resolve()):
        return "is a symbolic link that leads out of the campaign's folder"
    return ""


def check_checksums(
    state: CampaignState,
    named: Collection[str],
    plain: Collection[str],
    known: Mapping[str, str],
) -> tuple[Checksums, list[Issue]]:
    """The checksums of a campaign, and what is wrong with them or with its files.

    ``plain`` are the folder's :func:`plain_files`. ``named`` are the files that runs
    name: where one does not exist, the run's line has been reported already. Files of
    which the sha256 is ``known`` are not read.
    """
    try:
        checksums, issues = parse_checksums(state.folder)
    except UserError as error:
        return Checksums(), error.issues
    if issues:
        return checksums, issues
    folder, declared = state.folder, checksums.files
    lines: list[tuple[str, str, str]] = []
    sound = []
    for file in declared:
        if file in plain:
            sound.append(file)
        elif reason := misplaced(folder, file):
            lines.append((file, f"the file {file!r} {reason}", INSIDE))
        elif (folder / file).is_file():
            sound.append(file)
        elif file not in named:
            lines.append((file, f"the file {file!r} does not exist", BACK))
    hashed = hash_files(folder, [file for file in sound if file not in known])
    for file in sound:
        sha256 = known.get(file) or hashed[file]
        if sha256 != declared[file]:
            what = f"the file {file!r} has changed: its sha256 is now {sha256}"
            lines.append((file, what, UNCHANGED.format(folder=folder)))
    where = str(folder / SUMS_FILE)
    issues = [Issue(w, Place(where, checksums.lines[f]), m) for f, w, m in lines]
    others = {*named} - {*declared} - {*plain}
    there = {f for f in others if not misplaced(folder, f) and (folder / f).is_file()}
    unlisted = sorted({*(state.states.keys() - OWN), *there} - {*declared})
    mend = f"{RECORD.format(folder=folder)}, or remove the file"
    for file in unlisted[:AT_MOST]:
        reason = misplaced(folder, file) or f"has no line in {SUMS_FILE}"
        issues.append(Issue(f"this file {reason}", Place(str(folder / file)), mend))
    if len(unlisted) > AT_MOST:
        more = f"{len(unlisted) - AT_MOST} more files have no line in {SUMS_FILE}"
        issues.append(Issue(more, Place(str(folder)), mend))
    return checksums, issues
