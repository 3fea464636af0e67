"""Facts of runs in sessions: their intervals, verdicts and what is said of them."""

from __future__ import annotations

from tests.derive.conftest import Scenes, fact

SCENES = Scenes()
RATE = "question.rr10-100b.-.rate"
LUCK = {"1": 100.0, "2": 140.0, "3": 80.0, "4": 120.0}  # rates by session
NOISE = (0.99, 1.0, 1.02)


def in_sessions(lab, configuration, luck, faster=1.0, noise=NOISE, **columns):
    """Runs of some sessions, in an order that is shuffled with that of all others."""
    for nth, (session, rate) in enumerate(luck.items()):
        ratio = faster + (nth % 2 * 0.01 if faster > 1 else 0)
        for number, factor in enumerate(noise, 1):
            begun = 20.0 * (len(lab.rows["run"]) * 37 % 97)
            run = f"{configuration}-{session or 'none'}-{number}"
            about = {"window": (begun, begun + 10), "session": session or None}
            lab.run(run, configuration, rate=rate * ratio * factor, **about | columns)
    lab.study()


@SCENES
def same_sessions(lab):
    in_sessions(lab, "A", LUCK)
    in_sessions(lab, "B", LUCK, 1.1, noise=(1.0, 1.01, 0.98))


def test_a_change_within_sessions_is_seen_whatever_these_do(scenes):
    found = fact(scenes["same-sessions"], f"{RATE}.B.delta")
    assert (found.n, found.sessions, found.count) == (12, 4, "12 in 4 sessions")
    assert found.verdict == "improved"
    assert 8 < found.low <= found.value < found.high < 14
    assert found.lineage.rule == (
        "ratio of medians; Student's interval on logarithms, within 4 sessions; "
        "Holm over 1 comparison, which stands for 2 that are reported"
    )


def test_a_value_has_the_interval_of_its_sessions(scenes):
    found = fact(scenes["same-sessions"], f"{RATE}.A")
    assert (found.sessions, found.confidence) == (4, 0.95)
    assert found.low < 80 and found.high > 140
    assert "; interval over 4 sessions" in found.lineage.rule


def test_runs_are_counted_with_their_sessions(scenes):
    assert {run.sessions for run in scenes["same-sessions"].runs} == {tuple("1234")}


@SCENES
def other_sessions(lab):
    in_sessions(lab, "A", LUCK)
    in_sessions(lab, "B", {f"b{s}": rate for s, rate in LUCK.items()}, 1.1)


def test_a_change_between_sessions_must_be_larger_than_these_scatter(scenes):
    found = fact(scenes["other-sessions"], f"{RATE}.B.delta")
    assert (found.sessions, found.verdict) == (4, "inconclusive")
    assert found.low < -20 and found.high > 40
    assert "test of the medians of sessions, on logarithms" in found.lineage.rule


@SCENES
def one_session(lab):
    in_sessions(lab, "A", {"1": 100.0})
    in_sessions(lab, "B", {"2": 110.0, "3": 112.0})


def test_sides_of_which_one_has_one_session_are_compared_by_runs(scenes):
    found = fact(scenes["one-session"], f"{RATE}.B.delta")
    assert (found.sessions, found.count) == (1, "3 in 1 session")
    assert "sessions" not in found.lineage.rule
    assert found.low is None  # three runs are not tested
    assert [w.kind for w in found.warnings if w.kind == "untested"]


@SCENES
def not_told(lab):
    in_sessions(lab, "A", {"": 100.0})
    in_sessions(lab, "B", {"1": 110.0, "2": 112.0})


def test_sessions_that_are_not_recorded_are_none(scenes):
    found = fact(scenes["not-told"], f"{RATE}.B.delta")
    assert (found.sessions, found.count) == (None, "3")
    assert {run.sessions for run in scenes["not-told"].runs} == {(), ("1", "2")}


@SCENES
def few_runs(lab):
    in_sessions(lab, "A", LUCK, noise=(1.0,))
    in_sessions(lab, "B", LUCK, 1.1, noise=(1.001,))


def test_few_runs_in_several_sessions_are_not_too_few(scenes):
    for key in ("A", "B.delta"):
        found = fact(scenes["few-runs"], f"{RATE}.{key}")
        assert found.low is not None
        assert not {"few", "untested", "few_for_all"} & {w.kind for w in found.warnings}


@SCENES
def same_order(lab):
    for session, (number, rate) in zip(LUCK, enumerate(LUCK.values()), strict=True):
        for at, (name, faster) in enumerate((("A", 1.0), ("B", 1.1))):
            for run, factor in enumerate(NOISE):
                begun = 1000.0 * number + 100 * at + 20 * run
                about = {"window": (begun, begun + 10), "session": session}
                id = f"{name}-{session}-{run}"
                lab.run(id, name, rate=rate * faster * factor, **about)
    lab.study()


def test_an_order_that_all_sessions_share_is_told(scenes):
    found = fact(scenes["same-order"], f"{RATE}.B.delta")
    assert "in every session A ran before B" in [w.words for w in found.warnings]
    shuffled = fact(scenes["same-sessions"], f"{RATE}.B.delta")
    assert "same_order" not in {w.kind for w in shuffled.warnings}


@SCENES
def blocks(lab):
    for side, (name, faster) in enumerate((("A", 1.0), ("B", 1.1))):
        for number in range(4):
            for run in range(3):
                begun = 10_000.0 * side + 1000 * number + 20 * run
                about = {"window": (begun, begun + 10), "session": f"{name}{number}"}
                rate = 100 * faster + number % 2
                lab.run(f"{name}-{number}-{run}", name, rate=rate, **about)
    lab.study()


def test_sessions_in_blocks_leave_room_for_a_drift_over_these(scenes):
    found = fact(scenes["blocks"], f"{RATE}.B.delta")
    assert "in_blocks" in {w.kind for w in found.warnings}
    assert found.high - found.low > 4  # and 2 without
