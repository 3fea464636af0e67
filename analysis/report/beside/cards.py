"""What a click on a number shows: its values, formula, runs and files, as JSON.

The page holds it, as a page may ask for no other file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analysis.facts.fact import Fact
from analysis.facts.sentences import detectable_text, inside, origin_text
from analysis.facts.units import (
    format_percent,
    format_percent_interval,
    format_range,
    format_value,
    how_many,
)
from analysis.report.beside.excerpts import ReadPlaces
from analysis.report.beside.frame import EXCERPTS
from analysis.report.beside.ledger import exact, fact_name, run_spans, trace_id
from analysis.report.bound import Number
from analysis.report.checks.claims import Checked
from analysis.report.language.printed import interval
from analysis.report.material import Material
from analysis.report.review.sentences import read_claim
from analysis.report.tables.cells import ARROW, sides
from analysis.statistics.product import DIVIDES, CostPart, cost_parts, reason

_TOLD = ("resolution", "exaggerated")  # remarks that a card has
_LONG = ("rule", "timed")
_SIDES = 2  # facts that a claim shows: both sides of a comparison


def cards(checked: Checked, numbers: Iterable[Number]) -> str:
    """The cards of the facts of some numbers, of the claims at sentences and of
    figures, and how the report is cited; JSON."""
    material, claims = checked.material, _claims(checked)
    edition = material.edition
    keys = {fact.key for number in numbers for fact in number.facts}
    keys |= {key for claim in claims.values() for key in claim["keys"]}
    keys |= {key for picture in material.all_pictures() for key in picture.facts}
    facts = {fact.key: fact for fact in material.facts.facts}
    bound = [facts[key] for key in sorted(keys) if key in facts]
    names, times = _names(material), _times(material)
    files = {fact.key: _files(fact, names, material) for fact in bound}
    lists = list(dict.fromkeys(files.values()))
    known = list(dict.fromkeys(name for names in lists for name in names))
    number_of = {name: number for number, name in enumerate(known)}
    places = ReadPlaces(material)
    sides_of = {fact.key: _values_of(fact, facts) for fact in bound}
    values = {value.key: value for of in sides_of.values() for value in of}
    rows = {
        key: _row(value, places, number_of, material) for key, value in values.items()
    }
    order = list(rows)
    texts: dict[str, int] = {}
    page = {
        "about": {
            "id": material.id,
            "title": material.title,
            "authors": list(edition.authors),
            "date": edition.date.isoformat(),
            "number": edition.number,
        },
        "raw": edition.raw_files is True,
        "excerpts": EXCERPTS if places.files else "",
        "unread": [number_of[name] for name in known if name not in places.files],
        "names": known,
        "files": [[number_of[name] for name in names] for names in lists],
        "rows": list(rows.values()),
        "claims": claims,
        "facts": {
            fact.key: _with_texts(_card(fact, facts, times, material), texts)
            | {
                "files": lists.index(files[fact.key]),
                "rows": [order.index(value.key) for value in sides_of[fact.key]],
            }
            for fact in bound
        },
    }
    return script_json(page | {"texts": [*texts]})


def _claims(checked: Checked) -> dict[str, dict[str, Any]]:
    """What the data say of each claim at a sentence, by its study and its words; the
    facts that decide it have cards of their own."""
    claims = {}
    for outcome in (one for one in checked.claims if one.claim.sentence):
        decided, facts = outcome.deciding, outcome.deciding.facts or outcome.facts
        read = read_claim(outcome, checked.material)
        by = f" by {decided.size}" if decided.margin else ""
        why = f", {read.fragile}" if read.fragile else ""
        claims[f"{facts[0].study}: {outcome.claim.text}"] = {
            "claim": read.claim,
            "state": f"{read.state}{by}{why}",
            "data": read.data,
            "demanded": read.demanded,
            "keys": [fact.key for fact in facts[:_SIDES]],
        }
    return claims


def script_json(data: object) -> str:
    """JSON that can stand in a script element of a page."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _card(
    fact: Fact, facts: Mapping[str, Fact], times: Mapping[str, str], material: Material
) -> dict[str, str | int]:
    both = sides(fact, facts) if fact.kind == "delta" else None
    results = material.of_study(fact.study)
    name = f"{results.metric_name(fact)}, {fact.workload}"
    card = {
        "at": trace_id(fact.key),
        "name": name if both else fact_name(fact, material),
        "printed": fact.printed,
        "exact": f"{exact(fact.value)} {fact.unit}",
        "origin": origin_text(fact),
        "n": fact.count if fact.n else "",
        "rule": fact.lineage.rule,
        "runs": ", ".join(words for _, words in run_spans(fact.lineage.runs)),
        "timed": _timed(fact, times, material),
    }
    if fact.low is not None and fact.confidence:
        card["interval"] = f"{interval(fact)} at {100 * fact.confidence:.4g}%"
    if fact.verdict == "comparable":
        judged = fact.at_90
        card["interval"] += f", {interval(judged)} at {100 * judged.confidence:.4g}%"
    if fact.verdict:
        card["verdict"] = fact.verdict
    if fact.p_value is not None:
        card["p"] = _p_text(fact)
    if fact.verdict == "inconclusive" and fact.detectable:
        card["detectable"] = f"a change from {detectable_text(fact.detectable)} on"
    if fact.kind == "value" and fact.resolution:
        card["resolution"] = format_value(fact.resolution, fact.unit, fact.resolution)
    card |= {w.kind: w.words for w in fact.warnings if w.kind in _TOLD}
    if parts := cost_parts(fact, facts):
        card["why"] = _why(parts, material)
    if both:
        names = (results.name(side.configuration) for side in both)
        card["sides"] = both.printed
        card["between"] = f" {ARROW} ".join(names)
    return {name: text for name, text in card.items() if text}


