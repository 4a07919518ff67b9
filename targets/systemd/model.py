"""The files of a plan for a server without tuned, before they are text.

INVARIANT: names and values are words without blanks, quotes, `%` or `$`, so that neither a unit, a rule, a file of
sysctl.d nor a shell needs quoting; a sysctl can be several numbers, with blanks between them; reasons are one line of
ASCII that ends in a bracket, and only ever become comments.
"""

import re
from typing import Annotated

from setpoint.compiler.knowledge.interfaces import INTERFACES
from setpoint.targets._linux.live import AsciiReason, CardValue, Compared, LiveValue, LiveWord, MaskedUnit
from setpoint.targets._shared.forms import Form, PolicyName, matching
from setpoint.targets._shared.identity import Identification

FilesName = Annotated[str, matching(r"^setpoint_[a-z0-9_]+$")]
SysctlName = Annotated[str, matching(f"^{INTERFACES['sysctl'].name.pattern}$")]
Attribute = Annotated[str, matching(r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$")]
RuleValue = Annotated[str, matching(r"^[A-Za-z0-9_.,:+-]+$")]
RuleMatch = Annotated[str, matching(r"^[A-Za-z0-9_.,:+*?|\[\]-]+$")]

SLICE = r"/sys/fs/cgroup/([a-z0-9_-]+\.slice)/"
"""The beginning of a file of the control group of a slice."""


class Sysctl(Compared):
    """A line of the file for sysctl.d."""

    name: SysctlName


class DeviceRule(Form):
    """A text for devices on which the attribute has one that matches `when`, and none that matches `unless`."""

    value: RuleValue
    when: RuleMatch
    unless: RuleMatch | None = None


class DeviceValue(Compared):
    """An attribute of all block devices, with a rule for each alternative of its value."""

    attribute: Attribute
    rules: tuple[DeviceRule, ...]
    at_least: bool = False

    @property
    def live(self) -> str:
        """What the running system is to show."""
        return f">{self.value}" if self.at_least else self.value


class KernelValue(Compared):
    """A value that the program of the unit writes to its files, by its function `writes`."""

    writes: LiveWord


class DropIn(Form):
    """A line of a drop-in: for `of`, a service, a slice or `system.conf`, the value of an option in a section."""

    setting: str
    of: Annotated[str, matching(r"^[a-z0-9_-]+\.(service|slice|conf)$")]
    section: Annotated[str, matching(r"^[A-Za-z]+$")]
    option: Annotated[str, matching(r"^[A-Za-z]+(=[A-Z_]+)?$")]
    value: LiveValue
    reason: AsciiReason


class SystemFiles(Form):
    """All files of a plan. Those of a kind that it has nothing for are not there."""

    name: FilesName
    policy: PolicyName
    identification: Identification = Identification()
    sysctls: tuple[Sysctl, ...] = ()
    devices: tuple[DeviceValue, ...] = ()
    values: tuple[KernelValue, ...] = ()
    drop_ins: tuple[DropIn, ...] = ()
    cards: tuple[CardValue, ...] = ()
    masks: tuple[MaskedUnit, ...] = ()

    @property
    def subsystems(self) -> tuple[str, ...]:
        """The subsystems of the kernel that have devices with values."""
        return (*(["block"] if self.devices else []), *(["net"] if self.cards else []))

    @property
    def compared(self) -> tuple[Compared, ...]:
        """The values that are compared with live ones."""
        return (*self.sysctls, *self.devices, *self.values)

    @property
    def slices(self) -> tuple[str, ...]:
        """The slices whose control groups have a file that is written: they are there only while the slice is
        active."""
        matches = (re.match(SLICE, file) for value in self.values for file in value.files)
        return tuple(dict.fromkeys(match[1] for match in matches if match))
