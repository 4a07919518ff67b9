"""The module's data: what is put on the servers of each plan, and what goes to Hiera.

INVARIANT: everything that becomes Puppet code, YAML data or a word of shell has a shape in which neither a quote nor an
interpolation (`${}`, `%{}`) can be. Reasons are free text of one line, and only ever become comments; the texts of
files are carried as they are.
"""

from typing import Annotated, Literal

from pydantic import Field

from setpoint.targets._shared.forms import Form, PolicyName, Sentence
from setpoint.targets._shared.identity import LABELS, Check, Identification, Kind

ModuleName = Annotated[str, Field(pattern=r"^setpoint_[a-z0-9_]+$")]
Path = Annotated[str, Field(pattern=r"^(/[A-Za-z0-9_.+-]+)+$")]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]+$")]
Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.+-]+$")]
Scope = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.+-]*$")]
Scalar = Annotated[str, Field(pattern=r"^>?[A-Za-z0-9_.,:|+ -]+$")]
Comment = Annotated[str, Field(pattern=r"^[^\n\r]*$")]
Way = Literal["grubby", "grub-drop-in"]


class Carried(Form):
    """A file of another target: the target, the file's name, its text, and whether it can be executed."""

    target: Word
    name: FileName
    text: str
    executable: bool


class Kernel(Form):
    """The kernel arguments.

    `script` compares the running kernel (`--verify`); `drop_in` is the file for GRUB, where there is one. `ways` has
    what can be chosen from, each with the family of systems that it is the way of.
    """

    script: Carried
    drop_in: Carried | None
    ways: tuple[tuple[Way, Word], ...]


class Option(Form):
    """A line of tuned.conf, and the reason in front of it."""

    name: Word
    value: Scalar
    reason: Comment


class Section(Form):
    """A section of tuned.conf."""

    name: Word
    options: tuple[Option, ...]


class Tuned(Form):
    """A profile, and where it goes: the sections of tuned.conf (tuned 2), or the files of a folder (tuned 0.2).

    `script` compares the live values (tuned 2).
    """

    profile: Word
    folders: tuple[Path, ...]
    sections: tuple[Section, ...]
    files: tuple[Carried, ...]
    script: Carried | None = None


class Cpuspeed(Form):
    """The service of Enterprise Linux 5 and 6."""

    running: bool
    reason: Comment


class Row(Form):
    """A line of the README: a setting's title, its value, who says so.

    `part` is the part of the module that sees to it or, for what is left to the operator, why none does.
    """

    title: str
    value: str
    part: str
    reason: str


