from __future__ import annotations

import pytest

from analysis.report.lint.words.mention import Dimension
from analysis.report.lint.words.vocabulary import vocabulary
from analysis.report.material import Sources, read_material
from tests.handed_over import hand_over


@pytest.mark.parametrize(
    ("words", "dimension", "names"),
    [
        ("the latency of it", "metric", {"latency"}),
        ("response times are low", "metric", {"latency"}),
        ("its CPU cost", "metric", {"cpu_cost"}),
        ("the client's part", "role", {"client"}),
        ("a single client", "role", set()),
        ("a single client", "workload", {"RR1(1kB)"}),
        ("ten clients", "workload", {"RR10(4kB)"}),
        ("RR10(4kB) is one", "workload", {"RR10(4kB)"}),
        ("interactive work", "workload", {"RR1(1kB)", "RR10(4kB)"}),
        ("large messages", "workload", {"RR10(4kB)"}),
        ("streams", "workload", {"STR3(1B/20MB)"}),
        ("three streams", "workload", {"STR3(1B/20MB)"}),
        ("on z17", "configuration", {"new"}),
        ("on z16", "configuration", {"old"}),
        ("the baseline", "configuration", {"old"}),
        ("In @sec-speed it", "study", {"speed"}),
        ("an MTU of 1500", "configuration", set()),
        ("the streamlined way", "workload", set()),
    ],
)
def test_words_name_what_is_declared(
    project: Sources, words: str, dimension: Dimension, names: set[str]
) -> None:
    found = vocabulary(read_material("small", project), ["speed"]).mentions(words)
    assert {n for m in found if m.dimension == dimension for n in m.names} == names


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("without offload", {"new"}),
        ("with offload off", {"new"}),
        ("offload is taken away", {"new"}),
        ("with offload", {"old"}),
        ("offload on", {"old"}),
        ("offload on and off", {"old", "new"}),
    ],
)
def test_a_setting_that_is_on_here_and_off_there_is_named_by_both(
    project: Sources, words: str, names: set[str]
) -> None:
    path = project.raw / "lab/campaign.yaml"
    text = path.read_text(encoding="utf-8")
    for id, state in (("z16", "on"), ("z17", "off")):
        text = text.replace(f"CPC: {id}, MTU", f'CPC: {id}, Offload: "{state}", MTU')
    path.write_text(text, encoding="utf-8")
    hand_over(project.raw, project.facts)
    found = vocabulary(read_material("small", project), ["speed"]).mentions(words)
    told = {n for m in found if not m.loose for n in m.names}
    assert told == names
