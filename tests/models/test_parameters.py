from __future__ import annotations

import math

import pytest

from analysis.declared.published import read_published
from analysis.errors import UserError
from models.parameters import (
    FOLDER,
    read_generations,
    read_handshakes,
    read_interfaces,
    read_numbers,
)
from models.prediction import Input, outside, weakest_basis

CLIENTS = (Input("clients", "", 1, 600),)


def all_parameters():
    yield from (p for i in read_interfaces().values() for p in i.parameters.values())
    for handshake in read_handshakes().values():
        yield from (handshake.client, handshake.server, handshake.delay)
    yield from (p for rows in read_generations().values() for p in rows.values())
    yield from read_numbers().values()


def test_every_calibrated_parameter_names_a_published_row_or_what_it_met():
    ids = {row.id for row in read_published()}
    for parameter in all_parameters():
        if parameter.basis == "calibrated":
            words = parameter.source.replace(";", " ").split()
            named = [w for w in words if w[0] == "P" and w[1:].isdigit()]
            assert set(named) <= ids
            assert named or "published" in parameter.source


def test_a_new_generation_has_more_capacity_with_any_number_of_cps():
    z15, z16, z17 = (read_generations()[cpc] for cpc in ("z15", "z16", "z17"))
    for cps in z17:
        assert z15[cps].value < z16[cps].value < z17[cps].value


def write(tmp_path, old, new):
    text = (FOLDER / "interfaces.yaml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "interfaces.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("    fixed_cpu:", "    fixd_cpu:", "osd lacks fixed_cpu"),
        ("basis: assumed", "basis: guessed", "basis"),
        ("unit: µs,", "", "unit: this entry is missing"),
        ("value: 4.9", "value: -4.9", "write 0 or more"),
        ("value: 4.9", "value: .nan", "finite number"),
        ("  link: 25", "  link: .inf", "finite number"),
        ("  link: 25", "  link: 0", "write more than 0"),
        ("  link: 25", "  lnik: 25", "there is no such entry"),
    ],
)
def test_a_spoilt_parameter_is_named(tmp_path, old, new, words):
    with pytest.raises(UserError, match=words) as caught:
        read_interfaces(write(tmp_path, old, new))
    assert "interfaces.yaml" in str(caught.value)


def test_a_number_of_cps_is_more_than_none(tmp_path):
    text = (FOLDER / "generations.yaml").read_text(encoding="utf-8")
    path = tmp_path / "generations.yaml"
    path.write_text(text.replace("  1:", "  0:", 1), encoding="utf-8")
    with pytest.raises(UserError, match="more than 0"):
        read_generations(path)


def test_values_outside_a_range_are_said_in_words():
    assert outside(CLIENTS, {"clients": 600}) == ()
    assert outside(CLIENTS, {"clients": 601}) == ("clients 601 is outside 1 to 600",)
    (fitted,) = outside(CLIENTS, {"clients": 714.068})
    assert fitted == "clients 714 is outside 1 to 600"
    (near,) = outside(CLIENTS, {"clients": 600.068})
    assert near == "clients 600.068 is outside 1 to 600"


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_values_without_sense_are_refused(value):
    with pytest.raises(UserError, match="must be a positive number"):
        outside(CLIENTS, {"clients": value})


def test_the_weakest_basis_is_that_of_the_whole():
    assert weakest_basis(["measured", "assumed", "calibrated"]) == "assumed"
    assert weakest_basis(["measured", "published"]) == "published"
    assert weakest_basis([]) == "measured"
