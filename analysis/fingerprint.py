"""Hashes that decide what must run again: of a verb's code and of raw files.

Snakemake sees neither a change in an imported module nor, cheaply, one in hundreds
of raw files. Every rule carries these hashes as parameters instead.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from analysis.cli import VERBS
from analysis.file_cache import per_file

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("analysis", "models")
CACHE = Path("data/build/digests")
_MODULE_NAME = re.compile(rf"(?:{'|'.join(PACKAGES)})(?:\.\w+)*")
Modules = dict[str, tuple[Path, str]]  # name → file, hash of what it means
_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis fingerprint``."""
    parser.add_argument("verb", choices=sorted(VERBS))
    parser.add_argument(
        "--modules", action="store_true", help="list the modules that are hashed"
    )


def run(args: argparse.Namespace) -> int:
    """Print a verb's fingerprint, or the modules that it covers."""
    if args.modules:
        print(*sorted(modules_of(args.verb)), sep="\n")
    else:
        print(fingerprint(args.verb))
    return 0


def fingerprint(verb: str, root: Path = ROOT) -> str:
    """The hash of what a verb's code means, as 16 hex digits.

    It covers the verb's module and every project module that it imports, however
    deep and however late, with the data files beside them. Comments, docstrings and
    layout do not count. The project is the folder ``root``.
    """
    return fingerprints([verb], root)[verb]


def fingerprints(verbs: Iterable[str], root: Path = ROOT) -> dict[str, str]:
    """The :func:`fingerprint` of each verb; the code is looked at once."""
    known = _modules(root)
    return {verb: _fingerprint(_reached(verb, known), root) for verb in verbs}


def _fingerprint(modules: Modules, root: Path) -> str:
    lines = [f"{name} {meaning}" for name, (_, meaning) in sorted(modules.items())]
    for path in _data_files({path.parent for path, _ in modules.values()}):
        bytes_hash = hashlib.sha256(path.read_bytes()).hexdigest()
        lines.append(f"{path.relative_to(root).as_posix()} {bytes_hash}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def modules_of(verb: str, root: Path = ROOT) -> Modules:
    """The project modules that a verb consists of: name → file, hash of its meaning."""
    return _reached(verb, _modules(root))


def _reached(verb: str, known: Mapping[str, tuple[Path, str, list[str]]]) -> Modules:
    """The modules that a verb imports, of all that are known."""
    found: Modules = {}
    waiting = [VERBS[verb][0]]
    while waiting:
        name = waiting.pop()
        if name in known and name not in found:
            path, meaning, imports = known[name]
            found[name] = path, meaning
            waiting += [*imports, name.rpartition(".")[0]]
    return found


def content_digest(folder: Path, cache: Path = CACHE) -> str:
    """The hash of all files below a folder: their names and bytes, not their dates."""
    paths = (Path(place, name) for place, _, names in os.walk(folder) for name in names)
    hashes = per_file(paths, _hash_bytes, cache / "raw" / f"{folder.name}.json")
    lines = sorted(
        f"{path.relative_to(folder).as_posix()} {bytes_hash}"
        for path, bytes_hash in hashes.items()
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _modules(root: Path) -> dict[str, tuple[Path, str, list[str]]]:
    """All modules of the project: name → file, hash of its meaning, what it imports."""
    paths = [path for package in PACKAGES for path in (root / package).rglob("*.py")]
    read = per_file(paths, _read_module, root / CACHE / "code.json")
    modules = {}
    for path, (meaning, targets) in read.items():
        parts = path.relative_to(root).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = parts[:-1] if is_package else parts
        package = name if is_package else name[:-1]
        imports = [_absolute(target, level, package) for target, level in targets]
        modules[".".join(name)] = (path, meaning, imports)
    return modules


def _absolute(target: str, level: int, package: tuple[str, ...]) -> str:
    base = package[: len(package) - level + 1] if level else ()
    return ".".join([*base, target] if target else base)


def _read_module(path: Path) -> tuple[str, list[tuple[str, int]]]:
    """The hash of a module without its docstrings, and names that it may import."""
    tree = ast.parse(path.read_bytes(), str(path))
    names: set[tuple[str, int]] = set()
    for node in ast.walk(tree):
        names.update(_names(node))
        if isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node, clean=False):
            node.body = node.body[1:]
    dump = ast.dump(tree, annotate_fields=False)
    return hashlib.sha256(dump.encode()).hexdigest(), sorted(names)


def _names(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Names that a node may import, with their leading dots; a string may, later on."""
    if isinstance(node, ast.Import):
        yield from ((alias.name, 0) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        yield base, node.level
        for alias in node.names:
            yield f"{base}.{alias.name}".lstrip("."), node.level
    elif isinstance(node, ast.Constant) and _MODULE_NAME.fullmatch(str(node.value)):
        yield str(node.value), 0


def _hash_bytes(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _data_files(folders: set[Path]) -> list[Path]:
    """Files beside modules that are no code, and those of subfolders without code."""
    beside = [path for folder in folders for path in folder.iterdir()]
    plain = [path for path in beside if path.is_dir() and not any(path.glob("*.py*"))]
    below = [path for folder in plain for path in folder.rglob("*")]
    return sorted(p for p in (*beside, *below) if p.is_file() and p.suffix != ".py")
