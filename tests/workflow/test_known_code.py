"""What is noted of a copy's code is believed there, and is what would be read anew."""

from __future__ import annotations

import sys

from tests.workflow.projects import Project

NOTHING_READ = """
import ast
from analysis.programs.fingerprint import fingerprint
parse, read = ast.parse, []
ast.parse = lambda *of: read.append(of) or parse(*of)
print(fingerprint("derive"), len(read))
"""


def test_of_a_copy_no_module_is_read_anew(stand_in: Project) -> None:
    command = (sys.executable, "-c", NOTHING_READ)
    noted = stand_in.build(*command)[1].split()
    (stand_in / "data/build/digests/code.json").unlink()
    anew = stand_in.build(*command)[1].split()
    assert noted[0] == anew[0]
    assert noted[1] == "0" and int(anew[1]) > 50
