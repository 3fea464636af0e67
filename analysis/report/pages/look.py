"""The look of reports where a company has one: colours, typeface and logo.

``templates/_brand.yml`` declares it. All files of the house write its colours as
variables of ``house.css``, or as the hexes that these have in the light theme: another
look is the same files with other hexes. Without a brand nothing is changed.
"""

from __future__ import annotations

import base64
import html
import io
import re
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from analysis.declared.base import line_of, load_yaml
from analysis.declared.brand import BRAND_FILE, Brand, read_brand, unused_entries
from analysis.errors import Issue, Place, raise_if
from analysis.files.templates import template_file
from analysis.report.pages.fonts import FAMILY, family_css, font_css

STYLE = "house.css"
FONTS = "brand-fonts"  # a folder of the extension, for Typst
LOGO = "logo"  # a file of the extension, for Typst and office programs
Shade = tuple[str, str]  # in the light and in the dark theme
_PAINT = re.compile(
    r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)|#[0-9a-fA-F]{6}(?![0-9a-fA-F])"
)
_PART = re.compile(rb'="([0-9a-fA-F]{6})"')  # a colour in a part of an office file
_LATIN = re.compile(rb'(<a:latin typeface=")[^"+]+')
_TEXTS = {".css", ".typ", ".html"}
_OFFICE = {".docx", ".pptx"}
_NAMES = {  # the entries of a brand, for the variables of house.css; the first counts
    "paper": ("background",),
    "ink": ("foreground",),
    "ink-2": ("secondary",),
    "accent": ("link", "primary"),
    "better": ("success",),
    "worse": ("danger",),
    "good": ("success",),
    "bad": ("danger",),
    "doubt": ("warning",),
    "data-0": ("baseline",),
    "data-1": ("series-1", "primary"),
    "data-2": ("series-2",),
    "data-3": ("series-3",),
    "data-4": ("series-4",),
}
_VERDICTS = ("good", "bad", "doubt")  # words in the colour of a mark: made readable
_DOUBTS = ("#8e6a00", "#7a5b00")  # the same colour on paper
_MARKS = ("better", "worse", "data-0", "data-1", "data-2", "data-3", "data-4")
_TEXT, _MARK = 4.5, 3.0  # contrast that WCAG 2.2 AA asks for: 1.4.3 and 1.4.11
_NEAR = 60.0  # of colours that look alike: their distance in RGB
_TYPES = {".svg": "image/svg+xml", ".png": "image/png"}
_BEGINS = {".png": b"\x89PNG", ".jpg": b"\xff\xd8", ".jpeg": b"\xff\xd8"}
_LOGO = '<img class="logo{}" src="data:{};base64,{}" alt="{}">\n'
_THEMES = ("", " for-dark")
# Of the logo in pages: what opens the bar, the cover, or the first slide.
_PLACES = (
    '<div class="bar">\n',
    '<div class="cover">\n',
    '<section class="cover" id="cover">\n',
)
_RULES = """
.cover > .logo { height: 64px; align-self: flex-start; }
div.cover > .logo { margin-bottom: 1.2rem; }
.bar > .logo { height: 1.8rem; }
:is(.bar, div.cover) > .logo { padding: 0.15rem; border-radius: 2px;
  background: light-dark(transparent, #fff); }
:is(.bar, div.cover) > .for-dark { background: none; }
.logo.for-dark, [data-theme="dark"] .logo:has(+ .for-dark) { display: none; }
[data-theme="dark"] .logo.for-dark { display: inline; }
@media (prefers-color-scheme: dark) {
  :root:not([data-theme]) :is(.bar, div.cover) > .logo:has(+ .for-dark) {
    display: none; }
  :root:not([data-theme]) :is(.bar, div.cover) > .for-dark { display: inline; }
}
@media (max-width: 600px) { .bar > .logo { display: none !important; } }
@media print { .logo { display: inline !important; }
  .logo.for-dark { display: none !important; } }
"""
_TITLES = "h1, h2, h3, h4, h5 {{ color: light-dark({}, {}); }}\n"
_HEADINGS = "#let headings(body) = {\n"  # of Typst
_PAINTED = """  show selector.or(heading, std.title): set text(fill: rgb("{}"))
"""
_OF_TITLES = re.compile(rb'(<p:titleStyle>.*?<a:)schemeClr val="tx1"', re.DOTALL)
_WORD_HEADING = "171717"  # in styles of headings of the house's file for Word
_PRINTED = "#let logo = none "


