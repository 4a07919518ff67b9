"""The module's data: what is put on the server, and what goes to Hiera.

INVARIANT: everything that becomes Puppet code, YAML data or a word of shell has a shape in which neither a quote nor an
interpolation (`${}`, `%{}`) can be. Reasons are free text of one line, and only ever become comments; the texts of
files are carried as they are.
"""

from typing import Annotated, Literal

from pydantic import Field

from setpoint.targets._shared.forms import Form, PolicyName
from setpoint.targets._shared.identity import Check, Identification

ModuleName = Annotated[str, Field(pattern=r"^setpoint_[a-z0-9_]+$")]
Path = Annotated[str, Field(pattern=r"^(/[A-Za-z0-9_.+-]+)+$")]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]+$")]
Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.+-]+$")]
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
    """A profile, and where it goes: the sections of tuned.conf (tuned 2), or the files of a folder (tuned 0.2)."""

    profile: Word
    folders: tuple[Path, ...]
    sections: tuple[Section, ...]
    files: tuple[Carried, ...]


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


class Module(Form):
    """The module. A part that the plan has nothing for is None.

    `manages_firmware` is the default of the class: whether Puppet sees to the firmware unless a site says otherwise.
    """

    name: ModuleName
    policy: PolicyName
    facts: tuple[str, ...]
    releases: dict[Word, tuple[Word, ...]]
    support: dict[Word, tuple[Word, ...]]
    identification: Identification
    agent: str
    kernel: Kernel | None
    tuned: Tuned | None
    cpuspeed: Cpuspeed | None
    firmware: Carried | None
    manages_firmware: bool
    rows: tuple[Row, ...]
    left: tuple[Row, ...]
    redfish: bool

    @property
    def checks(self) -> tuple[Check, ...]:
        """What the class compares with facts; the distribution is that of `releases`."""
        return tuple(each for each in self.identification.checks if each.kind != "distribution")

    @property
    def files(self) -> tuple[Carried, ...]:
        """What lies in the module's `files/`."""
        kernel = (self.kernel.script, self.kernel.drop_in) if self.kernel else ()
        tuned = self.tuned.files if self.tuned else ()
        return tuple(each for each in (*kernel, *tuned, self.firmware) if each is not None)

    @property
    def waits(self) -> bool:
        """Whether anything of it takes effect only after a restart."""
        return bool(self.kernel or self.firmware)

    @property
    def parts(self) -> str:
        """The parts, in words: `kernel arguments, tuned profile`."""
        parts = {
            "kernel arguments": self.kernel,
            "cpuspeed service": self.cpuspeed,
            "tuned profile": self.tuned,
            "BIOS settings": self.manages_firmware and self.firmware,
        }
        return ", ".join(name for name, part in parts.items() if part)
