"""What a file of settings says: entries with their places, and what they mean in the knowledge base."""

from setpoint.compiler.diagnostics.source import SourceText, Span
from setpoint.compiler.record import NamedTuple

ATTRIBUTE = "attribute"
"""The interface of the firmware's settings."""

MOST_REPEATED = 200
"""How many characters of an entry are repeated where others are about."""


def plain(interface: str, name: str) -> str:
    """A name in the form in which an interface compares it: a kernel takes `-` and `_` for the same."""
    return name.replace("-", "_") if interface == "argument" else name


class Entry(NamedTuple):
    """A name in a file, with its text; None if it has none. `written` is both as they are in the file.

    `interface` is what reads them. `is_label` says that they may be words of a menu and not names of attributes,
    `is_conditional` that the file has them for some servers or devices only, `is_of_devices` that they are for the
    devices that a rule of udev names. `is_name` says that the name is an attribute's and no label, `path` what a
    command calls it ("" if that is the name). `after` has the entry before it on the same line. `part` is the number of
    the profile that has it, in a file of several, and `conditions` are those that it is written under, the outermost
    first.
    """

    interface: str
    name: str
    text: str | None
    written: str
    span: Span
    is_label: bool = False
    is_conditional: bool = False
    is_of_devices: bool = False
    after: tuple["Entry", ...] = ()
    part: int = 0
    is_name: bool = False
    path: str = ""
    conditions: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """The interface, and the name in the form in which that compares it."""
        return self.interface, plain(self.interface, self.name)

    @property
    def scope(self) -> tuple[str, int]:
        """What it is together with: the file, or one of several profiles in it."""
        return self.span.file, self.part

    def is_beside(self, other: "Entry") -> bool:
        """Whether both are in force at once, as far as their conditions tell."""
        shared = min(len(self.conditions), len(other.conditions))
        is_same_file = self.span.file == other.span.file
        return not is_same_file or self.conditions[:shared] == other.conditions[:shared]

    @property
    def is_option(self) -> bool:
        """Whether it is an option in a file for modprobe, which states the module before all options of a line."""
        return self.interface == "argument" and not self.written.startswith(self.name)

    @property
    def is_request(self) -> bool:
        """Whether it is an attribute of a request, whose name and text are compared as they stand."""
        return self.interface == ATTRIBUTE and self.is_name and not self.path

    @property
    def short(self) -> str:
        """What is written, at most `MOST_REPEATED` of it, for the thousands of messages that can repeat it."""
        return self.written if len(self.written) <= MOST_REPEATED else f"{self.written[:MOST_REPEATED]}…"


class AuditedFile(NamedTuple):
    """A file as it was read: its form, one of `read.FORMS`, its entries in order, the unread lines, and the profiles of
    tuned that it is or has, in the order of the parts of its entries."""

    source: SourceText
    form: str
    entries: tuple[Entry, ...]
    unread: tuple[Span, ...] = ()
    profiles: tuple[SourceText, ...] = ()

    @property
    def name(self) -> str:
        """What the file is called."""
        return self.source.name


Piece = Entry | Span | SourceText
"""What a reader finds in a file: an entry, a line that it cannot read, or a profile of tuned before its entries."""
