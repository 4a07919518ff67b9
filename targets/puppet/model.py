"""The module's data: what the program for hosts carries out on the servers of each plan, and the data for Hiera.

INVARIANT: everything that becomes Puppet code, YAML data or a word of shell has a shape that can contain neither a
quote nor an interpolation (`${}`, `%{}`). Reasons are free text of one line, and only ever become comments; the texts
of files are copied unchanged.
"""

from typing import Annotated, Literal

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


Part = Literal["kernel-args", "cpuspeed", "tuned", "systemd", "racadm", "syscfg"]

TITLES: dict[Part, str] = {
    "kernel-args": "kernel arguments",
    "cpuspeed": "cpuspeed service",
    "tuned": "tuned profile",
    "systemd": "files for systemd",
    "racadm": "BIOS settings",
    "syscfg": "BIOS settings",
}
"""The targets whose plans the module carries, its parts, and what they are in words. If two express a setting, the
first one sets it."""


class Carried(Form):
    """A file of another target: the target, the file's name, and its text."""

    target: Part
    name: FileName
    text: str

    @property
    def path(self) -> str:
        """The path in a bundle."""
        return f"{self.target}/{self.name}"


class Row(Form):
    """A setting of the plan: its layer, its value, and the part of the plan that has it, "" if none has.

    `why` is the reason why Puppet does not manage it, unless the site has it manage the part; "" if it does.
    """

    setting: Word
    layer: Word
    value: Value
    part: Literal["", Part]
    why: str


class ServerPlan(Form):
    """A plan, and the servers that it is for: those of a group, a host, or all ("" for both).

    `carried` are the plans of its parts for the program for hosts, which have the names of their targets. `nothing` is
    the reason why Puppet has nothing to do; "" if it has something. `lacks_profile` is true if the system has tuned and
    the plan has no profile, whose name is `profile`. `manages_firmware` is the default of the parameter
    `manage_firmware`.
    """

    name: PolicyName
    digest: Digest = ""
    group: Scope = ""
    host: Scope = ""
    nothing: Sentence = ""
    facts: tuple[str, ...] = ()
    support: dict[Word, tuple[Word, ...]]
    identification: Identification = Identification()
    agent: str = ""
    carried: tuple[Carried, ...] = ()
    ways: tuple[WayName, ...] = ()
    profile: str = ""
    lacks_profile: bool = False
    cpuspeed: Literal["", "running", "stopped"] = ""
    manages_firmware: bool = False
    rows: tuple[Row, ...] = ()
    redfish: bool = False

    @property
    def parts(self) -> tuple[Part, ...]:
        """The names of the parts that it has a plan for."""
        return tuple(host_plan.target for host_plan in self.carried)

    @property
    def settings(self) -> dict[str, dict[str, list[Row]]]:
        """The settings by their layers, and by the parts that have them, "" if none has."""
        grouped: dict[str, dict[str, list[Row]]] = {}
        for row in self.rows:
            grouped.setdefault(row.layer, {}).setdefault(row.part, []).append(row)
        return grouped

    @property
    def tool(self) -> str:
        """The tool that sets the firmware, which has the name of its target; "" without one."""
        return next((part for part in self.parts if TITLES[part] == TITLES["racadm"]), "")

    @property
    def managed(self) -> tuple[str, ...]:
        """The parts that Puppet manages by default, in words."""
        return tuple(TITLES[part] for part in self.parts if part != self.tool or self.manages_firmware)

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
        return tuple(plan for plan in self.plans if not plan.nothing)

    @property
    def chooses(self) -> bool:
        """Whether the class has to choose between plans."""
        return len(self.plans) > 1 or bool(self.plans[0].group or self.plans[0].host)

    @property
    def files(self) -> dict[str, str]:
        """The plans for the program for hosts, by their paths in the bundle."""
        return {
            placed(host_plan.path, plan.name) if self.chooses else host_plan.path: host_plan.text
            for plan in self.plans
            for host_plan in plan.carried
        }

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of the bundle with what the module needs in its files, if it is moved."""
        return tuple(sorted({"host", *(path.partition("/")[0] for path in self.files)}))

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that plans are for."""
        return tuple(dict.fromkeys(plan.group for plan in self.plans if plan.group))

    @property
    def checks(self) -> dict[Kind, Check]:
        """A check of each kind that the program makes."""
        checks: dict[Kind, Check] = {}
        for plan in self.served:
            for check in plan.identification.checks:
                checks.setdefault(check.kind, check)
        return {kind: checks[kind] for kind in LABELS if kind in checks}

    @property
    def titles(self) -> dict[Part, str]:
        """The parts of all plans, with what they are in words."""
        parts = {part for plan in self.served for part in plan.parts}
        return {part: title for part, title in TITLES.items() if part in parts}

    def has(self, part: Part) -> bool:
        """Whether a plan has this part."""
        return part in self.titles

    @property
    def ways(self) -> tuple[WayName, ...]:
        """The ways to a boot loader."""
        return tuple(dict.fromkeys(way for plan in self.served for way in plan.ways))

    @property
    def drops_in(self) -> bool:
        """Whether a plan has a drop-in file for GRUB."""
        return "drop-in" in self.ways

    @property
    def releases_profile(self) -> bool:
        """Whether a plan has no profile, so that the profile of an earlier plan has to be removed."""
        return any(plan.lacks_profile for plan in self.served)

    @property
    def tools(self) -> tuple[Word, ...]:
        """The tools that set the firmware in the plans, which have the names of their targets."""
        return tuple(sorted({plan.tool for plan in self.served if plan.tool}))

    @property
    def leaves_firmware(self) -> bool:
        """Whether Puppet, in some plan, manages the firmware only if a site enables it."""
        return any(plan.tool and not plan.manages_firmware for plan in self.served)

    @property
    def waits(self) -> bool:
        """Whether a part takes effect only after a restart."""
        return bool(self.ways or self.tools)

    @property
    def parts(self) -> str:
        """The parts of all plans, in words: `kernel arguments, tuned profile`."""
        return ", ".join(dict.fromkeys(part for plan in self.served for part in plan.managed))
