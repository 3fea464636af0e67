"""The mutants themselves: what is changed, who tries it, and the list of survivors."""

from __future__ import annotations

import ast

import pytest

pytest.importorskip("coverage", reason="needs coverage: make mutants")

from tests.children import Ended
from tests.mutants import __main__ as command
from tests.mutants import population
from tests.mutants.__main__ import KILLED, SURVIVED, TIMEOUT, UNREACHED, Verdict
from tests.mutants.population import ROOMS, Mutant
from tests.mutants.reach import SHARED, Reach, digest
from tests.mutants.survivors import Survivor, check_survivors, listed, read_survivors

MODULE = "analysis/derive/gates.py"
SOURCE = """\
from __future__ import annotations

LIMIT = 5.0


def beyond(value: float | None = None, names: list[str] = []) -> bool:
    check(f"{value + 1}", strict=True)
    if value is not None and -value >= LIMIT or not names:
        raise ValueError
    return (value or LIMIT) / 2 not in names
"""


@pytest.fixture
def mutants(monkeypatch) -> list[Mutant]:
    """All mutants of a small module."""
    monkeypatch.setattr(population, "source", lambda _: SOURCE.encode())
    return list(population.mutants(MODULE))


def test_mistakes_that_people_make_are_made_and_no_other(mutants):
    condition = "if value is not None and -value >= LIMIT or not names:"
    answer = "return (value or LIMIT) / 2 not in names"
    assert sorted((m.was, m.becomes) for m in mutants) == sorted([
        ("LIMIT = 5.0", "LIMIT = 4.0"),
        ("LIMIT = 5.0", "LIMIT = 6.0"),
        ('check(f"{value + 1}", strict=True)', "pass"),
        (condition, condition.replace("is not", "is")),
        (condition, condition.replace("and", "or")),
        (condition, condition.replace("-", "+")),
        (condition, condition.replace(">=", ">")),
        (condition, condition.replace(">=", "<")),
        (condition, condition.replace(" or ", " and ")),
        (condition, condition.replace("not names", "names")),
        (condition, f"if (not ({condition[3:-1]})):"),
        ("raise ValueError", "pass"),
        (answer, answer.replace("or", "and")),
        (answer, answer.replace("/", "*")),
        (answer, answer.replace("2", "1")),
        (answer, answer.replace("2", "3")),
        (answer, answer.replace("not in", "in")),
    ])  # fmt: skip
    for mutant in mutants:
        ast.parse(mutant.code())


def test_what_runs_at_import_and_the_lines_of_a_statement_are_known(mutants):
    places = {(m.line, m.in_function, (*m.statement,)) for m in mutants}
    assert places == {
        (3, False, (3,)), (7, True, (7,)), (8, True, (8,)), (9, True, (9,)),
        (10, True, (10,)),
    }  # fmt: skip


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_mutants_that_can_be_compiled(room):
    some = population.sample([room], 20, 1)
    assert len({mutant.id for mutant in some}) == 20
    for mutant in some:
        compile(mutant.code(), mutant.module, "exec")
        assert mutant.was != mutant.becomes


def test_a_sample_stays_where_another_module_has_changed(monkeypatch):
    texts = {"analysis/facts/a.py": b"a = 1 + 2\nb = 3 + 4\n"}
    monkeypatch.setattr(population, "source", texts.get)
    monkeypatch.setattr(
        population,
        "population",
        lambda _: [m for name in texts for m in population.mutants(name)],
    )
    before = {mutant.id for mutant in population.sample(["facts"], 5, 1)}
    texts["analysis/facts/b.py"] = b"c = 5\n"
    after = {mutant.id for mutant in population.sample(["facts"], 7, 1)}
    assert len(before) == 5
    assert before <= after


def mutant_at(line: int, in_function: bool = True) -> Mutant:
    edit = (0, 0, b"")
    return Mutant(
        MODULE, line, "x", "y", line, edit, range(line, line + 1), in_function
    )


def reach(seconds: dict[str, float] | None = None, **lines: int) -> Reach:
    """What tests reach: a line of the module each."""
    tests = {f"tests/derive/{name}": {MODULE: 1 << n} for name, n in lines.items()}
    told = seconds or dict.fromkeys(tests, 1.0)
    return Reach(tests, told, {MODULE: digest(population.ROOT / MODULE)})


