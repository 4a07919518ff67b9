"""What an iDRAC imports: the profiles, and the bodies of the Redfish actions.

A profile has texts only, whatever the type of an attribute: exports have numbers in quotes, too. XML and JSON quote them.
"""

from typing import Literal

from setpoint.compiler.knowledge.interfaces import TypedValue, value_text
from setpoint.targets._shared.forms import AttributeName, AttributeText, Form, PolicyName, Word, field
from setpoint.targets._shared.identity import Identification


class ProfileSetting(Form):
    """An attribute in JSON. Without `Set On Import` an import would pass it over."""

    name: AttributeName = field(name="Name")
    value: AttributeText = field(name="Value")
    on_import: Literal["True"] = field(default="True", name="Set On Import")


class ProfileComponent(Form):
    """The BIOS."""

    fqdd: Literal["BIOS.Setup.1-1"] = field(default="BIOS.Setup.1-1", name="FQDD")
    attributes: tuple[ProfileSetting, ...] = field(name="Attributes")


class ServerProfile(Form):
    """A profile of the BIOS alone."""

    components: tuple[ProfileComponent] = field(name="Components")

    @classmethod
    def of(cls, attributes: dict[str, TypedValue]) -> "ServerProfile":
        """The profile with these attributes."""
        settings = tuple(
            ProfileSetting(name=name, value=value_text(value)) for name, value in attributes.items()
        )
        return cls(components=(ProfileComponent(attributes=settings),))


class Document(Form):
    """The JSON of a profile."""

    profile: ServerProfile = field(name="SystemConfiguration")


class Share(Form):
    """Which components an action is about. A preview takes all of a profile's only."""

    target: tuple[Literal["BIOS", "ALL"]] = field(name="Target")


class Import(Form):
    """The body of an import, or of its preview, which has neither shutdown type nor power state."""

    text: str = field(name="ImportBuffer")
    share: Share = field(name="ShareParameters")
    shutdown: Literal["NoReboot", "Graceful"] | None = field(default=None, name="ShutdownType")
    power: Literal["On"] | None = field(default=None, name="HostPowerState")


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
