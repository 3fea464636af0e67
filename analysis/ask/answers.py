"""The answer to a question: rows with values, sides, verdict and addresses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from analysis.ask.library import AskedBuild, AskedBuilds, row_keys
from analysis.ask.rank import Ranked, Scored, fits, known_words, words_of
from analysis.errors import user_error
from analysis.report.beside.answers import COLUMNS
from analysis.report.table import escape

MOST = 500  # characters of a question, as in templates/ask.json
SHOWN, LIMIT = 5, 50  # rows of an answer, and the most of one
_OF_STUDY = 3  # claims and figures that are shown of a study
_HEAD = ("Change", "95% interval", "Verdict", "Of", "Values")


def checked_question(text: str) -> str:
    """A question without control characters; a :class:`UserError` where it is empty,
    or longer than a question is."""
    if len(text) > MOST:
        what = f"a question of {len(text):,} characters; at most {MOST}"
        raise user_error(what, mend="ask in one sentence")
    if not words_of(text):
        mend = 'write a question, such as "how fast is OSH for small requests"'
        raise user_error("there is no word in the question", mend=mend)
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def answer(asked: AskedBuilds, question: str, most: int = SHOWN) -> dict[str, Any]:
    """What builds say to a question, as one document of JSON.

    ``answered`` says whether they do; else ``answers`` are the nearest that there is.
    Each has its study with claims and figures, its values and where they are shown.
    """
    text = checked_question(question)
    ranked = asked.ranking.ask(text)
    rows = [one for one in ranked.rows if one.fit > 0][: min(max(most, 1), LIMIT)]
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
        "answers": [_row(asked.builds[one.edition], one) for one in rows],
        "studies": _studies(asked, ranked, rows),
    }


def _row(build: AskedBuild, scored: Scored) -> dict[str, Any]:
    told = dict(zip(COLUMNS, scored.row, strict=True))
    study = build.studies[told["study"]]
    change, value, base = row_keys(list(scored.row))
    label = build.index.metrics[told["metric"]][0]
    role = build.index.roles.get(told["role"], told["role"])

    def side(arm: str, key: str, printed: str, interval: str) -> dict[str, str]:
        name = study.names.get(arm, arm)
        return {"id": arm, "name": name, "value": printed, "interval": interval,
                "key": key}  # fmt: skip

    first = change or value
    return {
        "edition": study.home,
        "build": build.build.id,
        "shown_in": build.id,
        "study": study.id,
        "of": ", ".join(filter(None, (label, role, told["workload"]))),
        **{name: told[name] for name in ("metric", "role", "workload", "change")},
        "interval": told["change_interval"],
        "verdict": told["verdict"],
        "origin": told["origin"],
        "test": side(told["test"], value, told["value"], told["value_interval"]),
        "baseline": side(told["baseline"], base, told["base"], told["base_interval"])
        if told["baseline"]
        else None,
        "key": first,
        "page": build.place(study.id),
        "facts": build.trace(first),
        "score": scored.score,
    }


def _studies(
    library: AskedBuilds, ranked: Ranked, rows: Sequence[Scored]
) -> list[dict[str, Any]]:
    """The studies of rows, in their order, each with how it is answered, and with the
    claims and figures that are most of the question."""
    asked = {term.word for term in ranked.question.terms} | set(ranked.question.metrics)

    def fit(text: str) -> int:
        known = known_words(text)
        return sum(fits(word, known) for word in asked)

    told = []
    for edition, id in dict.fromkeys((one.edition, one.row[0]) for one in rows):
        build = library.builds[edition]
        study = build.studies[id]
        claims = sorted(study.claims, key=lambda claim: -fit(claim[0]))[:_OF_STUDY]
        figures = sorted(study.figures, key=lambda one: -fit(one[1]))[:_OF_STUDY]
        told.append(
            {
                "edition": build.id,
                "study": id,
                "title": study.title,
                "question": study.question,
                "answer": study.finding,
                "page": build.place(study.id),
                "claims": [
                    {"claim": claim, "state": state, "data": data}
                    for claim, state, data in claims
                ],
                "figures": [
                    {"question": words, "page": build.page(f"fig-{id}-{figure}")}
                    for figure, words in figures
                ],
            }
        )
    return told


def as_text(told: dict[str, Any]) -> str:
    """The answer for a terminal: what is known of each study, then a table."""
    return "\n".join(_lines(told, markdown=False))


def as_markdown(told: dict[str, Any]) -> str:
    """The same as Markdown; what reports write is escaped."""
    return "\n".join(_lines(told, markdown=True))


def _lines(told: dict[str, Any], markdown: bool) -> Iterator[str]:
    write = _escaped if markdown else _plain
    if not told["answered"]:
        yield _refusal(told, write)
        yield ""
    for study in told["studies"]:
        head = f"{write(study['title'])} ({write(study['edition'])})"
        yield f"### {head}\n" if markdown else head
        if study["answer"]:
            yield write(study["answer"]) + "\n" * markdown
        rows = [
            row
            for row in told["answers"]
            if (row["shown_in"], row["study"]) == (study["edition"], study["study"])
        ]
        yield from _table([[write(c) for c in _cells(row)] for row in rows], markdown)
        first = study is told["studies"][0]
        for claim in study["claims"] if first else ():
            words = f"claim: {claim['claim']}: {claim['state']} ({claim['data']})"
            yield f"{'-' if markdown else ' '} {write(words)}"
        for figure in study["figures"] if first else ():
            words = write(figure["question"])
            place = figure["page"]
            yield f"- [{words}](<{place}>)" if markdown else f"  figure: {words}"
        place = study["page"]
        yield f"\n<{place}>\n" if markdown else f"  {place}\n"


def _refusal(told: dict[str, Any], write: Callable[[str], str]) -> str:
    unknown = ", ".join(f"‘{word}’" for word in told["unknown"])
    why = f" none speaks of {write(unknown)}." if unknown else ""
    nearest = " The nearest that they have:" if told["answers"] else ""
    return f"No report answers this{':' if why else '.'}{why}{nearest}"


def _cells(row: dict[str, Any]) -> list[str]:
    sides = [row["test"], *([row["baseline"]] if row["baseline"] else [])]
    values = [f"{side['name']} {side['value']}" for side in sides if side["value"]]
    alone = row["test"]["interval"] if not row["change"] else row["interval"]
    told = ", ".join(filter(None, (row["verdict"], row["origin"])))
    return [row["change"] or row["test"]["value"], alone, told, row["of"],
            "; ".join(values)]  # fmt: skip


def _table(rows: list[list[str]], markdown: bool) -> Iterator[str]:
    if markdown:
        yield "| " + " | ".join(_HEAD) + " |"
        yield "|" + "---|" * len(_HEAD)
        yield from ("| " + " | ".join(row) + " |" for row in rows)
        yield ""
        return
    widths = [max(len(row[n]) for row in rows) for n in range(len(_HEAD))]
    for row in rows:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        yield "  " + "  ".join(cells).rstrip()


def _escaped(text: str) -> str:
    return escape(_plain(text))


def _plain(text: str) -> str:
    """What a terminal can show of a text that anybody may have written."""
    return "".join(c if c.isprintable() else " " for c in text)
