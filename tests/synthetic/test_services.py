"""The generator of services: levels, runs and files of a small part of its campaign."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest

from analysis.errors import UserError
from synthetic.campaign import declared
from synthetic.services import Run, ServiceDeclaration, levels, make, sessions

OF: ServiceDeclaration = declared("zos-cs-v1r2", Path(__file__).parents[2])
ARMS = levels(OF)
RUNS = {runs[0].arm.study: runs for runs in sessions(OF)}
FTP = ("ftp", "ftp-v1r2", "GET16(1B/20MB)")


def of(key: tuple[str, str, str], failed: bool = False) -> list[Run]:
    own = [run for run in RUNS[key[0]] if run.arm.key == "/".join(key)]
    return [run for run in own if failed or not run.failed]


def only(*studies: str) -> ServiceDeclaration:
    """The campaign with some of its studies."""
    own = tuple(t for t in OF.targets if t.study in studies)
    benches = {name: OF.making.studies[name] for name in studies}
    making = OF.making.model_copy(update={"studies": benches})
    return replace(OF, targets=own, making=making)


def test_the_median_of_the_runs_is_the_level():
    level = ARMS["/".join(FTP)].level
    assert median(run.rate for run in of(FTP)) == pytest.approx(level["rate"])
    costs = median(run.costs["server"] for run in of(FTP))
    assert costs == pytest.approx(level["server"])


def test_a_change_moves_the_level_of_its_baseline():
    level = ARMS["/".join(FTP)].level
    before = ARMS[f"ftp/ftp-v2r10/{FTP[2]}"].level
    assert level["rate"] / before["rate"] == pytest.approx(1 - 0.083)
    assert before["rate"] * 20 * 2**20 == pytest.approx(52e6)


def test_a_run_that_fails_is_made_once_more():
    made = of(FTP, failed=True)
    assert [run.failed for run in made] == [
        False,
        False,
        False,
        True,
        False,
        False,
        False,
    ]
    assert len({run.id for run in made}) == OF.making.repetitions + 1


def test_users_who_think_make_fewer_transactions_than_the_host_could_answer():
    (first, *_) = of(("tn3270-scaling", "tn3270", "TN64000(100B/800B)"))
    assert first.workload.clients / first.rate == pytest.approx(11.16, rel=0.02)
    assert first.rate * first.response / 1000 < first.workload.clients


def test_equal_declarations_give_equal_bytes():
    once, again = (list(make(only("tn3270-storage"))) for _ in range(2))
    assert once == again and len(once[0].rows) == 7 * OF.making.repetitions


def test_a_server_that_would_be_too_busy_is_told_with_the_study():
    costly = [
        t.model_copy(update={"value": 9000.0}) if t.metric == "cpu_cost" else t
        for t in only("web").targets
    ]
    with pytest.raises(UserError, match="would make SYNS 1221% busy"):
        levels(replace(only("web"), targets=tuple(costly)))
