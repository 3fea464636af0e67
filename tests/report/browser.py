"""A page in a headless browser: what it says of itself at some widths.

Each page is a frame of one wrapper page, so that the browser starts once, unless it
must have the focus. A probe (JavaScript, the body of an async function) runs in the
page and returns JSON.
"""

from __future__ import annotations

import html
import json
import re
import resource
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analysis.report.pages.html_page import with_script


def _browser() -> str | None:
    """Chromium's program, where it is installed and can start: it reserves many times
    the addresses that it uses, and ends at once where they are limited."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY:
        return None
    return shutil.which("chromium") or shutil.which("chromium-browser")


CHROMIUM = _browser()
HEADLESS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_OPTIONS = (*HEADLESS, "--virtual-time-budget=60000")
_HEARD = """addEventListener("message", event => {
  const line = document.createElement("pre");
  line.textContent = "SAID" + event.data + "END";
  document.body.append(line);
});"""
_PROBE = """
(() => {
  const name = location.hash.slice("#probe-".length);
  const errors = [];
  addEventListener("error", event => errors.push(event.message));
  addEventListener("securitypolicyviolation", event =>
    errors.push(event.violatedDirective));
  const probe = async () => { %s };
  addEventListener("load", async () => {
    const said = await probe().catch(error => String(error));
    parent.postMessage(JSON.stringify({ name, said, errors }), "*");
  });
})();
if (parent === window) %s
"""
# The frames lie on each other: what is out of view is drawn late or not at all.
_WRAPPER = """<!DOCTYPE html><style>iframe { position: fixed; inset: 0; }</style><body>
<script>%s</script>%s</body>"""


def ask(pages: Mapping[str, tuple[Path, int, str]], folder: Path) -> dict[str, Any]:
    """What probes found, by name, from ``(page, width in CSS pixels, probe)``.

    A probe that fails is an :class:`AssertionError`, as is an error of a script, or
    what the policy of a page forbids.
    """
    frame = '<iframe width="%d" height="800" src="%s"></iframe>'
    frames = [
        frame % (width, _copy(name, page, probe, folder))
        for name, (page, width, probe) in pages.items()
    ]
    wrapper = folder / "probes.html"
    wrapper.write_text(_WRAPPER % (_HEARD, "\n".join(frames)), encoding="utf-8")
    answers = _heard(wrapper.as_uri(), 1600, folder)
    assert set(answers) == set(pages)
    return answers


def ask_alone(page: Path, width: int, probe: str, folder: Path) -> Any:
    """What a probe found in a page that has the focus; at least 500 pixels wide."""
    return _heard(_copy("alone", page, probe, folder), width, folder)["alone"]


def print_page(page: Path, folder: Path) -> Path:
    """The page on paper, as the browser prints it: a PDF."""
    assert CHROMIUM
    pdf = folder / "paper.pdf"
    own = (f"--user-data-dir={folder / 'profile'}", "--no-pdf-header-footer")
    subprocess.run(
        [CHROMIUM, *_OPTIONS, *own, f"--print-to-pdf={pdf}", page.as_uri()],
        capture_output=True,
        check=True,
        timeout=120,
    )
    return pdf


def _copy(name: str, page: Path, probe: str, folder: Path) -> str:
    script = _PROBE % (probe, _HEARD)
    html = with_script(page.read_text(encoding="utf-8"), script)
    head, _, tail = html.rpartition("</body>")
    copy = folder / f"probe-{name}.html"
    copy.write_text(f"{head}<script>{script}</script></body>{tail}", encoding="utf-8")
    return f"{copy.as_uri()}#probe-{name}"


def _heard(url: str, width: int, folder: Path) -> dict[str, Any]:
    assert CHROMIUM
    own = (f"--user-data-dir={folder / 'profile'}", f"--window-size={width},1000")
    done = subprocess.run(
        [CHROMIUM, *_OPTIONS, *own, "--dump-dom", url],
        capture_output=True,
        check=True,
        timeout=120,
    )
    found = re.findall(r">SAID(.*?)END<", done.stdout.decode("utf-8"), re.DOTALL)
    said = [json.loads(html.unescape(text)) for text in found]
    assert [one["errors"] for one in said if one["errors"]] == []
    answers = {one["name"]: one["said"] for one in said}
    failed = {name: text for name, text in answers.items() if isinstance(text, str)}
    assert not failed, failed
    return answers
