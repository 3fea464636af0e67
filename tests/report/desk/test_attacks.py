"""Attacks on the desk by somebody who may sit there, or who has taken their browser."""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import ExitStack, suppress
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from analysis.report.desk import remarks, server
from analysis.report.desk.parts import EditedPart
from tests.report.desk.conftest import Office
from tests.report.desk.test_guard import rest, status
from tests.report.desk.test_saving import OBSERVATIONS, PART, edit, opened

HOST = "Host: 127.0.0.1\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"
TITLE = {
    "text": "edition.yaml",
    "number": 0,
    "hash": EditedPart("", 0, 'A "small" report').hash,
}
BODIES = {
    "[" * 200_000: b"400",
    '{"a":' * 100_000: b"400",
    '{"text": "\xff"}': b"400",
    "null": b"400",
    "": b"400",
    "{}": b"400",
}
FRAMES = {  # where a body ends is not for the sender to say in two ways
    f"Content-Length: 5\r\n{CHUNKED}\r\n0\r\n\r\nGET /x": b"400",
    "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef": b"400",
    "Content-Length: -1\r\n\r\nx": b"400",
    "Content-Length: +1\r\n\r\nx": b"400",
    f"{CHUNKED}\r\n" + f"10000\r\n{'a' * 65_536}\r\n" * 40 + "0\r\n\r\n": b"413",
}
METHODS = {
    "TRACE /e/small/save": b"405",
    "PUT /e/small/save": b"405",
    "DELETE /e/small/": b"405",
    "GET /e/small/%ed%a0%80": b"404",
    "GET /e/small/part?text=%ff&number=0": b"404",
    "GET /e/small/part?text=../edition.yaml&number=0": b"404",
    "GET /e/small/part?text=x&number=0x1": b"400",
    "GET /e/small/comments?show=../x": b"404",
    "PRI *": b"404",
}
SAID: list[tuple[str, dict[str, Any], int]] = [
    ("comment", {"about": "../small", "words": "Hm."}, 404),
    ("comment", {"about": "speed", "words": "Hm.", "thread": "__proto__"}, 404),
    ("comment", {"about": "speed", "text": OBSERVATIONS, "words": "Hm."}, 404),
    ("comment", {"about": "speed", "words": " \x00\n\ufffe"}, 422),
    ("comment", {"about": "speed", "words": "a\ud800b"}, 400),
    ("comment", {"about": "speed", "words": "y" * 1_500_000}, 422),
    ("save", {**TITLE, "text": "../../x.yaml", "words": "x"}, 404),
    ("save", {**TITLE, "words": "a\x00b"}, 422),
    ("save", {**TITLE, "words": "a\ud800b"}, 400),
    ("approve", {"id": "../x", "stamp": "x"}, 404),
    ("approve", {"id": "speed", "stamp": "x" * 100_000}, 409),
    ("decide", {"about": "../x", "id": "x", "accept": True}, 404),
]
WORDS = {  # for the text itself
    "a\x1b[31mb": "control character",
    "a\u202eb": "direction",
    "a\u2028{{ x }}": "control character",
    "{{< include /etc/passwd >}}": "shortcodes do not run",
    '{{ open("/etc/passwd") }}': "no function",
    "{{ ().__class__ }}": "not allowed",
    "![a](/etc/passwd)": "picture",
    "[a](javascript:alert(1))": "script",
    "[a](data:text/html,x)": "link",
    "[a]{onclick=alert(1)}": "script",
    '[a]{.part text="x" number="0"}': "class",
    "`<b>`{=html}": "raw",
    "---\ntitle: x\n---\n\nHm.": "no such entry",
}


