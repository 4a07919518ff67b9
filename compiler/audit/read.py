"""Divide a file of settings into entries.

What a file is shows in its content, unless the command says it: JSON begins with a brace, a tuned profile has sections, a
file of sysctls has one assignment to a line, a boot line has words. Everything else is a list of BIOS settings. Nothing here
fails: what is no entry is left out, as comments are, and names that nobody knows are found by `recognise`.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from setpoint.compiler.audit.lines import assigned, is_comment, line_span, sysctl, words_of
from setpoint.compiler.audit.model import AuditedFile, Entry
from setpoint.compiler.audit.tuned import SECTION, entries_of
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.lines import lines_of
from setpoint.compiler.diagnostics.source import SourceText, Span
from setpoint.compiler.files.reading import parse_json
from setpoint.compiler.knowledge.interfaces import value_text

ARGUMENTS, SYSCTL, TUNED, BIOS = "arguments", "sysctl", "tuned", "bios"

FORMS = (ARGUMENTS, SYSCTL, TUNED, BIOS)
"""The forms of files: a kernel's boot line, a file of sysctls, a tuned profile, BIOS settings."""

MOST_ENTRIES = 5_000
"""How many entries a file may have: several times those of a list of all sysctls, or of all attributes of a BIOS."""

SYSCTL_LINE = re.compile(r"\s*-?[A-Za-z0-9_-]+([./][A-Za-z0-9_*-]+)+\s*=[^=]*")
VARIABLE = re.compile(r"\s*(?:export\s+)?(GRUB_CMDLINE[A-Z_]*|kernelopts|options)\s*[= ]\s*(.*)")
"""The lines of a boot loader's configuration that have a boot line."""
STRING = re.compile(r'"((?:[^"\\]|\\.)*+)"?(\s*:)?')
"""A text in JSON, and the colon that makes it a key. One without an end is passed over as a whole, so that no text is read twice."""

RULE = re.compile(r"[\s|:-]*")

BEFORE_ATTRIBUTES = re.compile(r" *(?:- +)?(?:attributes|settings):[ \t]*(?:#.*)?", re.IGNORECASE)
"""A key of YAML whose lines are attributes; what is beside them says when they are set, or on which servers."""

TRAILING_COMMENT = re.compile(r"\s#.*")

Knows = Callable[[str, str], bool]
"""Whether an interface has a name."""


def audited(source: SourceText, form: str, knows: Knows) -> AuditedFile:
    """The entries of a file, which is in the form named, or in that which its content shows ("").

    Raises SetpointError (E0901) if it has no entries in this form, or too many.
    """
    form = form or form_of(source.text, knows)
    entries: list[Entry] = []
    for entry in READERS[form](source):
        entries.append(entry)
        if len(entries) > MOST_ENTRIES:
            raise _refused(source.name, f"has more than {MOST_ENTRIES} settings")
    if not entries:
        raise _refused(source.name, f"has no settings, read as `{form}`")
    return AuditedFile(source.name, form, tuple(entries))


def form_of(text: str, knows: Knows) -> str:
    """The form that a text has."""
    lines = [line for line in lines_of(text) if line.strip() and not is_comment(line)]
    if text.lstrip()[:1] in ("{", "["):
        return TUNED if lines and SECTION.fullmatch(lines[0]) else BIOS
    if any(SECTION.fullmatch(line) for line in lines):
        return TUNED
    if any(VARIABLE.fullmatch(line) for line in lines):
        return ARGUMENTS
    if lines and all(SYSCTL_LINE.fullmatch(line) for line in lines):
        name = assigned(lines[0])[0].replace("/", ".")
        return SYSCTL if len(lines) > 1 or " " in lines[0].strip() or knows("sysctl", name) else ARGUMENTS
    is_list = any(re.search(r"\s[=:]\s|:\s|^\s*\|", line) for line in lines)
    return BIOS if is_list or len(lines) > 1 else ARGUMENTS


def _refused(name: str, why: str) -> SetpointError:
    at = Span(name, 1, 1, 1, 1)
    help_ = f"say what it is: `--as` {', '.join(FORMS)}"
    return SetpointError(Diagnostic("E0901", f"`{name}` {why}", at, help=(help_,)))


# --------------------------------------------------------------------------------------- a boot line


