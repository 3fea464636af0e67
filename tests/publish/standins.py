"""Stand-ins for ssh and rsync that work on this machine, and fail when told to.

Where the file that ``SSH_FAULT`` names is there, ssh reads it before each command;
``$command`` is what would run on the host.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

_SSH = """#!/bin/sh
while :; do
  case "$1" in
    -[oSpiF]) shift 2 ;;
    -*) shift ;;
    *) break ;;
  esac
done
shift
command="$*"
if [ -e "$SSH_FAULT" ]; then . "$SSH_FAULT"; fi
exec sh -c "$command"
"""
_RSYNC = """#!/bin/sh
while [ $# -gt 2 ]; do
  case "$1" in --rsh) rsh=$2; shift ;; esac
  shift
done
tar -chf - --mode=u=rwX,go=rX -C "$1" . |
  eval "$rsh ${2%%:*} \\"tar -xf - -C '${2#*:}'\\""
"""
LACKING = [name for name in ("flock", "timeout", "tar") if not shutil.which(name)]
needs_flock = pytest.mark.skipif(bool(LACKING), reason="needs flock, timeout and tar")


def stand_ins(folder: Path, patch: pytest.MonkeyPatch) -> str:
    """Put both first on the path of programs; the ssh command."""
    folder.mkdir()
    for name, text in (("ssh", _SSH), ("rsync", _RSYNC)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    patch.setenv("PATH", f"{folder}:/usr/local/bin:/usr/bin:/bin")
    patch.setenv("SSH_FAULT", str(folder / "fault"))
    return str(folder / "ssh")
