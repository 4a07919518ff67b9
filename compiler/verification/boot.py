"""The boot line: the words that a kernel was started with, and those that it is started with next time.

A kernel takes `-` and `_` in the names of arguments for the same, and of several arguments of one name the last one
counts, except where a name may be repeated. Quotes keep blanks together.
"""

import re
from collections.abc import Iterable

from setpoint.compiler.plan.model import Decision
from setpoint.compiler.record import NamedTuple

WORD = re.compile(r'(?:[^\s"]|"[^"]*"?)+')

ABSENT = "absent"
"""What is said of an argument that is not there, or is not to be."""


class BootWord(NamedTuple):
    """An argument that a plan decides: `text` is "" for a name alone; `is_absent` if it must not be there."""

    name: str
    text: str
    is_absent: bool

    @property
    def wanted(self) -> str:
        """The argument as it is to be, in words."""
        return ABSENT if self.is_absent else argument(self.name, self.text)


def boot_words(decision: Decision) -> tuple[BootWord, ...]:
    """The arguments of a decision."""
    return tuple(
        BootWord(name, spelled.text or "", spelled.is_absent)
        for spelled in decision.spelled_in("argument")
        for name in spelled.names
    )


def argument(name: str, text: str) -> str:
    """An argument of the boot line."""
    return f"{name}={text}" if text else name


def words_of(line: str) -> dict[str, tuple[str, ...]]:
    """The arguments of a boot line: the texts of each name, in their order. What follows `--` is not the kernel's."""
    texts: dict[str, tuple[str, ...]] = {}
    for word in WORD.findall(line):
        if word == "--":
            break
        name, _, text = word.replace('"', "").partition("=")
        key = name.replace("-", "_")
        texts[key] = (*texts.get(key, ()), text)
    return texts


def found_on(line: dict[str, tuple[str, ...]], word: BootWord) -> str:
    """What a boot line has of an argument, in words: the argument that counts, or that it is absent."""
    texts = line.get(word.name.replace("-", "_"))
    if texts is None:
        return ABSENT
    return argument(word.name, texts[-1])


def is_on(line: dict[str, tuple[str, ...]], word: BootWord) -> bool:
    """Whether a boot line is as the plan wants it."""
    texts = line.get(word.name.replace("-", "_"), ())
    if word.is_absent:
        return not texts if not word.text else texts[-1:] != (word.text,)
    return texts[-1:] == (word.text,)


def differing(line: dict[str, tuple[str, ...]], words: Iterable[BootWord]) -> tuple[BootWord, ...]:
    """The arguments that a boot line does not have as the plan wants them."""
    return tuple(word for word in words if not is_on(line, word))
