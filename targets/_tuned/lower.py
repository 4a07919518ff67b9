"""From a plan to a tuned profile: the option for each setting, and the settings that tuned cannot express."""

from collections.abc import Callable, Iterator
from typing import Any

import setpoint.targets._tuned as package
from setpoint.compiler.plan.model import Decision, Plan, SpelledValue
from setpoint.targets._linux.live import CHECKS, ascii_reason, card_values, file_of_sysctl, masked_units
from setpoint.targets._shared.data import data, nearest
from setpoint.targets._shared.forms import Lowered
from setpoint.targets._shared.identity import identification
from setpoint.targets._tuned.model import Dropped, Ktune, Step, Sysctl, TunedOption, TunedProfile

MAIN = "main"
"""The section of a profile that is about the profile itself."""


def unsupported_reason(plan: Plan) -> str:
    """Why the plan's OS has no tuned; "" if it has."""
    lineage = plan.lineage("os")
    if not lineage:
        return "the plan names no operating system"
    if not _layout(plan):
        return nearest(data(package)["lacking"], lineage) or f"`{lineage[0]}` has no tuned"
    return "the policy states that tuned is not used" if plan.fact("tuned") == "unused" else ""


def _layout(plan: Plan) -> str:
    return nearest(data(package)["layouts"], plan.lineage("os")) or ""


def _os(plan: Plan) -> tuple[Decision, ...]:
    return tuple(d for d in plan.written if d.layer == "os")


def _options(plan: Plan, decision: Decision) -> tuple[TunedOption, ...]:
    """A setting in a tuned.conf: options of its own in tuned, or else sysctls and files of /sys.

    Empty if there are none for its value.
    """
    own = _present(decision, "tuned")
    if not own:
        return tuple(
            _kernel_option(plan, decision, spelled)
            for section in _FILES
            for spelled in _present(decision, section)
        )
    return tuple(
        _option(plan, decision, spelled, section, names)
        for spelled in own
        for section, names in _by_section(spelled.names).items()
    )


def _present(decision: Decision, interface: str) -> list[SpelledValue]:
    return [spelled for spelled in decision.spelled_in(interface) if not spelled.is_absent]


