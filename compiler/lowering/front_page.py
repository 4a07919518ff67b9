"""`README.md`: the front page of a bundle, for the operator who has it open at night.

It says for which servers the bundle is, what to mind, and what it sets and why. How the bundle is used is the other
half of the page (`front_page_use`). The page is of this bundle: a file that is not there is not spoken of. Whoever
wants more finds it in the report and on the pages beside the artifacts.
"""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import LAYERS, FactValue
from setpoint.compiler.knowledge.reported import PROCESSOR
from setpoint.compiler.lowering.front_page_use import UsableTarget, usage
from setpoint.compiler.plan.model import Cause, Decision, FactEntry, Plan
from setpoint.compiler.plan.server import Identity
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.escape import escape, head, prose, row
from setpoint.compiler.render.markdown import spelled
from setpoint.compiler.render.words import (
    LAYER_TITLES,
    count,
    loser_source,
    overridden,
    place_by_hand,
    right_note,
)

FRONT_PAGE = "README.md"

MOST = 10
"""How many values have a row with their reason: a page is read, a table of forty is not."""

CHECK_SUMS = r"""sed -n 's/.*"path": "\([^"]*\)".*"sha256": "\([0-9a-f]*\)".*/\2  \1/p' manifest.json | sha256sum -c --quiet"""
"""The command that compares the files with the manifest, which has a line for each."""

HTML = "`setpoint compile … --target report`, with the targets that are used, makes `report.html` as well: one page to mail or to print, with these commands, all reasons and measurements."

FEW = 3
"""How many are named of those that only lose what an earlier change left, or that depend on an assumed fact."""


class Lists(NamedTuple):
    """The values that are spoken of in one line: what the line says of them."""

    what: str
    values: list[Decision]


