"""The plan: one value for each setting, with its causes and the advice that it overrides.

Everything downstream reads this form: targets spell it, `explain` and the reports show it, `diff` compares two of it.

INVARIANT: it satisfies every constraint and every `set`; it contains each setting that the platform offers once; every
value names its cause; every recommendation that lost names the one that beat it.
"""

from collections.abc import Mapping
from types import MappingProxyType

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.knowledge.model import IN_SCOPE, OUT_OF_SCOPE, Citation
from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.plan.server import Identity, RedfishService, RegistryEntry
from setpoint.compiler.record import NamedTuple

ONCE = "once"
"""Why artifacts do not set a one-time action that the policy asks for: it is no state, and is performed instead."""


THIS_SERVER = "this server: "
"""How the note of an error begins that lists the facts: it differs between servers that have the error alike."""


class FactEntry(NamedTuple):
    """A fact of the context: `text` as written (`rhel 6.4`), `value` as in the knowledge base (`rhel-6`).

    `origin` is `stated`, `implied` or `assumed`; `because` names what implies it, or why it is assumed. `follows` is
    the fact that the policy states and from which this one follows, itself included; "" if there is none. `above` has
    the values that it lies within. `role` is `intent` for the purpose of the server, `fact` for the server as it is.
    """

    name: str
    value: str
    text: str
    origin: str
    because: str
    follows: str = ""
    above: tuple[str, ...] = ()
    role: str = "fact"


class PolicyPlaces(NamedTuple):
    """Where a policy states what is in its plan. They decide nothing, so they are beside the plan, and not in it.

    A statement is known by a word and a name: `("fact", "cpu")`, `("set", "turbo")`,
    `("accept", "c-state-idle-power")`. `whole` is the place for findings about the whole plan.
    """

    stated: Mapping[tuple[str, str], Span] = MappingProxyType({})
    whole: Span = NOWHERE

    def with_(self, others: Mapping[tuple[str, str], Span]) -> "PolicyPlaces":
        """The same with other places for some statements."""
        return self._replace(stated={**self.stated, **others})

    def of(self, word: str, name: str) -> Span:
        """The place of a statement; NOWHERE if the policy has none."""
        return self.stated.get((word, name), NOWHERE)

    def of_fact(self, fact: FactEntry) -> Span:
        """The place of a fact, or of the stated one from which it follows."""
        return self.stated.get(("fact", fact.follows), NOWHERE)

    def about(self, hazard: "ArisingHazard") -> tuple[Label, ...]:
        """The policy's statements about a hazard: its `set`s first, then its facts."""
        return tuple(
            Label(self.of(word, name), "because of this" if number and word == "fact" else "caused by this")
            for number, (word, name) in enumerate(hazard.stated)
        )


class Cause(NamedTuple):
    """Why a setting has its value.

    `kind` is `set`, `rule`, `preset`, `constraint` or `default`; `name` is that of the rule, preset or constraint.
    `strength` is as the plan weighed it, `claimed` as the source has it, and `steps` the distance from the source's
    scope. `studied` is what the rule was written for if this server only follows it (`poweredge-12g`). `written_for`
    has the conditions of the rule as text, without values that its source did not study. `profile` is the recommended
    profile that implies the value, if one does.
    """

    kind: str
    name: str = ""
    citation: Citation | None = None
    strength: str = ""
    claimed: str = ""
    steps: int = IN_SCOPE
    studied: str = ""
    because: str = ""
    note: str = ""
    written_for: str = ""
    profile: str = ""

    @property
    def source(self) -> str:
        """The source of the value; "" if there is none."""
        return self.citation.source if self.citation else ""

    @property
    def at(self) -> str:
        """The place in the source; "" if there is none."""
        return self.citation.at if self.citation else ""

    @property
    def weight(self) -> str:
        """The strength in the plan, or `out of scope`."""
        return self.strength if self.steps == IN_SCOPE else "out of scope"


def changes_nothing(value: str, default: str, causes: tuple[Cause, ...]) -> bool:
    """Whether a value is the vendor's default, and only advice out of scope asks for it."""
    advice = [cause for cause in causes if cause.strength]
    is_set = any(cause.kind == "set" for cause in causes)
    return (
        value == default and not is_set and bool(advice) and all(cause.steps != IN_SCOPE for cause in advice)
    )


class Loser(NamedTuple):
    """A recommendation that applied and did not win: `reason` from a fixed vocabulary, `by` what beat it.

    `profile` is the recommended profile that would have implied the value, if any.
    """

    name: str
    value: str
    reason: str
    by: str
    citation: Citation | None
    strength: str
    because: str
    profile: str = ""

    @property
    def weight(self) -> str:
        """The strength in the plan, or `out of scope`."""
        return "out of scope" if self.strength == OUT_OF_SCOPE else self.strength


