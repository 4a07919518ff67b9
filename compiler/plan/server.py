"""What a plan says of its servers: what they must report, their Redfish service, and the registry of one server.

A plan is usually for all servers with the same facts. With a registry it is for the one that the registry was read
from, and the reader of the plan must be able to see that.
"""

from collections.abc import Iterable

from setpoint.compiler.knowledge.citation import Citation
from setpoint.compiler.knowledge.interfaces import TypedValue
from setpoint.compiler.record import NamedTuple

ABSENT, FIXED, FEWER = "absent", "fixed", "fewer"
"""What a server's registry makes of a setting: it is absent, or takes only the current value, or fewer values."""


class Identity(NamedTuple):
    """What a server must report because of a fact of the plan: one of `names`, or a version of `since` or later.

    `kind` is what it reports: `product`, `processor`, `sockets`, `system`, `distribution` or `kernel`. `origin` is that
    of the fact.
    With neither a name nor a version there is nothing to compare.
    """

    kind: str
    fact: str
    value: str
    origin: str
    names: tuple[str, ...]
    since: tuple[str, ...]

    @property
    def is_compared(self) -> bool:
        """Whether there is anything to compare with."""
        return bool(self.names or self.since)

    @property
    def accepted(self) -> str:
        """The accepted reports, in words; "" if there is nothing to compare with."""
        return accepted_reports_text(self.names, self.since)


def accepted_reports_text(names: Iterable[str], since: Iterable[str]) -> str:
    """These names and versions as what is accepted, in words."""
    return " or ".join([*names, *(f"{version} or later" for version in since)])


class RedfishService(NamedTuple):
    """What the service offers for BIOS settings; `because` if there is none.

    `addresses` has the addresses of its resources by name, and `ways` how staged settings take effect, each with a
    firmware that was seen to do so ("" if none is named). `reported` are words that only some services say, each
    with what it means. Names and meanings are those of `compiler/knowledge/redfish.py`.
    """

    name: str
    title: str
    addresses: tuple[tuple[str, str], ...]
    ways: tuple[tuple[str, str], ...]
    because: str
    reported: tuple[tuple[str, str], ...]
    citation: Citation

    def address(self, name: str) -> str:
        """The address of a resource; "" if the service has none."""
        return dict(self.addresses).get(name, "")

    def seen(self, way: str) -> str | None:
        """A firmware that was seen to apply settings in this way, "" if none is named; None if it does not."""
        return dict(self.ways).get(way)


class Limited(NamedTuple):
    """A setting that the server's registry limits: `kind` is `absent`, `fixed` or `fewer`."""

    setting: str
    kind: str
    because: str


class RegistryEntry(NamedTuple):
    """The registry of the one server that a plan is for: its file's name, and the product and BIOS version in it.

    `limited` are the settings of which it offers less than the knowledge base. `current` has the values of the
    settings' attributes when the server was read, as far as they are given; `right` names those that have the plan's
    values already and keep them while the others are written.
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
        return next((limit for limit in self.limited if limit.setting == setting), None)

    def says(self, setting: str) -> str:
        """What it says of a setting that it limits, beginning with the registry; "" if it offers all of it."""
        limited = self.limit(setting)
        return f"{self.text}: {limited.because}" if limited else ""
