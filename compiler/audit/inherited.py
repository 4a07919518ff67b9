"""What a profile takes over from those that it includes, and what the sections of its own make of that.

What the profiles that tuned ships set is knowledge (`stdlib/tuned-profiles.toml`), release by release. A system can have one of several
releases: a value counts only if all of them agree. Merging is tuned's own (tuned/profiles/loader.py and merger.py): a profile is merged
into those that it includes, in the order in which it names them; `replace` leaves out what they have in a section, `drop` some
options of it, and whether a section is in force and for which devices is said by the last one that has it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from setpoint.compiler.audit.model import Entry, Interpretation
from setpoint.compiler.audit.recognise import Lexicon
from setpoint.compiler.audit.templates import has_variable
from setpoint.compiler.audit.tuned import (
    CONDITIONS,
    DROP,
    ENABLED,
    INCLUDE,
    MAIN,
    OF_UNITS,
    REPLACE,
    SEPARATORS,
    TRUE,
    TYPE,
    VARIABLES,
    ProfileOption,
    entries,
    is_enabled,
    options_of,
    profiles_in,
)
from setpoint.compiler.audit.variables import for_machine, values_of
from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.model import Citation
from setpoint.compiler.knowledge.shipped import Shipped, shipped
from setpoint.compiler.record import NamedTuple, distinct

CHANGING = {REPLACE, DROP, ENABLED, TYPE, *CONDITIONS}
"""By these a section of a profile leaves out what it inherits, or has it elsewhere."""

STATED_ANEW = {TYPE, ENABLED, "devices"}
"""What the last profile with a section says of it, even by saying nothing."""

Options = Sequence[ProfileOption]
Value = tuple[str, str, Citation]


@distinct
class Inherited(NamedTuple):
    """What a profile takes over.

    `values` are in force, by the name in `include` that brings them. `beside` are those that would be without the profile's own options:
    what it states again is redundant. `touched` are the settings of all profiles that it includes, in any release. `unread` are
    the names of profiles that nobody here can read, and `is_changed` says that sections of the profile leave something out. `read` are the
    names that some release has.
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
    """The readings of a file's entries, with what one of its profiles inherits at each `include`, and the findings about these."""
    read = list(readings)
    own = [reading for reading in read if reading.entry.part == part]
    options = options_of(source.text)
    found = inherited(words, context, source.name, options)
    includes = [r for r in own if is_include(r.entry)]
    is_whole = len(includes) == 1 and not found.is_changed
    result = []
    for reading in read:
        if reading in includes:
            stated = reading.values if is_whole else ()
            brought = tuple(v for via, v in found.values if via == reading.entry.text)
            has_text = reading.has_text or reading.entry.text in found.read
            reading = reading._replace(values=(*stated, *brought), touched=found.touched, has_text=has_text)
        result.append(reading)
    findings = [_not_read(r.entry) for r in includes if r.has_text and r.entry.text in found.unread]
    return result, [*findings, *_redundant(words, [r for r in result if r.entry.part == part], found)]


def is_include(entry: Entry) -> bool:
    """Whether an entry is the name of a profile to include."""
    return (entry.interface, entry.name) == ("tuned", f"[{MAIN}] {INCLUDE}")


def _not_read(entry: Entry) -> Diagnostic:
    message = f"`{entry.written}` was read in part only: it includes what the server itself decides"
    return Diagnostic("W0903", message, entry.span, "in part")


def _redundant(words: Lexicon, readings: Sequence[Interpretation], found: Inherited) -> Iterator[Diagnostic]:
    """Options that state again what an included profile has (W0905)."""
    brought = {(name, value) for name, value, _ in found.beside}
    via = next((r.entry for r in readings if is_include(r.entry)), None)
    for reading in readings:
        said = {(name, value) for name, value, _ in reading.values}
        if via is None or is_include(reading.entry) or not said or not said <= brought:
            continue
        message = f"`{reading.entry.written}` is redundant: a profile that `{via.written}` brings has it"
        yield Diagnostic("W0905", message, reading.entry.span, "again", help=("leave it out",))


