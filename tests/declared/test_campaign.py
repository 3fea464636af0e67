"""The declaration of a campaign."""

import pytest

from analysis.declared.campaign import campaign_folder, read_campaign
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
"""


def read(tmp_path, text):
    (tmp_path / "campaign.yaml").write_text(text)
    return read_campaign(tmp_path)


def test_defaults_are_stated_once(tmp_path):
    campaign = read(tmp_path, GOOD)
    assert campaign.cpu.minimum_coverage == 0.8
    gates = {"little": 0.1, "utilisation": 0.1, "parts": 0.05, "idle_before": 0.9}
    assert campaign.gates.model_dump() == gates
    assert campaign.systems["SYSA"].dedicated is False


def test_a_system_may_name_its_own_source_of_cpu_time(tmp_path):
    systems = "systems:\n  SYSL: {cps: 2, cpu: procstat}"
    text = GOOD.replace("systems:", systems).replace(
        "{source: lpar_busy}",
        "{source: class, classes: [NET], idle: {SYSL: 0.1}, minimum_coverage: 0.5}",
    )
    campaign = read(tmp_path, text)
    assert campaign.cpu_of("SYSA") == campaign.cpu
    own = campaign.cpu_of("SYSL")
    assert (own.source, own.counted) == ("procstat", ())
    assert (own.idle, own.minimum_coverage) == ({"SYSL": 0.1}, 0.5)


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("measured\n", "guessed\n", 2, "origin"),
        ("America/New_York", "Nowhere/Town", 4, "not a time zone"),
        ("cps: 4", "cps: 0", 6, "write more than 0"),
        ("role: server", "role: waiter", 6, "role"),
        ("role: server", "cpu: address_space", 6, "cpu"),
        ("SYSA", "SYS A", 6, "write letters, digits"),
        ("lpar_busy", "guess", 9, "cpu → source"),
        ("lpar_busy", "lpar_busy, parts: {cics: []}", 9, "the part cics needs names"),
        ("MTU: 1500", "mtu: big", 8, "mtu: 'big' has no number of bytes, as 9000"),
    ],
)
def test_each_mistake_is_named_with_its_line(tmp_path, old, new, line, what):
    with pytest.raises(UserError, match=what) as caught:
        read(tmp_path, GOOD.replace(old, new, 1))
    assert caught.value.issues[0].where.line == line


MODEL = "{cpc: z17, interface: osh, mtu: 1500, cps: 4}"


def test_a_configuration_may_say_what_models_need_to_know(tmp_path):
    text = GOOD.replace("{MTU: 1500}}", f"{{MTU: 1500}}, model: {MODEL}}}")
    model = read(tmp_path, text).configurations["old"].model
    assert (model.cpc, model.interface, model.mtu, model.cps) == (
        "z17", "osh", 1500, 4,
    )  # fmt: skip
    assert model.handshake is None
    assert read(tmp_path, GOOD).configurations["old"].model is None


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("cps: 4}", "cps: 0}", "model → cps"),
        ("mtu: 1500", "mtu: -1", "model → mtu"),
        ("cpc: z17, ", "", "model → cpc: this entry is missing"),
        ("interface", "adapter", "model → adapter: there is no such entry"),
        ("cps: 4}", "cps: 4, handshake: [a]}", "model → handshake"),
    ],
)
def test_a_mistake_in_a_model_is_named(tmp_path, old, new, what):
    model = MODEL.replace(old, new)
    text = GOOD.replace("{MTU: 1500}}", f"{{MTU: 1500}}, model: {model}}}")
    with pytest.raises(UserError, match=what) as caught:
        read(tmp_path, text)
    assert 7 <= caught.value.issues[0].where.line <= 8


def test_the_project_s_own_campaigns_are_good(root):
    measured = [path.parent for path in root.glob("raw/*/campaign.yaml")]
    declared = [path.parent for path in root.glob("synthetic/campaigns/*/*.yaml")]
    assert {read_campaign(folder).origin for folder in measured} == {"measured"}
    assert {read_campaign(folder).origin for folder in declared} == {"synthetic"}


def test_a_campaign_is_measured_or_generated_in_the_project_s_build(tmp_path):
    raw = tmp_path / "raw"
    for folder in ("raw/lab", "data/build/raw/lab", "data/build/raw/made"):
        (tmp_path / folder).mkdir(parents=True)
    assert campaign_folder(raw, "lab") == raw / "lab"
    assert campaign_folder(raw, "made") == tmp_path / "data/build/raw/made"
    assert campaign_folder(raw, "none") == raw / "none"


def test_a_campaign_that_is_not_there_says_what_to_run(tmp_path):
    with pytest.raises(UserError, match="this file is missing") as caught:
        read_campaign(tmp_path)
    assert "run 'make report'" in caught.value.issues[0].mend
