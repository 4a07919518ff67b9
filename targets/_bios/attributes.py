"""A plan, spelt in the BIOS attributes of its server.

    Plan --spell--> Spelling: attributes with their values, in the order of writing

Firmware accepts a value only for an attribute that is in use, and another setting may put it out of use:

* a named system profile locks its members. The plan does not write those (`unwritten` is `locked`); they
  are still part of the end state, as `fixed` lines, if the profile itself is written;
* a few attributes are out of use while some other setting has a certain value, as one way to divide the memory can
  exclude another. If the plan has that value, the attribute is locked in the end state, though the plan writes it: such
  lines are `ahead`.

A setting that locks an attribute may also set it. A profile sets most of its members, so they become right together
with it. Others keep their value (`kept`): they must be right before, while they can be written. So must those for
which the registry has several values (`undecided`), and one of two that lock each other. A line's `step` says when it
becomes right: `first`, in a restart of its own; `then`; or `along`, set by the attribute that locks it.

A plan for one server may know which attributes have its values already. Those stay out of `at`, and so out of what is
sent, but not out of the expected state. What has to be opened for a first restart is written again after it.

An attribute that another setting hides has no line: nothing can write it, and advice for it has no effect. If the
policy sets it to another value than the vendor's, it is left out with the reason, since somebody waits for it.

What locks an attribute is written after it could unlock it: settings that unlock others come first, and otherwise the
order is that of the knowledge base. Settings without an attribute or value on the server are left out, with the reason.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from setpoint.compiler.knowledge.interfaces import TypedValue, typed_value
from setpoint.compiler.lowering.target import OF_A_PLAN, cite
from setpoint.compiler.plan.model import Decision, Lock, Plan, SpelledValue
from setpoint.targets._bios.forms import (
    AHEAD,
    FIXED,
    WRITE,
    AttributeLine,
    AttributeLock,
    AttributeSpelling,
    Opening,
    Spelling,
    WriteCondition,
)
from setpoint.targets._bios.opening import opening


def has_attributes(plan: Plan, interface: str = "attribute") -> bool:
    """Whether any BIOS attribute of the plan's platform is known, or any name in another interface to the firmware."""
    return any(spelled.interface == interface for decision in plan.settings for spelled in decision.spelled)


def why_unknown(plan: Plan, interface: str, names: str, where_not: str) -> str:
    """Why nothing can be set by the `names` that an interface has for the firmware, in a sentence; "" if those of the
    plan's platform are known. `where_not` says that they are not, with `{}` for the platform."""
    platform = plan.lineage("platform")
    if not platform:
        return f"the policy states no platform, and {names} differ between generations"
    return "" if has_attributes(plan, interface) else where_not.format(platform[0])


@lru_cache(maxsize=OF_A_PLAN)
def attributes(plan: Plan) -> Mapping[str, AttributeSpelling]:
    """The attributes of the plan's platform by setting, in the order of writing. They are kept: each way to the
    firmware asks for them."""
    spellings = [
        (spelled.place, _attribute(decision, spelled, name))
        for decision in plan.settings
        for spelled in decision.spelled
        if spelled.interface == "attribute"
        for name in spelled.names
    ]
    spellings.sort(key=lambda pair: (pair[0], pair[1].setting))
    table: dict[str, AttributeSpelling] = {}
    for _, attribute in spellings:
        first = table.get(attribute.setting)
        table[attribute.setting] = first._replace(others=(*first.others, attribute)) if first else attribute
    return _unlocking_first(plan, table)


def _unlocking_first(plan: Plan, table: Mapping[str, AttributeSpelling]) -> dict[str, AttributeSpelling]:
    """The same attributes, each after those that could unlock it: by their only value that does, or by the plan's."""
    ordered: dict[str, AttributeSpelling] = {}
    waiting: set[str] = set()

    def place(setting: str) -> None:
        if setting in table and setting not in waiting:
            waiting.add(setting)
            for lock in table[setting].locks:
                if lock.unless or not _closed(plan, lock):
                    place(lock.setting)
            ordered[setting] = table[setting]

    for setting in table:
        place(setting)
    return ordered


def _attribute(decision: Decision, spelled: SpelledValue, name: str) -> AttributeSpelling:
    texts = dict(spelled.texts)
    if spelled.text is not None:
        texts[decision.value] = spelled.text
    return AttributeSpelling(
        decision.setting,
        name,
        {value: typed_value(text, spelled.type) for value, text in texts.items()},
        tuple(lock for stated in decision.locks for lock in _locks(stated)),
        frozenset((lock.setting, value) for lock in decision.locks for value in lock.kept),
        frozenset((lock.setting, value) for lock in decision.locks for value in lock.undecided),
        racadm=_racadm(decision, name),
    )


