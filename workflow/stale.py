"""``make check``: are facts and figures those of what is declared now?

Prints a warning for each thing that changed since they were made, and runs nothing.
What will not do in a declaration is told by the check that follows.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from analysis.errors import UserError
from workflow.made import void_steps
from workflow.plan import BUILD, Plan, plan

_WORDS = {
    "generate": "the declaration of the campaign {}, its targets",
    "ingest": "the files of the campaign {}",
    "load": "the tables",
    "derive": "what studies or data/ declare",
    "figures": "the figures of {}",
}
_MEND = "make report"


def stale(of: Plan, editions: tuple[str, ...]) -> Iterator[str]:
    """What changed since the facts, and the figures of some editions, were made."""
    void = {step.name for step in void_steps(of.steps.values())}
    for name, step in of.steps.items():
        verb, _, what = name.partition("-")
        asked = verb in _WORDS and (verb != "figures" or what in editions)
        if asked and name in void and void.isdisjoint(step.before):
            yield _WORDS[verb].format(what)


def main(argv: list[str] | None = None) -> int:
    """Print what is stale; nothing where no facts were made yet."""
    parser = argparse.ArgumentParser(prog="python -m workflow.stale")
    parser.add_argument("--edition", default="", help="one edition instead of all")
    args = parser.parse_args(argv)
    if not (BUILD / "facts.json").is_file():
        return 0
    try:
        of = plan("auto", args.edition)
    except UserError:
        return 0
    for words in stale(of, (args.edition,) if args.edition else of.editions):
        told = (
            f"warning: what is checked is stale: {words} or the program changed since"
        )
        print(f"{told}\n  mend: {_MEND}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
