"""From a plan of the compiler to the rows of the one for the program for hosts."""

from setpoint.compiler.knowledge.interfaces import value_text
from setpoint.compiler.plan.model import Plan
from setpoint.targets._bios.attributes import attributes, spell, why_unknown
from setpoint.targets._bios.forms import ALONG, FIRST, FIXED, AttributeLine, AttributeSpelling
from setpoint.targets._linux.table import not_plain
from setpoint.targets._shared.forms import Lowered
from setpoint.targets._shared.identity import Identification, identification
from setpoint.targets.racadm.model import RacadmPlan, RacadmRow

PROCESSORS = "ProcSettings"
"""The group that shows which processors there are."""

KINDS = ("product", "processor", "sockets")
"""What an iDRAC reports of its server, whatever runs there."""


def unsupported_reason(plan: Plan) -> str:
    """Why racadm cannot set the BIOS of the plan's platform, in a sentence; "" if it can."""
    return why_unknown(plan, "racadm", "BIOS attributes", "the BIOS attributes of {} are not known to racadm")


def lower(plan: Plan) -> Lowered[RacadmPlan]:
    """The plan's data. `unsupported_reason` must be "" for the plan."""
    spelling, table = spell(plan), attributes(plan)
    every = [attribute for first in table.values() for attribute in first.every]
    racadm = {attribute.name: attribute.racadm for attribute in every}
    others = not_plain(spelling.lines, "racadm")
    unknown = {
        line.setting: others.get(line.setting)
        or f"no source says in which group racadm has {lacking[0]} on {plan.lineage('platform')[0]}"
        for line in spelling.lines
        if line.role != FIXED and ((lacking := _without_group(line, racadm)) or line.setting in others)
    }
    known = [line for line in spelling.lines if line.racadm and line.setting not in {*others, *unknown}]
    expressed = spelling.expressed - unknown.keys()
    left_out = dict(sorted({**spelling.left_out, **unknown}.items()))
    if not any(line.step != ALONG for line in known):
        return Lowered(None, expressed, left_out)
    wanted = {line.attribute: value_text(line.value) for line in known}
    # In the order of writing, and what must be right before the rest in front.
    lines = tuple(sorted(known, key=lambda line: line.step != FIRST))
    rows = (*_openers(lines, racadm), *(_row(line, table[line.setting], wanted) for line in lines))
    groups_of = {name: _group(full) for name, full in racadm.items() if full}
    names = {row.option.split(".")[2] for row in rows} | {
        condition.attribute for line in lines for condition in line.conditions
    }
    model = RacadmPlan(
        policy=plan.policy,
        platform=plan.lineage("platform")[0],
        identification=_identification(plan),
        groups=tuple(sorted({PROCESSORS, *(groups_of[name] for name in names if name in groups_of)})),
        rows=rows,
    )
    return Lowered(model, expressed, left_out)


def _identification(plan: Plan) -> Identification:
    """What can be asked of an iDRAC. It says nothing of the system."""
    every = identification(plan, firmware=True)
    return Identification(
        checks=tuple(check for check in every.checks if check.kind in KINDS),
        unchecked=tuple(check for check in every.unchecked if check.kind in KINDS),
    )


def _without_group(line: AttributeLine, racadm: dict[str, str]) -> list[str]:
    """The attributes that racadm would have to set for a line, and that it has in no known group."""
    needed = [line.attribute, *(line.opened_by if line.early else ())]
    return [name for name in needed if not racadm[name]]


def _group(name: str) -> str:
    """The group of a name in racadm: of BIOS.ProcSettings.LogicalProc it is ProcSettings."""
    return name.split(".")[1]


def _openers(lines: tuple[AttributeLine, ...], names: dict[str, str]) -> tuple[RacadmRow, ...]:
    """What lets those be written that must be right before the rest; `names` are those in racadm.

    It has the conditions of its own, since it is put back like the others.
    """
    conditions = {line.attribute: tuple(map(str, line.conditions)) for line in lines}
    opens = {name: value for line in lines if line.early for name, value in line.opened_by.items()}
    return tuple(
        RacadmRow(
            kind="open",
            setting="-",
            option=names[name],
            value=value_text(value),
            conditions=conditions.get(name, ()),
            reason="until the next lines are right",
        )
        for name, value in opens.items()
    )


def _row(line: AttributeLine, attribute: AttributeSpelling, wanted: dict[str, str]) -> RacadmRow:
    keeps = ("keeps",) if attribute.kept or attribute.undecided else ()
    conditions = tuple(map(str, line.conditions))
    right = [f"unless:{name}={wanted[name]}" for name in line.set_by if line.early and name in wanted]
    return RacadmRow(
        kind="first" if line.step == FIRST else "held" if line.step == ALONG else "want",
        setting=line.setting,
        option=line.racadm,
        value=value_text(line.value),
        conditions=(*keeps, *right, *conditions),
        reason=line.cause,
    )