def inherited(words: Lexicon, context: Context, file: str, own: Options) -> Inherited:
    """What the profile with these options takes over, on a system."""
    lines = [one for one in own if (one.section, one.name) == (MAIN, INCLUDE)]
    names = [name for one in lines for name in profiles_in(one.text)]
    table = shipped()
    values: list[set[tuple[str, Value]]] = []
    beside: list[set[Value]] = []
    touched: set[str] = set()
    unread: set[str] = set()
    sections: set[str] = set()
    seen: list[list[Options]] = []
    stated = {(one.section, one.name) for one in own}
    system = context.facts.get(table.fact)
    releases = table.releases_of(words.knowledge, system.value if system else "") if names else ()
    for release, is_guest in product(releases, (False, True)):
        loaded = parents_of(table, release, names, lines[0], is_guest)
        if loaded is None or loaded[0] in seen:
            continue
        parents, unknown = loaded
        unread |= unknown
        seen.append(parents)
        sections |= {one.section for parent in parents for one in parent}
        touched |= {name for _, (name, _, _) in _values(words, file, merged(parents))}
        left = merged([*parents, _controls(own)])
        beside.append({value for _, value in _values(words, file, left)})
        unstated = [one for one in left if (one.section, one.name) not in stated]
        values.append(set(_values(words, file, unstated)))
    return Inherited(
        tuple(sorted(set.intersection(*values))) if values else (),
        tuple(sorted(set.intersection(*beside))) if beside else (),
        frozenset(touched),
        tuple(sorted(unread)),
        any(one.name in CHANGING and one.section in sections for one in own),
        frozenset(name for name in names if any(table.options(name, each) is not None for each in releases)),
    )


def _values(words: Lexicon, file: str, options: Options) -> Iterator[tuple[str, Value]]:
    """The values of merged options, each with the profile in `include` that brings it."""
    units: dict[str, dict[str, str]] = {}
    for one in options:
        if one.name in OF_UNITS:
            units.setdefault(one.section, {})[one.name] = one.text
    variables = values_of((one.name, one.text) for one in options if one.section == VARIABLES)
    cited = shipped().citation
    for one in options:
        unit = units.get(one.section, {})
        at = cited._replace(at=cited.at.replace("NAME", one.via))
        if one.name in OF_UNITS or one.section in (MAIN, VARIABLES) or not is_enabled(unit):
            continue
        for entry in entries(file, one, unit, variables):
            yield from ((one.via, (*value[:2], at)) for value in words.read(entry).values)


def _controls(own: Options) -> list[ProfileOption]:
    """What a profile says of its sections, and its variables: all that changes what it inherits."""
    sections = dict.fromkeys(one.section for one in own)
    said = [one for one in own if one.name in OF_UNITS or one.section == VARIABLES]
    empty = [ProfileOption(section, "", "", 1, "") for section in sections]
    return [*empty, *said]


def merged(profiles: Iterable[Options]) -> list[ProfileOption]:
    """Profiles as one: each is merged into those before it."""
    found: dict[tuple[str, str], ProfileOption] = {}
    for profile in profiles:
        _merge(found, profile)
    return [one for one in found.values() if one.name]


def _merge(merged: dict[tuple[str, str], ProfileOption], profile: Options) -> None:
    units: dict[str, dict[str, str]] = {}
    for one in profile:
        unit = units.setdefault(one.section, {})
        if one.name in OF_UNITS:
            unit[one.name] = one.text
    for section, unit in units.items():
        dropped = set(SEPARATORS.split(unit.get(DROP, "")))
        gone = dropped if section == VARIABLES else dropped | STATED_ANEW
        for key in [key for key in merged if key[0] == section]:
            if unit.get(REPLACE) in TRUE or key[1] in gone:
                del merged[key]
    for one in profile:
        if one.name not in (REPLACE, DROP):
            merged[one.section, one.name] = one


def parents_of(
    table: Shipped, release: str, names: Iterable[str], line: ProfileOption, is_guest: bool = False
) -> tuple[list[Options], set[str]] | None:
    """The options of all profiles that are included, the innermost first, and the names that are not read as a whole.

    None if the release lacks one of those that others ship. `is_guest` says what they are told that ask for a virtual machine.
    """
    lacking: set[str] = set()
    found: list[Options] = []
    unread: set[str] = set()
    loaded: set[str] = set()

    def load(name: str, via: str) -> None:
        name = for_machine(name, is_guest)
        if name in loaded:
            return
        loaded.add(name)
        options = None if has_variable(name) else table.options(name.removeprefix("-"), release)
        if options is None:
            (lacking if name in table.profiles else unread).add(via)
            return
        for section, option, text in options:
            if (section, option) == (MAIN, INCLUDE):
                for each in [text] if has_variable(text) else profiles_in(text):
                    load(each, via)
        found.append(
            [
                line._replace(section=section, name=option, text=text, via=via)
                for section, option, text in options
                if (section, option) != (MAIN, INCLUDE)
            ]
        )

    for name in names:
        load(name, name)
    return None if lacking else (found, unread)
