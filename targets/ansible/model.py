"""The role, before it is files: what it is for, and the data of each plan that it can bring a server to.

Everything that becomes YAML or a word of a command is checked here to be of a shape that needs no quoting: names,
paths. Names and values of attributes that perform a one-time action can be any printable text; the plan's file has them
quoted, and marked so that Ansible does not take them for templates. Other free text is in `Once` and `Left` only, and
goes into comments and into the README.
"""

from collections.abc import Iterable
from typing import Annotated

from setpoint.compiler.knowledge.model import LAYERS
from setpoint.compiler.lowering.target import Artifact
from setpoint.compiler.record import NamedTuple
from setpoint.targets._host import placed
from setpoint.targets._kernel.model import WayName
from setpoint.targets._shared.forms import (
    AttributeName,
    AttributeValue,
    Form,
    PolicyName,
    Sentence,
    matching,
)
from setpoint.targets._shared.identity import LABELS, Check, Identification, Kind

Scope = Annotated[str, matching(r"^[A-Za-z0-9_.+-]*$")]
"""The name of a group or of a host; "" for none."""

RoleName = Annotated[str, matching(r"^setpoint_[a-z0-9_]+$")]
File = Annotated[str, matching(r"^[A-Za-z0-9_.+/-]+$")]


class Line(Form):
    """A BIOS attribute and its value."""

    attribute: AttributeName
    value: AttributeValue


class Lock(Form):
    """When attributes can be written: while `governor` has `value`, or has it not (`unless`)."""

    attributes: tuple[AttributeName, ...]
    governor: AttributeName
    value: AttributeValue
    unless: bool


class Once(Form):
    """A one-time action: the name of its record on the server, what is written to perform it, when that can be
    written, and who recommends it. It is in no end state, and so not in the files that the client has of one.
    """

    record: Annotated[str, matching(r"^[a-z0-9][a-z0-9_.+-]*$")]
    lines: tuple[Line, ...]
    locks: tuple[Lock, ...]
    cause: str


class Boot(Form):
    """The kernel's arguments: the path of the plan, and the ways to the boot loader that it names.

    `image` says that the host may be one that an image is deployed to, where neither counts.
    """

    plan: File
    ways: tuple[WayName, ...]
    image: bool


class HostSettings(Form):
    """What a plan for the program for hosts sets: the name of its target, and the values of its settings."""

    target: str
    settings: dict[str, str]


class Remote(Form):
    """What Ansible finds on the host: whether it can run `modules` there, and what the README has to say of its
    Python."""

    modules: bool = False
    note: str = ""


class Left(Form):
    """A setting that the role does not carry, and why not."""

    setting: str
    layer: str
    value: str
    reason: str


