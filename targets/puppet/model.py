"""The module's data: what the program for hosts carries out on the servers of each plan, and the data for Hiera.

INVARIANT: everything that becomes Puppet code, YAML data or a word of shell has a shape that can contain neither a quote
nor an interpolation (`${}`, `%{}`). Reasons are free text of one line, and only ever become comments; the texts of files
are copied unchanged.
"""

from typing import Annotated

from setpoint.targets._host import placed
from setpoint.targets._kernel.model import WayName
from setpoint.targets._shared.forms import Form, PolicyName, Sentence, matching, not_empty
from setpoint.targets._shared.identity import LABELS, Check, Identification, Kind

ModuleName = Annotated[str, matching(r"^setpoint_[a-z0-9_]+$")]
FileName = Annotated[str, matching(r"^[A-Za-z0-9_.-]+$")]
Word = Annotated[str, matching(r"^[A-Za-z0-9_.+-]+$")]
Value = Annotated[str, matching(r"^[A-Za-z0-9_.,:/ +-]*$")]
Scope = Annotated[str, matching(r"^[A-Za-z0-9_.+-]*$")]
Digest = Annotated[str, matching(r"^[0-9a-f]*$")]
Comment = Annotated[str, matching(r"^[^\n\r]*$")]


class Carried(Form):
    """A file of another target: the target, the file's name, and its text."""

    target: Word
    name: FileName
    text: str

    @property
    def path(self) -> str:
        """The path in a bundle."""
        return f"{self.target}/{self.name}"


class Kernel(Form):
    """The kernel arguments: the plan, and the ways to the boot loader, each with the family of systems that uses it."""

    ways: Annotated[tuple[tuple[WayName, Word], ...], not_empty]
    plan: Carried


class Tuned(Form):
    """A tuned profile, and the plan that has it."""

    profile: Word
    plan: Carried


class SystemFiles(Form):
    """The files for sysctl.d, udev and systemd by their name, and the plan that has them."""

    name: Word
    plan: Carried


class Cpuspeed(Form):
    """The service of Enterprise Linux 5 and 6."""

    running: bool
    reason: Comment
    plan: Carried


class Row(Form):
    """A line of the README: a setting's title, its value, and the source.

    `setting` and `layer` are for the report of a server.

    `part` is the part of the module that manages it or, for settings that are left to the operator, why none does.
    """

    setting: Word
    layer: Word
    title: str
    value: Value
    part: str
    reason: str


class ServerPlan(Form):
    """A plan, and the servers that it is for: those of a group, a host, or all ("" for both). A part that it lacks is None.

    `nothing` is the reason why Puppet has nothing to do; "" if it has something. `lacks_profile` is true if the system has
    tuned and the plan has no profile. `manages_firmware` is the default of the parameter `manage_firmware`, and `of_site` the settings
    that Puppet manages only if the site sets it.
    """

    name: PolicyName
    digest: Digest = ""
    group: Scope = ""
    host: Scope = ""
    nothing: Sentence = ""
    facts: tuple[str, ...] = ()
    releases: dict[Word, tuple[Word, ...]]
    support: dict[Word, tuple[Word, ...]]
    identification: Identification = Identification()
    agent: str = ""
    kernel: Kernel | None = None
    tuned: Tuned | None = None
    systemd: SystemFiles | None = None
    lacks_profile: bool = False
    cpuspeed: Cpuspeed | None = None
    firmware: Carried | None = None
    manages_firmware: bool = False
    rows: tuple[Row, ...] = ()
    left: tuple[Row, ...] = ()
    of_site: tuple[str, ...] = ()
    redfish: bool = False

    @property
    def unmanaged(self) -> dict[str, tuple[Row, ...]]:
        """The settings that Puppet does not manage, for the report of a server, and those that it manages if the site says so, by the key of the data."""
        by_key = {
            "unmanaged": tuple(row for row in self.left if row.setting not in self.of_site),
            "left_to_site": tuple(row for row in self.left if row.setting in self.of_site),
        }
        return {key: rows for key, rows in by_key.items() if rows}

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks that the class makes with facts; `releases` has the distributions."""
        return tuple(each for each in self.identification.checks if each.kind != "distribution")

    @property
    def files(self) -> tuple[Carried, ...]:
        """The plans for the program for hosts."""
        parts = (self.kernel, self.cpuspeed, self.tuned, self.systemd)
        return (*(each.plan for each in parts if each), *((self.firmware,) if self.firmware else ()))

    @property
    def ways(self) -> tuple[tuple[WayName, Word], ...]:
        """The ways to the boot loader, each with the family of systems that uses it."""
        return self.kernel.ways if self.kernel else ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that Puppet manages by default, in words."""
        parts = {
            "kernel arguments": self.kernel,
            "cpuspeed service": self.cpuspeed,
            "tuned profile": self.tuned,
            "files for systemd": self.systemd,
            "BIOS settings": self.manages_firmware and self.firmware,
        }
        return tuple(name for name, part in parts.items() if part)

    @property
    def servers(self) -> str:
        """The servers that it is for, in words: `host c042 in group compute`."""
        group = f"group {self.group}" if self.group else ""
        return " in ".join(filter(None, [f"host {self.host}" if self.host else "", group])) or "all others"


