from __future__ import annotations

from pathlib import Path

from analysis.report.review import seen

HEAD = "record,name,label,joins,configurations"


def seen_of(tmp_path: Path, *rows: str) -> list[tuple[str, str]]:
    path = tmp_path / "figure.csv"
    path.write_text("\n".join([HEAD, *rows]) + "\n", encoding="utf-8")
    return list(seen._rows(path))


def test_a_reviewer_sees_every_element_of_a_diagram(tmp_path: Path) -> None:
    before = seen_of(tmp_path, "adapter,osh,25GbE,LPA:OSH,shared")
    after = seen_of(tmp_path, "adapter,osh,10GbE,LPA:OSH,shared")

    assert before == [("adapter osh 25GbE LPA:OSH shared", "")]
    assert before != after
