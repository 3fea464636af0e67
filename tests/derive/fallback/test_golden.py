"""What the ladder answers, with ranges, reasons and inputs, to the digit."""

from __future__ import annotations

import pytest

from tests.golden.ladder import answers
from tests.golden.update_predictions import golden
from tests.models.test_golden import same

KNOWN = golden("ladder").read_text(encoding="utf-8").splitlines()[1:]


@pytest.fixture(scope="module")
def found() -> list[str]:
    return list(answers())


def test_every_study_is_asked(found):
    assert len(found) == len(KNOWN)


@pytest.mark.parametrize("line", range(len(KNOWN)))
def test_every_answer_is_as_it_was(found, line):
    """After a change that is meant: ``python tests/golden/update_predictions.py``."""
    assert same(found[line], KNOWN[line]), (found[line], KNOWN[line])