class Note(NamedTuple):
    """A remark on a value, in addition to its causes.

    `kind` is `derived` (why the profile is none of the named ones), `written-out` (no profile has it by default),
    `set-back` (an earlier bundle wrote it, and this plan leaves it at its default), `profile` (a profile that the plan
    applies sets it), `changed` (the plan changes what such a profile sets), `default` (advice out of scope is too
    little to write a default), `opens` (a default that is written, since another value would lock a setting that the
    plan writes), `required` (one that is written, since nothing else goes with a value that the plan writes), `locked`
    (a named profile fixes it), `unknown` (no source says whether a profile locks it) or `registry` (the server's
    registry excludes other values).
    """

    kind: str
    text: str


class Shown(NamedTuple):
    """A file in which the running system shows a value: it contains `text`, or does not if `is_same` is False.

    `comparison` is how to compare, "" for the whole text.
    """

    file: str
    comparison: str
    text: str
    is_same: bool


class SpelledValue(NamedTuple):
    """What the value of a setting is in an interface: each of the names gets the text, None if the interface has none.

    If `is_absent`, the names must not be there at all, or not with this text if it is not "". `texts` has the text of
    each value of the setting that has one, since what locks another setting may be a value that the plan does not have.
    `place` is that in the knowledge base's list of spellings. `type` is `integer` or `boolean` if the interface takes
    no text but one of these.
    """

    interface: str
    names: tuple[str, ...]
    text: str | None
    is_absent: bool
    shown: tuple[Shown, ...]
    texts: tuple[tuple[str, str], ...] = ()
    place: int = 0
    type: str = ""


class Lock(NamedTuple):
    """What puts a setting out of use: firmware takes no value for it while `setting` has one of `values`.

    If `unless`, there is one, and it does while it does not have that. `hides` says that the locked setting cannot even
    be read. `kept` are the locking values under which it keeps the value that it had, `undecided` those under which
    firmware sets it to one of several.
    """

    setting: str
    values: tuple[str, ...]
    unless: bool
    hides: bool = False
    kept: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()


class Decision(NamedTuple):
    """The value of one setting.

    `origin` is `set`, `rule`, `preset`, `forced` or `default`. `unwritten` says why artifacts do not set it: `default`,
    `locked`, `profile` (a profile that the plan applies sets it), `unknown` (no source says whether it is locked),
    `fixed` (the server takes no other value) or `once` (it is performed once); "" if they do. `once` says that the
    setting is a one-time action, performed or not. `rests_on` names the assumed facts without which the setting would
    not be offered, or nobody would recommend the value. `governs` names the members of a governing setting: they can be
    set once it has its value. `spelled` says what the value is where artifacts write it, and `locks` what puts the
    setting out of use.
    """

    setting: str
    title: str
    layer: str
    value: str
    label: str
    origin: str
    because: tuple[Cause, ...]
    beat: tuple[Loser, ...]
    position: int
    menu: str
    default: str
    unwritten: str
    notes: tuple[Note, ...]
    rests_on: tuple[str, ...] = ()
    governs: tuple[str, ...] = ()
    spelled: tuple[SpelledValue, ...] = ()
    locks: tuple[Lock, ...] = ()
    once: bool = False

    def spelled_in(self, interface: str) -> tuple[SpelledValue, ...]:
        """What the value is in an interface; empty if the interface cannot express it."""
        return tuple(
            spelled for spelled in self.spelled if spelled.interface == interface and spelled.text is not None
        )

    @property
    def cause(self) -> Cause:
        """The deciding cause."""
        return self.because[0]

    @property
    def written(self) -> bool:
        """Whether artifacts set it."""
        return not self.unwritten

    @property
    def is_set_by_profile(self) -> bool:
        """Whether it gets its value along with a profile."""
        return self.unwritten in ("locked", "profile")

    @property
    def changes_nothing(self) -> bool:
        """Whether only advice out of scope asks for the vendor's default. If it is written, then for another reason."""
        return changes_nothing(self.value, self.default, self.because)

    @property
    def is_performed(self) -> bool:
        """Whether it is a one-time action that is performed."""
        return self.unwritten == ONCE

    @property
    def request(self) -> tuple[str, str, str]:
        """What identifies the request for a one-time action: a server that has performed it does not do so again."""
        return self.setting, self.value, self.cause.because

    @property
    def reboot(self) -> bool:
        """Whether the value takes effect only after a restart."""
        return self.layer != "os"


class EffectValue(NamedTuple):
    """A combined effect of settings of several layers."""

    name: str
    title: str
    value: str
    citation: Citation


class ArisingHazard(NamedTuple):
    """A hazard that occurs for the values of a plan, whether or not the policy waives it.

    `stops` says whether it stops the build unless it is waived; it only warns if its source grades it so, or does not
    cover this platform and use (`steps` out of its scope; `graded` is the source's own grade, `error` or `warning`).
    `condition` is its condition as text. `stated` are the policy's statements about it, as `PolicyPlaces` knows them.
    """

    hazard: str
    what: str
    stops: bool
    graded: str
    steps: int
    citation: Citation
    condition: str
    help: str
    stated: tuple[tuple[str, str], ...] = ()


