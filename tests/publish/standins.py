"""A stand-in for ssh that works on this machine, and fails when told to.

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
LACKING = [name for name in ("flock", "tar") if not shutil.which(name)]
needs_flock = pytest.mark.skipif(bool(LACKING), reason="needs flock and tar")


def stand_in(folder: Path, patch: pytest.MonkeyPatch) -> str:
    """Write it into a folder; its command."""
    folder.mkdir()
    (folder / "ssh").write_text(_SSH)
    (folder / "ssh").chmod(0o755)
    patch.setenv("SSH_FAULT", str(folder / "fault"))
    return str(folder / "ssh")
