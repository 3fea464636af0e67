"""The verb that records the checksums of a campaign."""

from __future__ import annotations

import subprocess

import pytest

from analysis.cli import main
from analysis.files.checksums import read_checksums
from analysis.ingest.campaign.check import read_checked
from analysis.ingest.campaign.checksums import describe

LOG = "A/RR10(100B)/rep01/client.txt"


def sign(folder) -> int:
    return main(["checksums", str(folder.path)])


def test_a_changed_file_is_accepted_by_signing_it_again(folder, capsys):
    folder.edit(LOG, "profile:rr", "profile:xx")
    assert sign(folder) == 0
    assert f"changed  {LOG}" in capsys.readouterr().out
    assert read_checked(folder.path)


def test_new_and_gone_files_are_told(folder, capsys):
    (folder.path / "notes.txt").write_text("new")
    (folder.path / LOG).unlink()
    assert sign(folder) == 0
    out = capsys.readouterr().out
    assert "new      notes.txt\n" in out
    assert f"gone     {LOG}\n" in out
    assert "20 files, 2 changes" in out


def test_sha256sum_agrees_and_notices_a_changed_byte(folder):
    (folder.path / "two  words.txt").write_text("new")
    assert sign(folder) == 0
    check = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
    assert subprocess.run(check, cwd=folder.path, check=False).returncode == 0
    folder.edit(LOG, "profile:rr", "profile:xx")
    assert subprocess.run(check, cwd=folder.path, check=False).returncode == 1


def test_what_sha256sum_wrote_is_read(folder):
    sums = folder.path / "SHA256SUMS"
    before = read_checksums(folder.path)
    files = sorted(before.files, reverse=True)
    said = subprocess.run(
        ["sha256sum", "--binary", *files],
        cwd=folder.path,
        check=True,
        capture_output=True,
    )
    sums.write_bytes(b"# by hand\n" + said.stdout)
    after = read_checksums(folder.path)
    assert after.files == before.files
    assert after.lines[files[0]] == 2
    assert read_checked(folder.path)


@pytest.mark.parametrize("place", ["end", "middle"])
def test_checksums_are_moved_out_of_the_declaration(folder, capsys, place):
    path, sums = folder.path / "campaign.yaml", folder.path / "SHA256SUMS"
    declared = path.read_text()
    first, rest = declared.split("\n", 1)
    block = f"files:\n  {LOG}: {'f' * 64}\n  gone.txt: {'f' * 64}\n"
    texts = {"end": f"{declared}{block}", "middle": f"{first}\n{block}{rest}"}
    path.write_text(texts[place])
    sums.unlink()
    assert sign(folder) == 0
    assert path.read_text() == declared
    out = capsys.readouterr().out
    assert "its block 'files:' went to SHA256SUMS" in out
    assert f"changed  {LOG}\n" in out
    assert "gone     gone.txt\n" in out
    assert read_checked(folder.path)


def test_checksums_that_are_not_there_are_made(folder):
    (folder.path / "SHA256SUMS").unlink()
    assert sign(folder) == 0
    assert read_checked(folder.path)


def test_damaged_checksums_are_made_anew(folder):
    sums = folder.path / "SHA256SUMS"
    before = sums.read_text()
    sums.write_text("damaged\n" + before)
    assert sign(folder) == 0
    assert sums.read_text() == before


def test_signing_twice_changes_nothing(folder, capsys):
    sign(folder)
    first = (folder.path / "SHA256SUMS").read_bytes()
    sign(folder)
    assert (folder.path / "SHA256SUMS").read_bytes() == first
    assert "20 files, 0 changes" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["on", "1.5", "two words.txt", "a: b #c.txt", "ä.txt"])
def test_any_file_name_can_be_recorded(folder, name):
    (folder.path / name).write_text("new")
    assert sign(folder) == 0
    assert name in read_checked(folder.path).files


def test_a_block_in_another_form_is_left_alone(folder, capsys):
    path = folder.path / "campaign.yaml"
    text = path.read_text() + "files: {\n\n  a.txt: x}\n"
    path.write_text(text)
    assert sign(folder) == 2
    assert "campaign.yaml" in capsys.readouterr().err
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("a\nb.txt", "has the control character U+000A in its name"),
        ("a\\b.txt", "has backslashes"),
        ("a\x7f.txt", "has the control character U+007F in its name"),
    ],
)
def test_a_name_that_would_have_to_be_escaped_is_refused(folder, capsys, name, what):
    before = (folder.path / "SHA256SUMS").read_text()
    (folder.path / name).write_text("new")
    assert sign(folder) == 2
    said = capsys.readouterr().err
    assert what in said
    assert "rename it" in said
    assert (folder.path / "SHA256SUMS").read_text() == before


def test_an_escaped_line_is_told(folder):
    path = folder.path / "SHA256SUMS"
    path.write_text(path.read_text() + f"\\{'f' * 64}  a\\nb.txt\n")
    [issue] = folder.issues()
    assert str(issue.where).endswith("SHA256SUMS:21")
    assert "escaped: it has a backslash or a line break" in issue.what
    assert "rename the file" in issue.mend


def test_a_link_out_of_the_folder_is_not_signed(folder, capsys):
    (folder.path.parent / "secret.txt").write_text("secret")
    (folder.path / "link.txt").symlink_to("../secret.txt")
    assert sign(folder) == 2
    assert "leads out of the campaign's folder" in capsys.readouterr().err


def test_a_declaration_that_is_no_mapping_is_named(folder, capsys):
    (folder.path / "campaign.yaml").write_text("- a\n")
    assert sign(folder) == 2
    assert "not a campaign's declaration" in capsys.readouterr().err


def test_a_file_that_did_not_change_is_not_told():
    assert describe({"a": "1", "b": "1"}, {"a": "1", "b": "2"}) == ["changed  b"]
