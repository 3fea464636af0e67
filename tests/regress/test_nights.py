"""Changes of level over campaigns gate a night, unless they are acknowledged."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from lxml import etree

from analysis.cli import main
from analysis.declared.acknowledged import Acknowledged
from analysis.regress.verb import ReleaseCase, acknowledge
from tests.conftest import ROOT
from tests.derive.conftest import SLOW, World, new_world, world

__all__ = ["new_world", "world"]
NIGHTS = [f"night-{n}" for n in range(1, 8)]
KEY = "trends.rate.-.rr10-100b."
WORSE, BACK = [1, 1, 1, 1, 0.8, 0.8, 0.8], [1, 1, 0.8, 0.8, 1, 1, 1]


@pytest.fixture
def nights(world: World, monkeypatch: pytest.MonkeyPatch):
    """Run the verb on campaigns whose rates have these factors."""
    monkeypatch.chdir(world.raw.parent)
    data = Path("data")
    data.mkdir(exist_ok=True)
    (data / "metrics.yaml").symlink_to(ROOT / "data/metrics.yaml")

    def run(factors: list[float], options: str = "", known: str = "") -> int:
        for number, factor in enumerate(factors):
            name, day = NIGHTS[number], dt.date(2026, 3, number + 1)
            measured = {"by": "us", "from": day, "to": day, "how": "so"}
            world.campaign(name, measured=measured)
            for i, rate in enumerate(SLOW[number % 3 : number % 3 + 6], 1):
                told = {"campaign": name, "repetition": i}
                world.run(f"{name}-{i}", "A", rate=rate * factor, **told)
        world.write()
        if known:
            Path("data/acknowledged.yaml").write_text(f"acknowledged:\n{known}")
        words = f"--raw {world.raw} --database {world.database} --trends {options}"
        return main(["regress", *words.split()])

    return run


@pytest.mark.parametrize(
    ("factors", "options", "code"),
    [
        (WORSE, "", 1),
        (WORSE, "--limit 30", 0),
        (BACK, "", 0),  # a level that came back fails nobody
        ([1 / f for f in WORSE], "", 0),
        ([1 / f for f in WORSE], "--fail-on improved", 1),
        ([1, 0.5], "", 0),  # of two nights nobody knows
        ([1, 0.5], "--fail-on inconclusive", 1),
        ([1], "", 2),
    ],
)
def test_a_lasting_change_for_the_worse_fails_a_night(nights, factors, options, code):
    assert nights(factors, options) == code


def test_a_change_is_near_a_campaign_and_nothing_caused_it(nights, tmp_path, capsys):
    assert nights(WORSE, f"--junit {tmp_path / 'r.xml'}") == 1
    out = capsys.readouterr().out
    assert "regressed: −20%" in out and "near night-5, campaign 5 of 7" in out
    assert f"key: {KEY}" in out and "caus" not in out
    failed = list(etree.parse(tmp_path / "r.xml").getroot().iter("failure"))
    assert KEY in {node.text[: len(KEY)] for node in failed}
    assert all("near night-5" in node.get("message") for node in failed)


ENTRY = '  - {{case: "trends.*", near: {}, reason: ticket 7, until: {}}}\n'


@pytest.mark.parametrize(
    ("near", "until", "code", "said"),
    [
        ("night-5", "2999-01-01", 0, "0 failed, 3 acknowledged"),
        ("night-4", "2999-01-01", 0, "acknowledged until 2999-01-01: ticket 7"),
        ("night-2", "2999-01-01", 1, "trends.* is no case of these"),
        ("night-5", "2001-01-01", 1, "2001-01-01, which is over: ticket 7"),
    ],
)
def test_what_is_acknowledged_passes_until_its_last_day(
    nights, capsys, near, until, code, said
):
    assert nights(WORSE, known=ENTRY.format(near, until)) == code
    assert said in capsys.readouterr().out


def test_an_acknowledgement_without_reason_or_end_is_refused(nights, capsys):
    assert nights(WORSE, known='  - {case: "trends.*"}\n') == 2
    err = capsys.readouterr().err
    assert "acknowledged.yaml:2" in err and "reason" in err and "until" in err


def test_the_last_day_counts_and_the_next_does_not():
    case = ReleaseCase("a.b", "a", "RR1(1B)", "n", "w", "failed")
    known = [Acknowledged(case="a.*", reason="r", until=dt.date(2026, 5, 1))]
    days = {d: acknowledge(case, known, dt.date(2026, 5, d)).result for d in (1, 2)}
    assert days == {1: "acknowledged", 2: "failed"}


def test_nothing_asked_for_is_told(capsys):
    assert main(["regress"]) == 2
    assert "--trends" in capsys.readouterr().err
