"""``ro-crate-metadata.json``: a release as a research object, for archives.

RO-Crate 1.1 with the profile Workflow Run Crate 0.5: the run of a workflow with its
code by commit, its parameter, raw files and results by sha256, and who is behind it.
https://w3id.org/ro/wfrun/workflow/0.5
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from analysis.program import NAME
from analysis.publish.build import WORKFLOW, Build

_CRATE = "https://w3id.org/ro/crate/1.1"
_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
_TERMS = "https://w3id.org/ro/terms/workflow-run#"
_TYPES = {
    "csv": "text/csv", "html": "text/html", "json": "application/json",
    "md": "text/markdown", "parquet": "application/vnd.apache.parquet",
    "pdf": "application/pdf", "svg": "image/svg+xml", "txt": "text/plain",
    "sh": "text/x-shellscript", "yaml": "application/yaml",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}  # fmt: skip
Entity = dict[str, Any]


def crate_text(build: Build, hashes: Mapping[str, str], commit: str) -> str:
    """The crate of a release with these files, by sha256, from a commit, if known.

    Raw files that are not in it are named by their hashes all the same.
    """
    graph = [*_entities(build, hashes, commit)]
    context = [f"{_CRATE}/context", {"sha256": f"{_TERMS}sha256"}]
    crate = {"@context": context, "@graph": graph}
    return json.dumps(crate, ensure_ascii=False, indent=1) + "\n"


def _entities(build: Build, hashes: Mapping[str, str], commit: str) -> Iterator[Entity]:
    files = {name: _file(name, sha256) for name, sha256 in sorted(hashes.items())}
    campaigns = build.provenance.get("campaigns", {})
    raw = {
        f"raw/{id}/{name}": sha256
        for id, about in campaigns.items()
        for name, sha256 in about["files"].items()
    }
    absent = [_absent(name, raw[name]) for name in raw if name not in files]
    given = [files[name] for name in files if name.startswith("raw/")] + absent
    authors = [_agent("Person", name) for name in build.manifest.get("authors") or ()]
    by = dict.fromkeys(about["measured"]["by"] for about in campaigns.values())
    measured = [_agent("Organization", name) for name in by]
    profiles = [
        {"@id": id, "@type": "CreativeWork", "name": name, "version": id[-3:]}
        for id, name in _PROFILES.items()
    ]
    yield {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": _refs([{"@id": _CRATE}, profiles[-1]]),
    }
    licence = _licence(build)
    parts = {
        "author": authors or measured, "conformsTo": profiles, "license": [licence],
        "hasPart": files.values(),
    }  # fmt: skip
    yield _root(build) | {name: _refs(of) for name, of in parts.items()}
    yield from (licence, *profiles, *authors, *measured)
    yield from (files[name] for name in files if name != WORKFLOW)
    yield from absent
    yield from _workflow(build, files[WORKFLOW], commit)
    yield {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"Build {build.id} of {build.edition}",
        "description": "Snakemake reads the raw files, derives facts from them and "
        "renders the edition.",
        "instrument": {"@id": WORKFLOW},
        "agent": _refs(authors or measured),
        "object": _refs([*given, {"@id": "#edition-value"}]),
        "result": _refs(files[name] for name in files if name in build.files),
    }


def _root(build: Build) -> Entity:
    """The crate itself."""
    manifest = build.manifest
    says = (manifest.get(name) for name in ("headline", "subtitle", "title"))
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": manifest["title"],
        "description": next(filter(None, says)),
        "identifier": f"{build.edition} {build.id}",
        "version": build.id,
        "datePublished": manifest["date"],
        "mainEntity": {"@id": WORKFLOW},
        "mentions": {"@id": "#run"},
    }


def _licence(build: Build) -> Entity:
    """Under what the campaigns may be used, in their own words."""
    campaigns = build.provenance.get("campaigns", {}).values()
    licences = dict.fromkeys(about.get("licence") for about in campaigns)
    words = "; ".join(filter(None, licences)) or "not declared: ask first"
    return {"@id": "#licence", "@type": "CreativeWork", "name": words}


def _workflow(build: Build, file: Entity, commit: str) -> Iterator[Entity]:
    """What makes reports of raw files, by its commit, with what it needs."""
    software = _software(build)
    bioschemas = "https://bioschemas.org/profiles"
    yield file | {
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        "name": "Raw files to report",
        "version": commit
        or build.manifest.get("versions", {}).get("program", "unknown"),
        "encodingFormat": "text/x-snakemake",
        "conformsTo": {"@id": f"{bioschemas}/ComputationalWorkflow/1.0-RELEASE"},
        "programmingLanguage": {"@id": "#snakemake"},
        "softwareRequirements": _refs(software),
        "input": {"@id": "#edition"},
    }
    yield {
        "@id": "#snakemake",
        "@type": "ComputerLanguage",
        "name": "Snakemake",
        "url": {"@id": "https://snakemake.readthedocs.io"},
    }
    yield from software
    yield {
        "@id": "#edition",
        "@type": "FormalParameter",
        "additionalType": "Text",
        "name": "edition",
        "description": "The edition that is built",
        "conformsTo": {"@id": f"{bioschemas}/FormalParameter/1.0-RELEASE"},
    }
    yield {
        "@id": "#edition-value",
        "@type": "PropertyValue",
        "name": "edition",
        "value": build.edition,
        "exampleOfWork": {"@id": "#edition"},
    }


def _software(build: Build) -> list[Entity]:
    """The program, the libraries and the locks, by version or digest."""
    libraries = dict(build.provenance.get("libraries") or {})
    versions = {
        NAME: build.manifest.get("versions", {}).get("program", ""),
        **libraries,
    }
    return [
        {
            "@id": f"#software-{quote(name)}",
            "@type": "SoftwareApplication",
            "name": name,
            "softwareVersion": version,
        }
        for name, version in versions.items()
    ]


def _file(name: str, sha256: str) -> Entity:
    entity = {"@id": quote(name), "@type": "File", "name": name, "sha256": sha256}
    kind = _TYPES.get(PurePosixPath(name).suffix.removeprefix("."))
    return entity | ({"encodingFormat": kind} if kind else {})


def _absent(name: str, sha256: str) -> Entity:
    """A file that the release does not carry."""
    id = f"#{quote(name)}"
    return {"@id": id, "@type": "CreativeWork", "name": name, "sha256": sha256}


def _agent(kind: str, name: str) -> Entity:
    return {"@id": f"#{quote(name)}", "@type": kind, "name": name}


def _refs(entities: Iterable[Entity]) -> Any:
    """References to entities: one, or a list of several or none."""
    refs = [{"@id": entity["@id"]} for entity in entities]
    return refs[0] if len(refs) == 1 else refs
