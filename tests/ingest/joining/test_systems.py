"""Which system a file with CPU evidence speaks of."""

from __future__ import annotations

import pytest

from analysis.declared.campaign import System
from analysis.ingest.campaign.check import read_checked
from analysis.ingest.campaign.runs import CpuFile
from analysis.ingest.joining.assign import NamedMachine, machine_of
from analysis.ingest.reading import Reading


@pytest.fixture
def campaign(folder):
    return read_checked(folder.path).campaign


@pytest.fixture
def line(folder):
    return read_checked(folder.path).runs[0]


@pytest.mark.parametrize(
    ("named", "told", "expected"),
    [
        (None, [], NamedMachine("vm")),
        (None, ["vm"], NamedMachine()),
        (None, ["cli", "SYSX"], NamedMachine()),
        (
            None,
            ["SYSX"],
            NamedMachine(doubt="it speaks of 'SYSX', which is not declared"),
        ),
        ("cli", [], NamedMachine("vm")),
        ("cli", ["node7"], NamedMachine("vm")),
        ("cli", ["vm", "SYSX"], NamedMachine()),
        (
            "cli",
            ["S1", "S2"],
            NamedMachine(doubt="it speaks of 'S1', 'S2', not of 'vm'"),
        ),
    ],
)
def test_the_author_s_word_comes_before_the_file_s(
    campaign, line, named, told, expected
):
    entry = CpuFile("x", named)
    reading = Reading("mpstat", systems=told)
    assert machine_of(entry, line, reading, campaign) == expected


def test_without_a_host_a_system_is_its_own_machine(campaign, line):
    apart = campaign.model_copy(
        update={"systems": {"cli": System(cps=2), "srv": System(cps=2)}}
    )
    found = machine_of(CpuFile("x"), line, Reading("procstat"), apart)
    assert found == NamedMachine(doubt="it may speak of 'cli', 'srv'")
    assert machine_of(CpuFile("x", "srv"), line, Reading("procstat"), apart) == (
        NamedMachine("srv")
    )
