"""A preview serves on loopback, shows mistakes, and updates a real browser."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.request import urlopen

import pytest

from analysis.report.desk.stage import Stage, script_of, serve
from analysis.report.desk.store import Journal
from analysis.report.document.document import Document
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.material import Sources
from analysis.report.output import Output
from analysis.report.preview.page import PageMaker
from tests.report.browser import CHROMIUM
from tests.report.conftest import project  # noqa: F401 - fixtures
from tests.report.devtools import browser
from workflow.preview import Preview, follow, main, needs_build

TEXT = Path("report/small/studies/speed/observations.md")
SENTENCE = "Quite a new sentence."


@pytest.fixture
def preview(
    project: Sources,  # noqa: F811
    lent_fonts: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Preview:
    """The preview of a small project, which is the current folder."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(project.templates, "templates")
    sources = replace(project, templates=Path("templates"), report=Path("report"))
    now, later = (
        PageMaker(
            "small", sources, tmp_path / f"documents/{name}", PandocEngine(lent_fonts)
        )
        for name in ("now", "later")
    )
    stage = Stage(script_of(sources.templates))
    return Preview(now, stage, Journal(tmp_path, tmp_path, None), later=later)


class StandIn(PandocEngine):
    """An engine whose page tells that it was rendered again."""

    def made(self, document: Document, output: Output) -> bytes:
        made = super().made(document, output)
        return made.replace(b"</main>", b"<p>By the stand-in.</p></main>")


@contextmanager
def previewing(preview: Preview) -> Iterator[str]:
    """The address of a preview of the current project, which runs meanwhile."""
    stop = threading.Event()
    preview.update(texts_only=False)
    threads = [
        threading.Thread(target=preview.work, daemon=True),
        threading.Thread(target=follow, args=(preview, stop), daemon=True),
    ]
    for thread in threads:
        thread.start()
    server = serve(preview.stage, 0)
    try:
        yield server.address
    finally:
        stop.set()
        preview.end()
        for thread in threads:
            thread.join()
        server.shutdown()


@pytest.fixture
def url(preview: Preview) -> Iterator[str]:
    with previewing(preview) as address:
        time.sleep(0.3)  # until the system watches the files
        yield address


def read(url: str) -> str:
    with urlopen(url, timeout=10) as answer:  # noqa: S310 - our own address
        return answer.read().decode()


def save(text: str) -> None:
    TEXT.write_text(text, encoding="utf-8")


