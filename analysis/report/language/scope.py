"""The facts that an expression or a claim names, or what is near what it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.declared.metrics import Metric
from analysis.declared.mistakes import did_you_mean
from analysis.declared.study import Study
from analysis.declared.workload import matches, workload_order
from analysis.facts.fact import Fact, Facts, RunCount
from analysis.report.material import Material, counted_once

Kind = Literal["value", "delta"]


class UnknownError(ValueError):
    """An expression asks for something that does not exist; ``mend`` says the cure."""

    def __init__(self, what: str, mend: str = "") -> None:
        super().__init__(what)
        self.mend = mend


@dataclass(frozen=True)
class Selection:
    """What an expression or a claim names; what it leaves out follows from the study.

    ``workload`` is a pattern, unless ``fits`` decides by the name.
    """

    kind: Kind
    metric: str
    workload: str
    role: str | None = None
    configuration: str | None = None
    study: str | None = None
    fits: Callable[[str], bool] | None = None

    def has(self, workload: str) -> bool:
        """Whether a workload is meant."""
        if self.fits:
            return self.fits(workload)
        return matches(workload, self.workload)

    def mend(self, part: str, names: Iterable[str]) -> str:
        """How an expression, or a claim, names one of several."""
        if self.fits is None:
            return f"add {part}=… with one of: {', '.join(names)}"
        return f"write {' or '.join(f'{self.metric} of {name}' for name in names)}"


@dataclass(frozen=True)
class Scope:
    """Everything that the prose of one edition may refer to.

    ``facts`` are those of the edition; ``study`` is the study whose prose is being
    rendered, or None in front and back matter, which must then name a study.
    """

    facts: Facts
    studies: Mapping[str, Study]
    metrics: Mapping[str, Metric]
    study: str | None = None

    def study_named(self, name: str | None) -> str:
        """The id of the study meant: the one named, or the one being written."""
        known = list(self.studies)
        if name is None and self.study is None:
            raise UnknownError(
                "outside a study an expression must say which study it means",
                f"add study=… with one of: {', '.join(known)}",
            )
        return one_of("study", name or self.study or "", known)

    def select(self, asked: Selection) -> tuple[Fact, ...]:
        """The facts meant, in the order of workloads; :class:`UnknownError` if none."""
        study = self.study_named(asked.study)
        metric = one_of("metric", asked.metric, self.metrics)
        self._check_role(metric, asked)
        alike = [
            f
            for f in self.facts.facts
            if (f.study, f.kind, f.metric) == (study, asked.kind, metric)
            and f.role == asked.role
        ]
        configuration = self._configuration(study, asked, alike)
        near = [f for f in alike if f.configuration == configuration]
        found = [f for f in near if asked.has(f.workload)]
        if not found:
            raise self._nothing(asked, study, near)
        return tuple(sorted(found, key=lambda f: workload_order(f.workload)))

    def deltas(
        self,
        metric: str | None = None,
        workload: str = "*",
        role: str | None = None,
        test: str | None = None,
        study: str | None = None,
    ) -> list[Fact]:
        """All deltas that fit and can be better or worse; no choice fits everything."""
        study = self.study_named(study)
        if metric is not None:
            one_of("metric", metric, self.metrics)
        if test is not None:
            one_of("test", test, self.studies[study].tests)
        return [
            f
            for f in self.facts.facts
            if (f.study, f.kind) == (study, "delta")
            and f.better != "none"
            and metric in (None, f.metric)
            and role in (None, f.role)
            and test in (None, f.configuration)
            and matches(f.workload, workload)
        ]

    def runs(
        self, study: str | None, configuration: str | None, workload: str
    ) -> list[RunCount]:
        """Run counts that fit; a run that serves two studies is counted once, with
        those of the study that has more campaigns."""
        study = study or self.study
        if study is not None:
            one_of("study", study, self.studies)
        found = counted_once(
            (
                run
                for run in self.facts.runs
                if study in (None, run.study)
                and configuration in (None, run.configuration)
                and matches(run.workload, workload)
            ),
            self.studies,
        )
        if not found:
            raise UnknownError(
                f"no runs of {workload} on {configuration or 'any configuration'}",
                "name a configuration and a workload of the study",
            )
        return found

    def named(
        self, kind: Kind, metric: str, names: Sequence[str]
    ) -> tuple[str | None, str | None]:
        """The role and the configuration that names mean, as far as they do: those of
        ``cpu_cost of client of osh``."""
        study = self.studies[self.study_named(None)]
        roles = self._roles(metric) if self.metrics[metric].roles else []
        known = study.tests if kind == "delta" else study.configurations
        role: str | None = None
        configuration: str | None = None
        for name in names:
            one_of("role or configuration", name, [*roles, *known])
            if name in roles and role is None:
                role = name
            elif name in known and configuration is None:
                configuration = name
            else:
                raise UnknownError(
                    f"{metric} of {' of '.join(names)} is too much",
                    "name one role and one configuration at most",
                )
        return role, configuration

    def _roles(self, metric: str) -> list[str]:
        own = (fact for fact in self.facts.facts if fact.metric == metric)
        return sorted({fact.role for fact in own if fact.role})

    def _check_role(self, metric: str, asked: Selection) -> None:
        role = asked.role
        roles = self._roles(metric)
        if role is None and self.metrics[metric].roles:
            raise UnknownError(
                f"{metric} exists for each role, and none is named",
                asked.mend("role", roles),
            )
        if role is not None and not self.metrics[metric].roles:
            raise UnknownError(f"{metric} has no roles", f"leave out role={role!r}")
        if role is not None and roles:
            one_of("role", role, roles)

    def _configuration(self, study: str, asked: Selection, alike: list[Fact]) -> str:
        """The one named, or the only one that has such facts."""
        declared = self.studies[study]
        delta = asked.kind == "delta"
        known = declared.tests if delta else declared.configurations
        if not known:
            raise UnknownError(
                f"study {study} has no tests, so it has no changes",
                'use a value: value("metric", "workload"), or: latency is below 3 ms',
            )
        word = "test" if delta else "configuration"
        if asked.configuration is not None:
            return one_of(word, asked.configuration, known)
        fit = {f.configuration for f in alike if asked.has(f.workload)}
        choices = [name for name in known if name in fit] or list(known)
        if len(choices) == 1:
            return choices[0]
        names = [_against(declared, name) if delta else name for name in choices]
        raise UnknownError(
            f"study {study} has several {word}s, and none is named",
            asked.mend(word, names),
        )

    def _nothing(self, asked: Selection, study: str, near: list[Fact]) -> UnknownError:
        names = sorted({f.workload for f in near}, key=workload_order)
        if not names:
            metrics = sorted({f.metric for f in self.facts.facts if f.study == study})
            if asked.metric in self.studies[study].metrics:
                return UnknownError(
                    f"the facts of study {study} have no {asked.metric} yet",
                    "it is declared: run 'make report', which derives it",
                )
            return UnknownError(
                f"study {study} has no {asked.kind} of {asked.metric}",
                f"it has: {', '.join(metrics) or 'no facts at all'}",
            )
        return UnknownError(
            f"study {study} has no {asked.kind} of {asked.metric} "
            f"for workload {asked.workload!r}",
            did_you_mean(asked.workload, names),
        )


def scope_of(material: Material, study: str | None = None) -> Scope:
    """What the prose of a study, or of front and back matter, may refer to."""
    return Scope(material.facts, material.studies, material.metrics, study)


def _against(study: Study, test: str) -> str:
    """A test, with its baseline where the tests of the study have several."""
    if not study.several_baselines:
        return test
    return f"{test} (against {study.baseline_of(test)})"


def one_of(word: str, name: str, known: Iterable[str]) -> str:
    """``name`` if it is known; else an :class:`UnknownError` with the nearest names."""
    names = list(known)
    if name in names:
        return name
    raise UnknownError(f"there is no {word} {name!r}", did_you_mean(name, names))
