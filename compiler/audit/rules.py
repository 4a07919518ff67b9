"""Rules of udev, in files of their own, in scripts and in documents: what each compares and assigns.

A rule is a list of keys with operators. udev refuses a rule as a whole whose key does not take its operator, and one
that only compares does nothing. Which key takes what is in a table of the library (`stdlib/texts.toml`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from setpoint.compiler.audit.texts import TABLE
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Placed, SourceText, Span
from setpoint.compiler.knowledge.library import library_table, stdlib_folder

KEY = r"""\b[A-Z]{2,12}(?:\{[^{}\n"]{1,200}\})?[ \t]*(?:==|!=|\+=|-=|:=|=)[ \t]*[ie]?"(?:[^"\\\n]|\\[^\n]){0,500}\""""
RULE = re.compile(rf"{KEY}(?:[ \t]*,[ \t]*(?:\\\n[ \t]*)?{KEY})+")
"""A rule of at least two keys, which can go on behind a backslash."""
PART = re.compile(r"""([A-Z]+)(?:\{([^{}]+)\})?[ \t]*(==|!=|\+=|-=|:=|=)[ \t]*[ie]?"((?:[^"\\]|\\.)*)\"""")

COMPARED = ("==", "!=")
"""The operators that compare; each other one assigns."""


Table = Mapping[str, Any]
"""The keys that are only `compared` or `assigned`, those that `run` something, and `limits` of numbers."""


class Key(Placed):
    """A key of a rule, with its attribute ("" for none), operator and text."""

    name: str
    attribute: str
    operator: str
    text: str
    written: str


def rules_in(source: SourceText) -> Iterator[tuple[Key, ...]]:
    """The rules of a text, but for those in comments."""
    text = source.text
    for rule in RULE.finditer(text):
        start = text.rfind("\n", 0, rule.start()) + 1
        if text[start : rule.start()].lstrip().startswith("#"):
            continue
        keys = []
        for part in PART.finditer(text, *rule.span()):
            line = text.count("\n", 0, part.start()) + 1
            column = part.start() - text.rfind("\n", 0, part.start())
            span = Span(source.name, line, column, line, column + len(part[0]))
            keys.append(Key(part[1], part[2] or "", part[3], part[4], part[0], span=span))
        yield tuple(keys)


def wrong_rules(source: SourceText) -> Iterator[Diagnostic]:
    """The findings about rules that do nothing (W0925), and about texts that are refused or lost (W0911)."""
    several = list(rules_in(source))
    known: Table = library_table(stdlib_folder(), TABLE).get("rules", {}) if several else {}
    rules = [rule for rule in several if any(key.name in known.get("compared", ()) for key in rule)]
    for rule in rules:
        if (wrong := _refused(known, rule) or _idle(known, rule)) is not None:
            yield wrong
    assigned: dict[tuple[str, ...], list[Key]] = {}
    for rule in rules:
        condition = tuple(key.written for key in rule if key.operator in COMPARED)
        assigned.setdefault(condition, []).extend(key for key in rule if key.operator not in COMPARED)
    for keys in assigned.values():
        yield from _beyond(known, keys)


def _refused(known: Table, rule: Sequence[Key]) -> Diagnostic | None:
    """The finding about a key that does not take its operator."""
    for key in rule:
        names = known["assigned"] if key.operator in COMPARED else known["compared"]
        if key.name in names:
            takes = "is only assigned" if key.operator in COMPARED else "is only compared, by `==` or `!=`"
            message = f"`{key.written}` makes udev ignore the whole rule: `{key.name}` {takes}"
            notes = (f"source: {known['at']}",)
            return Diagnostic("W0925", message, key.span, "not its operator", (), notes)
    return None


def _idle(known: Table, rule: Sequence[Key]) -> Diagnostic | None:
    """The finding about a rule that only compares."""
    if not all(key.operator in COMPARED and key.name not in known["run"] for key in rule):
        return None
    last = rule[-1]
    message = f"the rule does nothing: it only compares, as `{last.written}` does"
    help_ = (f"write `{last.written.replace('==', '=')}` if that is to be set, or leave the rule out",)
    return Diagnostic(
        "W0925", message, last.span, "compared, not set", (), (f"source: {known['at']}",), help_
    )


def _beyond(known: Table, keys: Sequence[Key]) -> Iterator[Diagnostic]:
    """The findings about texts that are refused or lost beside that of another attribute for the same devices."""
    for limit in known["limits"]:
        causes = [place for place, key in enumerate(keys) if key.attribute == limit["beside"]]
        causes = [place for place in causes if keys[place].text == limit.get("text", keys[place].text)]
        for place, key in enumerate(keys if causes else ()):
            is_lost = "most" not in limit and place < causes[-1]
            is_much = "most" in limit and key.text.isdecimal() and int(key.text) > limit["most"]
            if fnmatchcase(key.attribute, limit["attribute"]) and (is_lost or is_much):
                message = f"`{key.written}` may not do what is meant: {limit['because']}"
                notes, labels = (f"source: {limit['at']}",), (Label(keys[causes[-1]].span, "with this"),)
                yield Diagnostic("W0911", message, key.span, "not kept", labels, notes, (limit["help"],))
