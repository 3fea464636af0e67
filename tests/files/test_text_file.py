"""Text files that are none are told as such."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.files.text_file import read_text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "text.md"


def mistake(path: Path) -> str:
    with pytest.raises(UserError) as caught:
        read_text(path, limit=100, name="SOME_BYTES")
    return str(caught.value)


def test_lines_end_alike(path: Path) -> None:
    path.write_bytes("ä\r\nb\rc\n".encode())
    assert read_text(path) == "ä\nb\nc\n"


def test_what_is_no_file_is_not_opened(path: Path) -> None:
    assert "this file is missing" in mistake(path)
    os.mkfifo(path)
    assert "a device or a pipe" in mistake(path)
    assert "a device or a pipe" in mistake(Path(os.devnull))
    assert "a folder" in mistake(path.parent)


def test_a_loop_of_links_leads_nowhere(path: Path) -> None:
    other = path.with_name("other.md")
    path.symlink_to(other)
    other.symlink_to(path)
    assert "this file cannot be read: Too many levels of symbolic links" in mistake(
        path
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="needs another user than root")
def test_a_file_that_may_not_be_read_says_so(path: Path) -> None:
    path.write_text("x")
    path.chmod(0)
    assert "cannot be read: Permission denied" in mistake(path)


@pytest.mark.parametrize("code", [0, 7, 0xC, 0x1B, 0x7F, 0x85, 0x9F, 0x2028, 0x2029])
def test_a_control_character_is_named_with_its_line(path: Path, code: int) -> None:
    path.write_bytes(f"a\nb{chr(code)}\n".encode())
    assert mistake(path).startswith(f"{path}:2: the control character U+{code:04X}")


def test_a_file_has_a_limit_that_is_named(path: Path) -> None:
    path.write_text("x" * 101)
    assert "101 bytes; at most 100 are read (SOME_BYTES)" in mistake(path)


def test_a_text_in_another_code_gives_its_offset(path: Path) -> None:
    for data in (b"a\xff", "a\ud800".encode("utf-8", "surrogatepass")):
        path.write_bytes(data)
        assert "byte offset 1: not UTF-8 text" in mistake(path)
