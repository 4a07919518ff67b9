"""Records that others contain: citations, pins, reports of servers, what is ignored, and aliases."""

from setpoint.compiler.diagnostics.source import Placed
from setpoint.compiler.language.syntax import Name
from setpoint.compiler.record import NamedTuple


class Citation(NamedTuple):
    """A source and the place in it."""

    source: str
    at: str


class Pin(NamedTuple):
    """A commit of a repository, its day ("" if that is not stated), and the files or folders that were read there.

    Its texts have the forms that `setpoint.compiler.knowledge.pins` checks.
    """

    repository: str
    commit: str
    date: str
    files: tuple[str, ...]

    @property
    def text(self) -> str:
        """The pin in words: `https://git.example/tool at 1a2b3c4 of 2027-01-15: docs/tuning.md`."""
        of = f" of {self.date}" if self.date else ""
        files = f": {', '.join(self.files)}" if self.files else ""
        return f"{self.repository} at {self.commit}{of}{files}"


class ServerReport(NamedTuple):
    """What a server reports about itself: one of `names`, a version `since` or later, or `anything`.

    `kind` is one of `setpoint.compiler.knowledge.reported.KINDS`.
    """

    kind: str
    names: tuple[str, ...] = ()
    since: str = ""
    anything: bool = False
    citation: Citation | None = None

    @property
    def text(self) -> str:
        """The report as the language writes it: `product "PowerEdge R740"`, `kernel from "5.6"`."""
        if self.anything:
            return f"{self.kind} any"
        if self.since:
            return f'{self.kind} from "{self.since}"'
        names = ", ".join(f'"{name}"' for name in self.names)
        return f"{self.kind} {names}"


class Ignored(NamedTuple):
    """Texts that do not matter in the values of a fact as machines print them, and where such values were seen.

    In a text `*` stands for the rest of a word, and before a closing bracket for all that is before it.
    """

    texts: tuple[str, ...]
    citation: Citation | None = None


class Alias(Placed):
    """Other names of a setting or fact, or of one of its values ("" for the setting or fact itself).

    They decide nothing: messages recognise them and give the name to use. `stated` has each of the texts with its
    place, as often as it is stated.
    """

    name: str
    variable: str
    value: str
    texts: tuple[str, ...]
    stated: tuple[Name, ...]
