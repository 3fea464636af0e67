"""The declaration of a campaign."""

import pytest

from analysis.campaign import read_campaign
from analysis.errors import UserError

GOOD = """\
title: A laboratory
origin: measured
measured: {by: us, from: 2026-01-12, to: 2026-01-16, how: with care}
zone: America/New_York
systems:
  SYSA: {role: server, cps: 4}
configurations:
  old: {label: The old one, details: {MTU: 1500}}
cpu: {source: lpar_busy}
files: {}
"""


def read(tmp_path, text):
    (tmp_path / "campaign.yaml").write_text(text)
    return read_campaign(tmp_path)


def test_defaults_are_stated_once(tmp_path):
    campaign = read(tmp_path, GOOD)
    assert campaign.cpu.minimum_coverage == 0.8
    assert campaign.gates.little == 0.1
    assert campaign.systems["SYSA"].dedicated is False


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("measured\n", "guessed\n", 2, "origin"),
        ("America/New_York", "Nowhere/Town", 4, "not a time zone"),
        ("cps: 4", "cps: 0", 6, "greater than 0"),
        ("role: server", "role: waiter", 6, "role"),
        ("SYSA", "SYS A", 6, "pattern"),
        ("files: {}", "files: {a.txt: 12}", 10, "files → a.txt"),
        ("lpar_busy", "guess", 9, "cpu → source"),
    ],
)
def test_each_mistake_is_named_with_its_line(tmp_path, old, new, line, what):
    with pytest.raises(UserError, match=what) as caught:
        read(tmp_path, GOOD.replace(old, new, 1))
    assert caught.value.issues[0].where.line == line


def test_the_project_s_own_campaigns_are_good(root):
    folders = [path.parent for path in root.glob("raw/*/campaign.yaml")]
    assert all(read_campaign(folder).files for folder in folders)
    assert folders