def _by_section(names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The options of each section: `[cpu] governor` is option `governor` of section `cpu`."""
    options: dict[str, tuple[str, ...]] = {}
    for name in names:
        section, _, option = name[1:].partition("] ")
        options[section] = (*options.get(section, ()), option)
    return options


def _option(
    plan: Plan, decision: Decision, spelled: SpelledValue, section: str, names: tuple[str, ...]
) -> TunedOption:
    return TunedOption(
        setting=decision.setting,
        section=section,
        names=names,
        value=spelled.text or "",
        reason=ascii_reason(plan, decision),
        checks=next((CHECKS[shown.comparison] for shown in spelled.shown), None),
        shows=next((shown.text for shown in spelled.shown), None),
        files=tuple(shown.file for shown in spelled.shown),
    )


def _kernel_option(plan: Plan, decision: Decision, spelled: SpelledValue) -> TunedOption:
    """A value that tuned writes to the kernel as it is, in the section of the same name."""
    return TunedOption(
        setting=decision.setting,
        section=spelled.interface,
        names=spelled.names,
        value=spelled.text or "",
        reason=ascii_reason(plan, decision),
        checks="value",
        files=tuple(map(_FILES[spelled.interface], spelled.names)),
    )


_FILES: dict[str, Callable[[str], str]] = {"sysctl": file_of_sysctl, "sysfs": str}
"""The file of the kernel behind each name of an interface."""


def _is_expressed(plan: Plan, decision: Decision) -> bool:
    """Whether a profile of this tuned can have the setting's value, be it by not having its line."""
    if _layout(plan) == "ktune":
        return decision.setting in data(package)["ktune"] or bool(_present(decision, "sysctl"))
    return any(decision.spelled_in(interface) for interface in ("tuned", *_FILES, "ethtool", "unit"))


def _governed_by_stopped_service(plan: Plan, decision: Decision) -> bool:
    return (
        _layout(plan) == "ktune"
        and decision.setting == "governor"
        and plan.value("cpuspeed-service") == "off"
    )


def _left_out(plan: Plan) -> dict[str, str]:
    """The OS settings that the profile does not express, and why."""
    table, reasons = data(package), {}
    for decision in _os(plan):
        by_hand = table["by-hand"].get(decision.setting, {}).get(decision.value)
        if _governed_by_stopped_service(plan, decision):
            reasons[decision.setting] = (
                "tuned 0.2 sets the governor by restarting the cpuspeed service, which this plan keeps stopped"
            )
        elif by_hand or not _is_expressed(plan, decision):
            reasons[decision.setting] = (
                by_hand
                or table["left-out"].get(decision.setting)
                or f"tuned has no word for `{decision.setting}`"
            )
    return reasons


def lower(plan: Plan) -> Lowered[TunedProfile | Ktune]:
    """The profile of a plan whose OS has tuned."""
    left_out = _left_out(plan)
    asked = tuple(d for d in _os(plan) if d.setting not in left_out)
    if not asked:
        return Lowered(None, frozenset(), left_out)
    if _layout(plan) == "ktune":
        return Lowered(_ktune(plan, asked), frozenset(d.setting for d in asked), left_out)
    lines = [option for decision in asked for option in _options(plan, decision)]
    options = [option for option in lines if option.section != MAIN]
    included = next((option.value for option in lines if option.section == MAIN), "")
    cards = card_values(plan, asked)
    masks = masked_units(plan, asked)
    if not (lines or cards or masks):
        why = "the profile has no other line, and this value is the absence of one"
        return Lowered(None, frozenset(), left_out | {decision.setting: why for decision in asked})
    no_limit = _no_limit(plan, options)
    profile = TunedProfile(
        **_common(plan),
        options=(*options, *_neutral(options), *no_limit),
        included=included,
        dropped=_dropped(asked) if included else (),
        cards=cards,
        masks=masks,
    )
    expressed = {decision.setting for decision in asked} | {option.setting for option in no_limit}
    return Lowered(profile, frozenset(expressed), left_out)


def _dropped(decisions: tuple[Decision, ...]) -> tuple[Dropped, ...]:
    """What a plan leaves out of the profile that it builds on: what its own values have no line for, and the lines of
    other sections for the same value of the kernel.
    """
    values = (
        (interface, spelled)
        for decision in decisions
        for interface in ("tuned", *_FILES)
        for spelled in decision.spelled_in(interface)
    )
    sections: dict[str, dict[str, None]] = {}
    for interface, spelled in values:
        for section, names in _by_section(_left_out_by(interface, spelled)).items():
            sections.setdefault(section, {}).update(dict.fromkeys(names))
    return tuple(Dropped(section=section, names=tuple(sorted(names))) for section, names in sections.items())


def _left_out_by(interface: str, spelled: SpelledValue) -> tuple[str, ...]:
    """The lines of that profile that a value leaves out: `[vm] dirty_bytes`."""
    others = (other for name in spelled.names for other in data(package)["also"].get(name, ()))
    absent = spelled.names if spelled.is_absent else ()
    return (*(absent if interface == "tuned" else (f"[{interface}] {name}" for name in absent)), *others)


def _common(plan: Plan) -> dict[str, Any]:
    """What both layouts have."""
    return {
        "name": f"setpoint-{plan.policy}",
        "policy": plan.policy,
        "purpose": ", ".join(f"{f.name} {f.value}" for f in plan.intent),
        "identification": identification(plan),
    }


def _neutral(options: list[TunedOption]) -> Iterator[TunedOption]:
    """The options that keep a section from doing what the plan did not decide: see the package's essay."""
    what = "Keeps tuned's dynamic tuning from managing these devices"
    first = {option.section: option.setting for option in reversed(options)}
    for section, added in data(package)["neutral"].items():
        for name, value in added.items() if section in first else ():
            yield TunedOption(
                setting=first[section],
                section=section,
                names=(name,),
                value=value,
                reason=f"{what} (for {first[section]})",
            )


def _no_limit(plan: Plan, asked: list[TunedOption]) -> list[TunedOption]:
    """A neutral limit of idle states, if the plan has none and a [cpu] section would add one: see the package's
    essay."""
    decision = plan.setting("force-latency")
    if decision is None or decision.unwritten in ("", "unknown") or decision.value != "none":
        return []
    options = _options(plan, decision)
    if not {option.section for option in asked} & {option.section for option in options}:
        return []
    why = "The plan limits no idle state; by itself tuned would (dynamic tuning asks for 100 or 1000 us)"
    return [option.replaced(reason=why) for option in options]


def _ktune(plan: Plan, decisions: tuple[Decision, ...]) -> Ktune:
    steps: list[Step] = []
    sysctls: list[Sysctl] = []
    for decision in decisions:
        row = data(package)["ktune"].get(decision.setting)
        if row is None:
            sysctls.extend(_ktune_sysctls(plan, decision))
            continue
        steps.append(
            Step(
                setting=decision.setting,
                does=row["does"],
                undoes=row["undoes"],
                value=row.get("values", {}).get(decision.value, decision.value),
                reason=ascii_reason(plan, decision),
                checks=row.get("checks", "value"),
                files=tuple(row["files"]),
            )
        )
    return Ktune(**_common(plan), steps=tuple(steps), sysctls=tuple(sysctls))


def _ktune_sysctls(plan: Plan, decision: Decision) -> tuple[Sysctl, ...]:
    return tuple(
        Sysctl(
            setting=decision.setting,
            name=name,
            value=spelled.text or "",
            reason=ascii_reason(plan, decision),
            checks="value",
            files=(file_of_sysctl(name),),
        )
        for spelled in _present(decision, "sysctl")
        for name in spelled.names
    )
