"""The other half of a bundle's front page: which of its files to use, on which machine each command runs, the restart,
and the way back.

What a target knows of its own commands is in its `Procedure`; here they are put in order. One way is recommended for
what several set: the one that sets most of it, and of these one that was tried with more than a stand-in.
"""

from collections.abc import Mapping
from itertools import groupby

from setpoint.compiler.knowledge.model import LAYERS
from setpoint.compiler.lowering.target import Procedure
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.escape import escape, head, prose, row
from setpoint.compiler.render.words import LAYER_TITLES, count

FEW = 3
"""How many values are named that a way does not set; of more it is said how many."""

PHASES = (
    ("preview", "Show what would change; change nothing", ""),
    ("apply", "Change what differs", ""),
    ("verify", "Compare with the plan", ", after the restart"),
    ("undo", "Put back what was there before", "; then restart"),
)
"""What is done at different times: the fields of a `Procedure`, what its commands do, and what there is to add where a
restart is needed."""

STATUSES = (
    ("0", "as planned, or done; what waits for a restart is named", "go on"),
    ("3 of `try`", "`apply` would change something", "apply"),
    (
        "3 of `verify`",
        "a value differs, or waits for a restart",
        "apply what differs; restart for what waits",
    ),
    (
        "3 of `apply`, `undo`",
        "the rest can be done only after a restart; or a value differs still, and the message says why",
        "run the other commands, restart, and run this one again; or do what the message says",
    ),
    ("3 of `undone`", "something is left to put back", "restart, and run its undo again"),
    ("4", "it failed, and nothing is changed; or a value cannot be read", "mend what the message names"),
    (
        "5",
        "this is not a server of this policy; nothing was changed",
        "see above for which servers it is; another one needs a plan of its own",
    ),
    ("6", "it failed, and something is or may be changed", "run it again, or undo it"),
    (
        "7",
        "somebody else's run, job or staged values; nothing was changed",
        "find out whose: wait for a run or a job; the message says how to clear values that no job carries",
    ),
)
"""What the programs of a bundle exit with, what it means, and what to do."""


class UsableTarget(NamedTuple):
    """A target with files in the bundle: its title, its layers, the settings of the files, and their use."""

    title: str
    layers: tuple[str, ...]
    expressed: frozenset[str]
    procedure: Procedure


TWICE = (
    "**Two restarts** can be needed, since some values can be set only when others are in effect: the command then says so. "
    "Restart, run the same command again, and restart once more."
)
"""What to know where values have to be in effect before others are set."""

Step = list[UsableTarget]
"""Targets that set the same settings, the recommended one first."""


def usage(
    plan: Plan,
    targets: list[UsableTarget],
    by_hand: list[Decision],
    in_fleet: bool,
    spared: Mapping[str, str],
) -> str:
    """The sections on use, in Markdown; "" where nothing can be used."""
    if not targets:
        return ""
    left = {decision.setting for decision in by_hand}
    files = [decision for decision in plan.written if decision.setting not in left]
    many = _best([target for target in targets if len(target.layers) > 1], files)
    steps = _steps([target for target in targets if len(target.layers) == 1], files)
    waits = any(decision.reboot for decision in plan.written)
    by_menu = waits and any(decision.layer == "firmware" for decision in by_hand)
    parts = [
        _before(steps),
        _ways(many, steps, files, in_fleet, spared),
        *(_on_many(way, waits, by_menu, _twice(_within(way, steps))) for way in many),
        _on_one(steps, files, waits, by_menu),
        _failures(targets, waits, len(steps) > 1),
    ]
    return "\n".join(part for part in parts if part)


def _steps(targets: list[UsableTarget], files: list[Decision]) -> list[Step]:
    """The targets one after the other; those that set the same settings are one step, of which one is done."""
    steps: list[Step] = []
    for target in sorted(targets, key=lambda target: LAYERS.index(target.layers[0])):
        same = next((step for step in steps if step[0].expressed & target.expressed), None)
        if same is None:
            steps.append([target])
        else:
            same.append(target)
    return [_best(step, _of_step(step, files)) for step in steps]


def _best(targets: list[UsableTarget], files: list[Decision]) -> list[UsableTarget]:
    """The same targets, the recommended one first."""
    return sorted(
        targets,
        key=lambda target: (
            not target.procedure.apply,
            len(_lacking(target, files)),
            bool(target.procedure.stand_ins),
        ),
    )


def _lacking(target: UsableTarget, files: list[Decision]) -> list[Decision]:
    """The values that some file sets, and none of the target's own."""
    return [decision for decision in files if decision.setting not in target.expressed]


def _of_step(step: Step, files: list[Decision]) -> list[Decision]:
    """The values that the ways of a step set."""
    return [decision for decision in files if any(decision.setting in way.expressed for way in step)]


