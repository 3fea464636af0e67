"""What the ladder takes from declarations: setups of arms, controls, published rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import (
    CAMPAIGN_FILE,
    Campaign,
    Configuration,
    ModelSetup,
    campaign_folder,
    mtus,
)
from analysis.declared.published import Published
from analysis.declared.study import Study
from analysis.errors import Issue, Place
from models.parameters import (
    FOLDER,
    read_generations,
    read_handshakes,
    read_interfaces,
)

Found = tuple[str, str, str]  # entry of the model, what is wrong, how to mend it


@dataclass(frozen=True)
class PredictionSources:
    """Setups by configuration, configurations that repeat another one, published rows,
    and think times of clients [ms] by configuration."""

    setups: Mapping[str, ModelSetup] = field(default_factory=dict)
    controls: frozenset[str] = frozenset()
    published: tuple[Published, ...] = ()
    think: Mapping[str, float] = field(default_factory=dict)


def gather_sources(
    study: Study, campaigns: Mapping[str, Campaign], published: tuple[Published, ...]
) -> PredictionSources:
    """The sources of one study, out of the campaigns that it names."""
    declared = [
        pair
        for name in study.campaigns
        for pair in campaigns[name].configurations.items()
    ]
    controls = {id for id, configuration in declared if configuration.control_of}
    if study.noise.control:
        controls.add(study.noise.control)
    setups = {id: c.model for id, c in declared if c.model is not None}
    think = _think_times([campaigns[name] for name in study.campaigns])
    return PredictionSources(setups, frozenset(controls), published, think)


def _think_times(campaigns: Iterable[Campaign]) -> dict[str, float]:
    """Think times [ms] of configurations of which all campaigns say the same."""
    told: dict[str, set[float | None]] = {}
    for campaign in campaigns:
        for id in campaign.configurations:
            told.setdefault(id, set()).add(campaign.think_in(id))
    alike = {id: times.pop() for id, times in told.items() if len(times) == 1}
    return {id: time for id, time in alike.items() if time is not None}


def check_setups(campaigns: Mapping[str, Campaign], raw: Path) -> list[Issue]:
    """Models of configurations that nothing knows, or that contradict the campaign."""
    return [
        issue
        for name, campaign in campaigns.items()
        for issue in _placed(
            list(_check_campaign(campaign)), campaign_folder(raw, name) / CAMPAIGN_FILE
        )
    ]


def _check_campaign(campaign: Campaign) -> Iterator[tuple[str, Found]]:
    cps = {system.cps for system in campaign.systems.values()}
    for id, configuration in campaign.configurations.items():
        if configuration.model is None:
            continue
        found = [*check_setup(configuration.model), *_printed(configuration)]
        if configuration.model.cps not in cps:
            known = ", ".join(map(str, sorted(cps)))
            what = f"no system of this campaign has {configuration.model.cps} CPs"
            found.append(("cps", what, f"there is {known}"))
        control_of = campaign.configurations.get(configuration.control_of or "")
        if control_of is not None and control_of.model != configuration.model:
            what = f"{id} repeats {configuration.control_of}, but not its model"
            found.append(("", what, "declare the same model for both"))
        yield from ((id, item) for item in found)


def check_setup(setup: ModelSetup) -> Iterator[Found]:
    """Ids without parameters, and an MTU that is missing or cannot be."""
    known = {
        "cpc": ("generations.yaml", list(read_generations())),
        "interface": ("interfaces.yaml", list(read_interfaces())),
        "handshake": ("handshakes.yaml", list(read_handshakes())),
    }
    for entry, (file, names) in known.items():
        name = getattr(setup, entry)
        if name is not None and name not in names:
            mend = f"use one of {', '.join(names)}, or add it to {FOLDER.name}/{file}"
            yield entry, f"no {entry} {name!r} has parameters", mend
    interface = read_interfaces().get(setup.interface)
    if interface is not None and interface.mtu is None and setup.mtu is not None:
        yield "mtu", f"{setup.interface} has no MTU", "leave it out"
    if interface is not None and interface.mtu is not None and setup.mtu is None:
        mend = f"add mtu, such as {interface.mtu}"
        yield "interface", f"{setup.interface} needs an MTU", mend


def _printed(configuration: Configuration) -> Iterator[Found]:
    """An MTU that the printed details contradict."""
    setup = configuration.model
    printed = mtus(configuration.details)
    if setup and setup.mtu is not None and printed and setup.mtu not in printed:
        said = " and ".join(map(str, printed))
        yield "mtu", f"the details say MTU {said}", "make them agree"


def _placed(found: list[tuple[str, Found]], path: Path) -> list[Issue]:
    if not found:
        return []
    node = load_yaml(path)[1]
    issues = []
    for id, (entry, what, mend) in found:
        line = line_of(node, ("configurations", id, "model", entry))
        issues.append(Issue(what, Place(str(path), line), mend))
    return issues
