"""Sentences as engineers write them: true ones pass, those that cannot be true do not.

Jumbo frames are compared with small ones: they raise the throughput of STR3 by 60% and
its cost at the client, lower the latency of RR10 by 20%, and leave that of CRR10 alone.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.declared.campaign import Configuration
from analysis.facts.fact import Facts, RunCount
from analysis.report.checks.check import TextChecks
from analysis.report.language.functions import (
    evaluate,
    fact_functions,
)
from analysis.report.language.scope import scope_of
from analysis.report.tables.blocks import blocks
from analysis.report.text.reviewed import read_reviewed
from analysis.report.text.texts import Text
from tests.report.conftest import ROOT
from tests.report.language.small import METRICS, change, study, value

STR, RR, CRR = "STR3(1B/20MB)", "RR10(1kB)", "CRR10(64B/8kB)"
FACTS = (
    change(STR, 60, "throughput"),
    change(RR, -20, "latency"),
    change(CRR, 0.1, "latency", half=0.5),
    change(STR, 30, "cpu_cost", "client"),
    change(STR, 10, "cpu_cost", "server"),
    value(STR, 1000, "old", "throughput", samples=(980, 1000, 1020)),
    value(STR, 1600, "new", "throughput", samples=(1590, 1600, 1610)),
    value(RR, 100, "old", samples=(99, 100, 101)),
    value(RR, 80, "new", samples=(79, 80, 81)),
    value(STR, 40, "old", "cpu_cost", "client"),
    value(STR, 52, "new", "cpu_cost", "client"),
    value(STR, 30, "old", "cpu_cost", "server"),
    value(STR, 33, "new", "cpu_cost", "server"),
)
SHARED = {
    "CPC": "z17",
    "z/OS release": "V2R5",
    "Security protocol": "TLSv1.3, suite C02F",
    "Line": "10 km, 25GbE",
    "CPs of each LPAR": "4, dedicated, and two zIIPs",
    "Sending LPARs": "two",
}
CONFIGURATIONS = {
    "old": Configuration(label="MTU 1500", details={"MTU": "1500", **SHARED}),
    "new": Configuration(
        label="MTU 9000", details={"MTU": "9000 (jumbo frames)", **SHARED}
    ),
}
NAMES = {
    "rise": f'{{{{ delta("throughput", "{STR}") | increase }}}}',
    "fall": f'{{{{ delta("latency", "{RR}") | reduction }}}}',
    "delta": f'{{{{ delta("latency", "{RR}") }}}}',
    "small": f'{{{{ value("throughput", "{STR}", configuration="old") }}}}',
    "jumbo": f'{{{{ value("throughput", "{STR}", configuration="new") }}}}',
    "high": f'{{{{ value("latency", "{RR}", configuration="old") }}}}',
    "low": f'{{{{ value("latency", "{RR}", configuration="new") }}}}',
    "client": f'{{{{ delta("cpu_cost", "{STR}", role="client") | increase }}}}',
    "server": f'{{{{ delta("cpu_cost", "{STR}", role="server") | increase }}}}',
    "factor": f'{{{{ delta("throughput", "{STR}") | factor }}}}',
    "all": "{{ comparisons() | words }}",
    "two": '{{ comparisons(metric="latency") | words }}',
    "same": '{{ verdicts("comparable") | words }}',
}


@pytest.fixture(scope="module")
def material() -> Any:
    return made()


def made() -> Any:
    """A study of frames, with what its checks ask for."""
    system = SimpleNamespace(host=None, cps=4)
    campaign = SimpleNamespace(
        configurations=CONFIGURATIONS,
        systems={"cli": system, "srv": system},
        model_dump_json=lambda: '"two LPARs with 4 CPs, 10 seconds a run"',
    )
    studies = {"speed": study()}
    runs = (RunCount("small", "speed", "old", STR, 3, 0),)
    facts = Facts(FACTS, runs)
    return SimpleNamespace(
        studies=studies,
        campaigns={"lab": campaign},
        metrics=METRICS,
        facts=facts,
        edition=SimpleNamespace(summary=None),
        templates=ROOT / "templates",
        study_folder=lambda name: ROOT / "none",
        published=(),
    )


def text_of(words: str, material: Any) -> Text:
    path = Path("studies/speed/observations.md")
    source = read_reviewed(path, unsaved=f"{words}\n")
    known = fact_functions(scope_of(material, "speed")) | blocks(material)
    printed = evaluate(source.marked.expressions, known, path)
    return Text(str(path), "speed", source, printed)


def errors(words: str, material: Any) -> list[str]:
    for name, expression in NAMES.items():
        words = words.replace(f"<{name}>", expression)
    found = TextChecks(material).of_text(text_of(words, material))
    return [one.issue.what for one in found if one.severity == "error"]


@pytest.mark.parametrize(
    "words",
    [
        "With jumbo frames the throughput of STR3 rises by <rise>.",
        "Relative to MTU 1500, MTU 9000 lowers the latency of RR10 by <fall>.",
        "Against small frames, jumbo frames raise throughput by <rise>.",
        "With small frames STR3 moves <small>, with jumbo frames <jumbo>.",
        "Without jumbo frames, no stream got beyond <small>.",
        "Throughput rises from <small> to <jumbo>.",
        "The client's cost rises by <client>, the server's by <server>.",
        "The client's cost is higher than the server's.",
        "Every run with jumbo frames has more throughput than <small>.",
        "Throughput grows by a factor of <factor>.",
        "Of <all> comparisons, <same> is comparable.",
        "A 95% CI and p < 0.05 are asked for.",
        "We sent 4 kB messages over an MTU of 9000, and data flowed for 10 seconds.",
        "We block little data, and nothing sustains our doubts.",
        "Latency changes by <delta>, which is no small thing.",
        "STR3 keeps three clients busy on 4 CPs of two LPARs.",
        "It would fall by <fall> on our machine, too.",
        "Both ends pay, and the client pays more, <client>.",
        "The client's cost rises more, <client>.",
        "A stream gains <rise> of the throughput with small frames.",
        "STR3 is busy: its share of the throughput of all is <client>.",
        "Throughput stays above that of plain MTU 1500: <jumbo> against <small>.",
        "Throughput of STR3 is better, and with jumbo frames RR10 waits <fall> less.",
        "The latency of RR10 falls from <high> to <low>, whereas that of CRR10 stays.",
        "The client's cost rises by <client>, while the server hardly notices.",
        "From MTU 9000, RR10 is answered <fall> sooner.",
        "Over the slower line the throughput of STR3 rises by <rise>.",
        "Throughput more than doubles in theory; it rises from <small> to <jumbo>.",
        "The client pays <client> more, and the side which serves <server> more.",
        "When jumbo frames take the place of small ones, STR3 gains <rise>.",
        "STR3 gains <rise>, a profit from jumbo frames.",
        "Jumbo frames lower latency for nearly every workload.",
        "Jumbo frames raise the throughput of every workload.",
        "Jumbo frames lower the latency of every workload but one.",
        "We ran z/OS V2R5 on a z17 with TLSv1.3 and C02F over 10 km of 25GbE.",
        "TLSv1.1 was withdrawn long ago.",
        "The world turned, and all two configurations ran with four CPs and two zIIPs.",
        "The work of three CPs would be more than one LPAR has.",
        '[It rises by fifty percent.]{claim="throughput rises by at least 50%"}',
        "The talk takes ten minutes.",
        "Throughput rises from <small> with small frames to <jumbo> with jumbo frames.",
        "A 20 MB block is sent by STR3, of which 7.6 kB are a header.",
    ],
)
def test_a_true_sentence_passes(words: str, material: Any) -> None:
    assert errors(words, material) == []


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("Without jumbo frames the throughput of STR3 rises by <rise>.", "look at it"),
        ("Relative to MTU 9000, MTU 1500 lowers latency by <fall>.", "look at it"),
        ("Against jumbo frames throughput rises by <rise>.", "look at it from"),
        ("With small frames the latency of RR10 falls by <fall>.", "look at it from"),
        ("At MTU 1500 the latency of RR10 falls by <fall>.", "look at it from"),
        ("Throughput of STR3 falls by <rise>.", "'falls' beside 60%"),
        ("Every run with small frames has more throughput than <small>.", "1 of 3"),
        ("Latency of RR10 stays below <low>.", "1 of 3 runs of new are below"),
        ("Latency of RR10 stays above <low>.", "1 of 3 runs of new are above"),
        ("The server's cost is higher than the client's.", "'higher': server"),
        ("Latency of RR10 falls by <fall>, that of CRR10 too.", "'CRR10' too"),
        ("Throughput falls from <small> to <jumbo>.", "'falls' from 1,000 MB/s"),
        ("The server saves <client> of its cost.", "is of role client"),
        ("Latency of CRR10 falls by <fall>.", "is of workload RR10(1kB)"),
        ("Throughput of STR3 falls by <fall>.", "is of metric latency"),
        ("With jumbo frames STR3 moves <small>.", "is of configuration old"),
        ("All <all> comparisons improved.", "all improved: "),
        ("None of the <two> comparisons is comparable.", "none comparable: latency"),
        ("<same> comparisons improved.", "is how many comparable"),
        ("Throughput rises by 60%.", "a number typed by hand: '60%'"),
        ('[By 90%.]{claim="throughput rises by at least 50%"}', "by hand: '90%'"),
        ("It answers twice as fast, in 3.2 ms.", "typed by hand: '3.2 ms'"),
        ("With an MTU of 4096 it rises by <rise>.", "no declared value of MTU"),
        ("STR3(1B/20MB) had 20 clients.", "20 clients: STR3(1B/20MB) has 3"),
        ("Each system has 16 CPs.", "16 CPs: systems have 4"),
        ("Three LPARs took part.", "Three LPARs: there are 2"),
        ("TLS 1.2 lowers latency by <fall>.", "TLS 1.2 is not what is declared"),
        ("Each configuration was measured ten times.", "there are 3 runs"),
        ("We compare V2R4 with itself.", "V2R4 is not what is declared: z/OS 2.5"),
        ("The LPARs ran on z16.", "z16 is not what is declared: z17"),
        ("Both systems used C030.", "C030 is not what is declared: C02F"),
        ("The systems are 20 km apart.", "20 km is not what is declared: 10 km"),
        ("We had 10GbE adapters.", "10GbE is not what is declared: 25GbE"),
        ("An LPAR has 4 CPs and three zIIPs.", "three zIIPs: systems have 2"),
        ("Only one LPARs send.", "Sending LPARs: 2"),
        ("All three configurations ran.", "three configurations: the study has 2"),
        ("STR3 kept five clients busy.", "five clients: STR3 has 3"),
        ("The MTU was set to 4096.", "no declared value of MTU: 1500, 9000"),
        ("When small frames take the place of jumbo ones, STR3 gains <rise>.", "look"),
        ("Small frames give way to jumbo frames and RR10 takes <fall> longer.", "long"),
        ("Jumbo frames add <fall> to the latency of RR10.", "'add' beside 20%"),
        ("The latency of RR10 is halved, from <low> to <high>.", "'halved' from 80"),
        ("With small frames throughput rises from <small> to <jumbo>.", "the side of"),
        ("It falls from <high> with jumbo frames to <low>.", "configuration old"),
        ("It does 12,345 tps, not fewer.", "typed by hand: '12,345 tps'"),
        ("It reads 1,200 tran/s.", "typed by hand: '1,200 tran/s'"),
        ("It does 1,600 transactions per second.", "typed by hand: '1,600 trans"),
        ("STR3 kept 64,000 clients busy.", "64,000 clients: STR3 has 3"),
        ("Jumbo frames lower the latency of every workload.", "'every workload'"),
        ("With small frames latency is lower for all workloads.", "'all workloads'"),
        ("No workload has a higher throughput with jumbo frames.", "'No workload'"),
        ("MTU 1500 is faster than MTU 9000 at every payload.", "'every payload'"),
    ],
)  # fmt: skip
def test_what_cannot_be_true_is_an_error(words: str, what: str, material: Any) -> None:
    found = errors(words, material)
    assert found
    assert what in found[0]


def test_what_a_title_says_is_done_can_be_off() -> None:
    """With it off, a change is looked at from the other side."""
    material = made()
    own = material.studies["speed"]
    material.studies["speed"] = own.model_copy(update={"title": "Widening of frames"})
    assert errors("With widening on throughput rises by <rise>.", material) == []
    for words in (
        "With widening off",
        "Without widening",
        "With widening switched off",
    ):
        [found] = errors(f"{words} throughput rises by <rise>.", material)
        assert "look at it from" in found


def kinds(words: str, material: Any) -> list[str]:
    for name, expression in NAMES.items():
        words = words.replace(f"<{name}>", expression)
    return [one.kind for one in text_of(words, material).sentences]


def test_the_kind_of_a_sentence_follows_from_its_structure(material: Any) -> None:
    words = "- **Frames matter.** Latency falls by <fall>. Большие кадры лучше.\n"
    assert kinds(words, material) == ["headline", "printed", "own words"]
    words = '[It falls.]{claim="latency falls for RR10(1kB)"} As @ibm says. Keep it.'
    assert kinds(words, material) == ["claimed", "cited", "own words"]
    assert kinds("Nothing is printed here. So it is.", material) == ["own words"] * 2


def test_an_exception_covers_the_number_that_it_names(material: Any) -> None:
    front = "---\nallow:\n  - {text: 15% faster, reason: as the vendor says}\n---\n"
    assert errors("It is 15% faster.", material)
    assert errors(f"{front}It is 15% faster.", material) == []
    assert errors(f"{front}It is 16% faster.", material)


def test_a_typed_number_is_offered_as_its_expression(material: Any) -> None:
    checks = TextChecks(material)
    [found] = checks.of_text(text_of("Throughput rises by 60%.", material))
    first, *_ = found.issue.fixes
    assert first.write == f'delta("throughput", "{STR}") | size'
