"""What the rules of the Snakefile have in common: what a step needs, and its shell."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.declared.edition import find_editions
from analysis.errors import UserError
from analysis.files.digests import digest_of, file_hashes
from analysis.files.inputs import text_files
from analysis.report.builds.built import begin_build
from workflow.made import Step, void_steps
from workflow.needed import RAW, REPORT, lenders, measured_bytes
from workflow.plan import BUILD, DATA, STAGES, plan

_LARGE = 64  # MB of raw files, which all cores read together

Told = Callable[[Any], Any]  # of wildcards, as Snakemake asks for inputs and params


class Steps:
    """The steps of a plan, by names that may have the wildcards of their rules."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        wanted, without = (
            _words(config.get(key, "")) for key in ("edition", "without")
        )
        self.plan = plan(config.get("engine", "auto"), wanted, without)
        editions = wanted.split() or self.plan.editions
        stopped = self.plan.stopped
        if lost := stopped.keys() & editions if editions else stopped.keys():
            raise UserError([i for id in sorted(lost) for i in stopped[id].issues])
        self._reports = [f"report-{edition}" for edition in editions]
        first = ("derive", "backtest", "index")
        self.wanted = [self[name].mark for name in (*first, *self._reports)]
        self.tables = [self[name].result for name in self["load"].before]
        self.told = [
            *("--engine", self.plan.engine, "--index", self["index"].result),
            *("--code", *(f"{verb}={self.plan.code[verb]}" for verb in STAGES)),
            *("--libraries", *(f"{n}={of}" for n, of in self.plan.libraries.items())),
        ]

    @property
    def several(self) -> bool:
        """Whether editions keep all cores busy, each with its figures."""
        return len(self._reports) > 1

    def job(self, wildcards: Any) -> str | None:
        """The job of a cluster that both draws and renders an edition.

        None of one that lends or borrows figures, so that no drawing waits for another
        edition's and no report for another one.
        """
        borrow = {edition: lenders(edition) for edition in self.plan.editions}
        alone = not borrow[wildcards.edition]
        alone &= not any(wildcards.edition in of for of in borrow.values())
        return f"edition-{wildcards.edition}" if alone else None

    @property
    def derived_by(self) -> str:
        """What decides, beside declarations and runs, on the facts of a study."""
        data = digest_of(file_hashes(text_files(DATA, BUILD.name), "data"))
        return digest_of({"code": self.plan.code["derive"], "data": data})

    def begin(self) -> None:
        """Write down which editions are to have another report."""
        for step in void_steps(map(self.__getitem__, self._reports)):
            begin_build(step.result.parent, step.result.name)

    def __getitem__(self, name: str) -> Step:
        return self.plan.steps[name]

    def before(self, name: str) -> Told:
        """The marks of the steps before a step."""
        return lambda wildcards: [
            self[step].mark for step in self[name.format(**wildcards)].before
        ]

    def params(self, name: str) -> dict[str, Told]:
        """A step's key, what it makes and from which inputs, and what else it marks.

        Each report writes anew the page of all editions, too.
        """

        def of(told: Callable[[Step], Any]) -> Told:
            return lambda wildcards: told(self[name.format(**wildcards)])

        page = self["index"]
        listed = [page.mark, page.key, page.result]
        return {
            "key": of(lambda step: step.key),
            "own": of(lambda step: step.own),
            "out": of(lambda step: step.result),
            "of": of(lambda step: step.inputs),
            "beside": of(lambda step: step.beside),
            "also": of(lambda _: listed if name.startswith("report-") else []),
        }

    def needs(self, campaigns: str = "*") -> dict[str, Told]:
        """What a cluster gives a step: MB of memory, and minutes, by what it reads.

        Of a campaign that is yet to be generated nobody knows how large it is.
        """

        def of(told: Callable[[int], int]) -> Told:
            return lambda wildcards: told(self._read(campaigns, wildcards))

        return {
            "mem_mb": of(lambda read: min(1000 + read, 4000)),
            "runtime": of(lambda read: 10 + read // 100),
        }

    def readers(self, cores: int) -> Told:
        """How many cores a campaign is read with: small ones, and those that are yet to
        be generated, are read side by side and beside other steps."""
        return lambda of: cores if self._read("{campaign}", of) > _LARGE else 1

    def _read(self, campaigns: str, wildcards: Any) -> int:
        """MB of the raw files of some campaigns."""
        wanted = campaigns.format(**wildcards)
        named = [RAW / n for n in self.plan.campaigns if wanted in (n, "*")]
        return sum(map(measured_bytes, filter(Path.is_dir, named))) // 10**6

    def raw(self, wildcards: Any) -> Path:
        """The files of a campaign: made by the step before, else measured."""
        before = self[f"ingest-{wildcards.campaign}"].before
        return self[before[0]].result if before else RAW / wildcards.campaign


def made(command: str, before: str = "input") -> str:
    """The shell of a step: its command, with a log, then the marks of what it made.

    Where a mark tells of the same step, what it made may stay: that is looked at first.
    ``before`` names the inputs that are the marks of the steps before it.
    """
    marks = f"{{{before}:q}}"
    about = f"--own {{params.own:q}} --with {{params.beside:q}} --before {marks}"
    key = "{output:q} {params.key} {params.out:q}"
    hashes = "$(awk 'FNR == 1 {{print $2}}' /dev/null " + marks + ")"
    same = f"$(echo {{params.own:q}} {hashes})"
    return (
        f'(grep -qsxF "{same}" $(dirname {{output:q}})/[0-9]*'
        f" && python -m workflow.kept {key} {about}) ||"
        f" (python -m {command} 2>&1 | tee {{log:q}} >&2"
        f" && python -m workflow.made {key} {{params.also:q}} {about}"
        " --of {params.of:q})"
    )


def _words(told: Any) -> str:
    """Names between blanks, which Snakemake was told as such or as a list."""
    return " ".join(told) if isinstance(told, list) else str(told)


def asked_for(words: Sequence[str]) -> str:
    """The editions whose files a command asks for by path; none where it asks for more.

    So a page that is built by its path needs the campaigns of its own edition alone.
    Snakemake tells no targets while it reads rules, so the command's words do.
    """
    if not any(map(_edition_of, words)):
        return ""
    from snakemake.cli import parse_args

    with contextlib.redirect_stderr(io.StringIO()):
        targets = parse_args(words)[1].targets
    found = {_edition_of(target) for target in targets}
    return " ".join(sorted(found)) if found <= {*find_editions(REPORT)} else ""


def _edition_of(target: str) -> str:
    path, built = Path(target), REPORT / "build"
    below = path.is_relative_to(built) and path != built
    return path.relative_to(built).parts[0] if below else ""


def one_of(names: Iterable[str]) -> str:
    """The pattern of a wildcard that stands for one of these names."""
    return "|".join(map(re.escape, names)) or "none"