def front_page(
    plan: Plan,
    usable: Iterable[UsableTarget],
    by_hand: list[Decision],
    has_report: bool,
    in_fleet: bool = False,
    spared: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The page, in Markdown.

    `by_hand` are the values that none of the files sets; `has_report` says that `report.md` is beside the page,
    `in_fleet` that the plan is one of several of its policy, which one role or module serves. `spared` are targets that
    have no files here, since others set all that they set.
    """
    targets = list(usable)
    whole = "`report.md`" if has_report else "`plan.json`"
    machine = ", `plan.json` the same for programs" if has_report else ""
    page = f" {HTML}" if has_report else ""
    parts = [
        f"# {escape(plan.policy)}\n",
        _purpose(plan, targets, by_hand),
        _to_mind(plan, targets, whole),
        _values(plan, targets, by_hand),
        how_to_use(plan, targets, by_hand, in_fleet, spared),
        f"Beside this page, {whole} has each value with its source{machine}, and `manifest.json` a check sum of each file.{page} "
        f"This lists the files that have changed since they were compiled: `{CHECK_SUMS}`\n",
    ]
    return "\n".join(part for part in parts if part)


def how_to_use(
    plan: Plan,
    usable: list[UsableTarget],
    by_hand: list[Decision],
    in_fleet: bool,
    spared: Mapping[str, str],
) -> str:
    """The sections on use and on what is set by hand, in Markdown; "" where there is neither."""
    parts = [usage(plan, usable, by_hand, in_fleet, spared), _by_hand(by_hand)]
    return "\n".join(part for part in parts if part)


def _purpose(plan: Plan, targets: list[UsableTarget], by_hand: list[Decision]) -> str:
    """What the bundle is for, how much it changes, what is left to do by hand, and on which servers."""
    known = standard().values
    intent = ", ".join(_goal(fact, known.get(fact.name, {}).get(fact.value)) for fact in plan.intent)
    number, waiting = len(plan.written), sum(decision.reboot for decision in plan.written)
    first = f"Brings a server to {intent or 'the values of its policy'}: {count(number, 'value')}"
    if waiting:
        first += f", of which {waiting} {'takes' if waiting == 1 else 'take'} effect only after a restart ({_waiting_layers(plan)}). "
        first += (
            "No command restarts a server unless an option tells it to"
            if any(target.procedure.restart for target in targets)
            else "Nothing here restarts a server"
        )
    elif number:
        first += ", all without a restart"
    lines = [f"{first}."]
    if by_hand:
        among = f"Files set {number - len(by_hand)} of them; " if {*by_hand} <= {*plan.written} else ""
        lines.append(
            f"{among}{len(by_hand)} must be set [by hand](#by-hand), which no command here does, compares or puts back."
        )
    elif number:
        lines.append("Nothing is left to set by hand.")
    paragraphs = [" ".join(lines), _servers(plan)]
    if note := right_note(plan):
        paragraphs.append(
            f"{prose(note)}: what is written is for this server alone. What is compared is the whole plan."
        )
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def _waiting_layers(plan: Plan) -> str:
    """The layers of what takes effect only after a restart, in words."""
    layers = {decision.layer: None for decision in plan.written if decision.reboot}
    return " and ".join(LAYER_TITLES[layer].lower() for layer in LAYERS if layer in layers)


def _goal(fact: FactEntry, known: FactValue | None) -> str:
    """A fact about the purpose of a server, with what the library calls it, if it says more than the value."""
    title = known.title if known and known.title.lower() != fact.text.lower() else ""
    return f"{fact.name} **{escape(fact.text)}**" + (
        f" ({escape(title[:1].lower() + title[1:])})" if title else ""
    )


def _servers(plan: Plan) -> str:
    """Which servers the bundle is for: what the programs compare, and what they do not, though the policy states it."""
    compared = "; ".join(map(_report, (identity for identity in plan.identity if identity.is_compared)))
    known = {identity.fact for identity in plan.identity if identity.is_compared}
    stated = (fact for fact in plan.facts if fact.role != "intent" and fact.origin == "stated")
    others = [f"{fact.name} {fact.text}" for fact in stated if fact.name not in known]
    lines = (
        [f"The programs change nothing on a server unless it reports {escape(compared)}."] if compared else []
    )
    if others:
        lines.append(
            f"**See for yourself,** since it is not compared: {escape(', '.join(others))} (`lspci` names the cards). A server "
            "with another needs a plan of its own: change nothing on it."
        )
    return " ".join(lines)


def _report(identity: Identity) -> str:
    """What a server must report. The numbers of a processor are those of its generation, whichever its name."""
    text = f"{identity.kind} {identity.accepted}"
    is_by_numbers = identity.kind == PROCESSOR
    return (
        f"{text} (as {identity.fact} {identity.value} has; its name is not compared)"
        if is_by_numbers
        else text
    )


def _to_mind(plan: Plan, targets: list[UsableTarget], whole: str) -> str:
    """The sentences to read before the first change, for which `whole` is the file that has all of the plan.

    They say what was not tried, what works on, the advice with reservations, and what the values cost.
    """
    lines = [*_before(plan, targets), *_costs(plan)]
    for what, values in _reserved(plan):
        lines.append(
            f"**{what}:** {escape('; '.join(f'{decision.title} {decision.value}' for decision in values))}"
        )
    lines += [*_assumed(plan), *_left_alone(plan, whole)]
    lines += [
        f"**{escape(decision.title)} {escape(decision.value)}:** {escape(decision.cause.note)}"
        for decision in plan.written
        if decision.cause.note
        and decision.value != decision.default
        and decision.cause.weight != "test-first"
    ]
    return "## Mind first\n\n" + "".join(f"- {line.rstrip('.')}.\n" for line in lines) if lines else ""


def _before(plan: Plan, targets: list[UsableTarget]) -> Iterator[str]:
    """What was not tried or compared, and what the run of the commands does to the work of a server."""
    if not targets:
        return
    never = [name for target in targets for name in target.procedure.stand_ins]
    only = f"; the tests had stand-ins for {', '.join(dict.fromkeys(never))}" if never else ""
    yield f"**Begin with one server:** none of this was tried on a real one{only}"
    ends = (
        ["values of the operating system change under it"]
        if any(decision.layer == "os" for decision in plan.written)
        else []
    )
    if ends := [
        *ends,
        *(["the restart ends it"] if any(decision.reboot for decision in plan.written) else []),
    ]:
        yield f"**Take the work off the server:** {', and '.join(ends)}"
    if cautions := dict.fromkeys(target.procedure.caution for target in targets if target.procedure.caution):
        yield f"**The right server:** {'; '.join(cautions)}"


def _assumed(plan: Plan) -> Iterator[str]:
    """The assumed facts that values depend on."""
    for fact in plan.facts:
        if names := [escape(decision.title) for decision in plan.written if fact.name in decision.rests_on]:
            told = ", ".join(names) if len(names) <= FEW else count(len(names), "value")
            yield (
                f"**Assumed: {escape(f'{fact.name} {fact.text}')}** ({told} depend on it). For a server with another, state it in the policy "
                "and compile again"
            )


def _left_alone(plan: Plan, whole: str) -> Iterator[str]:
    """The attributes of the firmware that the plan assumes at their default and does not write."""
    alone = [
        decision
        for decision in plan.settings
        if decision.layer == "firmware" and decision.unwritten == "default" and decision.spelled
    ]
    if alone and any(decision.layer == "firmware" for decision in plan.written):
        yield (
            f"**Left alone:** {count(len(alone), 'more setting')} of the firmware, assumed at the default. A server may have another value, and "
            f"keeps it; {whole} names them"
        )


def _costs(plan: Plan) -> Iterator[str]:
    """The hazards of the plan, with what the policy says of those that it accepts."""
    waived = {waiver.name for waiver in plan.waivers}
    yield from (f"**Hazard:** {prose(hazard.what)}" for hazard in plan.hazards if hazard.hazard not in waived)
    for waiver in plan.waivers:
        if waiver.stands:
            until = f", until {waiver.until}" if waiver.until else ""
            yield f"**Accepted by the policy{until}:** {prose(waiver.what)} (its reason: {escape(waiver.because)})"


def _reserved(plan: Plan) -> list[Lists]:
    """The values whose advice has a reservation, by what that is."""
    lists: dict[str, list[Decision]] = {}
    for decision in plan.written:
        cause = decision.cause
        if cause.kind != "rule" or decision.changes_nothing:
            continue
        if cause.weight == "out of scope":
            lists.setdefault(f"Advised for other servers or another use ({escape(cause.source)})", []).append(
                decision
            )
        elif cause.weight == "test-first":
            lists.setdefault("Measure before and after, since it may not suit your work", []).append(decision)
    return [Lists(what, values) for what, values in lists.items()]


def _values(plan: Plan, targets: list[UsableTarget], by_hand: list[Decision]) -> str:
    """The values: in a table those with a reason, first those that the policy sets itself and that are not the default;
    by their names the others; and which ones are put back to the default.
    """
    if not plan.written:
        return ""
    by_weight = sorted(
        plan.written, key=lambda decision: (decision.origin != "set", decision.value == decision.default)
    )
    shown = [
        decision
        for decision in by_weight
        if _why(decision) and (decision.origin == "set" or decision.value != decision.default)
    ][:MOST]
    text = "## What it sets, and why\n\n"
    if shown:
        text += head("setting", "value", "why")
        for decision in shown:
            text += row(
                escape(decision.title),
                f"**{escape(decision.value)}**{_hand(decision, by_hand)}",
                _why(decision),
            )
        text += "\n"
    for layer in LAYERS:
        if others := [
            decision for decision in by_weight if decision.layer == layer and decision not in shown
        ]:
            names = "; ".join(
                f"{escape(decision.title)} **{escape(decision.value)}**{_hand(decision, by_hand)}"
                for decision in others
            )
            text += f"- {LAYER_TITLES[layer]}{', too' if shown else ''}: {names}.\n"
    return text + _put_back(plan, targets)


def _hand(decision: Decision, by_hand: list[Decision]) -> str:
    return " (by hand)" if decision in by_hand else ""


def _put_back(plan: Plan, targets: list[UsableTarget]) -> str:
    """What goes back to the default where an earlier policy has left another value."""
    expressed = {name for target in targets for name in target.expressed}
    back = [
        decision
        for decision in plan.settings
        if decision.setting in expressed and decision.unwritten == "default"
    ]
    if not back:
        return ""
    named = "; ".join(
        f"{escape(decision.title)} **{escape(decision.value)}**{_removed(decision)}"
        for decision in back[:FEW]
    )
    more = f"; and {len(back) - FEW} more" if len(back) > FEW else ""
    return f"- Put back to the default where a server has another value: {named}{more}.\n"


def _removed(decision: Decision) -> str:
    """The arguments that a value at its default has removed, in brackets; "" for none."""
    words = [
        f"{name}={spelling.text}" if spelling.text else name
        for spelling in decision.spelled
        if spelling.is_absent
        for name in spelling.names
    ]
    return f" (removes {escape(', '.join(words))})" if words else ""


def _why(decision: Decision) -> str:
    """Why a setting has its value, "" if no source says; of one that the policy sets also which advice it overrides."""
    cause = decision.cause
    if cause.kind != "set":
        return escape(_reason(cause))
    advised = [f"{lost.value} ({loser_source(lost)})" for lost in overridden(decision) if lost.citation]
    return escape(cause.because + (f"; against advice: {', '.join(advised)}" if advised else ""))


def _reason(cause: Cause) -> str:
    """The first clause of a source's reason; of advice to be tested first all of it, since what follows is why."""
    if cause.kind == "default" or cause.citation is None:
        return ""
    return cause.because if cause.weight == "test-first" else cause.because.partition(", and ")[0]


def _by_hand(decisions: list[Decision]) -> str:
    if not decisions:
        return ""
    text = (
        "## By hand\n\nNo file sets these, no command compares them, and none puts them back: look at each on each server, and note what it "
        "was. [manual-steps.md](manual-steps.md) says why no file sets them."
    )
    if any(decision.value == decision.default for decision in decisions):
        text += " A server has the default where nobody has changed it."
    text += "\n\n"
    return text + "".join(map(_step, decisions))


def _step(decision: Decision) -> str:
    """A value that is set by hand, with its place, and whether a server has it if nobody has changed it."""
    text = f"- {escape(decision.title)}: **{escape(decision.value)}**{spelled(decision)}"
    place = place_by_hand(decision)
    if decision.menu:
        text += f", at *{escape(place)}*"
    elif place:
        text += f"; {place}"
    return text + ("; the default\n" if decision.value == decision.default else "\n")