def asked(office: Office, text: str) -> bytes:
    port = int(office.client.address.rstrip("/").rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        with suppress(OSError):  # it may have answered and hung up already
            connection.sendall(text.encode("latin-1"))
        return status(rest(connection))


def test_requests_that_are_framed_to_confuse_are_refused(
    office: Office, capfd: pytest.CaptureFixture[str]
) -> None:
    own = HOST.replace("Host: ", "Origin: http://")
    head = f"POST /e/small/save HTTP/1.1\r\n{HOST}{own}Connection: close\r\n"
    bodies = {f"Content-Length: {len(b)}\r\n\r\n{b}": c for b, c in BODIES.items()}
    for text, code in (bodies | FRAMES).items():
        assert asked(office, f"{head}{text}") == code, text[:100]
    for line, code in METHODS.items():
        request = f"{line} HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n"
        assert asked(office, request) == code, line
    assert capfd.readouterr().err == ""


def test_what_is_said_to_break_the_files_of_the_desk_is_refused(
    office: Office, capfd: pytest.CaptureFixture[str]
) -> None:
    client, declared = office.client, office.texts / "edition.yaml"
    client.get("e/small/")
    client.sit()
    before = declared.read_bytes()
    for path, said, code in SAID:
        assert client.post(f"e/small/{path}", **said)[0] == code, (path, str(said)[:99])
    part = opened(client)
    for words, told in WORDS.items():
        code, said = client.post("e/small/save", **edit(part, words))
        assert code == 422 and told in str(said), (words, said)
    assert declared.read_bytes() == before
    assert not list(office.texts.rglob("comments.yaml"))
    about = {"about": "speed", "words": "<script>alert(1)</script>"}
    assert client.post("e/small/comment", **about)[0] == 200
    for path in ("e/small/comments?show=all", "e/small/review", "e/small/"):
        code, page = client.get(path)
        assert code == 200 and "<script>alert" not in page
    assert capfd.readouterr().err == ""


def test_words_that_take_long_to_look_at_do_not_stop_the_server(office: Office) -> None:
    client, part = office.client, opened(office.client)
    client.sit()
    begun = time.process_time()
    for words in ("{" + "1" * 200_000, "{1" * 200_000, "{1.}" * 50_000, "[" * 5_000):
        code, _ = client.post("e/small/look", **edit(part, words))
        assert code in (200, 422)
    tokens = {f"{{{n}}}": "x" for n in range(20_000)}
    assert (
        client.post("e/small/look", **edit(part, "It.") | {"tokens": tokens})[0] == 400
    )
    assert time.process_time() - begun < 5  # minutes, were any of them tried in full


def test_one_person_does_not_take_all_connections(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "REQUEST_STREAMS", 2)
    request = Request(f"{office.client.address}e/small/changes?version=-1")  # noqa: S310
    with ExitStack() as held:
        for _ in range(2):
            stream = held.enter_context(urlopen(request, timeout=20))  # noqa: S310
            assert stream.readline().startswith(b"data:")
        with pytest.raises(HTTPError, match="429"):
            urlopen(request, timeout=20)  # noqa: S310
        assert office.client.get("e/small/")[0] == 200


def test_a_file_of_comments_has_an_end(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remarks, "REMARKS_BYTES", 1_000)
    office.client.sit()
    about = {"about": "speed", "words": "y" * 600}
    assert office.client.post("e/small/comment", **about)[0] == 200
    code, said = office.client.post("e/small/comment", **about | {"words": "z" * 600})
    assert code == 422 and "REMARKS_BYTES" in json.dumps(said)
    assert office.client.get("e/small/comments")[0] == 200


LOOKS = {  # of one part, as many as a request holds
    "backticks": "`" * 400_000,
    "backticks that are escaped": "\\`\n" * 100_000,
    "paragraphs": "a\n\n" * 200_000,
}


@pytest.mark.parametrize("words", LOOKS.values(), ids=LOOKS)
def test_words_that_would_be_checked_for_long_are_refused_at_once(
    office: Office, words: str
) -> None:
    part = opened(office.client)
    office.client.sit()
    for verb in ("look", "save", "suggest"):
        began = time.monotonic()
        code, said = office.client.post(f"e/small/{verb}", **edit(part, words))
        assert code == 422 and "PART_CHARACTERS" in str(said)
        assert time.monotonic() - began < 5


def test_a_check_or_save_that_lasts_delays_no_page(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, live = office.client, office.desk.lives["small"]
    client.get("e/small/")
    client.sit()
    part, ends = opened(client), threading.Event()
    monkeypatch.setattr(live, "render", lambda *_: ends.wait(30))
    monkeypatch.setattr(live.maker, "findings", lambda *_, **__: ends.wait(30))
    asks = [
        threading.Thread(
            target=client.post, args=(f"e/small/{verb}",), kwargs=edit(part, "Hm.")
        )
        for verb in ("save", "look") * 2
    ]
    for ask in asks:
        ask.start()
    time.sleep(0.5)
    began = time.monotonic()
    for path in ("", "e/small/", "e/small/history", PART):
        assert client.get(path)[0] == 200
    assert client.post("e/small/look", **edit(part, "One too many."))[0] == 429
    took = time.monotonic() - began
    ends.set()
    for ask in asks:
        ask.join()
    assert took < 10


def test_a_link_out_of_the_project_is_shown_to_no_reader(office: Office) -> None:
    secret = office.texts.parents[2] / "secret.txt"
    secret.write_text("Nobody reads this.")
    preface = office.texts / "front/preface.md"
    preface.unlink()
    preface.symlink_to(secret)
    assert "Nobody reads" not in office.client.get("e/small/")[1]
    asked = office.client.get("e/small/part?text=front/preface.md&number=0")
    assert asked[0] == 422 and "Nobody reads" not in asked[1]
