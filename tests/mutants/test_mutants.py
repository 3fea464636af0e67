"""The mutants themselves: what is changed, who tries it, and the list of survivors."""

from __future__ import annotations

import ast

import pytest

from tests.children import Ended, side_by_side
from tests.mutants import __main__ as command
from tests.mutants import population, trial
from tests.mutants.__main__ import KILLED, SURVIVED, TIMEOUT, Verdict
from tests.mutants.population import ROOMS, Mutant

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


def mutant_at(line: int) -> Mutant:
    return Mutant(MODULE, line, "x", "y", line, (0, 0, b""))


def test_a_mutant_is_tried_by_the_tests_of_its_name_then_by_those_with_its_words():
    zert = "analysis/ingest/smf/types/zert.py"
    files = trial.tests_of(next(population.mutants(zert)))
    assert "tests/ingest/smf/test_smf_tcpip.py" in files[:3]  # it speaks of zERT
    backtest = next(population.mutants("models/backtest.py"))
    assert trial.tests_of(backtest)[0] == "tests/models/test_backtest.py"


LIMIT = "SIGNIFICANT = 0.05"  # of analysis/statistics/ranks.py


@pytest.mark.parametrize("limit", ["0.05", "1.05"])
def test_a_trial_imports_the_mutant_and_says_which_test_failed(tmp_path, limit):
    module = "analysis/statistics/ranks.py"
    (mutant,) = (
        m
        for m in population.mutants(module)
        if (m.was, m.becomes) == (LIMIT, LIMIT.replace("0", "1", 1))
    )
    test = tmp_path / "test_limit.py"
    test.write_text(
        "import sys\n"
        "for name in [n for n in sys.modules if n.startswith('analysis')]:\n"
        "    del sys.modules[name]\n"
        "from analysis.statistics import ranks\n"
        f"def test_limit(): assert ranks.SIGNIFICANT == {limit}\n"
    )
    begin = {mutant: lambda: trial.try_mutant(mutant, [str(test)])}
    ((_, ended),) = side_by_side(begin.items(), 1)
    verdict = command.verdict_of(mutant, ended)
    assert (verdict.outcome == KILLED) is (limit == "0.05")
    assert verdict.by.endswith("::test_limit") is (limit == "0.05")


@pytest.mark.parametrize(
    ("ended", "outcome"),
    [
        (Ended(0, 1.0, {"failed": "", "begun": []}), SURVIVED),
        (Ended(1, 1.0, {"failed": "tests/a.py::b"}), KILLED),
        (Ended(-11, 1.0, {}), KILLED),  # it ended the interpreter
        (Ended(-9, 1.0, {}, timeout=True), TIMEOUT),
    ],
)
def test_only_tests_that_all_pass_let_a_mutant_live(ended, outcome):
    assert command.verdict_of(mutant_at(7), ended).outcome == outcome


def test_a_trial_that_broke_kills_no_mutant():
    with pytest.raises(ChildProcessError, match="the trial of a mutant broke"):
        command.verdict_of(mutant_at(7), Ended(3, 1.0, {}))


def test_a_verdict_stands_until_a_file_changes_on_which_it_rests(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "ROOT", tmp_path)
    killer, other = tmp_path / "test_a.py", tmp_path / "test_b.py"
    killer.write_text("1")
    other.write_text("2")
    ends = (
        Ended(1, 1.0, {"failed": "test_a.py::x"}),
        Ended(0, 1.0, {"failed": "", "begun": ["test_a.py", "test_b.py"]}),
    )
    dead, alive = (command.verdict_of(mutant_at(7), ended) for ended in ends)
    assert (dead.stands(), alive.stands()) == (True, True)
    other.write_text("changed")
    assert (dead.stands(), alive.stands()) == (True, False)
    killer.write_text("changed")
    assert not dead.stands()


def test_rooms_are_counted_and_the_share_has_its_interval():
    outcomes = [KILLED] * 7 + [TIMEOUT, SURVIVED, SURVIVED]
    verdicts = {
        mutant_at(line): Verdict("", outcome, "", [], "")
        for line, outcome in enumerate(outcomes)
    }
    rows = command.table(verdicts, {mutant_at(8)})
    assert [row.split() for row in rows[1:]] == [
        ["derive", "10", "8", "1", "1"],
        ["all", "10", "8", "1", "1"],
    ]
    assert command.share(8, 10) == "80.0% killed (49% to 94% of all, 95%)"


def test_the_list_of_survivors_is_true_of_the_program():
    survivors = command.read_survivors()
    assert command.check_survivors(survivors, []) == []
    assert len(set(survivors)) == len(survivors)


def test_a_survivor_that_is_killed_or_gone_is_told():
    mutant = population.sample(["derive"], 1, 1)[0]
    assert command.check_survivors([mutant.change], []) == []
    (killed,) = command.check_survivors([mutant.change], [mutant])
    (gone,) = command.check_survivors([(MODULE, "x = 1", "x = 2")], [])
    assert killed.startswith("now killed, take it off: analysis/derive/")
    assert gone == f"gone, take it off: {MODULE}: x = 1  ->  x = 2"


def test_every_survivor_needs_its_reason(tmp_path):
    path = tmp_path / "survivors.yaml"
    path.write_text("- {module: a, was: b, becomes: c, reason: ' '}\n")
    with pytest.raises(ValueError, match="no reason is given"):
        command.read_survivors(path)
