"""`README.md`: the front page of a bundle, for the operator who has it open at night.

It says for which servers the bundle is, what it sets and why, which of its files to use, in which order, and how to try, apply,
verify and undo them; then what to do when a step fails, and what needs a restart. It is of this bundle: a file that is not there
is not spoken of. Whoever wants more finds it in the report and on the pages beside the artifacts.
"""

from collections.abc import Iterable, Sequence

from setpoint.compiler.knowledge.model import LAYERS
from setpoint.compiler.lowering.target import Procedure
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.escape import escape, head, prose, row
from setpoint.compiler.render.markdown import spelled
from setpoint.compiler.render.words import (
    LAYER_TITLES,
    TAKES_EFFECT,
    assumption_notes,
    count,
    loser_source,
    overridden,
    place_by_hand,
    reason_of,
    right_note,
    source_of,
)

FRONT_PAGE = "README.md"

MOST = 10
"""How many values are listed: a page is read, a list of forty is not."""

FEW = 3
"""How many are named of those that only lose what an earlier change left."""

PHASES = (
    ("preview", "Show what would change; change nothing", ""),
    ("apply", "Change what differs", ""),
    ("verify", "Compare with the plan", ", after the restart"),
    ("undo", "Put back what was there before", ", and restart"),
)
"""What is done at different times: the fields of a `Procedure`, what its commands do, and what there is to add where a restart is needed."""

STATUSES = (
    ("0", "as planned, or done", "go on"),
    ("2", "the command is not understood", "compare it with this page"),
    (
        "3",
        "a value differs, or waits for a restart",
        "apply what differs; restart the server for what waits, and run it again. If it still differs, the message says why",
    ),
    (
        "4",
        "it failed, and put back what it had changed; or a value cannot be read",
        "mend what the message names",
    ),
    ("5", "this is not a server of this policy; nothing was changed", "see above for which servers it is"),
    ("6", "it failed, and something is or may be changed", "run it again, or undo it"),
    ("7", "another run is active, or somebody else's change waits", "wait for it, and run it again"),
)
"""What the programs of a bundle exit with, what it means, and what to do."""


class UsableTarget(NamedTuple):
    """A target with files in the bundle: its title, its layers, the settings that the files set, and how they are used."""

    title: str
    layers: tuple[str, ...]
    expressed: frozenset[str]
    procedure: Procedure


def front_page(
    plan: Plan,
    usable: Iterable[UsableTarget],
    by_hand: list[Decision],
    has_report: bool,
    in_fleet: bool = False,
) -> str:
    """The page, in Markdown. `by_hand` are the values that none of the files sets; `has_report` says that `report.md` is beside the page,
    `in_fleet` that the plan is one of several of its policy, which one role or module serves.
    """
    found = list(usable)
    whole = "`report.md`" if has_report else "`plan.json`"
    machine = " and what to mind, `plan.json` the same for programs" if has_report else ""
    parts = [
        f"# {escape(plan.policy)}\n",
        _purpose(plan, by_hand),
        _values(plan, found, whole),
        _first(found, plan),
        _on_many([each for each in found if len(each.layers) > 1], in_fleet, bool(_waiting(plan))),
        _on_one([each for each in found if len(each.layers) == 1], plan, by_hand),
        _by_hand(by_hand),
        _failures(found),
        f"Beside this page, {whole} has all values with their sources{machine}, and `manifest.json` a check sum of each file.\n",
    ]
    return "\n".join(part for part in parts if part)


def _purpose(plan: Plan, by_hand: list[Decision]) -> str:
    """What the bundle is for, how much it changes, and on which servers."""
    intent = ", ".join(f"{fact.name} **{escape(fact.text)}**" for fact in plan.intent)
    number, waiting = len(plan.written), len(_waiting(plan))
    first = f"Brings a server to {intent or 'the values of its policy'}: {count(number, 'value')}"
    if waiting:
        first += (
            f", of which {waiting} {'takes' if waiting == 1 else 'take'} effect only after a restart."
            " Nothing here restarts a server by itself"
        )
    elif number:
        first += ", all without a restart"
    lines = [f"{first}."]
    if by_hand:
        among = f"Files set {number - len(by_hand)} of them; " if {*by_hand} <= {*plan.written} else ""
        lines.append(f"{among}{len(by_hand)} must be set [by hand](#by-hand).")
    lines += _servers(plan)
    if note := right_note(plan):
        lines += [
            "",
            f"{prose(note)}: what is written is for this server alone. What is compared is the whole plan.",
        ]
    lines += [f"**Assumed:** {prose(note)}." for note in assumption_notes(plan)]
    if waived := [prose(waiver.what) for waiver in plan.waivers if waiver.stands]:
        lines.append(f"**Accepted by the policy:** {'; '.join(waived)}.")
    return "\n".join(lines) + "\n"


