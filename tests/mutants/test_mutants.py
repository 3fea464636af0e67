"""The mutants themselves: what is changed, who tries it, and the list of survivors."""

from __future__ import annotations

import pytest

pytest.importorskip("cosmic_ray", reason="needs cosmic-ray and coverage: make mutants")
pytest.importorskip("coverage", reason="needs cosmic-ray and coverage: make mutants")

from tests.children import Ended
from tests.mutants import __main__ as command
from tests.mutants import population as made
from tests.mutants.journal import KILLED, SURVIVED, TIMEOUT, UNREACHED, Journal, Verdict
from tests.mutants.population import PARTS, Mutant, population
from tests.mutants.reach import AT_IMPORT, Reach
from tests.mutants.survivors import Survivor, check_survivors, listed, read_survivors

MODULE = "analysis/derive/gates.py"
SOURCE = """\
from __future__ import annotations

LIMIT = 5.0


def beyond(value: float | None = None) -> bool:
    check(value)
    return value is not None and value > LIMIT
"""


@pytest.fixture
def changes(monkeypatch) -> list[tuple[str, str]]:
    """All changes of a small module."""
    monkeypatch.setattr(made, "_source", lambda _: SOURCE)
    return [mutant.change() for mutant in made._mutants(MODULE)]


def test_limits_comparisons_conditions_and_calls_are_changed(changes):
    assert {
        ("LIMIT = 5.0", "LIMIT = 4.0"),
        ("LIMIT = 5.0", "LIMIT = 6.0"),
        ("check(value)", "pass"),
        ("return value is not None and value > LIMIT",
         "return value is not None and value >= LIMIT"),
        ("return value is not None and value > LIMIT",
         "return value is not None or value > LIMIT"),
    } <= set(changes)  # fmt: skip


def test_what_runs_at_import_is_known(monkeypatch):
    monkeypatch.setattr(made, "_source", lambda _: SOURCE)
    lines = [n for n in range(1, 10) if Mutant("a.py", n, "x", 0).in_function]
    assert lines == [7, 8]


@pytest.mark.parametrize(
    ("handler", "count"),
    [("except KeyError:", 1), ("except (KeyError, OSError):", 2),
     ("except (a.B, a.C):", 0)],
)  # fmt: skip
def test_what_cannot_be_made_is_no_mutant(monkeypatch, handler, count):
    source = f"try:\n    x = y\n{handler}\n    raise\n"
    monkeypatch.setattr(made, "_source", lambda _: source)
    mutants = list(made._mutants(MODULE))
    assert all(mutant.code() for mutant in mutants)
    replaced = [m for m in mutants if m.operator == "ExceptionReplacer"]
    assert len(replaced) == count


def test_types_are_left_alone(changes):
    assert not [new for _, new in changes if new.startswith("def ")]


