from __future__ import annotations

from pathlib import Path

import pytest

from analysis.declared.brand import BRAND_FILE, Brand, read_brand
from analysis.errors import UserError
from analysis.files.limits import LOGO_BYTES

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'


def written(folder: Path, text: str) -> Path:
    (folder / BRAND_FILE).write_text(text)
    return folder


def read(folder: Path, text: str) -> Brand:
    brand = read_brand(written(folder, text))
    assert brand
    return brand


def test_without_a_file_there_is_no_brand(tmp_path: Path) -> None:
    assert read_brand(tmp_path) is None


def test_colours_are_hexes_or_names_of_the_palette(tmp_path: Path) -> None:
    brand = read(
        tmp_path,
        'color:\n  palette: {sea: "#0AF"}\n  primary: sea\n'
        '  foreground: {light: "#1A1A40", dark: sea}\n',
    )
    assert brand.shades("primary") == ("#00aaff", "")
    assert brand.shades("foreground") == ("#1a1a40", "#00aaff")
    assert brand.shades("sea") == ("#00aaff", "")
    assert brand.shades("danger") is None


@pytest.mark.parametrize(
    ("logo", "shown"),
    [
        ("a.svg", ("a.svg", "")),
        ("{small: b.svg, medium: a.svg}", ("a.svg", "")),
        ("{large: {light: a.svg, dark: ./a.svg}}", ("a.svg", "")),
        ("{images: {m: {path: a.svg, alt: We}}, small: m}", ("a.svg", "We")),
        ("{images: {m: a.svg}, medium: m}", ("a.svg", "")),
    ],
)
def test_the_logo_is_found_in_each_form(
    tmp_path: Path, logo: str, shown: tuple[str, str]
) -> None:
    (tmp_path / "a.svg").write_text(SVG)
    picture = read(tmp_path, f"logo: {logo}\n").logos[0]
    assert picture
    assert (picture.path, picture.alt) == shown


FONT = """typography:
  fonts:
    - {{family: Sea, source: {source}, files: [{{path: {path}}}]}}
  base: {base}
"""


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("color:\n  primary: rgb(1,2,3)\n", 2, "write a colour as #rgb or #rrggbb"),
        ("color:\n  primary: see\n", 2, "there is no colour 'see'"),
        ('color:\n  palette: {sea: "#0af"}\n  primary: see\n', 3, "did you mean 'sea'"),
        ("color:\n  sukcess: sea\n", 2, "did you mean 'success'"),
        ("color:\n  palette:\n    a: b\n", 3, "write a colour as #rgb or #rrggbb"),
        ("logo: none.svg\n", 1, "the file none.svg is missing"),
        ("\nlogo: ../a.svg\n", 2, "'../a.svg' is no file below the folder"),
        ("logo: /etc/passwd\n", 1, "is no file below the folder"),
        ("logo: https://x.example/a.svg\n", 1, "is no file below the folder"),
        ("logo: a\\b.svg\n", 1, "is no file below the folder"),
        ("logo: link.svg\n", 1, "'link.svg' leads out of the folder"),
        ("logo: a.gif\n", 1, "'a.gif' is none of .svg, .png"),
        ("logo: folder.svg\n", 1, "'folder.svg' is a folder"),
        ("logo: large.png\n", 1, "at most 128 are read (LOGO_BYTES)"),
        (FONT.format(source="google", path="a.ttf", base="Sea"), 3, "write 'file'"),
        (FONT.format(source="file", path="a.ttf", base="Sea"), 3, "a.ttf is missing"),
        (FONT.format(source="file", path="b.ttf", base="Bay"), 4, "none of the fonts"),
    ],
)
def test_a_mistake_is_told_with_its_line(
    tmp_path: Path, text: str, line: int, what: str
) -> None:
    (tmp_path / "outside.svg").write_text(SVG)
    folder = tmp_path / "templates"
    (folder / "folder.svg").mkdir(parents=True)
    (folder / "link.svg").symlink_to(tmp_path / "outside.svg")
    (folder / "large.png").write_bytes(b"\x89PNG" + bytes(LOGO_BYTES))
    (folder / "b.ttf").write_bytes(b"\0")
    with pytest.raises(UserError) as caught:
        read_brand(written(folder, text))
    told = str(caught.value)
    assert f"{BRAND_FILE}:{line}: " in told
    assert what in told
