"""BIOS settings in the commands of scripts, in notes with such commands, and in files of commands.

    iLOrest         ilorest set NAME=VALUE NAME=VALUE, of what a line before or an option selects
    curl            a body with "Attributes"
    our own plans   want SETTING NAME VALUE
    others          by the forms of a table of the library (`stdlib/texts.toml`), such as racadm's and OneCLI's

Each command is an entry. A line without one is counted as not read, unless it is a comment.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from setpoint.compiler.diagnostics.source import SourceText, Span, lines_of
from setpoint.compiler.entries.carried import TABLE
from setpoint.compiler.entries.lines import line_span
from setpoint.compiler.entries.model import Entry
from setpoint.compiler.knowledge.library import library_table, stdlib_folder
from setpoint.compiler.record import NamedTuple

TEXT = r"""(?:"([^"]*)"|'([^']*)'|([^\s"'#;&|)`]+))"""
WANT = re.compile(rf"\s*want\s+[a-z0-9-]+\s+(?:BIOS\.[A-Za-z0-9]+\.)?([A-Za-z0-9]+)\s+{TEXT}(?:\s.*)?")
WANTED = re.compile(r"\s*want\s")

RESTFUL = re.compile(r"\b(?:ilorest|hprest)\b", re.IGNORECASE)
SELECTED = re.compile(r"(?:\bselect|--select(?:or)?)[\s=]+[\"']?([A-Za-z]+)\b")
RESTFUL_SET = re.compile(r"\bset\s(.*)")
RESTFUL_PAIR = re.compile(rf"""(?<![\w/$.-])["']?([A-Za-z][A-Za-z0-9_]*)={TEXT}""")
FIRMWARE = "bios"

CONTINUED = ("\\", " `")
"""What ends a line whose command goes on below, in shells and in PowerShell."""

MOST_JOINED = 50
"""How many lines a command may have."""

BODY = re.compile(r"""["']Attributes["']\s*:\s*\{([^{}]{1,20000})\}""")
"""The body of a request, as a command has it."""
BODY_PAIR = re.compile(r"""["']?([A-Za-z0-9_. -]{1,200}?)["']?\s*:\s*["']?([^"',]{0,400})["']?(?:,|$)""")
REQUEST = re.compile(r"\bcurl\b")

BETWEEN = re.compile(r"\s*(?:echo\b.*|(?!.*\bserveraction\b).*\bset\s.*)?")
"""A line between two commands after which the same is in force: none, one that prints, or another that sets."""

COMMENT = re.compile(r"\s*(?:#|::|rem\s|//)", re.IGNORECASE)

Found = Iterator[Entry | Span]
"""Entries, and the places of lines that nobody has read."""


class CommandForm(NamedTuple):
    """How a tool for the firmware writes an attribute and its text, on lines that have its `command`.

    `called` is what the tool calls the attribute ("" for its name). A form that `is_alone` counts only in files without
    any other form, and each command that `is_apart` is a policy of its own.
    """

    command: re.Pattern[str]
    form: re.Pattern[str]
    called: str
    is_alone: bool
    is_apart: bool

    def is_on(self, line: str) -> bool:
        """Whether a line has such a command."""
        return bool(self.command.search(line) and self.form.search(line))

    def attributes(self, line: str) -> Iterator[tuple[str, str, str]]:
        """The names and texts that a line sets, each with what the tool calls it; commas are between several."""
        for match in self.form.finditer(line) if self.command.search(line) else ():
            text = match["text"]
            text = text[1:-1] if text[:1] in ("'", '"') else text
            names = match["name"].split(",")
            for name, part in zip(names, text.split(",") if len(names) > 1 else [text], strict=False):
                yield name.replace(".", "_"), part, self.called.format(**match.groupdict())


@cache
def _forms(folder: str) -> tuple[CommandForm, ...]:
    """The forms of a library's table."""
    return tuple(
        CommandForm(
            re.compile(row.get("command", "")),
            re.compile(row["form"]),
            row["called"],
            bool(row.get("alone")),
            bool(row.get("apart")),
        )
        for row in library_table(folder, TABLE).get("carried", {}).get("forms", ())
    )


def entry(name: str, text: str, span: Span, *, path: str = "", is_name: bool = True) -> Entry:
    """An attribute with a text; `path` is what a command calls it, `is_name` says that its name is no label."""
    return Entry("attribute", name, text, f"{name} = {text}", span, is_label=True, is_name=is_name, path=path)


def has_commands(text: str) -> bool:
    """Whether a text has a command that sets firmware, and not only a comment with one."""
    lines = [line for _, line in _joined(lines_of(text)) if not COMMENT.match(line)]
    return any(RESTFUL.search(line) and RESTFUL_SET.search(line) for line in lines) or any(
        _has_command(line) for line in lines
    )


def _has_command(line: str) -> bool:
    return bool(
        WANT.fullmatch(line)
        or (REQUEST.search(line) and BODY.search(line))
        or any(form.is_on(line) for form in _forms(stdlib_folder()))
    )


def settings_of_commands(source: SourceText) -> Found:
    """The settings of a script. Of a plan that lists what it wants, the rest says for whom it is."""
    lines = lines_of(source.text)
    is_own = any(WANT.fullmatch(line) for line in lines)
    commands = list(_joined(lines))
    every = _forms(stdlib_folder())
    others = tuple(form for form in every if not form.is_alone)
    forms = others if any(form.is_on(line) for form in others for _, line in commands) else every
    selected = ""
    for number, line in commands:
        if not line.strip() or COMMENT.match(line) or (is_own and not WANTED.match(line)):
            continue
        span = line_span(source.name, number, lines[number - 1])
        if is_of_tool := bool(RESTFUL.search(line)):
            selected = match[1].lower() if (match := SELECTED.search(line)) else selected
        if is_of_tool and RESTFUL_SET.search(line):
            pairs = _pairs(line) if selected.endswith(FIRMWARE) else ()
            entries = [entry(name, text, span) for name, text in pairs]
        else:
            entries = [entry(name, text, span, path=path) for name, text, path in _commands(line, forms)]
            if any(form.is_apart and form.command.search(line) for form in forms):
                own = (f"policy {number}",)
                entries = [attribute._replace(part=-number, conditions=own) for attribute in entries]
        yield from entries
        if not entries:
            yield span


def _joined(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines with their numbers; a command that goes on is one line."""
    number, parts = 0, list[str]()
    for at, line in enumerate(lines, 1):
        number = number if parts else at
        is_open = line.endswith(CONTINUED) and len(parts) < MOST_JOINED and not COMMENT.match(line)
        parts.append(line[:-1] if is_open else line)
        if not is_open or at == len(lines):
            yield number, "".join(parts)
            parts = []


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    """The names and texts that a command sets in what is selected."""
    for command in RESTFUL_SET.finditer(line):
        yield from ((match[1], _text(match, 2)) for match in RESTFUL_PAIR.finditer(command[1]))


def _commands(line: str, forms: Iterable[CommandForm]) -> Iterator[tuple[str, str, str]]:
    """The names and texts that the commands of a line set, each with its path."""
    if match := WANT.fullmatch(line):
        yield match[1], _text(match, 2), ""
    for body in BODY.finditer(line) if REQUEST.search(line) else ():
        yield from ((pair[1].strip(), pair[2].strip(), "") for pair in BODY_PAIR.finditer(body[1]))
    for form in forms:
        yield from form.attributes(line)


def _text(match: re.Match[str], first: int) -> str:
    """The text of a command, with or without quotes."""
    return match[first] or match[first + 1] or match[first + 2] or ""
