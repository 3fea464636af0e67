"""Hashes of code and of raw files."""

import textwrap

import pytest

from analysis.files import hashes
from analysis.programs import fingerprint as module
from analysis.programs.fingerprint import fingerprint, modules_of

VERB = "derive"  # analysis.derive.verb

FILES = {
    "analysis/__init__.py": "",
    "analysis/derive/__init__.py": '"""Derive."""',
    "analysis/derive/verb.py": '''
        """Say what."""
        import models.queue
        from . import near
        from analysis.facts import units
        FORMATS = Registry("analysis.ingest", "FORMAT", entry)
        FACTOR = 2
        def run(args):
            """Do it."""
            from analysis.ingest.inner import read
            return FACTOR  # twice
    ''',
    "analysis/derive/near.py": "from .deeper import DEPTH",
    "analysis/derive/deeper.py": "DEPTH = 1",
    "analysis/facts/units.py": "KB = 1024",
    "analysis/ingest/__init__.py": "",
    "analysis/ingest/late.py": "FORMAT = 1",
    "analysis/ingest/helper.py": "HELPER = 1",
    "analysis/ingest/inner.py": "def read(): return 1",
    "analysis/unrelated.py": "OTHER = 1",
    "models/__init__.py": "",
    "models/queue.py": "SERVERS = 1",
}


@pytest.fixture
def project(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip())
    return tmp_path


def edit(project, name, old, new):
    path = project / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def changes(project, name, old, new) -> bool:
    before = fingerprint(VERB, project)
    edit(project, name, old, new)
    return fingerprint(VERB, project) != before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("FACTOR = 2", "FACTOR = 2  # a reason"),
        ("FACTOR = 2", "# a reason\n\nFACTOR = 2"),
        ("Say what.", "Say it in other words."),
        ('"""Do it."""', '"""Do it.\n\n    And well.\n    """'),
        ("return FACTOR", "return (\n        FACTOR\n    )"),
    ],
)
def test_what_only_people_read_changes_nothing(project, old, new):
    assert not changes(project, "analysis/derive/verb.py", old, new)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("analysis/derive/verb.py", "FACTOR = 2", "FACTOR = 3"),
        ("analysis/derive/verb.py", "FACTOR = 2", "FACTOR = 2.0"),
        ("analysis/derive/verb.py", "return FACTOR", "return -FACTOR"),
        ("analysis/derive/near.py", "DEPTH", "DEPTH as HOW_DEEP"),
        ("analysis/derive/deeper.py", "1", "2"),
        ("analysis/facts/units.py", "1024", "1000"),
        ("analysis/ingest/inner.py", "return 1", "return 2"),
        ("analysis/ingest/late.py", "1", "2"),
        ("models/queue.py", "1", "2"),
    ],
)
def test_a_changed_meaning_changes_it_however_deep(project, name, old, new):
    assert changes(project, name, old, new)


def test_a_module_that_the_verb_does_not_use_changes_nothing(project):
    assert not changes(project, "analysis/unrelated.py", "1", "2")


def test_a_new_file_of_a_registry_counts(project):
    before = fingerprint(VERB, project)
    (project / "analysis/ingest/smf").mkdir()
    (project / "analysis/ingest/smf/__init__.py").write_text('FORMAT: str = "smf"')
    assert fingerprint(VERB, project) != before


@pytest.mark.parametrize("name", ["analysis/derive/cost.sql", "models/params/a.yaml"])
def test_a_data_file_beside_the_code_counts(project, name):
    (project / name).parent.mkdir(exist_ok=True)
    (project / name).write_text("1")
    assert changes(project, name, "1", "2")


def test_compiled_code_does_not_count(project):
    before = fingerprint(VERB, project)
    cache = project / "analysis" / "derive" / "__pycache__"
    cache.mkdir()
    (cache / "verb.cpython-311.pyc").write_text("1")
    assert fingerprint(VERB, project) == before


def test_a_module_that_turns_into_a_package_changes_it(project):
    before = fingerprint(VERB, project)
    package = project / "analysis" / "facts" / "units"
    package.mkdir()
    (project / "analysis" / "facts" / "units.py").rename(package / "__init__.py")
    (package / "__init__.py").write_text("KB = 1000")
    assert fingerprint(VERB, project) != before


def test_the_modules_of_a_verb(project):
    assert sorted(modules_of(VERB, project)) == [
        "analysis",
        "analysis.derive",
        "analysis.derive.deeper",
        "analysis.derive.near",
        "analysis.derive.verb",
        "analysis.facts.units",
        "analysis.ingest",
        "analysis.ingest.inner",
        "analysis.ingest.late",
        "models",
        "models.queue",
    ]


def test_it_does_not_depend_on_where_the_project_lies(project, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "copy"
    before = fingerprint(VERB, project)
    project.rename(elsewhere)
    assert fingerprint(VERB, elsewhere) == before


def test_a_damaged_cache_is_made_anew(project):
    before = fingerprint(VERB, project)
    cache = project / module.CACHE / "code.json"
    for damage in ("", "[]", "{", '{"maker": []}'):
        cache.write_text(damage)
        assert fingerprint(VERB, project) == before


def test_unchanged_modules_are_not_read_again(project, monkeypatch):
    monkeypatch.setattr(hashes, "_TICK_NS", -(10**12))
    fingerprint(VERB, project)
    read: list[object] = []
    monkeypatch.setattr(module.ast, "parse", lambda *args: read.append(args))
    assert fingerprint(VERB, project)
    assert read == []


def test_the_verb_prints_the_hash_or_the_modules(capsys, root, monkeypatch):
    monkeypatch.chdir(root)
    from analysis.cli import main

    assert main(["fingerprint", "ingest"]) == 0
    assert capsys.readouterr().out.strip() == fingerprint("ingest")
    assert main(["fingerprint", "ingest", "--modules"]) == 0
    assert "analysis.errors" in capsys.readouterr().out.split()
