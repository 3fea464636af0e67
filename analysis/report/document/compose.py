"""The text of a report: reviewed prose and generated parts, as plain Markdown.

A study alone is a section of the first level. A group is one, and its studies are of
the second; whatever stands below a study is one level deeper there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from analysis.declared.edition import Group, study_id
from analysis.declared.workload import workload_order
from analysis.errors import Issue, Place, raise_if
from analysis.facts.fact import FACTS_FILE
from analysis.facts.sentences import basis_counts, data_words, sizes_text
from analysis.facts.units import date_text
from analysis.files.hashes import file_hashes
from analysis.files.templates import template_folders
from analysis.program import LOCKS
from analysis.report.beside.frame import published_file
from analysis.report.bound import Bound, Number, between, numbers_in
from analysis.report.checks.check import tells_results
from analysis.report.checks.claims import Checked
from analysis.report.document.generated import Generated, check_setups
from analysis.report.document.parts import DocumentParts, read_parts
from analysis.report.git_host import edit_link
from analysis.report.language.printed import Average, Printed, Selected, Verb
from analysis.report.language.syntax import COMMENT_END, COMMENT_START
from analysis.report.material import Material
from analysis.report.review.page import look_line, review_line
from analysis.report.review.sentences import own_marks, own_words
from analysis.report.review.state import Review, Reviews
from analysis.report.study_facts import StudyFacts
from analysis.report.table import attribute, escape
from analysis.report.tables.backtest import backtest
from analysis.report.tables.cells import pair
from analysis.report.tables.reproduction import reproduction
from analysis.report.tables.setup import usual_lines
from analysis.report.text.bibliography import bibliography_keys
from analysis.report.text.glossary import glossary_entries, read_glossary
from analysis.report.text.passages import Span, bare
from analysis.report.text.refusals import check_references
from analysis.report.text.reviewed import fill
from analysis.report.text.texts import ANSWER, CONDITIONS, Text, of_slides, texts_of

_WRITTEN = (
    "title", "declared-title", "subtitle", "author", "number", "description",
    "keywords", "banner", "headline",
)  # fmt: skip
Notes = Mapping[str, Sequence[str]]  # by study; those of no study by an empty name
MOST_FINDINGS = 7
MOST_CONDITIONS = 3
_MOST_VALUES = 3
_REFERENCES = "# References {"  # how their section begins, the last one
_REFERS = re.compile(r" \(@[^)]*\)")  # (@sec-offload)


def compose(
    checked: Checked,
    states: Reviews,
    templates: Path,
    notes: Notes = MappingProxyType({}),
    generated: Generated | None = None,
) -> DocumentParts:
    """The whole ``index.qmd``, but for its build id, which hashes its text.

    ``notes`` are what was found that stands in no paragraph, which a draft shows;
    ``generated`` is what was made of the same material before.
    """
    material, edition = checked.material, checked.material.edition
    generated = generated or Generated(material)
    placed_here = {
        "metadata": front_matter(checked, states),
        "front": [_section(checked, s.id, s.title, s.file) for s in edition.front],
        "common": generated.environment,
        "usual": usual_lines(generated.usual),
        "summary": _summary(checked, states, generated),
        "synthetic": "synthetic" in material.origins(),
        "sequences": checked.material.sequences,
        "chapters": chapters(checked, states, notes, generated),
        "glossary": glossary_entries(read_glossary(material.folder)),
        "notes": listed(notes.get("", ())),
        "back": [_section(checked, s.id, s.title, s.file) for s in edition.back],
        "reproduction": _reproduction(material),
        "backtest": backtest(material),
        "sections": {section.id for section in (*edition.front, *edition.back)},
        "attached": list(_attached(material)),
    }
    text = _environment(templates).get_template("index.qmd.j2").render(placed_here)
    numbers = (*numbers_of(checked), *numbers_in(placed_here))
    parts = read_parts(text, numbers)
    if not parts.cited:
        parts = read_parts(text.partition(f"\n{_REFERENCES}")[0], numbers)
    summary = checked.texts.get(edition.summary or "")
    told = [*(check_summary(summary) if summary else ()), *check_setups(material)]
    boxes = (i for text in checked.texts.values() for i in check_conditions(text))
    raise_if([*told, *boxes, *_check(checked, parts)])
    return parts


def _attached(material: Material) -> Iterator[tuple[str, str, str, str]]:
    """The data that the PDF carries: file, relation to the pages, type, description."""
    json = "application/json"
    yield FACTS_FILE, "data", json, "All values with their intervals, runs and files"
    yield "provenance.json", "source", json, "Raw files, texts and claims"
    for picture in material.all_pictures():
        about = f"Data of the figure {picture.id}"
        yield f"data/{picture.id}.csv", "data", "text/csv", about


def numbers_of(checked: Checked, slides: bool = False) -> Iterator[Number]:
    """The numbers of the edition's texts: those of its slides, or of its report."""
    edition = checked.material.edition
    for text in checked.texts.values():
        if of_slides(edition, text.name, text.study) is slides:
            yield from (n for one in text.printed for n in one.bound.numbers)


