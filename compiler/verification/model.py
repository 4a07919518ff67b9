"""What a verification finds: one verdict for each setting that a plan writes or relies on.

INVARIANT: a verdict `ok` rests on at least one reading; one that is neither `ok` nor `not-applicable` says what would
change it.
"""

from setpoint.compiler.record import NamedTuple

CONFIGURED, PENDING_READING, IN_EFFECT = "configured", "pending", "in effect"
"""The three readings: what the controller or the boot line asks for, what waits for the next restart, what the host
does."""

OK, PENDING, DIFFERS, OVERRIDDEN, INCONSISTENT = "ok", "pending", "differs", "overridden", "inconsistent"
WAIVED = "waived"
LOCKED, UNRESOLVED, UNREADABLE = "locked", "unresolved", "unreadable"
CONTROLLER_ONLY, NOT_APPLICABLE = "controller-only", "not-applicable"
NOT_COMPARED, ROLLED_BACK = "not-compared", "rolled-back"

MEANINGS = {
    DIFFERS: "another value is in effect, or will be after the next restart",
    OVERRIDDEN: "it was written, and something that came later has another value in effect",
    INCONSISTENT: "the processors of the server disagree",
    LOCKED: "another value is in effect, and cannot be written while another setting is as it is",
    PENDING: "set, and in effect from the next restart on",
    WAIVED: "not as planned, which the policy knows and waives",
    UNRESOLVED: "what was read does not decide the value, such as an automatic one that nothing resolves",
    UNREADABLE: "it could not be read, and nothing follows from that",
    CONTROLLER_ONLY: "only the controller shows it, and the capture has no answer of the controller",
    NOT_COMPARED: "its layer was not chosen for this run, or nothing on the server shows it",
    ROLLED_BACK: "as it was before the policy, which was rolled back",
    NOT_APPLICABLE: "this server has nothing to set",
    OK: "as planned",
}
"""The states of a verdict with their meanings, in the order in which they are shown."""

DIFFERENCES = frozenset({DIFFERS, OVERRIDDEN, INCONSISTENT, LOCKED, PENDING})
"""The states of a setting that is not as planned."""

UNDECIDED = frozenset({UNRESOLVED, UNREADABLE, CONTROLLER_ONLY})
"""The states of a setting that the capture does not decide."""


class VerdictReading(NamedTuple):
    """A reading that a verdict rests on: its kind, which is one of the three above, the place in the capture, and what
    it shows, in words of the system."""

    kind: str
    place: str
    text: str


class DifferenceWaiver(NamedTuple):
    """The reason to waive a difference, its last day ("" for none), whether that is over, and the waived state."""

    because: str
    until: str
    is_expired: bool
    state: str


class SettingVerdict(NamedTuple):
    """One setting, compared. `state` is one of `MEANINGS`.

    `value` is the planned one as in a policy. `wanted`, `found` and `pending` are in the words of the system (an
    attribute's value, a kernel argument); `found` and `pending` are None if they are not known, or nothing waits.
    `decided` names the layer or program that decided what was found, "" if that is not known. `change` is what would
    change the verdict, "" if nothing has to. `waiver` is that of a difference: while it is valid, `state` is `WAIVED`.
    """

    setting: str
    layer: str
    value: str
    wanted: str
    found: str | None
    pending: str | None
    state: str
    reason: str = ""
    readings: tuple[VerdictReading, ...] = ()
    decided: str = ""
    change: str = ""
    waiver: DifferenceWaiver | None = None


class HostVerdicts(NamedTuple):
    """The verdicts on one server in the order of the plan, and `notes`, sentences beside the settings."""

    host: str
    policy: str
    verdicts: tuple[SettingVerdict, ...]
    notes: tuple[str, ...] = ()
