"""What the models answer is that of their versions, to the digit."""

from __future__ import annotations

import math

import pytest

from tests.golden.update_predictions import PARTS, golden


def same(found: str, known: str) -> bool:
    """Equal words, and numbers that differ by no more than rounding may."""
    pairs = list(zip(found.split("\t"), known.split("\t"), strict=False))
    return found.count("\t") == known.count("\t") and all(
        a == b or close(a, b) for a, b in pairs
    )


def close(found: str, known: str) -> bool:
    try:
        return math.isclose(float(found), float(known), rel_tol=1e-6)
    except ValueError:
        return False


@pytest.mark.parametrize("part", sorted({*PARTS} - {"ladder"}))
def test_every_answer_is_that_of_its_version(part):
    """After a change that is meant: ``python tests/golden/update_predictions.py``."""
    known = golden(part).read_text(encoding="utf-8").splitlines()[1:]
    found = list(PARTS[part]())
    assert len(found) == len(known)
    wrong = [pair for pair in zip(found, known, strict=True) if not same(*pair)]
    assert wrong == []


def test_answers_that_differ_are_found():
    assert same("a\t1\t2.0000000001", "a\t1\t2")
    assert not same("a\t1\t2.001", "a\t1\t2")
    assert not same("a\t1", "a\t1\t")
    assert not same("a\tone", "a\ttwo")
