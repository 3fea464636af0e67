"""What scripts of the pages decide, told by Node without a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def node() -> str | None:
    """The program of Node, where it takes a script with exports for a module."""
    if not (found := shutil.which("node")):
        return None
    told = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
    numbers = tuple(map(int, re.findall(r"\d+", told)[:2]))
    return found if (20, 19) <= numbers < (21, 0) or numbers >= (22, 7) else None


NODE = node()


@pytest.mark.skipif(not NODE, reason="needs Node 20.19, or 22.7 or later")
@pytest.mark.parametrize(
    "script", sorted(HERE.glob("*.test.mjs")), ids=lambda path: path.name
)
def test_a_script_decides_as_its_tests_say(script: Path) -> None:
    command = [str(NODE), "--test", "--test-reporter=tap", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    assert "# pass 0\n" not in done.stdout
