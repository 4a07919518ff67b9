"""From a plan to what an iDRAC imports: the profiles, and the bodies of the Redfish actions.

A profile has texts only, whatever the type of an attribute. The same profile in JSON is not made: no command here takes
it.
"""

from typing import Literal

from setpoint.compiler.knowledge.interfaces import TypedValue, value_text
from setpoint.compiler.plan.model import Plan
from setpoint.targets._bios.attributes import spell, why_unknown
from setpoint.targets._bios.forms import FIRST, THEN, AttributeLine
from setpoint.targets._shared.forms import (
    AttributeName,
    AttributeText,
    Form,
    Lowered,
    PolicyName,
    Word,
    field,
)
from setpoint.targets._shared.identity import Identification, identification


class ServerProfile(Form):
    """A profile of the BIOS alone: its attributes."""

    attributes: dict[AttributeName, AttributeText]

    @classmethod
    def of(cls, attributes: dict[str, TypedValue]) -> "ServerProfile":
        """The profile with these attributes."""
        return cls(attributes={name: value_text(value) for name, value in attributes.items()})


class Share(Form):
    """Which components an action is about. A preview takes all of a profile's only."""

    target: tuple[Literal["BIOS", "ALL"]] = field(name="Target")


class Import(Form):
    """The body of an import, or of its preview, which has no shutdown type."""

    text: str = field(name="ImportBuffer")
    share: Share = field(name="ShareParameters")
    shutdown: Literal["NoReboot"] | None = field(default=None, name="ShutdownType")


class ServerProfiles(Form):
    """All that is imported: `first`, where there is need, with a restart of its own; then `settings`.

    `differs` are the attributes that tell whether there is need. `brought` has those of them that others bring, with
    those others: where these are right already, and it is not, the firmware has chosen otherwise.
    """

    policy: PolicyName
    platform: Word
    identification: Identification
    first: ServerProfile | None
    differs: tuple[AttributeName, ...]
    brought: dict[AttributeName, tuple[AttributeName, ...]]
    settings: ServerProfile


def unsupported_reason(plan: Plan) -> str:
    """Why the platform's controller imports no profile that is known, in a sentence; "" if it does."""
    return why_unknown(plan, "racadm", "BIOS attributes", "no Server Configuration Profile is known for {}")


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
