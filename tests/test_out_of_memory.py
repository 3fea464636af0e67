"""A verb that runs out of memory."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from analysis import cli


def test_too_little_memory_is_one_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    verb = ModuleType("verb_of_this_test")
    verb.__dict__["add_arguments"] = lambda parser: None
    verb.__dict__["run"] = lambda args: bytearray(sys.maxsize)
    monkeypatch.setitem(sys.modules, verb.__name__, verb)
    monkeypatch.setitem(cli.VERBS, "try", (verb.__name__, "try"))
    assert cli.main(["try"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: there is not enough memory\n  mend: end other")
