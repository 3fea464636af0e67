"""Which rules another file concerns: the keys of a plan, without a build."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from analysis.errors import UserError
from tests.workflow.projects import DECLARED, EDITION, RULES, Project
from workflow.plan import Plan

AFTER_DERIVE = ["derive", "facts", "figures", "report", "place", "catalogue", "index"]
AFTER_REPORT = ["report", "place", "index"]
ALL_BUT_BACKTEST = [rule for rule in RULES if rule != "backtest"]
WITH_DATA = ["derive", "facts", "backtest", "figures", "report", "place", "index"]
OF_RULE = {"facts": "derive", "place": "report"}
WILDCARD = {"ingest": "lab", "backtest": "", "index": "", "database": "",
            "catalogue": ""}  # fmt: skip


def keys() -> dict[str, str]:
    """The key of each rule, as the project is now."""
    plan = Plan()
    found = {}
    for rule in RULES:
        of = WILDCARD.get(rule, EDITION)
        found[rule] = plan.key(OF_RULE.get(rule, rule))([of] if of else [])
    return found


def changed(before: dict[str, str]) -> list[str]:
    after = keys()
    return [rule for rule in RULES if after[rule] != before[rule]]


@pytest.mark.parametrize(
    ("name", "text", "rules"),
    [
        ("data/metrics.yaml", "\n", [*WITH_DATA[:-1], "catalogue", "index"]),
        ("raw/lab/run-1.txt", "2\n", ALL_BUT_BACKTEST),
        ("raw/lab/campaign.yaml", "origin: measured\n", ALL_BUT_BACKTEST),
        (f"report/{EDITION}/edition.yaml", "number: one\n", AFTER_DERIVE),
        (f"report/{EDITION}/studies/offload/study.yaml", "# 1\n", AFTER_DERIVE),
        (
            "templates/index.qmd.j2",
            "more\n",
            [*AFTER_REPORT[:-1], "catalogue", "index"],
        ),
        (
            "templates/_brand.yml",
            "color: {primary: '#6f2da8'}\n",
            [*AFTER_REPORT[:-1], "catalogue", "index"],
        ),
        (f"report/{EDITION}/studies/offload/observations.md", "x\n", AFTER_REPORT),
        (f"report/{EDITION}/studies/offload/background.md", "x\n", AFTER_REPORT),
        (f"report/{EDITION}/front./preface.md", "x\n", AFTER_REPORT),
        (f"report/{EDITION}/.observations.md.swp", "x\n", []),
        (f"report/{EDITION}/observations.md~", "x\n", []),
        ("environment.yml", "# a remark\n", []),
    ],
)
def test_an_edit_concerns_what_depends_on_it(
    here: Project, name: str, text: str, rules: list[str]
) -> None:
    before = keys()
    path = here / name
    path.parent.mkdir(exist_ok=True)
    with path.open("a") as file:
        file.write(text)
    assert changed(before) == rules


def test_content_counts_and_no_date_does(here: Project) -> None:
    before = keys()
    for folder in ("raw", "report", "templates", "data"):
        for path in (here / folder).rglob("*"):
            os.utime(path)
    assert changed(before) == []
    text = here / f"report/{EDITION}/studies/offload/observations.md"
    text.write_text("x" * text.stat().st_size)
    os.utime(text, (1, 1))  # as cp -p and rsync -a bring it
    assert changed(before) == AFTER_REPORT


def test_an_edition_that_borrows_depends_on_who_lends(here: Project) -> None:
    talk = here / "report/talk"
    talk.mkdir()
    entry = f"[{{study: offload, from: {EDITION}}}]"
    declared = DECLARED.replace("studies: []", f"studies: {entry}")
    (talk / "edition.yaml").write_text(declared)
    plan = Plan()
    assert plan.lenders("talk") == [EDITION]
    assert plan.facts("talk") == [f"data/build/facts/{EDITION}"]
    assert plan.tables("talk") == ["data/build/ingest/lab"]
    before = plan.key("report")(["talk"])
    lent = here / f"report/{EDITION}/studies/offload/observations.md"
    lent.write_text("Other words.\n")
    assert Plan().key("report")(["talk"]) != before
    (talk / "slides.md").write_text("- One.\n")
    mine = Plan()
    assert mine.key("figures")([EDITION]) == plan.key("figures")([EDITION])


def test_a_lender_that_is_not_there_is_no_input(here: Project) -> None:
    """Else Snakemake stops for all; the step of the edition says where it is named."""
    talk = here / "report/talk"
    talk.mkdir()
    entry = "[{study: offload, from: nobody}]"
    declared = DECLARED.replace("studies: []", f"studies: {entry}")
    (talk / "edition.yaml").write_text(declared)
    assert Plan().facts("talk") == ["data/build/facts/talk"]


def test_what_cannot_be_read_is_a_matter_of_its_own_rules(here: Project) -> None:
    """Others are planned; the rule that needs it says what is wrong."""
    before = keys()
    broken = here / "report/broken"
    broken.mkdir()
    (broken / "edition.yaml").write_text("title: [\n")
    plan = Plan()
    assert plan.wanted == sorted([EDITION, "broken"])
    assert plan.lenders("broken") == ["broken"]
    assert plan.tables("broken") == []
    kept = [rule for rule in RULES if rule not in ("index", "catalogue", "database")]
    after = keys()
    assert [rule for rule in kept if after[rule] != before[rule]] == []


def test_a_campaign_that_cannot_be_read_is_a_matter_of_its_own_rules(
    here: Project,
) -> None:
    """A pipe among its files holds nothing up."""
    before = keys()
    for name in ("loop", "pipe"):
        folder = here / f"raw/{name}"
        folder.mkdir()
        (folder / "campaign.yaml").write_text("title: X\n")
    (here / "raw/loop/loop").symlink_to("loop")
    os.mkfifo(here / "raw/pipe/pipe")
    assert {"loop", "pipe"} < {*Plan().campaigns}
    assert changed(before) == []


def test_an_edition_needs_its_own_campaigns_alone(here: Project) -> None:
    made = here / "synthetic/campaigns/made"
    made.mkdir(parents=True)
    (made / "campaign.yaml").write_text("title: Made\n")
    plan = Plan(EDITION)
    assert plan.campaigns == ["lab", "made"]
    assert plan.tables(EDITION) == ["data/build/ingest/lab"]


def test_only_finished_campaigns_are_in_the_database(here: Project) -> None:
    unfinished = here / "raw/unfinished"
    unfinished.mkdir()
    (unfinished / "campaign.yaml").write_text("title: Not yet\n")
    plan = Plan()
    assert (plan.finished, plan.unfinished) == (["lab"], ["unfinished"])


def test_a_campaign_is_not_both_measured_and_generated(here: Project) -> None:
    made = here / "synthetic/campaigns/lab"
    made.mkdir(parents=True)
    (made / "campaign.yaml").write_text("title: Lab\n")
    with pytest.raises(UserError, match="the campaign 'lab' is there twice"):
        Plan()


def test_an_engine_is_part_of_a_report_s_key(
    here: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("QUARTO", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    before = keys()
    program = tmp_path / "quarto"
    program.write_text("#!/bin/sh\necho 1.10.18\n")
    program.chmod(0o755)
    monkeypatch.setenv("QUARTO", str(program))
    assert changed(before) == AFTER_REPORT
    assert Plan(engine="pandoc").engine == "pandoc"
    assert Plan().engine == "quarto"
