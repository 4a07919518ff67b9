"""The sentences for the data of a plan: who decided, and why others lost.

Text, Markdown and the explanation of a setting share them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from setpoint.compiler.knowledge.interfaces import SpelledText, Spelling, TypedValue, typed_value, value_text
from setpoint.compiler.knowledge.model import STRENGTHS, KnownWords, Measurement
from setpoint.compiler.language.written import quote
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import Cause, Decision, Loser, Plan, Waiver
from setpoint.compiler.plan.server import ABSENT, FEWER, FIXED
from setpoint.compiler.plan.waivers import HAZARD

REASONS = {
    "out-of-scope": "out of scope",
    "site": "a site's own rule takes precedence",
    "weaker-evidence": "weaker evidence",
    "farther-from-scope": "farther from the scope of its source",
    "untested-here": "benchmark first; the vendor default applies here",
    "withheld": "weaker evidence than the policy requires",
    "brought-by-profile": "about the profile, not the setting",
    "broader": "broader condition",
    "withdrawn": "withdrawn",
    "blocked": "not possible here",
    "overridden-by-set": "the policy sets it",
}
"""Why a recommendation lost, by the plan's reason."""

NO_ADVICE = {
    "set": "set by the policy",
    "constraint": "forced",
    "preset": "implied by a profile",
    "default": "vendor default",
}
"""What a written value rests on if no recommendation decides it, by the kind of its cause."""

EVIDENCE = (*reversed(STRENGTHS[1:]), "out of scope", *NO_ADVICE.values())
"""What a written value can rest on, the strongest first."""

LAYER_TITLES = {"firmware": "Firmware", "boot": "Boot arguments", "os": "Operating system"}

DEFAULT = "vendor default"
UNKNOWN_DEFAULT = "not managed; assumed value"
TAKEN_BACK = "vendor default, for which arguments of another value are removed"
LEFT_TO_SYSTEM = "left to the system"
"""The notes on settings that nobody requests."""

WORTH_KNOWING = "Worth knowing"
"""The heading of what to mind."""

FIXED_HERE = "fixed on this server"
"""The note on settings for which the server takes no other value."""

PERFORMED = "performed once"
"""The note on one-time actions that the policy asks for."""

PERFORMS_NOTHING = "performs nothing"
"""The note on one-time actions that the policy sets to their default."""

NO_FIGURE = "no figure stated"
"""In place of a figure, if a source describes the result in words."""

TAKES_EFFECT = {"firmware": "after a restart", "boot": "after a restart", "os": "immediately"}


NO_PLACE = "no source prints where: look for it in the setup menu, and leave it if it is not there"
"""In place of an unknown menu path."""


def why_not_written(decision: Decision) -> str:
    """Why artifacts do not set a value that the policy sets, in a few words; "" if they do."""
    if decision.written:
        return ""
    if decision.unwritten == "fixed":
        return FIXED_HERE
    if decision.once:
        return PERFORMED if decision.is_performed else PERFORMS_NOTHING
    return "set by profile"


WRITTEN_OUT = "written-out"
"""The kind of note that `setpoint explain` alone gives: that a value is written out is obvious from its presence."""


def value_notes(decisions: Iterable[Decision]) -> list[str]:
    """The notes to show below the values that artifacts set, besides their causes."""
    return [
        n.text for d in decisions for n in d.notes if d.written and n.kind not in (WRITTEN_OUT, "registry")
    ]


def performed_note(plan: Plan) -> str:
    """The one-time actions of a plan in a sentence; "" if it performs none."""
    if not plan.performed:
        return ""
    names = ", ".join(f"{d.setting} {d.value}" for d in plan.performed)
    return f"Performed once, and then neither compared nor set back: {names}"


def right_note(plan: Plan) -> str:
    """Which of the plan's attributes the server has already, so that they are not written; "" for none."""
    right = plan.registry.right if plan.registry else ()
    if plan.registry is None or not right:
        return ""
    every = {
        name
        for decision in plan.settings
        if decision.written or decision.unwritten == "locked"
        for spelled in decision.spelled_in("attribute")
        for name in spelled.names
    }
    return (
        f"{len(right)} of {count(len(every), 'BIOS attribute')} {'is' if len(right) == 1 else 'are'} already as planned on {plan.registry.file}, "
        "and not written again"
    )


