"""Words of an interface that are known: a name, or a name with a text, and what is to be said about it.

A spelling states what one value of a setting is called. Files that somebody else wrote have more words: names that are
no settings here, other words for a value, and words that do nothing, weaken the security or need another one. `words`
blocks state them, so that a configuration can be checked (`compiler/guides`). Plans do not depend on them.
"""

from setpoint.compiler.diagnostics.source import Placed
from setpoint.compiler.knowledge.boxes import Box
from setpoint.compiler.knowledge.citation import Citation
from setpoint.compiler.record import NamedTuple

REMARKS = ("ignored", "insecure", "implied", "needs", "qualified", "repeatable")
"""What can be said about a word.

`ignored`: it has no effect. `insecure`: it weakens the security. `implied`: another word has the same effect, with the
same text if both have one. `needs`: it has no effect without another word, whose text may matter. `qualified`: after
another word it is about what that one names. `repeatable`: it may be there several times.
"""

IGNORED, INSECURE, IMPLIED, NEEDS, QUALIFIED, REPEATABLE = REMARKS

WITH_OTHERS = (IMPLIED, NEEDS, QUALIFIED)
"""The remarks that name other words."""

WITH_REASON = (IGNORED, INSECURE, IMPLIED, NEEDS)
"""The remarks that give a reason."""


class KnownWord(NamedTuple):
    """A name, which may end in `*` for any end, and its text; None for any text, or none. `*` in a text stands for any
    part."""

    name: str
    text: str | None

    @property
    def written(self) -> str:
        """The word as a file has it."""
        return self.name if self.text is None else f"{self.name}={self.text}"


class KnownWords(Placed):
    """Words of an interface: what they mean, or a remark about them, or neither.

    `means` are settings, each with its value, `any` for the part of the text that `*` stands for. `others` are the
    words that a remark is about. `closed` is `when` with everything that follows from it.
    """

    name: str
    interface: str
    words: tuple[KnownWord, ...]
    means: tuple[tuple[str, str], ...]
    remark: str
    others: tuple[str, ...]
    because: str
    when: Box
    closed: Box
    citation: Citation


def word_of(text: str) -> KnownWord:
    """A word as it is written: `quiet`, `audit=0`."""
    name, equals, value = text.partition("=")
    return KnownWord(name, value if equals else None)
