"""A campaign of a gateway: published rates, engines that suffice, a full zAAP."""

from __future__ import annotations

import dataclasses

import pytest

from analysis.errors import UserError
from synthetic.campaign import declared
from synthetic.gateway import (
    Arm,
    GatewayDeclaration,
    Level,
    Run,
    levels,
    make,
    sessions,
)
from tests.synthetic.conftest import ROOT

OF = declared("ctg-ssl", ROOT)
LEVELS = levels(OF)
RUNS = [run for session in sessions(OF, LEVELS) for run in session]


def level(study: str, configuration: str, load: str) -> Level:
    found = [
        one
        for arm, one in LEVELS.items()
        if (arm.study, arm.configuration, arm.workload.name)
        == (study, configuration, load)
    ]
    assert len(found) == 1
    return found[0]


def good_runs(arm: Arm) -> list[Run]:
    return [run for run in RUNS if run.arm == arm and not run.failed]


def test_every_target_of_a_rate_is_met():
    rates = [target for target in OF.targets if target.metric == "rate"]
    assert len(rates) == 84
    for one in rates:
        assert level(one.study, one.test, one.workload).rate == one.value


def test_the_cycle_of_the_clients_is_thinking_and_answering():
    """Little's law with a think time: clients ÷ rate = 500 ms + response."""
    for arm, one in LEVELS.items():
        cycle = OF.making.think + one.response + one.outside
        assert cycle * one.rate / 1000 / arm.workload.clients == pytest.approx(
            1, abs=0.011
        )


def test_full_engines_leave_a_transaction_what_the_published_rate_says():
    one = level("commarea-32k", "aes128", "ECI600(32kB)")
    assert sum(one.costs.values()) == pytest.approx(0.993 * 3000 / 725)
    assert one.full
    assert one.response > 100 * level("commarea-32k", "tcp", "ECI100(32kB)").response


def test_nobody_uses_more_than_its_engines():
    for run in RUNS:
        seconds = run.millis / 1000
        for used, count in zip(run.busy, (OF.cps[run.system], 1), strict=True):
            assert 0 <= used <= count * seconds
        on_cps, eligible_there, zaap = run.gateway
        assert -1e-9 <= eligible_there <= on_cps + 1e-9
        assert bool(zaap) == (run.system == "SYNP")


def test_a_zaap_takes_nearly_all_that_is_little_and_not_all_that_is_much():
    little = level("zaap-32k", "tcp-zaap", "ECI200(32kB)")
    much = level("zaap-32k", "aes256-zaap", "ECI600(32kB)")
    assert little.zaap > 0.95 * little.eligible
    assert 0.9 < much.zaap < 1 < much.eligible
    most = max(one.zaap for arm, one in LEVELS.items() if arm.study == "zaap-4k")
    assert most == pytest.approx(0.5786)


def test_the_median_of_the_good_runs_is_exact_and_failed_ones_are_made_again():
    for arm, one in LEVELS.items():
        rates = sorted(run.rate for run in good_runs(arm))
        assert len(rates) == 6
        assert (rates[2] + rates[3]) / 2 == pytest.approx(one.rate, rel=1e-9)
    assert len([run for run in RUNS if run.failed]) == len(OF.making.failures) == 2


def with_target(**changes: object) -> GatewayDeclaration:
    """The declaration with its first target changed."""
    changed = OF.targets[0].model_copy(update=changes)
    return dataclasses.replace(OF, targets=(changed, *OF.targets[1:]))


def test_a_rate_beyond_the_think_time_is_refused_with_its_line():
    with pytest.raises(UserError, match="clients that think 500 ms") as raised:
        levels(with_target(value=230))
    assert f"{OF.targets_file}:2" in str(raised.value)


def test_a_rate_beyond_the_engines_is_refused():
    with pytest.raises(UserError, match=r"make SYNG 112% busy, more than 99.3%"):
        levels(with_target(test="aes128", workload="ECI600(32kB)", value=820))


def test_a_target_of_what_never_runs_is_a_mistake():
    found = [issue.what for issue in with_target(workload="ECI700(32kB)").mistakes()]
    assert found == ["no run is declared of rate of ECI700(32kB) over tcp: 197"]


def test_equal_declarations_give_equal_bytes():
    first, second = (make(OF) for _ in range(2))
    assert next(first).files == next(second).files
