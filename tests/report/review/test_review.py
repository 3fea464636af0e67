from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from analysis import cli
from analysis.errors import UserError
from analysis.facts.fact import Fact, Facts, read_facts, write_facts
from analysis.facts.units import format_percent
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.document.assemble import assemble
from analysis.report.material import Sources, read_material
from analysis.report.review.record import read_record
from analysis.report.review.state import Review, review, reviews
from analysis.report.review.verb import approve

WriteText = Callable[[str, str], Path]
DAY = dt.date(2026, 3, 5)
OBSERVATIONS = "studies/speed/observations.md"
TEXT = (
    "---\nclaims: [latency falls for RR*]\n---\n"
    'Latency {{ moves("latency", "RR1(1kB)") }} (@fig-speed-rr).\n\n'
    "- A second thought that goes\n  on over two lines.\n"
)


def checked_of(project: Sources) -> Checked:
    return check_texts(read_material("small", project))


def state_of(project: Sources) -> Review:
    return review(checked_of(project), "speed")


@pytest.fixture
def approved(project: Sources, write_text: WriteText) -> Sources:
    write_text(OBSERVATIONS, TEXT)
    approve(checked_of(project), "speed", "Ann Author", DAY)
    return project


def change(project: Sources, edit: Callable[[Fact], Fact]) -> None:
    facts = read_facts(project.facts)
    write_facts(Facts(tuple(map(edit, facts.facts)), facts.runs), project.facts)


def shift(key: str, value: float) -> Callable[[Fact], Fact]:
    def edit(fact: Fact) -> Fact:
        if fact.key != key:
            return fact
        return replace(fact, value=value, printed=format_percent(value))

    return edit


def test_a_study_begins_as_a_draft_and_becomes_approved(project: Sources) -> None:
    assert state_of(project).state == "draft"
    approve(checked_of(project), "speed", "Ann Author", DAY)
    found = state_of(project)
    assert found.state == "approved"
    assert found.record is not None
    assert (found.record.by, found.record.date) == ("Ann Author", DAY)


def test_the_record_is_one_sorted_entry_a_line(approved: Sources) -> None:
    path = approved.report / "small/studies/speed/review.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# What was approved.")
    data = yaml.safe_load(text)
    assert list(data) == ["by", "date", "seen", "stamp", "sum"]
    for part in data["seen"].values():
        assert list(part) == sorted(part)
    expression = 'observations: moves("latency", "RR1(1kB)")'
    assert data["seen"]["values"][expression] == "falls by 37%"
    assert data["seen"]["claims"] == {"latency falls for RR*": "holds"}


@pytest.mark.parametrize(
    ("old", "new", "moved"),
    [
        ("A second thought", "A third thought", "text: ‘observations: A third thought"),
        ("two lines", "many lines", "was edited"),
        ("\n\n- A", "\n\nMore.\n\n- A", "text: ‘observations: More.’ is new"),
        ("- A second thought that goes\n  on over two lines.\n", "", "is gone"),
        ('"RR1(1kB)") }} (', '"RR10(4kB)") }} (', "is new: falls by 12%"),
        ("for RR*]", "for RR1(1kB)]", "claim: ‘latency falls for RR*’ is gone"),
    ],
)  # fmt: skip
def test_an_edit_makes_it_stale_in_words(
    approved: Sources, write_text: WriteText, old: str, new: str, moved: str
) -> None:
    assert old in TEXT
    write_text(OBSERVATIONS, TEXT.replace(old, new))
    found = state_of(approved)
    assert found.state == "stale"
    assert any(moved in words for words in found.moved), found.moved


def test_paragraphs_that_change_places_make_it_stale(
    approved: Sources, write_text: WriteText
) -> None:
    head, first, second = TEXT.partition("Latency")[0], *TEXT.split("\n\n")
    write_text(OBSERVATIONS, f"{head}{second}\n{first.removeprefix(head)}\n")
    found = state_of(approved)
    assert found.state == "stale"
    assert found.moved == (
        "text: the paragraphs of observations stand in another order",
    )


def test_new_line_breaks_are_no_new_words(
    approved: Sources, write_text: WriteText
) -> None:
    write_text(OBSERVATIONS, TEXT.replace("goes\n  on", "goes on"))
    assert state_of(approved).state == "approved"


