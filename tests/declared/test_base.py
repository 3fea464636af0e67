"""Hand-written YAML: every mistake is named with its line."""

from pathlib import Path

import pytest
from pydantic import Field

from analysis.declared.base import Declared, parse_yaml, read_declared
from analysis.errors import UserError


class Inner(Declared):
    cps: int


class Outer(Declared):
    title: str
    systems: dict[str, Inner] = Field(default_factory=dict)
    names: tuple[int, ...] = ()


def problems(tmp_path, text: str | bytes) -> list[tuple[int | None, str]]:
    file = tmp_path / "x.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UserError) as caught:
        read_declared(file, Outer)
    assert all(issue.where.file == str(file) for issue in caught.value.issues)
    return [(issue.where.line, issue.what) for issue in caught.value.issues]


def test_a_good_file_becomes_its_model(tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text("title: T\nsystems:\n  A: {cps: 4}\n")
    assert read_declared(file, Outer) == Outer(title="T", systems={"A": Inner(cps=4)})


def test_a_declaration_cannot_be_changed_later():
    with pytest.raises(ValueError, match="frozen"):
        Outer(title="T").title = "U"


def test_all_mistakes_are_named_at_once_with_their_lines(tmp_path):
    text = "title: T\nsystems:\n  A:\n    cps: many\n  B: {}\ncolour: red\n"
    found = problems(tmp_path, text)
    assert [line for line, _ in found] == [4, 5, 6]
    assert "systems → A → cps" in found[0][1]
    assert found[1][1] == "systems → B → cps: this entry is missing"
    assert found[2][1] == "colour: there is no such entry"


@pytest.mark.parametrize(
    ("text", "mend"),
    [
        ("title: 3.2\n", "goes in quotes"),
        ("title: T\nnames: 1\n", "write a list"),
        ("title: T\nsystems: [A]\n", "write entries"),
        ("title: T\nsystems: {A: 4}\n", "write entries"),
        ("titel: T\n", "did you mean 'title'?"),
    ],
)
def test_a_mistake_says_how_to_mend_it(tmp_path, text, mend):
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(UserError) as caught:
        read_declared(tmp_path / "x.yaml", Outer)
    assert mend in caught.value.issues[0].mend


def test_a_wrong_list_item_has_its_own_line(tmp_path):
    assert problems(tmp_path, "title: T\nnames:\n  - 1\n  - x\n")[0][0] == 4


def test_bad_yaml_is_named_with_its_line(tmp_path):
    line, what = problems(tmp_path, "title: T\nsystems: {A: [}\n")[0]
    assert line == 2
    assert what.startswith("not valid YAML")


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ('"\\a"', "a text with the control character U+0007"),
        ('"\\0"', "a text with the control character U+0000"),
        ('"\\u2028"', "a text with the control character U+2028"),
        ('"a\\u202eb"', "a text with the control character U+202E"),
        ('"a\\u2066b"', "a text with the control character U+2066"),
        ("2026-13-01", "'2026-13-01' cannot be read: month must be in 1..12"),
        ("0b_", "'0b_' cannot be read"),
    ],
)
def test_what_yaml_cannot_turn_into_a_value_is_named(tmp_path, entry, what):
    (line, told), *_ = problems(tmp_path, f"title: T\nsystems: {entry}\n")
    assert line == 2
    assert told.startswith(f"not valid YAML: {what}")


@pytest.mark.parametrize("written", ["1:30", "1:30.5", "010", "0x1f", "0b11", "-1:02"])
def test_a_number_that_yaml_reads_as_another_is_told(tmp_path, written):
    [(line, told)] = problems(tmp_path, f"title: T\nnames: [{written}]\n")
    assert line == 2
    assert f"{written} is read as another number" in told


@pytest.mark.parametrize("digits", ["9" * 4301, "0x" + "f" * 5000, "1:" * 5000 + "1"])
def test_a_number_beyond_reading_is_named_with_its_limit(tmp_path, digits):
    [(line, told)] = problems(tmp_path, f"title: T\nnames: [{digits}]\n")
    assert line == 2
    assert "at most 64 are read (YAML_NUMBER_CHARACTERS)" in told


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ("9223372036854775808", "9223372036854775808 has more than 64 bits"),
        (".inf", "inf is no finite number"),
        ("-.inf", "-inf is no finite number"),
        (".nan", "nan is no finite number"),
        ("1.0e+999", "inf is no finite number"),
        ('"\\ud800"', "Unicode"),
        ("!!int ''", "'' cannot be read"),
        ("!!bool maybe", "'maybe' cannot be read"),
        ("!!timestamp soon", "'soon' cannot be read"),
        ("!!python/object/apply:os.system [id]", "could not determine a constructor"),
        ("x" * 20_001, "at most 20,000 are read (YAML_TEXT_CHARACTERS)"),
    ],
)
def test_a_value_that_no_declaration_needs_is_refused(tmp_path, entry, what):
    [(line, told)] = problems(tmp_path, f"title: T\nnames: {entry}\n")
    assert line == 2
    assert what.lower() in told.lower()


@pytest.mark.parametrize(
    "text", ["[" * 90_000, "- " * 90_000, "{a: " * 90_000, "? " * 90_000]
)
def test_deep_nesting_is_refused_before_it_is_read(tmp_path, text):
    [(line, told)] = problems(tmp_path, f"title:\n\n  {text}")
    assert line == 3
    assert "at most 50 are read (YAML_DEPTH)" in told


def test_aliases_of_aliases_are_counted(tmp_path):
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    [(line, told)] = problems(tmp_path, "\n".join(lines))
    assert line == 7
    assert "at most 1,000,000 are read (YAML_NODES)" in told


def test_entries_merged_again_and_again_are_counted(tmp_path):
    lines = ["a0: &a0 {x: 1}"]
    lines += [
        f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 9)
    ]
    assert "YAML_NODES" in problems(tmp_path, "\n".join(lines))[0][1]


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [*a]",
        "\n".join(["a0: &a0 1", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 99))]),
    ],
    ids=["itself", "a chain"],
)
def test_aliases_are_not_nested_without_end(tmp_path, text):
    assert "YAML_DEPTH" in problems(tmp_path, text)[0][1]


def test_entries_that_are_merged_may_be_overridden():
    data, _ = parse_yaml("a: &a {x: 1, y: 2}\nb: {<<: *a, x: 3}", Path("x.yaml"))
    assert data["b"] == {"x": 3, "y": 2}


def test_an_entry_listed_twice_is_refused_with_both_lines(tmp_path):
    found = problems(tmp_path, "title: T\nsystems:\n  A: {cps: 4}\n  A: {cps: 2}\n")
    assert found == [(4, "'A' is listed twice, first in line 3")]


def test_a_file_that_is_not_utf8_gives_the_offset(tmp_path):
    file = tmp_path / "x.yaml"
    file.write_bytes(b"title: \xff\n")
    with pytest.raises(UserError, match="byte offset 7: not UTF-8"):
        read_declared(file, Outer)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UserError, match="this file is missing"):
        read_declared(tmp_path / "absent.yaml", Outer)


def test_lines_count_from_where_the_text_begins():
    with pytest.raises(UserError, match=r"notes\.md:12: not valid YAML"):
        parse_yaml("claims: [}", Path("notes.md"), first_line=12)
