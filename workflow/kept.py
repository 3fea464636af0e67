"""Whether what a step would make is there already: made by the same code of the same.

The key of a step tells the code of all steps before it. Where that changed and their
results did not, as with a name that was changed in a module, nothing that follows needs
to be made again: its mark is written anew. ``python -m workflow.kept MARK KEY RESULT
--own KEY --with RESULT… --before MARK…`` ends with 1 where the step has to run.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.report.builds.built import end_build
from workflow.made import Step, marks_of, result_hash, same_line, write_mark


def main() -> int:
    """Write the mark of a step whose result may stay; 1 where it must run."""
    parser = argparse.ArgumentParser(prog="python -m workflow.kept")
    parser.add_argument("mark", type=Path)
    parser.add_argument("key")
    parser.add_argument("result", type=Path)
    parser.add_argument("--own", default="", metavar="KEY")
    parser.add_argument("--with", nargs="*", type=Path, default=[], dest="beside")
    parser.add_argument("--before", nargs="*", type=Path, default=[])
    args = parser.parse_args()
    name = args.mark.parent.name
    step = Step(name, args.key, args.result, mark=str(args.mark),
                beside=tuple(args.beside))  # fmt: skip
    same, made = same_line(args.own, args.before), result_hash(step)
    if not any(_tells(path, made, same) for path in marks_of(name)):
        return 1
    write_mark(step, f"{step.key} {made}\n{same}\n")
    end_build(args.result.parent, args.result.name)
    print(f"{name}: stays as it is, all that goes into it is the same")
    return 0


def _tells(mark: Path, made: str, same: str) -> bool:
    """Whether a mark is of this result, made by the same step of the same inputs."""
    lines = mark.read_text("utf-8").splitlines()
    return len(lines) == 2 and lines[0].split()[1:] == [made] and lines[1] == same


if __name__ == "__main__":
    raise SystemExit(main())
