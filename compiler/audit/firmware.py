"""BIOS settings in the forms that tools write and read.

    racadm          racadm set BIOS.GROUP.NAME VALUE, in a script; a tool's name may be a variable
    syscfg          syscfg --NAME=VALUE --NAME=VALUE
    OneCLI          onecli config set GROUP.NAME VALUE
    our own scripts want SETTING NAME VALUE
    an iDRAC        its server configuration profile, as XML or JSON
    SUM             the BIOS settings of Supermicro's tool, as XML
    Redfish         the resource `Bios`, or the body of a request for it
    a list          NAME = VALUE, NAME: VALUE, a table, or what YAML has below `settings`

Each line with a setting is an entry. What is neither an entry nor a part of the form is a line that nobody has read, and counted as that.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from setpoint.compiler.audit.lines import is_comment, line_span
from setpoint.compiler.audit.model import Entry
from setpoint.compiler.diagnostics.source import SourceText, Span, lines_of
from setpoint.compiler.files.reading import parse_json
from setpoint.compiler.knowledge.interfaces import value_text

TEXT = r"""(?:"([^"]*)"|'([^']*)'|([^\s"'#;]+))"""
RACADM = re.compile(
    rf"\bset\s+(?:--?[a-z]+\s+)*bios\.[a-z0-9]+(?:\.\d+)?\.([A-Za-z0-9]+)(?:\s*=\s*|\s+){TEXT}", re.IGNORECASE
)
ONECLI = re.compile(rf"\bconfig\s+set\s+([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)+)(?:\s*=\s*|\s+){TEXT}")
WANT = re.compile(rf"\s*want\s+[a-z0-9-]+\s+(?:BIOS\.[A-Za-z0-9]+\.)?([A-Za-z0-9]+)\s+{TEXT}(?:\s.*)?")
WANTED = re.compile(r"\s+want\s")
SYSCFG = re.compile(rf"\s--([A-Za-z][A-Za-z0-9]*)=(?!\$){TEXT}")
IS_SYSCFG = re.compile(r"\bsyscfg\b")
COMMANDS = (RACADM, ONECLI, WANT)

SCP_ATTRIBUTE = re.compile(r'<Attribute\s+Name="([^"]+)"\s*>([^<]*)</Attribute>')
SCP_COMPONENT = re.compile(r'<Component\s+FQDD="([^"]+)"')
SCP_FIRMWARE = "BIOS."
SUM_SETTING = re.compile(r"<Setting\s([^<>]*)>")
XML_FIELD = re.compile(r'([A-Za-z]+)\s*=\s*"([^"]*)"')
XML_COMMENT = re.compile(r"<!--.*?(?:-->|$)", re.DOTALL)
XML_PART = re.compile(r"\s*(?:<[/?!]?[A-Za-z-][^>]*>\s*)*")
SUM_VALUES = ("selectedOption", "checkedStatus", "numericValue", "value")

STRING = re.compile(r'"((?:[^"\\]|\\.)*+)"?(\s*:)?')
"""A text in JSON, and the colon that makes it a key. One without an end is passed over as a whole, so that no text is read twice."""

RULE = re.compile(r"[\s|:-]*")
BEFORE_ATTRIBUTES = re.compile(r" *(?:- +)?(?:attributes|settings):[ \t]*(?:#.*)?", re.IGNORECASE)
"""A key of YAML whose lines are attributes; what is beside them says when they are set, or on which servers."""

TRAILING_COMMENT = re.compile(r"\s#.*")

OF_PROGRAM = re.compile(
    r" *(?:- +)?(?:hosts|tasks|roles|gather_facts|include_role|include_tasks|import_tasks|block):.*"
)
"""Keys of YAML that say what Ansible does."""

Found = Iterator[Entry | Span]
"""Entries, and the places of lines that nobody has read."""


def is_firmware(text: str) -> bool:
    """Whether a text has the form of a tool for firmware, and not only of a list."""
    return text.lstrip().startswith("<") or any(_has_command(line) for line in lines_of(text))


def _has_command(line: str) -> bool:
    is_set = any(form.search(line) for form in (RACADM, ONECLI)) or WANT.fullmatch(line)
    return bool(is_set) or bool(IS_SYSCFG.search(line) and SYSCFG.search(line))


def settings_of(source: SourceText) -> Found:
    """The settings of a text. Raises ValueError with the reason if it has none of these forms."""
    start = source.text.lstrip()
    if start.startswith("<"):
        yield from _xml(source)
    elif start.startswith("{"):
        yield from _json(source)
    elif any(_has_command(line) for line in lines_of(source.text)):
        yield from _script(source)
    else:
        yield from _list(source)


def _entry(name: str, text: str, span: Span) -> Entry:
    return Entry("attribute", name, text, f"{name} = {text}", span, is_label=True)


# --------------------------------------------------------------------------------------------- scripts


def _script(source: SourceText) -> Found:
    """The settings of a script. Of one that lists what it wants, the rest is the program that sets it."""
    lines = lines_of(source.text)
    is_own = any(WANT.fullmatch(line) for line in lines)
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#") or (is_own and not WANTED.match(line)):
            continue
        span = line_span(source.name, number, line)
        found = list(_commands(line))
        yield from (_entry(name, text, span) for name, text in found)
        if not found:
            yield span


def _commands(line: str) -> Iterator[tuple[str, str]]:
    """The names and texts that the commands of a line set."""
    for form in COMMANDS:
        matches = [whole] if form is WANT and (whole := form.fullmatch(line)) else []
        for found in matches if form is WANT else form.finditer(line):
            yield found[1].replace(".", "_"), found[2] or found[3] or found[4] or ""
    if IS_SYSCFG.search(line):
        for found in SYSCFG.finditer(line):
            yield found[1], found[2] or found[3] or found[4] or ""