def _reproduction(material: Material) -> dict[str, Any] | None:
    keys = tuple(bibliography_keys(material.folder / material.edition.references))
    return reproduction(material, keys)


def front_matter(checked: Checked, states: Reviews) -> str:
    """The metadata of a document of the edition, for engines, as YAML."""
    about = metadata(checked.material, states) | _headline(checked)
    about |= {"reproduce": _rests_on(checked.material)}
    return yaml.safe_dump(
        _literal(about), sort_keys=False, allow_unicode=True, width=10_000
    ).strip()


def _rests_on(material: Material) -> str:
    """The locks of the environment and the raw files, by their digests."""
    locks = file_hashes(filter(Path.is_file, LOCKS), "lock")
    named = [f"{name} {sha256[:16]}" for name, sha256 in locks.items()]
    return ", ".join(named + [f"raw/{n} {d}" for n, d in material.facts.digests])


def metadata(material: Material, states: Reviews) -> dict[str, Any]:
    """The document's metadata; nothing in it depends on the time of the build."""
    edition = material.edition
    found: dict[str, Any] = {
        "title": material.title,
        "declared-title": edition.title,
        "subtitle": edition.subtitle,
        "author": list(edition.authors),
        "date": edition.date.isoformat(),
        "date-text": date_text(edition.date),
        "edition": material.id,
        "number": edition.number,
        "status": edition.status,
        "is-draft": edition.status == "draft",  # the banner says so, and once is enough
        "formats": list(edition.formats),
        "origins": material.origins(),
        "data": data_words(material.origins()),
        "lang": edition.language,
        "description": edition.description or edition.subtitle,
        "keywords": list(edition.keywords),
    }
    if sizes := chosen_sizes(material):
        found |= {"sizes": sizes, "usual-bases": material.usual_bases()}
    page, says = published_file(material), banner(material, states)
    return found | {k: v for k, v in {"published": page, "banner": says}.items() if v}


def chosen_sizes(material: Material) -> str:
    """``changes 67 published and 183 assumed``: who chose the sizes, for a cover; empty
    where all were measured."""
    nouns = {"delta": "changes", "value": "values"}
    parts = (
        f"{nouns[kind]}: {basis_counts(own)}"
        for kind, own in material.bases().items()
        if own
    )
    return "; ".join(parts)


def first_finding(checked: Checked) -> str:
    """The first finding of the edition's summary in plain words; empty without one."""
    file = checked.material.edition.summary
    return headline(checked.texts[file]) if file else ""


def _headline(checked: Checked) -> dict[str, str]:
    told = first_finding(checked)
    return {"headline": told} if told else {}


def _summary(checked: Checked, states: Reviews, generated: Generated) -> dict[str, Any]:
    material, file = checked.material, checked.material.edition.summary
    texts = [checked.texts[file]] if file else []
    own = own_words(checked, texts)
    return {
        **generated.summary,
        "text": placed(checked, file, review=states.matter) if file else "",
        "review_line": review_line(states.matter, material, own),
    }


