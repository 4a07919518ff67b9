"""The forms of a difference: the results of a comparison, which all renderings read."""

from setpoint.compiler.plan.judge import HazardState
from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.plan.model import Decision, Reference
from setpoint.compiler.record import NamedTuple, distinct


@distinct
class FactChange(NamedTuple):
    """A fact whose value changes, or how it is known; "" if one side does not know it.

    `how` says how the new side knows it: `stated`, `implied`, `assumed` or "" for unknown; `because` names what implies
    it, or why it is assumed. `was_known` is `how` for the old side.
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
    """The part of the change that causes a new value.

    `kind` is `set`, `fact`, `manage` or `require` for statements of a policy; for knowledge it is `supersedes` (source `name`
    replaces source `old`), `new-rule`, `rule-gone`, `rule-changed`, `offered` if a side does not offer the setting, `applies` for a rule
    that did not apply before, or `outweighed` if the rule is unchanged; `layer` says whose knowledge it is (`library` or `site`), or that
    only the compiler is another one (`compiler`). A side without the statement has "".
    """

    kind: str
    name: str
    old: str
    new: str
    because: str = ""
    layer: str = ""


@distinct
class SettingChange(NamedTuple):
    """A changed setting.

    Servers are affected by these kinds: `value` (artifacts set another value), `starts` (artifacts now set it, the
    value is unchanged), `stops` (they no longer do, and servers keep their value), `profile` (the profile implies
    another value), `performs` (a one-time action is performed; again, if it was with another value or for another reason).
    They are not affected by: `left` (no longer written, the value is unchanged), `written-out`
    (unchanged, but no named profile has it any more), `default` (another vendor default, which nobody writes), `reason`
    (only the cause changes), `performed` (a one-time action that is asked for as before, shown beside other changes), `over`
    (one that is no longer asked for).
    """

    setting: str
    kind: str
    old: Decision | None
    new: Decision | None
    reboot: bool
    triggers: tuple[Trigger, ...] = ()

    @property
    def either(self) -> Decision:
        """The new decision, or the old one if the new side lacks the setting."""
        found = self.new or self.old
        assert found is not None, "a change has a side"
        return found

    @property
    def acts(self) -> bool:
        """Whether the change affects servers."""
        return self.kind in ("value", "starts", "stops", "profile", "performs")


@distinct
class HazardChange(NamedTuple):
    """A hazard whose status changes.

    `kind` is `appears`, `accepted`, `expired`, `resolved`, `reopened` (no longer waived), `unused` (a waiver without
    effect) or `reworded`.
    """

    hazard: str
    kind: str
    old: HazardState
    new: HazardState

    @property
    def what(self) -> str:
        """What the hazard is, and where that is from."""
        side = self.new if self.new.source or not self.old.source else self.old
        return f"{side.what} ({side.source})" if side.source else side.what or self.old.what


@distinct
class WaiverTerms(NamedTuple):
    """The end of a waiver of warnings ("" for none), its reason, and whether it has expired; `what` has the warnings that it covers."""

    until: str
    because: str
    is_expired: bool
    what: str = ""


@distinct
class WaiverChange(NamedTuple):
    """A waiver of warnings that one side does not have (None), or that has other terms. `name` says what it waives."""

    name: str
    old: WaiverTerms | None
    new: WaiverTerms | None


@distinct
class Carrier(NamedTuple):
    """A changed artifact, by the name of its target, and the changed settings in it.

    There are none if something else changes it: a fact, or the spelling of a value.
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
    """Why nothing can be compiled: a code with its message, and the place; `file` is "" for none."""

    text: str
    file: str
    line: int

    @property
    def with_place(self) -> str:
        """The message and its place in one line."""
        return f"{self.text} ({self.file}:{self.line})" if self.file else self.text


@distinct
class PolicyDifference(NamedTuple):
    """The changes of one policy.

    `status` is `added`, `removed`, `changed`, `broken` (it no longer compiles) or `fixed`. `was` is its former name,
    if it has another. `by_hand` names the settings that no artifact can set. `stops` says that the new side cannot be
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
    waivers: tuple[WaiverChange, ...] = ()

    @property
    def acting(self) -> tuple[SettingChange, ...]:
        """The changes that affect servers."""
        return tuple(c for c in self.settings if c.acts)

    @property
    def reboots(self) -> bool:
        """Whether the change needs a reboot to take effect."""
        return any(c.reboot for c in self.settings)


@distinct
class Comparison(NamedTuple):
    """The result of comparing two sides: the number of policies, those that differ, and the sources that they cite.

    `unplanned` names the policies and files with the same errors on both sides, so that changes in them are unknown.
    `including` names files that include the compared one, if that has no policy of its own. `made_with` is what the plans of both
    sides are made with, as far as it is known.
    """

    policies: int
    differences: tuple[PolicyDifference, ...]
    sources: tuple[Reference, ...]
    unplanned: tuple[str, ...] = ()
    including: tuple[str, ...] = ()
    made_with: tuple[MadeWith | None, MadeWith | None] = (None, None)
