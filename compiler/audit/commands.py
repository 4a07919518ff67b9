"""BIOS settings in the commands of scripts, in notes with such commands, and in files of commands.

    racadm          racadm set BIOS.GROUP.NAME VALUE; a tool's name may be a variable, and a list may have what follows
    `set` alone syscfg          syscfg --NAME=VALUE --NAME=VALUE OneCLI, ASU     onecli config set GROUP.NAME VALUE, asu
    set GROUP.NAME VALUE, and lines `set GROUP.NAME VALUE` of a file of commands iLOrest         ilorest set NAME=VALUE
    NAME=VALUE, of what a line before or an option selects others          a client of Redfish with --attr_name NAME
    --attr_value VALUE, -an NAME -av VALUE or --attribute NAME VALUE curl            a body with "Attributes"
    our own plans   want SETTING NAME VALUE
    others          by the forms of the library's table (`texts`), such as omconfig's and UCS's

Each command is an entry. A line without one is counted as not read, unless it is a comment.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from setpoint.compiler.audit.lines import line_span
from setpoint.compiler.audit.model import MOST_REPEATED, Entry
from setpoint.compiler.audit.texts import texts
from setpoint.compiler.captures.blocks import indent_of
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import SourceText, Span, lines_of

TEXT = r"""(?:"([^"]*)"|'([^']*)'|([^\s"'#;&|)`]+))"""
RACADM = re.compile(
    rf"\bset\s+(?:--?[a-z]+\s+)*(bios\.([a-z0-9]+)(?:\.\d+)?\.([A-Za-z0-9]+))(?:\s*=\s*|\s+){TEXT}",
    re.IGNORECASE,
)
GROUPED = r"([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+)"
ONECLI = re.compile(rf"\b(?:config|p?asu(?:64)?)\s+(?:[a-z]+\s+)?set\s+{GROUPED}(?:\s*=\s*|\s+){TEXT}")
BATCH = re.compile(rf"\s*set\s+{GROUPED}\s+{TEXT}\s*")
"""A line of a file of commands, which is only one where no other tool's commands are."""

ATTRIBUTE = re.compile(
    rf"\s*(bios\.([a-z0-9]+)(?:\.\d+)?\.([A-Za-z0-9]+))(?:\s*=\s*|\s+){TEXT}\s*", re.IGNORECASE
)
"""A line that a script hands to a command: an attribute by its path, and its text."""

WANT = re.compile(rf"\s*want\s+[a-z0-9-]+\s+(?:BIOS\.[A-Za-z0-9]+\.)?([A-Za-z0-9]+)\s+{TEXT}(?:\s.*)?")
WANTED = re.compile(r"\s*want\s")
SYSCFG = re.compile(rf"\s--([A-Za-z][A-Za-z0-9]*)=(?!\$){TEXT}")
IS_SYSCFG = re.compile(r"\bsyscfg\b")

RESTFUL = re.compile(r"\b(?:ilorest|hprest)\b", re.IGNORECASE)
SELECTED = re.compile(r"(?:\bselect|--select(?:or)?)[\s=]+[\"']?([A-Za-z]+)\b")
RESTFUL_SET = re.compile(r"\bset\s(.*)")
RESTFUL_PAIR = re.compile(rf"""(?<![\w/$.-])["']?([A-Za-z][A-Za-z0-9_]*)={TEXT}""")
FIRMWARE = "bios"

CONTINUED = ("\\", " `")
"""What ends a line whose command goes on below, in shells and in PowerShell."""

MOST_JOINED = 50
"""How many lines a command may have."""

NAMES_AND_VALUES = re.compile(
    r"\s(?:-an|--attr(?:ibute)?[_-]names?)[\s=]+[\"']?([\w,]+)[\"']?\s+(?:-av|--attr(?:ibute)?[_-]values?)[\s=]+[\"']?([^\s\"']+)"
)
NAME_AND_VALUE = re.compile(rf"\s--attribute[\s=]+[\"']?([A-Za-z]\w*)[\"']?\s+{TEXT}")
"""The options of clients of Redfish: names and values, each with commas between them, or one of each."""

BODY = re.compile(r"""["']Attributes["']\s*:\s*\{([^{}]{1,20000})\}""")
"""The body of a request, as a command has it."""
BODY_PAIR = re.compile(r"""["']?([A-Za-z0-9_. -]{1,200}?)["']?\s*:\s*["']?([^"',]{0,400})["']?(?:,|$)""")
REQUEST = re.compile(r"\bcurl\b")

BETWEEN = re.compile(r"\s*(?:echo\b.*|(?!.*\bserveraction\b).*\bset\s.*)?")
"""A line between two commands after which the same is in force: none, one that prints, or another that sets."""

COMMENT = re.compile(r"\s*(?:#|::|rem\s|//)", re.IGNORECASE)

Found = Iterator[Entry | Span]
"""Entries, and the places of lines that nobody has read."""


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
        RACADM.search(line)
        or ATTRIBUTE.fullmatch(line)
        or ONECLI.search(line)
        or WANT.fullmatch(line)
        or BATCH.fullmatch(line)
        or NAMES_AND_VALUES.search(line)
        or NAME_AND_VALUE.search(line)
        or (IS_SYSCFG.search(line) and SYSCFG.search(line))
        or (REQUEST.search(line) and BODY.search(line))
        or any(command.search(line) and form.search(line) for command, form, _ in texts().carried.forms)
    )


