"""Assemble one edition as a document and render it in its formats.

Text comes from report/<edition>/, numbers from facts.json, what they rest on from
evidence.json, pictures from the figures stage. A finished
report is replaced only when the new one is whole.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from analysis.errors import raise_if
from analysis.facts.evidence import check_digested, check_digests
from analysis.facts.fact import FACTS
from analysis.files.atomic import MANIFEST, placed
from analysis.programs.quarto_program import ENGINES, Engine
from analysis.report.beside.frame import pages_in
from analysis.report.beside.published import published_page
from analysis.report.beside.workbook import WORKBOOK, workbook
from analysis.report.builds.index import start_page
from analysis.report.builds.manifest import (
    make_manifest,
    manifest_text,
    place_tables,
    tables_of,
)
from analysis.report.builds.provenance import (
    PROVENANCE,
    made_by,
    provenance_text,
)
from analysis.report.builds.site_search import add_search
from analysis.report.builds.third_party import PAGE, third_party_page
from analysis.report.checks.check import findings
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.document.assemble import assemble
from analysis.report.document.compose import banner, first_finding
from analysis.report.document.noted import noted
from analysis.report.engines.quarto import choose, complete
from analysis.report.finding import Finding
from analysis.report.material import Material, Sources, read_material
from analysis.report.output import check_formats
from analysis.report.pages.look import look_of
from analysis.report.review.findings import doubts
from analysis.report.review.state import reviews
from analysis.usage import as_called

SCRATCH = Path("data/build")
_DRAFT = "warning (an error to 'make check')"  # of a draft, which is built all the same


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis report``."""
    parser.add_argument("--edition", required=True, help="folder name below report/")
    parser.add_argument("--engine", choices=ENGINES, default="auto")
    parser.add_argument("--facts", type=Path, default=FACTS)
    parser.add_argument("--figures", type=Path, help="data/build/figures/<edition>")
    parser.add_argument("--out", type=Path, help="report/build/<edition>")
    parser.add_argument("--report", type=Path, default=Path("report"))
    parser.add_argument("--raw", type=Path, default=Path("raw"))
    parser.add_argument(
        "--backtest",
        type=Path,
        default=SCRATCH / "backtest.json",
        help="back-tests, needed where values are predicted",
    )
    parser.add_argument("--templates", type=Path, default=Path("templates"))
    parser.add_argument(
        "--scratch", type=Path, default=SCRATCH, help="folder of intermediate files"
    )


def run(args: argparse.Namespace) -> int:
    """Render one edition; 0 when the report is in place."""
    sources = Sources(
        facts=args.facts,
        figures=args.figures or SCRATCH / "figures" / args.edition,
        report=args.report,
        raw=args.raw,
        templates=args.templates,
        backtest=args.backtest,
    )
    out = args.out or args.report / "build" / args.edition
    made = make_report(args.edition, sources, args.engine, args.scratch, out)
    engine = f"{made['engine']} {made['versions'][made['engine']]}"
    print(f"{args.edition}: build {made['build']} by {engine}")
    return 0


def make_report(
    edition: str,
    sources: Sources,
    engine: Engine,
    scratch: Path,
    out: Path,
) -> dict[str, Any]:
    """Put the finished report of an edition in ``out``; return its manifest.

    ``scratch`` receives the document folder. On an error the report in ``out`` stays
    as it is.
    """
    material = _read(edition, sources)
    made_with = made_by()
    checked = check_texts(material)
    states = reviews(checked)
    found = [*findings(checked), *doubts(states)]
    about = (renderer := choose(engine)).about()
    beside = {
        PROVENANCE: provenance_text(checked, states, found, about, made_with),
        PAGE: third_party_page(sources.templates),
        **start_page(material, states, sources.templates),
        **published_page(material, banner(material, states), sources.templates),
    }
    document = scratch / "document" / edition
    # A finished final report has no notes; what stops it is told in the terminal.
    final = material.edition.status == "final"
    shown, rest = (checked, {}) if final else noted(checked, found)
    documents = assemble(shown, states, sources.templates, document, beside, rest)
    _tell(checked, found)
    look = look_of(sources.templates)
    for issue in look.doubts() if look else ():
        print(as_called(f"warning: {issue}"), file=sys.stderr)
    with placed(out) as rendered:
        renderer.render(documents, rendered)
        for own in documents.values():
            complete(own, renderer.fonts)
        pages = pages_in(document)
        _add_data(material, document, rendered, ["facts.json", *beside, *pages])
        (rendered / WORKBOOK).write_bytes(workbook(material))
        add_search(rendered, edition, checked, document)
        tables = tables_of(material)
        manifest = make_manifest(
            material,
            states,
            documents,
            rendered,
            {**made_with.libraries, **about},
            tables,
            first_finding(checked),
        )
        (rendered / MANIFEST).write_text(manifest_text(manifest), encoding="utf-8")
        place_tables(tables, rendered)
    return manifest


def _read(edition: str, sources: Sources) -> Material:
    """What the report is made of: known formats, facts of the raw files as they are."""
    material = read_material(edition, sources)
    raise_if(check_formats(material.edition, material.folder / "edition.yaml"))
    told = dict(material.facts.digests)
    raise_if(check_digested(set(material.campaigns), told, sources.facts))
    if sources.raw:
        raise_if(check_digests(told, sources.raw, sources.facts))
    return material


def _tell(checked: Checked, found: Sequence[Finding]) -> None:
    """Print what the checks found; a final edition is not built with what stops it."""
    final = checked.material.edition.status == "final"
    for issue in checked.fragile_claims():
        print(as_called(f"warning: {issue}"), file=sys.stderr)
    for finding in found:
        stays = finding.stops(final) and not final
        begin = _DRAFT if stays else finding.prefix(final)
        print(as_called(f"{begin}: {finding.issue}"), file=sys.stderr)
    if final:
        raise_if([f.issue for f in found if f.stops(final)])


def _add_data(
    material: Material, document: Path, rendered: Path, names: Iterable[str]
) -> None:
    """Put files beside what was rendered: those of a document's folder by ``names``."""
    for name in names:
        shutil.copyfile(document / name, rendered / name)
    for name in ("figures", "data"):
        (rendered / name).mkdir(exist_ok=True)
    for picture in material.all_pictures():
        svg = document / "figures" / picture.id / "figure.svg"
        shutil.copyfile(svg, rendered / "figures" / f"{picture.id}.svg")
        data = f"data/{picture.id}.csv"
        shutil.copyfile(document / data, rendered / data)
