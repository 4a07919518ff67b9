"""The forms of a difference: what the comparison finds, and what every rendering of it reads."""

from typing import NamedTuple

from setpoint.compiler.plan.judge import HazardState
from setpoint.compiler.plan.model import Decision, Reference
from setpoint.compiler.record import distinct


@distinct
class FactChange(NamedTuple):
    """A fact whose value changes, or how it is known. A side that does not know it has "".

    `how` says how the new side knows it: `stated`, `implied` or `assumed`, or "" where it does not; `because`, by what.
    `was_known` says how the old side does.
    """

    name: str
    old: str
    new: str
    how: str
    because: str
    was_known: str = ""

    @property
    def has_another_value(self) -> bool:
        """Whether the value changes, and not only how it is known."""
        return self.old != self.new


@distinct
class Trigger(NamedTuple):
    """The part of the change that brings a new value about.

    `kind` is `set`, `fact` or `manage` for what a policy says; for what is known `supersedes` (source `name` replaces
    source `old`), `new-rule`, `rule-gone`, `rule-changed`, or `outweighed` where the rule is as before. A side that does
    not say it has "".
    """

    kind: str
    name: str
    old: str
    new: str
    because: str = ""


@distinct
class SettingChange(NamedTuple):
    """A setting that is another on the new side.

    `kind` is `value` (what artifacts carry is another), `starts` (artifacts carry it now, the value is as before),
    `stops` (they no longer do, and a server keeps what it has), `profile` (the profile brings another value along).
    No server notices the others: `left` (no longer written, the value is as before), `written-out` (as before, but no
    named profile has it now), `default` (another vendor default, which nobody writes), `reason` (other cause only).
    """

    setting: str
    kind: str
    old: Decision | None
    new: Decision | None
    reboot: bool
    triggers: tuple[Trigger, ...] = ()

    @property
    def either(self) -> Decision:
        """The new decision, or the old one where the new side does not have the setting."""
        found = self.new or self.old
        assert found is not None, "a change has a side"
        return found

    @property
    def acts(self) -> bool:
        """Whether a server is treated otherwise than before."""
        return self.kind in ("value", "starts", "stops", "profile")


@distinct
class HazardChange(NamedTuple):
    """A hazard that stands otherwise.

    `kind` is `appears`, `accepted`, `expired`, `resolved`, `reopened` (no longer accepted), `in-vain`, `reworded`.
    """

    hazard: str
    kind: str
    old: HazardState
    new: HazardState

    @property
    def what(self) -> str:
        """What the hazard is."""
        return self.new.what or self.old.what


@distinct
class Carrier(NamedTuple):
    """An artifact that changes, by its target's name, and the settings in it that do.

    None of them does where something else makes it come out otherwise: a fact, or the spelling of a value.
    """

    target: str
    settings: tuple[str, ...]


@distinct
class EffectChange(NamedTuple):
    """A changed combined effect of settings in several layers."""

    name: str
    old: str
    new: str


@distinct
class BuildError(NamedTuple):
    """Why nothing can be compiled: a code with its message, and where; `file` is "" for nowhere."""

    text: str
    file: str
    line: int

    @property
    def with_place(self) -> str:
        """All of it in a line."""
        return f"{self.text} ({self.file}:{self.line})" if self.file else self.text


@distinct
class PolicyDifference(NamedTuple):
    """What changes for one policy.

    `status` is `added`, `removed`, `changed`, `broken` (it no longer compiles) or `mended`. `was` is its former name,
    if it has another. `by_hand` names the settings that no artifact can carry. `stops` says that the new side cannot be
    compiled.
    """

    policy: str
    status: str
    was: str = ""
    facts: tuple[FactChange, ...] = ()
    settings: tuple[SettingChange, ...] = ()
    hazards: tuple[HazardChange, ...] = ()
    effects: tuple[EffectChange, ...] = ()
    errors: tuple[BuildError, ...] = ()
    artifacts: tuple[Carrier, ...] = ()
    by_hand: tuple[str, ...] = ()
    stops: bool = False

    @property
    def acting(self) -> tuple[SettingChange, ...]:
        """The changes that servers notice."""
        return tuple(c for c in self.settings if c.acts)

    @property
    def reboots(self) -> bool:
        """Whether carrying the change out needs a reboot."""
        return any(c.reboot for c in self.settings)


@distinct
class Comparison(NamedTuple):
    """What two sides come to: how many policies were compared, those that differ, and the sources cited in that.

    `unplanned` names the policies and files that are in error on both sides, for the same reasons: of these nobody can
    say whether something changes. `including` names files that include what was compared, where that has no policy of
    its own.
    """

    policies: int
    differences: tuple[PolicyDifference, ...]
    sources: tuple[Reference, ...]
    unplanned: tuple[str, ...] = ()
    including: tuple[str, ...] = ()