class Module(Form):
    """The module of a policy, for all of its plans. Its class has the parts that any of them needs.

    `is_listed` says that its data has the plan of each host.
    """

    name: ModuleName
    policy: PolicyName
    plans: Annotated[tuple[ServerPlan, ...], not_empty]
    is_listed: bool = False

    @property
    def served(self) -> tuple[ServerPlan, ...]:
        """The plans that Puppet has something to do for."""
        return tuple(each for each in self.plans if not each.nothing)

    @property
    def chooses(self) -> bool:
        """Whether the class has to choose between plans."""
        return len(self.plans) > 1 or bool(self.plans[0].group or self.plans[0].host)

    @property
    def files(self) -> dict[str, str]:
        """The plans for the program for hosts, by their paths in the bundle."""
        return {
            placed(each.path, plan.name) if self.chooses else each.path: each.text
            for plan in self.plans
            for each in plan.files
        }

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of the bundle with what the module needs in its files, if it is moved."""
        return tuple(sorted({"host", *(path.partition("/")[0] for path in self.files)}))

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
    def ways(self) -> tuple[WayName, ...]:
        """The ways to a boot loader."""
        return tuple(dict.fromkeys(way for way, _ in self.families))

    @property
    def families(self) -> tuple[tuple[WayName, Word], ...]:
        """The ways to a boot loader, each with the family of systems that uses it."""
        return tuple(dict.fromkeys(pair for each in self.served for pair in each.ways))

    @property
    def drops_in(self) -> bool:
        """Whether a plan has a drop-in file for GRUB."""
        return "drop-in" in self.ways

    @property
    def tuned(self) -> bool:
        """Whether a plan has a profile of tuned."""
        return any(each.tuned for each in self.served)

    @property
    def systemd(self) -> bool:
        """Whether a plan has files for sysctl.d, udev and systemd."""
        return any(each.systemd for each in self.served)

    @property
    def releases_profile(self) -> bool:
        """Whether a plan has no profile, so that the profile of an earlier plan has to be removed."""
        return any(each.lacks_profile for each in self.served)

    @property
    def cpuspeed(self) -> bool:
        """Whether a plan sets the state of the cpuspeed service."""
        return bool(self.cpuspeed_states)

    @property
    def cpuspeed_states(self) -> tuple[str, ...]:
        """The states of the cpuspeed service in the plans."""
        wanted = (each.cpuspeed.running for each in self.served if each.cpuspeed)
        return tuple("running" if running else "stopped" for running in dict.fromkeys(wanted))

    @property
    def firmware(self) -> bool:
        """Whether a plan has one for the firmware."""
        return any(each.firmware for each in self.served)

    @property
    def tools(self) -> tuple[Word, ...]:
        """The tools that set the firmware in the plans, which have the names of their targets."""
        return tuple(sorted({each.firmware.target for each in self.served if each.firmware}))

    @property
    def leaves_firmware(self) -> bool:
        """Whether Puppet, in some plan, manages the firmware only if a site enables it."""
        return any(each.firmware and not each.manages_firmware for each in self.served)

    @property
    def waits(self) -> bool:
        """Whether a part takes effect only after a restart."""
        return bool(self.ways or self.firmware)

    @property
    def parts(self) -> str:
        """The parts of all plans, in words: `kernel arguments, tuned profile`."""
        return ", ".join(dict.fromkeys(part for each in self.served for part in each.parts))
