"""A figure of a study's own: a Python file takes the facts, and gives plot and words.

The file is run only where ``edition.yaml`` allows it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import plotnine as p9
import polars as pl

from analysis.errors import UserError, user_error
from analysis.facts.fact import Facts
from analysis.figures import page, words
from analysis.figures.kind import FigureKind
from analysis.figures.select import fact_frame, with_runs, with_values
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet
from analysis.figures.svg import draw_plot

SECONDS = 60  # that a file may take
_HEIGHT, _HEIGHTS = 80.0, (20.0, 250.0)  # mm
_STATED = {"title": str, "alt": str, "subtitle": str, "height": (int, float)}
_MEND = "return a plot of plotnine and a dict with title and alt"
_STROKES = words.Strokes("", "some values", "")


class Made(NamedTuple):
    """What a file made: plot and words, and the line of its function."""

    plot: p9.ggplot
    stated: dict[str, Any]
    line: int


def data_python(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The values of a figure, each followed by its runs, and then the changes.

    ``colour`` is that of the configuration.
    """
    values = with_runs(fact_frame(facts, setting, "value"), facts)
    changes = with_values(fact_frame(facts, setting, "delta"), facts)
    colour = pl.col("configuration").replace_strict(setting.colours, default=page.SOFT)
    return pl.concat([values, changes]).with_columns(colour=colour)


def words_python(frame: pl.DataFrame, setting: Setting) -> page.Words:
    """The words that the file states, above the foot that all figures have."""
    stated = _made(frame, setting, page.WIDE).stated
    title, subtitle, alt = (
        " ".join(stated.get(name, "").split()) for name in ("title", "subtitle", "alt")
    )
    return page.Words(title, subtitle, words.foot_line([], frame, _STROKES), alt)


def plot_python(frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """The plot of the file, laid out by plotnine on the width of the sheet."""
    format = sheet.format
    made = _made(frame, setting, format)
    height = float(made.stated.get("height", _HEIGHT))
    if not format.stacked:
        height *= format.width / page.WIDE.width
    size = (format.width, height)
    inches = (size[0] / 25.4, size[1] / 25.4)
    with _errors_told(setting, made.line):
        plot = made.plot + p9.theme(figure_size=inches, dpi=72)
        elements = draw_plot(plot, None, size, f"{setting.id}-{format.width:g}")
    sheet.picture(elements, height)


def house_theme(format: page.PageFormat) -> p9.theme:
    """The look that a plot has where its file says nothing else."""
    small = p9.element_text(size=format.small, color=page.SOFT)
    return p9.theme_minimal(format.text, page.FAMILY) + p9.theme(
        text=p9.element_text(color=page.INK),
        axis_text=small,
        axis_title=small,
        legend_text=small,
        strip_text=p9.element_text(size=format.text, color=page.INK),
        panel_grid_major=p9.element_line(color=page.GRID, size=0.28),
        panel_grid_minor=p9.element_blank(),
        legend_position="bottom" if format.stacked else "right",
        plot_margin=0.01,
    )


def _made(frame: pl.DataFrame, setting: Setting, format: page.PageFormat) -> Made:
    """What the file of a figure makes of the facts for a format."""
    file = setting.file
    if file is None:  # a setting that nobody read
        raise user_error(f"figure {setting.figure.id} has no file", setting.place.file)
    names: dict[str, Any] = {"__name__": setting.figure.id}
    page.use_report_font()
    with _errors_told(setting, 1), _house_look(format):
        exec(compile(file.text, file.path, "exec", dont_inherit=True), names)  # noqa: S102
        draw: Callable[[pl.DataFrame], Any] | None = names.get("figure")
        code = getattr(draw, "__code__", None)
        if draw is None or code is None:
            mend = "define figure(facts) in it"
            raise user_error("has no function figure", file.path, 1, mend=mend)
        line = int(code.co_firstlineno)
        returned = draw(frame)
    return Made(*_checked(returned, setting, line), line)


def _checked(
    returned: Any, setting: Setting, line: int
) -> tuple[p9.ggplot, dict[str, Any]]:
    """A plot and words; what else a file returned is told at the ``line``."""

    def wrong(what: str, mend: str = _MEND) -> UserError:
        path = setting.file.path if setting.file else ""
        return user_error(f"figure {setting.figure.id}: {what}", path, line, mend=mend)

    match returned:
        case (p9.ggplot() as plot, dict() as stated):
            pass
        case _:
            raise wrong(f"figure() returns {type(returned).__name__}, no plot and dict")
    for name, value in stated.items():
        if name not in _STATED:
            known = ", ".join(_STATED)
            raise wrong(f"its words have no {str(name)!r}", f"they are {known}")
        if not isinstance(value, _STATED[name]) or isinstance(value, bool):  # type: ignore[arg-type]
            raise wrong(f"its {name} is {type(value).__name__}")
    for name in ("title", "alt"):
        declared = setting.alt if name == "alt" else setting.title
        if not (declared or "").strip() and not stated.get(name, "").strip():
            raise wrong(f"it has no {name}", f"return {name}, in words, in its dict")
    low, high = _HEIGHTS
    if not low <= stated.get("height", _HEIGHT) <= high:
        raise wrong("its height will not do", f"give {low:g} to {high:g} mm")
    return plot, stated


@contextmanager
def _house_look(format: page.PageFormat) -> Iterator[None]:
    """Plots that are begun here have the look of the house."""
    before = p9.options.get_option("current_theme")
    p9.theme_set(house_theme(format))
    try:
        yield
    finally:
        p9.options.set_option("current_theme", before)


@contextmanager
def _errors_told(setting: Setting, line: int) -> Iterator[None]:
    """What goes wrong in a file is told at its line, or at ``line`` where plotnine
    fails; random numbers are the same each time."""
    path = setting.file.path if setting.file else ""
    state = np.random.get_state()
    np.random.seed(0)
    try:
        with _limited():
            yield
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        at, step = line, error.__traceback__
        while step:
            if step.tb_frame.f_code.co_filename == path:
                at = step.tb_lineno
            step = step.tb_next
        what = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
        what = f"figure {setting.figure.id}: {what.rstrip(': ')}"
        raise user_error(what, path, at, mend="mend the file at this line") from None
    finally:
        np.random.set_state(state)


@contextmanager
def _limited() -> Iterator[None]:
    """An error where it takes longer than ``SECONDS``, on systems with alarms."""
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError(f"it takes longer than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


KIND = FigureKind(
    id="python",
    data=data_python,
    words=words_python,
    plot=plot_python,
    draws="what a Python file of the study makes of its facts",
    answers="is there a question that no other kind answers?",
    caption="{all}",
    reads="A file of the study draws it from the facts in the data below it.",
)
