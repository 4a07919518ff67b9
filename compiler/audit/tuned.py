"""A tuned profile: its sections, its options, and the entries that these are.

Options of some sections are written elsewhere, by tuned's plugins: those of `sysctl`, of `sysfs` and of the boot loader
are entries of what reads them. A text can have variables, which tuned replaces; those that the profile itself defines
are replaced here as well (`variables`). How a profile is divided is in `captures.profiles`, and what it takes over from
others in `inherited`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from setpoint.compiler.audit.lines import line_span, sysctl, words_of
from setpoint.compiler.audit.model import Entry
from setpoint.compiler.audit.texts import Dialect, texts
from setpoint.compiler.audit.variables import expanded, values_of
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
    known = texts()
    of_dialects = {name for each in known.dialects for name in (*each.marks, *each.sections)}
    return bool(heads & {MAIN, VARIABLES, *known.plugins.options, *known.plugins.open, *of_dialects})


def dialect_of(options: Iterable[ProfileOption]) -> Dialect | None:
    """The tool that a profile is of, by its sections; None for tuned."""
    sections = {one.section.partition(":")[0] for one in options}
    return next((each for each in texts().dialects if each.marks & sections), None)


def _entries_in(dialect: Dialect, file: str, options: Iterable[ProfileOption]) -> Iterator[Entry | Span]:
    """The entries of a profile for another tool, of the sections that are known; what is in others is not read."""
    for one in options:
        section, _, condition = one.section.partition(":")
        kind = dialect.sections.get(section) if one.text else None
        span = line_span(file, one.number, one.line)
        if kind is None:
            yield span
            continue
        entry = sysctl(span, one.name, one.text)
        if kind != "sysctl":
            name = f"/sys/{one.name.removeprefix('/sys/')}" if kind == "sysfs" else one.name
            entry = Entry(kind, name, one.text, f"{one.name}={one.text}", span)
        yield entry._replace(is_conditional=bool(condition))


def entries_of(source: SourceText) -> Iterator[Entry | Span]:
    """The entries of a profile."""
    options = options_of(source.text)
    dialect = dialect_of(options)
    if dialect is not None:
        yield from _entries_in(dialect, source.name, options)
        return
    units = units_of(options)
    variables = values_of((one.name, one.text) for one in options if one.section == VARIABLES)
    for one in options:
        if one.name not in OF_UNITS and is_enabled(units[one.section]):
            yield from entries(source.name, one, units[one.section], variables)


def entries(
    file: str, one: ProfileOption, unit: Mapping[str, str], variables: Mapping[str, str]
) -> Iterator[Entry]:
    """The entries of an option, with its variables replaced; `unit` is what its section says of itself."""
    kind = unit.get(TYPE, one.section)
    is_conditional = not CONDITIONS.isdisjoint(unit)
    span = line_span(file, one.number, one.line)
    text = expanded(one.text, variables) if kind != VARIABLES else one.text
    for entry in _option(kind, one._replace(text=text), span):
        written = f"{INCLUDE}={one.via}" if one.via else entry.written
        yield entry._replace(is_conditional=is_conditional, written=written)


def _option(kind: str, one: ProfileOption, span: Span) -> Iterator[Entry]:
    """An option of a plugin as entries, each of which is its whole line; the words of a boot line have places of their
    own."""
    written, text = one.line.strip(), one.text
    if kind == "sysctl":
        value = _unquoted(text)
        entry = sysctl(span, one.name, value.removeprefix(AT_LEAST).strip())
        yield entry._replace(written=f"{one.name} ={value}") if value.startswith(AT_LEAST) else entry
    elif kind == "bootloader" and one.name.startswith("cmdline"):
        if not text.startswith(REMOVED):
            yield from _words(one, span)
    elif kind == "net" and (found := PARAMETERS.fullmatch(f"{one.name} {text}")):
        for name, value in PARAMETER.findall(found[2]):
            yield Entry("ethtool", f"{found[1]} {name}", value, written, span)
    elif kind == MAIN and one.name == INCLUDE:
        for name in profiles_in(text):
            yield Entry("tuned", f"[{MAIN}] {INCLUDE}", name, written, span)
    else:
        interface, name = ("sysfs", one.name) if kind == "sysfs" else ("tuned", f"[{kind}] {one.name}")
        yield Entry(interface, name, text, written, span)


def _words(one: ProfileOption, span: Span) -> Iterator[Entry]:
    """The words that an option adds to a boot line: at their places, unless a variable has brought them."""
    start = one.line.find(one.text, one.line.index("=") + 1) if one.text and not one.via else -1
    if start >= 0:
        end = start + len(one.text)
        yield from words_of(span.file, one.number, one.line, start + one.text.startswith(ADDED), end)
        return
    text = one.text.removeprefix(ADDED)
    for entry in words_of(span.file, one.number, text, 0, len(text)):
        yield entry._replace(span=span)


def _unquoted(text: str) -> str:
    """A text without the quotes around it, which the plugin for sysctls takes away."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
