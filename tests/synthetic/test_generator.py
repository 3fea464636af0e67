"""A campaign's declaration chooses its generator."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from analysis.errors import UserError
from synthetic.campaign import read_declaration
from tests.synthetic.conftest import CAMPAIGN, OF


@pytest.fixture
def copy(tmp_path: Path) -> tuple[Path, Path]:
    """The folder of a campaign, and its targets."""
    shutil.copytree(OF.folder, tmp_path / CAMPAIGN)
    shutil.copy(OF.file, tmp_path)
    shutil.copy(OF.targets_file, tmp_path)
    return tmp_path / CAMPAIGN, tmp_path / OF.targets_file.name


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ("generator: none\n", "there is no generator 'none'"),
        ("", "no generator is named"),
    ],
)
def test_a_generator_that_is_unknown_or_missing_is_told_with_its_line(
    copy, other, told
):
    folder, targets = copy
    file = folder.with_name(f"{CAMPAIGN}.yaml")
    file.write_text(file.read_text().replace("generator: network\n", other))
    with pytest.raises(UserError, match=told) as raised:
        read_declaration(CAMPAIGN, folder, targets)
    assert f"{file}:{4 if other else 1}" in str(raised.value)
    assert "network (loads between systems)" in str(raised.value)


def test_a_target_of_a_metric_that_its_generator_does_not_make_is_told(copy):
    folder, targets = copy
    lines = targets.read_text().splitlines()
    row = "osh-osd,RR1(1kB),,osd,storage,,value,3,free,"
    targets.write_text("\n".join([*lines, row, ""]))
    with pytest.raises(
        UserError, match="generator 'network' makes no storage"
    ) as raised:
        read_declaration(CAMPAIGN, folder, targets)
    assert f"{targets}:{len(lines) + 1}" in str(raised.value)


@pytest.mark.parametrize(
    ("declared", "other", "told"),
    [
        ("SYNZ, SYNL]", "SYNZ, SYNLINUX]", "at most 4 capitals"),
        ("workload: RR60(4kB)", "workload: RR60", "'RR60'"),
        ("name: SYNHS1", "name: HiperSockets", "at most 16 capitals"),
    ],
)
def test_what_no_record_can_hold_is_told_with_its_line(copy, declared, other, told):
    folder, targets = copy
    file = folder.with_name(f"{CAMPAIGN}.yaml")
    text = file.read_text()
    line = text[: text.index(declared)].count("\n") + 1
    file.write_text(text.replace(declared, other, 1))
    with pytest.raises(UserError, match=told) as raised:
        read_declaration(CAMPAIGN, folder, targets)
    assert f"{file}:{line}" in str(raised.value)


def test_a_configuration_without_a_release_is_told(copy):
    folder, targets = copy
    file = folder / "campaign.yaml"
    text = file.read_text()
    file.write_text(text.replace("z/OS release:", "release:"))
    with pytest.raises(UserError, match="the configuration 'osh' has no release"):
        read_declaration(CAMPAIGN, folder, targets)
