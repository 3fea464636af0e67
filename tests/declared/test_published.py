"""The published numbers: well formed, and really where they are said to stand."""

from __future__ import annotations

import ast
import csv
import operator
import re
from collections import Counter

import pytest

from analysis.declared.published import (
    ISSUES_FILE,
    PUBLISHED_FILE,
    Published,
    read_issues,
    read_published,
)
from analysis.errors import UserError
from tests.conftest import ROOT

SEEDS = ROOT.parent / "shared" / "seeds"
PREFIX = {
    "zos-cs-3.2": "000",
    "share-2026": "001",
    "zos-cs-3.1": "002",
    "zos-cs-v1r2": "003",
    "ctg-ssl": "004",
}
NUMBER = re.compile(r"(?P<sign>[+-]?)\s*(?P<size>\d[\d,]*(?:\.\d+)?)")
PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s?%")
WORDS = {"nine percent": 9.0}
# Percentages of the sources that are no results: the rule of CPU cost and its example,
# full utilisation of engines, and cache hits.
NO_RESULTS = {"zos-cs-3.2": {25, 100}, "zos-cs-3.1": {25, 100}, "zos-cs-v1r2": {100}}
NO_RESULTS["ctg-ssl"] = {100, 300}
NO_RESULTS["share-2026"] = set()

ROWS = read_published(ROOT / PUBLISHED_FILE, ROOT / "data/metrics.yaml")
ISSUES = read_issues(ROOT / ISSUES_FILE, ROWS)


@pytest.fixture(scope="module")
def sources():
    if not SEEDS.is_dir():
        pytest.skip("needs ../shared/reference")
    found = {}
    for edition, prefix in PREFIX.items():
        (path,) = SEEDS.glob(f"{prefix}_*.txt")
        found[edition] = path.read_text(encoding="utf-8").split("\n")
    return found


def check_row(row, lines):
    """What is wrong with a row, given the lines of its source; empty if nothing is."""
    if not 1 <= row.line <= len(lines):
        return f"{row.id}: there is no line {row.line}"
    if row.printed not in lines[row.line - 1]:
        return f"{row.id}: {row.printed!r} is not in line {row.line}"
    if row.qualifier in ("comparable", "direction"):
        return ""
    found = NUMBER.search(row.printed)
    size = float(found["size"].replace(",", "")) if found else WORDS.get(row.printed)
    if size != abs(row.value):
        return f"{row.id}: {row.printed!r} is not {row.value:g}"
    sign = found["sign"] if found else ""
    if sign and (sign == "-") != (row.value < 0):
        return f"{row.id}: {row.printed!r} has another sign than {row.value:g}"
    return ""


def test_each_row_stands_at_its_place(sources):
    issues = [check_row(row, sources[row.edition]) for row in ROWS]
    assert [issue for issue in issues if issue] == []


def test_a_row_that_is_wrong_is_found(sources):
    row = next(row for row in ROWS if row.id == "P010")
    lines = sources[row.edition]
    assert not check_row(row, lines)
    for change in ({"line": 58}, {"value": -61.0}, {"printed": "61%"}, {"line": 10**6}):
        assert check_row(row.model_copy(update=change), lines)


def test_every_percentage_of_the_sources_is_a_row(sources):
    missed = []
    for edition, lines in sources.items():
        rows = Counter((r.line, abs(r.value)) for r in ROWS if r.edition == edition)
        for number, line in enumerate(lines, 1):
            for text in PERCENT.findall(line):
                value = float(text)
                if value not in NO_RESULTS[edition] and not rows[number, value]:
                    missed.append((edition, number, text))
    assert missed == []


def test_the_cells_of_tables_stand_in_the_column_of_their_load(sources):
    loads = [100, 200, 300, 400, 500, 600]
    cells = [r for r in ROWS if r.edition == "ctg-ssl" and r.metric == "rate"]
    assert len(cells) == 66
    for row in cells:
        columns = sources["ctg-ssl"][row.line - 1].split("\t")[1:]
        assert float(columns[loads.index(int(row.clients))]) == row.value
    sessions = ["0", "4000", "8000", "16000", "32000", "48000", "64000"]
    storage = [r for r in ROWS if r.metric == "storage"]
    assert len(storage) == 84
    for row in storage:
        numbers = re.findall(r"\d+(?:\.\d+)?", sources[row.edition][row.line - 1])
        assert float(numbers[-7:][sessions.index(row.clients)]) == row.value


def test_notes_are_our_own_words(sources):
    whole = {edition: " ".join(lines).lower() for edition, lines in sources.items()}
    notes = [(row.id, row.edition, row.note) for row in ROWS if row.note]
    notes += [(i.id, edition, i.text) for i in ISSUES for edition in i.editions]
    for id, edition, note in notes:
        words = note.lower().split()
        for start in range(len(words) - 5):
            run = " ".join(words[start : start + 6])
            assert run not in whole[edition], (id, run)


def test_every_published_direction_is_a_row(sources):
    """Also words that nothing changes, which have the qualifier comparable."""
    wanted = SEEDS.parent / "reference" / "published_directions.csv"
    lines = {f"{prefix}_": edition for edition, prefix in PREFIX.items()}
    with wanted.open(encoding="utf-8", newline="") as file:
        told = [
            (lines[row["source_file"][:4]], int(row["line"]))
            for row in csv.DictReader(file)
        ]
    assert len(told) == 36
    words = ("direction", "comparable")
    there = {(row.edition, row.line) for row in ROWS if row.qualifier in words}
    assert set(told) <= there


