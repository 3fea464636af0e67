"""Counters and energy of runs: the parts of cost, and when they tell of other work."""

from __future__ import annotations

import math

import pytest

from analysis.declared.metrics import read_metrics
from analysis.facts.fact import Fact, Facts
from tests.derive.conftest import Scenes, World, utc

SCENES = Scenes()
PARTS = ("instructions_per_transaction", "cycles_per_instruction", "cpu_frequency")


def values(facts: Facts) -> dict[str, Fact]:
    return {f"{f.role}.{f.metric}": f for f in facts.facts if f.kind == "value"}


def counters(lab: World, run: str, system: str = "srv", **columns: object) -> None:
    role = {"cli": "client", "srv": "server"}[system]
    source = lab.file(f"{run}-{system}-{len(lab.rows['source'])}")
    row = {
        "run": run, "role": role, "system": system, "cycles": 6_000_000_000,
        "instructions": 4_000_000_000, "counted_seconds": 2.0, "scope": "process",
        "basis": "perf", "source": source,
    }  # fmt: skip
    lab.rows["run_counter"].append(row | columns)


@SCENES
def command(lab):
    """1,000,000 transactions in 10 s, 2 CPU seconds of the server."""
    lab.run("r")
    lab.cpu("r", 1.0, 2.0, system_seconds=0.75)
    counters(lab, "r", counted_seconds=2.1)
    counters(lab, "r", "cli", counted_seconds=1.2)  # of 1 CPU second
    lab.study(tests=[])


def test_parts_worked_out_by_hand_make_the_cost(scenes):
    """4e9 instructions ÷ 1e6; 6e9 ÷ 4e9; 6e9 cycles in 2 s; cost 2 µs."""
    found = values(scenes["command"])
    parts = [found[f"server.{id}"].value for id in PARTS]
    assert parts == pytest.approx([4000, 1.5, 3.0])
    assert found["server.cpu_cost_kernel"].value == pytest.approx(0.75)
    cost = found["server.cpu_cost"].value
    assert cost == pytest.approx(parts[0] * parts[1] / parts[2] / 1e3)
    rule = found["server.cpu_frequency"].lineage.rule
    assert rule.endswith("; from hardware counters of the command (perf stat)")


def test_counters_of_other_work_than_the_cpu_time_have_a_reason(scenes, warned):
    assert not any(f"client.{id}" in values(scenes["command"]) for id in PARTS)
    assert (
        "command/r: no cycles and instructions of cli: they are of 120% of the CPU time"
        in warned
    )


def lpar(lab: World, system: str, start: float, **columns: object) -> None:
    for cpu in (0, 1):
        row = {
            "system": system, "cpu": cpu, "cpu_class": 0, "start_utc": utc(start),
            "seconds": 5.0, "cycles": 2_600_000_000, "instructions": 2_000_000_000,
            "cycles_per_us": 5200, "source": lab.file(f"113-{system}-{start}-{cpu}"),
        }  # fmt: skip
        lab.rows["counter_interval"].append(row | columns)


LPARS = {"cpu": {"source": "lpar_busy"}}


@SCENES
def zos(lab):
    """10% of 4 CPs over 10 s are 4 s, and 2 CPs × 2 × 0.5 s of SMF 113 are 2 s."""
    lab.campaign(lab.lab, **LPARS)
    lab.run("r")
    lab.interval("srv", 0, 10, 5.0)
    lab.interval("cli", 0, 10, 10.0)
    for start in (-5, 0, 5, 10):
        lpar(lab, "srv", start)
        lpar(lab, "cli", start)
    lab.study(tests=[])


@SCENES
def lost(lab):
    lab.campaign(lab.lab, **LPARS)
    lab.run("r")
    lab.interval("srv", 0, 10, 5.0)
    lpar(lab, "srv", 0)
    lpar(lab, "srv", 5, cycles=None, instructions=None)
    lab.study(tests=[])


@SCENES
def half(lab):
    """One of two intervals of counters: taken for the span of the CPU time."""
    lab.campaign(lab.lab, **LPARS)
    lab.run("r")
    lab.interval("srv", 0, 10, 5.0)
    lpar(lab, "srv", 0)
    lab.study(tests=[])


@pytest.mark.parametrize("scene", ["zos", "half"])
def test_counters_of_an_lpar_whose_busy_time_agrees(scenes, scene):
    """4 × 2e9 instructions ÷ 1e6 transactions; 4 × 2.6e9 cycles in 2 CPU seconds."""
    found = values(scenes[scene])
    parts = [found[f"server.{id}"].value for id in PARTS]
    assert parts == pytest.approx([8000, 1.3, 5.2])
    assert "client.cpu_frequency" not in found


