"""The forms of a difference: the results of a comparison, which all renderings read."""

from collections.abc import Iterable, Mapping

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.plan.judge import HazardState
from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.plan.model import Decision, OwnReasons, Reference
from setpoint.compiler.record import NamedTuple


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


class Trigger(NamedTuple):
    """The part of the change that causes a new value.

    `kind` is `set`, `fact`, `manage` or `require` for statements of a policy; for knowledge it is `supersedes` (source
    `name` replaces source `old`), `new-rule`, `rule-gone`, `rule-changed`, `offered` if a side does not offer the
    setting, `applies` for a rule that did not apply before, or `outweighed` if the rule is unchanged; `layer` says
    whose knowledge it is (`library` or `site`), that only the compiler is another one (`compiler`), or that the
    `inventory` states a fact. A side without the statement has "".
    """

    kind: str
    name: str
    old: str
    new: str
    because: str = ""
    layer: str = ""


class SettingChange(NamedTuple):
    """A changed setting.

    Servers are affected by these kinds: `value` (artifacts set another value), `starts` (artifacts now set it, the
    value is unchanged), `stops` (they no longer do, and servers keep their value), `profile` (the profile implies
    another value), `performs` (a one-time action is performed; again, if it was with another value or for another
    reason). They are not affected by: `left` (no longer written, the value is unchanged), `written-out` (unchanged, but
    no named profile has it any more), `default` (another vendor default, which nobody writes), `reason` (only the cause
    changes), `performed` (a one-time action that is asked for as before, shown beside other changes), `over` (one that
    is no longer asked for).
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
        decision = self.new or self.old
        assert decision is not None, "a change has a side"
        return decision

    @property
    def acts(self) -> bool:
        """Whether the change affects servers."""
        return self.kind in ("value", "starts", "stops", "profile", "performs")


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


class WaiverTerms(NamedTuple):
    """The end of a waiver of warnings ("" for none), its reason, whether it has expired, and the warnings: `what`."""

    until: str
    because: str
    is_expired: bool
    what: str = ""


class WaiverChange(NamedTuple):
    """A waiver of warnings that one side does not have (None), or that has other terms. `name` says what it waives."""

    name: str
    old: WaiverTerms | None
    new: WaiverTerms | None


class Carrier(NamedTuple):
    """A changed artifact, by the name of its target, and the changed settings in it.

    There are none if something else changes it: a fact, or the spelling of a value.
    """

    target: str
    settings: tuple[str, ...]


class EffectChange(NamedTuple):
    """A changed combined effect of settings in several layers."""

    name: str
    old: str
    new: str


class BuildError(NamedTuple):
    """Why nothing can be compiled: a code with its message, and the place; `file` is "" for none."""

    text: str
    file: str
    line: int

    @property
    def with_place(self) -> str:
        """The message and its place in one line."""
        return f"{self.text} ({self.file}:{self.line})" if self.file else self.text


def is_elsewhere(name: str) -> bool:
    """Whether a name is not that of a file of the side, but of the standard library, or of no file."""
    return name.startswith(("stdlib/", "<"))


class ChangedHosts(NamedTuple):
    """The hosts of a difference, sorted by name: hosts that had one plan, and have one plan now.

    `groups` are theirs before and after, "" for none. `of_inventory` says whether the inventory changes, too: it did
    not have them before, or does not have them any more. `stays` has the settings that servers keep as they are, each
    with the sentence that says why; `own` the reasons that each host has of its own.
    """

    names: tuple[str, ...]
    groups: tuple[str, str]
    of_inventory: bool = False
    stays: tuple[tuple[str, str], ...] = ()
    own: tuple[OwnReasons, ...] = ()


class PolicyDifference(NamedTuple):
    """The changes of one policy; with an inventory, those of a plan on `hosts`.

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
    hosts: ChangedHosts | None = None

    @property
    def acting(self) -> tuple[SettingChange, ...]:
        """The changes that affect servers."""
        return tuple(c for c in self.settings if c.acts)

    @property
    def changes(self) -> bool:
        """Whether a fact, a setting, a hazard or a waiver changes."""
        return bool(self.facts or self.settings or self.hazards or self.waivers)

    @property
    def reboots(self) -> bool:
        """Whether the change needs a restart to take effect."""
        return any(c.reboot for c in self.settings)


MOST_KINDS = 3
"""How many values of a fact still say which hosts are meant."""

HostsFacts = Mapping[str, tuple[tuple[str, str], ...]]
"""The facts that the inventory has of each host."""


class HostKinds(NamedTuple):
    """What kinds of hosts there are: their facts, and all values of each fact."""

    facts: HostsFacts
    values: Mapping[str, frozenset[str]]

    @classmethod
    def among(cls, facts: HostsFacts) -> "HostKinds":
        """The kinds of these hosts."""
        return cls(facts, _values(facts.values()))

    def of(self, hosts: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """What distinguishes these hosts: facts of which they have one of a few values, and others do not."""
        by_fact = _values(self.facts[host] for host in hosts if host in self.facts)
        return {
            fact: tuple(sorted(values))
            for fact, values in by_fact.items()
            if len(values) <= MOST_KINDS and values < self.values[fact] and "" not in values
        }


def _values(rows: Iterable[tuple[tuple[str, str], ...]]) -> dict[str, frozenset[str]]:
    """The values of each fact in rows, "" for a row that does not have it."""
    mappings = [dict(row) for row in set(rows)]
    return {
        name: frozenset(row.get(name, "") for row in mappings)
        for name in sorted({n for row in mappings for n in row})
    }


class WhyLeftOut(NamedTuple):
    """Why hosts have no plan: an error, and how many of them had a plan before. Without hosts it is about a whole file
    of policies. The notes and the help of the error are those of the first hosts; others can have others.
    """

    error: Diagnostic
    hosts: tuple[str, ...]
    had_one: int


class ComparedHosts(NamedTuple):
    """The hosts of a comparison: how many have the `same` plan, how many are `planned` on each side, what distinguishes
    them, and whether they are planned by several policies on a side. `is_of_intents` says whether the sides are two
    intents, of which neither is rolled out. `without` are the numbers of hosts without a plan on each side, `reasons`
    why the new side has some, and `says_why` where all reasons are.
    """

    same: int
    planned: tuple[int, int]
    kinds: HostKinds
    has_several: bool
    is_of_intents: bool
    without: tuple[int, int] = (0, 0)
    reasons: tuple[WhyLeftOut, ...] = ()
    says_why: str = ""


class Comparison(NamedTuple):
    """The result of comparing two sides: the number of policies, those that differ, and the sources that they cite.

    `unplanned` names the policies and files with the same errors on both sides, so that changes in them are unknown.
    `including` names files that include the compared one, if that has no policy of its own. `made_with` is what the
    plans of both sides are made with, as far as it is known. With an inventory, `hosts` are those of both sides, and
    each difference has some of them.
    """

    policies: int
    differences: tuple[PolicyDifference, ...]
    sources: tuple[Reference, ...]
    unplanned: tuple[str, ...] = ()
    including: tuple[str, ...] = ()
    made_with: tuple[MadeWith | None, MadeWith | None] = (None, None)
    hosts: ComparedHosts | None = None
