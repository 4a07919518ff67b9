"""Forms of knowledge that others are made of: a citation, and what a server reports of itself."""

from typing import NamedTuple

from setpoint.compiler.record import distinct


@distinct
class Citation(NamedTuple):
    """A source and the place in it."""

    source: str
    at: str


@distinct
class Reported(NamedTuple):
    """What a server reports of itself: one of `names`, a version `since` or later, or `anything`.

    `kind` is one of those of `setpoint.compiler.knowledge.reported`.
    """

    kind: str
    names: tuple[str, ...] = ()
    since: str = ""
    anything: bool = False
    citation: Citation | None = None

    @property
    def text(self) -> str:
        """As the language has it: `product "PowerEdge R740"`, `kernel from "5.6"`."""
        if self.anything:
            return f"{self.kind} any"
        if self.since:
            return f'{self.kind} from "{self.since}"'
        names = ", ".join(f'"{name}"' for name in self.names)
        return f"{self.kind} {names}"
