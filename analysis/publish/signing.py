"""What lets a release be verified without this program: signatures, ``verify.sh``.

``SHA256SUMS`` is signed with a key of SSH by who publishes. Where reviewers of the
edition have keys, it is one of theirs. Approvals come with the commit that brought
them and its signature.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analysis.errors import user_error
from analysis.programs.child import run_child
from analysis.publish.build import SIGNERS, VERIFY, Build

NAMESPACE = "netperf-report"  # what a signature is for: it is good for nothing else
_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")
_SIGNATURE = re.compile(r"^gpgsig(?:-sha256)? (.*\n(?: .*\n)*)", re.MULTILINE)


def verifying_files(build: Build) -> dict[str, str]:
    """The texts by which a release is verified, by their names in it.

    ``signers.txt`` has the reviewers with keys of SSH; it is empty where none has one.
    """
    lines = (f"{key} {name}\n" for key, name in _signers(build).items())
    script = Path(__file__).with_name(VERIFY).read_text("utf-8")
    return {VERIFY: script, SIGNERS: "".join(lines), **dict(_approvals(build))}


def _signers(build: Build) -> dict[str, str]:
    """Reviewers by the fingerprints of their keys of SSH, the only ones that sign."""
    reviewers = build.provenance.get("reviewers", ())
    ssh = (one for one in reviewers if one["key"].startswith("SHA256:"))
    return {one["key"]: one["name"] for one in ssh}


def _approvals(build: Build) -> Iterator[tuple[str, str]]:
    """What was signed of each approval, and the signature."""
    about = build.provenance
    parts: dict[str, Any] = {"look": about.get("look"), "matter": about.get("matter")}
    for part, review in {**about.get("studies", {}), **parts}.items():
        for number, approval in enumerate((review or {}).get("approvals", ()), 1):
            if match := _SIGNATURE.search(commit := approval.get("commit", "")):
                name = f"approvals/{part}-{number}.commit"
                yield name, commit[: match.start()] + commit[match.end() :]
                kind = "asc" if "BEGIN PGP" in match[1] else "sig"
                yield f"{name}.{kind}", match[1].replace("\n ", "\n")


def sign(sums: str, key: Path, build: Build) -> str:
    """The signature of a list of hashes, by a private key or one that an agent has.

    A :class:`analysis.errors.UserError` where it cannot be made, or where reviewers of
    the edition have keys and it is none of theirs.
    """
    command = ["ssh-keygen", "-Y", "sign", "-q", "-f", str(key.expanduser().resolve())]
    done = run_child([*command, "-n", NAMESPACE], build.folder, sums.encode())
    if done.code != 0:
        why = done.errors.decode(errors="replace").strip() or "ssh-keygen cannot sign"
        mend = "name a key of ssh-keygen that asks no passphrase, or that ssh-agent has"
        raise user_error(f"the release cannot be signed: {why}", key, mend=mend)
    shown = run_child(["ssh-keygen", "-lf", command[-1]], build.folder)
    match = _FINGERPRINT.search(shown.output.decode(errors="replace"))
    known = _signers(build)
    if known and (match is None or match[0] not in known):
        raise user_error(
            f"no reviewer of {build.edition} has this key: {match and match[0]}",
            key,
            mend="sign with the key of a reviewer, or name its owner in edition.yaml",
        )
    return done.output.decode()
