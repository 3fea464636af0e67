"""The one error type for mistakes that a user can mend."""

import pytest

from analysis.errors import Issue, Place, UserError, raise_if, user_error


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (Place("runs.csv"), "runs.csv"),
        (Place("runs.csv", line=7), "runs.csv:7"),
        (Place("a.smf", offset=0), "a.smf: byte offset 0"),
    ],
)
def test_a_place_reads_as_editors_expect(place, text):
    assert str(place) == text


def test_an_error_says_what_where_and_how_to_mend():
    error = user_error("unknown run 'x'", "runs.csv", 3, mend="name it in runs.csv")
    assert str(error) == "runs.csv:3: unknown run 'x'\n  mend: name it in runs.csv"


def test_an_issue_without_place_or_remedy_is_its_sentence():
    assert str(Issue("nothing to read")) == "nothing to read"


def test_all_issues_are_raised_together():
    with pytest.raises(UserError) as caught:
        raise_if([Issue("one"), Issue("two")])
    assert str(caught.value) == "one\ntwo"


def test_no_issue_raises_nothing():
    assert raise_if([]) is None
