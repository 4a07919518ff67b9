"""What files of sysctls and tuned profiles assign, and how tuned makes one profile of several.

Merging is tuned's own (tuned/profiles/loader.py and merger.py): a profile is merged into those that it includes, in the
order in which it names them; `replace` leaves out what they have in a section, `drop` some options of it, and whether a
section is in force and for which devices is said by the last one that has it. Each profile is read once, so that two
that include each other end.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from setpoint.compiler.diagnostics.source import lines_of
from setpoint.compiler.record import NamedTuple

COMMENT = re.compile(r"[#;]")
ASSIGNMENT = re.compile(r"\s*-?([^\s=:#;]+)\s*=\s*(.*)")
SECTION = re.compile(r"\s*\[([A-Za-z0-9_.-]+)(:[^\s#]{1,200})?\]\s*(?:#.*)?")
"""The head of a section; what follows a colon says for which servers it is."""

TRAILING_COMMENT = re.compile(r"\s#.*")

MAIN, VARIABLES = "main", "variables"
"""The section about the profile itself, and that of its variables."""

INCLUDE = "include"

TYPE, ENABLED, REPLACE, DROP = "type", "enabled", "replace", "drop"
CONDITIONS = {"devices", "devices_udev_regex", "cpuinfo_regex", "uname_regex"}
OF_UNITS = {TYPE, ENABLED, REPLACE, DROP, "prepend", "script_pre", "script_post", "priority", *CONDITIONS}
"""The options of every section of a profile, which are about the section itself; some say which servers or devices it
is for."""

STATED_ANEW = {TYPE, ENABLED, "devices"}
"""What the last profile with a section says of it, even by saying nothing."""

TRUE = {"1", "True", "true"}
"""The only texts by which tuned switches an option of a section on."""

SEPARATORS = re.compile(r"\s*[,;]\s*")
"""Between the names of several profiles, and of several options."""

VARIABLE = "$"
"""What begins a variable or a function; the names of profiles that one gives are not divided."""

OPTIONAL = "-"
"""What stands before the name of a profile that may be missing."""


class ProfileOption(NamedTuple):
    """An option of a section, its text, and its line with the number; `via` names what brings it: the profile in an
    `include`, or the captured file. It is "" for the profile itself."""

    section: str
    name: str
    text: str
    number: int = 1
    line: str = ""
    via: str = ""


Options = Sequence[ProfileOption]


def is_comment(line: str) -> bool:
    """Whether a line is a comment, as files of sysctls and profiles have it."""
    return bool(COMMENT.match(line.lstrip()))


def assigned(line: str) -> tuple[str, str]:
    """The name and the text of an assignment, each "" in any other line."""
    match = ASSIGNMENT.fullmatch(line)
    return (match[1], match[2]) if match else ("", "")


def options_of(text: str) -> list[ProfileOption]:
    """The options of a profile in the order of its text, without those that are in no section."""
    options, section = [], ""
    for number, line in enumerate(lines_of(text), 1):
        if head := SECTION.fullmatch(line):
            section = head[1] + (head[2] or "")
        elif section and not is_comment(line) and (option := assigned(TRAILING_COMMENT.sub("", line)))[0]:
            options.append(ProfileOption(section, option[0], option[1].strip(), number, line))
    return options


def units_of(options: Iterable[ProfileOption]) -> dict[str, dict[str, str]]:
    """The plugin that each section is of, and what it is for. A section without a plugin is called as that."""
    units: dict[str, dict[str, str]] = {}
    for option in options:
        unit = units.setdefault(option.section, {})
        if option.name in OF_UNITS:
            unit[option.name] = option.text
    return units


def is_enabled(unit: Mapping[str, str]) -> bool:
    """Whether a section is in force."""
    return unit.get(ENABLED, "1") in TRUE


def in_force(options: Iterable[ProfileOption]) -> Iterator[tuple[ProfileOption, Mapping[str, str]]]:
    """The options of merged profiles that set something, each with what its section says of itself."""
    options = list(options)
    units = units_of(options)
    for option in options:
        unit = units[option.section]
        if option.name not in OF_UNITS and option.section not in (MAIN, VARIABLES) and is_enabled(unit):
            yield option, unit


def is_inclusion(option: ProfileOption) -> bool:
    """Whether an option names profiles to include."""
    return (option.section, option.name) == (MAIN, INCLUDE)


def profiles_in(text: str) -> list[str]:
    """The profiles that an `include` names; a function that says which can have commas of its own."""
    names, depth = [""], 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if letter in ",;" and depth <= 0:
            names.append("")
        else:
            names[-1] += letter
    return [name.strip() for name in names if name.strip()]


def loaded(
    names: Iterable[str],
    find: Callable[[str, str], Options | None],
    resolved: Callable[[str], str] = lambda name: name,
) -> list[Options]:
    """The options of profiles and of all that they include, the innermost first.

    `find` has the options of a profile, by its name and by that of `names` that brings it; None if nothing is known of
    it. `resolved` is the name that a text stands for.
    """
    profiles: list[Options] = []
    seen: set[str] = set()

    def load(name: str, via: str) -> None:
        name = resolved(name).removeprefix(OPTIONAL).strip()
        options = None if name in seen else find(name, via)
        seen.add(name)
        if options is None:
            return
        for text in (option.text for option in options if is_inclusion(option)):
            for profile in [text] if VARIABLE in text else profiles_in(text):
                load(profile, via)
        profiles.append([option for option in options if not is_inclusion(option)])

    for name in names:
        load(name, name)
    return profiles


def merged(profiles: Iterable[Options]) -> list[ProfileOption]:
    """Profiles as one: each is merged into those before it."""
    options: dict[tuple[str, str], ProfileOption] = {}
    for profile in profiles:
        _merge(options, profile)
    return [option for option in options.values() if option.name]


def _merge(merged: dict[tuple[str, str], ProfileOption], profile: Options) -> None:
    for section, unit in units_of(profile).items():
        dropped = set(SEPARATORS.split(unit.get(DROP, "")))
        gone = dropped if section == VARIABLES else dropped | STATED_ANEW
        for key in [key for key in merged if key[0] == section]:
            if unit.get(REPLACE) in TRUE or key[1] in gone:
                del merged[key]
    for option in profile:
        if option.name not in (REPLACE, DROP):
            merged[option.section, option.name] = option
