"""Releases: complete and verified folders, and which of them is the current one.

At a destination, ``releases/<edition>/<build>/`` holds a release and
``releases/<edition>/current`` leads to one. Where there are no symbolic links,
``current/index.html`` is a small page that leads there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from analysis.errors import Issue, Place, raise_if, user_error
from analysis.publish.bundle import RELEASE, Bundle
from analysis.publish.destination import Destination

ROOT, CURRENT = "releases", "current"
PART = re.compile(r"\..+\.part")
_POINTER = re.compile(rb'<meta name="release" content="([^"]+)">')


@dataclass(frozen=True)
class Release:
    """One release at a destination, as its ``release.json`` describes it."""

    edition: str
    id: str
    about: Mapping[str, Any]
    current: bool = False

    @property
    def path(self) -> str:
        """Its folder, from the destination."""
        return release_path(self.edition, self.id)

    @property
    def draft(self) -> bool:
        """Whether it was published as a draft."""
        return bool(self.about.get("draft"))

    @property
    def published(self) -> str:
        """When it was published, UTC, ISO 8601."""
        return str(self.about["published"])


def release_path(edition: str, id: str) -> str:
    """The folder of a release, from the destination."""
    return f"{ROOT}/{edition}/{id}"


def read_releases(destination: Destination) -> list[Release]:
    """All releases, by edition and then newest first. Half-copied ones are none."""
    found = []
    for edition in destination.names(ROOT):
        current = current_id(destination, edition)
        for id in destination.names(f"{ROOT}/{edition}"):
            about = (
                None
                if id == CURRENT or id.startswith(".")
                else _about(destination, edition, id)
            )
            if about:
                found.append(Release(edition, id, about, id == current))
    found.sort(key=lambda release: (release.published, release.id), reverse=True)
    return sorted(found, key=lambda release: release.edition)


def current_id(destination: Destination, edition: str) -> str | None:
    """The build id to which ``current`` leads; None where there is none."""
    path = f"{ROOT}/{edition}/{CURRENT}"
    if target := destination.target(path):
        return target.rstrip("/").rpartition("/")[2]
    page = destination.read(f"{path}/index.html")
    match = _POINTER.search(page) if page else None
    return match[1].decode() if match else None


def place_release(destination: Destination, bundle: Bundle) -> bool:
    """Put a complete, verified release in place; False if it was there already.

    It is copied under another name, read again from the destination and renamed
    last, so that a release that can be seen is whole.
    """
    path = release_path(bundle.edition, bundle.id)
    if destination.kind(path) != "nothing":
        _check_same(destination, path, bundle)
        return False
    part = release_path(bundle.edition, f".{bundle.id}.part")
    destination.upload(bundle.files, part)
    destination.write(f"{part}/{RELEASE}", bundle.about_bytes())
    bad = _differences(destination, part, bundle.hashes)
    if bad:
        destination.remove(part)
        raise user_error(
            f"what arrived is not what was sent: {_list(bad)}",
            f"{destination.name}/{part}",
            mend="see that the destination works, then publish again",
        )
    destination.rename(part, path)
    return True


def check_release(destination: Destination, release: Release) -> None:
    """A :class:`UserError` where a release is not as it was published."""
    bad = _differences(destination, release.path, dict(release.about["files"]))
    if bad:
        raise user_error(
            f"this release is damaged: {_list(bad)}",
            f"{destination.name}/{release.path}",
            mend="roll back to another release, remove this folder, and publish again",
        )


def set_current(
    destination: Destination, edition: str, id: str, pointer: bytes
) -> None:
    """Let ``current`` lead to a release, in one step."""
    path = f"{ROOT}/{edition}/{CURRENT}"
    if destination.kind(path) == "folder" or not destination.link(path, id):
        destination.write(f"{path}/index.html", pointer)


def remove_parts(destination: Destination, edition: str) -> None:
    """Remove what a killed publisher left half copied."""
    for name in destination.names(f"{ROOT}/{edition}"):
        if PART.fullmatch(name):
            destination.remove(f"{ROOT}/{edition}/{name}")


def check_place(destination: Destination, edition: str) -> None:
    """A :class:`UserError` where something foreign stands in the way."""
    issues = []
    for path in (ROOT, f"{ROOT}/{edition}"):
        if destination.kind(path) not in ("nothing", "folder"):
            issues.append(_foreign(destination, path))
    path = f"{ROOT}/{edition}/{CURRENT}"
    kind = destination.kind(path)
    page = destination.read(f"{path}/index.html") if kind == "folder" else None
    ours = kind in ("nothing", "link") or (page and _POINTER.search(page))
    if not ours:
        issues.append(_foreign(destination, path))
    raise_if(issues)


def foreign_page(destination: Destination, path: str, mark: bytes) -> bool:
    """Whether a page stands there that this program did not write."""
    if destination.kind(path) == "nothing":
        return False
    page = destination.read(path) if destination.kind(path) == "file" else None
    return page is None or mark not in page


def _foreign(destination: Destination, path: str) -> Issue:
    return Issue(
        "something that is no release stands in the way",
        Place(f"{destination.name}/{path}"),
        "move it elsewhere, or publish to another folder",
    )


def _about(destination: Destination, edition: str, id: str) -> dict[str, Any] | None:
    """What ``release.json`` says; None where it is absent or not one of ours."""
    content = destination.read(f"{release_path(edition, id)}/{RELEASE}")
    try:
        about = json.loads(content or b"")
        whole = {"published", "files", "title", "date"} <= set(about)
        return dict(about) if whole and about["build"] == id else None
    except (ValueError, TypeError, KeyError):
        return None


def _check_same(destination: Destination, path: str, bundle: Bundle) -> None:
    about = _about(destination, bundle.edition, bundle.id)
    where = f"{destination.name}/{path}"
    if about is None:
        raise user_error(
            "a folder that is no release has the name of this build",
            where,
            mend="move it elsewhere, then publish again",
        )
    check_release(destination, Release(bundle.edition, bundle.id, about))
    if about["files"] != bundle.hashes:
        raise user_error(
            "this build is published already, with other files",
            where,
            mend="publish with the same options as then (--with-raw), or remove it",
        )


def _differences(
    destination: Destination, path: str, wanted: Mapping[str, str]
) -> list[str]:
    found = destination.hashes(path)
    found.pop(RELEASE, None)
    missing = [f"{name} is missing" for name in wanted if name not in found]
    changed = [
        f"{name} is {'foreign' if name not in wanted else 'not the same'}"
        for name, digest in found.items()
        if wanted.get(name) != digest
    ]
    return sorted(missing + changed)


def _list(found: list[str]) -> str:
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return ", ".join(found[:3]) + more