def wait_for(condition, seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def test_a_saved_sentence_is_on_the_page(preview: Preview, url: str) -> None:
    assert SENTENCE not in read(url)
    save(f"{TEXT.read_text('utf-8')}\n{SENTENCE}\n")
    assert wait_for(lambda: SENTENCE in read(url))
    assert wait_for(lambda: "small.pdf" in preview.stage.files)


def test_a_mistake_keeps_the_last_good_page(preview: Preview, url: str) -> None:
    good, text = read(url), TEXT.read_text("utf-8")
    save('{{ delta("latenzy", "RR1(1kB)") }}\n')
    assert wait_for(lambda: preview.stage.problem)
    assert "observations.md:1: " in preview.stage.problem
    assert read(url) == good
    with urlopen(f"{url}changes?version=1", timeout=10) as changes:  # noqa: S310
        news = json.loads(changes.readline().decode().removeprefix("data: "))
    assert news["problem"] == preview.stage.problem
    save(text)
    assert wait_for(lambda: not preview.stage.problem)


def test_a_changed_template_renders_all(preview: Preview, url: str) -> None:
    style = Path("templates/house.css")
    style.write_text(f"{style.read_text()}\n.quite-new {{ color: red; }}\n")
    assert wait_for(lambda: ".quite-new" in read(url))


def test_the_engine_renders_the_whole_page_after_the_quick_one(
    preview: Preview,
    fonts: Path,
) -> None:
    preview.later.engine = StandIn(fonts)
    with previewing(preview) as url:
        time.sleep(0.3)
        save(f"{TEXT.read_text('utf-8')}\n{SENTENCE}\n")
        told = "By the stand-in.", SENTENCE  # the stand-in may make the first page too
        assert wait_for(lambda: all(words in read(url) for words in told))


@pytest.mark.parametrize(
    ("engine", "told"),
    [("foo", "there is no engine 'foo'"), ("quarto", "QUARTO names no program: none")],
)
def test_an_engine_that_will_not_do_is_told(
    engine: str,
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QUARTO", "none")
    assert main([f"--engine={engine}"]) == 2
    assert told in capsys.readouterr().err


def test_only_the_preview_may_connect(preview: Preview, url: str) -> None:
    assert "connect-src 'self'" in read(url)
    assert preview.page is not None
    assert "connect-src" not in preview.page.html
    assert "EventSource" not in preview.page.html


def test_other_names_for_the_address_are_refused(url: str) -> None:
    server = http.client.HTTPConnection(url.split("/")[2])
    server.request("GET", "/", headers={"Host": "elsewhere.example"})
    assert server.getresponse().status == 403


@pytest.mark.parametrize(
    ("path", "needed"),
    [
        ("raw/lab/a.log", True),
        ("data/metrics.yaml", True),
        ("report/small/studies/speed/study.yaml", True),
        ("report/small/studies/speed/observations.md", False),
        ("report/small/studies/speed/review.yaml", False),
        ("templates/house.css", False),
    ],
)
def test_the_pipeline_runs_for_data_and_declarations(path: str, needed: bool) -> None:
    assert needs_build([Path(path)]) is needed


@pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium")
def test_a_real_browser_shows_an_edit_where_it_was(
    preview: Preview, url: str, tmp_path: Path
) -> None:
    assert wait_for(lambda: SENTENCE not in read(url))
    html = "document.documentElement?.outerHTML"
    with browser(tmp_path) as running:
        page = running.open(f"{url}#sec-references", 1000)
        page.until("scrollY > 500", 60)
        page.ask("scrollTo({ top: scrollY, behavior: 'instant' })")
        save(f"{TEXT.read_text('utf-8')}\n{SENTENCE}\n")
        page.until(f"{html}?.includes({SENTENCE!r})", 60)
        # What stands above is laid out as it is come by, so scrollY may become another.
        top = "document.getElementById('sec-references').getBoundingClientRect().top"
        before = page.ask(top)
        style = Path("templates/house.css")
        style.write_text(f"{style.read_text()}\n.quite-new {{ color: red; }}\n")
        page.until(f"{html}?.includes('quite-new')", 60)  # this one is a reload
        page.until("scrollY > 500", 60)
        page.until(f"Math.abs({top} - {before}) < 100", 60)


def test_what_was_built_is_served_while_it_is_built_anew(
    preview: Preview,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said: list[str] = []

    def build(edition: str, _engine: str) -> str:
        address = capsys.readouterr().out.split()[0]
        said.extend([edition, preview.stage.problem, read(address)])
        return ""

    Path("data/build/facts/small").mkdir(parents=True, exist_ok=True)
    monkeypatch.setattr("workflow.preview.make", lambda *_: preview)
    monkeypatch.setattr("workflow.preview.build", build)
    monkeypatch.setattr("workflow.preview.follow", lambda *_: None)
    assert main(["--port=0", "--engine=pandoc", "--edition=small"]) == 0
    edition, problem, page = said
    assert (edition, problem) == (
        "small",
        "Facts and figures of small are being built …",
    )
    assert "<main" in page
    preview.end()


@pytest.mark.parametrize("port", ["abc", "-1", "65536", ""])
def test_a_port_that_will_not_do_is_told(
    port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([f"--port={port}"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: PORT: {port!r} will not do\n  mend: write a whole")
    assert "from 0 to 65535" in said


def test_a_port_that_is_in_use_is_told_before_anything_is_built(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("workflow.preview.build", lambda *_: pytest.fail("built"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main([f"--port={port}", "--engine=pandoc"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: nothing can listen on port {port}: address already")
    assert "PORT=0" in said