# ------------------------------------------------------------------------------------------------- XML


def _xml(source: SourceText) -> Found:
    """The settings of an iDRAC's profile or of SUM; comments have what cannot be set."""
    text = XML_COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source.text)
    is_profile, is_sum = "<SystemConfiguration" in text, "<BiosCfg" in text
    if not is_profile and not is_sum:
        raise ValueError("is XML of a form that is unknown")
    component = ""
    for number, line in enumerate(lines_of(text), 1):
        span = line_span(source.name, number, line)
        found = []
        if is_profile and (part := SCP_COMPONENT.search(line)):
            component = part[1]
        if is_profile:
            found = [(each[1], each[2].strip()) for each in SCP_ATTRIBUTE.finditer(line)]
        else:
            found = [pair for each in SUM_SETTING.finditer(line) if (pair := _of_sum(each[1])) is not None]
        is_firmware_here = is_sum or component.startswith(SCP_FIRMWARE)
        if is_firmware_here:
            yield from (_entry(name, value, span) for name, value in found)
        if (found and not is_firmware_here) or not (found or XML_PART.fullmatch(line)):
            yield span


def _of_sum(fields: str) -> tuple[str, str] | None:
    """The name and the value of a setting of SUM."""
    named = dict(XML_FIELD.findall(fields))
    value = next((named[key] for key in SUM_VALUES if key in named), None)
    name = named.get("name", "").strip()
    return (name, value.strip()) if name and value is not None else None


# ------------------------------------------------------------------------------------------------ JSON


def _json(source: SourceText) -> Found:
    try:
        data = parse_json(source.text)
    except ValueError as error:
        raise ValueError(f"is not JSON: {error}") from None
    places = _keys(source)
    everywhere = Span(source.name, 1, 1, 1, 1)
    if isinstance(profile := data.get("SystemConfiguration"), dict):
        for name, value, is_set in _of_profile(profile):
            span = places.get(name, everywhere)
            yield _entry(name, value, span) if is_set else span
        return
    attributes: Any = data.get("Attributes", data)
    if not isinstance(attributes, dict):
        raise ValueError("has `Attributes` that are not an object")
    for name, value in attributes.items():
        if isinstance(value, str | int | bool) and not name.startswith("@") and name:
            yield _entry(name, value_text(value), places.get(name, everywhere))


def _of_profile(profile: Any) -> Iterator[tuple[str, str, bool]]:
    """Name and value of each attribute of an iDRAC's profile, and whether the import sets it in the firmware."""
    components = profile.get("Components")
    for component in components if isinstance(components, list) else ():
        attributes = component.get("Attributes") if isinstance(component, dict) else None
        is_firmware_here = str(component.get("FQDD", "")).startswith(SCP_FIRMWARE) if attributes else False
        for each in attributes if isinstance(attributes, list) else ():
            if isinstance(each, dict) and isinstance(each.get("Name"), str) and each["Name"]:
                is_set = is_firmware_here and str(each.get("Set On Import", "True")) == "True"
                value = each.get("Value")
                text = value_text(value) if isinstance(value, str | int | bool) else ""
                yield each["Name"], text, is_set


def _keys(source: SourceText) -> dict[str, Span]:
    """Where each key, or the text of a `Name`, is first; those that are written with escapes are not found."""
    found: dict[str, Span] = {}
    before = ""
    for number, line in enumerate(lines_of(source.text), 1):
        for key in STRING.finditer(line):
            if key[2] or before == "Name":
                found.setdefault(key[1], Span(source.name, number, key.start() + 1, number, key.end(1) + 2))
            before = key[1] if key[2] else ""
    return found


# ----------------------------------------------------------------------------------------------- lists


def _list(source: SourceText) -> Found:
    """A list or table of names and values."""
    lines = lines_of(source.text)
    nested = _nested(lines)
    if not nested and any(OF_PROGRAM.fullmatch(line) for line in lines):
        raise ValueError("is a playbook of Ansible, and no list of settings")
    for number, line in enumerate(lines, 1):
        if not line.strip() or is_comment(line) or RULE.fullmatch(line):
            continue
        following = lines[number] if number < len(lines) else ""
        if "|" in following and RULE.fullmatch(following):
            continue  # the head of a table
        is_one = not nested or number in nested
        name, text = _named(TRAILING_COMMENT.sub("", line) if nested else line) if is_one else ("", "")
        span = line_span(source.name, number, line)
        if name:
            yield _entry(name, text, span)
        elif is_one:
            yield span


def attributes_below(source: SourceText, head: re.Pattern[str]) -> Iterator[Entry]:
    """The attributes of a resource of a cluster, of those parts of it that begin with a line as `head` has it."""
    lines = lines_of(source.text)
    is_below = False
    nested = _nested(lines)
    for number, line in enumerate(lines, 1):
        if line.strip() and not is_comment(line) and not line.startswith((" ", "-")):
            is_below = bool(head.fullmatch(line))
        if is_below and number in nested and not is_comment(line):
            name, text = _named(TRAILING_COMMENT.sub("", line))
            if name and text:
                yield _entry(name, text, line_span(source.name, number, line))


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


def renamed(entries: Iterable[Entry], knows: Any) -> Iterator[Entry]:
    """Entries, of which names with dots become those that Redfish has for them, where these are known."""
    for entry in entries:
        other = entry.name.replace(".", "_")
        is_other = (
            other != entry.name and not knows(entry.interface, entry.name) and knows(entry.interface, other)
        )
        yield entry._replace(name=other) if is_other else entry
