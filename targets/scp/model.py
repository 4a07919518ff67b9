"""What an iDRAC imports: the profiles, and the bodies of the Redfish actions.

A profile has texts only, whatever the type of an attribute: exports have numbers in quotes, too. XML and JSON quote them.
"""

from typing import Literal

from pydantic import Field

from setpoint.compiler.knowledge.interfaces import TypedValue, value_text
from setpoint.targets._shared.forms import AttributeName, AttributeText, Form, PolicyName, Word
from setpoint.targets._shared.identity import Identification


class ProfileSetting(Form):
    """An attribute in JSON. Without `Set On Import` an import would pass it over."""

    name: AttributeName = Field(serialization_alias="Name")
    value: AttributeText = Field(serialization_alias="Value")
    on_import: Literal["True"] = Field(default="True", serialization_alias="Set On Import")


class ProfileComponent(Form):
    """The BIOS."""

    fqdd: Literal["BIOS.Setup.1-1"] = Field(default="BIOS.Setup.1-1", serialization_alias="FQDD")
    attributes: tuple[ProfileSetting, ...] = Field(serialization_alias="Attributes")


class ServerProfile(Form):
    """A profile of the BIOS alone."""

    components: tuple[ProfileComponent] = Field(serialization_alias="Components")

    @classmethod
    def of(cls, attributes: dict[str, TypedValue]) -> "ServerProfile":
        """The profile with these attributes."""
        settings = tuple(
            ProfileSetting(name=name, value=value_text(value)) for name, value in attributes.items()
        )
        return cls(components=(ProfileComponent(attributes=settings),))


class Document(Form):
    """The JSON of a profile."""

    profile: ServerProfile = Field(serialization_alias="SystemConfiguration")


class Share(Form):
    """Which components an action is about. A preview takes all of a profile's only."""

    target: tuple[Literal["BIOS", "ALL"]] = Field(serialization_alias="Target")


class Import(Form):
    """The body of an import, or of its preview, which has neither shutdown type nor power state."""

    text: str = Field(serialization_alias="ImportBuffer")
    share: Share = Field(serialization_alias="ShareParameters")
    shutdown: Literal["NoReboot", "Graceful"] | None = Field(default=None, serialization_alias="ShutdownType")
    power: Literal["On"] | None = Field(default=None, serialization_alias="HostPowerState")


class ServerProfiles(Form):
    """All that is imported: `first`, where there is need, with a restart of its own; then `settings`.

    `differs` are the attributes that tell whether there is need. `brought` has those of them that others bring, with those
    others: where these are right already, and it is not, the firmware has chosen otherwise.
    """

    policy: PolicyName
    platform: Word
    identification: Identification
    first: ServerProfile | None
    differs: tuple[AttributeName, ...]
    brought: dict[AttributeName, tuple[AttributeName, ...]]
    settings: ServerProfile
