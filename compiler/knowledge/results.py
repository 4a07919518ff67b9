"""Results of analysing a knowledge base: records that the proof makes and `render` prints.

They lie beside the knowledge base, below both packages, so that neither imports the other.
"""

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.diagnostics.source import Placed
from setpoint.compiler.knowledge.citation import Pin
from setpoint.compiler.record import NamedTuple


class ProofStatistics(NamedTuple):
    """How much a proof covered."""

    contexts: int
    situations: int
    parts: int
    settings: int
    rules: int
    constraints: int
    presets: int
    hazards: int
    plans: int
    conflicts: int
    seconds: float


class Proof(NamedTuple):
    """The findings, the statistics, and the library's rules that a site overrides everywhere."""

    findings: Diagnostics
    statistics: ProofStatistics
    overridden: tuple[str, ...]


class FieldChange(NamedTuple):
    """A field of a statement with another content; "" where it was or is empty."""

    field: str
    old: str
    new: str


class KindChanges(NamedTuple):
    """The statements of one kind that were added, removed or changed, by name; the changed ones with their fields."""

    kind: str
    added: tuple[str, ...]
    dropped: tuple[str, ...]
    changed: tuple[tuple[str, tuple[FieldChange, ...]], ...]


class DecidedValue(NamedTuple):
    """A value on one side, and what decided it: rules by name, else `vendor default` or `constraint`."""

    value: str
    by: tuple[str, ...]


class ValueChange(NamedTuple):
    """A setting with another value in this many contexts; `example` is a policy of one of them."""

    setting: str
    old: DecidedValue
    new: DecidedValue
    contexts: int
    example: str


class KnowledgeDifference(NamedTuple):
    """All differences between two knowledge bases; `contexts` is the number of contexts that both can state."""

    statements: tuple[KindChanges, ...]
    changes: tuple[ValueChange, ...]
    contexts: int


class CoverageShare(NamedTuple):
    """For one kind of knowledge: how many statements there are, and the names of those that nothing exercises."""

    kind: str
    total: int
    idle: tuple[str, ...]


class DisputeSide(NamedTuple):
    """One of two recommendations that disagree: the value, and where it is recommended.

    `name` is that of the rule, or of the row of a table; `rules` has the rules, or the cells of the row. `profile` is
    the recommended profile that implies the value, "" for advice on the setting itself. `strengths` are those that it
    has where both apply, the strongest first.
    """

    source: str
    at: str
    value: str
    name: str
    profile: str
    strengths: tuple[str, ...]
    rules: tuple[str, ...]


class DisputeLoss(NamedTuple):
    """Why a side of a dispute does not decide.

    `side` is its number, 0 or 1. `reason` is that of a plan (`weaker-evidence`), but for `withdrawn` it is `superseded`
    or `exception`. `by` is the rule or row that beats or withdraws it, "" if its value is not possible.
    """

    side: int
    reason: str
    by: str


class DisputeOutcome(NamedTuple):
    """What plans have in some of the contexts of a dispute.

    `value` is "" if they have nothing, since neither side takes precedence. `by` is what decides: the side, else other
    rules, or `vendor default`. `sets` are the settings that a policy must set for both sides to apply. `policy` is a
    smallest policy that shows it.
    """

    value: str
    by: tuple[str, ...]
    losses: tuple[DisputeLoss, ...]
    sets: tuple[tuple[str, str], ...]
    contexts: int
    policy: str


class Dispute(NamedTuple):
    """Two sources that recommend different values of a setting, and the number of contexts in which both apply."""

    setting: str
    sides: tuple[DisputeSide, DisputeSide]
    contexts: int
    outcomes: tuple[DisputeOutcome, ...]


class Disputes(NamedTuple):
    """All disputes of a knowledge base, in the order of decision, and the number of all contexts."""

    disputes: tuple[Dispute, ...]
    contexts: int


class PinnedFile(NamedTuple):
    """What became of a file that a pin names.

    `state` is `same`, `changed`, `gone`, or `absent` if the pinned commit does not have it. `commit` and `date` are
    those of the last change, "" if there is none, and `moved` is the path that this change gave to the same content, ""
    if none is known.
    """

    path: str
    state: str
    commit: str = ""
    date: str = ""
    moved: str = ""


class PinnedCommit(Placed):
    """What became of a pin of a source, whose block is at `span`.

    `state` is `published` if its commit is on the published branch, `unpublished` if it is not, `ambiguous` if several
    commits begin like it, and `unread` if its repository could not be read. `date` is that of the commit where it is
    published, and `files` what became of its files there.
    """

    source: str
    pin: Pin
    state: str
    date: str = ""
    files: tuple[PinnedFile, ...] = ()

    @property
    def is_stale(self) -> bool:
        """Whether a maintainer should look: not whether something is missing that nobody could read."""
        if self.state != "published":
            return self.state != "unread"
        return self.pin.date != self.date or any(file.state != "same" for file in self.files)


class PinnedRepository(NamedTuple):
    """The pins of one repository, and why it could not be read (None if it was)."""

    address: str
    pins: tuple[PinnedCommit, ...]
    failure: Diagnostic | None = None
