"""What the entries of a file mean in the knowledge base."""

from setpoint.compiler.entries.model import Entry
from setpoint.compiler.knowledge.model import Citation, KnownWords
from setpoint.compiler.record import NamedTuple


def source_note(citation: Citation) -> str:
    """Where it is written, as messages have it."""
    return f"source: {citation.source}, {citation.at}"


class Interpretation(NamedTuple):
    """What an entry means.

    `values` are the settings that it sets, each with its value, where they are defined, and the place in a source that
    says so. `is_known` says whether the knowledge base has its name, `has_text` whether also its text. `remarks` are
    those about it. `settings` are those that its name belongs to, with whatever text. `touched` are those that it
    brings with it, with a value that may be unknown here, as the name of a profile does.
    """

    entry: Entry
    values: tuple[tuple[str, str, Citation], ...] = ()
    is_known: bool = False
    has_text: bool = False
    remarks: tuple[KnownWords, ...] = ()
    settings: tuple[str, ...] = ()
    touched: frozenset[str] = frozenset()

    @property
    def is_collection(self) -> bool:
        """Whether one entry sets several settings, as the name of a profile does."""
        return len(self.values) > 1 or bool(self.touched)


class Stated(NamedTuple):
    """A setting that a file sets, the value, and the reading that it follows from."""

    setting: str
    value: str
    reading: Interpretation
    citation: Citation

    @property
    def entry(self) -> Entry:
        """The entry of the file."""
        return self.reading.entry
