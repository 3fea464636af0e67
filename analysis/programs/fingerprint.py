"""Hashes that decide what must run again when a verb's code changes.

Snakemake sees no change in an imported module, nor in a library. Every rule carries
these hashes instead. A result of another numpy, Pandoc or Python may be another one, so
their versions are part of them.
"""

from __future__ import annotations

import argparse
import ast
import functools
import hashlib
import platform
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.cli import VERBS
from analysis.errors import user_error
from analysis.files.hashes import CACHE, hash_file, per_file
from analysis.files.inputs import is_draft
from analysis.program import PROGRAM, is_checkout

PACKAGES = ("analysis", "models", "synthetic")
# The module of what a build runs; that of a generator is no verb of the program.
MODULES = {verb: module for verb, (module, _) in VERBS.items()}
MODULES["generate"] = "synthetic.__main__"
# Programs that a verb starts, wherever they come from; Quarto is in a report's key.
PROGRAMS = {"report": ("pandoc",)}
_REQUIRED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
Installed = Mapping[str, Mapping[str, Any]]
_REGISTRY = "Registry"
Modules = dict[str, tuple[Path, str]]  # name → file, hash of what it means
Known = tuple[Path, str, list[str]]  # the same, and what it imports
Targets = tuple[str, list[tuple[str, int]], list[tuple[str, str]], list[str]]
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis fingerprint``."""
    parser.add_argument("verb", choices=sorted(MODULES))
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


def fingerprint(verb: str, root: Path = PROGRAM) -> str:
    """The hash of what a verb's code means, as 16 hex digits.

    It covers the verb's module and every project module that it imports, however
    deep and however late, with the data files beside them, and the versions of Python
    and of all libraries that these need. Comments, docstrings and layout do not
    count. The project is the folder ``root``.
    """
    return code_of([verb], root)[verb].fingerprint


@dataclass(frozen=True)
class Code:
    """What a verb runs: its fingerprint, and its own libraries with their versions."""

    fingerprint: str
    libraries: Mapping[str, str]


def code_of(verbs: Iterable[str], root: Path = PROGRAM) -> dict[str, Code]:
    """The code of each verb; all of it is looked at once. See :func:`fingerprint`."""
    known, cache = _modules(root), _cache(root)
    there = installed(cache / "installed.json")
    data_of = functools.cache(_data_files)
    codes = {}
    for verb in verbs:
        modules = _reached(verb, known)
        imports = {name for module in modules for name in known[module][2]}
        direct = versions(imports, there)
        beside = {**direct, **with_required(direct, there)}
        beside |= programs(verb, cache / f"programs-{verb}.json")
        folders = {path.parent for path, _ in modules.values()}
        data = [path for folder in folders for path in data_of(folder)]
        codes[verb] = Code(_fingerprint(modules, data, beside, root), direct)
    return codes


def _fingerprint(
    modules: Modules, data: Iterable[Path], beside: Mapping[str, str], root: Path
) -> str:
    lines = [f"{name} {meaning}" for name, (_, meaning) in sorted(modules.items())]
    lines += [f"{name} {version}" for name, version in sorted(beside.items())]
    for path in sorted(data):
        bytes_hash = hashlib.sha256(path.read_bytes()).hexdigest()
        lines.append(f"{path.relative_to(root).as_posix()} {bytes_hash}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def modules_of(verb: str, root: Path = PROGRAM) -> Modules:
    """The project modules that a verb consists of: name → file, hash of its meaning."""
    return _reached(verb, _modules(root))


def _reached(verb: str, known: Mapping[str, Known]) -> Modules:
    """The modules that a verb imports, of all that are known."""
    reached: Modules = {}
    waiting = [MODULES[verb]]
    while waiting:
        name = waiting.pop()
        if name in known and name not in reached:
            path, meaning, imports = known[name]
            reached[name] = path, meaning
            waiting += [*imports, name.rpartition(".")[0]]
    return reached


def _modules(root: Path) -> dict[str, Known]:
    """All modules of the project: name → file, hash of its meaning, what it imports."""
    below = (path for package in PACKAGES for path in (root / package).rglob("*.py"))
    paths = [path for path in below if not is_draft(path.name)]
    read = per_file(paths, _read_module, _cache(root) / "code.json")
    declared = {_name_of(path, root): about[3] for path, about in read.items()}
    modules = {}
    for path, (meaning, targets, registries, _) in read.items():
        name = _name_of(path, root)
        package = name if path.stem == "__init__" else name.rpartition(".")[0]
        parts = tuple(package.split(".")) if package else ()
        imports = [_absolute(target, level, parts) for target, level in targets]
        imports += [i for p, n in registries for i in _registered(p, n, declared)]
        modules[name] = (path, meaning, imports)
    return modules


def _cache(root: Path) -> Path:
    """Where hashes are kept: in the checkout, or in the project that it is not."""
    return root / CACHE if root != PROGRAM or is_checkout() else CACHE


def _name_of(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def _registered(
    package: str, name: str, declared: Mapping[str, Iterable[str]]
) -> list[str]:
    """The modules of a registry, which are imported when an entry is asked for."""
    return [
        module
        for module, names in declared.items()
        if name in names and f"{module}.".startswith(f"{package}.")
    ]


def _absolute(target: str, level: int, package: tuple[str, ...]) -> str:
    base = package[: len(package) - level + 1] if level else ()
    return ".".join([*base, target] if target else base)


def _read_module(path: Path) -> Targets:
    """The hash of a module without its docstrings; names that it may import, the
    registries that it makes, and the names that it declares."""
    source = path.read_bytes()
    tree = _parsed(source, path)
    nodes = [tree, *_statements(tree)]  # imports are some; expressions are far more
    names = {name for node in nodes for name in _names(node)}
    calls = ast.walk(tree) if f"{_REGISTRY}(".encode() in source else ()
    registries = {name for node in calls for name in _registries(node)}
    declared = sorted({name for node in tree.body for name in _declared(node)})
    for node in nodes:
        if isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node, clean=False):
            node.body = node.body[1:]
    dump = ast.dump(tree, annotate_fields=False)
    meaning = hashlib.sha256(dump.encode()).hexdigest()
    return meaning, sorted(names), sorted(registries), declared


def _parsed(source: bytes, path: Path) -> ast.Module:
    try:
        return ast.parse(source, str(path))
    except (SyntaxError, ValueError) as error:  # the latter of a null byte, in 3.11.2
        why = error.msg if isinstance(error, SyntaxError) else str(error)
        what, mend = f"is no Python: {why}", "correct it; nothing was built"
        line = error.lineno if isinstance(error, SyntaxError) else None
        raise user_error(what, path, line, mend=mend) from None


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements of a node, and what holds statements, however deep."""
    for field in _BLOCKS:
        for child in getattr(node, field, ()):
            yield child
            yield from _statements(child)