def test_counters_of_an_lpar_that_lost_some_or_do_not_agree(scenes, warned):
    assert "lost/r: no cycles and instructions of srv: counter data were" in warned
    assert "zos/r: no cycles and instructions of cli: they are of 50%" in warned
    assert not any(f"server.{id}" in values(scenes["lost"]) for id in PARTS)


TICKS = {"cpu": {"source": "procstat"}}


@SCENES
def energy(lab):
    """250 J of the server's machine, 300 J of the client's, of 1,000,000."""
    lab.campaign(lab.lab, **TICKS)
    lab.run("r", workload="STR1(1B/20MB)", rate=100.0)
    lab.cpu("r", 1.0, 2.0, method="procstat")
    counters(lab, "r", scope="system", counted_seconds=None)
    of = {"scope": "system", "cycles": None, "instructions": None}
    counters(lab, "r", joules=250.0, seconds=10.2, basis="powercap", **of)
    counters(lab, "r", "cli", joules=300.0, seconds=12.0, **of)
    lab.study(tests=[])


def test_energy_by_hand_with_its_source_and_what_it_is_of(scenes):
    """250 J ÷ 1,000 transactions of 20,971,521 bytes."""
    found = values(scenes["energy"])
    joules = found["server.energy_per_transaction"]
    assert (joules.value, joules.unit) == (pytest.approx(250), "mJ/tran")
    assert found["server.energy_per_gb"].value == pytest.approx(250 / 20.971521)
    assert "RAPL (powercap) of all processor packages" in joules.lineage.rule
    assert "what idles included" in joules.lineage.rule


def test_energy_of_more_than_the_run_is_none(scenes, warned):
    assert "client.energy_per_transaction" not in values(scenes["energy"])
    why = "energy/r: no energy of cli: it was counted over 120% of the run"
    assert why in warned


def test_counters_of_a_whole_system_meet_its_cpu_time(scenes):
    """6e9 cycles in 2 s."""
    found = values(scenes["energy"])
    assert found["server.cpu_frequency"].value == pytest.approx(3.0)
    assert math.isclose(found["server.cycles_per_instruction"].value, 1.5)


HOST = {s: {"role": r, "cps": 4, "host": "vm"} for r, s in
        (("client", "cli"), ("server", "srv"))}  # fmt: skip


@SCENES
def shared(lab):
    lab.campaign(lab.lab, systems=HOST)
    lab.run("r")
    lab.cpu("r", 1.0, 2.0)
    counters(lab, "r", scope="system", joules=250.0, seconds=10.0)
    lab.study(tests=[])


def test_a_machine_of_two_sides_tells_the_energy_of_neither(scenes, warned):
    found = values(scenes["shared"])
    assert not any("energy" in key or key.endswith("frequency") for key in found)
    assert "shared/r: no energy of srv: no side of the run has that" in warned
    assert "shared/r: no cycles and instructions of srv: they are of a" in warned


@SCENES
def apart(lab):
    """A study that names metrics, and a figure that takes the cost apart."""
    for side in "AB":
        lab.run(side, side)
        lab.cpu(side, 1.0, 2.0)
        counters(lab, side)
    why = {"id": "why", "kind": "waterfall", "metrics": ["cpu_cost"], "question": "?"}
    lab.study(metrics=["cpu_cost"], figures=[why])


def test_a_figure_that_takes_a_cost_apart_asks_for_its_parts(scenes):
    assert {f.metric for f in scenes["apart"].facts} == {"cpu_cost", *PARTS}


RATES = {"msu_per_cp": 200.0, "eur_per_cp_hour": 9.0}


@SCENES
def money(lab):
    """1,000,000 transactions in 2 CPU seconds of the server."""
    srv = {"role": "server", "cps": 4, "assumed": RATES}
    lab.campaign(lab.lab, systems={"cli": {"role": "client", "cps": 4}, "srv": srv})
    lab.run("r")
    lab.cpu("r", 1.0, 2.0)
    lab.study(tests=[])


def test_money_is_printed_as_an_assumption_and_only_where_one_is_declared(scenes):
    """2 s ÷ 3600 s × 200 MSU, and × 9 EUR."""
    found = values(scenes["money"])
    msu, price = (found[f"server.{id}_per_million"] for id in ("msu", "price"))
    assert (msu.value, price.value) == pytest.approx((400 / 3600, 18 / 3600))
    assert msu.printed == "0.111 MSU-h/Mtran (assumed)"
    assert price.printed == "0.00500 EUR/Mtran (assumed)"
    assert "which is assumed" in price.lineage.rule
    assert not any(key.startswith("client.") and "million" in key for key in found)


def test_metrics_of_money_say_that_they_are_assumptions():
    for id, metric in read_metrics().items():
        if id.endswith("_per_million"):
            units = (metric.unit, *metric.other_units)
            assert all("assumed" in unit for unit in units)
            for words in (metric.label, metric.less, metric.more):
                assert "(assumption)" in words