class Waiver(NamedTuple):
    """A waived hazard, or warnings, or a difference of servers: `what` it is, and the reason of the waiver.

    `kind` is `hazard`, or one of `FORMS` (plan/waivers.py); `name` is the hazard, or what is waived in the words of the
    policy (`advice of dell-11g-hpc`). `source` and `setting` restrict warnings ("" for any), and `covers` has the
    warnings that the plan would show without the waiver. `stands` says whether the hazard or the warnings occur in this
    plan at all, or it has the setting whose difference is waived, `inherited` whether a level wider than the plan's own
    waives them. `until` is the last day of the waiver (ISO), "" for no end.
    """

    kind: str
    name: str
    what: str
    because: str
    until: str
    stands: bool
    inherited: bool = False
    source: str = ""
    setting: str = ""
    covers: tuple[Diagnostic, ...] = ()

    def is_expired(self, today: str) -> bool:
        """Whether its last day is before `today` (ISO dates compare as text); False if no day is given."""
        return bool(self.until and today and self.until < today)

    def is_about(self, kind: str, source: str, setting: str) -> bool:
        """Whether warnings of a kind are waived, where they are about a setting and come from advice of a source."""
        return self.kind == kind and self.source in ("", source) and self.setting in ("", setting)


class Reference(NamedTuple):
    """A source that the plan cites, with enough data to find it in a library."""

    name: str
    title: str
    publisher: str
    date: str
    url: str


class RequiredStrength(NamedTuple):
    """How strong a recommendation must be for the policy, and why. Weaker ones are withheld."""

    strength: str
    because: str


class OwnReasons(NamedTuple):
    """The reasons that hosts have, each its own, for a statement of the policy that all of them have.

    `statement` is as it is written, `about` its setting or what it waives, and `of_hosts` each host with its reason.
    """

    statement: str
    about: str
    of_hosts: tuple[tuple[str, str], ...]


class Plan(NamedTuple):
    """The plan of one policy for one kind of server.

    `sources` are those that it cites. `identity` is what a server must report to be one that the plan is for.
    `advisories` are the findings that do not depend on the date; `judge` adds the others. `service` is None if unknown,
    `registry` if the plan is not for one server, `evidence` if recommendations of any strength are written, `made_with`
    for a plan of an earlier version, which does not say. `own_reasons` are beside the plan of a fleet, whose hosts need
    not have one reason for what they have alike, and `places` beside any.
    """

    policy: str
    facts: tuple[FactEntry, ...]
    settings: tuple[Decision, ...]
    effects: tuple[EffectValue, ...]
    hazards: tuple[ArisingHazard, ...]
    waivers: tuple[Waiver, ...]
    sources: tuple[Reference, ...]
    advisories: tuple[Diagnostic, ...]
    identity: tuple[Identity, ...] = ()
    service: RedfishService | None = None
    registry: RegistryEntry | None = None
    evidence: RequiredStrength | None = None
    made_with: MadeWith | None = None
    own_reasons: tuple[OwnReasons, ...] = ()
    places: PolicyPlaces = PolicyPlaces()

    def __hash__(self) -> int:
        """Of a few fields: targets ask a hundred times what they made of a plan, and to hash all of it takes a
        twentieth of a millisecond."""
        return hash((self.policy, self.facts))

    @property
    def at(self) -> Span:
        """The place for findings about the whole plan: the first fact that the policy states, if there is one."""
        stated = (self.places.of_fact(fact) for fact in self.facts if fact.origin == "stated")
        return next((place for place in stated if place != NOWHERE), NOWHERE)

    def setting(self, name: str) -> Decision | None:
        """The decision on a setting; None if the platform does not have it."""
        return next((d for d in self.settings if d.setting == name), None)

    def value(self, name: str) -> str:
        """The value of a setting; "" if the platform does not have it."""
        decision = self.setting(name)
        return decision.value if decision else ""

    def fact(self, name: str) -> str:
        """The value of a fact, as in the knowledge base; "" if unknown."""
        return next((f.value for f in self.facts if f.name == name), "")

    def lineage(self, name: str) -> tuple[str, ...]:
        """The value of a fact and all values that it lies within, nearest first: `("r710", "poweredge-11g")`."""
        return next(((f.value, *f.above) for f in self.facts if f.name == name), ())

    @property
    def intent(self) -> tuple[FactEntry, ...]:
        """The facts about the purpose of the server."""
        return tuple(f for f in self.facts if f.role == "intent")

    @property
    def written(self) -> tuple[Decision, ...]:
        """The decisions that artifacts set, in the order of decision."""
        return tuple(d for d in self.settings if d.written)

    @property
    def performed(self) -> tuple[Decision, ...]:
        """The one-time actions that are performed, in the order of decision."""
        return tuple(d for d in self.settings if d.is_performed)

    @property
    def digest(self) -> str:
        """What tells the plan from another: the SHA-256 of what it writes, a line `SETTING<tab>VALUE` each, sorted.

        Its name is no part of it: a fleet calls a plan after the first of its hosts, and what the others get stays as
        it is.
        """
        from hashlib import sha256  # only where a plan is carried out

        lines = sorted(f"{decision.setting}\t{decision.value}\n" for decision in self.written)
        return sha256("".join(lines).encode()).hexdigest()

    @property
    def applied(self) -> tuple[Decision, ...]:
        """What is written and what is performed, in the order of decision."""
        return tuple(d for d in self.settings if d.written or d.is_performed)