def _section(checked: Checked, id: str, title: str, file: str) -> dict[str, str]:
    return {"id": id, "title": title, "text": placed(checked, file)}


def banner(material: Material, states: Reviews) -> str:
    """What each page says of itself: that it is a draft, what its data are, whether it
    looks as it was approved."""
    draft = material.edition.status == "draft"
    told = data_words(material.origins())
    data = f"{told[0].upper()}{told[1:]}." if told else ""
    look = look_line(states.look) if states.look else ""
    return " ".join(filter(None, [_progress(states) if draft else "", data, look]))


def _progress(states: Reviews) -> str:
    approved = sum(own.state == "approved" for own in states.studies.values())
    if not (approved or (states.matter.state == "approved" and not states.studies)):
        return "Draft: not reviewed yet."
    if not states.studies:
        return "Draft: reviewed."
    if approved == len(states.studies):
        return "Draft: all studies are reviewed."
    return f"Draft: {approved} of {len(states.studies)} studies are reviewed."


def _check(checked: Checked, parts: DocumentParts) -> list[Issue]:
    """Issues of the whole text: references to nothing, anchors that occur twice."""
    folder, edition = checked.material.folder, checked.material.edition
    known = {*parts.ids, *bibliography_keys(folder / edition.references)}
    twice = [id for id, count in Counter(parts.ids).items() if count > 1]
    where = Place(str(folder / "edition.yaml"))
    return [
        issue
        for source in checked.texts.values()
        for issue in check_references(source.tree, source.path, known)
    ] + [Issue(f"the anchor #{id} occurs twice", where, "rename one") for id in twice]


@cache
def _environment(templates: Path) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(template_folders(templates)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - it makes Markdown
        comment_start_string=COMMENT_START,
        comment_end_string=COMMENT_END,
    )
    environment.filters |= {"attribute": attribute, "escape": escape}
    return environment


