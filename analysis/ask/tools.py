"""What a program may ask of builds: each tool reads alone, and its answer is bounded.

They are the tools of the MCP server, and know nothing of it.
"""

from __future__ import annotations

from typing import Any

from analysis.ask.answers import SHOWN, across, answer
from analysis.ask.draft import check_draft
from analysis.ask.library import AskedBuilds
from analysis.facts.fact import Fact
from analysis.facts.sentences import detectable_text, origin_text
from analysis.report.language.printed import interval, known_interval
from analysis.report.language.verb import verdict_of

MOST_BYTES = 60_000  # of an answer
_CHARACTERS = 2_000  # of a text of a report
_REMARKS = 20
Told = dict[str, Any]


class Tools:
    """The tools over some builds."""

    def __init__(self, asked: AskedBuilds) -> None:
        self.asked = asked

    def list_editions(self) -> Told:
        """List the editions: title, year of the results, date of the build, whether
        it is a draft, and origin."""
        entries = [
            {
                "edition": one.id,
                "title": one.index.title,
                "year": one.year,
                "date": str(one.build.manifest["date"]),
                "build": one.build.id,
                "draft": one.build.draft,
                "origins": one.build.manifest.get("origins") or [],
                "page": one.page(),
            }
            for one in self.asked.builds
        ]
        return _bounded({"entries": entries, "count": len(entries)}, "entries")

    def list_studies(self, edition: str) -> Told:
        """List the studies of an edition: question, answer, configurations, metrics."""
        build = self.asked.build(edition)
        rows = build.index.rows
        entries = [
            {
                "study": study.id,
                "title": study.title,
                "question": study.question,
                "answer": study.finding[:_CHARACTERS],
                "configurations": study.names,
                "metrics": sorted({row[3] for row in rows if row[0] == study.id}),
                "page": build.place(study.id),
            }
            for study in build.index.studies
        ]
        return _bounded({"entries": entries, "count": len(entries)}, "entries")

    def find(self, question: str, most: int = SHOWN) -> Told:
        """Find values that answer a question in plain words, the best first.

        answered is false where no report has it; then these are the nearest, and no
        answer. remarks say what of the question they do not mention: pass them on.
        """
        return _bounded(answer(self.asked, question, most), "answers", "studies")

    def compare(self, question: str) -> Told:
        """Compare what each edition says to a question, the newest first.

        Editions measured other systems in other years: values of two of them are no
        change.
        """
        return _bounded({"editions": across(self.asked, question)}, "editions")

    def explain(self, key: str, edition: str = "") -> Told:
        """Explain the verdict of a change, by its key, with all that it rests on."""
        fact = self.asked.fact(key, edition)[1]
        return {
            **self.quote(key, edition),
            "verdict": verdict_of(fact),
            "because": because(fact),
            "runs": fact.count,
            "p_adjusted": fact.p_adjusted,
            "threshold_percent": fact.threshold,
            "rule": fact.lineage.rule,
            "warnings": [str(one)[:_CHARACTERS] for one in fact.warnings[:_REMARKS]],
        }

    def quote(self, key: str, edition: str = "") -> Told:
        """Quote one number by its key: as printed, with interval, origin, address and
        build."""
        build, fact = self.asked.fact(key, edition)
        study = build.studies.get(fact.study)
        sides = [study.names.get(one, one) if study else one
                 for one in (fact.configuration, fact.baseline) if one]  # fmt: skip
        metric, spread = self.asked.metric_label(fact.metric), known_interval(fact)
        of = ", ".join(filter(None, (metric, fact.role, fact.workload)))
        ends = f" ({spread}, 95%)" if spread else ""
        date, id = build.build.manifest["date"], build.build.id
        return {
            "key": fact.key,
            "printed": fact.printed,
            "interval": spread,
            "of": of,
            "configurations": sides,
            "origin": origin_text(fact),
            "draft": build.build.draft,
            "edition": build.id,
            "build": id,
            "page": build.place(fact.study) if study else build.page(),
            "facts": build.trace(fact.key),
            "quote": f"{of}, {' against '.join(sides)}: {fact.printed}{ends}; "
            f"{origin_text(fact)}. {build.index.title}, {date}, build {id}",
        }

    def check(self, text: str, edition: str = "") -> Told:
        """Check a drafted text: own words are marked, numbers that no fact prints are
        refused."""
        return _bounded(check_draft(self.asked, text, edition), "sentences")


def because(fact: Fact) -> str:
    """Why a fact has its verdict, or none, in a sentence."""
    limit = f"{fact.threshold:.2g}%" if fact.threshold is not None else "the limit"
    voids = "; ".join(str(one) for one in fact.warnings if one.voids)
    if fact.kind == "value":
        return "It is a value and no change: nothing was tested."
    if fact.estimate is not None:
        return f"Nothing was measured: {fact.estimate.reason}."
    if fact.verdict is None and voids:
        return f"It has no verdict: {voids}."
    if fact.verdict is None and fact.better == "none":
        return "Neither direction of this metric is better."
    if fact.verdict is None:
        return "There were too few runs to test it."
    if fact.verdict == "comparable":
        near = interval(fact.at_90)
        return f"Its interval of 90%, {near}, lies within {limit} either way."
    if fact.verdict == "inconclusive":
        shows = f"Neither a change beyond {limit} nor that there is none was shown."
        if fact.detectable is not None:
            shows += f" Such runs show {detectable_text(fact.detectable)} or more."
        return shows
    return (
        f"Its interval of 95%, {interval(fact)}, leaves out zero, the adjusted p-value "
        f"is {fact.p_adjusted:.2g}, and the median changed by at least {limit}."
    )


def _bounded(told: Told, name: str, *others: str) -> Told:
    """An answer with as many entries of its lists as it has room for; it says how many
    of the first list are left out."""
    many = len(told[name])
    while len(repr(told)) > MOST_BYTES and any(told[one] for one in (name, *others)):
        longest = max((name, *others), key=lambda one: len(repr(told[one])))
        told = told | {longest: told[longest][: len(told[longest]) // 2]}
    left = many - len(told[name])
    return told | {"left_out": left} if left else told
