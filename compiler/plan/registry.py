"""What a plan has of one server's registry: which it was, and what it makes of the settings.

A plan is usually for all servers with the same facts. With a registry it is for the one that the registry was read from, and
the reader of the plan must be able to see that.
"""

from setpoint.compiler.knowledge.interfaces import TypedValue
from setpoint.compiler.record import NamedTuple, distinct

ABSENT, FIXED, FEWER = "absent", "fixed", "fewer"
"""What a server's registry makes of a setting: the server does not have it, takes only the current value, or fewer values."""


@distinct
class Limited(NamedTuple):
    """A setting that the server's registry limits: `kind` is `absent`, `fixed` or `fewer`."""

    setting: str
    kind: str
    because: str


@distinct
class RegistryEntry(NamedTuple):
    """The registry of the one server that a plan is for: the name of its file, the product and BIOS version that it names.

    `limited` are the settings of which it offers less than the knowledge base. `current` has the values of the settings'
    attributes when the server was read, as far as they are given; `right` names those that have the plan's values already
    and keep them while the others are written.
    """

    file: str
    product: str
    firmware: str
    limited: tuple[Limited, ...] = ()
    current: tuple[tuple[str, TypedValue], ...] = ()
    right: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The registry in words: `registry.json (PowerEdge R740, BIOS 2.22.1)`."""
        of = ", ".join(filter(None, (self.product, f"BIOS {self.firmware}" if self.firmware else "")))
        return f"{self.file} ({of})" if of else self.file

    def limit(self, setting: str) -> Limited | None:
        """What it makes of a setting; None if it offers all of it."""
        return next((each for each in self.limited if each.setting == setting), None)

    def says(self, setting: str) -> str:
        """What it says of a setting that it limits, beginning with the registry; "" if it offers all of it."""
        limited = self.limit(setting)
        return f"{self.text}: {limited.because}" if limited else ""
