"""Who approved, and how far that is known: lists of reviewers, signatures in Git."""

from __future__ import annotations

import datetime as dt
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from analysis.declared.edition import Reviewer
from analysis.errors import UserError
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.document.assemble import assemble
from analysis.report.material import Sources, read_material
from analysis.report.review import trust
from analysis.report.review.findings import doubts
from analysis.report.review.record import Approval, Record, read_record
from analysis.report.review.state import review, reviews
from analysis.report.review.trust import Trust, trusted
from analysis.report.review.verb import approve

DAY = dt.date(2026, 3, 5)
ADDRESS = "ann@example.org"
WriteText = Callable[[str, str], Path]
APPROVAL = Approval(by="Ann", date=DAY)
RECORD = Record(by="Ann", date=DAY, stamp="-".join(["0" * 8] * 6))
HAS = {"by": "Ann", "date": DAY, "stamp": "s"}
HAS_BESIDE = {
    "by": "Bo",
    "date": DAY,
    "stamp": "s",
    "also": [1, {"by": "Ann", "date": DAY}],
}
needs_git = pytest.mark.skipif(
    not (shutil.which("git") and shutil.which("ssh-keygen")),
    reason="needs Git and ssh-keygen: apt install git openssh-client",
)


def checked_of(project: Sources) -> Checked:
    return check_texts(read_material("small", project))


def declare(project: Sources, text: str) -> None:
    path = project.report / "small/edition.yaml"
    path.write_text(path.read_text("utf-8") + text, encoding="utf-8")


def trust_of(project: Sources, *reviewers: Reviewer) -> Trust:
    folder = project.report / "small/studies/speed"
    record = read_record(folder)
    assert record is not None
    [found] = trusted(record, reviewers, folder / "review.yaml")
    return found


@pytest.fixture
def approved(project: Sources) -> Sources:
    approve(checked_of(project), "speed", "Ann Author", DAY)
    return project


@pytest.mark.parametrize(
    ("reviewers", "level", "why"),
    [
        ([], "unverified", "edition.yaml declares no reviewers"),
        ([Reviewer(name="Bo", email="bo@example.org")], "unverified", "not among the"),
        ([Reviewer(name="Ann Author", email=ADDRESS)], "listed", ""),
        ([Reviewer(name="ann author", email=ADDRESS)], "listed", ""),
        ([Reviewer(name="Ann Author", key="SHA256:" + "a" * 43)], "unverified",
         "no commit has this approval yet"),
    ],
)  # fmt: skip
def test_a_name_is_known_by_the_list_of_the_edition(
    approved: Sources, reviewers: list[Reviewer], level: str, why: str
) -> None:
    found = trust_of(approved, *reviewers)
    assert (found.level, found.verified) == (level, level != "unverified")
    assert found.why.startswith(why)


@pytest.mark.parametrize("by", ["Ann", "Ann Authors", "bo@example.org", "Anybody"])
def test_another_name_is_not_hers(by: str) -> None:
    assert not Reviewer(name="Ann Author", email=ADDRESS).is_called(by)


@pytest.mark.parametrize("by", ["Ann Author", ADDRESS, f"Ann Author <{ADDRESS}>"])
def test_a_reviewer_goes_by_name_or_address(by: str) -> None:
    assert Reviewer(name="Ann Author", email=ADDRESS).is_called(by)


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ("{name: Ann}", "a reviewer has an email, a key, or both"),
        ("{name: Ann, key: 'SHA256:abc'}", "key"),
        ("{name: Ann, email: ann}", "email"),
        ("{email: ann@example.org}", "name"),
    ],
)
def test_a_reviewer_of_whom_too_little_is_told_is_named(
    project: Sources, entry: str, what: str
) -> None:
    declare(project, f"reviewers:\n  - {entry}\n")
    with pytest.raises(UserError, match=what) as caught:
        checked_of(project)
    assert "edition.yaml:1" in str(caught.value)


