"""The interfaces of a system: where a setting can be written, what names and values look like there, and spellings.

A spelling says what a setting is called in an interface. What an interface accepts as a name or as a text is stated
here, so that whatever a knowledge file says becomes neither a second argument nor code in an artifact: it is checked
when the file is read (`spellings`), and reported with its place.

A line of a kernel or of a daemon has no quoting that all of its readers agree on, so names and texts there are plain
words. Only a sysctl can have several numbers, with a blank between each two. A BIOS attribute is a JSON string: it can
be any printable text, which each target quotes for its own format.
"""

import re

from setpoint.compiler.diagnostics.source import Placed
from setpoint.compiler.hints import Protocol
from setpoint.compiler.knowledge.boxes import ANY, Box
from setpoint.compiler.knowledge.citation import Citation
from setpoint.compiler.record import NamedTuple


class TextForm(Protocol):
    """The form of a name or of a text, such as a regular expression."""

    def fullmatch(self, text: str, /) -> object:
        """Something true if a text has the form."""


class Printable(NamedTuple):
    """Printable text: at least one character, and no control characters. `is_trimmed`: no blanks at its ends."""

    is_trimmed: bool = False

    def fullmatch(self, text: str, /) -> bool:
        """Whether a text has the form."""
        return bool(text) and text.isprintable() and (not self.is_trimmed or text == text.strip())


class Expression(NamedTuple):
    """A regular expression that is compiled when it is first used: a plan is made without them."""

    pattern: str

    def fullmatch(self, text: str, /) -> bool:
        """Whether a text has the form."""
        return re.fullmatch(self.pattern, text) is not None


class Interface(NamedTuple):
    """An interface: what one is called in messages, the layer of its settings, and the forms of its names and texts.

    `can_differ` says whether a file of the running system can be compared with what it must not contain. Without
    `has_texts` an interface has names only: the texts are those of another one. `has_types` says whether its texts can
    be of another type, `has_absence` whether its names can be absent, and `can_lock` whether what it sets can lock
    other settings.
    """

    title: str
    layer: str
    name: TextForm
    text: TextForm
    can_differ: bool = False
    has_texts: bool = True
    has_types: bool = False
    has_absence: bool = True
    can_lock: bool = False


INTERFACES = {
    "attribute": Interface(
        "a BIOS attribute",
        "firmware",
        Printable(is_trimmed=True),
        Printable(),
        has_types=True,
        has_absence=False,
        can_lock=True,
    ),
    "racadm": Interface(
        "a name in racadm",
        "firmware",
        Expression(r"BIOS\.[A-Za-z][A-Za-z0-9]*\.[A-Za-z][A-Za-z0-9]*"),
        Expression(r""),
        has_texts=False,
    ),
    "argument": Interface(
        "a kernel argument",
        "boot",
        Expression(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*"),
        Expression(r"[A-Za-z0-9_.,:+-]*"),
        can_differ=True,
    ),
    "drop-in": Interface(
        "an option in a drop-in of systemd",
        "os",
        Expression(r"[a-z0-9_-]+\.(service|slice|conf) \[[A-Za-z]+\] [A-Za-z]+(=[A-Z_]+)?"),
        Expression(r"[A-Za-z0-9_.,:+-]+"),
    ),
    "sysctl": Interface(
        "a sysctl",
        "os",
        Expression(r"[a-z0-9_]+(\.[a-z0-9_-]+)+"),
        Expression(r"[A-Za-z0-9_.,:+-]+|[0-9]+( [0-9]+)+"),
    ),
    "sysfs": Interface(
        "a file of /sys",
        "os",
        Expression(r"/sys(/[A-Za-z0-9_*-][A-Za-z0-9_.*-]*)+"),
        Expression(r"[A-Za-z0-9_.,:|+-]+"),
    ),
    "ethtool": Interface(
        "a parameter of network cards",
        "os",
        Expression(r"(channels|coalesce|ring) [a-z]+(-[a-z]+)*"),
        Expression(r"[A-Za-z0-9_.,:+-]+"),
    ),
    "unit": Interface(
        "a unit of systemd that is masked",
        "os",
        Expression(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.(service|socket|timer|path)"),
        Expression(r"masked"),
    ),
    "tuned": Interface(
        "an option of tuned",
        "os",
        Expression(r"\[[a-z_]+\] [A-Za-z0-9_.-]+"),
        Expression(r">?[A-Za-z0-9_.,:|+-]+%?"),
    ),
}
"""The interfaces by the word that a `spelling` begins with."""

INTEGER, BOOLEAN = "integer", "boolean"

TYPES: dict[str, TextForm] = {
    INTEGER: Expression(r"0|-?[1-9][0-9]{0,19}"),
    BOOLEAN: Expression(r"true|false"),
}
"""The types of what an interface takes, if not text, with the forms of their texts: those of JSON, in 64 bits."""

TypedValue = str | int | bool
"""What an interface takes: a text, or a number or a Boolean."""


def typed_value(text: str, kind: str) -> TypedValue:
    """What an interface takes for a text of a type, "" for text. The text has the form of the type."""
    if kind == BOOLEAN:
        return text == "true"
    return int(text) if kind == INTEGER else text


def value_text(value: object) -> str:
    """The text of what an interface takes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


SHOWN_IN = Expression(r"/(proc|sys|dev)(/[A-Za-z0-9_*-][A-Za-z0-9_.*-]*)+")
"""The files of the running system that show a setting; `*` stands for any part of a name."""

SHOWN_TEXT = Expression(r"[A-Za-z0-9_.,:+-]+")
"""What such a file contains."""

COMPARISONS = ("at-least", "first-offered", "energy-bias", "exit-latency")
"""How a file is compared if not by its whole text.

`at-least`: a number that may be higher. `first-offered`: of alternatives, the first that the system offers.
`energy-bias`: a number or a name of the processor's hint. `exit-latency`: microseconds, written as a number or as the
idle state that allows them.
"""


class SpelledText(NamedTuple):
    """What a value is in an interface: the text that the names get, None if no source has it.

    If `is_absent`, the names must not be there at all, or not with this text if it is not "".
    """

    value: str
    text: str | None
    is_absent: bool


class ShownText(NamedTuple):
    """What a file of the running system contains for a value, or does not contain (`is_same` is False)."""

    value: str
    text: str
    is_same: bool


class ShownFile(NamedTuple):
    """A file in which the running system shows a setting: what the interface was given, unless `texts` differ.

    `comparison` is how to compare, "" for the whole text.
    """

    file: str
    comparison: str
    texts: tuple[ShownText, ...]


class Spelling(Placed):
    """How an interface of the system spells a setting: `names` in it, and the text of each value.

    `interface` is one of `INTERFACES`, `type` one of `TYPES`, or "" for text. Without `texts`, each value is its own
    text. The value `any` stands for all others, and `*` in its text for the value. `closed` is `when` with everything
    that follows from it. `place` is that in its block, beginning with 0.
    """

    setting: str
    interface: str
    names: tuple[str, ...]
    texts: tuple[SpelledText, ...]
    shown: tuple[ShownFile, ...]
    when: Box
    closed: Box
    citation: Citation
    place: int
    type: str = ""

    def text_of(self, value: str, bare: str = "") -> SpelledText | None:
        """The text of a value; None if the interface does not have the value. `bare` is a number without its unit."""
        texts = {text.value: text for text in self.texts} or {ANY: SpelledText(ANY, "*", is_absent=False)}
        if value in texts or ANY not in texts:
            return texts.get(value)
        text = texts[ANY].text
        return texts[ANY]._replace(
            value=value, text=None if text is None else text.replace("*", bare or value)
        )
