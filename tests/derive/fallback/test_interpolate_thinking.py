"""Think times that cannot be: no load answers a question that rests on them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.declared.workload import parse_workload
from analysis.derive.fallback.interpolate import interpolate
from analysis.derive.fallback.knowledge import Known
from analysis.derive.fallback.question import Question
from analysis.facts.remark import Refused

LOADS = tuple(parse_workload(f"ECI{n}(32kB)") for n in (100, 200, 300, 400))
VALUES = {"rate": 1.97, "cpu_cost": 4000.0, "utilisation": 0.26}  # for each client


def known(think_ms: float) -> Any:
    """Clients that make 1.97 transactions a second each: a cycle of 508 ms."""

    def measured(_arm: str, name: str, metric: str, _role: str | None = None) -> Known:
        each = 1 if metric == "cpu_cost" else parse_workload(name).clients
        return Known(VALUES[metric] * each, 0.01, ("synthetic",))

    return SimpleNamespace(
        think={"tcp": think_ms},
        measured=measured,
        workloads=lambda *_: list(LOADS),
        engines=lambda *_: 3.03,
    )


@pytest.mark.parametrize(("think_ms", "answered"), [(500, True), (5000, False)])
def test_a_think_time_beyond_the_whole_cycle_is_refused(think_ms, answered):
    asked = Question("tcp", parse_workload("ECI250(32kB)"), "rate")
    if answered:
        answer = interpolate(asked, known(think_ms))
        assert answer.prediction.value == pytest.approx(250 * 1.97, rel=0.02)
        assert answer.reason == "from runs of tcp with ECI100(32kB) to ECI400(32kB)"
        return
    with pytest.raises(Refused) as refused:
        interpolate(asked, known(think_ms))
    with pytest.raises(Refused, match="do not say"):
        interpolate(replace(asked, configuration="other"), known(500))
    assert "cannot think for 5000 ms: a cycle takes 508" in str(refused.value)
