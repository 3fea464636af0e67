"""What an author declares of CPU time: where it comes from, and the parts of a system.

A system has a role in a run. What runs on it, its parts, have roles of their own.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from analysis.declared.base import Declared
from analysis.declared.names import Id

SystemRole = Literal[
    "client", "server", "sender", "receiver", "distributor", "target", "router"
]
PartRole = Literal["gateway", "cics", "tcpip", "vtam", "application", "rest"]
Role = Literal[SystemRole, PartRole]
SYSTEM_ROLES: tuple[SystemRole, ...] = get_args(SystemRole)
PART_ROLES: tuple[PartRole, ...] = get_args(PartRole)
ROLES: tuple[Role, ...] = get_args(Role)
REST: PartRole = "rest"
# What of an LPAR its CPU time is taken from.
CpuSource = Literal[
    "cgroup", "procstat", "lpar_busy", "dispatch", "class", "address_space"
]
# Of these, what one system may name for itself: whole systems and sides of a run.
SystemSource = Literal["cgroup", "procstat", "lpar_busy", "dispatch"]
CPU_SOURCES: dict[CpuSource, str] = {
    "cgroup": "the control group of each side, which counts that side alone",
    "procstat": "/proc/stat of each system, which counts all that runs there",
    "lpar_busy": "LPAR busy of RMF, averaged over the online CPs",
    "dispatch": "dispatch time of the LPAR, as PR/SM counts it",
    "class": "service or report classes of RMF workload activity",
    "address_space": "address spaces of SMF type 30",
}
INTERVAL_SOURCES: tuple[CpuSource, ...] = (
    "lpar_busy", "dispatch", "class", "address_space",
)  # fmt: skip
OF_PARTS = ("class", "address_space")  # sources that tell of a part of a system
Share = Annotated[float, Field(ge=0, le=1)]


class Cpu(Declared):
    """Where CPU time comes from and how much of a run it must cover.

    ``classes`` (all of one ``class_kind``) and ``jobs`` name whose time counts where
    the source is ``class`` or ``address_space``. ``idle`` is how many CPs of that
    source's time a system uses when nothing runs, if that is to be taken off.

    ``parts`` divide the system that has the role ``parts_of`` in a run: each is a role
    with the names of its jobs, or of its classes where ``parts_from`` says so. The
    ``rest`` is the whole less these, unless it names its own.
    """

    source: CpuSource
    """What of a system its CPU time is taken from."""
    classes: list[str] = Field(default_factory=list)
    """Names of the WLM classes whose time counts, where the source is class."""
    class_kind: Literal["service", "report"] = "service"
    """Whether these are service or report classes."""
    jobs: list[str] = Field(default_factory=list)
    """Names of the jobs whose time counts, where the source is address_space."""
    minimum_coverage: Share = 0.8
    """How much of a run's time the evidence must cover, 0 to 1."""
    idle: dict[Id, Annotated[float, Field(ge=0)]] = Field(default_factory=dict)
    """How many CPs a system uses in this source when nothing runs, by system; it is
    taken off."""
    parts: dict[PartRole, tuple[str, ...]] = Field(default_factory=dict)
    """Roles of what runs on one system, each with the names of its jobs or classes."""
    parts_from: Literal["address_space", "class"] = "address_space"
    """Whether the parts are named by jobs or by classes."""
    parts_of: SystemRole = "server"
    """Role of the system that has the parts."""

    @property
    def counted(self) -> tuple[str, ...]:
        """Names whose time counts; none where all of a system counts."""
        return tuple(self.classes or self.jobs)

    @property
    def whole(self) -> CpuSource:
        """The source that tells of all of a system that has parts."""
        return "dispatch" if self.source == "dispatch" else "lpar_busy"

    @property
    def described(self) -> str:
        """The source in words, with the names whose time counts."""
        return self._words(self.source, self.counted)

    def described_part(self, role: PartRole) -> str:
        """The source of a part in words: names, or the whole less all other names."""
        if named := self.parts.get(role):
            return self._words(self.parts_from, named)
        others = tuple(name for names in self.parts.values() for name in names)
        less = self._words(self.parts_from, others)
        return f"{CPU_SOURCES[self.whole]}, less {less}"

    def _words(self, source: CpuSource, names: tuple[str, ...]) -> str:
        kind = {"class": f"{self.class_kind} class", "address_space": "job"}
        if source not in kind:
            return CPU_SOURCES[source]
        return f"{CPU_SOURCES[source]}: {kind[source]} {', '.join(names)}"

    @model_validator(mode="after")
    def _named(self) -> Cpu:
        for source, entry in (("class", "classes"), ("address_space", "jobs")):
            named = getattr(self, entry)
            if self.source == source and not named:
                raise ValueError(f"source {source} needs {entry}: [NAME, …]")
            if self.source != source and named:
                raise ValueError(f"{entry} is only for the source {source}")
            if len(set(named)) < len(named):
                raise ValueError(f"{entry} names one twice, which would count twice")
        return self

    @model_validator(mode="after")
    def _divided(self) -> Cpu:
        for role, names in self.parts.items():
            if not names:
                raise ValueError(f"the part {role} needs names: {role}: [NAME, …]")
        of_parts = [name for names in self.parts.values() for name in names]
        if twice := sorted({n for n in of_parts if of_parts.count(n) > 1}):
            raise ValueError(
                f"parts names {twice[0]} twice, so they would be more than the whole; "
                "name it in one of them"
            )
        return self