def _lacks(target: UsableTarget, files: list[Decision]) -> str:
    """What a way does not set, in a clause; "" if it sets everything."""
    lacking = _lacking(target, files)
    if len(lacking) > FEW:
        layers = " and ".join(
            LAYER_TITLES[layer].lower()
            for layer in LAYERS
            if any(decision.layer == layer for decision in lacking)
        )
        return f"does not set {count(len(lacking), 'value')} of {layers}"
    return f"does not set {', '.join(escape(decision.title) for decision in lacking)}" if lacking else ""


def _before(steps: list[Step]) -> str:
    """What is to be there, and what is to be known, whichever way sets the values on the server itself."""
    here = [step[0].procedure for step in steps if step[0].procedure.is_on_server]
    if not here:
        return ""
    identify = here[0].verify.replace(" verify ", " identify ")
    lines = [
        f"On a server, as root, in a copy of this folder: `{identify}` says whether the server is one of this plan",
        *(_remark(procedure).rstrip(".") for procedure in here if procedure.remark),
    ]
    return "## Before you begin\n\n" + "".join(f"- {line}.\n" for line in lines)


def _ways(
    many: list[UsableTarget],
    steps: list[Step],
    files: list[Decision],
    in_fleet: bool,
    spared: Mapping[str, str],
) -> str:
    """Which way to use: one for everything, or the commands; and of the commands for the same values which."""
    lines = []
    if in_fleet:
        lines.append(
            "The Ansible role and the Puppet module serve all plans of the policy, so they are not in this folder, but beside it"
        )
    for number, way in enumerate(many):
        best = " (recommended)" if number == 0 and len(many) + len(steps) > 1 else ""
        lacks = _lacks(way, files)
        what = f"{lacks}, nor compare them" if lacks else "sets all that a file sets"
        lines.append(f"**{_title(way)}**{best}: {what}")
    if steps:
        first = ", then ".join(_plain(step[0]) for step in steps)
        lines.append(f"**Single commands**, server by server: {first}")
    if spared:
        options = " ".join(f"--target {name}" for name in spared)
        lines.append(
            f"**Not in this folder**, since the ways above set all that they set: {', '.join(spared)}. `setpoint compile … {options}` writes them"
        )
    text = "## Which way\n\nUse one way and stay with it, since each puts back only what it has changed itself. Keep this folder: undo needs it.\n\n"
    return text + "".join(f"- {line}.\n" for line in lines)


def _title(target: UsableTarget) -> str:
    """What a target is called at the begin of a line, without an article."""
    title = escape(target.title.removeprefix("A "))
    return title[:1].upper() + title[1:]


def _plain(target: UsableTarget) -> str:
    """What a step does, in a few words: its layer, and what it is done with."""
    return f"{LAYER_TITLES[target.layers[0]].lower()} ({escape(target.title.removeprefix('A '))})"


def _on_many(way: UsableTarget, waits: bool, by_menu: bool, twice: bool) -> str:
    """How everything is done that has a file, by one program for many servers; one server is the first."""
    procedure = way.procedure
    text = f"## {_title(way)}\n\n{_sentence(procedure.where)} {_remark(procedure)}"
    if procedure.keeps:
        text += f" The old values are in {procedure.keeps}: keep them."
    text += "\n\n"
    for field, what, at_restart in PHASES:
        if command := getattr(procedure, field):
            text += f"- {what}{_when(field, at_restart, waits, by_menu)}: `{command}{procedure.on_first}`\n"
    if waits:
        text += f"\n{_restart([way], by_menu, twice)}"
        text += " If putting back says that the rest waits for a restart, restart and run it again."
    if procedure.on_first:
        text += " When the first server is verified and has worked for a while, the others"
        option = procedure.on_first.split()[0]
        if waits and not procedure.restart:
            text += f": the same with `{option}` for as many as you restart and verify before the next."
        else:
            text += f", in batches: the same without `{procedure.on_first.strip()}`."
        if waits and procedure.restart:
            text += " Without the option for the restart, a batch begins before the values of the one before were ever in effect."
    return f"{text}\n"


def _when(field: str, at_restart: str, waits: bool, by_menu: bool) -> str:
    """What is to be added to a phase in words."""
    return at_restart * waits + " (but not what is set by hand)" * (by_menu and field == "verify")


def _within(way: UsableTarget, steps: list[Step]) -> list[UsableTarget]:
    """The commands of which a way for many servers does all."""
    return [step[0] for step in steps if step[0].expressed <= way.expressed]


def _twice(ways: list[UsableTarget]) -> bool:
    return any(way.procedure.twice for way in ways)


def _restart(ways: list[UsableTarget], by_menu: bool, twice: bool) -> str:
    """Who restarts the server, with which command, and how often, in sentences."""
    text = "**Restart the server yourself**"
    able = [way.procedure for way in ways if way.procedure.restart]
    if able:
        last, own = (" last", " if a value of its own waits") if len(ways) > 1 else ("", "")
        commands = ", ".join(
            f"`{procedure.apply}{procedure.on_first} {procedure.restart}`" for procedure in able
        )
        text += f", or give this command{last}, which asks the system to shut down{own}: {commands}."
    else:
        text += ": nothing here can."
    if by_menu:
        text += " At the restart, set in the setup menu what is listed under [By hand](#by-hand)."
    return text + f" {TWICE}" * twice


