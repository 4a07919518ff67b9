"""`README.md`: the front page of a bundle, for the operator who has it open at night.

It says for which servers the bundle is, what it sets and why, which of its files to use, in which order, and how to try, apply,
verify and undo them; then what to do when a step fails, and what needs a restart. It is of this bundle: a file that is not there
is not spoken of. Whoever wants more finds it in the report and on the pages beside the artifacts.
"""

from collections.abc import Iterable, Sequence

from setpoint.compiler.knowledge.model import LAYERS
from setpoint.compiler.lowering.target import Procedure
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.render.escape import code, escape, head, prose, row
from setpoint.compiler.render.words import (
    LAYER_TITLES,
    TAKES_EFFECT,
    assumption_notes,
    count,
    identity_note,
    reason_of,
    right_note,
    source_of,
)

FRONT_PAGE = "README.md"

MOST = 10
"""How many values are listed: a page is read, a list of forty is not."""

PHASES = (
    ("preview", "Show what would change; change nothing."),
    ("apply", "Change what differs."),
    ("verify", "Compare with the plan."),
    ("undo", "Put back what was there before."),
)
"""What is done one after the other: the fields of a `Procedure`, and what its commands do."""

STATUSES = (
    (
        "3",
        "a value differs, or waits for a restart",
        "apply what differs; restart the server for what waits, and verify again",
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


@distinct
class UsableTarget(NamedTuple):
    """A target with files in the bundle: its title, its layers, the settings that the files set, and how they are used."""

    title: str
    layers: tuple[str, ...]
    expressed: frozenset[str]
    procedure: Procedure


def front_page(
    plan: Plan, usable: Iterable[UsableTarget], by_hand: list[Decision], in_fleet: bool = False
) -> str:
    """The page, in Markdown. `by_hand` are the values that none of the files sets; `in_fleet` says that the plan is one of several of
    its policy, which one role or module serves.
    """
    found = list(usable)
    parts = [
        f"# {escape(plan.policy)}\n",
        _purpose(plan, by_hand),
        _values(plan),
        _on_many([each for each in found if len(each.layers) > 1], in_fleet, bool(_waiting(plan))),
        _on_one([each for each in found if len(each.layers) == 1], _restart(plan, by_hand)),
        _by_hand(by_hand),
        _failures(found),
        "Beside this page, `report.md` has all values with their sources and what to mind, `plan.json` the same for programs, "
        "and `manifest.json` a check sum of each file.\n",
    ]
    return "\n".join(part for part in parts if part)


def _purpose(plan: Plan, by_hand: list[Decision]) -> str:
    """What the bundle is for, how much it changes, and on which servers."""
    intent = ", ".join(f"{fact.name} **{escape(fact.text)}**" for fact in plan.intent)
    number, waiting = len(plan.written), len(_waiting(plan))
    first = f"Brings a server to {intent or 'the values of its policy'}: {count(number, 'value')}"
    if waiting:
        first += (
            f", of which {waiting} take effect only after a restart. Nothing here restarts a server by itself"
        )
    elif number:
        first += ", all without a restart"
    lines = [f"{first}."]
    if by_hand:
        among = " of them" if {*by_hand} <= {*plan.written} else " more"
        lines.append(f"{len(by_hand)}{among} no file sets: what is to be done [by hand](#by-hand).")
    lines += ["", f"{escape(identity)}."] if (identity := identity_note(plan)) else []
    if note := right_note(plan):
        lines += [
            "",
            f"{prose(note)}: what is written is for this server alone. What is compared is the whole plan.",
        ]
    lines += [f"**Assumed:** {prose(note)}." for note in assumption_notes(plan)]
    if waived := [code(waiver.name) for waiver in plan.waivers]:
        lines.append(f"**Accepted by the policy:** {', '.join(waived)}; `report.md` says why.")
    return "\n".join(lines) + "\n"


def _restart(plan: Plan, by_hand: list[Decision]) -> str:
    """The command that restarts, with what is set by hand on that occasion; "" if nothing waits for it."""
    if not _waiting(plan):
        return ""
    in_setup = any(each.layer == "firmware" for each in by_hand)
    return "reboot  # and set in its setup menu what is listed under By hand" if in_setup else "reboot"


def _waiting(plan: Plan) -> list[Decision]:
    """The values that take effect only with the next start."""
    return [each for each in plan.written if each.reboot]


def _values(plan: Plan) -> str:
    """The values: first those that the policy sets itself, then those that are not the default."""
    written = sorted(plan.written, key=lambda each: (each.origin != "set", each.value == each.default))
    if not written:
        return ""
    text = f"## What it sets, and why\n\n{head('setting', 'value', 'why')}"
    text += "".join(
        row(escape(each.title), f"**{escape(each.value)}**", _why(each)) for each in written[:MOST]
    )
    if len(written) > MOST:
        text += f"\n{count(len(written) - MOST, 'more value')}: see `report.md`.\n"
    return text


def _why(decision: Decision) -> str:
    cause = decision.cause
    return escape(cause.because if cause.kind == "set" else reason_of(cause) or source_of(cause))


def _on_many(targets: list[UsableTarget], in_fleet: bool, waits: bool) -> str:
    """The ways for many servers, each of which does everything that has a file."""
    if in_fleet:
        return (
            "## On many servers\n\nThe Ansible role and the Puppet module serve all plans of the policy, "
            "so they are not in this folder, but beside it.\n"
        )
    if not targets:
        return ""
    text = "## On many servers\n\nEach of these sets all that has a file. Use one of them."
    text += " Restart the servers before you compare.\n" if waits else "\n"
    for each in targets:
        text += f"\n**{escape(each.title)}**, {escape(each.procedure.where)}:\n\n"
        text += _commands([[each.procedure]]) + _remark(each.procedure)
    return text


def _commands(steps: Iterable[Sequence[Procedure]], restart: str = "") -> str:
    """The commands of steps as a block of code, phase by phase; what is undone is undone from the end. Of a step one procedure is done."""
    text = ""
    for field, what in PHASES:
        commands = [run for step in steps if (run := _first_of([getattr(each, field) for each in step]))]
        if field == "undo":
            commands.reverse()
        if field in ("apply", "undo") and commands and restart:
            commands.append(
                restart if field == "apply" else "reboot  # what took effect at a restart is put back at one"
            )
        if commands:
            text += "".join(f"    {line}\n" for line in (f"# {what}", *commands))
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


def _on_one(targets: list[UsableTarget], restart: str) -> str:
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
    if commands := _commands([[each.procedure for each in step] for step in steps], restart):
        text += f"\nFrom this folder:\n\n{commands}"
    return text + "".join(_remark(each.procedure) for step in steps for each in step)


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
    text = "## By hand\n\nNo file sets these; `manual-steps.md` says where each is set.\n\n"
    return text + "".join(f"- {escape(each.title)}: **{escape(each.value)}**\n" for each in decisions)


def _failures(targets: list[UsableTarget]) -> str:
    if not any(each.procedure.statuses for each in targets):
        return ""
    text = (
        "## If a step fails\n\nEach program says what it did, and ends with one of these exit statuses:\n\n"
    )
    text += head("status", "meaning", "what to do")
    text += "".join(row(status, meaning, prose(what)) for status, meaning, what in STATUSES)
    return text + "\nA program can be run again at any time: what is right already is not touched.\n"
