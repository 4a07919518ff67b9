"""The role, before it is files.

Everything that becomes YAML or a word of a command is checked here to be of a shape that needs no quoting: names,
attributes, paths. Free text is in `Value` and `Left` only, and goes into comments and into the README.
"""

from typing import Annotated

from pydantic import Field

from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._shared.forms import AttributeName, Form, PolicyName, Uri, Word
from setpoint.targets._shared.identity import Check, Identification

RoleName = Annotated[str, Field(pattern=r"^setpoint_[a-z0-9_]+$")]
File = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.+/-]+$")]


class Line(Form):
    """A BIOS attribute, its value, and the setting that it is the spelling of."""

    attribute: AttributeName
    value: Word
    setting: str


class Lock(Form):
    """When an attribute can be written: while `governor` has `value`, or has it not (`unless`)."""

    attribute: AttributeName
    governor: AttributeName
    value: Word
    unless: bool


class Along(Form):
    """An attribute that the firmware sets along with another, its `governor`."""

    attribute: AttributeName
    governor: AttributeName


class Opens(Form):
    """The value of a `governor` with which an attribute that goes first can be written."""

    attribute: AttributeName
    governor: AttributeName
    value: Word


class Bios(Form):
    """What is asked of an iDRAC: `first` must be in effect before `write` is sent; `fixed` is compared and never sent.

    `assumed` are attributes that the policy leaves alone, with the values that it takes them to have.
    """

    first: tuple[Line, ...]
    write: tuple[Line, ...]
    fixed: tuple[Line, ...]
    opens: tuple[Opens, ...]
    along: tuple[Along, ...]
    locks: tuple[Lock, ...]
    assumed: dict[AttributeName, Word]
    bios: Uri
    settings: Uri
    jobs: Uri

    @property
    def system(self) -> str:
        """The URI of the system whose BIOS it is."""
        return self.bios.rpartition("/")[0]

    @property
    def others(self) -> tuple[str, ...]:
        """What is looked at beside the attributes of the end state: what locks them, and what is assumed."""
        own = {line.attribute for line in (*self.first, *self.write, *self.fixed)}
        looked_at = (*(lock.governor for lock in self.locks), *self.assumed)
        return tuple(name for name in dict.fromkeys(looked_at) if name not in own)


class Boot(Form):
    """The kernel's arguments: by the script for grubby, by a drop-in for update-grub, or by whichever the host has.

    `verify` is the script that compares the running kernel and the next start; `image` says that the host may be one that an image is
    deployed to, where neither counts.
    """

    grubby: File | None
    dropin: File | None
    verify: File
    image: bool


class ProfileFile(Form):
    """A file of a profile, and its mode in octal."""

    name: File
    mode: Annotated[str, Field(pattern=r"^0[0-7]{3}$")]


class Tuned(Form):
    """A profile and its files; `ktune` says that it is one of tuned 0.2."""

    name: File
    files: tuple[ProfileFile, ...]
    ktune: bool


class Host(Form):
    """What Ansible finds on the host: whether it can run `modules` there; the `python` that is too old for them, if one is.

    `note` is for the README.
    """

    modules: bool
    python: str
    note: str


class Value(Form):
    """A row of the README: a setting that the role carries, who says so, and why."""

    setting: str
    title: str
    layer: str
    value: str
    who: str
    because: str


class Left(Form):
    """A setting that the role does not carry: the reason, and where a human finds it in the setup menu."""

    setting: str
    value: str
    menu: str
    reason: str


class Role(Form):
    """The role. What it has no part of is None (`bios`, `syscfg`, `boot`, `tuned`, `cpuspeed`); `files` it carries along."""

    name: RoleName
    policy: PolicyName
    platform: str
    os: str
    host: Host
    identification: Identification
    bios: Bios | None
    syscfg: File | None
    boot: Boot | None
    tuned: Tuned | None
    cpuspeed: File | None
    files: tuple[Artifact, ...]
    values: tuple[Value, ...]
    left: tuple[Left, ...]

    @property
    def host_tags(self) -> tuple[str, ...]:
        """The layers that are set on the host, by their tags."""
        return tuple(layer for layer in self.layers if layer != "firmware" or self.bios is None)

    @property
    def checks(self) -> tuple[Check, ...]:
        """What the role compares before it sets anything."""
        return self.identification.checks if self.host_tags else self.by_service

    @property
    def by_service(self) -> tuple[Check, ...]:
        """What of it the iDRAC tells."""
        return tuple(each for each in self.identification.checks if each.kind in ("product", "sockets"))

    @property
    def firmware(self) -> bool:
        """Whether the role sets the firmware."""
        return self.bios is not None or self.syscfg is not None

    @property
    def restarts(self) -> bool:
        """Whether the role can restart what it sets: through the operating system, or through an iDRAC."""
        return self.bios is not None or (self.host.modules and (self.firmware or self.boot is not None))

    @property
    def chooses(self) -> bool:
        """Whether there is a choice in that."""
        return self.bios is not None and self.host.modules

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers that the role sets, by their tags."""
        has = {"firmware": self.firmware, "boot": self.boot, "os": self.tuned or self.cpuspeed}
        return tuple(layer for layer, part in has.items() if part)

    @property
    def programs(self) -> tuple[str, ...]:
        """The programs that change the host."""
        boot = self.boot
        has = {
            "grubby": boot and boot.grubby,
            "update-grub": boot and boot.dropin,
            "tuned-adm": self.tuned,
            "chkconfig": self.cpuspeed,
            "service": self.cpuspeed,
        }
        return tuple(name for name, part in has.items() if part)

    def cite(self, setting: str) -> str:
        """A setting with its value and who says so, for a comment; "" for one that is not among the values."""
        found = next((v for v in self.values if v.setting == setting), None)
        return f"{found.title}: {found.value}; {found.who}" if found else ""