def registry_notes(plan: Plan) -> list[str]:
    """The settings that the server's registry limits: what it lacks, what it fixes, and what it does not take."""
    if plan.registry is None:
        return []
    noted = {d.setting for d in plan.settings if any(note.kind == "registry" for note in d.notes)}
    limited = [limit for limit in plan.registry.limited if limit.kind != FEWER or limit.setting in noted]
    says = {ABSENT: "is not on this server", FIXED: "stays as it is", FEWER: "takes fewer values"}
    notes = [f"{limit.setting} {says[limit.kind]}: {limit.because}" for limit in limited]
    if other := ", ".join(_other_than_assumed(plan, dict(plan.registry.current))):
        notes.append(f"not managed, and other than the vendor's default there: {other}")
    return notes


def _other_than_assumed(plan: Plan, current: Mapping[str, TypedValue]) -> Iterator[str]:
    """The attributes that the plan leaves alone at a default, with the other values that the server has."""
    for decision in plan.settings:
        for spelled in decision.spelled_in("attribute") if decision.unwritten == "default" else ():
            for name in spelled.names:
                if name in current and current[name] != typed_value(spelled.text or "", spelled.type):
                    yield f"{name} {value_text(current[name])}"


def how_known(origin: str, because: str) -> str:
    """How a fact is known: `stated`, `implied by cpu x5670`, `assumed: …`."""
    if not because:
        return origin
    return f"{origin}: {because}" if origin == "assumed" else f"{origin} by {because}"


def assumption_notes(plan: Plan) -> list[str]:
    """For each assumed fact that written values depend on: these values, and what to state if it is wrong."""
    notes = []
    for fact in plan.facts:
        names = [d.setting for d in plan.written if fact.name in d.rests_on]
        if names:
            notes.append(
                f"{fact.name} {fact.text} is assumed; these values depend on it: {', '.join(names)}. "
                f"State `{fact.name} …` if this server has another"
            )
    return notes


def identity_note(plan: Plan) -> str:
    """What artifacts compare with the server before a change, and what they cannot compare; "" for neither."""
    compared = [f"{identity.kind} {identity.accepted}" for identity in plan.identity if identity.is_compared]
    unknown = [
        f"{identity.kind} of {identity.fact} {identity.value}"
        for identity in plan.identity
        if not identity.is_compared
    ]
    sentences = []
    if compared:
        reports = "; ".join(compared)
        sentences.append(f"Before they change anything, artifacts compare what the server reports: {reports}")
    if unknown:
        sentences.append(f"Not compared, since no source shows what to expect: {', '.join(unknown)}")
    return ". ".join(sentences)


def place(source: str, at: str, profile: str = "") -> str:
    """The place of a statement: `dell-11g-hpc, Table 6`, with the profile if the statement is about that."""
    return f"{source}, {at}" + (f", by way of {profile}" if profile else "")


def source_of(cause: Cause) -> str:
    """The source of a value in a few words: `dell-11g-hpc, Table 6`; for a `set` the user's reason."""
    if cause.kind == "set":
        return f"set: {cause.because}"
    if cause.citation is None:
        return cause.because
    where = place(*cause.citation, cause.profile)
    return f"vendor default [{where}]" if cause.kind == "default" else where


def reason_of(cause: Cause) -> str:
    """The source's reason, in addition to `source_of`; a reason for a profile is marked as such."""
    if cause.kind in ("set", "default") or cause.citation is None or not cause.because:
        return ""
    return f"of {cause.profile}: {cause.because}" if cause.profile else cause.because


def voice_of(cause: Cause) -> str:
    """The source, and its weight in the plan: `dell-11g-hpc, Table 6 (vendor)`."""
    return weighed(source_of(cause), weight_of(cause))


def weighed(who: str, weight: str) -> str:
    """A source with its weight in brackets, if it has one."""
    return f"{who} ({weight})" if weight else who


def weight_of(cause: Cause) -> str:
    """The weight in the plan: `measured`; `out of scope, written for poweredge-12g`."""
    return f"{cause.weight}, written for {cause.studied}" if cause.studied else cause.weight


def loser_text(loser: Loser, winner: str) -> str:
    """A losing recommendation and the reason: `on (dell-12g-tuning, Table 2): weaker evidence`."""
    who = loser_source(loser)
    return f"{loser.value}{f' ({who})' if who else ''}: {loser_reason(loser, winner)}"


def loser_source(loser: Loser) -> str:
    """The source of losing advice, in the words of `source_of`."""
    return place(*loser.citation, loser.profile) if loser.citation else ""


