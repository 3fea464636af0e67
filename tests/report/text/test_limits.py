"""A text whose shape would hold up the build is refused before it is parsed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.files import limits
from analysis.report.document.parts import content
from analysis.report.text.reviewed import check_shape, read_reviewed
from tests.report.text.read import check

PATH = Path("text.md")
IN_TIME = 30  # seconds; a shape that is read again and again takes hours
BEYOND = {
    "[" * 24: "TEXT_BRACKETS",
    "[a " * 24: "TEXT_BRACKETS",
    "[a\n" * 24: "TEXT_BRACKETS",
    "[a " * 10 + "]" * 10: "TEXT_BRACKETS",
    "![a " * 10: "TEXT_BRACKETS",
    "^[a " * 10: "TEXT_BRACKETS",
    '"[a ' * 10: "TEXT_BRACKETS",
    "[[[[ `]]]]` " * 6: "TEXT_BRACKETS",
    "^[^[^[^[ `]]]]` " * 6: "TEXT_BRACKETS",
    "\"a 'b " * 24: "TEXT_QUOTES",
    '{claim="a*"}' * 24: "TEXT_QUOTES",  # behind no bracket
    "\"a\n'b\n" * 24: "TEXT_QUOTES",
    '"{a' * 20_000: "TEXT_LINE_CHARACTERS",
    '"{a' * 2_000: "TEXT_MARKS",
    "'a " * 2_000: "TEXT_MARKS",
    "&a" * 2_000: "TEXT_MARKS",
    "&a\n" * 2_000: "TEXT_MARKS",
    "`a`{ " * 2_000: "TEXT_MARKS",
    "x" * 2_000_000: "TEXT_BYTES",
    "x" * 20_001: "TEXT_LINE_CHARACTERS",
    "not never hardly\n" * 1_300: "TEXT_BLOCK_CHARACTERS",
    "> " * 1_000 + "x": "TEXT_NESTING",
    "- " * 1_000 + "x": "TEXT_NESTING",
    "1. " * 1_000 + "x": "TEXT_NESTING",
    "a) > * " * 1_000 + "x": "TEXT_NESTING",
    "(a) " * 1_000 + "x": "TEXT_NESTING",
    " " * 1_000 + "- x": "TEXT_NESTING",
    "\t" * 1_000 + "- x": "TEXT_NESTING",
    "[^a]\n\n" * 2_000: "TEXT_NOTES",
    "^[a]\n\n" * 2_000: "TEXT_NOTES",
    "@a\n\n" * 2_000: "TEXT_NOTES",
    "| a | b |\n" * 10_000: "TEXT_CELLS",
    "`" * 21: "TEXT_FENCE_CHARACTERS",
    "~" * 21: "TEXT_FENCE_CHARACTERS",
}


@pytest.mark.parametrize(
    ("text", "limit"), BEYOND.items(), ids=[f"{text[:6]!r}" for text in BEYOND]
)
def test_a_text_beyond_a_limit_is_told_which(
    tmp_path: Path, text: str, limit: str
) -> None:
    path = tmp_path / "text.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as caught:
        read_reviewed(path)
    assert f"at most {getattr(limits, limit):,} are read ({limit})" in str(caught.value)
    assert all(issue.mend for issue in caught.value.issues)


@pytest.mark.parametrize(
    "text",
    [
        "[a](https://example.org) " * 300,
        "don't " * 2_000,
        '"a \'b\' c" (\'d\') "`e`" ["f"]; ' * 60,
        "the '90s, `a[0]` and 5' 3\" " * 12,
        "\\[ " * 400,
        '{{ delta("latency", "RR1(1kB)") }}\n' * 500,
        '"a"\n\n' * 2_000,
        "- [a\n\n" * 20,
        "| a | b |\n" * 1_000,
        "    " * 5 + "- x",
        '[Rates grow.]{claim="rate rises for RR*"} ' * 12,
    ],
)
def test_a_text_for_readers_is_within_them(text: str) -> None:
    assert check_shape(text, PATH) == []


def test_a_line_is_named_and_few_are() -> None:
    issues = check_shape("One.\n\n" + "x" * 20_001 + "\n" + "[" * 5, PATH)
    assert [issue.where and issue.where.line for issue in issues] == [3, 4]
    assert len(check_shape(("x" * 20_001 + "\n") * 50, PATH)) == 10


@pytest.mark.parametrize(
    "piece",
    [
        "{{ a\n\n", "{## a\n\n", "```a\n\n", "``` a\n\n", "~~~\n```\n\n", "{ .a\n\n",
        "{ \\#\n\n", "$a\n\n", "<a\n\n", "](\n\n", "[a]:\n\n", "{onx\n\n", ":::\n\n",
        "`a`{\n\n", "\\a\n\n", "{=\n\n",
    ],
)  # fmt: skip
def test_what_is_begun_again_and_again_is_checked_in_time(piece: str) -> None:
    started = time.process_time()
    check(piece * (limits.TEXT_BYTES // 64 // len(piece)))
    assert time.process_time() - started < IN_TIME


SIGNS = (
    "`", "``` ", "`a ", "~", "~~~\n", "{", "{1", "}", "{{ a ", "[", "[a](", "[a]{", "(",
    "<", "<!--", "$", "\\", "\\(\n", "a", "a ", "1", "1,", "9%", "* ", "**a ", "_a ",
    "- a\n", "> ", "# a\n", "| a ", "@a ", "[^a] ", "^[a ", '"a ', "'a ", "&a ",
    "http://a ", "a; ", "A ", "Aa-", "V1R", "not never ", "RR1(1kB) ", "V1² ", " ",
    "\t", '{"\\"', "![a]", "\\`", "<% ", "z/OS ", "1 kB ", "e.g. ", "::: a\n",
)  # fmt: skip


@pytest.mark.parametrize("end", ["", "\n", "\n\n"], ids=["line", "block", "blocks"])
@pytest.mark.parametrize("sign", SIGNS)
def test_twice_the_text_takes_no_more_than_about_twice_the_time(
    sign: str, end: str
) -> None:
    def seconds(characters: int) -> float:
        text = "Hm. " + (sign + end) * (characters // len(sign + end))
        started = time.process_time()
        content(text)
        if not check_shape(text, PATH):
            check(text)
        return time.process_time() - started

    few, many = seconds(4_500), seconds(18_000)  # 4 times; 16 if each looked at all
    assert many < 0.3 or many < 9 * few or seconds(18_000) < 9 * seconds(4_500)