def _why(parts: Sequence[CostPart], material: Material) -> str:
    """What a change of cost is made of, as its waterfall has it."""
    names = [material.metrics[part.metric].label for part in parts[:-1]]
    divides = [", inverted" * (part.metric == DIVIDES) for part in parts]
    names = [inside(name) + end for name, end in zip(names, divides, strict=False)]
    told = [reason([part.log for part in parts[:-1]], names)]
    for name, part in zip(names, parts, strict=False):
        told.append(f"{name} {format_percent(part.change)}")
        if part.low is not None and part.high is not None:
            told[-1] += f" ({format_percent_interval(part.low, part.high)})"
    return "\n".join(told)


def _with_texts(card: dict[str, Any], texts: dict[str, int]) -> dict[str, Any]:
    """The card with the numbers of long texts that many cards have."""
    return card | {
        name: texts.setdefault(card[name], len(texts)) for name in _LONG if name in card
    }


def _values_of(fact: Fact, facts: Mapping[str, Fact]) -> tuple[Fact, ...]:
    """The values whose runs a card shows: both sides of a change, or its fact."""
    both = sides(fact, facts) if fact.kind == "delta" else None
    return tuple(both or ()) if fact.kind == "delta" else (fact,)


def _p_text(change: Fact) -> str:
    """``0.004``, and what it is among all changes that were tested together."""
    known = [p for p in (change.p_value, change.p_adjusted) if p is not None]
    one, *among = dict.fromkeys("< 0.001" if p < 0.001 else f"{p:.2g}" for p in known)
    return one + "".join(f"; {text} among all comparisons" for text in among)


def _row(
    value: Fact, places: ReadPlaces, files: Mapping[str, int], material: Material
) -> dict[str, Any]:
    """The runs of a value as dots on a scale, all that in words, and where the first
    run was read: the number of the file, the position, and 1 if that is a line."""
    row: dict[str, Any] = {
        "name": material.of_study(value.study).name(value.configuration),
        "at": _short(value.value),
        "leads": [
            [files[file], *at] for file, *at in places.of(value) if file in files
        ],
    }
    if value.estimate:
        words = "no runs: predicted"
    elif not value.samples:
        words = f"no runs of its own: {origin_text(value)}"
    else:
        row["runs"] = [_short(sample) for sample in value.samples]
        ends = format_range(min(value.samples), max(value.samples), value.unit)
        kind = "median" if value.lineage.rule.startswith("median") else "value"
        words = f"{how_many(len(value.samples), 'run')}, {ends}; {kind} {value.printed}"
    return row | {"words": words}


def _short(number: float) -> float:
    """Enough digits to be drawn."""
    return float(f"{number:.4g}")


def _timed(fact: Fact, times: Mapping[str, str], material: Material) -> str:
    """Over which time a rate of logs is, by the formats of the logs."""
    metric = material.metrics[fact.metric]
    if metric.evidence != "benchmark" or not metric.unit.endswith("/s"):
        return ""
    return "; ".join(sorted({times[h] for h in fact.lineage.files if h in times}))


def _times(material: Material) -> dict[str, str]:
    """The format of each log by its sha256, and over which time its rates are."""
    return {
        state.sha256: f"{state.format}: {found.timed[state.format]}"
        for found in material.evidence.values()
        for state in found.files.values()
        if state.format in found.timed
    }


def _names(material: Material) -> dict[tuple[str, str], str]:
    """The path below ``raw/`` of each file by its campaign and its sha256."""
    return {
        (campaign, state.sha256): f"{campaign}/{file}"
        for campaign, found in material.evidence.items()
        for file, state in found.files.items()
    }


def _files(
    fact: Fact, names: Mapping[tuple[str, str], str], material: Material
) -> tuple[str, ...]:
    """The names of a fact's raw files in its study's campaigns; of one that is not
    known, its hash."""
    campaigns = material.studies[fact.study].campaigns
    return tuple(
        sorted(
            name
            for hash in fact.lineage.files
            for name in [names[c, hash] for c in campaigns if (c, hash) in names]
            or [hash[:16]]
        )
    )
