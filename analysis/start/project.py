"""Start a project of your own: new FOLDER writes what is yours, in Git.

The program stays where it is installed. requirements.txt names its version and those of
all that it needs, so that `make report` builds the same anywhere. With --upgrade a
project takes the version of this command; of its other files those follow that nobody
but this command changed.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from jinja2 import Environment

from analysis.errors import user_error
from analysis.files.atomic import write_text
from analysis.files.templates import TEMPLATES
from analysis.program import NAME, PROGRAM, is_checkout, version
from analysis.programs.child import Done, run_child
from analysis.start.scaffold import new_files

LOCK = "requirements.txt"
PROGRAMS = {  # files that follow the program, with their templates
    "Makefile": "project/Makefile.j2",
    "Snakefile": "project/Snakefile.j2",
    LOCK: "project/requirements.txt.j2",
    "environment.yml": "project/environment.yml.j2",
}
YOURS = {  # files that are written once
    ".gitignore": "project/gitignore.j2",
    "README.md": "project/README.md.j2",
    "data/metrics.yaml": "project/metrics.yaml.j2",
    "measure.sh": "project/measure.sh",
    "raw/.gitkeep": "",  # Git knows no folder without a file
    "report/.gitkeep": "",
}
_SCRIPTS = {f"templates/{name}": name for name in ("ci/report.sh", "ci/nightly.sh")}
CI = {
    "github": {
        ".github/workflows/report.yml": "ci/github.yml",
        ".github/workflows/nightly.yml": "ci/nightly.github.yml",
        **_SCRIPTS,
    },
    "gitlab": {".gitlab-ci.yml": "ci/gitlab.yml", **_SCRIPTS},
    "jenkins": {"Jenkinsfile": "ci/Jenkinsfile", **_SCRIPTS},
    "none": {},
}
_NEEDED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(\[[^]]*\])?")  # name, extras
_EXTRA = re.compile(r"""extra\s*==\s*["']([\w-]+)""")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folder, and what to do with it."""
    parser.add_argument("folder", type=Path, help="the project, such as lab")
    host = "whose CI builds pull requests (default: github)"
    parser.add_argument("--ci", choices=list(CI), default="github", help=host)
    parser.add_argument(
        "--upgrade", action="store_true", help="bring a project to this version"
    )


def run(args: argparse.Namespace) -> int:
    """Write the files, and say what comes next."""
    if args.upgrade:
        print(*upgrade(args.folder), sep="\n")
        print(f"next: make -C {args.folder} report; look at 'git diff', and commit it")
        return 0
    written = start(args.folder, args.ci)
    print(*(args.folder / name for name in written), sep="\n")
    if why := _commit(args.folder, written):
        print(f"note: not committed: {why}")
    print(f"next: cd {args.folder}, copy files into raw/CAMPAIGN; README.md goes on")
    return 0


def start(folder: Path, host: str) -> list[str]:
    """Write the files of a project; their names.

    A :class:`analysis.errors.UserError` where one of them is there.
    """
    texts = _texts(folder, PROGRAMS | CI[host] | YOURS)
    for name in texts:
        if (folder / name).exists():
            mend = "choose another folder, or bring this one to date with --upgrade"
            raise user_error("this file exists already", folder / name, mend=mend)
    for name, text in texts.items():
        write_text(folder / name, text)
    return list(texts)


def upgrade(folder: Path) -> Iterator[str]:
    """Bring the files of a project that follow the program to its version.

    What became of each that differs, as lines. One that somebody else changed stays.
    """
    if not (folder / LOCK).is_file():
        mend = f"start a project there: {NAME} new {folder}"
        raise user_error(f"there is no {LOCK}", folder, mend=mend)
    hosts = (of for of in CI.values() if of and (folder / next(iter(of))).exists())
    wanted = PROGRAMS | next(hosts, {})
    for name, text in _texts(folder, wanted).items():
        path = folder / name
        before = path.read_text(encoding="utf-8") if path.is_file() else None
        if before == text:
            continue
        if before is None or name == LOCK or _is_ours(folder, name):
            write_text(path, text)
            yield f"{path}: written"
        else:
            yield f"{path}: somebody changed it, so it stays as it is"
    yield f"{folder}: has {NAME} {version()}"


def _texts(folder: Path, files: Mapping[str, str]) -> dict[str, str]:
    """The text of each file of a project, by its name."""
    environment = new_files(TEMPLATES)
    name = re.sub(r"[^\w.-]+", "-", folder.resolve().name) or "lab"
    program = _program()
    known = {"name": name, "program": program, "local": " @ file:" in program,
             "pins": sorted(_pins().items())}  # fmt: skip
    return {
        name: _text(environment, template, known) for name, template in files.items()
    }


def _text(environment: Environment, template: str, known: Mapping[str, Any]) -> str:
    if not template.endswith(".j2"):  # no template, but the file itself
        return (TEMPLATES / template).read_text("utf-8") if template else ""
    return environment.get_template(template).render(known)


def _program() -> str:
    """The requirement that installs this program: from where it was installed."""
    if is_checkout():
        return f"{NAME} @ {PROGRAM.as_uri()}"
    text = metadata.distribution(NAME).read_text("direct_url.json")
    if not text:
        return f"{NAME}=={version()}"  # from an index
    source = json.loads(text)
    url = source["url"]
    if version_control := source.get("vcs_info"):
        url = f"{version_control['vcs']}+{url}@{version_control['commit_id']}"
    return f"{NAME} @ {url}"


def _pins() -> dict[str, str]:
    """The version of each library beside this Python that the program needs, however
    deep."""
    if is_checkout():
        declared = tomllib.loads((PROGRAM / "pyproject.toml").read_text("utf-8"))
        waiting = list(declared["project"]["dependencies"])
    else:
        waiting = metadata.requires(NAME) or []
    pins, met = dict[str, str](), set[str]()
    while waiting:
        if (needed := waiting.pop()) in met or not (parts := _NEEDED.match(needed)):
            continue
        met.add(needed)
        try:
            about = metadata.distribution(parts[1])
        except metadata.PackageNotFoundError:
            continue  # of another system
        pins[about.name] = about.version
        extras = (_EXTRA.search(one) for one in about.requires or [])
        for one, extra in zip(about.requires or [], extras, strict=True):
            if not extra or extra[1] in re.findall(r"[\w-]+", parts[2] or ""):
                waiting.append(one)
    return pins


def _commit(folder: Path, names: Iterable[str]) -> str:
    """Put the files into a new repository; why not, if that cannot be."""
    if not shutil.which("git"):
        return "there is no Git"
    if not _git(folder, "rev-parse", "--show-toplevel").code:
        return "the folder is in a repository already; commit it there"
    _git(folder, "init", "--quiet", "--initial-branch", "main")
    _git(folder, "add", "--", *names)
    settings = f"user.name={NAME}", "user.email=", "commit.gpgsign=false"
    about = [word for setting in settings for word in ("-c", setting)]
    message = f"{NAME} {version()}"
    done = _git(folder, *about, "commit", "--quiet", "--no-verify", "-m", message)
    return done.errors.decode(errors="replace").strip() if done.code else ""


def _is_ours(folder: Path, name: str) -> bool:
    """Whether nobody but this command ever changed a file."""
    if not shutil.which("git"):
        return False
    changed = _git(folder, "status", "--porcelain", "--", name).output
    authors = _git(folder, "log", "--format=%an", "--", name).output.decode()
    return not changed and {*authors.splitlines()} == {NAME}


def _git(folder: Path, *words: str) -> Done:
    return run_child(["git", *words], folder)
