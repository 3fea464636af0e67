"""Links to where a text is edited on the web page of its Git host."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from analysis.declared.edition import Edition


def edit_link(edition: Edition, file: str) -> str:
    """The address that edits a file, empty where the edition declares no ``repo-url``.

    Host, branch and folder follow Quarto's ``repo-url``, ``repo-branch`` and
    ``repo-subdir``; ``file`` is the path from the project's folder.
    """
    if not edition.repo_url:
        return ""
    base = edition.repo_url.rstrip("/")
    gitlab = "gitlab" in (urlsplit(base).hostname or "")
    parts = [base, *(["-"] if gitlab else []), "edit", quote(edition.repo_branch)]
    if edition.repo_subdir:
        parts.append(quote(edition.repo_subdir.strip("/")))
    return "/".join([*parts, quote(file)])
