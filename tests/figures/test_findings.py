"""The words of a finding: what is said of each metric, and of what did not change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.declared.metrics import read_metrics
from analysis.facts.fact import Facts
from analysis.figures.findings import levels_of, size_words
from analysis.figures.kind import KINDS
from tests.conftest import ROOT
from tests.figures.drawn import make_drawing, make_setting
from tests.figures.made import make_fact, make_study, scattered

METRICS = read_metrics(ROOT / "data/metrics.yaml")
# What a title calls a decrease and an increase of each metric.
WAYS = {
    "rate": ("lower transaction rate", "higher transaction rate"),
    "latency": ("lower latency", "higher latency"),
    "throughput": ("less throughput", "more throughput"),
    "cpu_cost": ("lower CPU cost", "higher CPU cost"),
    "cpu_cost_per_mb": ("lower CPU cost per MB", "higher CPU cost per MB"),
    "cpu_cost_ms": ("lower CPU cost", "higher CPU cost"),
    "cpu_cost_ziip": (
        "lower zIIP cost per transaction",
        "higher zIIP cost per transaction",
    ),
    "cpu_cost_equivalent": (
        "lower CP-equivalent cost per transaction",
        "higher CP-equivalent cost per transaction",
    ),
    "utilisation": ("lower utilisation", "higher utilisation"),
    "cpu_cost_zaap": (
        "lower zAAP cost per transaction",
        "higher zAAP cost per transaction",
    ),
    "ziip_share": ("lower share on zIIPs", "higher share on zIIPs"),
    "utilisation_zaap": ("lower zAAP utilisation", "higher zAAP utilisation"),
    "offload_potential": ("less potential offload", "more potential offload"),
    "io_rate": ("fewer I/O requests", "more I/O requests"),
    "transfer_time": ("shorter transfers", "longer transfers"),
    "response_time": ("lower response time", "higher response time"),
    "storage": ("less storage", "more storage"),
    "storage_per_user": ("less storage per session", "more storage per session"),
    "offload": ("less offload", "more offload"),
    "work_per_cpu": ("less work per CPU time", "more work per CPU time"),
    "payload": ("smaller payload", "larger payload"),
    "round_trips": ("fewer round trips", "more round trips"),
    "delay": ("less delay", "more delay"),
    "duration": ("shorter duration", "longer duration"),
    "latency_p50": (
        "lower 50th percentile of latency",
        "higher 50th percentile of latency",
    ),
    "latency_p90": (
        "lower 90th percentile of latency",
        "higher 90th percentile of latency",
    ),
    "latency_p99": (
        "lower 99th percentile of latency",
        "higher 99th percentile of latency",
    ),
    "latency_p999": (
        "lower 99.9th percentile of latency",
        "higher 99.9th percentile of latency",
    ),
    "latency_max": ("lower longest latency", "higher longest latency"),
    "latency_deviation": ("lower deviation of latency", "higher deviation of latency"),
    "jitter": ("lower jitter", "higher jitter"),
    "retransmits": ("fewer retransmits", "more retransmits"),
    "datagrams_lost": ("fewer lost datagrams", "more lost datagrams"),
    "datagrams_late": ("fewer late datagrams", "more late datagrams"),
    "cpu_cost_kernel": (
        "lower CPU cost in kernel mode",
        "higher CPU cost in kernel mode",
    ),
    "msu_per_million": ("fewer MSU hours (assumption)", "more MSU hours (assumption)"),
    "price_per_million": ("lower price (assumption)", "higher price (assumption)"),
    "instructions_per_transaction": ("fewer instructions", "more instructions"),
    "cycles_per_instruction": (
        "fewer cycles per instruction",
        "more cycles per instruction",
    ),
    "cpu_frequency": ("lower frequency", "higher frequency"),
    "energy_per_transaction": ("less energy", "more energy"),
    "energy_per_gb": ("less energy", "more energy"),
}


def test_every_metric_has_words_for_both_ways() -> None:
    assert set(WAYS) == set(METRICS)
    assert all(less != more for less, more in WAYS.values())


@pytest.mark.parametrize("id", list(WAYS))
def test_a_change_is_called_by_what_it_is_a_change_of(id: str) -> None:
    less, more = WAYS[id]

    assert size_words([-78.9, -40.0], METRICS[id]) == ("40 to 79%", less)
    assert size_words([5.0], METRICS[id]) == ("5.0%", more)


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ((60.0, 100.0), " at the server; otherwise comparable"),
        ((60.0, 80.0), " at the server"),
    ],
)
def test_a_role_is_named_where_roles_differ(
    after: tuple[float, float], told: str
) -> None:
    server, client = after
    facts = make_study(
        "s",
        {
            ("cpu_cost", "client", "RR1(1kB)"): (100.0, client),
            ("cpu_cost", "server", "RR1(1kB)"): (100.0, server),
        },
    )
    title = make_drawing(
        facts, make_setting("delta", ("cpu_cost",), study="s")
    ).words.title

    assert title.endswith(told)


def test_workloads_that_changed_are_named() -> None:
    names = ("RR1(1kB)", "RR10(1kB)")
    facts = make_study(
        "s",
        {
            ("cpu_cost", role, name): (100.0, after)
            for role in ("client", "server")
            for name, after in zip(names, (60.0, 100.0), strict=True)
        },
    )
    setting = make_setting("delta", ("cpu_cost",), study="s")

    assert make_drawing(facts, setting).words.title.endswith(
        "lower CPU cost with RR1(1kB); otherwise comparable"
    )


def test_the_tests_that_changed_are_named() -> None:
    base = scattered(100, "a")
    facts = tuple(
        replace(
            make_fact("s", "RR1(1kB)", None, "latency", test, base, ("A", base)),
            value=value,
            verdict=verdict,
        )
        for test, value, verdict in (("B", -40.0, "improved"), ("C", 0.2, "comparable"))
    )
    setting = make_setting("delta", ("latency",), study="s", tests=("B", "C"))

    assert make_drawing(Facts(facts), setting).words.title == (
        "40% lower latency with Offload off; otherwise comparable"
    )


def test_changes_both_ways_are_told_by_both_ends_and_where_they_are() -> None:
    values = {"RR1(1kB)": 88.0, "RR10(1kB)": 106.0, "RR40(1kB)": 95.0}
    facts = make_study(
        "s", {("latency", None, name): (100.0, v) for name, v in values.items()}
    )
    setting = make_setting("delta", ("latency",), study="s")

    title = make_drawing(facts, setting).words.title

    assert title.startswith(
        "Up to 11% lower latency (RR1(1kB)), up to 6.7% higher (RR10"
    )


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (-40.0, "Shaded: within ±5%, too little to count."),
        (-99.0, "Shaded: within ±5%, too little to count."),
        (290.0, "Changes within ±5% are too little to count."),
        (1900.0, "Changes within ±5% are too little to count."),
    ],
)
def test_a_limit_is_called_shaded_where_the_shade_can_be_seen(
    value: float, told: str
) -> None:
    found = make_study("s", {("latency", None, "RR1(1kB)"): (100.0, 90.0)}).facts
    facts = [
        replace(fact, value=value, low=value, high=value)
        if fact.kind == "delta"
        else fact
        for fact in found
    ]
    setting = make_setting("delta", ("latency",), study="s")

    assert told in make_drawing(Facts(tuple(facts)), setting).words.subtitle


MANY = {
    ("rate", None, "RR1(1kB)"): (100.0, 180.0),
    ("latency", None, "RR1(1kB)"): (100.0, 60.0),
    ("throughput", None, "STR1(1B/20MB)"): (100.0, 180.0),
    ("throughput", None, "STR3(1B/20MB)"): (100.0, 120.0),
    ("cpu_cost", "client", "RR1(1kB)"): (100.0, 80.0),
    ("cpu_cost", "sender", "STR1(1B/20MB)"): (100.0, 70.0),
    ("cpu_cost", "receiver", "STR3(1B/20MB)"): (100.0, 40.0),
}


def test_a_heading_over_many_metrics_and_roles_stays_short() -> None:
    metrics = ("rate", "latency", "throughput", "cpu_cost")
    setting = make_setting("delta", metrics, study="s")
    title = make_drawing(make_study("s", MANY), setting).words.title

    assert title.count("%") == 4
    assert title.endswith("more throughput and 20 to 60% lower CPU cost")
    assert "most with" not in title


def test_a_clear_change_that_is_neither_better_nor_worse_is_told() -> None:
    made = make_study("s", {("cpu_cost", "server", "RR1(1kB)"): (40.0, 60.0)})
    of = {"metric": "io_rate", "better": "none", "verdict": None}
    facts = tuple(replace(fact, **of) for fact in made.facts)
    setting = make_setting("delta", ("io_rate",), study="s")
    title = make_drawing(Facts(facts), setting).words.title

    assert title.endswith("more I/O requests")


LEVELS = [
    (
        {"A": (10, 100), "B": (5, 40), "C": (20, 300)},
        "Latency is lowest with B and highest with C (up to 7.5 times as high) at "
        "every payload",
    ),
    (
        {"A": (10, 100), "B": (9, 90), "C": (11, 130)},
        "Latency is lowest with B and highest with C (up to 44% higher) at every "
        "payload",
    ),
    ({"A": (10, 100), "B": (5, 40)}, "B has the lower latency at every payload"),
    ({"A": (10, 100), "B": (10.1, 99)}, "Latency is alike with all configurations"),
    ({"A": (10, 100)}, "10 times the latency with 32 times the payload"),
    ({"A": (10, 12)}, "20% higher latency with 32 times the payload"),
    ({"A": (10, 10.1)}, "Latency is the same with 32 times the payload"),
    ({"A": (10, 100), "B": (11, 90), "C": (5, 105)}, ""),
]


@pytest.mark.parametrize(("values", "told"), LEVELS)
def test_a_title_says_which_is_ahead_or_how_values_grow(
    values: dict[str, tuple[float, float]], told: str
) -> None:
    facts = [
        make_fact("s", workload, None, "latency", id, (value,) * 4)
        for id, both in values.items()
        for workload, value in zip(("RR10(1kB)", "RR10(32kB)"), both, strict=True)
    ]
    baseline, *tests = values
    setting = make_setting(
        "scaling", ("latency",), study="s", baseline=baseline, tests=tuple(tests),
        labels={id: id for id in values},
    )  # fmt: skip
    frame = KINDS["scaling"].data(Facts(tuple(facts)), setting)
    assert levels_of(frame, setting) == told


def test_long_times_are_in_milliseconds() -> None:
    facts = make_study("s", {("latency", None, "RR10(1kB)"): (282.0, 5790.0)})
    (row,) = make_drawing(facts, make_setting("delta", ("latency",), study="s")).frame[
        "sides"
    ]
    assert row.startswith("0.28")
    assert row.endswith(" ms")