@pytest.mark.parametrize("part", PARTS)
def test_every_part_has_mutants_that_can_be_compiled(part):
    mutants = population(part)
    assert len({mutant.id for mutant in mutants}) == len(mutants) > 100
    for mutant in mutants[:: len(mutants) // 5]:
        compile(mutant.code(), mutant.module, "exec")
        before, after = mutant.change()
        assert before != after


@pytest.fixture
def bodies(monkeypatch) -> None:
    """Lines 7 and 8 are those of a function."""
    monkeypatch.setattr(made, "_in_functions", lambda _: {7, 8})


def reach(**lines: list[int]) -> Reach:
    tests = {f"tests/derive/{name}": {MODULE: at} for name, at in lines.items()}
    return Reach("f", "d", tests, dict.fromkeys(tests, 1.0), [])


def test_a_mutant_is_tried_by_the_tests_that_run_its_line(bodies):
    mutant = Mutant(MODULE, 7, "NumberReplacer", 0)
    found = reach(a=[7, 8], b=[7], c=[9])
    assert found.tests(mutant) == ["tests/derive/a", "tests/derive/b"]
    unseen = Mutant(MODULE, 8, "NumberReplacer", 0)
    assert reach(a=[7], b=[7]).tests(unseen) == ["tests/derive/a", "tests/derive/b"]
    elsewhere = Mutant("models/thinking.py", 7, "NumberReplacer", 0)
    assert found.tests(elsewhere) == []


def test_a_constant_is_tried_by_all_tests_of_a_file_that_imports_it(bodies):
    constant = Mutant(MODULE, 3, "NumberReplacer", 0)
    seconds = {"tests/derive/a": 1.0, "tests/derive/b": 1.0}
    for lines in ({AT_IMPORT: {MODULE: [3]}}, {"tests/derive/a": {MODULE: [3]}}):
        assert Reach("f", "d", lines, seconds, []).tests(constant) == [*seconds]
    elsewhere = {AT_IMPORT: {"models/thinking.py": [3]}}
    assert Reach("f", "d", elsewhere, seconds, []).tests(constant) == []


def test_own_tests_come_first_then_the_quick_ones_within_the_budget(bodies):
    own, slow = "tests/derive/test_gates_limits.py::x", "tests/derive/test_a.py::slow"
    quick = "tests/derive/test_a.py::quick"
    lines = {test: {MODULE: [7]} for test in (slow, own)}
    seconds = {own: 3.0, quick: 1.0, slow: command.BUDGET}
    mutant = Mutant(MODULE, 7, "NumberReplacer", 0)
    found = command.tests_of(mutant, [Reach("f", "d", lines, seconds, [])])
    assert list(found) == [own, quick]
    alone = {slow: 2 * command.BUDGET}
    found = command.tests_of(mutant, [Reach("f", "d", {slow: lines[slow]}, alone, [])])
    assert list(found) == [slow]


@pytest.mark.parametrize(
    ("ended", "outcome"),
    [
        (Ended(0, 1.0, {}), SURVIVED),
        (Ended(1, 1.0, {"failed": "t"}), KILLED),
        (Ended(2, 1.0, {}), KILLED),  # it cannot even be imported
        (Ended(-9, 1.0, {}, timeout=True), TIMEOUT),
    ],
)
def test_only_tests_that_all_pass_let_a_mutant_live(ended, outcome):
    mutant = Mutant(MODULE, 7, "NumberReplacer", 0)
    verdict = command.verdict_of(mutant, ended, {})
    assert verdict.outcome == outcome
    assert verdict.alive is (outcome == SURVIVED)


def test_a_verdict_stands_until_what_it_rests_on_changes(tmp_path):
    asked = {"a": "1", "b": "2"}
    journal = Journal(tmp_path / "part.jsonl")
    journal.add(Verdict("dead", KILLED, "a::test", asked))
    journal.add(Verdict("alive", SURVIVED, "", asked))
    again = Journal(tmp_path / "part.jsonl")
    assert again.find("dead", asked) and again.find("alive", asked)
    other = {"a": "1", "b": "changed"}
    assert again.find("dead", other)
    assert not again.find("alive", other)
    assert not again.find("dead", {"a": "changed", "b": "2"})
    assert not again.find("unknown", asked)


def test_a_sample_is_told_with_its_interval():
    mutants = [Mutant(MODULE, line, "x", 0) for line in range(10)]
    outcomes = [KILLED] * 7 + [TIMEOUT, SURVIVED, UNREACHED]
    verdicts = {
        m: Verdict(m.id, outcome, "", {})
        for m, outcome in zip(mutants, outcomes, strict=True)
    }
    words = command.summary("derive", verdicts, 100)
    assert words == (
        "derive: 8 of 10 killed, 80.0% (49% to 94% of all 100, 95%); "
        "1 by time, 1 that no test reaches"
    )
    assert "(" not in command.summary("derive", verdicts, 10)


def test_the_list_of_survivors_is_true_of_the_program():
    survivors = read_survivors()
    assert check_survivors(survivors, [], []) == []
    assert len({survivor.change for survivor in survivors}) == len(survivors)


def test_a_survivor_that_is_killed_or_gone_is_told(monkeypatch):
    mutant = next(m for m in population("derive") if m.module == MODULE)
    was, becomes = mutant.change()
    entry = Survivor(MODULE, was, becomes, "because")
    assert listed(mutant, [entry])
    assert check_survivors([entry], [mutant], []) == []
    assert check_survivors([entry], [], [mutant]) == [
        f"now killed, take it off the list: {entry}"
    ]
    gone = Survivor(MODULE, "x = 1", "x = 2", "because")
    assert check_survivors([gone], [], []) == [f"gone, take it off the list: {gone}"]


def test_every_entry_needs_its_reason(tmp_path):
    path = tmp_path / "survivors.yaml"
    path.write_text("- {module: a, was: b, becomes: c, reason: ' '}\n")
    with pytest.raises(ValueError, match="no reason is given"):
        read_survivors(path)
