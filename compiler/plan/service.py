"""The Redfish service of the servers that a plan is for."""

from setpoint.compiler.knowledge.citation import Citation
from setpoint.compiler.record import NamedTuple, distinct


@distinct
class RedfishService(NamedTuple):
    """What the service offers for BIOS settings; `because` if there is none.

    `addresses` has the addresses of its resources by name, and `ways` how staged settings take effect, each with a
    firmware that was seen to do so ("" if none is named). Names are those of `compiler/knowledge/redfish.py`.
    """

    name: str
    title: str
    addresses: tuple[tuple[str, str], ...]
    ways: tuple[tuple[str, str], ...]
    because: str
    citation: Citation

    def address(self, name: str) -> str:
        """The address of a resource; "" if the service has none."""
        return dict(self.addresses).get(name, "")

    def seen(self, way: str) -> str | None:
        """A firmware that was seen to apply settings in this way, "" if none is named; None if it does not."""
        return dict(self.ways).get(way)