def _names(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Names that a node imports, with their leading dots."""
    if isinstance(node, ast.Import):
        yield from ((alias.name, 0) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        yield base, node.level
        for alias in node.names:
            yield f"{base}.{alias.name}".lstrip("."), node.level


def _registries(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Package and name of a registry that a node makes."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == _REGISTRY:
        package, name = node.args[:2]
        yield ast.literal_eval(package), ast.literal_eval(name)


def _declared(node: ast.stmt) -> Iterator[str]:
    """Names of constants that a statement of a module declares."""
    targets = getattr(node, "targets", [getattr(node, "target", None)])
    for target in targets:
        if isinstance(target, ast.Name) and target.id.isupper():
            yield target.id


def _data_files(folder: Path) -> list[Path]:
    """Files beside modules that are no code, and those of subfolders without code."""
    beside = list(folder.iterdir())
    plain = [path for path in beside if path.is_dir() and not any(path.glob("*.py*"))]
    below = [path for folder in plain for path in folder.rglob("*")]
    return [p for p in (*beside, *below) if p.suffix != ".py" and p.is_file()]


def installed(cache: Path) -> dict[str, dict[str, Any]]:
    """The distributions beside this Python by normal name, as
    :func:`_read_distribution` has them.

    ``cache`` is a file in which what was read of each is kept.
    """
    folders = (Path(place) for place in sys.path if place.endswith("-packages"))
    about = sorted({path for f in folders for path in f.glob("*.dist-info/METADATA")})
    read = per_file(reversed(about), _read_distribution, cache)
    return {one["name"]: one for one in read.values()}


def versions(imports: Iterable[str], known: Installed) -> dict[str, str]:
    """Versions of Python and of the distributions that give these modules, sorted.

    Names of modules that no distribution gives are Python's or the project's own.
    """
    wanted = {name.partition(".")[0] for name in imports}
    given = {n: str(one["version"]) for n, one in known.items()
             if wanted.intersection(one["modules"])}  # fmt: skip
    return {"python": platform.python_version(), **dict(sorted(given.items()))}


def with_required(names: Iterable[str], known: Installed) -> dict[str, str]:
    """The versions of distributions and of all that they require, however deep."""
    required: dict[str, str] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in known and name not in required:
            required[name] = str(known[name]["version"])
            waiting += known[name]["requires"]
    return dict(sorted(required.items()))


def programs(verb: str, cache: Path) -> dict[str, str]:
    """The hash of each program on the path that a verb starts."""
    started = {name: shutil.which(name) for name in PROGRAMS.get(verb, ())}
    paths = {name: Path(path).resolve() for name, path in started.items() if path}
    hashes = per_file(paths.values(), hash_file, cache) if paths else {}
    return {name: hashes[path] for name, path in paths.items()}


def _read_distribution(path: Path) -> dict[str, Any]:
    """Name, version, top modules and required names of a distribution."""
    text = path.read_text(encoding="utf-8", errors="replace").partition("\n\n")[0]
    entries = [line.partition(": ")[::2] for line in text.splitlines()]
    required = (_REQUIRED.match(v) for name, v in entries if name == "Requires-Dist")
    return {
        "name": _normal(dict(entries)["Name"]),
        "version": dict(entries)["Version"],
        "modules": _top_modules(path.with_name("RECORD")),
        "requires": sorted({_normal(match[0]) for match in required if match}),
    }


def _top_modules(record: Path) -> list[str]:
    if not record.is_file():
        return []
    lines = record.read_text(encoding="utf-8", errors="replace").splitlines()
    tops = {re.split(r"[/,]", line, maxsplit=1)[0] for line in lines}
    names = {top.partition(".")[0] for top in tops if ".dist-info" not in top}
    return sorted(name for name in names if name.isidentifier())


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