def test_a_printed_value_that_moves_is_told_from_what_to_what(
    approved: Sources,
) -> None:
    change(approved, shift("speed.rr1-1kb.-.latency.new.delta", -41.0))
    found = state_of(approved)
    assert found.state == "stale"
    assert (
        'observations: moves("latency", "RR1(1kB)") moved from falls by 37% to '
        "falls by 41%"
    ) in found.moved
    assert any(
        "change of latency RR1(1kB) new against old moved from −37%" in words
        for words in found.moved
    )


def test_a_move_hidden_by_rounding_voids_nothing(approved: Sources) -> None:
    change(approved, shift("speed.rr1-1kb.-.latency.new.delta", -37.4))
    data = approved.figures / "speed-rr/figure.csv"
    data.write_text(data.read_text().replace("RR1(1kB),1", "RR1(1kB),1.0004"))
    assert state_of(approved).state == "approved"


def test_figure_data_that_moves_is_told(approved: Sources) -> None:
    data = approved.figures / "speed-rr/figure.csv"
    data.write_text("workload,value\nRR1(1kB),2\n")
    assert state_of(approved).moved == (
        "figure speed-rr: RR1(1kB) moved from 1.00 to 2.00",
    )
    data.write_text("workload,value\nRR1(1kB),1\nRR1(1kB),3\n")
    assert state_of(approved).moved == (
        "figure speed-rr: RR1(1kB) has 2 points and had 1",
    )


def test_a_claim_that_flips_is_told(approved: Sources) -> None:
    change(approved, shift("speed.rr10-4kb.-.latency.new.delta", 12.4))
    found = state_of(approved)
    assert "claim: ‘latency falls for RR*’ held and now fails" in found.moved


def test_false_claims_cannot_be_approved(
    project: Sources, write_text: WriteText
) -> None:
    write_text(OBSERVATIONS, TEXT.replace("falls for RR*", "rises for RR*"))
    with pytest.raises(UserError, match="this claim is false"):
        approve(checked_of(project), "speed", "Ann Author", DAY)
    assert read_record(project.report / "small/studies/speed") is None


def test_a_record_written_by_hand_needs_three_lines(
    approved: Sources, write_text: WriteText
) -> None:
    stamp = state_of(approved).now.stamp
    write_text(
        "studies/speed/review.yaml", f"by: Bo\ndate: 2026-03-06\nstamp: {stamp}\n"
    )
    assert state_of(approved).state == "approved"
    write_text(OBSERVATIONS, TEXT.replace("second", "third"))
    assert state_of(approved).moved == ("the text moved; the record keeps no details",)


@pytest.mark.parametrize("text", ["by: Bo\n", "by: Bo\ndate: 2026-03-06\nstamp: abc\n"])
def test_a_broken_record_is_named(
    project: Sources, write_text: WriteText, text: str
) -> None:
    path = write_text("studies/speed/review.yaml", text)
    with pytest.raises(UserError, match=re.escape(str(path))):
        state_of(project)


def document(project: Sources, tmp_path: Path) -> str:
    checked = checked_of(project)
    assemble(checked, reviews(checked), project.templates, tmp_path / "document")
    return (tmp_path / "document/index.qmd").read_text(encoding="utf-8")


def test_a_draft_shows_its_state_in_one_line_and_nothing_to_paste(
    project: Sources, write_text: WriteText, tmp_path: Path
) -> None:
    write_text(OBSERVATIONS, TEXT)
    text = document(project, tmp_path)
    assert "[Review: draft, not approved yet; 1 of 2 sentences is the author" in text
    for pasted in (state_of(project).now.stamp, "python -m analysis", "packed"):
        assert pasted not in text
    approve(checked_of(project), "speed", "Ann Author", DAY)
    text = document(project, tmp_path)
    assert "[Reviewed by Ann Author on 5 March 2026, unverified.]" in text
    assert "Draft: all studies are reviewed." in text
    write_text(OBSERVATIONS, TEXT.replace("second", "third"))
    text = document(project, tmp_path)
    line = "[Review: 2 things moved since Ann Author on 5 March 2026, unverified approv"
    assert line in text


