"""The page of all kinds of figures, made by ``python -m tests.figures.gallery``.

It writes ``docs/figures.md`` and, in ``docs/figures``, a picture of each kind.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from analysis.declared.figure_file import FigureFile
from analysis.facts.fact import Facts
from analysis.figures.kind import KINDS
from analysis.figures.page import WIDE
from analysis.figures.setting import Setting
from tests.figures.drawn import Drawn, draw, make_diagram, make_setting
from tests.figures.made import make_costs, make_facts, make_study
from tests.figures.test_topology import TWO

PAGE = Path(__file__).parents[2] / "docs/figures.md"
GUIDE = PAGE.with_name("how-to") / "own-figure.md"
TEXT = Path(__file__).with_name("gallery.md")
FIRST = (
    "range", "delta", "equivalence", "compare", "trend", "scaling", "stacked", "table",
    "value", "waterfall", "distribution", "ecdf", "timeline", "topology", "sequence",
    "python",
)  # fmt: skip
ORDER = (*FIRST, *sorted(set(KINDS) - {*FIRST}))
SIZES = ("RR10(1kB)", "RR10(4kB)", "RR10(16kB)", "RR10(32kB)")
COSTS = {
    ("client", "STR3(1B/20MB)"): ((9e6, 1.9, 3.0), (15.6e6, 1.72, 3.0)),
    ("server", "STR3(1B/20MB)"): ((6.1e6, 2.2, 3.0), (6.3e6, 2.75, 2.7)),
}
METRICS = {
    "range": (("latency", "throughput", "cpu_cost"), "*"),
    "delta": (("throughput", "cpu_cost"), "STR*"),
    "equivalence": (("latency", "cpu_cost"), "*RR*"),
    "stacked": (("cpu_cost",), "*RR*"),
    "table": (("cpu_cost",), "*RR*"),
    "value": (("throughput",), "STR*"),
    "distribution": (("latency",), "RR1(*"),
    "ecdf": (("latency",), "RR1(*"),
    "timeline": (("throughput",), "STR*"),
}


def python_example() -> tuple[Facts, Setting]:
    """Made facts, and the figure of the guide that draws them."""
    block = re.search(r"   ```python\n(.*?)   ```", GUIDE.read_text("utf-8"), re.DOTALL)
    text = re.sub(r"^   ", "", block[1], flags=re.MULTILINE) if block else ""
    setting = make_setting("python", ("latency",), "RR*", file="spread.py")
    facts = make_facts().of("linux-veth", "offload")
    return facts, replace(setting, file=FigureFile("spread.py", text))


def example(kind: str) -> tuple[Facts, Setting]:
    """Made facts, and a figure of the kind that draws them."""
    if kind == "python":
        return python_example()
    if kind == "topology":
        return Facts(()), make_diagram(TWO)
    if kind == "waterfall":
        setting = make_setting(kind, ("cpu_cost",), study="s")
        return make_costs(COSTS), setting
    if kind == "sequence":
        return Facts(()), make_setting(kind, (), "CRR9(64B/8kB)", "s")
    if kind not in ("trend", "scaling"):
        metrics, workloads = METRICS.get(kind, (("latency",), "*RR*"))
        study = "noise" if kind == "equivalence" else "offload"
        tests = ("A2",) if kind == "equivalence" else ("B",)
        facts = make_facts().of("linux-veth", study)
        return facts, make_setting(kind, metrics, workloads, study, tests=tests)
    metric = "cpu_cost" if kind == "trend" else "latency"
    roles = ("client", "server") if kind == "trend" else (None,)
    before, after = (22, 38, 140, 300), (47, 51, 110, 165)
    shares = {"client": (0.8, 0.7, 0.6, 0.5), "server": (0.9, 0.8, 0.75, 0.7)}
    changes = {
        (metric, role, name): (low, low * shares[role][i] if role else after[i])
        for role in roles
        for i, (name, low) in enumerate(zip(SIZES, before, strict=True))
    }
    return make_study("s", changes), make_setting(kind, (metric,), study="s")


@cache
def drawn(kind: str) -> Drawn:
    """The example of a kind, drawn once for the page and its picture."""
    return draw(*example(kind), WIDE)


def page() -> str:
    """The text of the page."""
    rows = [f"| `{id}` | {KINDS[id].draws} | {KINDS[id].answers} |" for id in ORDER]
    table = "\n".join(["| kind | what it draws | when |", "|---|---|---|", *rows])
    shown = "\n\n".join(
        f"### {id}\n\n![{drawn(id).words.alt}](figures/{id}.svg)" for id in ORDER
    )
    text = TEXT.read_text(encoding="utf-8")
    return text.replace("KINDS\n", f"{table}\n").replace("PICTURES\n", f"{shown}\n")


def picture(kind: str) -> bytes:
    """The picture of a kind."""
    return drawn(kind).svg


def main() -> None:
    """Write the page and its pictures."""
    PAGE.with_suffix("").mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    for kind in ORDER:
        (PAGE.with_suffix("") / f"{kind}.svg").write_bytes(picture(kind))


if __name__ == "__main__":
    main()