def _literal(about: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata for an engine, which would read what people wrote as Markdown."""
    written = {name: about[name] for name in _WRITTEN if name in about}
    return {**about} | {
        name: escape(text) if isinstance(text, str) else list(map(escape, text))
        for name, text in written.items()
    }


def chapters(
    checked: Checked, states: Reviews, notes: Notes, generated: Generated
) -> list[dict[str, Any]]:
    """The chapters in order; that of a study alone has no id, title or text."""
    found = []
    for entry in checked.material.edition.studies:
        group = entry if isinstance(entry, Group) else None
        level = 2 if group else 1
        ids = [study_id(entry)] if not isinstance(entry, Group) else []
        ids += map(study_id, group.studies if group else ())
        found.append(
            {
                "id": group.id if group else "",
                "title": group.title if group else "",
                "text": placed(checked, group.file) if group and group.file else "",
                "studies": [
                    _study(checked, id, states, notes, level, generated) for id in ids
                ],
            }
        )
    return found


def placed(
    checked: Checked, name: str, level: int = 1, review: Review | None = None
) -> str:
    """A text as it reads in a section of a level, in a draft with its edit link.

    Until its ``review`` is an approval, its author's own words are marked.
    """
    edition, text = checked.material.edition, checked.texts[name]
    waits = review and review.state != "approved"
    marks = own_marks(text) if waits and tells_results(text, checked.material) else ()
    markdown = text.markdown(deeper=level - 1, marks=marks)
    link = edit_link(edition, text.path.as_posix())
    if not link or edition.status != "draft":
        return markdown
    return f"{markdown}\n\n::: {{.edit-link}}\n[Edit this text]({link})\n:::"


def listed(notes: Iterable[str]) -> str:
    """What was found that stands in no paragraph, as a list."""
    return "\n".join(f"- {note}" for note in dict.fromkeys(notes))


def _study(
    checked: Checked,
    id: str,
    states: Reviews,
    notes: Notes,
    level: int,
    generated: Generated,
) -> dict[str, Any]:
    material, review = checked.material, states.of(id)
    results, own = material.of_study(id), texts_of(checked.texts, id)
    return {
        "id": id,
        "head": "#" * level,
        "part": "#" * (level + 1),
        "texts": {ANSWER: "", CONDITIONS: ""}
        | {p: placed(checked, text.name, level, review) for p, text in own.items()},
        "key_values": key_values(own[ANSWER], results) if ANSWER in own else [],
        **generated.studies[id],
        "review_line": review_line(review, material, own_words(checked, own.values())),
        "notes": listed(notes.get(id, ())),
    }


def check_summary(text: Text) -> Iterator[Issue]:
    """Issues of a summary that has no finding, or so many that nobody keeps them."""
    found = [p for p in text.paragraphs if p.keys]
    if not found:
        yield Issue(
            "the summary has no finding: no paragraph of it prints a fact",
            Place(str(text.path), 1),
            'print one: {{ delta("latency", "RR10(1kB)", study="…") }}',
        )
    elif len(found) > MOST_FINDINGS:
        yield Issue(
            f"the summary has {len(found)} findings; a reader keeps {MOST_FINDINGS} at "
            "most",
            Place(str(text.path), found[MOST_FINDINGS].line),
            "leave the lesser ones to their studies",
        )


def check_conditions(text: Text) -> Iterator[Issue]:
    """The issue of a box of conditions with more lines than a reader takes in."""
    box = bool(text.study) and text.path.stem == CONDITIONS
    if box and len(text.paragraphs) > MOST_CONDITIONS:
        yield Issue(
            f"the conditions have {len(text.paragraphs)} lines; a box has "
            f"{MOST_CONDITIONS} at most",
            Place(str(text.path), text.paragraphs[MOST_CONDITIONS].line),
            "leave the lesser ones to the environment",
        )


def headline(text: Text) -> str:
    """The first finding in plain words, up to the end of its first bound sentence, and
    what its sizes rest on where somebody chose them."""
    for one in text.sentences:
        place = one.passage.source(Span(0, one.span.end))
        facts = [fact for printed in one.prints for fact in printed.printed.facts]
        if place and facts:
            words = text.marked.text[place.start : place.end]
            words = fill(words, [printed.words for printed in text.printed])
            plain = " ".join(bare(_REFERS.sub("", words)).split())
            sizes = sizes_text(facts)
            return f"{plain} {sizes[:1].upper()}{sizes[1:]}." if sizes else plain
    return ""


def key_values(text: Text, results: StudyFacts) -> list[dict[str, str | Bound]]:
    """The first values of an answer, each as ``value``, ``label`` and ``pair``.

    What one expression prints is one value: a change, or a range of changes. What two
    print of the same facts is shown once.
    """
    shown: dict[frozenset[str], Printed] = {}
    for printed in text.printed:
        if isinstance(printed.value, Selected | Average | Verb):
            shown.setdefault(printed.keys, printed)
    known = {fact.key for fact in results.facts.facts}
    values = (_value(one, results) for keys, one in shown.items() if keys <= known)
    return list(islice(values, _MOST_VALUES))


def _value(printed: Printed, results: StudyFacts) -> dict[str, str | Bound]:
    facts = sorted(dict.fromkeys(printed.facts), key=lambda fact: fact.value)
    average = printed.value if isinstance(printed.value, Average) else None
    ends = [fact.workload for fact in facts]
    if average:  # before filters, which take its sign
        ends = sorted(ends, key=workload_order)
    ends = list(dict.fromkeys([ends[0], ends[-1]]))
    told = f"{'average of ' if average else ''}{' to '.join(ends)}"
    sides = {fact.configuration for fact in facts}
    if len(sides) == 1 and len(results.study.configurations) > 1 + bool(
        facts[0].baseline
    ):
        told += f", {results.name(sides.pop())}"
    return {
        # the change, or the lowest and the highest of several that are in order
        "value": average.bound if average else between(facts[0], facts[-1]),
        "label": f"{results.label(facts[0])}: {escape(told)}",
        "pair": pair(facts[0], results) if len(facts) == 1 else "",
    }
