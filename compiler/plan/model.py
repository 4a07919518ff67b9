"""The plan: one value a setting, each with its causes and with what it overruled.

This is the form that everything downstream reads: targets spell it, `explain` and the reports show
it, `diff` compares two of it.

INVARIANT: it satisfies every constraint and every `set`; each setting that the platform offers is in
it once; every value names its cause; every recommendation that lost says to what.
"""

from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.knowledge.model import IN_SCOPE, Citation
from setpoint.compiler.record import distinct


@distinct
class FactEntry(NamedTuple):
    """A fact of the context: `text` as written (`rhel 6.4`), `value` as the knowledge base has it (`rhel-6`).

    `origin` is `stated`, `implied` or `assumed`; `because` says by what. `above` is what the value lies within.
    `role` is `intent` for what is wanted of the server, `fact` for what is there.
    """

    name: str
    value: str
    text: str
    origin: str
    because: str
    span: Span
    above: tuple[str, ...] = ()
    role: str = "fact"


@distinct
class Cause(NamedTuple):
    """Why a value is what it is.

    `kind` is `set`, `rule`, `preset`, `constraint` or `default`; `name` that of the rule, preset or
    constraint. `strength` is as the plan weighed it, `claimed` as the source has it, and `steps` how far out of
    its source's scope the rule speaks; `studied` is what it was written for where this server only follows that
    (`poweredge-12g`). `written_for` says in which conditions it speaks, as text. `profile` is the recommended
    profile that brings the value along (`system-profile dapc`), where one does.
    """

    kind: str
    span: Span
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
        """The source that says so; "" where none does."""
        return self.citation.source if self.citation else ""

    @property
    def at(self) -> str:
        """The place in it; "" where there is none."""
        return self.citation.at if self.citation else ""

    @property
    def weight(self) -> str:
        """How the plan weighed it: its strength, or `out of scope`."""
        return self.strength if self.steps == IN_SCOPE else "out of scope"


@distinct
class Loser(NamedTuple):
    """A recommendation that applied and did not win: `reason` in a fixed vocabulary, `by` what it lost to.

    `profile` is the recommended profile that would have brought the value along, where one would.
    """

    name: str
    value: str
    reason: str
    by: str
    citation: Citation | None
    strength: str
    because: str
    profile: str = ""


@distinct
class Note(NamedTuple):
    """What the reader should know of a value beside its causes.

    `kind` is `derived` (why the profile is none of those that are named), `written-out` (no profile has it by default),
    `set-back` (an earlier bundle wrote it, and this plan leaves it at its default),
    `locked` (a named profile fixes it) or `unknown` (no source says whether a profile locks it).
    """

    kind: str
    text: str


@distinct
class Decision(NamedTuple):
    """The value of one setting.

    `origin` is `set`, `rule`, `preset`, `forced` or `default`. `unwritten` says why artifacts do not carry it:
    `default`, `locked`, or `unknown` where no source says whether it is locked; "" if they do. `rests_on` names the
    assumed facts without which the setting would not be offered, or nobody would advise the value. `governs` names the
    members of a governing setting: they can be set once it has its value.
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

    @property
    def cause(self) -> Cause:
        """The cause that decided."""
        return self.because[0]

    @property
    def written(self) -> bool:
        """Whether artifacts carry it."""
        return not self.unwritten

    @property
    def reboot(self) -> bool:
        """Whether the value takes effect only after a restart."""
        return self.layer != "os"


@distinct
class EffectValue(NamedTuple):
    """A combined effect of settings of several layers."""

    name: str
    title: str
    value: str
    citation: Citation


@distinct
class ArisingHazard(NamedTuple):
    """A hazard that the values of a plan bring about, whether or not the policy waives it.

    `stops` says whether it stops the build unless it is waived; it only warns where its source grades it so, or does not
    speak of this platform and use (`steps` out of its scope; `graded` is the source's own grade, `error` or `warning`).
    `condition` says where it arises, as text. `places` is what the policy itself states of that; `at` is where the reader
    should look first.
    """

    hazard: str
    what: str
    stops: bool
    graded: str
    steps: int
    citation: Citation
    condition: str
    help: str
    at: Span
    places: tuple[Label, ...] = ()


@distinct
class Waiver(NamedTuple):
    """A hazard that the policy waives: `what` it is, and the reason of the waiver.

    `stands` says whether it arises in this plan at all, `inherited` whether a wider level than the plan's own waives it.
    `until` is the last day of the waiver (ISO), "" for no end.
    """

    hazard: str
    what: str
    because: str
    until: str
    stands: bool
    span: Span
    inherited: bool = False

    def is_expired(self, today: str) -> bool:
        """Whether its last day lies before `today` (ISO dates compare as text); never where no day is given."""
        return bool(self.until and today and self.until < today)


@distinct
class Reference(NamedTuple):
    """A source that the plan cites: enough to find it in a library."""

    name: str
    title: str
    publisher: str
    date: str
    url: str


@distinct
class Identity(NamedTuple):
    """What a server must report of itself, since the plan has this fact: one of `names`, or a version of `since` or later.

    `kind` is what it reports: `product`, `sockets`, `system`, `distribution` or `kernel`. `origin` is that of the fact.
    With neither a name nor a version there is nothing to compare.
    """

    kind: str
    fact: str
    value: str
    origin: str
    names: tuple[str, ...]
    since: tuple[str, ...]

    @property
    def is_compared(self) -> bool:
        """Whether there is anything to compare with."""
        return bool(self.names or self.since)


@distinct
class Plan(NamedTuple):
    """The whole plan of one policy for one kind of server. `sources` are those that it cites.

    `identity` is what a server must report of itself to be one that the plan is for. `advisories` is what a reader should
    know of it on any day; what stops the build, and on which day, `judge` finds out.
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

    @property
    def at(self) -> Span:
        """Where a finding on the whole plan points: the first fact that is stated, if it has a place."""
        return next((fact.span for fact in self.facts if fact.origin == "stated"), NOWHERE)

    def setting(self, name: str) -> Decision | None:
        """The decision on a setting, or None where the platform has no such setting."""
        return next((d for d in self.settings if d.setting == name), None)

    def value(self, name: str) -> str:
        """The value of a setting; "" where the platform has no such setting."""
        decision = self.setting(name)
        return decision.value if decision else ""

    def fact(self, name: str) -> str:
        """The value of a fact, as the knowledge base has it; "" if it is not known."""
        return next((f.value for f in self.facts if f.name == name), "")

    def lineage(self, name: str) -> tuple[str, ...]:
        """The value of a fact and all that it lies within, nearest first: `("r710", "poweredge-11g")`."""
        return next(((f.value, *f.above) for f in self.facts if f.name == name), ())

    @property
    def intent(self) -> tuple[FactEntry, ...]:
        """What is wanted of the server, as against what is there."""
        return tuple(f for f in self.facts if f.role == "intent")

    @property
    def written(self) -> tuple[Decision, ...]:
        """The decisions that artifacts carry, in the order of decision."""
        return tuple(d for d in self.settings if d.written)
