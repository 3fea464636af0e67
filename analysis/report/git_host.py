"""Addresses at the Git host of an edition, for those who work there.

Host, branch and folder follow Quarto's ``repo-url``, ``repo-branch`` and
``repo-subdir``. All are empty where the edition declares no ``repo-url``; ``file`` is
the path from the project's folder.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import quote, urlencode, urlsplit

from analysis.declared.edition import Edition


def edit_link(edition: Edition, file: str) -> str:
    """The address that edits a file."""
    return _at(edition, "edit", file)


def new_link(edition: Edition, file: str, content: str) -> str:
    """The address that begins a file on the edition's branch.

    GitHub takes its content from the address; GitLab's editor takes the name alone.
    """
    path = PurePosixPath(file)
    begun = _at(edition, "new", path.parent.as_posix())
    gitlab = _is_gitlab(edition)
    named = {"file_name": path.name} if gitlab else {"filename": path.name}
    more = {} if gitlab else {"value": content}
    return begun and f"{begun}?{urlencode(named | more)}"


def comment_link(edition: Edition, title: str) -> str:
    """The address that begins an issue with a title."""
    if not edition.repo_url:
        return ""
    base, gitlab = edition.repo_url.rstrip("/"), _is_gitlab(edition)
    folder, name = ("-/issues", "issue[title]") if gitlab else ("issues", "title")
    return f"{base}/{folder}/new?{urlencode({name: title})}"


def _at(edition: Edition, does: str, path: str) -> str:
    if not edition.repo_url:
        return ""
    base = edition.repo_url.rstrip("/")
    gitlab = ["-"] if _is_gitlab(edition) else []
    parts = [base, *gitlab, does, quote(edition.repo_branch)]
    if edition.repo_subdir:
        parts.append(quote(edition.repo_subdir.strip("/")))
    return "/".join([*parts, quote(path)])


def _is_gitlab(edition: Edition) -> bool:
    return "gitlab" in (urlsplit(edition.repo_url).hostname or "")