class ServerPlan(Form):
    """A plan, and the servers that it is for: those of a group, a host, or all ("" for both). A part that it lacks is None.

    `nothing` says why Puppet has nothing to do; "" if it has. `lacks_profile`: tuned is there, without a profile. `manages_firmware` is whether Puppet sees to the firmware
    unless a site says otherwise.
    """

    name: PolicyName
    group: Scope = ""
    host: Scope = ""
    nothing: Sentence = ""
    facts: tuple[str, ...] = ()
    releases: dict[Word, tuple[Word, ...]] = Field(default_factory=dict)
    support: dict[Word, tuple[Word, ...]] = Field(default_factory=dict)
    identification: Identification = Identification()
    agent: str = ""
    kernel: Kernel | None = None
    tuned: Tuned | None = None
    lacks_profile: bool = False
    cpuspeed: Cpuspeed | None = None
    firmware: Carried | None = None
    manages_firmware: bool = False
    rows: tuple[Row, ...] = ()
    left: tuple[Row, ...] = ()
    redfish: bool = False

    @property
    def checks(self) -> tuple[Check, ...]:
        """What the class compares with facts; the distribution is that of `releases`."""
        return tuple(each for each in self.identification.checks if each.kind != "distribution")

    @property
    def files(self) -> tuple[Carried, ...]:
        """What lies in the plan's folder below the module's `files/`."""
        kernel = (self.kernel.script, self.kernel.drop_in) if self.kernel else ()
        tuned = (*self.tuned.files, self.tuned.script) if self.tuned else ()
        return tuple(each for each in (*kernel, *tuned, self.firmware) if each is not None)

    @property
    def ways(self) -> tuple[tuple[Way, Word], ...]:
        """The ways to the boot loader, each with the family of systems that it is the way of."""
        return self.kernel.ways if self.kernel else ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that Puppet sees to by default, in words."""
        parts = {
            "kernel arguments": self.kernel,
            "cpuspeed service": self.cpuspeed,
            "tuned profile": self.tuned,
            "BIOS settings": self.manages_firmware and self.firmware,
        }
        return tuple(name for name, part in parts.items() if part)

    @property
    def servers(self) -> str:
        """The servers that it is for, in words: `host c042 in group compute`."""
        group = f"group {self.group}" if self.group else ""
        return " in ".join(filter(None, [f"host {self.host}" if self.host else "", group])) or "all others"


class Module(Form):
    """The module of a policy, which serves all of its plans. Its class has what any of them needs."""

    name: ModuleName
    policy: PolicyName
    plans: Annotated[tuple[ServerPlan, ...], Field(min_length=1)]

    @property
    def served(self) -> tuple[ServerPlan, ...]:
        """The plans that Puppet has something to do for."""
        return tuple(each for each in self.plans if not each.nothing)

    @property
    def chooses(self) -> bool:
        """Whether it depends on the server which plan it gets."""
        return len(self.plans) > 1 or bool(self.plans[0].group or self.plans[0].host)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that plans are for."""
        return tuple(dict.fromkeys(each.group for each in self.plans if each.group))

    @property
    def checks(self) -> dict[Kind, Check]:
        """A check of each kind that the class makes."""
        found: dict[Kind, Check] = {}
        for each in self.served:
            for check in each.checks:
                found.setdefault(check.kind, check)
        return {kind: found[kind] for kind in LABELS if kind in found}

    @property
    def ways(self) -> tuple[Way, ...]:
        """The ways to a boot loader."""
        return tuple(dict.fromkeys(way for way, _ in self.families))

    @property
    def families(self) -> tuple[tuple[Way, Word], ...]:
        """The ways to a boot loader, each with the family of systems that it is the way of."""
        return tuple(dict.fromkeys(way for each in self.served for way in each.ways))

    @property
    def drops_in(self) -> bool:
        """Whether a plan has a file for GRUB."""
        return any(each.kernel.drop_in for each in self.served if each.kernel)

    @property
    def tuned(self) -> bool:
        """Whether a plan has a profile of tuned."""
        return any(each.tuned for each in self.served)

    @property
    def releases_profile(self) -> bool:
        """Whether a server may have to lose the profile of an earlier plan, as its plan has none."""
        return any(each.lacks_profile for each in self.served)

    @property
    def writes_profile(self) -> bool:
        """Whether the class writes a tuned.conf (tuned 2)."""
        return any(each.tuned.sections for each in self.served if each.tuned)

    @property
    def carries_profile(self) -> bool:
        """Whether the module has the files of a profile (tuned 0.2)."""
        return any(each.tuned.files for each in self.served if each.tuned)

    @property
    def cpuspeed(self) -> bool:
        """Whether a plan has a word for the service."""
        return bool(self.services)

    @property
    def services(self) -> tuple[str, ...]:
        """What plans want of the service."""
        wanted = (each.cpuspeed.running for each in self.served if each.cpuspeed)
        return tuple("running" if running else "stopped" for running in dict.fromkeys(wanted))

    @property
    def firmware(self) -> bool:
        """Whether a plan has a script for the firmware."""
        return any(each.firmware for each in self.served)

    @property
    def leaves_firmware(self) -> bool:
        """Whether Puppet, in some plan, sees to the firmware only where a site says so."""
        return any(each.firmware and not each.manages_firmware for each in self.served)

    @property
    def waits(self) -> bool:
        """Whether anything of it takes effect only after a restart."""
        return bool(self.ways or self.firmware)

    @property
    def parts(self) -> str:
        """The parts of all plans, in words: `kernel arguments, tuned profile`."""
        return ", ".join(dict.fromkeys(part for each in self.served for part in each.parts))
