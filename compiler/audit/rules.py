"""Rules of udev, in files of their own, in scripts and in documents: what they assign to the same devices.

A rule is a list of keys with operators. Which numbers are lost or refused beside others is in a table of the library
(`stdlib/texts.toml`); a rule that does nothing is found as lines that other programs ignore are (`unread`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Placed, SourceText
from setpoint.compiler.entries.carried import TABLE
from setpoint.compiler.knowledge.library import library_table, stdlib_folder

KEY = r"""\b[A-Z]{2,12}(?:\{[^{}\n"]{1,200}\})?[ \t]*(?:==|!=|\+=|-=|:=|=)[ \t]*[ie]?"(?:[^"\\\n]|\\[^\n]){0,500}\""""
RULE = re.compile(rf"{KEY}(?:[ \t]*,[ \t]*(?:\\\n[ \t]*)?{KEY})+")
"""A rule of at least two keys, which can go on behind a backslash."""
PART = re.compile(r"""[A-Z]+(?:\{([^{}]+)\})?[ \t]*(?:(==|!=)|\+=|-=|:=|=)[ \t]*[ie]?"((?:[^"\\]|\\.)*)\"""")


class Key(Placed):
    """A key of a rule: its attribute ("" for none), whether it compares, and the text."""

    attribute: str
    is_compared: bool
    text: str
    written: str


def rules_in(source: SourceText) -> Iterator[tuple[Key, ...]]:
    """The rules of a text, but for those in comments."""
    text, span = source.text, source.spans()
    for rule in RULE.finditer(text):
        start = text.rfind("\n", 0, rule.start()) + 1
        if text[start : rule.start()].lstrip().startswith("#"):
            continue
        parts = PART.finditer(text, *rule.span())
        yield tuple(Key(m[1] or "", bool(m[2]), m[3], m[0], span=span(*m.span())) for m in parts)


def wrong_rules(source: SourceText) -> Iterator[Diagnostic]:
    """The findings about texts that are refused, or lost (W0911)."""
    assigned: dict[tuple[str, ...], list[Key]] = {}
    for rule in rules_in(source):
        condition = tuple(key.written for key in rule if key.is_compared)
        assigned.setdefault(condition, []).extend(key for key in rule if not key.is_compared)
    limits = library_table(stdlib_folder(), TABLE).get("rules", {}).get("limits", ()) if assigned else ()
    for keys in assigned.values():
        yield from _beyond(limits, keys)


def _beyond(limits: Iterable[Mapping[str, Any]], keys: Sequence[Key]) -> Iterator[Diagnostic]:
    """The findings about texts that are refused or lost beside that of another attribute for the same devices."""
    for limit in limits:
        causes = [place for place, key in enumerate(keys) if key.attribute == limit["beside"]]
        causes = [place for place in causes if re.fullmatch(limit.get("text", ".*"), keys[place].text)]
        for place, key in enumerate(keys if causes else ()):
            is_lost = "most" not in limit and place < causes[-1]
            is_much = "most" in limit and key.text.isdecimal() and int(key.text) > limit["most"]
            if fnmatchcase(key.attribute, limit["attribute"]) and (is_lost or is_much):
                message = f"`{key.written}` may not do what is meant: {limit['because']}"
                notes, labels = (f"source: {limit['at']}",), (Label(keys[causes[-1]].span, "with this"),)
                yield Diagnostic("W0911", message, key.span, "not kept", labels, notes, (limit["help"],))