@dataclass(frozen=True)
class Look:
    """A brand as it is applied to the files of the house in ``templates``."""

    brand: Brand
    templates: Path

    @cached_property
    def house(self) -> dict[str, Shade]:
        """The colours of the house by the variables of its style."""
        style = template_file(self.templates, STYLE).read_text(encoding="utf-8")
        return {
            each[1]: (each[2], each[3]) for each in _PAINT.finditer(style) if each[1]
        }

    @cached_property
    def colours(self) -> dict[str, Shade]:
        """Those that the brand has other ones for."""
        colours: dict[str, Shade] = {}
        for variable, names in _NAMES.items():
            shades = next(filter(None, map(self.brand.shades, names)), None)
            if shades:
                papers = colours.get("paper", self.house["paper"])
                colours[variable] = self._both(variable, shades, papers)
        if "accent" in colours:
            papers = colours.get("paper", self.house["paper"])
            pairs = zip(colours["accent"], papers, strict=True)
            light, dark = (mixed(accent, paper, 0.08) for accent, paper in pairs)
            colours["accent-ground"] = light, dark
        return colours

    def _both(self, variable: str, shades: Shade, papers: Shade) -> Shade:
        light, dark = shades
        if variable in ("paper", "ink", "ink-2"):
            return light, dark or self.house[variable][1]
        need = _MARK if variable in _MARKS else _TEXT
        shown = readable(light, papers[0], need) if variable in _VERDICTS else light
        return shown, dark or readable(light, papers[1], need)

    @cached_property
    def hexes(self) -> dict[str, str]:
        """What stands for a hex of the house where there is one theme.

        Each is another one, so that a page knows what a drawing's colour is for.
        """
        taken, hexes = {light for light, _ in self.house.values()}, {}
        for variable, (light, _) in self.colours.items():
            own = self.house[variable][0]
            if variable == "paper" or light == own:  # paper stays white
                continue
            while light in taken:
                light = f"#{(int(light[1:], 16) + 1) % 0x1000000:06x}"
            taken.add(light)
            hexes[own] = light
        if doubt := hexes.get(self.house["doubt"][0]):
            hexes |= dict.fromkeys(_DOUBTS, doubt)
        return hexes

    @cached_property
    def heading(self) -> Shade | None:
        """The colour of headings, where it is another one than that of texts."""
        shades = self.brand.shades("headings")
        papers = self.colours.get("paper", self.house["paper"])
        return shades and self._both("heading", shades, papers)

    def text(self, text: str) -> str:
        """A text of the house, a style or a template, in the colours of the brand."""

        def painted(found: re.Match[str]) -> str:
            if not found[1]:
                return self.hexes.get(found[0].lower(), found[0])
            both = self.colours.get(found[1])
            return f"--{found[1]}: light-dark({', '.join(both)})" if both else found[0]

        return _PAINT.sub(painted, text)

    def style(self, text: str) -> str:
        """A style sheet, in the colours and the typeface of the brand."""
        font = self.brand.font
        named = f'"{font.family}", "{FAMILY}"' if font else f'"{FAMILY}"'
        return self.text(text).replace(f'"{FAMILY}"', named)

    def drawing(self, svg: str) -> str:
        """A drawing in the colours of the brand; it notes what each of them is for."""
        names = {light: name for name, (light, _) in self.house.items()}
        used = sorted({hex.lower() for hex in re.findall(r"#[0-9a-fA-F]{6}", svg)})
        noted = (f"{self.hexes[h]}={names[h]}" for h in used if h in self.hexes)
        head, tag, rest = self.text(svg).partition("<svg")
        return f"{head}<!-- colours {' '.join(noted)} -->{tag}{rest}"

    @cached_property
    def logo(self) -> str:
        """The logo as an element of a page, or one of each theme; empty without any."""
        made = ""
        for theme, picture in zip(_THEMES, self.brand.logos, strict=False):
            file = self.templates / picture.path
            kind = _TYPES.get(file.suffix.lower(), "image/jpeg")
            data = base64.b64encode(file.read_bytes()).decode("ascii")
            made += _LOGO.format(theme, kind, data, html.escape(picture.alt))
        return made

    def page(self, page: str, escape: str = "$") -> str:
        """A page, or Pandoc's template of one, with the logo in its bar."""
        logo = self.logo.replace("$", escape)
        for place in _PLACES:
            page = page.replace(place, place + logo, 1)
        return page

    def copy(self, source: Path, target: Path) -> None:
        """A file of the extension, as a document has it."""
        suffix = source.suffix
        if suffix in _OFFICE:
            target.write_bytes(self._office(source.read_bytes()))
        elif suffix in _TEXTS:
            text = source.read_text(encoding="utf-8")
            made = self._paper(text, target) if suffix == ".typ" else self.style(text)
            page = self.page(made, "$$") if suffix == ".html" else made
            target.write_text(page, encoding="utf-8")
        else:
            shutil.copyfile(source, target)

    def _paper(self, text: str, target: Path) -> str:
        """A file for Typst; the files that it names lie beside it."""
        text, font = self.text(text), self.brand.font
        if font:
            folder = target.parent / FONTS
            folder.mkdir(exist_ok=True)
            for file in font.files:
                shutil.copyfile(
                    self.templates / file.path, folder / Path(file.path).name
                )
            text = text.replace(
                f'font: "{FAMILY}"', f'font: ("{font.family}", "{FAMILY}")'
            )
        if self.heading:
            text = text.replace(_HEADINGS, _HEADINGS + _PAINTED.format(self.heading[0]))
        if self.brand.logos and _PRINTED in text:
            picture = self.brand.logos[0]
            logo = f"{LOGO}{Path(picture.path).suffix.lower()}"
            shutil.copyfile(self.templates / picture.path, target.parent / logo)
            words = picture.alt or "Logo"
            (target.parent / f"{LOGO}.txt").write_text(words, "utf-8")
            alt = re.sub(r'[\\"]', r"\\\g<0>", words)
            image = f'#let logo = image("{logo}", height: 14mm, alt: "{alt}") '
            text = text.replace(_PRINTED, image)
        return text

    def _office(self, data: bytes) -> bytes:
        """The file that gives Word or PowerPoint their look."""
        hexes = {old[1:].upper(): new[1:].upper() for old, new in self.hexes.items()}
        font, made = self.brand.font, io.BytesIO()
        heading = self.heading[0] if self.heading else self.hexes.get("#161616")
        if heading:
            hexes[_WORD_HEADING] = heading[1:].upper()

        def painted(found: re.Match[bytes]) -> bytes:
            other = hexes.get(found[1].decode().upper())
            return f'="{other}"'.encode() if other else found[0]

        with (
            zipfile.ZipFile(io.BytesIO(data)) as old,
            zipfile.ZipFile(made, "w") as new,
        ):
            for part in old.infolist():
                content = _PART.sub(painted, old.read(part))
                if self.heading:
                    title = rb'\g<1>srgbClr val="' + self.heading[0][1:].encode() + b'"'
                    content = _OF_TITLES.sub(title, content)
                if font and "/theme/" in part.filename:
                    content = _LATIN.sub(rb"\g<1>" + font.family.encode(), content)
                new.writestr(part, content)
        return made.getvalue()

    def faces(self, cache: Path) -> str:
        """The rules of the typeface of the brand, for a page."""
        font = self.brand.font
        cuts = (
            [(self.templates / f.path, f.weight, f.style) for f in font.files]
            if font
            else []
        )
        return family_css(font.family, cuts, cache) if font else ""

    def doubts(self) -> Iterator[Issue]:
        """What a reader may not be able to read, or may take for something else."""
        path = self.templates / BRAND_FILE
        yield from unused_entries(path)
        _, node = load_yaml(path)
        papers = self.colours.get("paper", self.house["paper"])
        shown = {**self.colours, **({"heading": self.heading} if self.heading else {})}
        for variable, colours in shown.items():
            if variable in ("paper", "accent-ground", *_VERDICTS):
                continue
            kind, need = ("a mark", _MARK) if variable in _MARKS else ("text", _TEXT)
            names = _NAMES.get(variable, ("headings",))
            name = next(name for name in names if self.brand.shades(name))
            keys = ("typography",) if name == "headings" else ("color",)
            place = Place(str(path), line_of(node, (*keys, name)))
            for colour, paper in zip(colours, papers, strict=True):
                ratio = contrast(colour, paper)
                if ratio < need:
                    yield Issue(
                        f"{name} {colour} has a contrast of {ratio:.1f} to {paper}; "
                        f"{kind} needs {need} (WCAG AA)",
                        place,
                        "choose one that differs more in brightness",
                    )
        shown = {**self.house, **self.colours}
        series = [name for name in self.colours if name.startswith("data-")]
        place = Place(str(path), line_of(node, ("color",)))
        for name in series:
            for verdict in ("better", "worse"):
                if _distance(shown[name][0], shown[verdict][0]) < _NEAR:
                    yield Issue(
                        f"{shown[name][0]}, the colour of a series, is near that of "
                        f"what is {verdict}",
                        place,
                        f"name another one in the palette: series-{name[-1]}",
                    )


