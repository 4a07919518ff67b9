"""The two forms of a profile: tuned.conf of tuned 2, and the four files of tuned 0.2.

INVARIANT: names and values are words of tuned's own, or numbers with a blank between each two (no quotes or comment
signs), so that INI needs no quoting; reasons are ASCII, since tuned reads a profile in the locale's encoding, and a
daemon may have none.
"""

from typing import Annotated, Literal

from setpoint.compiler.knowledge.interfaces import INTERFACES
from setpoint.targets._linux.live import CardValue, Compared, LiveValue, LiveWord, MaskedUnit
from setpoint.targets._shared.forms import Form, matching
from setpoint.targets._shared.identity import Identification

SysfsFile = Annotated[str, matching(f"^{INTERFACES['sysfs'].name.pattern}$")]
OptionName = LiveWord | SysfsFile
"""The name of an option: a word, or a file of /sys."""

ProfileName = Annotated[str, matching(r"^setpoint-[A-Za-z0-9_.+-]+$")]


class TunedOption(Compared):
    """A line `name=value` of the section for each name. What keeps a section from doing more than the plan says is not
    compared. `shows` is what the running system shows where that is not the value.
    """

    section: LiveWord
    names: tuple[OptionName, ...]
    shows: LiveValue | None = None

    @property
    def live(self) -> str:
        """What the running system is to show."""
        return self.shows or self.value


class Dropped(Form):
    """Options of an included profile that are left out: `drop=NAMES` in their section."""

    section: LiveWord
    names: tuple[OptionName, ...]


class TunedProfile(Form):
    """tuned.conf. `included` is the profile that tuned ships and this one builds on, "" if there is none; `dropped` is
    what this one leaves out of it. `cards` is what a script of the profile sets on network cards, `masks` the units
    that are masked.
    """

    name: ProfileName
    policy: str
    purpose: str
    identification: Identification = Identification()
    options: tuple[TunedOption, ...]
    included: LiveWord | Literal[""] = ""
    dropped: tuple[Dropped, ...] = ()
    cards: tuple[CardValue, ...] = ()
    masks: tuple[MaskedUnit, ...] = ()

    @property
    def is_ktune(self) -> bool:
        """Whether the profile is for tuned 0.2."""
        return False

    @property
    def compared(self) -> tuple[TunedOption, ...]:
        """The options whose live value is compared."""
        return tuple(option for option in self.options if option.checks)

    @property
    def summary(self) -> str:
        """The purpose of the profile in one line."""
        return f"Setpoint policy {self.policy}: {self.purpose}"

    @property
    def sections(self) -> tuple[tuple[str, tuple[str, ...], tuple[TunedOption, ...]], ...]:
        """Each section with what it drops and its options, sorted by name, since tuned accepts any order."""
        drops = {dropped.section: dropped.names for dropped in self.dropped}
        names = sorted({o.section for o in self.options} | drops.keys())
        return tuple(
            (name, drops.get(name, ()), tuple(o for o in self.options if o.section == name)) for name in names
        )


class Step(Compared):
    """What ktune.sh does with a function for one setting."""

    does: LiveWord
    undoes: LiveWord
    value: LiveWord


class Sysctl(Compared):
    """A line of sysctl.ktune for one setting."""

    name: LiveWord
    value: LiveValue


class Ktune(Form):
    """A profile folder of tuned 0.2."""

    name: ProfileName
    policy: str
    purpose: str
    identification: Identification = Identification()
    steps: tuple[Step, ...]
    sysctls: tuple[Sysctl, ...]

    @property
    def is_ktune(self) -> bool:
        """Whether the profile is for tuned 0.2."""
        return True

    @property
    def compared(self) -> tuple[Step | Sysctl, ...]:
        """What is compared."""
        return (*self.steps, *self.sysctls)

    @property
    def cards(self) -> tuple[CardValue, ...]:
        """What it sets on network cards: nothing."""
        return ()

    @property
    def masks(self) -> tuple[MaskedUnit, ...]:
        """The units that it masks: none, since there is no systemd."""
        return ()

    @property
    def holds_latency(self) -> bool:
        """Whether ktune.sh needs its own functions for the latency request."""
        return any(step.does == "hold_latency" for step in self.steps)
