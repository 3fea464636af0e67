"""The desk lists all editions, shows their pages, and opens no path of a request."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from tests.report.desk.conftest import Office


def test_all_editions_are_listed_with_their_state(office: Office) -> None:
    assert "Not read yet" in office.client.get("")[1]
    office.desk.warm()
    status, page = office.client.get("")
    assert status == 200
    assert "A &#34;small&#34; report" in page and "You are Ann Author (author)." in page
    assert "0 of 1 approved" in page
    assert office.client.get("e/index.html") == (200, page)


def test_a_title_says_what_the_numbers_are(office: Office) -> None:
    text = office.project.facts.read_text("utf-8")
    office.project.facts.write_text(text.replace('"measured"', '"synthetic"'), "utf-8")
    office.desk.warm()
    title = "A &#34;small&#34; report — synthetic data</a>"
    for address in ("", "e/small/review", "e/small/comments", "e/small/history"):
        assert title in office.client.get(address)[1], address


def test_an_edition_that_cannot_be_read_is_listed_with_its_mistake(
    office: Office,
) -> None:
    (office.texts / "edition.yaml").write_text("title: [")
    page = office.client.get("")[1]
    assert "small/edition.yaml:" in page and 'class="found error"' in page


def test_the_page_is_what_readers_get_with_the_desk_s_script(office: Office) -> None:
    status, page = office.client.get("e/small/")
    live = office.desk.lives["small"]
    assert status == 200 and live.page is not None
    assert "Measured with care" in page
    assert '<script type="module" src="/desk/desk.js">' in page
    assert "desk.js" not in live.page.html
    assert "script-src 'self' 'sha256-" in page and "'unsafe-eval'" not in page
    assert office.client.get("desk/desk.js")[0] == 200
    assert office.client.get("e/small/facts.json")[0] == 200


def test_pdf_and_workbook_are_those_of_the_last_build(
    office: Office, tmp_path: Path
) -> None:
    built = office.desk.lives["small"].stage.built = tmp_path / "built"
    assert office.client.get("e/small/facts.xlsx")[0] == 404
    built.mkdir()
    for name in ("facts.xlsx", "small.pdf", "manifest.json"):
        (built / name).write_text(name)
    assert office.client.get("e/small/facts.xlsx") == (200, "facts.xlsx")
    assert office.client.get("e/small/small.pdf") == (200, "small.pdf")
    for path in ("e/small/manifest.json", "e/small/..%2fbuilt%2fsmall.pdf"):
        assert office.client.get(path)[0] == 404, path


def test_names_that_nobody_declared_are_not_found(office: Office) -> None:
    office.desk.warm()
    for path in (
        "e/other/", "e/../report/", "desk/editions.html.j2", "desk/..%2fhouse.css",
        "e/small/index.qmd", "e/small/..%2f..%2ffacts.json", "e/small%2f..%2fx/",
    ):  # fmt: skip
        assert office.client.get(path)[0] == 404, path


def test_a_text_that_is_edited_elsewhere_is_taken_up(office: Office) -> None:
    office.desk.warm()
    stop = threading.Event()
    follower = threading.Thread(target=office.desk.follow, args=(stop,))
    follower.start()
    try:
        time.sleep(0.5)  # until the system watches the files
        (office.texts / "front/preface.md").write_text("Quite new [@smith].\n")
        end = time.monotonic() + 20
        while "Quite new" not in office.client.get("e/small/")[1]:
            assert time.monotonic() < end
            time.sleep(0.05)
    finally:
        stop.set()
        follower.join()


def test_a_mistake_leaves_the_page_and_is_listed(office: Office) -> None:
    office.desk.warm()
    (office.texts / "front/preface.md").write_text("Raw <b>HTML</b>.\n")
    office.desk.lives["small"].update_texts()
    assert "Measured with care" in office.client.get("e/small/")[1]
    assert "front/preface.md:1: " in office.client.get("")[1]