def _racadm(decision: Decision, attribute: str) -> str:
    """The name of an attribute in racadm: the only one of the setting, or the one that ends in the attribute's name."""
    names = {
        interface: [
            name for spelled in decision.spelled if spelled.interface == interface for name in spelled.names
        ]
        for interface in ("attribute", "racadm")
    }
    if all(len(alternatives) == 1 for alternatives in names.values()):
        return names["racadm"][0]
    return next((name for name in names["racadm"] if name.endswith(f".{attribute}")), "")


def _locks(lock: Lock) -> Iterator[AttributeLock]:
    """A lock of the plan, value by value."""
    for value in lock.values:
        yield AttributeLock(lock.setting, value, lock.unless, lock.hides)


@lru_cache(maxsize=OF_A_PLAN)
def spell(plan: Plan) -> Spelling:
    """Spell the settings that the plan writes, and those fixed by a profile that it writes. Needs a plan with a
    platform. It is kept, as `attributes` are.
    """
    here, table = plan.lineage("platform")[0], attributes(plan)
    lines: list[AttributeLine] = []
    hidden: set[str] = set()
    left_out = unrecorded(plan)
    for decision in plan.settings:
        attribute = table.get(decision.setting)
        if decision.layer != "firmware" or not (decision.written or _fixed(plan, table, decision)):
            continue
        if attribute is None:
            left_out[decision.setting] = f"no BIOS attribute is known for {decision.title} on {here}"
        elif lacking := [
            spelling.name for spelling in attribute.every if decision.value not in spelling.values
        ]:
            left_out[decision.setting] = f"{lacking[0]} has no known value for {decision.value} on {here}"
        elif hiding := [lock.setting for lock in attribute.locks if lock.hides and _closed(plan, lock)]:
            if decision.origin == "set" and decision.value != decision.default:
                left_out[decision.setting] = (
                    f"the firmware hides it while {hiding[0]} is {plan.value(hiding[0])}"
                )
            else:
                hidden.add(decision.setting)
        else:
            lines += (line_of(plan, table, spelling, decision) for spelling in attribute.every)
    lines = _with_openings(plan, table, lines)
    lines = _with_what_is_right(plan, [*lines, *_put_back(plan, table, lines)])
    rank = {setting: place for place, setting in enumerate(table)}
    lines.sort(key=lambda line: ((AHEAD, WRITE, FIXED).index(line.role), rank[line.setting]))
    written = {line.setting for line in lines if line.role != FIXED}
    sent = {line.attribute for line in lines}
    assumed = {name: value for name, value in _assumed(plan, table).items() if name not in sent}
    return Spelling(tuple(lines), frozenset(written | hidden), dict(sorted(left_out.items())), assumed)


def _with_openings(
    plan: Plan, table: Mapping[str, AttributeSpelling], lines: list[AttributeLine]
) -> list[AttributeLine]:
    """The lines; those that are early with what opens them. A governor has one value for all that it locks."""
    settings = {spelling.name: setting for setting, spelling in table.items()}
    locked: dict[str, list[AttributeSpelling]] = {}
    for line in lines:
        for governor in line.governors if line.early else ():
            locked.setdefault(governor, []).append(table[line.setting])
    opened = {
        governor: opening(table, settings[governor], plan.value(settings[governor]), attributes)
        for governor, attributes in locked.items()
    }
    return [
        line._replace(openings=tuple(Opening(name, opened[name]) for name in line.governors))
        if line.early
        else line
        for line in lines
    ]


def _put_back(
    plan: Plan, table: Mapping[str, AttributeSpelling], lines: list[AttributeLine]
) -> Iterator[AttributeLine]:
    """The lines of what is opened for others and not written otherwise: it gets the plan's value in the end."""
    known = {line.setting for line in lines}
    opened = {name for line in lines if line.early for name in line.opened_by}
    for setting, first in table.items():
        decision = plan.setting(setting)
        for attribute in first.every:
            if (
                setting not in known
                and attribute.name in opened
                and decision
                and decision.value in attribute.values
            ):
                yield line_of(plan, table, attribute, decision)._replace(role=WRITE)