def look_of(templates: Path) -> Look | None:
    """The look of a project's brand, None where it has none.

    A :class:`analysis.errors.UserError` carries all mistakes of it and of its logo.
    """
    brand = read_brand(templates)
    for logo in brand.logos if brand else ():
        raise_if(list(_damaged(templates / logo.path)))
    return Look(brand, templates) if brand else None


def _damaged(logo: Path) -> Iterator[Issue]:
    """Whether a file is another thing than its name says; what an SVG may hold is
    checked with the pages that have it."""
    data, begin = logo.read_bytes(), _BEGINS.get(logo.suffix.lower())
    if not (data.startswith(begin) if begin else b"<svg" in data):
        what = f"this is no {logo.suffix[1:].upper()}"
        yield Issue(what, Place(str(logo)), "export it again")


def styles(templates: Path, *names: str) -> str:
    """Style sheets of the house as one, in the look of the project."""
    look = look_of(templates)
    texts = (template_file(templates, name).read_text("utf-8") for name in names)
    if not look:
        return "".join(texts)
    rules = _RULES if look.brand.logos else ""
    if look.heading:
        rules += _TITLES.format(*look.heading)
    return "".join([*map(look.style, texts), rules])


def faces(templates: Path, cache: Path) -> str:
    """The rules of all typefaces of a page."""
    look = look_of(templates)
    own = look.faces(cache) if look else ""
    return "\n".join(filter(None, (font_css(cache), own)))


def _channels(hex: str) -> tuple[int, int, int]:
    return int(hex[1:3], 16), int(hex[3:5], 16), int(hex[5:7], 16)


def contrast(colour: str, ground: str) -> float:
    """The ratio of their brightness, 1 to 21, by WCAG 2.2."""

    def brightness(hex: str) -> float:
        parts = (channel / 255 for channel in _channels(hex))
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((brightness(colour), brightness(ground)))
    return (high + 0.05) / (low + 0.05)


def mixed(colour: str, other: str, share: float) -> str:
    """A colour of which so much is the first, the rest the other."""
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def readable(colour: str, ground: str, need: float) -> str:
    """A colour, mixed with as little white or black as its contrast needs."""
    extremes = ("#ffffff", "#000000")
    end = max(extremes, key=lambda extreme: contrast(extreme, ground))
    shares = (1 - step / 20 for step in range(20))
    fits = (mixed(colour, end, share) for share in shares)
    return next((made for made in fits if contrast(made, ground) >= need), end)


def _distance(colour: str, other: str) -> float:
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)
