"""What a profile takes over from those that it includes, and what the sections of its own make of that.

What the profiles that tuned ships set is knowledge (`stdlib/tuned-profiles.toml`), release by release. A system can
have one of several releases: a value counts only if all of them agree. How profiles are merged is in
`captures.profiles`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from setpoint.compiler.audit.model import Interpretation
from setpoint.compiler.audit.recognise import Lexicon
from setpoint.compiler.binding.context import Context
from setpoint.compiler.captures.profiles import (
    CONDITIONS,
    DROP,
    ENABLED,
    INCLUDE,
    MAIN,
    OF_UNITS,
    REPLACE,
    TYPE,
    VARIABLES,
    Options,
    ProfileOption,
    in_force,
    is_inclusion,
    loaded,
    merged,
    options_of,
    profiles_in,
)
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.entries.model import Entry
from setpoint.compiler.entries.templates import has_variable
from setpoint.compiler.entries.tuned import entries
from setpoint.compiler.entries.variables import for_machine, values_of
from setpoint.compiler.knowledge.model import Citation
from setpoint.compiler.knowledge.shipped import Shipped, shipped
from setpoint.compiler.record import NamedTuple

CHANGING = {REPLACE, DROP, ENABLED, TYPE, *CONDITIONS}
"""By these a section of a profile leaves out what it inherits, or has it elsewhere."""

Value = tuple[str, str, Citation]


class Inherited(NamedTuple):
    """What a profile takes over.

    `values` are in force, by the name in `include` that brings them. `beside` are those that would be without the
    profile's own options: what it states again is redundant. `touched` are the settings of all profiles that it
    includes, in any release. `unread` are the names of profiles that nobody here can read, and `is_changed` says that
    sections of the profile leave something out. `read` are the names that some release has.
    """

    values: tuple[tuple[str, Value], ...] = ()
    beside: tuple[Value, ...] = ()
    touched: frozenset[str] = frozenset()
    unread: tuple[str, ...] = ()
    is_changed: bool = False
    read: frozenset[str] = frozenset()


def with_inherited(
    words: Lexicon, context: Context, source: SourceText, readings: Iterable[Interpretation], part: int = 0
) -> tuple[list[Interpretation], list[Diagnostic]]:
    """The readings of a file, with what a profile inherits at each `include`, and the findings about these."""
    read = list(readings)
    own = [reading for reading in read if reading.entry.part == part]
    options = options_of(source.text)
    inheritance = inherited(words, context, source.name, options)
    includes = [r for r in own if is_include(r.entry)]
    is_whole = len(includes) == 1 and not inheritance.is_changed
    result = []
    for reading in read:
        if reading in includes:
            stated = reading.values if is_whole else ()
            brought = tuple(v for via, v in inheritance.values if via == reading.entry.text)
            has_text = reading.has_text or reading.entry.text in inheritance.read
            reading = reading._replace(
                values=(*stated, *brought), touched=inheritance.touched, has_text=has_text
            )
        result.append(reading)
    findings = [_not_read(r.entry) for r in includes if r.has_text and r.entry.text in inheritance.unread]
    return result, [*findings, *_redundant([r for r in result if r.entry.part == part], inheritance)]


def is_include(entry: Entry) -> bool:
    """Whether an entry is the name of a profile to include."""
    return (entry.interface, entry.name) == ("tuned", f"[{MAIN}] {INCLUDE}")


def _not_read(entry: Entry) -> Diagnostic:
    message = f"`{entry.written}` was read in part only: it includes what the server itself decides"
    return Diagnostic("W0903", message, entry.span, "in part")


def _redundant(readings: Sequence[Interpretation], inheritance: Inherited) -> Iterator[Diagnostic]:
    """Options that state again what an included profile has (W0905)."""
    brought = {(name, value) for name, value, _ in inheritance.beside}
    via = next((r.entry for r in readings if is_include(r.entry)), None)
    for reading in readings:
        said = {(name, value) for name, value, _ in reading.values}
        if via is None or is_include(reading.entry) or not said or not said <= brought:
            continue
        message = f"`{reading.entry.written}` is redundant: a profile that `{via.written}` brings has it"
        yield Diagnostic("W0905", message, reading.entry.span, "again", help=("leave it out",))


def inherited(words: Lexicon, context: Context, file: str, own: Options) -> Inherited:
    """What the profile with these options takes over, on a system."""
    lines = [option for option in own if is_inclusion(option)]
    names = [name for option in lines for name in profiles_in(option.text)]
    table = shipped()
    values: list[set[tuple[str, Value]]] = []
    beside: list[set[Value]] = []
    touched: set[str] = set()
    unread: set[str] = set()
    sections: set[str] = set()
    seen: list[list[Options]] = []
    stated = {(option.section, option.name) for option in own}
    texts = {(option.section, option.name): option.text for option in own}
    system = context.facts.get(table.fact)
    releases = table.releases_of(words.knowledge, system.value if system else "") if names else ()
    for release, is_guest in product(releases, (False, True)):
        ancestry = parents_of(table, release, names, lines[0], is_guest)
        if ancestry is None or ancestry[0] in seen:
            continue
        parents, unknown = ancestry
        unread |= unknown
        seen.append(parents)
        sections |= {option.section for parent in parents for option in parent}
        touched |= {name for _, (name, _, _) in _values(words, file, merged(parents))}
        left = [option for option in merged([*parents, _controls(own)]) if not _is_rewritten(option, texts)]
        beside.append({value for _, value in _values(words, file, left)})
        unstated = [option for option in left if (option.section, option.name) not in stated]
        values.append(set(_values(words, file, unstated)))
    return Inherited(
        tuple(sorted(set.intersection(*values))) if values else (),
        tuple(sorted(set.intersection(*beside))) if beside else (),
        frozenset(touched),
        tuple(sorted(unread)),
        any(option.name in CHANGING and option.section in sections for option in own),
        frozenset(
            name for name in names if any(table.options(name, release) is not None for release in releases)
        ),
    )


def _values(words: Lexicon, file: str, options: Options) -> Iterator[tuple[str, Value]]:
    """The values of merged options, each with the profile in `include` that brings it."""
    variables = values_of((option.name, option.text) for option in options if option.section == VARIABLES)
    cited = shipped().citation
    for option, unit in in_force(options):
        at = cited._replace(at=cited.at.replace("NAME", option.via))
        for entry in entries(file, option, unit, variables):
            yield from ((option.via, (*value[:2], at)) for value in words.read(entry).values)


def _is_rewritten(inherited: ProfileOption, own: Mapping[tuple[str, str], str]) -> bool:
    """Whether a profile restates an option with several words, which would else be gone as a whole."""
    text = own.get((inherited.section, inherited.name), inherited.text)
    return " " in text and text != inherited.text


def _controls(own: Options) -> list[ProfileOption]:
    """What a profile says of its sections, and its variables: all that changes what it inherits."""
    sections = dict.fromkeys(option.section for option in own)
    said = [option for option in own if option.name in OF_UNITS or option.section == VARIABLES]
    empty = [ProfileOption(section, "", "", 1, "") for section in sections]
    return [*empty, *said]


def parents_of(
    table: Shipped, release: str, names: Iterable[str], line: ProfileOption, is_guest: bool = False
) -> tuple[list[Options], set[str]] | None:
    """The options of all profiles that are included, the innermost first, and the names that are not read as a whole.

    None if the release lacks one of those that others ship. `is_guest` says what they are told that ask for a virtual
    machine.
    """
    lacking: set[str] = set()
    unread: set[str] = set()

    def find(name: str, via: str) -> Options | None:
        options = None if has_variable(name) else table.options(name, release)
        if options is None:
            (lacking if name in table.profiles else unread).add(via)
            return None
        return [
            line._replace(section=section, name=option, text=text, via=via)
            for section, option, text in options
        ]

    parents = loaded(names, find, lambda name: for_machine(name, is_guest))
    return None if lacking else (parents, unread)
