from __future__ import annotations

import base64
import io
import re
from pathlib import Path

from fontTools.ttLib import TTFont

from analysis.report.pages.fonts import CHARACTERS, FACES, font_css


def faces(css: str) -> list[bytes]:
    return [base64.b64decode(t) for t in re.findall(r"base64,([^\"]+)", css)]


def test_the_faces_hold_the_signs_of_a_report(fonts: Path) -> None:
    for data in faces(font_css(fonts)):
        known = TTFont(io.BytesIO(data)).getBestCmap()
        assert {ord(sign) for sign in "−≈✓!→µ×²–“”"} <= set(known)
        assert set(known) <= set(CHARACTERS)


def test_the_faces_are_made_once(fonts: Path, tmp_path: Path) -> None:
    first = font_css(tmp_path)
    made = {p.name: p.stat().st_mtime_ns for p in tmp_path.iterdir()}
    assert len(made) == len(FACES)
    assert font_css(tmp_path) == first == font_css(fonts)
    assert {p.name: p.stat().st_mtime_ns for p in tmp_path.iterdir()} == made
