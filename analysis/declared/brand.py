"""The look of a company: ``templates/_brand.yml``, in Quarto's format for brands.

Names and meanings are those of https://quarto.org/docs/authoring/brand.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import Field

from analysis.declared.base import Declared, check_declared, line_of, load_yaml
from analysis.declared.mistakes import form, nearest_of
from analysis.declared.names import Id
from analysis.errors import Issue, Place, raise_if
from analysis.files.inputs import kind_of
from analysis.files.limits import FONT_BYTES, KIB, LOGO_BYTES

BRAND_FILE = "_brand.yml"
_HEX = r"^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"
_COLOUR = r"^(#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}|[A-Za-z][A-Za-z0-9_-]*)$"
_WORDS = "a colour as #rgb or #rrggbb, or the name of one of the palette"
_FAMILY = r"^[A-Za-z0-9][A-Za-z0-9 _.-]{0,60}$"
_LOGOS = (".svg", ".png", ".jpg", ".jpeg")
_FONTS = (".ttf", ".otf")
_UNUSED = (
    *(("color", name) for name in ("tertiary", "info", "light", "dark")),
    *(("typography", name) for name in ("monospace", "monospace-inline", "link")),
    ("typography", "monospace-block"),
    *(("typography", "headings", name) for name in ("family", "weight", "style")),
    ("typography", "headings", "line-height"),
    ("defaults",),
)
Hex = Annotated[str, Field(pattern=form(_HEX, "a colour as #rgb or #rrggbb"))]
Colour = Annotated[str, Field(pattern=form(_COLOUR, _WORDS))]
Family = Annotated[str, Field(pattern=form(_FAMILY, "the name of a typeface"))]


class Shades(Declared):
    """A colour of each theme."""

    light: Colour
    """On white, and on paper."""
    dark: Colour | None = None
    """In the dark theme; left out, the other one made light enough to be read, but for
    texts and what is behind them, which are as without a brand."""


Paint = Colour | Shades


class Colours(Declared):
    """Colours, by what they are for."""

    palette: Mapping[Id, Hex] = Field(default_factory=dict)
    """Colours with names of one's choice. The data of figures are drawn in ``series-1``
    to ``series-4``, baselines in ``baseline``."""
    foreground: Paint | None = None
    """Text."""
    background: Paint | None = None
    """What is behind the text of pages; paper stays white."""
    primary: Paint | None = None
    """Links and rules, and the first series of figures unless ``series-1`` is named."""
    secondary: Paint | None = None
    """Text that may be overlooked."""
    success: Paint | None = None
    """What is better."""
    danger: Paint | None = None
    """What is worse."""
    warning: Paint | None = None
    """Drafts, doubts."""
    link: Paint | None = None
    """Links and rules, where they are not ``primary``."""
    tertiary: Paint | None = None
    """Not used."""
    info: Paint | None = None
    """Not used."""
    light: Paint | None = None
    """Not used."""
    dark: Paint | None = None
    """Not used."""


class LogoFile(Declared):
    """A file of a logo."""

    path: str
    """The file, an SVG, PNG or JPEG, from the folder of this file."""
    alt: str = ""
    """The logo in words."""


class LogoShades(Declared):
    """A logo of each theme."""

    light: str
    """The one on white, and on paper."""
    dark: str = ""
    """The one in the bar of pages in the dark theme; left out, the other one stands on
    white there."""


class Logo(Declared):
    """The logo in its sizes, of which the first that is there is shown."""

    images: Mapping[Id, str | LogoFile] = Field(default_factory=dict)
    """Files with names, which sizes may refer to."""
    medium: str | LogoShades | None = None
    """The one for the cover and the bar."""
    large: str | LogoShades | None = None
    """Shown where there is no ``medium``."""
    small: str | LogoShades | None = None
    """Shown where there is no other."""


class FontFile(Declared):
    """One cut of a typeface."""

    path: str
    """The file, TTF or OTF, from the folder of this file."""
    weight: int = Field(default=400, ge=100, le=900)
    """400 is regular, 600 or 700 bold."""
    style: Literal["normal", "italic"] = "normal"
    """Upright or slanted."""


class Font(Declared):
    """A typeface."""

    family: Family
    """Its name, as the files have it."""
    source: Literal["file"]
    """Where it is from: pages ask no other machine for anything."""
    files: Annotated[tuple[FontFile, ...], Field(min_length=1)]
    """Its cuts."""


class Base(Declared):
    """How text is set."""

    family: Family
    """Its typeface, one of ``fonts``."""


class Headings(Declared):
    """Titles and headings."""

    color: Paint | None = None
    """Their colour in all formats; left out, that of texts."""
    family: Any = None
    """Not used."""
    weight: Any = None
    """Not used."""
    style: Any = None
    """Not used."""
    line_height: Any = Field(default=None, alias="line-height")
    """Not used."""


class Typography(Declared):
    """Typefaces."""

    fonts: tuple[Font, ...] = ()
    """Those that are used."""
    base: Family | Base | None = None
    """That of pages, the PDF and office files; figures keep theirs, by which they are
    laid out."""
    headings: Headings = Headings()
    """Titles and headings."""
    monospace: Any = None
    """Not used."""
    monospace_inline: Any = Field(default=None, alias="monospace-inline")
    """Not used."""
    monospace_block: Any = Field(default=None, alias="monospace-block")
    """Not used."""
    link: Any = None
    """Not used."""


class Brand(Declared):
    """All of the file."""

    meta: Any = None
    """The name of the company and its links; not used."""
    color: Colours = Colours()
    """Colours of pages, the PDF, slides, office files and figures."""
    logo: str | Logo | None = None
    """The logo of covers and first slides, and of the bar on top of pages."""
    typography: Typography = Typography()
    """Typefaces."""
    defaults: Any = None
    """Not used."""

    def shades(self, name: str) -> tuple[str, str] | None:
        """A colour in the light and in the dark theme as ``#rrggbb``, empty where it is
        not given; None for one that is not declared at all."""
        paint = self.color.palette.get(name) or getattr(self.color, name, None)
        if name == "headings":
            paint = self.typography.headings.color
        if paint is None:
            return None
        both = paint if isinstance(paint, Shades) else Shades(light=paint)
        return self._hex(both.light), self._hex(both.dark) if both.dark else ""

    def _hex(self, colour: str) -> str:
        digits = self.color.palette.get(colour, colour).lower().removeprefix("#")
        return "#" + (digits if len(digits) == 6 else "".join(2 * d for d in digits))

    @property
    def logos(self) -> tuple[LogoFile, ...]:
        """The file of the logo, and that for the dark theme if it is another one."""
        logo = self.logo if isinstance(self.logo, Logo) else Logo(medium=self.logo)
        wanted = logo.medium or logo.large or logo.small or ""
        both = wanted if isinstance(wanted, LogoShades) else LogoShades(light=wanted)
        files = (logo.images.get(n, n) for n in (both.light, both.dark) if n)
        return tuple(LogoFile(path=f) if isinstance(f, str) else f for f in files)

    @property
    def font(self) -> Font | None:
        """The typeface of texts."""
        base = self.typography.base
        family = base.family if isinstance(base, Base) else base
        return next((f for f in self.typography.fonts if f.family == family), None)


def read_brand(templates: Path) -> Brand | None:
    """The brand of a project's templates, None where it has none; a
    :class:`analysis.errors.UserError` carries all mistakes."""
    path = templates / BRAND_FILE
    if not path.is_file():
        return None
    data, node = load_yaml(path)
    brand = check_declared(data or {}, node, Brand, path)
    raise_if(list(_mistakes(brand, path, node)))
    return brand


def unused_entries(path: Path) -> Iterator[Issue]:
    """Warnings of what a brand has for Quarto, and what nothing here uses."""
    data, node = load_yaml(path)
    for keys in _UNUSED:
        part: Any = data or {}
        for key in keys:
            part = part.get(key) if isinstance(part, dict) else None
        if part is not None:
            what, mend = f"{'.'.join(keys)} is not used", "leave it out"
            yield Issue(what, Place(str(path), line_of(node, keys)), mend)


def _mistakes(brand: Brand, path: Path, node: Any) -> Iterator[Issue]:
    palette = brand.color.palette

    def place(*keys: Any) -> Place:
        return Place(str(path), line_of(node, keys))

    named: dict[tuple[str, ...], str] = {
        ("color", "palette", name): colour for name, colour in palette.items()
    }
    roles = set(type(brand.color).model_fields) - {"palette"}
    paints: dict[tuple[str, ...], Paint | None] = {
        ("color", role): getattr(brand.color, role) for role in roles
    }
    paints["typography", "headings", "color"] = brand.typography.headings.color
    for place_of, paint in paints.items():
        if isinstance(paint, Shades):
            named[(*place_of, "light")] = paint.light
            named[(*place_of, "dark")] = paint.dark or paint.light
        elif paint:
            named[place_of] = paint
    for keys, colour in named.items():
        if not colour.startswith("#") and colour not in palette:
            or_else = f", or {nearest_of(colour, palette)}" if palette else ""
            mend = f"write it as #rrggbb{or_else}"
            yield Issue(f"there is no colour {colour!r}", place(*keys), mend)
    for logo in brand.logos:
        yield from _file(logo.path, _LOGOS, path, place("logo"))
    for number, font in enumerate(brand.typography.fonts):
        for count, file in enumerate(font.files):
            where = place("typography", "fonts", number, "files", count)
            yield from _file(file.path, _FONTS, path, where)
    if brand.typography.base and not brand.font:
        known = [font.family for font in brand.typography.fonts]
        what = "the typeface of the base is none of the fonts"
        yield Issue(what, place("typography", "base"), nearest_of("", known))


def _file(
    name: str, kinds: tuple[str, ...], brand: Path, place: Place
) -> Iterator[Issue]:
    """What is wrong with a file that a brand names."""
    logo = kinds == _LOGOS
    most, limit = (LOGO_BYTES, "LOGO_BYTES") if logo else (FONT_BYTES, "FONT_BYTES")
    parts, file = PurePosixPath(name), brand.parent / name
    inside = "copy it into the folder of the brand, and write its path from there"
    if "\\" in name or ":" in name or parts.is_absolute() or ".." in parts.parts:
        yield Issue(f"{name!r} is no file below the folder", place, inside)
    elif parts.suffix.lower() not in kinds:
        yield Issue(f"{name!r} is none of {', '.join(kinds)}", place, "convert it")
    elif not file.exists():
        yield Issue(f"the file {name} is missing", place, inside)
    elif not file.resolve().is_relative_to(brand.parent.resolve()):
        yield Issue(f"{name!r} leads out of the folder", place, inside)
    elif kind := kind_of(file.stat().st_mode):
        yield Issue(f"{name!r} is {kind}", place, "name a file")
    elif (size := file.stat().st_size) > most:
        what = f"{name} has {size // KIB} KiB; at most {most // KIB} are read"
        yield Issue(f"{what} ({limit})", place, "make it smaller")
