"""The answer to a question: rows with values, sides, verdict and addresses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from analysis.ask.library import AskedBuild, AskedBuilds, row_keys
from analysis.ask.rank import Ranked, Scored, fits, known_words, words_of
from analysis.errors import user_error
from analysis.report.beside.answers import COLUMNS
from analysis.report.table import escape

MOST = 500  # characters of a question, as in templates/ask.json
SHOWN, LIMIT = 5, 50  # rows of an answer, and the most of one
_OF_STUDY = 3  # claims and figures that are shown of a study
_SHOWN_OF_ROW = (
    "study", "metric", "role", "workload", "change", "verdict", "origin"
)  # fmt: skip
_HEAD = ["Change", "95% interval", "Verdict", "Of", "Values"]


def checked_question(text: str) -> str:
    """A question without control characters; a :class:`UserError` where it is empty,
    or longer than a question is."""
    if len(text) > MOST:
        what = f"a question of {len(text):,} characters; at most {MOST}"
        raise user_error(what, mend="ask in one sentence")
    if not words_of(text):
        mend = 'write a question, such as "how fast is OSH for small requests"'
        raise user_error("there is no word in the question", mend=mend)
    return " ".join(printable(text).split())


def answer(asked: AskedBuilds, question: str, most: int = SHOWN) -> dict[str, Any]:
    """What builds say to a question, as one document of JSON.

    ``answered`` says whether they do; else ``answers`` are the nearest that there is.
    ``remarks`` say what of the question they do not mention. Each answer has its
    values and where they are shown; ``studies`` have claims and figures.
    """
    if not 1 <= most <= LIMIT:
        raise user_error(f"{most} answers", mend=f"ask for 1 to {LIMIT}")
    text = checked_question(question)
    ranked = asked.ranking.ask(text)
    rows = [one for one in ranked.rows if one.fit > 0][:most]
    return _document(asked, text, ranked, rows)


def across(asked: AskedBuilds, question: str) -> list[dict[str, Any]]:
    """What each edition says to a question, the newest first, by one value each.

    Editions are left out whose best value fits the words beside the metric less than
    half as well as the best of all, or is of no metric that was asked for; where
    nothing answers, all are.
    """
    text = checked_question(question)
    ranked = asked.ranking.ask(text)
    best: dict[int, Scored] = {}
    for one in ranked.rows:
        best.setdefault(one.edition, one)
    least = ranked.rows[0].words / 2 if ranked.answered else math.inf
    metrics = ranked.question.metrics
    return [
        _document(asked, text, ranked, [best[n]])
        for n in sorted(best)
        if best[n].words >= least and (not metrics or best[n].row[3] in metrics)
    ]


def _document(
    asked: AskedBuilds, text: str, ranked: Ranked, rows: Sequence[Scored]
) -> dict[str, Any]:
    return {
        "question": text,
        "answered": ranked.answered,
        "unknown": list(ranked.unknown),
        "lacking": list(ranked.lacking),
        "mentioned": list(ranked.mentioned),
        "remarks": list(_remarks(ranked)),
        "answers": [_row(asked.builds[one.edition], one) for one in rows],
        "studies": _studies(asked, ranked, rows),
    }


def _remarks(ranked: Ranked) -> Iterator[str]:
    """What is to be said before values, as the searches of pages say it."""
    if not ranked.answered:
        yield "No report answers this."
    for what, words in (
        ("No study mentions {}.", ranked.unknown),
        ("What comes first says nothing about {}.", ranked.lacking),
        ("What comes first only mentions {}.", ranked.mentioned),
        ("Read as {}.", ranked.question.read),
    ):
        if words:
            yield what.format(", ".join(f"‘{word}’" for word in words))
    if not ranked.answered and ranked.rows and ranked.rows[0].fit > 0:
        yield "The nearest:"


def _row(build: AskedBuild, scored: Scored) -> dict[str, Any]:
    told = dict(zip(COLUMNS, scored.row, strict=True))
    study = build.studies[told["study"]]
    change, value, base = row_keys(scored.row)
    names = build.index.metrics[told["metric"]][0], build.index.roles.get(told["role"])

    def side(arm: str, printed: str, key: str) -> dict[str, str]:
        name = study.names.get(told[arm], told[arm])
        spread = told[f"{printed}_interval"]
        return {"id": told[arm], "name": name, "value": told[printed],
                "interval": spread, "key": key}  # fmt: skip

    return {
        "edition": study.home,
        "build": build.build.id,
        "shown_in": build.id,
        "of": ", ".join(filter(None, (*names, told["workload"]))),
        **{name: told[name] for name in _SHOWN_OF_ROW},
        "interval": told["change_interval"],
        "test": side("test", "value", value),
        "baseline": side("baseline", "base", base) if base else None,
        "key": change or value,
        "page": build.place(study.id),
        "facts": build.trace(change or value),
        "score": scored.score,
    }


def _studies(
    asked: AskedBuilds, ranked: Ranked, rows: Sequence[Scored]
) -> list[dict[str, Any]]:
    """The studies of rows, in their order, each with how it is answered, and with the
    claims and figures that are most of the question."""
    words = {term.word for term in ranked.question.terms} | set(ranked.question.metrics)

    def nearest(listed: Sequence[Any], text: int) -> list[Any]:
        known = {one: known_words(one[text]) for one in listed}
        fit = {one: sum(fits(word, known[one]) for word in words) for one in known}
        return sorted(listed, key=lambda one: -fit[one])[:_OF_STUDY]

    places = dict.fromkeys((one.edition, one.row[0]) for one in rows)
    return [
        {
            "edition": build.id,
            "study": id,
            "title": study.title,
            "question": study.question,
            "answer": study.finding,
            "page": build.place(id),
            "claims": [
                {"claim": claim, "state": state, "data": data}
                for claim, state, data in nearest(study.claims, 0)
            ],
            "figures": [
                {"question": words, "page": build.page(f"fig-{id}-{figure}")}
                for figure, words in nearest(study.figures, 1)
            ],
        }
        for n, id in places
        for build in (asked.builds[n],)
        for study in (build.studies[id],)
    ]


def as_text(told: dict[str, Any], markdown: bool = False) -> str:
    """The answer for a terminal, or as Markdown, where what reports write is escaped:
    of each study its question and answer, then its values."""
    write = (lambda text: escape(printable(text))) if markdown else printable
    parts = [[write(" ".join(told["remarks"]))]]
    for study in told["studies"]:
        head = f"{write(study['title'])} ({write(study['edition'])})"
        words = " ".join(filter(None, (study["question"], study["answer"])))
        rows = [
            [write(cell) for cell in _cells(row)]
            for row in told["answers"]
            if (row["shown_in"], row["study"]) == (study["edition"], study["study"])
        ]
        lines = [f"### {head}" if markdown else head, write(words)]
        lines += ["\n".join(_table(rows, markdown))]
        for one in study["claims"] if study is told["studies"][0] else ():
            claim = write(f"{one['claim']}: {one['state']} ({one['data']})")
            lines.append(f"- {claim}" if markdown else f"  claim: {claim}")
        for one in study["figures"] if study is told["studies"][0] else ():
            words = write(one["question"])
            link = f"- [{words}](<{one['page']}>)"
            lines.append(link if markdown else f"  figure: {words}")
        parts.append([*lines, f"<{study['page']}>" if markdown else study["page"]])
    gap = "\n\n" if markdown else "\n"
    return "\n\n".join(gap.join(filter(None, part)) for part in parts if any(part))


def _cells(row: dict[str, Any]) -> list[str]:
    sides = [side for side in (row["test"], row["baseline"]) if side and side["value"]]
    alone = row["interval"] if row["change"] else row["test"]["interval"]
    told = ", ".join(filter(None, (row["verdict"], row["origin"])))
    values = "; ".join(f"{side['name']} {side['value']}" for side in sides)
    return [row["change"] or row["test"]["value"], alone, told, row["of"], values]


def _table(rows: list[list[str]], markdown: bool) -> Iterator[str]:
    if markdown:
        rows = [_HEAD, ["---"] * len(_HEAD), *rows]
        yield from ("| " + " | ".join(row) + " |" for row in rows)
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        yield "  " + "  ".join(cells).rstrip()


def printable(text: str) -> str:
    """What a terminal can show of a text that anybody may have written."""
    return "".join(c if c.isprintable() else " " for c in text)
