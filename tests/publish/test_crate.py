"""The RO-Crate of a release is one, as the shapes of its profiles decide."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.response import addinfourl

import pytest

from analysis.publish.build import parse_sums, read_build
from analysis.publish.bundle import make_bundle
from tests.publish.made_build import make_build

CONTEXT = Path(__file__).with_name("ro-crate-1.1-context.jsonld")
PROFILE = "workflow-run-crate-0.5"


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The context of RO-Crate from its file, and nothing else from the network."""
    parser = pytest.importorskip("rdflib.parser")
    requests = pytest.importorskip("requests")
    http = pytest.importorskip("rocrate_validator.utils.http")

    def opened(request: Any) -> addinfourl:
        assert request.full_url == "https://w3id.org/ro/crate/1.1/context"
        head = Message()
        head["Content-Type"] = "application/ld+json"
        content = io.BytesIO(CONTEXT.read_bytes())
        return addinfourl(content, head, request.full_url, 200)

    def get(_: Any, url: str, **options: Any) -> Any:
        assert url == "https://w3id.org/ro/crate/1.1/context"
        answer = requests.Response()
        answer.status_code, answer.url = 200, url
        answer._content = CONTEXT.read_bytes()
        answer.headers["Content-Type"] = "application/ld+json"
        return answer

    monkeypatch.setattr(parser, "_urlopen", opened)
    monkeypatch.setattr(http.HttpRequester, "get", get, raising=False)
    yield


def release(folder: Path, raw: bool) -> Path:
    """A release of a small build as a folder, with its raw file or without."""
    lab = folder / "project/raw/lab"
    lab.mkdir(parents=True)
    (lab / "run 1(B).txt").write_text("x")
    digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    made = make_build(folder / "build", raw={"run 1(B).txt": digest})
    project = folder / "project"
    bundle = make_bundle(
        read_build(made), "2026-01-01T00:00:00Z", folder / "scratch",
        project / "raw" if raw else None, None, project / "report",
    )  # fmt: skip
    for name, path in bundle.files.items():
        place = folder / "release" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
    return folder / "release"


# What the profiles recommend and nothing here knows or has: public addresses of the
# program, of libraries and of who measured, who publishes, when the build ended, and
# a README.md (the release's is README.txt).
NOT_KNOWN = (
    "SHOULD have a url", "SHOULD have a URL", "SHOULD be an absolute URI",
    "The `publisher` property", "SHOULD have an endTime", "The README.md SHOULD",
)  # fmt: skip


def complaints(folder: Path) -> list[str]:
    """What is required or recommended and missing, but for what is not known."""
    from rocrate_validator import models, services

    settings = services.ValidationSettings(
        rocrate_uri=str(folder),
        profile_identifier=PROFILE,
        requirement_severity=models.Severity.RECOMMENDED,
        offline=True,
    )
    issues = services.validate(settings).get_issues()
    messages = [str(issue.message) for issue in issues]
    return sorted(text for text in messages if not any(n in text for n in NOT_KNOWN))


@pytest.mark.usefixtures("offline")
def test_a_release_is_a_workflow_run_crate(tmp_path: Path) -> None:
    assert complaints(release(tmp_path, raw=True)) == []


@pytest.mark.usefixtures("offline")
def test_a_crate_without_its_workflow_is_none(tmp_path: Path) -> None:
    folder = release(tmp_path, raw=False)
    path = folder / "ro-crate-metadata.json"
    crate = json.loads(path.read_text())
    [root] = [one for one in crate["@graph"] if one["@id"] == "./"]
    del root["mainEntity"]
    path.write_text(json.dumps(crate))
    found = complaints(folder)
    assert found and all("main" in text.casefold() for text in found), found


def test_a_crate_names_raw_files_code_and_results_by_hash(tmp_path: Path) -> None:
    folder = release(tmp_path, raw=False)
    crate = json.loads((folder / "ro-crate-metadata.json").read_text())
    by_id = {one["@id"]: one for one in crate["@graph"]}
    run = by_id["#run"]
    raw = by_id["#raw/lab/run%201%28B%29.txt"]
    assert {"@id": raw["@id"]} in run["object"] and raw["sha256"][:6] == "2d7116"
    results = {one["@id"] for one in run["result"]}
    assert {"index.html", "facts.json", "small.pdf"} <= results
    listed = parse_sums((folder / "SHA256SUMS").read_bytes())
    assert all(by_id[name]["sha256"] == listed[name] for name in results)
    assert by_id["#edition-value"]["value"] == "small"


def test_a_crate_of_equal_inputs_is_equal(tmp_path: Path) -> None:
    names = ("one", "other")
    for name in names:
        release(tmp_path / name, raw=True)
    one, other = (tmp_path / n / "release/ro-crate-metadata.json" for n in names)
    assert one.read_bytes() == other.read_bytes()
