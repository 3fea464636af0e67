"""What each rule of the Snakefile is made from: names, files, and keys by content.

A key is a hash of a rule's code, libraries and inputs, and of the keys of all rules
before it. Rules carry it in ``params``, so Snakemake runs again what it must, and dates
count for nothing. The keys of earlier rules are part of it because Snakemake records a
failed job as done: what follows one then differs from its record, and asks for it.

Of what cannot be read, such as a damaged ``study.yaml``, the plan knows less, and the
rule that needs it fails with the message; other editions are built.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, cast

from analysis.declared.campaign import (
    GENERATED,
    GENERATORS,
    RUNS_FILE,
    find_campaigns,
    read_campaign,
)
from analysis.declared.edition import (
    find_editions,
    placed_figures,
    read_edition,
    read_studies,
)
from analysis.declared.metrics import METRICS_FILE
from analysis.declared.targets import TARGETS
from analysis.errors import Issue, Place, UserError, raise_if
from analysis.files.hashes import campaign_state, digest_of, file_hashes
from analysis.files.inputs import text_files
from analysis.files.templates import template_files
from analysis.program import LOCKS, PROGRAM, is_checkout, version
from analysis.programs.fingerprint import code_of
from analysis.programs.quarto_program import Engine, wanted_quarto

RAW, REPORT, DATA, TEMPLATES = map(Path, ("raw", "report", "data", "templates"))
VERBS = (
    "generate", "ingest", "load", "derive", "backtest", "figures", "report", "index",
    "catalogue",
)  # fmt: skip
_DECLARED = {"edition.yaml", "study.yaml"}
_TESTED_ON = {"linux-veth", "linux-loads"}  # measured campaigns that test the models


@functools.cache
def plan_of(edition: str, engine: str) -> Plan:
    """The plan of this process, for who looks before Snakemake does."""
    return Plan(edition, engine)


class Plan:
    """Names and keys of the project in the current folder.

    ``edition`` has ids with spaces between them, all if none. Functions of
    ``wildcards`` are for rules to ask.
    """

    def __init__(self, edition: str = "", engine: str = "") -> None:
        self.measured = find_campaigns(RAW)
        self.generated = find_campaigns(GENERATORS)
        raise_if(self._in_both())
        self.editions = find_editions(REPORT)
        self.wanted = edition.split() or self.editions
        self.whole = set(self.wanted) == set(self.editions)
        quarto = wanted_quarto(cast(Engine, engine or "auto"))
        self.engine = "quarto" if quarto else "pandoc"
        self._engine = f"quarto {quarto.version}" if quarto else "pandoc"
        self._code = {name: of.fingerprint for name, of in code_of(VERBS).items()}

    @property
    def campaigns(self) -> list[str]:
        """All campaigns."""
        return [*self.measured, *self.generated]

    @functools.cached_property
    def finished(self) -> list[str]:
        """The campaigns for the database: those of editions, and all that are whole."""
        used = {name for edition in self.editions for name in self.rests_on(edition)}
        return [n for n in self.campaigns if n in used or self._is_finished(n)]

    @property
    def tested_on(self) -> list[str]:
        """The campaigns whose loads the models are asked for without their runs."""
        return sorted(_TESTED_ON.intersection(self.measured))

    @property
    def unfinished(self) -> list[str]:
        """The campaigns that no edition rests on, and nobody has finished declaring."""
        return [name for name in self.campaigns if name not in self.finished]

    def check(self) -> None:
        """A :class:`UserError` for what no rule could tell, such as a file that is none
        among the texts."""
        for edition in self.wanted:
            self._report(edition)

    def is_placed(self, edition: str) -> bool:
        """Whether the report that readers find is made of what there is now."""
        flag = Path(f"data/build/rendered/{edition}.placed")
        placed = flag.read_text("utf-8").strip() if flag.is_file() else ""
        return placed == self._report(edition)

    @functools.cache  # noqa: B019 - there is one plan a run
    def lenders(self, edition: str) -> list[str]:
        """The editions whose facts an edition prints: its own, and those that lend.

        Where one is not there, the edition's own step says where it is named.
        """
        try:
            homes = {*read_edition(REPORT / edition).homes(edition).values()}
        except (UserError, OSError):
            return [edition]
        return sorted(homes) if homes.issubset(self.editions) else [edition]

    @functools.cache  # noqa: B019
    def rests_on(self, edition: str) -> list[str]:
        """The campaigns of an edition's own studies that exist."""
        try:
            declared = read_edition(REPORT / edition)
            studies = read_studies(REPORT / edition, declared)
            studies_of = (studies[id] for id in declared.own_studies)
            named = {name for study in studies_of for name in study.campaigns}
        except (UserError, OSError):
            return []
        return sorted(named.intersection(self.campaigns))

    def raw(self, campaign: str) -> Path:
        """The folder of a campaign: one that a rule generates, or one given."""
        return GENERATED / campaign if campaign in self.generated else RAW / campaign

    def tables(self, edition: str) -> list[str]:
        """The tables of the campaigns of an edition, and of those it borrows of."""
        names = {name for one in self.lenders(edition) for name in self.rests_on(one)}
        return [f"data/build/ingest/{name}" for name in sorted(names)]

    def facts(self, edition: str) -> list[str]:
        """The facts that an edition prints."""
        return [f"data/build/facts/{one}" for one in self.lenders(edition)]

    def figures(self, edition: str) -> list[str]:
        """The figures of an edition, and of those it borrows of."""
        return [f"data/build/figures/{one}" for one in self._read_of(edition)]

    def declared(self, edition: str) -> list[Path]:
        """The files that declare an edition and its studies, and those it borrows."""
        return [p for e in self._read_of(edition) for p in self._texts(e, _DECLARED)]

    def texts(self, edition: str) -> list[Path]:
        """The files of an edition, and of those it borrows of."""
        return [path for one in self._read_of(edition) for path in self._texts(one)]

    def megabytes(self, *campaigns: str) -> int:
        """How much is read of some campaigns; of one not generated yet nobody knows."""
        sizes = (self._read(name)[1] for name in campaigns)
        return sum(sizes) // 10**6

    def key(self, rule: str) -> Callable[[Any], str]:
        """The key of a rule, as a function of its wildcards."""
        of = getattr(self, f"_{rule}")
        return lambda wildcards: of(*wildcards)

    @functools.cache  # noqa: B019
    def _generate(self, campaign: str) -> str:
        files = [*text_files(GENERATORS / campaign)]
        files += filter(Path.is_file, [TARGETS / f"{campaign}.csv"])
        return self._key("generate", files)

    @functools.cache  # noqa: B019
    def _ingest(self, campaign: str) -> str:
        if campaign in self.generated:
            return self._key("ingest", (), self._generate(campaign))
        return self._key("ingest", (), self._read(campaign)[0])

    def _database(self) -> str:
        return self._key("load", (), *map(self._ingest, self.finished))

    @functools.cache  # noqa: B019
    def _derive(self, edition: str) -> str:
        files = [*self.data, *self._texts(edition, _DECLARED)]
        return self._key("derive", files, *map(self._ingest, self.rests_on(edition)))

    def _backtest(self) -> str:
        return self._key("backtest", self.data, *map(self._ingest, self.tested_on))

    @functools.cache  # noqa: B019
    def _figures(self, edition: str) -> str:
        facts = [self._derive(one) for one in self.lenders(edition)]
        files = [*self.declared(edition), *self.data]
        files += [path for path in self.texts(edition) if path.suffix == ".py"]
        return self._key("figures", files, *facts, self._placed(edition))

    @functools.cache  # noqa: B019
    def _report(self, edition: str) -> str:
        drawn = [self._figures(one) for one in self._read_of(edition)]
        files = [*self.texts(edition), *self._templates, *self.data]
        files += filter(Path.is_file, LOCKS)
        made = f"{version()} {self._engine}"
        return self._key("report", files, made, self._backtest(), *drawn)

    def _catalogue(self) -> str:
        files = [*self._templates, *self.data]
        files += [path for edition in self.editions for path in self.declared(edition)]
        return self._key("catalogue", files, self._database())

    def _index(self) -> str:
        files = [*self._templates, *text_files(REPORT, "build")]
        reports = map(self._report, self.wanted)
        campaigns = [self._catalogue()] if self.whole else []
        named = " ".join(self.editions)
        return self._key("index", files, named, *campaigns, *reports)

    def _key(self, verb: str, files: Iterable[Path], *before: str) -> str:
        """The hash of a verb's code, of files, and of the keys of rules before it."""
        hashes = file_hashes(files, f"plan-{verb}")
        keys = {str(n): key for n, key in enumerate(before)}
        return digest_of({"code": self._code[verb], **hashes, **keys})

    def _read_of(self, edition: str) -> list[str]:
        return [*dict.fromkeys([edition, *self.lenders(edition)])]

    @functools.cached_property
    def data(self) -> list[Path]:
        """The small declared inputs: metrics, published numbers, targets."""
        files = text_files(DATA, "build")
        return files if is_checkout(Path()) else [*files, PROGRAM / METRICS_FILE]

    @functools.cached_property
    def _templates(self) -> list[Path]:
        """The templates of the project, and those of the program that it leaves."""
        return [*template_files(TEMPLATES).values()]

    def _texts(self, edition: str, names: Iterable[str] = ()) -> list[Path]:
        files = text_files(REPORT / edition)
        return [path for path in files if not names or path.name in names]

    def _placed(self, edition: str) -> str:
        try:
            folder = REPORT / edition
            return " ".join(sorted(placed_figures(folder, read_edition(folder))))
        except (UserError, OSError):
            return ""

    @functools.cache  # noqa: B019
    def _read(self, campaign: str) -> tuple[str, int]:
        """The digest and the bytes of a campaign's files."""
        try:
            state = campaign_state(self.raw(campaign))
            return state.content_digest(), state.bytes
        except (UserError, OSError) as error:
            return f"cannot be read: {error}", 0

    def _is_finished(self, campaign: str) -> bool:
        """Whether a campaign declares itself soundly, and its runs."""
        if campaign in self.generated:
            return True
        try:
            read_campaign(RAW / campaign)
        except (UserError, OSError):
            return False
        return (RAW / campaign / RUNS_FILE).is_file()

    def _in_both(self) -> list[Issue]:
        mend = f"rename one of them: a campaign is measured in {RAW} or generated"
        names = sorted({*self.measured}.intersection(self.generated))
        twice = "the campaign {!r} is there twice"
        return [Issue(twice.format(n), Place(str(GENERATORS)), mend) for n in names]
