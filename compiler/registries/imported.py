"""What an import makes of a registry: the settings of a server, and what its values do to one another.

INVARIANT: names of settings are unique, and usable in the language; a cell or a limit names only attributes that are
imported, with values that they have.
"""

from setpoint.compiler.record import NamedTuple
from setpoint.compiler.registries.model import WRITE_ONLY, Attribute, Scalar

MAPPED, NEW, DESCRIBED = "mapped", "new", "described"
"""The origin of a setting: one of the library, of the import's own, or one that the library has on this server
already."""


class ImportedValue(NamedTuple):
    """A value: its name in the language, the service's text, and the menu's label ("" for none).

    `is_added` says that the library's setting does not have it yet.
    """

    name: str
    value: Scalar
    label: str
    is_added: bool = False


class ImportedSetting(NamedTuple):
    """An attribute as a setting. Without `values` it takes numbers. `default` is a value's name, "" if unknown.

    `reviews` are the reasons for somebody to look at it. `along` are the other attributes that the library writes the
    same setting to on this server. `is_spelt` says that the library has the attribute of a setting that it describes:
    of some servers it has the menu alone.
    """

    name: str
    origin: str
    attribute: Attribute
    values: tuple[ImportedValue, ...]
    default: str
    reviews: tuple[str, ...]
    along: tuple[Attribute, ...] = ()
    is_spelt: bool = True

    @property
    def is_new_action(self) -> bool:
        """Whether it is a one-time action that the import declares: the registry has it as write-only, which DMTF's
        schema AttributeRegistry explains as an attribute that reverts to its initial value after settings are applied.
        """
        return self.origin == NEW and WRITE_ONLY in self.attribute.flags

    def name_of(self, value: Scalar) -> str:
        """The name of a value of the attribute; "" if the setting does not have it."""
        if not self.values:
            lower, upper, step = numbers_of(self.attribute)
            fits = isinstance(value, int) and lower <= value <= upper and (value - lower) % step == 0
            return str(value) if fits else ""
        return next((entry.name for entry in self.values if entry.value == value), "")


class ImportedCell(NamedTuple):
    """A cell of a preset: the effect (`initially`, `kept`, or "") and the name of the value; no name if it is free."""

    effect: str
    value: str


class ImportedPreset(NamedTuple):
    """A governing setting, and its rows: the member, and a cell for each of its values."""

    governor: ImportedSetting
    rows: tuple[tuple[ImportedSetting, tuple[ImportedCell, ...]], ...]


class ImportedLimit(NamedTuple):
    """A constraint: while `cause` has one of `causes`, `setting` has one of `values` (none stated: any).

    `flag` is what firmware does with the setting: `locked`, `kept`, `hidden`, or "" for nothing more.
    """

    name: str
    cause: ImportedSetting
    causes: tuple[str, ...]
    setting: ImportedSetting
    values: tuple[str, ...]
    flag: str


class Platform(NamedTuple):
    """The server of a registry: the fact and the value that name it, and whether the library has the value.

    `product` is the name that the server reports, "" if unknown, and `product_at` its place. A new server is `within` a
    value of the library: a generation, or the model for which another name was given. `implies` has the facts, with
    values, that follow from the family and maker of the server.
    """

    fact: str
    name: str
    is_known: bool
    product: str
    firmware: str
    owner: str
    registry: str
    version: str
    product_at: str
    within: str = ""
    implies: tuple[tuple[str, str], ...] = ()


class ImportedService(NamedTuple):
    """How the server takes settings: the address of each resource by its name, and how they take effect.

    `unless` is the condition, beside the platform, that no other service is meant. `review` is the reason for somebody
    to look at it, "" for none.
    """

    addresses: tuple[tuple[str, str], ...]
    way: str
    unless: str
    review: str


class Import(NamedTuple):
    """Everything that is written. `left_out` has the attributes that are not, by reason; `notes` what else is missing.
    `service` is None if the library has one, or if no file has its addresses.
    """

    platform: Platform
    settings: tuple[ImportedSetting, ...]
    presets: tuple[ImportedPreset, ...]
    limits: tuple[ImportedLimit, ...]
    left_out: dict[str, tuple[str, ...]]
    notes: tuple[str, ...]
    service: ImportedService | None = None

    @property
    def unspelt(self) -> tuple[ImportedSetting, ...]:
        """The settings that the library describes without their attributes."""
        return tuple(setting for setting in self.of(DESCRIBED) if not setting.is_spelt)

    def of(self, origin: str) -> tuple[ImportedSetting, ...]:
        """The settings of an origin."""
        return tuple(setting for setting in self.settings if setting.origin == origin)


def numbers_of(attribute: Attribute) -> tuple[int, int, int]:
    """The numbers of an attribute: the lowest, the highest that its steps reach, and the step."""
    lower, upper, step = (bound or 0 for bound in attribute.bounds)
    step = max(step, 1)
    return lower, upper - (upper - lower) % step, step