def _with_what_is_right(plan: Plan, lines: list[AttributeLine]) -> list[AttributeLine]:
    """The lines, each with what the server has already. What locks a line that is written first is changed for it, and
    so has to be written again.
    """
    if plan.registry is None:
        return lines
    right, current = set(plan.registry.right), dict(plan.registry.current)
    first = [line for line in lines if line.early and line.attribute not in right]
    right -= {name for line in first for name in (*line.governors, *line.opened_by)}
    return [
        line._replace(
            right=line.attribute in right,
            open=_open(line, current),
        )
        for line in lines
    ]


def _open(line: AttributeLine, current: Mapping[str, TypedValue]) -> tuple[str, ...]:
    """The attributes with a value with which a line can be written, as far as they lock it."""
    closed = {condition.attribute for condition in line.conditions if not condition.is_met(current)}
    return tuple(
        dict.fromkeys(
            condition.attribute for condition in line.conditions if condition.attribute not in closed
        )
    )


def _assumed(plan: Plan, table: Mapping[str, AttributeSpelling]) -> dict[str, TypedValue]:
    """The vendor's defaults that the plan depends on, and the members' values under a profile that it does not
    write."""
    return {
        attribute.name: attribute.values[plan.value(name)]
        for name, first in table.items()
        for attribute in first.every
        for decision in [plan.setting(name)]
        if decision is not None
        and not decision.once
        and decision.unwritten in ("default", "locked", "fixed")
        and plan.value(name) in attribute.values
        and not _fixed(plan, table, decision)
        and not any(lock.hides and _closed(plan, lock) for lock in attribute.locks)
    }


def line_of(
    plan: Plan, table: Mapping[str, AttributeSpelling], attribute: AttributeSpelling, decision: Decision
) -> AttributeLine:
    """The line of an attribute with the value of a decision."""
    known = [lock for lock in attribute.locks if lock.setting in table]
    conditions = tuple(
        WriteCondition(table[lock.setting].name, table[lock.setting].values[lock.value], lock.unless)
        for lock in known
        if lock.value in table[lock.setting].values
    )
    closed = tuple(dict.fromkeys(lock.setting for lock in known if _closed(plan, lock)))
    mutual = any(lock.setting == decision.setting for governor in closed for lock in table[governor].locks)
    setting = [governor for governor in closed if (governor, plan.value(governor)) not in attribute.kept]
    decided = any((governor, plan.value(governor)) not in attribute.undecided for governor in setting)
    set_by = [governor for governor in setting if _is_brought(plan, table, governor)]
    return AttributeLine(
        setting=decision.setting,
        attribute=attribute.name,
        value=attribute.values[decision.value],
        role=(AHEAD if closed else WRITE) if decision.written else FIXED,
        conditions=conditions,
        racadm=attribute.racadm,
        cause=cite(plan, decision.setting),
        governors=tuple(table[governor].name for governor in closed),
        set_by=tuple(table[governor].name for governor in set_by),
        early=bool(closed) and (mutual or not decided),
    )


def _is_brought(plan: Plan, table: Mapping[str, AttributeSpelling], setting: str) -> bool:
    """Whether the plan brings a server to a setting's value, by itself or by a profile. One that it leaves alone may
    differ, and then does not set what it locks.
    """
    decision = plan.setting(setting)
    return decision is not None and (decision.written or _fixed(plan, table, decision))


def _fixed(plan: Plan, table: Mapping[str, AttributeSpelling], decision: Decision) -> bool:
    """Whether an attribute that the plan writes locks this one, which it does not write."""
    attribute = table.get(decision.setting)
    if attribute is None or decision.unwritten != "locked":
        return False
    governors = [plan.setting(lock.setting) for lock in attribute.locks if _closed(plan, lock)]
    return any(
        governor is not None
        and governor.written
        and governor.setting in table
        and governor.value in table[governor.setting].values
        for governor in governors
    )


def _closed(plan: Plan, lock: AttributeLock) -> bool:
    """Whether the lock is active in the plan's end state."""
    decision = plan.setting(lock.setting)
    value = (decision.default if decision.once else decision.value) if decision else ""
    return bool(value) and (value == lock.value) is not lock.unless


NO_RECORD = "it is to be performed once, and these files keep no record of what was performed"


def unrecorded(plan: Plan) -> dict[str, str]:
    """The actions of the firmware that a plan performs, each with the reason for leaving it out.

    Targets whose files keep no record leave them out: whatever runs such files again would perform an action again.
    """
    return {d.setting: NO_RECORD for d in plan.performed if d.layer == "firmware"}
