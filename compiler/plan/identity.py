"""What a server must report to be one that a plan is for."""

from collections.abc import Iterable

from setpoint.compiler.record import NamedTuple, distinct


@distinct
class Identity(NamedTuple):
    """What a server must report because of a fact of the plan: one of `names`, or a version of `since` or later.

    `kind` is what it reports: `product`, `sockets`, `system`, `distribution` or `kernel`. `origin` is that of the fact.
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