class Planned(Form):
    """A plan in the role, for a group, for one host, or for all servers ("" for both).

    `nothing` says why the role has nothing to set at all; "" if it has. What it has nothing to set for is None (`bios`,
    `syscfg`, `boot`, `tuned`, `systemd`, `cpuspeed`); `bios` is the folder with the client's files. `once` is performed
    before the end state is set. `files` are what the programs read, by their paths in the bundle.
    """

    name: PolicyName
    digest: str = ""
    group: Scope = ""
    host: Scope = ""
    nothing: Sentence = ""
    remote: Remote = Remote()
    identification: Identification = Identification()
    bios: File | None = None
    once: tuple[Once, ...] = ()
    syscfg: File | None = None
    boot: Boot | None = None
    tuned: File | None = None
    systemd: File | None = None
    cpuspeed: File | None = None
    on_host: tuple[HostSettings, ...] = ()
    files: tuple[Artifact, ...] = ()
    left: tuple[Left, ...] = ()

    def among_others(self) -> "Planned":
        """The plan in a bundle of several, each of which has a folder for its files."""
        named = ("syscfg", "tuned", "systemd", "cpuspeed")
        paths = {name: placed(path, self.name) for name in named if (path := getattr(self, name))}
        if self.bios:
            paths["bios"] = placed(f"{self.bios}/", self.name).rstrip("/")
        boot = self.boot and self.boot.replaced(plan=placed(self.boot.plan, self.name))
        files = tuple(file._replace(path=placed(file.path, self.name)) for file in self.files)
        return self.replaced(boot=boot, files=files, **paths)

    @property
    def host_tags(self) -> tuple[str, ...]:
        """The layers that are set on the host, by their tags."""
        return tuple(layer for layer in self.layers if layer != "firmware" or self.bios is None)

    @property
    def identifies(self) -> str:
        """A plan by which the program for hosts tells whether a host is the right one; "" if nothing is set on the
        host."""
        return next((file.path for file in self.files if file.path.endswith(".plan")), "")

    @property
    def checks(self) -> tuple[Check, ...]:
        """What the role compares before it sets anything."""
        return self.identification.checks if self.host_tags else self.by_service

    @property
    def by_service(self) -> tuple[Check, ...]:
        """What of it the BMC tells."""
        return tuple(
            check for check in self.identification.checks if check.kind in ("product", "processor", "sockets")
        )

    @property
    def restarts(self) -> bool:
        """Whether the role can restart such a server: through the operating system, or through a BMC."""
        waits = self.syscfg is not None or self.boot is not None
        return self.bios is not None or (self.remote.modules and waits)

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers that it sets, by their tags."""
        has = {
            "firmware": self.bios or self.syscfg,
            "boot": self.boot,
            "os": self.tuned or self.systemd or self.cpuspeed,
        }
        return tuple(layer for layer, part in has.items() if part)


class HostPart(NamedTuple):
    """A part that the program for hosts sets: its key in the data of plans, and its layer.

    `what` is set, and `compared`, for names of tasks. `plan` is where the data has the path of the plan. `options` and
    `environment` are those of the program, as expressions of Ansible.
    """

    key: str
    layer: str
    what: str
    compared: str
    plan: str
    options: str
    environment: dict[str, str]


class Role(Form):
    """The role: the plans that a server of its group can have. Its tasks are those that any of them needs.

    `is_listed` says that an inventory beside it has the hosts of each plan.
    """

    name: RoleName
    policy: PolicyName
    plans: tuple[Planned, ...]
    is_listed: bool = False

    @property
    def served(self) -> tuple[Planned, ...]:
        """The plans that the role has something to set for."""
        return tuple(plan for plan in self.plans if not plan.nothing)

    @property
    def chooses(self) -> bool:
        """Whether the role has to choose between plans."""
        return len(self.plans) > 1 or bool(self.plans[0].group or self.plans[0].host)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of the policy."""
        return tuple(dict.fromkeys(plan.group for plan in self.plans if plan.group))

    @property
    def bios(self) -> bool:
        """Whether a BIOS is set through a BMC."""
        return any(plan.bios for plan in self.plans)

    @property
    def once(self) -> bool:
        """Whether some plan performs a one-time action."""
        return any(plan.once for plan in self.plans)

    @property
    def syscfg(self) -> bool:
        """Whether a BIOS is set from within Linux."""
        return any(plan.syscfg for plan in self.plans)

    @property
    def grubby(self) -> bool:
        """Whether kernel arguments may be set with grubby."""
        return any(plan.boot and "grubby" in plan.boot.ways for plan in self.plans)

    @property
    def dropin(self) -> bool:
        """Whether kernel arguments may be set with a drop-in."""
        return any(plan.boot and "drop-in" in plan.boot.ways for plan in self.plans)

    @property
    def pbl(self) -> bool:
        """Whether kernel arguments may be set with pbl."""
        return any(plan.boot and "pbl" in plan.boot.ways for plan in self.plans)

    @property
    def image(self) -> bool:
        """Whether a host may be one that an image is deployed to."""
        return any(plan.boot and plan.boot.image for plan in self.plans)

    @property
    def boot(self) -> bool:
        """Whether kernel arguments are set."""
        return self.grubby or self.dropin or self.pbl

    @property
    def tuned(self) -> bool:
        """Whether a profile of tuned is set."""
        return any(plan.tuned for plan in self.plans)

    @property
    def systemd(self) -> bool:
        """Whether files for sysctl.d, udev and systemd are set."""
        return any(plan.systemd for plan in self.plans)

    @property
    def cpuspeed(self) -> bool:
        """Whether the cpuspeed service is set."""
        return any(plan.cpuspeed for plan in self.plans)

    @property
    def parts(self) -> tuple[HostPart, ...]:
        """The parts that the program for hosts sets, in their order."""
        own = f"{{{{ {self.name}_%s }}}}"
        entries, profile = "the boot loader's entries", "the tuned profile"
        password = "{{ setpoint_setup_password | default('') }}"
        syscfg = {"SYSCFG": own % "syscfg", "SETPOINT_SETUP_PASSWORD": password}
        grub = {"SETPOINT_GRUB_CFG": own % "grub_config", "SETPOINT_GRUB_FOLDER": own % "grub_folder"}
        cpuspeed, files = "the cpuspeed service", "the files for systemd"
        state = f"--state {own % 'syscfg_state | quote'}"
        boot = grub if self.dropin else {}
        tuned = {"SETPOINT_TUNED_FOLDER": own % "tuned_folder"}
        parts = (
            (HostPart("syscfg", "firmware", "the BIOS", "the BIOS", "syscfg", state, syscfg), self.syscfg),
            (HostPart("boot", "boot", entries, "the running kernel", "boot.plan", "", boot), self.boot),
            (HostPart("cpuspeed", "os", cpuspeed, cpuspeed, "cpuspeed", "", {}), self.cpuspeed),
            (HostPart("tuned", "os", profile, profile, "tuned", "", tuned), self.tuned),
            (HostPart("systemd", "os", files, files, "systemd", "", {}), self.systemd),
        )
        return tuple(part for part, has in parts if has)

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of the bundle with what the role runs, and the plans that that is given."""
        needed = {"host": self.runs_program, "redfish": self.bios}
        files = (file.path for plan in self.plans for file in plan.files)
        return tuple(
            sorted({path.partition("/")[0] for path in files} | {name for name, has in needed.items() if has})
        )

    @property
    def waits(self) -> bool:
        """Whether something that the role sets takes effect only after a restart."""
        return self.bios or self.syscfg or self.boot

    @property
    def runs_program(self) -> bool:
        """Whether the program for hosts is run."""
        return bool(self.parts)

    @property
    def modules(self) -> bool:
        """Whether Ansible's modules run on some of the hosts."""
        return any(plan.remote.modules for plan in self.plans)

    @property
    def restarts(self) -> bool:
        """Whether the role can restart some of the servers."""
        return any(plan.restarts for plan in self.plans)

    @property
    def host_tags(self) -> tuple[str, ...]:
        """The layers that are set on hosts, by their tags."""
        return self._ordered(plan.host_tags for plan in self.plans)

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers that the role sets, by their tags."""
        return self._ordered(plan.layers for plan in self.plans)

    @property
    def checks(self) -> tuple[Kind, ...]:
        """What of a server is compared before anything is set."""
        kinds = {check.kind for plan in self.plans for check in plan.checks}
        return tuple(kind for kind in LABELS if kind in kinds)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the README has to say of the Python on hosts."""
        return tuple(
            dict.fromkeys(plan.remote.note for plan in self.plans if plan.host_tags and plan.remote.note)
        )

    @staticmethod
    def _ordered(layers: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
        union = {layer for plan_layers in layers for layer in plan_layers}
        return tuple(layer for layer in LAYERS if layer in union)