def loser_reason(loser: Loser, winner: str) -> str:
    """Why it lost: `weaker evidence`."""
    by = f" by {loser.by}" if loser.reason == "withdrawn" and loser.by else ""
    return f"{REASONS[loser.reason]}{by}{', though it agrees' if loser.value == winner else ''}"


def figure_of(measurement: Measurement) -> str:
    """The measured figure without its unit: `14`, `2 to 8`; "" if the source gives no figure."""
    low, high = measurement.low, measurement.high
    return low if low == high else f"{low} to {high}"


def measured_of(measurement: Measurement) -> str:
    """The measured figure with its unit: `2 to 8 %`. A ratio, with unit `1`, is a plain number."""
    figure, unit = figure_of(measurement), measurement.unit
    return figure + (f" {unit}" if unit != "1" else "") if figure else NO_FIGURE


def varied_of(measurement: Measurement) -> str:
    """What was varied, without the setting's name: `on against off`; "" if nothing was."""
    return f"{measurement.varied[1]} against {measurement.varied[2]}" if measurement.varied else ""


def conditions_held(measurement: Measurement) -> str:
    """What was held constant: `c-states on, smt off`; "" if the source does not say."""
    return ", ".join(f"{name} {value}" for name, value in measurement.held)


def place_by_hand(decision: Decision) -> str:
    """The place for setting it by hand, in the firmware's menus; "" if there is none."""
    return decision.menu or (NO_PLACE if decision.layer == "firmware" else "")


def waiver_end(waiver: Waiver, judged: Judged) -> str:
    """The end of a waiver's validity, or why it has no effect."""
    if not waiver.stands:
        return (
            f"no effect: {'the hazard does' if waiver.kind == HAZARD else 'the warnings do'} not occur here"
        )
    if waiver.name in judged.expired:
        return f"expired {waiver.until}: no longer in force"
    return f"until {waiver.until}" if waiver.until else "no expiry"


def evidence_of(plan: Plan) -> str:
    """How many of the written values rest on which evidence, the strongest first: `12 vendor, 1 set by the policy`."""
    counts = Counter(basis(decision) for decision in plan.written)
    return ", ".join(f"{counts[evidence]} {evidence}" for evidence in EVIDENCE if evidence in counts)


def basis(decision: Decision) -> str:
    """The evidence of a written value. Advice out of scope is not what a vendor's default is written for."""
    if decision.changes_nothing:
        return NO_ADVICE["default"]
    return decision.cause.weight or NO_ADVICE[decision.cause.kind]


def withheld(plan: Plan) -> list[tuple[Decision, Loser]]:
    """The settings that the policy leaves without a recommendation since it requires stronger evidence, and the
    strongest of what it withholds there.
    """
    pairs = ((d, [lost for lost in d.beat if lost.reason == "withheld"]) for d in plan.settings)
    return [(decision, losers[0]) for decision, losers in pairs if losers]


def overridden(decision: Decision) -> tuple[Loser, ...]:
    """The losers that wanted another value, each value and place once."""
    distinct_losers: dict[object, Loser] = {}
    for loser in decision.beat:
        if loser.value != decision.value:
            distinct_losers.setdefault((loser.value, loser.citation, loser.profile), loser)
    return tuple(distinct_losers.values())


def way_text(way: str, seen: str) -> str:
    """How staged settings take effect: `on-reset, seen with 7.10.30.00`."""
    return f"{way}, seen with {seen}" if seen else way


def spelled_texts(spelling: Spelling) -> str:
    """The texts of the values in an interface, as the language writes them: `off "0", on absent`, with their type."""
    texts = ", ".join(f"{text.value} {_spelled_text(text)}" for text in spelling.texts)
    return (texts or "each value as it is") + (f", as {spelling.type}" if spelling.type else "")


def _spelled_text(text: SpelledText) -> str:
    if text.text is None:
        return "unknown"
    quoted = quote(text.text) if text.text or not text.is_absent else ""
    return " ".join(filter(None, ["absent" if text.is_absent else "", quoted]))


def known_text(block: KnownWords) -> str:
    """What a block of words says of them: a value, or a remark and its reason; "" if it only lists them."""
    values = ", ".join(f"{setting} {value}" for setting, value in block.means)
    others = " ".join(block.others)
    remark = f"{block.remark} {others}".strip() + (f": {block.because}" if block.because else "")
    return "; ".join(part for part in (values, remark) if part)


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 value`, `2 values`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
