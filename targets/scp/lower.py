"""From a plan to the profiles."""

from setpoint.compiler.knowledge.interfaces import TypedValue
from setpoint.compiler.plan.model import Plan
from setpoint.targets._bios.attributes import has_attributes, spell
from setpoint.targets._bios.forms import FIRST, THEN, AttributeLine
from setpoint.targets._shared.forms import Lowered
from setpoint.targets._shared.identity import identification
from setpoint.targets.scp.model import ServerProfile, ServerProfiles


def unsupported_reason(plan: Plan) -> str:
    """Why the platform's controller imports no profile that is known, in a sentence; "" if it does."""
    platform = plan.lineage("platform")
    if not platform:
        return "the policy states no platform, and BIOS attributes differ between generations"
    return (
        ""
        if has_attributes(plan, "racadm")
        else f"no Server Configuration Profile is known for {platform[0]}"
    )


def lower(plan: Plan) -> Lowered[ServerProfiles]:
    """The profiles that bring a server to the plan. `unsupported_reason` must be "" for the plan."""
    spelling = spell(plan)
    first, then = spelling.at(FIRST), spelling.at(THEN)
    if not first and not then:
        return Lowered(None, spelling.expressed, spelling.left_out)
    profiles = ServerProfiles(
        policy=plan.policy,
        platform=plan.lineage("platform")[0],
        identification=identification(plan),
        first=ServerProfile.of(_opens(first) | _attributes(first)) if first else None,
        differs=tuple(line.attribute for line in first),
        brought={line.attribute: line.set_by for line in first if line.set_by},
        settings=ServerProfile.of(_attributes(then)),
    )
    return Lowered(profiles, spelling.expressed, spelling.left_out)


def _attributes(lines: tuple[AttributeLine, ...]) -> dict[str, TypedValue]:
    return {line.attribute: line.value for line in lines}


def _opens(lines: tuple[AttributeLine, ...]) -> dict[str, TypedValue]:
    return {name: value for line in lines for name, value in line.opened_by.items()}
