"""Boot lines in the configurations of boot loaders: variables of shells and of U-Boot, and entries of menus.

    GRUB_CMDLINE_LINUX="WORDS"          and variables of other loaders; a text goes on behind a backslash
    options WORDS, append WORDS         entries of systemd-boot, rEFInd, extlinux and PXE
    linux PATH WORDS, kernel PATH WORDS those of GRUB and iPXE
    "TITLE" "WORDS"                     those of refind_linux.conf

What a file has for several entries of a menu, or sets in a branch, is for one of them at a time, and is a part each. A
file without such lines is a boot line itself.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from setpoint.compiler.captures.profiles import is_comment
from setpoint.compiler.diagnostics.source import SourceText, lines_of
from setpoint.compiler.entries.lines import ALONE, boot_line, words_of
from setpoint.compiler.entries.model import Entry
from setpoint.compiler.entries.modprobe import is_of_modules, module_options
from setpoint.compiler.entries.scripts import settings_of_command

HEAD = re.compile(r"\s*(?:(?:label|menuentry|title|submenu)\s|:\w+\s*$)", re.IGNORECASE)
"""What begins an entry of a menu."""

BEHIND_WORDS = re.compile(r"\s(?:\|\||&&|;)\s.*")
"""What follows a boot line in a script of a boot loader."""

UNQUOTED = "\n"
"""The quote of a text without one: it ends with its line."""

ASSIGNED = re.compile(r"\s*(?:export\s+)?(GRUB_CMDLINE[A-Z_]*)=")
ENDS = re.compile(r"\s*(?:fi|esac|done|\})\s*")
"""An assignment to a variable of a boot loader, and the end of a branch."""

FILLED_IN = re.compile(r"\$\{@[^{}\n]{0,300}\}|\{\{[^{}\n]{0,300}\}\}|\{%[^{}\n]{0,300}%\}")
"""An expression or a statement of a template or a recipe within a line."""

REFERENCE = re.compile(r"(?:\\?\$(?:\w+|\{[^{}]{1,200}\}))+")
"""A word that a variable has, which is read where that is assigned, or is filled in when the boot loader starts."""


def has_boot_lines(lines: Iterable[str]) -> bool:
    """Whether lines are a boot loader's configuration."""
    return any(boot_line(line)[0] for line in lines)


def words_of_boot_lines(source: SourceText) -> Iterator[Entry]:
    """The words of boot lines. In a boot loader's configuration only those of its lines."""
    lines = lines_of(source.text)
    if is_of_modules(lines):
        yield from module_options(source)
        return
    is_configuration = has_boot_lines(lines)
    are_several = sum(bool(HEAD.match(line)) for line in lines) > 1
    quote, part = "", 0
    for number, line in enumerate(lines, 1):
        if is_comment(line) and not quote:
            continue
        part = -number if are_several and HEAD.match(line) else part
        start, end, own = 0, len(line), part
        if quote:  # the line before goes on here
            end, quote = _end(line, start, quote)
        elif is_configuration:
            kind, start, end = boot_line(line)
            if not kind:
                yield from settings_of_command(source.name, lines, number - 1)
            if not kind or line[start:].strip("\"'").startswith("$("):
                continue  # a command, or what a program answers
            quote = line[start : start + 1] if line[start : start + 1] in ("'", '"') else UNQUOTED
            start += quote != UNQUOTED
            end, quote = (end, "") if end < len(line) else _end(line, start, quote)
            own = -number if kind == ALONE else part
        behind = BEHIND_WORDS.search(line, start, end)
        for word in words_of(source.name, number, line, start, behind.start() if behind else end):
            if not (is_configuration and REFERENCE.fullmatch(word.written)):
                yield word._replace(part=own)


def _end(line: str, start: int, quote: str) -> tuple[int, str]:
    """Where a text ends on a line, but for quotes of templates, and the quote if the next line goes on."""
    closing = FILLED_IN.sub(lambda match: " " * len(match[0]), line).find(quote, start)
    if closing < 0 and line.endswith("\\"):
        return len(line) - 1, quote
    return (closing if closing >= 0 else len(line)), ""


def of_variables(lines: list[str]) -> dict[int, tuple[str, ...]]:
    """The conditions of a boot loader's configuration: a line that is assigned again below holds for nobody."""
    return {number: (f"assigned {number}",) for number, _ in replaced_lines(lines)}


def replaced_lines(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The lines that assign a variable of a boot loader, each with the last one that replaces it."""
    if any(ENDS.fullmatch(line) for line in lines):
        return  # a branch of a script
    last: dict[str, int] = {}
    for number, line in reversed(list(enumerate(lines, 1))):
        match = None if is_comment(line) else ASSIGNED.match(line)
        if match is None:
            continue
        if match[1] in last:
            yield number, last[match[1]]
        elif f"${match[1]}" not in line and f"${{{match[1]}" not in line:
            last[match[1]] = number