def test_tests_that_run_its_statement_try_a_mutant_before_those_of_its_module():
    reached = reach(a=8, b=7, c=9)
    assert next(iter(command.tests_of(mutant_at(7), [reached]))) == "tests/derive/b"
    constant = mutant_at(7, in_function=False)
    assert len(command.tests_of(constant, [reached])) == 3
    elsewhere = Reach(reached.lines, reached.seconds, {MODULE: "edited"})
    assert next(iter(command.tests_of(mutant_at(7), [elsewhere]))) == "tests/derive/a"


def test_what_a_shared_fixture_runs_counts_for_all_tests_of_its_file():
    reached = reach(a=8, b=9)
    reached.lines[SHARED] = {MODULE: 1 << 7}
    assert set(reached.nearness(mutant_at(7)).values()) == {0}


def test_what_no_test_is_seen_to_run_is_tried_by_the_tests_of_its_folder():
    tests = {"tests/derive/a": 1.0, "tests/figures/b": 1.0}
    reached = Reach({test: {} for test in tests}, tests, {})
    assert list(command.tests_of(mutant_at(3), [reached])) == ["tests/derive/a"]


def test_tests_of_the_same_name_come_first_then_the_quick_ones_within_the_budget():
    named, slow = "tests/derive/test_gates_limits.py::x", "tests/derive/test_a.py::slow"
    quick = "tests/derive/test_a.py::quick"
    seconds = {slow: command.BUDGET, named: 3.0, quick: 1.0}
    lines = {test: {MODULE: 1 << 7} for test in seconds}
    modules = {MODULE: digest(population.ROOT / MODULE)}
    reached = [Reach(lines, seconds, modules)]
    assert list(command.tests_of(mutant_at(7), reached)) == [named, quick]
    alone = [Reach({slow: lines[slow]}, {slow: 2 * command.BUDGET}, modules)]
    assert list(command.tests_of(mutant_at(7), alone)) == [slow]


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
    verdict = command.verdict_of(mutant_at(7), ended, [])
    assert verdict.outcome == outcome
    assert verdict.alive is (outcome == SURVIVED)


def test_a_verdict_stands_until_what_it_rests_on_changes(tmp_path):
    killer, other = tmp_path / "test_a.py", tmp_path / "test_b.py"
    killer.write_text("1")
    other.write_text("2")
    tests = [f"{killer}::x", f"{other}::y"]
    dead = command.verdict_of(mutant_at(7), Ended(1, 1.0, {"failed": tests[0]}), tests)
    alive = command.verdict_of(mutant_at(7), Ended(0, 1.0, {}), tests)
    other.write_text("changed")
    assert command.stands(dead, mutant_at(7), tests)
    assert not command.stands(alive, mutant_at(7), tests)
    killer.write_text("changed")
    assert not command.stands(dead, mutant_at(7), tests)


def test_rooms_are_counted_and_the_share_has_its_interval():
    outcomes = [KILLED] * 7 + [TIMEOUT, SURVIVED, UNREACHED]
    verdicts = {
        mutant_at(line): Verdict("", outcome, "", "")
        for line, outcome in enumerate(outcomes)
    }
    rows = command.table(verdicts, {mutant_at(8)})
    assert [row.split() for row in rows[1:]] == [
        ["derive", "10", "8", "1", "1"],
        ["all", "10", "8", "1", "1"],
    ]
    assert command.share(8, 10) == "80.0% killed (49% to 94% of all, 95%)"


def test_the_list_of_survivors_is_true_of_the_program():
    survivors = read_survivors()
    assert check_survivors(survivors, []) == []
    assert len(set(survivors)) == len(survivors)


def test_a_survivor_that_is_killed_or_gone_is_told():
    mutant = population.sample(["derive"], 1, 1)[0]
    entry = Survivor(mutant.module, mutant.was, mutant.becomes, "because")
    assert listed(mutant, [entry])
    assert check_survivors([entry], []) == []
    assert check_survivors([entry], [mutant]) == [
        f"now killed, take it off the list: {entry}"
    ]
    gone = Survivor(MODULE, "x = 1", "x = 2", "because")
    assert check_survivors([gone], []) == [f"gone, take it off the list: {gone}"]


def test_every_entry_needs_its_reason(tmp_path):
    path = tmp_path / "survivors.yaml"
    path.write_text("- {module: a, was: b, becomes: c, reason: ' '}\n")
    with pytest.raises(ValueError, match="no reason is given"):
        read_survivors(path)