def left_pending(source: SourceText, entries: Iterable[Entry]) -> Iterator[Diagnostic]:
    """The findings about commands, by which a text has these entries, whose values a restart does not write into the
    firmware: nothing asks for that, or it was asked for before, and the controller refuses them meanwhile (W0908)."""
    pending = texts().carried.pending
    lines = [("" if COMMENT.match(line) else line) for line in lines_of(source.text)]
    numbers = (command.span.line for command in entries) if pending else ()
    places = [number for number in numbers if _is(pending["set"], lines[number - 1])]
    if not places:
        return
    is_restarted = any(_is(pending[form], line) for form in ("restart", "other_job") for line in lines)
    jobs = [number for number, line in enumerate(lines, 1) if _is(pending["job"], line)]
    if is_restarted and not jobs:
        yield _pending(source, places[-1], pending["unwritten"])
    for job in jobs if source.text.startswith("#!") else ():  # a note may have restarts in its prose
        late = next((number for number in places if number > job), 0)
        between = lines_of(source.text)[job : late - 1]  # what a comment says may be a restart
        is_at_once = indent_of(lines[job - 1]) == indent_of(lines[late - 1])
        is_waiting = _is(pending["waiting"], lines[job - 1]) and is_at_once
        if late and is_waiting and all(BETWEEN.fullmatch(line) for line in between):
            yield _pending(source, late, pending["late"])


def _is(form: str, line: str) -> bool:
    return bool(re.search(form, line, re.IGNORECASE))


def _pending(source: SourceText, number: int, said: Mapping[str, str]) -> Diagnostic:
    """The finding about a command, in the words of one of the library's tables."""
    line = lines_of(source.text)[number - 1]
    message = f"`{line.strip()[:MOST_REPEATED]}` {said['what']}: {said['because']}"
    span, notes = line_span(source.name, number, line), (f"source: {said['at']}",)
    return Diagnostic("W0908", message, span, "pending", (), notes, (said["help"],))


def settings_of_commands(source: SourceText) -> Found:
    """The settings of a script. Of a plan that lists what it wants, the rest says for whom it is."""
    lines = lines_of(source.text)
    is_own = any(WANT.fullmatch(line) for line in lines)
    is_batch = not any(RACADM.search(line) or ONECLI.search(line) for line in lines)
    selected = ""
    for number, line in _joined(lines):
        if not line.strip() or COMMENT.match(line) or (is_own and not WANTED.match(line)):
            continue
        span = line_span(source.name, number, lines[number - 1])
        if is_of_tool := bool(RESTFUL.search(line)):
            selected = match[1].lower() if (match := SELECTED.search(line)) else selected
        if is_of_tool and RESTFUL_SET.search(line):
            entries = (
                [entry(name, text, span) for name, text in _pairs(line)]
                if selected.endswith(FIRMWARE)
                else []
            )
        else:
            entries = [entry(name, text, span, path=path) for name, text, path in _commands(line, is_batch)]
            if any(command.pattern and command.search(line) for command, _, _ in texts().carried.forms):
                own = (-number, (f"policy {number}",))
                entries = [attribute._replace(part=own[0], conditions=own[1]) for attribute in entries]
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


def _commands(line: str, is_batch: bool) -> Iterator[tuple[str, str, str]]:
    """The names and texts that the commands of a line set, each with its path."""
    if match := WANT.fullmatch(line):
        yield match[1], _text(match, 2), ""
    listed = ATTRIBUTE.fullmatch(line)
    for match in [listed] if listed else RACADM.finditer(line):
        yield match[3], _text(match, 4), f"BIOS.{match[2]}.{match[3]}"
    for match in ONECLI.finditer(line):
        yield match[1].replace(".", "_"), _text(match, 2), match[1]
    if is_batch and (match := BATCH.fullmatch(line)):
        yield match[1].replace(".", "_"), _text(match, 2), match[1]
    for match in NAMES_AND_VALUES.finditer(line):
        yield from (
            (name, text, "") for name, text in zip(match[1].split(","), match[2].split(","), strict=False)
        )
    for match in NAME_AND_VALUE.finditer(line):
        yield match[1], _text(match, 2), ""
    for body in BODY.finditer(line) if REQUEST.search(line) else ():
        yield from ((pair[1].strip(), pair[2].strip(), "") for pair in BODY_PAIR.finditer(body[1]))
    for command, form, called in texts().carried.forms:
        for match in form.finditer(line) if command.search(line) else ():
            yield match["name"], match["text"].strip("\"'"), called.format(name=match["name"])
    if IS_SYSCFG.search(line):
        yield from ((match[1], _text(match, 2), f"--{match[1]}") for match in SYSCFG.finditer(line))


def _text(match: re.Match[str], first: int) -> str:
    """The text of a command, with or without quotes."""
    return match[first] or match[first + 1] or match[first + 2] or ""