@dataclass(frozen=True)
class Repository:
    """A repository of Git around a project, and the keys of two people."""

    folder: Path

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", "-C", self.folder, *arguments], check=True)

    def key(self, name: str) -> tuple[str, str]:
        """A key of SSH: its public file, its fingerprint."""
        file = self.folder / f".git/{name}.key"
        made = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file]
        subprocess.run(made, check=True)
        shown = subprocess.run(
            ["ssh-keygen", "-lf", file], check=True, capture_output=True, text=True
        )
        return f"{file}.pub", shown.stdout.split()[1]

    def commit(self, key: str = "", author: str = ADDRESS) -> None:
        signed = ["-c", "gpg.format=ssh", "-c", f"user.signingkey={key}"] if key else []
        named = ["-c", "user.name=Ann", "-c", f"user.email={author}"]
        self.git("add", "--all")
        options = ["--quiet", "--allow-empty", "-m", "x", *(["-S"] if key else [])]
        self.git(*signed, *named, "-c", "commit.gpgsign=false", "commit", *options)


@pytest.fixture
def repository(project: Sources) -> Repository:
    folder = project.report.parent
    found = Repository(folder)
    found.git("init", "--quiet")
    found.commit()
    return found


@needs_git
def test_a_signed_commit_vouches_for_a_reviewer_with_a_key(
    project: Sources, repository: Repository
) -> None:
    (file, own), (_, foreign) = repository.key("ann"), repository.key("bo")
    ann = Reviewer(name="Ann Author", key=own)
    approve(checked_of(project), "speed", "Ann Author", DAY)
    assert trust_of(project, ann).why == "no commit has this approval yet"
    repository.commit(file)
    assert trust_of(project, ann).level == "signed"
    other = Reviewer(name="Ann Author", key=foreign)
    assert trust_of(project, other).why == "its commit is signed with another key"


@needs_git
def test_an_unsigned_commit_vouches_for_nobody(
    project: Sources, repository: Repository
) -> None:
    file, own = repository.key("ann")
    ann = Reviewer(name="Ann Author", key=own)
    approve(checked_of(project), "speed", "Ann Author", DAY)
    repository.commit()
    assert trust_of(project, ann).why == "its commit has no good signature"
    repository.commit(file)  # of something else: the record came without a signature
    assert trust_of(project, ann).level == "unverified"


@needs_git
def test_a_forged_approval_does_not_inherit_a_signature(
    project: Sources, repository: Repository
) -> None:
    file, own = repository.key("ann")
    ann = Reviewer(name="Ann Author", key=own)
    approve(checked_of(project), "speed", "Ann Author", DAY)
    repository.commit(file)
    text = project.report / "small/studies/speed/observations.md"
    text.write_text("Nothing is printed here.\n", encoding="utf-8")
    approve(checked_of(project), "speed", "Ann Author", DAY)
    assert review(checked_of(project), "speed").state == "approved"
    assert trust_of(project, ann).level == "unverified"
    repository.commit()
    assert trust_of(project, ann).level == "unverified"


@needs_git
def test_the_author_of_the_commit_has_the_address_of_the_reviewer(
    project: Sources, repository: Repository
) -> None:
    ann = Reviewer(name="Ann Author", email=ADDRESS)
    approve(checked_of(project), "speed", "Ann Author", DAY)
    repository.commit(author="bo@example.org")
    assert trust_of(project, ann).why == "committed by bo@example.org"


@needs_git
def test_a_fingerprint_of_openpgp_may_have_spaces() -> None:
    key = "ABCD " * 10
    reviewer = Reviewer(name="Ann", key=key.strip())
    assert reviewer.has_key("abcd" * 10)
    assert not reviewer.has_key("", "abce" * 10)


@pytest.mark.parametrize(
    ("status", "severity"), [("draft", "warning"), ("final", "error")]
)
def test_an_edition_with_reviewers_takes_no_other_approval(
    approved: Sources, status: str, severity: str
) -> None:
    declared = f"reviewers: [{{name: Bo, email: bo@example.org}}]\nstatus: {status}\n"
    declare(approved, declared)
    approve(checked_of(approved), "speed", "Anybody", DAY)
    checked = checked_of(approved)
    [finding] = doubts(reviews(checked))
    assert finding.severity == severity
    assert "Anybody is unverified: not among the reviewers" in finding.issue.what
    assert str(finding.issue.where).endswith("studies/speed/review.yaml")
    approve(checked, "speed", "Bo", DAY)
    assert not list(doubts(reviews(checked)))


