"""What the page holds of each bound number, for the card behind it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from analysis.declared.metrics import COST_PARTS
from analysis.facts.evidence import FileState
from analysis.facts.fact import Facts, Lineage, read_facts, write_facts
from analysis.facts.remark import Remark
from analysis.report.beside.cards import cards, script_json
from analysis.report.bound import number
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.material import Sources, read_material
from tests.handed_over import change_evidence
from tests.report.beside.conftest import LOOSE

WriteText = Callable[[str, str], Path]
CHANGE = "speed.rr1-1kb.-.latency.new.delta"


@pytest.fixture
def found(pages: Path) -> dict[str, Any]:
    page = html.document_fromstring((pages / "index.html").read_bytes())
    (data,) = page.xpath("//script[@type='application/json' and @id='cards']")
    return dict(json.loads(data.text))


def test_a_change_tells_both_sides_its_formula_and_runs(found: dict[str, Any]) -> None:
    card = found["facts"][CHANGE]
    assert card["sides"] == "1,000 → 1,370 µs"
    assert card["between"] == "The old one → The new one"
    assert card["printed"] == "−37%"
    assert card["exact"] == "−37.1999999 %"
    assert card["interval"] == "−39 to −35% at 95%"
    assert (found["texts"][card["rule"]], card["runs"]) == (
        "median of runs",
        "r(1)-01 to 02",
    )


def test_raw_files_have_names_where_they_are_known(found: dict[str, Any]) -> None:
    numbers = found["files"][found["facts"][CHANGE]["files"]]
    names = [found["names"][number] for number in numbers]
    assert names == [LOOSE[:16], "lab/run/a.log"]


def of_change(project: Sources) -> dict[str, Any]:
    """The cards of a text that prints one change."""
    material = read_material("small", project)
    facts = [fact for fact in material.facts.facts if fact.key == CHANGE]
    found: dict[str, Any] = json.loads(cards(check_texts(material), map(number, facts)))
    return found


def test_a_change_says_what_its_runs_show_and_whether_its_size_is_sure(
    project: Sources,
) -> None:
    facts = read_facts(project.facts)
    warning = Remark("exaggerated", values={"chance": 0.6})
    for verdict, warnings in (("inconclusive", ()), ("improved", (warning,))):
        more = {"verdict": verdict, "detectable": 15.2, "warnings": warnings}
        own = [replace(f, **more) if f.key == CHANGE else f for f in facts.facts]
        write_facts(replace(facts, facts=tuple(own)), project.facts)
        card = of_change(project)["facts"][CHANGE]
        shows = "a change from 15% on" if verdict == "inconclusive" else None
        assert card.get("detectable") == shows
        assert ("exaggerated" in card) == bool(warnings)


def test_a_card_has_the_number_of_sessions_beside_n(project: Sources) -> None:
    assert of_change(project)["facts"][CHANGE]["n"] == "10"
    facts = read_facts(project.facts)
    known = tuple(replace(fact, sessions=5) for fact in facts.facts)
    write_facts(replace(facts, facts=known), project.facts)
    assert of_change(project)["facts"][CHANGE]["n"] == "10 in 5 sessions"


def test_a_file_of_no_run_has_its_name_too(project: Sources) -> None:
    files = {"cpu/system.smf": FileState(LOOSE, 9)}
    change_evidence(project.facts, "lab", files=files, passages=())
    facts = read_facts(project.facts)
    lineage = Lineage("median of runs", ("r-01",), (LOOSE,))
    own = tuple(replace(fact, lineage=lineage) for fact in facts.facts)
    write_facts(Facts(own, facts.runs), project.facts)
    found = of_change(project)
    assert (found["files"], found["names"]) == ([[0]], ["lab/cpu/system.smf"])
    assert found["raw"] is False


def test_an_edition_says_that_its_releases_carry_raw_files(project: Sources) -> None:
    declared = project.report / "small/edition.yaml"
    declared.write_text(f"{declared.read_text()}raw-files: true\n")
    assert of_change(project)["raw"] is True


def test_the_page_has_the_cards_of_its_own_numbers_alone(
    found: dict[str, Any], pages: Path
) -> None:
    page = html.document_fromstring((pages / "index.html").read_bytes())
    bound = {k for keys in page.xpath("//a/@data-keys") for k in keys.split()}
    assert set(found["facts"]) == bound
    assert found["about"]["title"] == 'A "small" report'


def test_data_cannot_end_their_element() -> None:
    text = script_json({"a": "</script><!--"})
    assert "<" not in text
    assert json.loads(text) == {"a": "</script><!--"}


def test_a_claim_tells_what_the_data_say_and_shows_the_facts_that_decide_it(
    project: Sources, write_text: WriteText
) -> None:
    claim = "latency of new is below latency of old for RR1(1kB)"
    write_text("studies/speed/observations.md", f'[Faster.]{{claim="{claim}"}}\n')
    found = json.loads(cards(check_texts(read_material("small", project)), []))
    card = found["claims"][f"speed: {claim}"]
    assert card["claim"] == (
        "latency of The new one is below latency of The old one for RR1(1kB)"
    )
    assert card["state"].startswith("fails by ")
    assert card["data"] == "1,370 µs for RR1(1kB) on The new one"
    assert card["demanded"] == "below 1,000 µs for RR1(1kB) on The old one"
    assert set(found["facts"]) == set(card["keys"])
    assert len(card["keys"]) == len({"both", "sides"})


def test_a_rate_says_over_which_time_its_logs_are(project: Sources) -> None:
    files = {"a.log": FileState(LOOSE, 9, "uperf"), "b.smf": FileState("b", 9, "smf")}
    timed = {"uperf": "the time of transactions", "iperf3": "seconds"}
    change_evidence(project.facts, "lab", files=files, passages=(), timed=timed)
    facts = read_facts(project.facts)
    lineage = Lineage("median of runs", ("r-01",), (LOOSE, "b"))
    own = tuple(
        replace(fact, lineage=lineage, metric=metric, key=f"{fact.key}.{metric}")
        for fact in facts.facts[:1]
        for metric in ("rate", "latency")
    )
    write_facts(Facts(own, facts.runs), project.facts)
    checked = Checked(read_material("small", project), {}, {})
    page = json.loads(cards(checked, map(number, own)))
    told = [page["texts"][c["timed"]] for c in page["facts"].values() if "timed" in c]
    assert told == ["uperf: the time of transactions"]


def test_a_change_of_cost_says_what_it_is_made_of(project: Sources) -> None:
    facts = read_facts(project.facts)
    costs = [fact for fact in facts.facts if fact.metric == "cpu_cost"]
    parts = []
    for metric in COST_PARTS["cpu_cost"]:
        work = metric == "instructions_per_transaction"
        for fact in costs:
            same = fact if work else replace(fact, samples=(1.0,) * len(fact.samples))
            same = same if work else replace(same, value=0.0, low=-1.0, high=2.0)
            key = fact.key.replace("cpu_cost", metric)
            parts.append(replace(same, metric=metric, key=key))
    change = next(fact for fact in costs if fact.kind == "delta")

    def why(known: list[Any]) -> str:
        write_facts(replace(facts, facts=(*facts.facts, *known)), project.facts)
        checked = check_texts(read_material("small", project))
        found = json.loads(cards(checked, [number(change)]))
        return str(found["facts"][change.key].get("why", ""))

    told = why(parts).split("\n")
    assert told[0] == "nearly all of it is instructions per transaction"
    assert told[1].startswith("instructions per transaction ")
    assert told[2] == "cycles per instruction 0.0% (−1.0 to +2.0%)"
    assert told[3].startswith("CPU frequency, inverted 0.0% (")
    assert why([one for one in parts if one.kind == "delta"]) == ""  # no values