def _arguments(source: SourceText) -> Iterator[Entry]:
    """The words of boot lines. In a boot loader's configuration only those of its variables."""
    lines = lines_of(source.text)
    is_configuration = any(VARIABLE.fullmatch(line) for line in lines)
    for number, line in enumerate(lines, 1):
        if is_comment(line):
            continue
        start, end = 0, len(line)
        if is_configuration:
            found = VARIABLE.fullmatch(line)
            if found is None:
                continue
            start, end = found.span(2)
            if line[start : start + 1] in ("'", '"'):
                quote = line[start]
                start += 1
                end = closing if (closing := line.find(quote, start)) >= 0 else end
        yield from words_of(source.name, number, line, start, end)


# --------------------------------------------------------------------------------- lines of sysctls


def _sysctls(source: SourceText) -> Iterator[Entry]:
    for number, line in enumerate(lines_of(source.text), 1):
        if line.strip() and not is_comment(line) and (assignment := assigned(line))[0]:
            yield sysctl(line_span(source.name, number, line), *assignment)


# -------------------------------------------------------------------------------------- BIOS settings


def _bios(source: SourceText) -> Iterator[Entry]:
    """Attributes in JSON, or a list or table of names and values."""
    if source.text.lstrip().startswith("{"):
        yield from _attributes(source)
        return
    lines = lines_of(source.text)
    nested = _nested(lines)
    for number, line in enumerate(lines, 1):
        if is_comment(line) or RULE.fullmatch(line) or (nested and number not in nested):
            continue
        following = lines[number] if number < len(lines) else ""
        if "|" in following and RULE.fullmatch(following):
            continue  # the head of a table
        name, text = _named(TRAILING_COMMENT.sub("", line) if nested else line)
        if name:
            span = line_span(source.name, number, line)
            yield Entry("attribute", name, text, f"{name} = {text}", span, is_label=True)


def _nested(lines: list[str]) -> set[int]:
    """The numbers of the lines below a key for attributes, as YAML has them among other things; none if no key has such lines."""
    found: set[int] = set()
    above = -1
    for number, line in enumerate(lines, 1):
        if not line.strip() or is_comment(line):
            continue
        indent = len(line) - len(line.lstrip(" "))
        if above >= 0 and indent > above:
            found.add(number)
        else:
            above = indent if BEFORE_ATTRIBUTES.fullmatch(line) else -1
    return found


def _named(line: str) -> tuple[str, str]:
    """The name and the value of a line: of the first two cells of a table, or around the first `=` or `:`."""
    if line.lstrip().startswith("|"):
        name, text = [*line.strip().strip("|").split("|"), "", ""][:2]
    else:
        ends = [at for mark in "=:" if (at := line.find(mark)) >= 0]
        name, text = (line[: min(ends)].lstrip("-* \t"), line[min(ends) + 1 :]) if ends else ("", "")
    return name.strip().strip('"').strip(), text.strip().strip('",').strip()


def _attributes(source: SourceText) -> Iterator[Entry]:
    try:
        data = parse_json(source.text)
    except ValueError as error:
        raise _refused(source.name, f"is not JSON: {error}") from None
    attributes: Any = data.get("Attributes", data)
    if not isinstance(attributes, dict):
        raise _refused(source.name, "has `Attributes` that are not an object")
    places = _keys(source)
    for name, value in attributes.items():
        if isinstance(value, str | int | bool) and not name.startswith("@"):
            text = value_text(value)
            span = places.get(name, Span(source.name, 1, 1, 1, 1))
            yield Entry("attribute", name, text, f"{name} = {text}", span, is_label=True)


def _keys(source: SourceText) -> dict[str, Span]:
    """Where each key is first; those that are written with escapes are not found."""
    found: dict[str, Span] = {}
    for number, line in enumerate(lines_of(source.text), 1):
        for key in (each for each in STRING.finditer(line) if each[2]):
            found.setdefault(key[1], Span(source.name, number, key.start() + 1, number, key.end(1) + 2))
    return found


READERS: dict[str, Callable[[SourceText], Iterator[Entry]]] = {
    ARGUMENTS: _arguments,
    SYSCTL: _sysctls,
    TUNED: entries_of,
    BIOS: _bios,
}
"""The reader of each form."""