def test_the_page_marks_who_is_not_known(approved: Sources, tmp_path: Path) -> None:
    declare(approved, "reviewers: [{name: Bo, email: bo@example.org}]\n")
    checked = checked_of(approved)
    assemble(checked, reviews(checked), approved.templates, tmp_path / "document")
    text = (tmp_path / "document/index.qmd").read_text(encoding="utf-8")
    assert "Reviewed by Ann Author on 5 March 2026, unverified" in text


def test_without_reviewers_nothing_is_demanded(approved: Sources) -> None:
    checked = checked_of(approved)
    assert not list(doubts(reviews(checked)))
    [trust] = review(checked, "speed").trust
    assert trust == Trust(
        Approval(by="Ann Author", date=DAY),
        "unverified",
        "edition.yaml declares no reviewers",
    )


@pytest.mark.parametrize(
    ("shown", "found"),
    [
        ([HAS], "0"),
        ([HAS_BESIDE, HAS], "1"),
        ([HAS, None, HAS], "0"),
        ([HAS, {**HAS, "stamp": "t"}], "0"),
        ([{**HAS, "date": dt.date(2026, 3, 6)}], None),
        ([{**HAS, "by": "Bo"}], None),
        ([{**HAS, "by": "Bo", "also": None}], None),
        (["text"], None),
        ([], None),
    ],
)
def test_the_oldest_commit_in_a_row_that_has_an_approval_brought_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shown: list, found: str | None
) -> None:
    asked = []

    def lines(command, folder):
        asked.append(command)
        if "log" in command:
            return [f"{n}\0G\0key\0primary\0{ADDRESS}" for n in range(len(shown))]
        file = shown[int(command[-1].partition(":")[0])]
        return ["["] if file is None else yaml.safe_dump(file).splitlines()

    monkeypatch.setattr(trust, "_lines", lines)
    commit = trust.introduced(APPROVAL, "s", tmp_path / "review.yaml")
    assert (commit and commit.id) == found
    assert asked[0][3:5] == ["log", "-20"] and asked[0][-1] == "review.yaml"


@pytest.mark.parametrize(
    ("author", "level"),
    [(None, "listed"), (ADDRESS.upper(), "listed"), ("bo@example.org", "unverified")],
)
def test_an_address_is_that_of_the_author(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, author, level: str
) -> None:
    commit = author and trust.Commit("0", "N", "", "", author)
    monkeypatch.setattr(trust, "introduced", lambda *_: commit)
    one = Reviewer(name="Ann", email=ADDRESS)
    [found] = trust.trusted(RECORD, [one], tmp_path)
    assert (found.level, found.verified) == (level, level == "listed")
    assert found.why == ("" if level == "listed" else f"committed by {author}")


@pytest.mark.parametrize(
    ("state", "key", "why"),
    [
        ("G", "SHA256:" + "a" * 43, ""),
        ("U", "SHA256:" + "a" * 43, ""),
        ("N", "SHA256:" + "a" * 43, "its commit has no good signature"),
        ("B", "SHA256:" + "a" * 43, "its commit has no good signature"),
        ("G", "SHA256:" + "b" * 43, "its commit is signed with another key"),
    ],
)
def test_a_good_signature_with_the_declared_key_vouches(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, state: str, key: str, why: str
) -> None:
    commit = trust.Commit("0", state, key, "", "someone@example.org")
    monkeypatch.setattr(trust, "introduced", lambda *_: commit)
    one = Reviewer(name="Ann", key="SHA256:" + "a" * 43)
    [found] = trust.trusted(RECORD, [one], tmp_path)
    assert (found.level, found.why) == ("unverified" if why else "signed", why)