def _on_one(steps: list[Step], files: list[Decision], waits: bool, by_menu: bool) -> str:
    """The commands for one server, phase by phase and machine by machine, and the restart between them."""
    if not steps:
        return ""
    first = [step[0] for step in steps]
    text = "## Single commands, for one server\n\n"
    if any(target.procedure.is_on_server for target in first):
        text += "Copy this folder to the server; commands are given in it. "
    if remarks := [target.procedure for target in first if not target.procedure.is_on_server]:
        text += " ".join(filter(None, map(_remark, remarks)))
    text = f"{text.rstrip()}\n"
    for field, what, at_restart in PHASES:
        commands = [
            (target.procedure.where, run) for target in first if (run := getattr(target.procedure, field))
        ]
        if field == "undo":
            commands.reverse()
            text += _way_back(first, waits)
        text += _blocks(f"{what}{_when(field, at_restart, waits, by_menu)}", commands)
        if field == "apply" and waits and commands:
            text += f"\n{_restart(first, by_menu, _twice(first))}\n"
    return text + _instead(steps, files)


def _blocks(what: str, commands: list[tuple[str, str]]) -> str:
    """The commands of a phase, those for each machine together: in a block of code, or in the line if there is one."""
    text = ""
    for where, group in groupby(commands, key=lambda command: command[0]):
        lines = [command for _, command in group]
        lead = f"\n{'Also' if text else f'**{what}**,'} {where}:"
        text += (
            f"{lead} `{lines[0]}`\n"
            if len(lines) == 1
            else f"{lead}\n\n" + "".join(f"    {line}\n" for line in lines)
        )
    return text


def _way_back(first: list[UsableTarget], waits: bool) -> str:
    """What to know before values are put back, as a paragraph."""
    kept = dict.fromkeys(target.procedure.keeps for target in first if target.procedure.keeps)
    if not kept:
        return ""
    is_local = all(target.procedure.is_on_server for target in first if target.procedure.undo)
    options = "" if is_local else ", with the same address and options"
    text = (
        f"\n**Undo** with the command that has applied: on the same machine, as the same user{options}. "
        f"Elsewhere it finds nothing to put back, and ends with 0. The old values are in {' and '.join(kept)}."
    )
    if waits:
        text += " **If an undo ends with 3**, run the others, too, restart, and run that one again: the rest can be put back only then."
    local = (target.procedure for target in reversed(first) if target.procedure.is_on_server)
    undo = next((procedure.undo for procedure in local if procedure.undo), "")
    if undo:
        text += f" `{undo.replace(' undo ', ' undone ')}` says if anything is left (3); `verify` then finds differences, as it must."
    return f"{text}\n"


def _instead(steps: list[Step], files: list[Decision]) -> str:
    """The other ways for what a step sets, a line each."""
    lines = []
    for step in steps:
        for way in step[1:]:
            procedure, lacks = way.procedure, _lacks(way, _of_step(step, files))
            text = f"{_title(way)}, {procedure.where}"
            text += f": `{procedure.apply}`" if procedure.apply else ""
            text += f"; `{procedure.restart}` restarts" if procedure.restart else ""
            text += f"; **{lacks}**" if lacks else ""
            lines.append(f"- {text}. {_remark(procedure)}".rstrip())
    what = "Instead of the command for the firmware, in each phase the same one of these"
    return f"\n{what}:\n\n" + "".join(f"{line}\n" for line in lines) if lines else ""


def _remark(procedure: Procedure) -> str:
    return _sentence(procedure.remark) if procedure.remark else ""


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _failures(targets: list[UsableTarget], waits: bool, has_steps: bool) -> str:
    """What to do when a step fails, or the server restarts between two, and what the exit statuses say."""
    if not any(target.procedure.statuses for target in targets):
        return ""
    text = "## If a step fails\n\n"
    if has_steps:
        effect = (
            ", and takes effect with the next restart, whoever causes it: do not restart before all is done, or undone but for what ends with 3"
            * waits
        )
        text += (
            f"What the steps before have set stays{effect}. Mend what the message names and run the step again, or undo all steps."
            + " If the server has restarted halfway, keep its work off it, run all steps again, and restart."
            * waits
            + "\n\n"
        )
    text += "Single commands say what they did, and end with one of these exit statuses"
    own = any(len(target.layers) > 1 for target in targets)
    text += "; `ansible-playbook` and `puppet agent` have statuses of their own" if own else ""
    text += ". A command can be run again at any time: what is right already is not touched.\n\n"
    text += head("status", "meaning", "what to do")
    return text + "".join(
        row(prose(status), prose(meaning), prose(what)) for status, meaning, what in STATUSES
    )
