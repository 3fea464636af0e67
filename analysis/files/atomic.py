"""Results written so that a final name never holds half of one, and put in place."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

_HERE, _RENAME_EXCHANGE = -100, 2  # AT_FDCWD and a flag, from linux/fcntl.h, fs.h
MANIFEST = "manifest.json"
TABLES = "tables"  # of a report: large, never edited
_CANNOT = (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EXDEV)


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 text, all of it or nothing."""
    with whole_file(path) as draft:
        draft.write_text(text, encoding="utf-8")


@contextmanager
def whole_file(path: Path, rivals: bool = False) -> Iterator[Path]:
    """The name of a draft beside ``path``; what is there takes its place at a good end.

    What a killed run left under that name is gone. With ``rivals``, where several may
    write the same file at once, each has a draft of its own.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    mark = f".{threading.get_native_id()}" if rivals else ""
    draft = path.with_name(f".{path.name}{mark}.part")
    remove_folder(draft)
    try:
        yield draft
        os.replace(draft, path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def write_all(out: Path, files: Mapping[str, bytes]) -> None:
    """Write all files under their names in ``out``, or on an error none of them."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out, prefix=".new-") as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        for name in files:
            os.replace(Path(folder) / name, out / name)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Waits until nobody else is in such a block for a folder, and keeps others out."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def whole_folder(out: Path) -> Iterator[Path]:
    """An empty draft beside ``out``, which takes its place when the block ends well;
    if not, it is gone: on a full disk nothing else could be written."""
    draft = fresh_folder(out)
    try:
        yield draft
    except BaseException as error:
        remove_folder(draft)
        if isinstance(error, OSError):
            name_file(error, out)
        raise
    remove_folder(put_folder(draft, out))


def name_file(error: OSError, path: Path) -> None:
    """Say of what file an error is, and what it is, where polars has told neither."""
    error.strerror = error.strerror or str(error)
    error.filename = error.filename or str(path)


def fresh_folder(out: Path) -> Path:
    """An empty draft of the folder ``out``, beside it.

    What a killed run left is removed, or put back where it had taken ``out`` away.
    """
    draft, old = out.with_name(f".{out.name}.part"), _old(out)
    if old.exists() and not out.exists():
        os.rename(old, out)
    for path in (draft, old):
        remove_folder(path)
    draft.mkdir(parents=True)
    return draft


def put_folder(draft: Path, out: Path) -> Path:
    """Let ``draft`` take the place of ``out``, and return where the old folder is now.

    The two change places in one step: whoever reads ``out`` finds the old or the new
    one, whole, also after a kill. Where the file system cannot do that, ``out`` is
    absent between two renames; after a kill there, :func:`fresh_folder` puts it back.
    """
    if not os.path.lexists(out):
        os.rename(draft, out)
        return draft
    if _exchange(draft, out):
        return draft
    os.rename(out, _old(out))
    os.rename(draft, out)
    return _old(out)


def link_file(path: Path, target: Path) -> None:
    """Let a file have another name, too; copy it where that cannot be."""
    try:
        os.link(path, target)
    except OSError:
        shutil.copyfile(path, target)


def remove_folder(path: Path) -> None:
    """Remove a folder with all that is in it, or whatever is there instead of one: a
    file, a link; nothing is right too."""
    if path.is_symlink() or (path.exists() and not path.is_dir()):
        path.unlink(missing_ok=True)
    shutil.rmtree(path, ignore_errors=True)


def deliver(made: Path, out: Path) -> None:
    """Let a copy of ``made`` take the place of the folder ``out``."""
    with placed(out) as draft:
        hidden = shutil.ignore_patterns(".*")  # of Snakemake
        shutil.copytree(
            made, draft, dirs_exist_ok=True, copy_function=_copied, ignore=hidden
        )


@contextmanager
def placed(out: Path) -> Iterator[Path]:
    """An empty folder that takes the place of ``out`` when the block ends well.

    A reader meets the old folder or the new one, never files of both, and so does who
    comes after a kill. Beside a manifest stays what that of the old report does not
    name, as it is not the report's.
    """
    draft = fresh_folder(out)
    try:
        yield draft
    except BaseException:
        remove_folder(draft)
        raise
    is_report = (draft / MANIFEST).is_file()
    if is_report:
        for name in _others(out):
            _bring(out / name, draft / name, _copy)
    old = put_folder(draft, out)
    if is_report:
        for name in _others(old):  # what came since then
            _bring(old / name, out / name, os.replace)
    remove_folder(old)


def files_below(folder: Path) -> list[Path]:
    """All files below a folder, in the order of their names."""
    return sorted(p for p in folder.rglob("*") if p.is_file())


def _old(out: Path) -> Path:
    return out.with_name(f".{out.name}.old")


def _exchange(one: Path, other: Path) -> bool:
    """Let two paths change places in one step; False where that cannot be done.

    Linux has it for its own file systems, network shares mostly not.
    """
    import ctypes  # the few who replace folders need it

    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "renameat2"):
        return False
    paths = os.fsencode(one.absolute()), os.fsencode(other.absolute())
    if libc.renameat2(_HERE, paths[0], _HERE, paths[1], _RENAME_EXCHANGE) == 0:
        return True
    if (code := ctypes.get_errno()) in _CANNOT:
        return False
    raise OSError(code, os.strerror(code), str(other))


def _others(out: Path) -> list[str]:
    """Files in a report's folder that are not the report's."""
    try:
        named = {*json.loads((out / MANIFEST).read_text(encoding="utf-8"))["files"]}
    except (OSError, ValueError, LookupError, TypeError):
        named = set()
    names = (path.relative_to(out).as_posix() for path in files_below(out))
    return [name for name in names if name not in {MANIFEST, *named}]


def _copied(source: str, target: str) -> None:
    """Copy a file; a table is given another name where that can be."""
    if TABLES in Path(source).parts[:-1]:
        link_file(Path(source), Path(target))
    else:
        shutil.copy2(source, target)


def _bring(source: Path, target: Path, how: Callable[[Path, Path], object]) -> None:
    """Bring a file to where none of the new report is."""
    if not os.path.lexists(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        how(source, target)


def _copy(source: Path, target: Path) -> None:
    shutil.copy2(source, target, follow_symlinks=False)
