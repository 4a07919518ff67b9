"""A tuned profile: its sections, its options, and the entries that these are.

Options of some sections are written elsewhere, by tuned's plugins: those of `sysctl`, of `sysfs` and of the boot loader
are entries of what reads them. A text can have variables, which tuned replaces; those that the profile itself defines
are replaced here as well (`variables`). How a profile is divided is in `captures.profiles`, and what it takes over from
others in `inherited`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from setpoint.compiler.captures.profiles import (
    CONDITIONS,
    INCLUDE,
    MAIN,
    OF_UNITS,
    SECTION,
    TYPE,
    VARIABLES,
    ProfileOption,
    assigned,
    is_enabled,
    options_of,
    profiles_in,
    units_of,
)
from setpoint.compiler.diagnostics.source import SourceText, Span
from setpoint.compiler.entries.carried import Dialect, carried
from setpoint.compiler.entries.lines import line_span, sysctl, words_of
from setpoint.compiler.entries.model import Entry
from setpoint.compiler.entries.variables import expanded, values_of

PARAMETER = re.compile(r"([a-z-]+)[\s:;,]+([a-z0-9]+)(?:[\s:;,]+|$)")
PARAMETERS = re.compile(rf"(channels|coalesce|ring) ((?:{PARAMETER.pattern})+)")
"""The options of a profile for network cards, which have names and values in turns."""

AT_LEAST, ADDED, REMOVED = ">", "+", "-"
"""What a profile writes before a number that a sysctl is raised to, and before words that are added to or removed from
a boot line."""


def is_profile(lines: Iterable[str]) -> bool:
    """Whether lines have sections of a profile, and not those of another file."""
    lines = list(lines)
    heads = {head[1] for line in lines if (head := SECTION.fullmatch(line))}
    heads |= {text for name, text in map(assigned, lines) if heads and name == TYPE}
    known = carried()
    of_dialects = {name for dialect in known.dialects for name in (*dialect.marks, *dialect.sections)}
    return bool(heads & {MAIN, VARIABLES, *known.plugins.options, *known.plugins.open, *of_dialects})


def dialect_of(options: Iterable[ProfileOption]) -> Dialect | None:
    """The tool that a profile is of, by its sections; None for tuned."""
    sections = {option.section.partition(":")[0] for option in options}
    return next((dialect for dialect in carried().dialects if dialect.marks & sections), None)


def _entries_in(dialect: Dialect, file: str, options: Iterable[ProfileOption]) -> Iterator[Entry | Span]:
    """The entries of a profile for another tool, of the sections that are known; what is in others is not read."""
    for option in options:
        section, _, condition = option.section.partition(":")
        kind = dialect.sections.get(section) if option.text else None
        span = line_span(file, option.number, option.line)
        if kind is None:
            yield span
            continue
        entry = sysctl(span, option.name, option.text)
        if kind != "sysctl":
            name = f"/sys/{option.name.removeprefix('/sys/')}" if kind == "sysfs" else option.name
            entry = Entry(kind, name, option.text, f"{option.name}={option.text}", span)
        yield entry._replace(is_conditional=bool(condition))


def entries_of(source: SourceText) -> Iterator[Entry | Span]:
    """The entries of a profile."""
    options = options_of(source.text)
    dialect = dialect_of(options)
    if dialect is not None:
        yield from _entries_in(dialect, source.name, options)
        return
    units = units_of(options)
    variables = values_of((option.name, option.text) for option in options if option.section == VARIABLES)
    for option in options:
        if option.name not in OF_UNITS and is_enabled(units[option.section]):
            yield from entries(source.name, option, units[option.section], variables)


def entries(
    file: str, option: ProfileOption, unit: Mapping[str, str], variables: Mapping[str, str]
) -> Iterator[Entry]:
    """The entries of an option, with its variables replaced; `unit` is what its section says of itself."""
    kind = unit.get(TYPE, option.section)
    is_conditional = not CONDITIONS.isdisjoint(unit)
    span = line_span(file, option.number, option.line)
    text = expanded(option.text, variables) if kind != VARIABLES else option.text
    for entry in _option(kind, option._replace(text=text), span):
        written = f"{INCLUDE}={option.via}" if option.via else entry.written
        yield entry._replace(is_conditional=is_conditional, written=written)


def _option(kind: str, option: ProfileOption, span: Span) -> Iterator[Entry]:
    """An option of a plugin as entries, each the whole line, but for words of a boot line."""
    written, text = option.line.strip(), option.text
    if kind == "sysctl" and f"[{kind}] {option.name}" not in carried().refused:
        value = _unquoted(text)
        entry = sysctl(span, option.name, value.removeprefix(AT_LEAST).strip())
        yield entry._replace(written=f"{option.name} ={value}") if value.startswith(AT_LEAST) else entry
    elif kind == "bootloader" and option.name.startswith("cmdline"):
        if not text.startswith(REMOVED):
            yield from _words(option, span)
    elif kind == "net" and (match := PARAMETERS.fullmatch(f"{option.name} {text}")):
        for name, value in PARAMETER.findall(match[2]):
            yield Entry("ethtool", f"{match[1]} {name}", value, written, span)
    elif kind == MAIN and option.name == INCLUDE:
        for name in profiles_in(text):
            yield Entry("tuned", f"[{MAIN}] {INCLUDE}", name, written, span)
    else:
        interface, name = ("sysfs", option.name) if kind == "sysfs" else ("tuned", f"[{kind}] {option.name}")
        yield Entry(interface, name, text, written, span)


def _words(option: ProfileOption, span: Span) -> Iterator[Entry]:
    """The words that an option adds to a boot line: at their places, unless a variable has brought them."""
    start = (
        option.line.find(option.text, option.line.index("=") + 1) if option.text and not option.via else -1
    )
    if start >= 0:
        end = start + len(option.text)
        yield from words_of(span.file, option.number, option.line, start + option.text.startswith(ADDED), end)
        return
    text = option.text.removeprefix(ADDED)
    for entry in words_of(span.file, option.number, text, 0, len(text)):
        yield entry._replace(span=span)


def _unquoted(text: str) -> str:
    """A text without the quotes around it, which the plugin for sysctls takes away."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
