"""From a plan to the files for a server without tuned: the kernel's own names of each setting."""

from collections.abc import Iterator

import setpoint.targets.systemd as package
from setpoint.compiler.lowering.target import identifier
from setpoint.compiler.plan.model import Decision, Plan, SpelledValue
from setpoint.targets._linux.live import CHECKS, ascii_reason, card_values, file_of_sysctl, masked_units
from setpoint.targets._shared.data import data, nearest
from setpoint.targets._shared.forms import Lowered
from setpoint.targets._shared.identity import identification
from setpoint.targets.systemd.model import DeviceRule, DeviceValue, DropIn, KernelValue, Sysctl, SystemFiles

INTERFACES = ("sysctl", "sysfs", "drop-in", "ethtool", "unit")
"""The interfaces whose names these files have."""

BLOCK = "/sys/block/*/"
"""Files below are attributes of block devices, which come and go: udev sets them."""

LIMIT = "resume"
"""The word of a plan that compares a limit of idle states in the file of each CPU."""

WRITES = {"": "set_each", "first-offered": "set_offered", "exit-latency": "set_limit"}
"""The function of the unit's program for each comparison."""


def unsupported_reason(plan: Plan) -> str:
    """Why the plan is not for a server with systemd and without tuned, in a sentence; "" if it is."""
    lineage = plan.lineage("os")
    if not lineage:
        return "the plan names no operating system"
    if not nearest(data(package)["has"], lineage):
        return f"it is not known that `{lineage[0]}` has systemd"
    if plan.fact("tuned") != "unused":
        return "these files are for servers without tuned: state `tuned unused` for them"
    return ""


def lower(plan: Plan) -> Lowered[SystemFiles]:
    """The files of a plan for such a server."""
    decisions = [d for d in plan.written if d.layer == "os"]
    known = [d for d in decisions if any(d.spelled_in(interface) for interface in INTERFACES)]
    left_out = {d.setting: _why_not(d) for d in decisions if d not in known}
    files = SystemFiles(
        name=f"setpoint_{identifier(plan.policy)}",
        policy=plan.policy,
        identification=identification(plan),
        sysctls=tuple(line for d in known for line in _sysctls(plan, d)),
        devices=tuple(rule for d in known for rule in _devices(plan, d)),
        values=tuple(value for d in known for value in _values(plan, d)),
        drop_ins=tuple(line for d in known for line in _drop_ins(plan, d)),
        cards=card_values(plan, known),
        masks=masked_units(plan, known),
    )
    if not (files.compared or files.drop_ins or files.cards or files.masks):
        why = "there is no other line, and this value is the absence of one"
        return Lowered(None, frozenset(), left_out | {d.setting: why for d in known})
    return Lowered(files, frozenset(d.setting for d in known), left_out)


def _why_not(decision: Decision) -> str:
    own: dict[str, str] = data(package)["left-out"]
    return own.get(decision.setting, f"no file of the kernel or of systemd is known for `{decision.setting}`")


def _present(decision: Decision, interface: str) -> Iterator[tuple[SpelledValue, str]]:
    """The spellings in an interface, with each of their names."""
    for spelled in decision.spelled_in(interface):
        for name in () if spelled.is_absent else spelled.names:
            yield spelled, name


def _comparison(spelled: SpelledValue) -> str:
    return next((shown.comparison for shown in spelled.shown), "")


def _sysctls(plan: Plan, decision: Decision) -> Iterator[Sysctl]:
    for spelled, name in _present(decision, "sysctl"):
        yield Sysctl(
            setting=decision.setting,
            name=name,
            value=spelled.text or "",
            reason=ascii_reason(plan, decision),
            checks=CHECKS[""],
            files=(file_of_sysctl(name),),
        )


def _devices(plan: Plan, decision: Decision) -> Iterator[DeviceValue]:
    for spelled, name in _present(decision, "sysfs"):
        if not name.startswith(BLOCK):
            continue
        text, comparison = spelled.text or "", _comparison(spelled)
        yield DeviceValue(
            setting=decision.setting,
            attribute=name.removeprefix(BLOCK),
            value=text,
            rules=_rules(text, comparison),
            at_least=comparison == "at-least",
            reason=ascii_reason(plan, decision),
            checks=CHECKS[comparison],
            files=(name,),
        )


def _rules(text: str, comparison: str) -> tuple[DeviceRule, ...]:
    """The devices that are to get a text: all, those with a lower number, or of `a|b` those that offer a, and b but not
    a."""
    if comparison == "first-offered":
        offered = [(word, f"*{word}*") for word in text.split("|")]
        return tuple(
            DeviceRule(value=word, when=match, unless="|".join(m for _, m in offered[:before]) or None)
            for before, (word, match) in enumerate(offered)
        )
    return (DeviceRule(value=text, when=below(text) if comparison == "at-least" else "?*"),)


def below(number: str) -> str:
    """A pattern of udev for the numbers below another, without leading zeros: `?|1[0-4]` for 15. udev compares texts
    only."""
    patterns = ["?" * length for length in range(1, len(number))]
    for place, digit in enumerate(number):
        least = 1 if place == 0 and len(number) > 1 else 0
        if int(digit) > least:
            patterns.append(f"{number[:place]}[{least}-{int(digit) - 1}]{'?' * (len(number) - place - 1)}")
    return "|".join(patterns) or "-"


def _values(plan: Plan, decision: Decision) -> Iterator[KernelValue]:
    for spelled, name in _present(decision, "sysfs"):
        if name.startswith(BLOCK):
            continue
        comparison = _comparison(spelled)
        yield KernelValue(
            setting=decision.setting,
            value=spelled.text or "",
            reason=ascii_reason(plan, decision),
            checks=LIMIT if comparison == "exit-latency" else CHECKS[comparison],
            files=(name,),
            writes=WRITES[comparison],
        )


def _drop_ins(plan: Plan, decision: Decision) -> Iterator[DropIn]:
    for spelled, name in _present(decision, "drop-in"):
        of, section, option = name.split(" ")
        yield DropIn(
            setting=decision.setting,
            of=of,
            section=section.strip("[]"),
            option=option,
            value=spelled.text or "",
            reason=ascii_reason(plan, decision),
        )
