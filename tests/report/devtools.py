"""A headless browser by its own protocol: real keys and clicks, a slow processor.

Chromium reads commands from one pipe and answers into another, so nothing listens on
the network and no other library is needed.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import IO, Any

from tests.report.browser import CHROMIUM, HEADLESS

_OPTIONS = (*HEADLESS, "--hide-scrollbars", "--remote-debugging-pipe")
_KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38}
# What is said to a question that came while the page left for another.
_GONE = ("navigated or closed", "context was destroyed", "find default execution")
# How far things moved that the reader did not move: the sum that browsers report.
_SHIFTS = """
window.moved = 0;
new PerformanceObserver(list => {
  for (const entry of list.getEntries())
    if (!entry.hadRecentInput) moved += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


@dataclass
class Browser:
    """A running browser, and what it said that nobody has asked for yet."""

    commands: IO[bytes]
    answers: BufferedReader
    said: bytearray = field(default_factory=bytearray)
    last: int = 0
    events: list[dict[str, Any]] = field(default_factory=list)

    def call(self, method: str, session: str = "", **given: Any) -> dict[str, Any]:
        """The result of a command; an error is an :class:`AssertionError`."""
        self.last += 1
        said: dict[str, Any] = {"id": self.last, "method": method, "params": given}
        if session:
            said["sessionId"] = session
        self.commands.write(json.dumps(said).encode() + b"\0")
        self.commands.flush()
        while (answer := self._next()).get("id") != self.last:
            self.events.append(answer)
        assert "error" not in answer, (method, answer["error"])
        return dict(answer["result"])

    def wait(self, method: str, session: str) -> dict[str, Any]:
        """The next event of a kind."""
        looked_at = 0  # a page that loads tells of each request
        while True:
            for nth, event in enumerate(self.events[looked_at:], looked_at):
                if (event["method"], event.get("sessionId")) == (method, session):
                    return self.events.pop(nth)
            looked_at = len(self.events)
            self.events.append(self._next())

    def open(self, url: str, width: int = 1440, **like: Any) -> Page:
        """A page in a new tab, loaded; ``like`` has what :meth:`Page.be` takes."""
        tab = self.call("Target.createTarget", url="about:blank")
        found = self.call(
            "Target.attachToTarget", targetId=tab["targetId"], flatten=True
        )
        page = Page(self, found["sessionId"], tab["targetId"])
        page.be(width, **like)
        page.go(url)
        return page

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self.said:
            more = self.answers.read1(1 << 16)
            assert more, "the browser has ended"
            self.said += more
        first, _, self.said = self.said.partition(b"\0")
        return dict(json.loads(first))


@dataclass
class Page:
    """A tab of the browser. ``clicks`` counts those of a reader, keys included."""

    browser: Browser
    session: str
    target: str
    clicks: int = 0

    def call(self, method: str, **given: Any) -> dict[str, Any]:
        """See :meth:`Browser.call`."""
        return self.browser.call(method, self.session, **given)

    def be(self, width: int, dark: bool = False, slow: float = 1) -> None:
        """Take a width in CSS pixels, a theme, and a processor so much slower."""
        for part in ("Page", "Runtime", "Network"):
            self.call(f"{part}.enable")
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=844 if width < 600 else 900,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[theme])
        self.call("Emulation.setCPUThrottlingRate", rate=slow)
        self.call("Page.addScriptToEvaluateOnNewDocument", source=_SHIFTS)

    def go(self, url: str) -> None:
        """Load an address."""
        self.call("Page.navigate", url=url)
        self.browser.wait("Page.loadEventFired", self.session)
        self.until(
            "document.readyState === 'complete' && location.href !== 'about:blank'"
        )

    def close(self) -> None:
        """Close the tab: a slowed one takes processor time as long as it is open."""
        self.browser.call("Target.closeTarget", targetId=self.target)

    def ask(self, script: str) -> Any:
        """The value of an expression, awaited; an error is an AssertionError."""
        said = self.call(
            "Runtime.evaluate",
            expression=script,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        assert "exceptionDetails" not in said, said["exceptionDetails"]
        return said["result"].get("value")

    def until(self, script: str, seconds: float = 10) -> None:
        """Wait until an expression is true, also while the page goes to another."""
        ends = time.monotonic() + seconds
        while not self._holds(script):
            assert time.monotonic() < ends, f"never true: {script}"
            time.sleep(0.02)

    def _holds(self, script: str) -> bool:
        try:
            return bool(self.ask(f"Boolean({script})"))
        except AssertionError as error:
            if not any(gone in str(error) for gone in _GONE):
                raise
            return False

    def press(self, key: str) -> None:
        """Press and release a key."""
        given: dict[str, Any] = {"key": key, "code": key}
        given |= {"windowsVirtualKeyCode": _KEYS.get(key, 0)}
        if key == "Enter":
            given["text"] = "\r"
        self.call("Input.dispatchKeyEvent", type="keyDown", **given)
        self.call("Input.dispatchKeyEvent", type="keyUp", **given)

    def write(self, text: str) -> None:
        """Write into what has the focus."""
        self.call("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        """Click the middle of the first element of a selector that is shown."""
        self.clicks += 1
        x, y = self.ask(_MIDDLE % json.dumps(selector))
        for kind in ("mousePressed", "mouseReleased"):
            self.call(
                "Input.dispatchMouseEvent",
                type=kind, x=x, y=y, button="left", clickCount=1,
            )  # fmt: skip

    def picture(self, path: Path, whole: bool = False) -> None:
        """Save what is seen, or the whole page, as a PNG."""
        import base64

        said = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(said["data"]))


# A page that is still laid out moves under a click: wait until it is at rest.
_MIDDLE = """(async () => {
  const frame = () => new Promise(done => setTimeout(done, 20));
  await document.fonts.ready;
  let before = "";
  for (let tries = 0; tries < 500; tries++, await frame()) {
    const shown = [...document.querySelectorAll(%s)]
      .find(found => found.checkVisibility() && found.getClientRects().length);
    if (!shown) continue;
    const seen = shown.getBoundingClientRect();
    if (seen.top < 60 || seen.bottom > innerHeight)
      shown.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = shown.getClientRects()[0];
    const middle = [left + width / 2, top + height / 2];
    const there = shown.contains(document.elementFromPoint(...middle));
    if (there && before === String(middle)) return middle;
    if (!there) shown.scrollIntoView({ block: "center", behavior: "instant" });
    before = String(middle);
  }
  throw new Error("nothing of this selector is shown at rest, uncovered");
})()"""


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser whose profile lies in a folder."""
    assert CHROMIUM
    (hers, ours), (here, theirs) = os.pipe(), os.pipe()
    start = f'exec "$@" 3<&{hers} 4>&{theirs}'
    command = ["bash", "-c", start, "bash", CHROMIUM, *_OPTIONS]
    running = subprocess.Popen(
        [*command, f"--user-data-dir={folder / 'profile'}"],
        pass_fds=(hers, theirs),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(hers)
    os.close(theirs)
    with os.fdopen(ours, "wb") as commands, os.fdopen(here, "rb") as answers:
        try:
            yield Browser(commands, answers)
        finally:
            running.terminate()
            running.wait()
            running.wait(timeout=20)