def test_a_direction_has_no_size():
    row = next(row for row in ROWS if row.qualifier == "direction")
    for change in ({"value": 2.0}, {"value": 0.0}, {"kind": "delta", "unit": "%"}):
        with pytest.raises(ValueError, match=r"direction is 1|goes with"):
            Published.model_validate(row.model_dump(mode="json") | change)


def test_the_last_digit_says_how_exact_a_number_is():
    known = {row.id: row for row in ROWS}
    assert known["P010"].last_digit == 0.5
    assert known["P129"].last_digit == 0.05


def test_every_edition_has_rows_and_every_place_a_citation():
    assert Counter(row.edition for row in ROWS) == {
        "zos-cs-3.2": 50,
        "share-2026": 87,
        "zos-cs-3.1": 25,
        "zos-cs-v1r2": 202,
        "ctg-ssl": 80,
    }
    assert len({(row.edition, row.citation) for row in ROWS}) == len(PREFIX)


def compute(formula, rows):
    """The value of an arithmetic formula over ids of published rows."""
    does = {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.truediv,
    }

    def value(node):
        if isinstance(node, ast.BinOp):
            return does[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.Name):
            return rows[node.id].value
        return ast.literal_eval(node)

    return value(ast.parse(formula, mode="eval").body)


@pytest.mark.parametrize("issue", ISSUES, ids=lambda issue: issue.id)
def test_recomputed_values_follow_from_published_ones(issue):
    rows = {row.id: row for row in ROWS}
    for formula, text in zip(issue.formula, issue.recomputed, strict=True):
        assert compute(formula, rows) == pytest.approx(float(text), rel=1e-4)


def test_all_inconsistencies_are_there_and_really_differ():
    assert [issue.id for issue in ISSUES] == [f"I{n:02d}" for n in range(1, 27)]
    for issue in ISSUES:
        for printed, again in zip(issue.printed, issue.recomputed, strict=False):
            assert float(printed) != pytest.approx(float(again), rel=1e-3), issue.id


HEADER = ",".join(type(ROWS[0]).model_fields)
GOOD = "P001,e,s,a,b,RR*,,,,latency,delta,-60,%,up to,key,section 1,57,60%,a note"


def write(path, *lines):
    path.write_text("\n".join([HEADER, *lines]) + "\n", encoding="utf-8")
    return path


def test_a_good_row_is_read(tmp_path):
    (row,) = read_published(write(tmp_path / "p.csv", GOOD), ROOT / "data/metrics.yaml")
    assert (row.value, row.baseline, row.role, row.line) == (-60.0, "a", None, 57)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("-60", "sixty", "value: "),
        ("-60", "inf", "value: "),
        ("-60", "-160", "above -100"),
        ("latency", "speed", "there is no metric 'speed'"),
        ("latency", "cpu_cost", "cpu_cost needs a role"),
        (",,,latency", ",,client,latency", "latency has no role"),
        ("up to", "at most", "qualifier: "),
        ("up to", "comparable", "goes with the value 0"),
        ("delta,-60,%", "value,60,s", "latency is in µs"),
        ("delta,-60,%", "factor,2,%", "a factor is in x"),
        (",a,b,", ",,b,", "needs a baseline and a test"),
        ("P001", "X1", "id: "),
        (",57,", ",0,", "line: "),
        (",a note", "", "other columns"),
        ("a note", "a note, and more", "other columns"),
        ("latency", "all", "'all' goes with 'comparable' alone"),
    ],
)
def test_a_bad_row_is_named_with_its_line(tmp_path, old, new, words):
    assert old in GOOD
    second = GOOD.replace("P001", "P002")
    path = write(tmp_path / "p.csv", second, GOOD.replace(old, new))
    with pytest.raises(UserError, match=re.escape(words)) as caught:
        read_published(path, ROOT / "data/metrics.yaml")
    assert f"{path}:3" in str(caught.value)


def test_all_mistakes_are_listed_at_once(tmp_path):
    bad = [GOOD.replace("P001", f"P00{n}").replace("-60", "x") for n in (1, 2)]
    with pytest.raises(UserError) as caught:
        read_published(write(tmp_path / "p.csv", *bad, GOOD, GOOD))
    assert len(caught.value.issues) == 4


def test_other_columns_and_other_bytes_are_refused(tmp_path):
    path = tmp_path / "p.csv"
    with pytest.raises(UserError, match="missing"):
        read_published(path)
    path.write_text("id\nP001\n")
    with pytest.raises(UserError, match="other columns"):
        read_published(path)
    path.write_bytes(HEADER.encode() + b"\n\xff\n")
    with pytest.raises(UserError, match="not UTF-8"):
        read_published(path)


def test_an_issue_needs_its_rows_and_its_formulas(tmp_path):
    text = (ROOT / ISSUES_FILE).read_text(encoding="utf-8")
    path = tmp_path / "i.csv"
    path.write_text(text.replace("P007;P076", "P999;P076"), encoding="utf-8")
    with pytest.raises(UserError, match="no published row P999"):
        read_issues(path, ROWS)
    path.write_text(text.replace(",-78.97,", ",-78.97; 3,"), encoding="utf-8")
    with pytest.raises(UserError, match="needs its formula"):
        read_issues(path, ROWS)
