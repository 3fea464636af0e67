"""Edition zos-cs-3.2: its studies, figures, terms and sources are whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

from analysis.declared.edition import Group, read_edition, read_studies
from analysis.report.text.reviewed import mark, read_reviewed
from analysis.report.text.texts import Text
from tests.report.conftest import ROOT

FOLDER = ROOT / "report" / "zos-cs-3.2"
EDITION = read_edition(FOLDER)
STUDIES = read_studies(FOLDER, EDITION)
CHAPTERS = {
    "network": (
        "osh-osd", "shared-osh", "ee-osh", "gre-iwq", "router-queue", "smcr-neth",
        "one-feature", "linux-sharing", "tcp-smcr",
    ),
    "memory": ("hipersockets-z17", "smcd-z17", "hipersockets-smcd"),
    "security": ("tls-signature", "tls-cbc-gcm", "tls-versions"),
    "icsf-audit": ("icsf-audit",),
    "release-3-2": ("release-3-2",),
    "planning": ("planning-loads", "planning-machine"),
}  # fmt: skip
FIGURES = (
    "osh-osd-latency", "osh-osd-stream",
    "shared-osh-topology", "shared-osh-stream", "shared-osh-latency",
    "ee-osh-latency", "gre-iwq-cost", "router-queue-local", "router-queue-mixed",
    "one-feature-rate", "one-feature-stream",
    "linux-sharing-topology", "linux-sharing-latency", "linux-sharing-stream",
    "tcp-smcr-rr", "tcp-smcr-stream",
    "hipersockets-z17-rr",
    "smcd-z17-rr", "smcd-z17-stream", "hipersockets-smcd-rr",
    "hipersockets-smcd-stream", "tls-signature-topology", "tls-signature-crr",
    "tls-cbc-gcm-crr", "tls-versions-crr", "icsf-audit-crr",
    "release-3-2-equivalence",
    "planning-loads-clients", "planning-machine-latency",
)  # fmt: skip
TERMS = (
    "OSH", "OSD", "NETH", "IWQ", "SMC-D", "SMC-R", "RoCE", "ISM", "HiperSockets",
    "MTU", "LPAR", "CP", "zIIP", "RR", "CRR", "STR", "RMF", "SMF", "AT-TLS", "ICSF",
    "GRE", "EE", "QDIO", "VIPA", "Sysplex Distributor", "CPC",
)  # fmt: skip
# What the published report says of each study: metric, role and test as claims have
# them, and the word for the way that it goes.
ASSERTED = {
    "osh-osd": (
        "latency falls", "throughput rises",
        "cpu_cost of sender falls", "cpu_cost of receiver falls",
    ),
    "shared-osh": (
        "throughput of osh-shared rises",
        "cpu_cost of sender of osh-shared falls",
        "cpu_cost of receiver of osh-shared falls",
        "latency increase of osh-shared shrinks with payload",
        "latency of osh-shared falls for RR10(32kB)",
        "latency of osh-shared is below latency of osd-shared",
        "cpu_cost of client of osh-shared falls by 25% to 40% on average",
        "cpu_cost of server of osh-shared falls by 25% to 40% on average",
    ),
    "ee-osh": ("latency falls",),
    "gre-iwq": ("cpu_cost of target falls by 6% to 12%",),
    "router-queue": (
        "latency of queue-on falls", "cpu_cost of server of queue-on falls",
        "rate of mix-on rises by at least 30% for RR20(4kB)",
        "rate of mix-on rises by at least 30% for RR20(1kB)",
        "cpu_cost of router of mix-on falls",
    ),
    "smcr-neth": (
        "latency falls by 7% to 13% on average",
        "cpu_cost of sender falls", "cpu_cost of receiver falls",
    ),
    "one-feature": (
        "rate of one-feature is comparable", "rate of one-feature-crr is comparable",
        "throughput of one-feature-str is comparable",
        "no comparison is improved or regressed",
    ),
    "linux-sharing": (
        "latency falls", "throughput rises",
        "cpu_cost of sender falls", "cpu_cost of receiver falls",
    ),
    "tcp-smcr": (
        "cpu_cost saving of client grows with payload",
        "cpu_cost saving of server grows with payload",
        "cpu_cost of receiver falls by at least 70%",
        "cpu_cost of sender falls by less than 50%",
    ),
    "hipersockets-z17": (
        "latency falls", "cpu_cost of client falls", "cpu_cost of server falls",
    ),
    "smcd-z17": (
        "latency falls", "cpu_cost of client falls", "cpu_cost of server falls",
        "throughput rises", "cpu_cost of sender falls", "cpu_cost of receiver falls",
    ),
    "hipersockets-smcd": (
        "latency falls", "cpu_cost of client falls", "cpu_cost of server falls",
        "throughput rises", "cpu_cost of sender falls", "cpu_cost of receiver falls",
    ),
    "tls-signature": (
        "latency rises", "cpu_cost of client rises", "cpu_cost of server rises",
    ),
    "tls-cbc-gcm": (
        "latency is comparable", "cpu_cost of client is comparable",
        "cpu_cost of server is comparable",
    ),
    "tls-versions": (
        "cpu_cost of client rises", "cpu_cost of server is comparable",
        "latency is comparable",
    ),
    "icsf-audit": (
        "rate falls by more than 70%", "cpu_cost of server rises by more than 1000%",
        "cpu_cost of client rises by more than 1500%",
    ),
    "release-3-2": ("every comparison is comparable",),
}  # fmt: skip


def claimed(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.md")):
        source = read_reviewed(path)
        text = Text("", folder.name, source, ())
        yield from (claim.words for claim in text.claims)


def texts() -> dict[Path, str]:
    return {path: path.read_text("utf-8") for path in sorted(FOLDER.rglob("*.md"))}


def test_the_studies_stand_in_their_chapters() -> None:
    found = {
        entry.id if isinstance(entry, Group) else entry: (
            entry.studies if isinstance(entry, Group) else (entry,)
        )
        for entry in EDITION.studies
    }
    assert found == CHAPTERS


def test_the_figures_are_numbered_in_this_order() -> None:
    found = [
        (f"{id}-{figure.id}", figure)
        for id, study in STUDIES.items()
        for figure in study.figures
    ]
    numbered = {id: figure for id, figure in found if not figure.for_borrowers}
    assert tuple(numbered) == FIGURES
    assert sum(figure.kind == "topology" for figure in numbered.values()) == 3
    assert {f.kind for _, f in found if f.for_borrowers} == {"topology"}


def test_every_chart_is_used_by_the_observations_of_its_study() -> None:
    for id, study in STUDIES.items():
        text = (FOLDER / "studies" / id / "observations.md").read_text("utf-8")
        unused = [
            f.id
            for f in study.figures
            if f.kind != "topology" and f"@fig-{id}-{f.id}" not in text
        ]
        assert unused == [], id


def test_claims_stand_behind_all_that_the_published_report_asserts() -> None:
    assert set(ASSERTED) == set(STUDIES) - {*CHAPTERS["planning"]}
    for id, wanted in ASSERTED.items():
        claims = [*claimed(FOLDER / "studies" / id)]
        missing = [w for w in wanted if not any(c.startswith(w) for c in claims)]
        assert missing == [], id


def test_nobody_has_approved_a_study() -> None:
    assert list(FOLDER.glob("studies/*/review.yaml")) == []


def test_a_figure_asks_a_question() -> None:
    assert all(f.question.endswith("?") for s in STUDIES.values() for f in s.figures)


def test_footnotes_have_a_mark_and_a_text() -> None:
    for path, text in texts().items():
        tree = mark(text, Path(path)).tree
        marks = [node.words for node in tree.walk() if node.kind == "note mark"]
        assert sorted(marks) == sorted(tree.notes), path


def test_no_file_is_without_a_place() -> None:
    groups = (entry for entry in EDITION.studies if isinstance(entry, Group))
    assert EDITION.summary
    placed = {EDITION.summary, *(s.file for s in (*EDITION.front, *EDITION.back))}
    placed |= {group.file for group in groups if group.file}
    lying = {
        path.relative_to(FOLDER).as_posix()
        for path in texts()
        if "studies" not in path.relative_to(FOLDER).parts
    }
    assert lying == placed


def test_the_glossary_explains_the_terms_of_the_field() -> None:
    terms = yaml.safe_load((FOLDER / "glossary.yaml").read_text("utf-8"))
    assert [term for term in TERMS if term not in terms] == []
    for term, entry in terms.items():
        assert set(entry) == {"name", "means"}, term
        assert entry["means"].endswith("."), term
