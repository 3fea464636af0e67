"""What scripts of the pages decide, told by Node without a browser."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def node() -> str | None:
    """The program of Node, where it takes a module without a package for one."""
    found = shutil.which("node")
    known = ["--input-type=module", "--eval", "import '../../templates/desk/write.js'"]
    tried = found and subprocess.run([found, *known], cwd=HERE, capture_output=True)
    return found if tried and tried.returncode == 0 else None


NODE = node()


@pytest.mark.skipif(not NODE, reason="needs Node 20.19 or later")
@pytest.mark.parametrize(
    "script", sorted(HERE.glob("*.test.mjs")), ids=lambda path: path.name
)
def test_a_script_decides_as_its_tests_say(script: Path) -> None:
    command = [str(NODE), "--test", "--test-reporter=tap", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    assert "# pass 0\n" not in done.stdout
