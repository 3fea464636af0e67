"""The verb that records the checksums of a campaign."""

from __future__ import annotations

import pytest

from analysis.cli import main
from analysis.ingest.check import read_checked
from analysis.ingest.checksums import describe

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
    folder.edit("campaign.yaml", "files:\n", f"files:\n  gone.txt: {'f' * 64}\n")
    assert sign(folder) == 0
    out = capsys.readouterr().out
    assert "new      notes.txt\n" in out
    assert "gone     gone.txt\n" in out
    assert "21 files, 2 changes" in out


def test_the_rest_of_the_declaration_stays_as_it_was(folder):
    path = folder.path / "campaign.yaml"
    head, block = path.read_text().split("\nfiles:\n")
    first, rest = head.split("\n", 1)
    path.write_text(f"{first}\nfiles:\n{block}\n# a comment\n{rest}\n")
    (folder.path / "notes.txt").write_text("new")
    assert sign(folder) == 0
    text = path.read_text()
    assert text.startswith(f"{first}\nfiles:\n")
    assert text.endswith(f"\n# a comment\n{rest}\n")
    assert "  notes.txt: " in text


def test_a_block_that_is_not_there_is_added(folder):
    path = folder.path / "campaign.yaml"
    before = path.read_text()
    path.write_text(before[: before.index("\nfiles:") + 1])
    assert sign(folder) == 0
    assert read_checked(folder.path)


def test_signing_twice_changes_nothing(folder, capsys):
    sign(folder)
    first = (folder.path / "campaign.yaml").read_bytes()
    sign(folder)
    assert (folder.path / "campaign.yaml").read_bytes() == first
    assert "20 files, 0 changes" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["on", "1.5", "two words.txt", "a: b #c.txt", "ä.txt"])
def test_any_file_name_can_be_recorded(folder, name):
    (folder.path / name).write_text("new")
    assert sign(folder) == 0
    assert name in read_checked(folder.path).campaign.files


def test_a_block_in_another_form_is_left_alone(folder, capsys):
    path = folder.path / "campaign.yaml"
    before = path.read_text()
    text = before[: before.index("\nfiles:")] + "\nfiles: {\n\n  a.txt: x}\n"
    path.write_text(text)
    assert sign(folder) == 2
    assert "campaign.yaml" in capsys.readouterr().err
    assert path.read_text() == text


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
