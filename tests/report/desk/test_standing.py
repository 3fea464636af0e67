"""What waits for whom, how many signatures it takes, and what was drawn then."""

from __future__ import annotations

import re

import pytest

from analysis.report.desk.changes import SeenChange
from analysis.report.desk.people import Person
from analysis.report.desk.reviews import first_waiting
from analysis.report.review.verb import status_line
from tests.report.desk.conftest import ANN, Office
from tests.report.desk.test_approving import approve
from tests.report.desk.test_commenting import say
from tests.report.desk.test_saving import edit, opened

ASKED = """\
reviewers:
  - {name: Ann Author, email: ann@example.org}
  - {name: Bo Editor, email: bo@example.org}
review: {signatures: 2}
"""
BO = Person("Bo Editor", "bo@example.org", "reviewer")


def declare(office: Office, more: str = ASKED) -> None:
    path = office.texts / "edition.yaml"
    path.write_text(path.read_text() + more)


def cells(office: Office, study: str = "speed") -> list[str]:
    page = office.client.get("e/small/review")[1]
    row = re.search(
        rf'<tr><th scope="row"><a href="#review-{study}">.*?</tr>', page, re.S
    )
    return re.findall(r"<td[^>]*>([^<]*)</td>", row[0])


def following(office: Office, name: str) -> str:
    """Where the link of somebody leads."""
    return first_waiting(office.desk.lives["small"], name)


def test_two_signatures_are_waited_for_where_the_edition_asks(office: Office) -> None:
    declare(office)
    assert cells(office) == ["Waits", "Waits"]
    assert approve(office) == 200
    page = office.client.get("e/small/review")[1]
    assert "1 more signature is needed" in page and cells(office) == [
        "Approved",
        "Waits",
    ]
    states = office.desk.lives["small"].maker.read.states
    assert status_line(states.studies["speed"]).startswith(
        "speed: draft, approved by Ann"
    )
    assert following(office, "Bo Editor") == "review#review-speed"
    assert following(office, "Ann Author") == "review#review-small"
    office.chair[0] = BO
    assert approve(office) == 200
    assert cells(office) == ["Approved", "Approved"]
    states = office.desk.lives["small"].maker.read.states
    assert states.studies["speed"].state == "approved"


def test_who_sent_it_back_is_shown_and_an_answer_waits_for_who_asked(
    office: Office,
) -> None:
    declare(office, ASKED.replace("2", "1"))
    assert say(office, about="speed", words="Which machine?") == 200
    assert cells(office) == ["Sent back", "Waits"]
    [thread] = office.client.get("e/small/comments")[1].split('data-thread="')[1:]
    office.chair[0] = BO
    answer = {"thread": thread.partition('"')[0], "words": "The new one."}
    assert say(office, about="speed", **answer) == 200
    assert approve(office) == 200 and cells(office) == ["Sent back", "Approved"]
    office.chair[0] = ANN
    office.client.sit()
    seen = re.search(r'data-id="small" data-stamp="([0-9a-f-]+)"',
                     office.client.get("e/small/review")[1])[1]  # fmt: skip
    assert office.client.post("e/small/approve", id="small", stamp=seen)[0] == 200
    assert following(office, "Ann Author") == "comments?show=mine"


def test_a_drawing_stands_beside_the_one_that_was_approved(office: Office) -> None:
    assert approve(office) == 200
    for drawn in office.project.figures.rglob("figure.svg"):
        drawn.write_text(f"{drawn.read_text()}<!-- drawn again -->")
    office.desk.lives["small"].forget()
    page = office.client.get("e/small/review")[1]
    assert page.count('src="data:image/svg+xml;base64,') == 4
    assert "as it was approved" in page


def test_claims_are_listed_with_what_the_data_say(office: Office) -> None:
    office.client.sit()
    part = opened(office.client)
    own = edit(part, '[It falls.]{claim="latency falls for RR1(1kB)"}')
    status, said = office.client.post("e/small/save", **own)
    assert status == 200, said
    page = office.client.get("e/small/review")[1]
    assert "Claims: 1 of 1 hold" in page
    assert "<dt>Holds</dt>" in page and "−37%" in page


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("−37%, −39 to −35%, n = 9", "−30%, −34 to −26%, n = 9", "beyond noise"),
        ("−37%, −39 to −35%, n = 9", "−36%, −38 to −34%, n = 9", "within noise"),
        (
            "3,100 MB/s, 3,050 to 3,210 MB/s",
            "990 MB/s, 970 to 999 MB/s",
            "beyond noise",
        ),
        ("58", "59", ""),
        ("1, no interval", "2, 1 to 3", ""),
    ],
)
def test_a_number_has_left_the_noise_where_intervals_are_apart(
    before: str, after: str, told: str
) -> None:
    assert SeenChange("x", before, after).noise == told
