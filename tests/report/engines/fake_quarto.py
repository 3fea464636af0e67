"""A small program that plays the part of Quarto."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

# It tells its errors on the way, as the real one does, and nothing with --quiet.
# The first lines start Python wherever it is: a folder's name may have a space.
PROGRAM = """\
#!/bin/sh
'''exec' "{python}" "$0" "$@"
' '''
import json, os, pathlib, re, sys, yaml
if sys.argv[1:] == ["--version"]:
    print("{version}")
    raise SystemExit
here = pathlib.Path.cwd()
wanted = sys.argv[3]
settings = yaml.safe_load((here / "_quarto.yml").read_text())["format"]
call = {{
    "arguments": sys.argv[1:],
    "cwd": str(here),
    "epoch": os.environ["SOURCE_DATE_EPOCH"],
    "files": sorted(p.relative_to(here).as_posix() for p in here.rglob("*")),
    "settings": settings,
    "source": (here / "index.qmd").read_text(),
}}
pathlib.Path({log!r} + wanted.rpartition("-")[2]).write_text(json.dumps(call))
if "--quiet" not in sys.argv:
    print({said!r}, file=sys.stderr)
if {code}:
    sys.exit({code})
source = call["source"]
if wanted.endswith("html"):
    # Marks of parts come back as they went in; the rest is as good as its anchors.
    numbered = "|".join([r"[) ]{{#((?:fig|tbl)-[\\w-]+)", r"(kept\\w+x)"])
    found = re.findall(numbered, source)
    text = "<!doctype html>" + "".join(
        f"<p>{{mark}}</p>\\n" if mark else f'<figure id="{{id}}">' for id, mark in found
    )
else:
    text = '#set document(title: "A")\\n#set text(lang: "en")\\nSo it is.'
    text += "#metadata((room: 0, page: 1)) <end>"
if wanted.rpartition("-")[2] != {half!r}:
    (here / settings[wanted]["output-file"]).write_text(text)
"""


class FakeQuarto:
    """A program named quarto on the path that notes how it was called."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.log = folder / "bin", folder / "call.json"
        self.folder.mkdir()
        monkeypatch.delenv("QUARTO", raising=False)
        monkeypatch.setenv("PATH", f"{self.folder}{os.pathsep}/usr/bin{os.pathsep}/bin")

    def install(
        self, version: str = "1.10.18", said: str = "", code: int = 0, half: str = ""
    ) -> None:
        program = self.folder / "quarto"
        program.write_text(
            PROGRAM.format(
                python=sys.executable,
                version=version,
                log=str(self.log),
                said=said,
                code=code,
                half=half,
            )
        )
        program.chmod(0o755)

    def call(self, format: str) -> dict:
        return json.loads(Path(f"{self.log}{format}").read_text())
