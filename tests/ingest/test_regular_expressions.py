"""No text takes a reader's regular expressions more than a moment."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.ingest.attack_patterns import attacks, patterns

PACKAGES = ("analysis.ingest",)
SECONDS = 300  # about 10 are needed


def test_patterns_are_found():
    found = list(patterns("analysis.ingest"))
    assert len({pattern for _, pattern, _, _ in found}) > 200
    assert any(anywhere for *_, anywhere in found)


@pytest.mark.parametrize(
    ("pattern", "attack"),
    [(r"\s+$", " " * 50), (r"a(\d+)\.(\d+)x", "a1.1" + "1" * 50), ("(x+)+y", "x" * 50)],
)
def test_an_attack_repeats_what_a_repetition_takes(pattern, attack):
    made = attacks(pattern, re.NOFLAG, anywhere=True)
    assert any(text.startswith(attack[:20]) or attack[:20] in text for text in made)


@pytest.mark.parametrize("package", PACKAGES)
def test_all_patterns_are_linear(package):
    command = [sys.executable, "-m", "tests.ingest.attack_patterns", package]
    done = subprocess.run(
        command, capture_output=True, timeout=SECONDS, check=False, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