def _servers(plan: Plan) -> list[str]:
    """Which servers the bundle is for, as lines: what the programs compare, and what they do not, though the policy states it."""
    compared = "; ".join(f"{each.kind} {each.accepted}" for each in plan.identity if each.is_compared)
    known = {each.fact for each in plan.identity if each.is_compared}
    stated = (fact for fact in plan.facts if fact.role != "intent" and fact.origin == "stated")
    others = [f"{fact.name} {fact.text}" for fact in stated if fact.name not in known]
    lines = (
        [f"The programs change nothing on a server unless it reports {escape(compared)}."] if compared else []
    )
    if others:
        lines.append(f"**See for yourself,** since it is not compared: {escape(', '.join(others))}.")
    return ["", *lines] if lines else []


def _waiting(plan: Plan) -> list[Decision]:
    """The values that take effect only with the next start."""
    return [each for each in plan.written if each.reboot]


def _values(plan: Plan, targets: list[UsableTarget], whole: str) -> str:
    """The values: first those that the policy sets itself, then those that are not the default; and which ones are put back to that."""
    written = sorted(plan.written, key=lambda each: (each.origin != "set", each.value == each.default))
    if not written:
        return ""
    text = f"## What it sets, and why\n\n{head('setting', 'value', 'why')}"
    text += "".join(
        row(escape(each.title), f"**{escape(each.value)}**", _why(each)) for each in written[:MOST]
    )
    if len(written) > MOST:
        text += f"\nThese are {MOST} of {len(written)}; {whole} has all.\n"
    expressed = {name for each in targets for name in each.expressed}
    back = [each for each in plan.settings if each.setting in expressed and each.unwritten == "default"]
    if back:
        named = "; ".join(f"{escape(each.title)} **{escape(each.value)}**" for each in back[:FEW])
        more = f"; and {len(back) - FEW} more" if len(back) > FEW else ""
        text += f"\nPut back to the default where a server has another value: {named}{more}.\n"
    return text


def _first(targets: list[UsableTarget], plan: Plan) -> str:
    """What to mind before anything is changed; "" if nothing here changes anything."""
    if not targets:
        return ""
    never = [name for each in targets for name in each.procedure.stand_ins]
    only = f", and the tests had stand-ins for {', '.join(dict.fromkeys(never))}" if never else ""
    text = f"## First\n\n- Begin with one server: none of this was tried on a real one{only}.\n"
    at_once = any(each.layer == "os" for each in plan.written)
    ends = ["values of the operating system change under it"] if at_once else []
    if ends := [*ends, *(["the restart ends it"] if _waiting(plan) else [])]:
        text += f"- Take the work off the server: {', and '.join(ends)}.\n"
    if kept := [each.procedure.keeps for each in targets if each.procedure.keeps]:
        text += f"- Keep this folder: undo needs it, and the old values, which are in {' or '.join(dict.fromkeys(kept))}.\n"
    return text


def _why(decision: Decision) -> str:
    """Why a setting has its value; of one that the policy sets also which advice it overrides."""
    cause = decision.cause
    if cause.kind != "set":
        return escape(reason_of(cause) or source_of(cause))
    advised = [f"{lost.value} ({loser_source(lost)})" for lost in overridden(decision) if lost.citation]
    return escape(cause.because + (f"; advised: {', '.join(advised)}" if advised else ""))


def _phases(waits: bool) -> list[tuple[str, str]]:
    """The field of a procedure with the command of each phase, and the phase in words; `waits` says that values wait for a restart."""
    return [(field, what + (at_restart if waits else "")) for field, what, at_restart in PHASES]


def _on_many(targets: list[UsableTarget], in_fleet: bool, waits: bool) -> str:
    """The ways for many servers, each of which does everything that has a file."""
    if in_fleet:
        return (
            "## On many servers\n\nThe Ansible role and the Puppet module serve all plans of the policy, "
            "so they are not in this folder, but beside it.\n"
        )
    if not targets:
        return ""
    text = "## On many servers\n\nEach of these sets all that has a file. Use one of them.\n"
    for each in targets:
        text += f"\n**{escape(each.title)}**, {escape(each.procedure.where)}:\n\n"
        for field, what in _phases(waits):
            if command := getattr(each.procedure, field):
                text += f"- {what}: `{command}`\n"
        text += _remark(each.procedure)
    return text