def test_the_final_form_shows_one_line(approved: Sources, tmp_path: Path) -> None:
    path = approved.report / "small/edition.yaml"
    path.write_text(path.read_text() + "status: final\n", encoding="utf-8")
    text = document(approved, tmp_path)
    assert (
        "[Reviewed by Ann Author on 5 March 2026, unverified.]{.reviewed .approved}"
        in text
    )
    assert "speed-review" not in text
    assert "stamp" not in text


def test_a_false_claim_stops_the_build(
    project: Sources, write_text: WriteText, tmp_path: Path
) -> None:
    path = write_text(OBSERVATIONS, TEXT.replace("falls for", "rises for"))
    with pytest.raises(UserError) as caught:
        document(project, tmp_path)
    assert str(caught.value).startswith(f"{path}:2: this claim is false")
    assert not (tmp_path / "document").exists()


@pytest.mark.parametrize(
    ("declared", "link"),
    [
        ("repo-url: https://github.com/a/b", "https://github.com/a/b/edit/main/"),
        (
            "repo-url: https://gitlab.org/a/b/\nrepo-branch: dev\nrepo-subdir: doc",
            "https://gitlab.org/a/b/-/edit/dev/doc/",
        ),
    ],
)
@pytest.mark.usefixtures("lent_fonts")
def test_a_draft_links_to_where_its_texts_are_edited(
    project: Sources,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    declared: str,
    link: str,
) -> None:
    path = project.report / "small/edition.yaml"
    path.write_text(path.read_text() + declared + "\n", encoding="utf-8")
    monkeypatch.chdir(project.report.parent)
    text = document(replace(project, report=Path("report")), tmp_path)
    assert f"[Edit this text]({link}report/small/{OBSERVATIONS})" in text
    assert text.count("{.edit-link}") == 5
    new, issue = link.replace("/edit/", "/new/"), "/issues/new?"
    assert f"[Approve it at the Git host]({new}report/small/studies/speed?file" in text
    assert issue in text and "Review+of+study+speed" in text
    assert ("value=by%3A+Your+Name" in text) == ("github" in link)


@pytest.mark.parametrize(
    ("day", "what", "mend"),
    [
        ("2026-13-01", "'2026-13-01' is no day", "write it as 2026-01-31"),
        ("yesterday", "'yesterday' is no day", "write it as 2026-01-31"),
        ("2099-01-01", "2099-01-01 is still to come", "give the day on which the"),
    ],
)
def test_a_day_that_will_not_do_is_refused(
    project: Sources,
    capsys: pytest.CaptureFixture[str],
    day: str,
    what: str,
    mend: str,
) -> None:
    person = ["--by", "Ann Author", "--on", day, "--report", str(project.report)]
    assert cli.main(["review", "approve", "speed", *person]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: --on: {what}\n  mend: {mend}")
    assert not list(project.report.rglob("review.yaml"))


def test_the_verb_approves_and_tells(
    project: Sources,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("analysis.report.review.verb._today", lambda: DAY)
    project.figures.rename(project.figures.with_name("small"))
    options = ["--facts", str(project.facts), "--report", str(project.report)]
    options += ["--figures", str(project.figures.parent)]
    assert cli.main(["review", "status", *options]) == 1
    assert "small/speed: draft, not approved yet" in capsys.readouterr().out
    person = ["--by", "Ann Author", "--on", "2026-03-05"]
    assert cli.main(["review", "approve", "speed", *person, *options]) == 0
    assert cli.main(["review", "status", *options]) == 0
    said = capsys.readouterr().out
    assert "small/speed: approved by Ann Author on 2026-03-05" in said
    change(project, shift("speed.rr1-1kb.-.latency.new.delta", -41.0))
    assert cli.main(["review", "show", "speed", *options]) == 0
    said = capsys.readouterr().out
    assert "moved from falls by 37% to falls by 41%" in said
    assert cli.main(["review", "approve", *options]) == 2
    assert cli.main(["review", "approve", "sped", *options]) == 2
    monkeypatch.setattr("analysis.report.review.verb.git_entry", lambda _: "")
    capsys.readouterr()
    assert cli.main(["review", "approve", "speed", *options]) == 2
    assert "who approves?" in capsys.readouterr().err


def test_the_manifest_holds_the_states(approved: Sources, tmp_path: Path) -> None:
    states = reviews(checked_of(approved))
    shown = {study: found.state for study, found in states.studies.items()}
    assert json.loads(json.dumps(shown)) == {"speed": "approved"}
