"""The interfaces of a system: where a setting can be written, what names and values look like there, and spellings.

A spelling says what a setting is called in an interface. What an interface accepts as a name or as a text is stated here,
so that whatever a knowledge file says becomes neither a second argument nor code in an artifact: it is checked when the
file is read (`spellings`), and reported with its place.
"""

import re
from typing import NamedTuple

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.boxes import ANY, Box
from setpoint.compiler.knowledge.citation import Citation
from setpoint.compiler.record import distinct


@distinct
class Interface(NamedTuple):
    """An interface: what one is called in messages, the layer of its settings, and the forms of its names and texts.

    `can_differ` says whether a file of the running system can be compared with what it must not contain. Without
    `has_texts` an interface has names only: the texts are those of another one.
    """

    title: str
    layer: str
    name: re.Pattern[str]
    text: re.Pattern[str]
    can_differ: bool = False
    has_texts: bool = True


INTERFACES = {
    "attribute": Interface(
        "a BIOS attribute",
        "firmware",
        re.compile(r"[A-Za-z][A-Za-z0-9]*"),
        re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*"),
    ),
    "racadm": Interface(
        "a name in racadm",
        "firmware",
        re.compile(r"BIOS\.[A-Za-z][A-Za-z0-9]*\.[A-Za-z][A-Za-z0-9]*"),
        re.compile(r""),
        has_texts=False,
    ),
    "argument": Interface(
        "a kernel argument",
        "boot",
        re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*"),
        re.compile(r"[A-Za-z0-9_.,:+-]*"),
        can_differ=True,
    ),
    "sysctl": Interface(
        "a sysctl",
        "os",
        re.compile(r"[a-z0-9_]+(\.[a-z0-9_-]+)+"),
        re.compile(r"[A-Za-z0-9_.,:+-]+"),
    ),
    "sysfs": Interface(
        "a file of /sys",
        "os",
        re.compile(r"/sys(/[A-Za-z0-9_*-][A-Za-z0-9_.*-]*)+"),
        re.compile(r"[A-Za-z0-9_.,:+-]+"),
    ),
    "tuned": Interface(
        "an option of tuned",
        "os",
        re.compile(r"\[[a-z_]+\] [A-Za-z0-9_.-]+"),
        re.compile(r">?[A-Za-z0-9_.,:|+-]+"),
    ),
}
"""The interfaces by the word that a `spelling` begins with."""

SHOWN_IN = re.compile(r"/(proc|sys|dev)(/[A-Za-z0-9_*-][A-Za-z0-9_.*-]*)+")
"""The files of the running system that show a setting; `*` stands for any part of a name."""

COMPARISONS = ("at-least", "first-offered", "energy-bias", "exit-latency")
"""How a file is compared if not by its whole text.

`at-least`: a number that may be higher. `first-offered`: of alternatives, the first that the system offers. `energy-bias`:
a number or a name of the processor's hint. `exit-latency`: microseconds, written as a number or as the idle state that allows them.
"""


@distinct
class SpelledText(NamedTuple):
    """What a value is in an interface: the text that the names get, None if no source has it.

    If `is_absent`, the names must not be there at all, or not with this text if it is not "".
    """

    value: str
    text: str | None
    is_absent: bool


@distinct
class ShownText(NamedTuple):
    """What a file of the running system contains for a value, or does not contain (`is_same` is False)."""

    value: str
    text: str
    is_same: bool


@distinct
class ShownFile(NamedTuple):
    """A file in which the running system shows a setting: what the interface was given, unless `texts` differ.

    `comparison` is how to compare, "" for the whole text.
    """

    file: str
    comparison: str
    texts: tuple[ShownText, ...]


@distinct
class Spelling(NamedTuple):
    """How an interface of the system spells a setting: `names` in it, and the text of each value.

    `interface` is one of `INTERFACES`. Without `texts`, each value is its own text.
    The value `any` stands for all others, and `*` in its text for the value. `closed` is `when` with everything that
    follows from it. `place` is that in its block, beginning with 0.
    """

    setting: str
    interface: str
    names: tuple[str, ...]
    texts: tuple[SpelledText, ...]
    shown: tuple[ShownFile, ...]
    when: Box
    closed: Box
    citation: Citation
    span: Span
    place: int

    def text_of(self, value: str, bare: str = "") -> SpelledText | None:
        """The text of a value; None if the interface does not have the value. `bare` is a number without its unit."""
        texts = {text.value: text for text in self.texts} or {ANY: SpelledText(ANY, "*", is_absent=False)}
        if value in texts or ANY not in texts:
            return texts.get(value)
        return texts[ANY]._replace(value=value, text=(texts[ANY].text or "").replace("*", bare or value))