def _commands(steps: Iterable[Sequence[Procedure]], waits: bool) -> str:
    """The commands of steps, a block of code for each phase, so that none is pasted along with another; what is undone is undone from the
    end. Of a step one procedure is done.
    """
    text = ""
    for field, what in _phases(waits):
        commands = [run for step in steps if (run := _first_of([getattr(each, field) for each in step]))]
        if field == "undo":
            commands.reverse()
        if commands:
            text += f"\n{what}:\n\n" + "".join(f"    {line}\n" for line in commands)
    return text


def _first_of(commands: list[str]) -> str:
    """The first command there is; the others that do the same follow as a remark."""
    first, *others = [command for command in commands if command] or [""]
    return f"{first}  # or {', or '.join(others)}" if others else first


def _remark(procedure: Procedure) -> str:
    if not procedure.remark:
        return ""
    remark = prose(procedure.remark)
    return f"\n{remark[0].upper()}{remark[1:]}.\n"


def _on_one(targets: list[UsableTarget], plan: Plan, by_hand: list[Decision]) -> str:
    """The ways for one server: what there is for each layer, and the commands in the order in which they are given."""
    if not targets:
        return ""
    steps = _steps(sorted(targets, key=lambda each: LAYERS.index(each.layers[0])))
    text = "## On one server\n\n"
    for number, step in enumerate(steps, 1):
        (layer,) = step[0].layers
        text += f"{number}. **{LAYER_TITLES[layer]}** (takes effect {TAKES_EFFECT[layer]})"
        ways = [f"{each.title}: {each.procedure.where}" for each in step]
        text += f": {prose(ways[0])}\n" if len(ways) == 1 else ", by one of these:\n"
        text += "".join(f"   - {prose(way)}\n" for way in ways[1:] and ways)
    if commands := _commands([[each.procedure for each in step] for step in steps], bool(_waiting(plan))):
        text += f"\n{_between(plan, by_hand, len(steps))}From this folder:\n{commands}"
    return text + "".join(_remark(each.procedure) for step in steps for each in step)


def _between(plan: Plan, by_hand: list[Decision], steps: int) -> str:
    """What to know of the steps and of the restart, in sentences; "" for nothing."""
    text = ""
    if _waiting(plan):
        if steps > 1:
            text += "What waits for the restart can come first or last. "
        if any(each.layer == "firmware" for each in by_hand):
            text += "At the restart, set in the setup menu what is listed under [By hand](#by-hand). "
    if steps > 1:
        effect = ", and take effect with the next restart, whoever causes it" if text else ""
        text += f"If a step fails, the others stay as they are{effect}. "
    return text


def _steps(targets: list[UsableTarget]) -> list[list[UsableTarget]]:
    """The targets one after the other; those that set the same settings are one step, of which one is done."""
    steps: list[list[UsableTarget]] = []
    for each in targets:
        same = next((step for step in steps if step[0].expressed & each.expressed), None)
        if same is None:
            steps.append([each])
        else:
            same.append(each)
    for step in steps:
        step.sort(key=lambda each: not each.procedure.apply)
    return steps


def _by_hand(decisions: list[Decision]) -> str:
    if not decisions:
        return ""
    text = "## By hand\n\nNo file sets these, and none puts them back: note what each was before.\n\n"
    return text + "".join(map(_step, decisions))


def _step(decision: Decision) -> str:
    """A value that is set by hand, with its place, and whether a server has it if nobody has changed it."""
    text = f"- {escape(decision.title)}: **{escape(decision.value)}**{spelled(decision)}"
    place = place_by_hand(decision)
    text += f", at *{escape(place)}*" if decision.menu else f"; {place}" if place else ""
    return text + ("; the default\n" if decision.value == decision.default else "\n")


def _failures(targets: list[UsableTarget]) -> str:
    if not any(each.procedure.statuses for each in targets):
        return ""
    text = (
        "## If a step fails\n\nThe commands for one server say what they did, and end with one of these exit statuses; "
        "those for many servers have statuses of their own.\n\n"
    )
    text += head("status", "meaning", "what to do")
    text += "".join(row(status, meaning, prose(what)) for status, meaning, what in STATUSES)
    return text + "\nA program can be run again at any time: what is right already is not touched.\n"
