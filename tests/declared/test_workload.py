"""Workload names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.declared.workload import (
    SHAPES,
    Workload,
    format_size,
    matches,
    parse_size,
    parse_workload,
)

SIZES = st.integers(0, 10**9 - 1)  # no number in a name has more digits
workloads = st.builds(
    Workload,
    st.sampled_from(list(SHAPES)),
    st.integers(1, 10_000),
    SIZES,
    SIZES,
    st.tuples(st.booleans(), st.booleans()),
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("RR40(100B)", Workload("RR", 40, 100, 100)),
        ("CRR40(64B/8kB)", Workload("CRR", 40, 64, 8192)),
        ("STR3(1B/20MB)", Workload("STR", 3, 1, 20 * 2**20)),
        ("STR3(20MB/1B)", Workload("STR", 3, 20 * 2**20, 1)),
        ("[RR](10)(4KB)", Workload("RR", 10, 4096, 4096)),
        ("RR 10 (1.5kB)", Workload("RR", 10, 1536, 1536)),
        ("RR60(4kB/4kB)", Workload("RR", 60, 4096, 4096)),
        ("[RR][10](1B/100B)", Workload("RR", 10, 1, 100)),
        ("RR(10)(1B/100B)", Workload("RR", 10, 1, 100)),
        ("ECI100(32kB)", Workload("ECI", 100, 32768, 32768)),
        ("GET16(1B/20MB)", Workload("GET", 16, 1, 20 * 2**20)),
        ("[PUT][4](20MB/1B)", Workload("PUT", 4, 20 * 2**20, 1)),
        ("TN64000(100B/800B)", Workload("TN", 64000, 100, 800)),
        ("WEB80(73B/~7.6kB)", Workload("WEB", 80, 73, 7782, (False, True))),
        ("WEB80(~ 1.5kB)", Workload("WEB", 80, 1536, 1536, (True, True))),
        ("LOG3(200B)", Workload("LOG", 3, 200, 0)),
        ("LOG3(200B/200B)", Workload("LOG", 3, 200, 200)),
    ],
)
def test_names_are_understood(name, expected):
    assert parse_workload(name) == expected


@pytest.mark.parametrize(
    ("name", "binary", "decimal"),
    [
        ("RR1(1kB)", "RR1(1kB)", "RR1(1000B)"),
        ("CRR40(64B/8kB)", "CRR40(64B/8kB)", "CRR40(64B/8000B)"),
        ("STR3(1B/20MB)", "STR3(1B/20MB)", "STR3(1B/20000000B)"),
        ("STR1(1B/1024kB)", "STR1(1B/1MB)", "STR1(1B/1000kB)"),
    ],
)
def test_payload_units_are_a_setting_and_names_print_binary_ones(name, binary, decimal):
    assert parse_workload(name).name == parse_workload(name, "binary").name == binary
    assert parse_workload(name, "decimal").name == decimal


@pytest.mark.parametrize(
    "name",
    [
        "",
        "RR",
        "RR40",
        "XR40(1B)",
        "RR0(1B)",
        "RR40(100)",
        "RR1(0.3B)",
        "RR1(" + "9" * 5000 + "B)",
    ],
)
def test_what_is_not_a_name_is_refused(name):
    with pytest.raises(ValueError, match=r"workload|whole number|at least one"):
        parse_workload(name)


@given(workloads)
def test_a_name_gives_back_its_workload(workload):
    assert parse_workload(workload.name) == workload


@given(SIZES)
def test_a_size_gives_back_its_bytes(size):
    assert parse_size(format_size(size)) == size


@given(workloads, workloads)
def test_different_workloads_have_different_slugs(one, other):
    assert (one.slug == other.slug) == (one == other)


def test_names_say_means_and_what_is_not_answered():
    names = ["WEB80(73B/~7.6kB)", "LOG3(200B)", "LOG3(~1.5MB)", "WEB1(~9B)"]
    assert [parse_workload(name).name for name in names] == names
    assert parse_workload("LOG3(200B)").written("both") == "LOG3(200B/0B)"
    assert parse_workload("WEB80(73B/~7.6kB)").slug == "web80-73b-mean7.6kb"


def test_a_name_with_an_unknown_shape_is_told_which_there_are():
    with pytest.raises(ValueError, match="RR, CRR, STR, GET, PUT, TN, WEB, ECI, LOG"):
        parse_workload("FTP1(20MB/1B)")


def test_no_whole_number_of_bytes_is_told_how_a_mean_is_written():
    with pytest.raises(ValueError, match=r"write ~7\.6kB for a mean"):
        parse_workload("WEB80(73B/7.6kB)")


def test_a_slug_is_made_for_keys_and_anchors():
    assert parse_workload("CRR40(64B/8kB)").slug == "crr40-64b-8kb"


def test_order_is_by_shape_clients_and_payload():
    names = [
        "TN1(1B)",
        "GET1(1B)",
        "STR1(1B/2MB)",
        "CRR4(1B)",
        "RR10(1kB)",
        "RR2(2kB)",
        "RR2(1kB)",
    ]
    ordered = sorted(map(parse_workload, names), key=lambda w: w.order)
    assert [w.name for w in ordered] == [
        *("RR2(1kB)", "RR2(2kB)", "RR10(1kB)"),
        *("CRR4(1B)", "STR1(1B/2MB)", "GET1(1B)", "TN1(1B)"),
    ]


@pytest.mark.parametrize(
    ("name", "pattern", "fits"),
    [
        ("RR40(100B)", "RR*", True),
        ("CRR40(64B/8kB)", "RR*", False),
        ("CRR40(64B/8kB)", "*", True),
        ("RR40(100B)", "RR40(100B)", True),
        ("RR40(100B)", "[RR]*", False),
        ("STR3(1B/20MB)", "STR?(1B/*)", True),
    ],
)
def test_a_pattern_takes_the_workloads_that_fit(name, pattern, fits):
    assert matches(name, pattern) is fits


@pytest.mark.parametrize(
    ("form", "written"),
    [
        ("short", "RR60(4kB)"),
        ("both", "RR60(4kB/4kB)"),
        ("boxed", "[RR][60](4kB/4kB)"),
        ("apart", "RR(60)(4kB/4kB)"),
    ],
)
def test_names_are_written_in_all_forms_and_read_again(form, written):
    workload = parse_workload("RR60(4kB)")
    assert workload.written(form) == written
    assert parse_workload(written) == workload


def test_an_unknown_form_names_the_known_ones():
    with pytest.raises(ValueError, match="choose of short, both, boxed, apart"):
        parse_workload("RR60(4kB)").written("loud")
