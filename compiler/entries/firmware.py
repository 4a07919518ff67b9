"""BIOS settings in the forms that tools write and read.

    commands        of scripts and notes (`commands`)
    an iDRAC        its server configuration profile, as XML or JSON, whole or in part
    SUM             the BIOS settings of Supermicro's tool, as XML
    conrep          the settings of HPE's tool for earlier servers, as XML
    Redfish         the resource `Bios`, or the body of a request for it; a document that has such attributes somewhere
    a list          NAME = VALUE, NAME: VALUE, a table, or what YAML has below a key for attributes (`nested`)

Each line with a setting is an entry. What is neither an entry nor a part of the form is a line that nobody has read,
and counted as that.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from setpoint.compiler.diagnostics.source import SourceText, Span, lines_of
from setpoint.compiler.entries.blocks import is_guide
from setpoint.compiler.entries.commands import Found, entry, has_commands, settings_of_commands
from setpoint.compiler.entries.lines import line_span
from setpoint.compiler.entries.makers import all_attributes
from setpoint.compiler.entries.model import Entry
from setpoint.compiler.entries.nested import (
    is_beside_attributes,
    is_key_of_attributes,
    is_printed,
    settings_of_list,
)
from setpoint.compiler.files.reading import parse_json
from setpoint.compiler.knowledge.interfaces import value_text

SCP_ATTRIBUTE = re.compile(r'<Attribute\s+Name="([^"]+)"\s*>([^<]*)</Attribute>')
SCP_COMPONENT = re.compile(r'<Component\s+FQDD="([^"]+)"')
SCP_FIRMWARE = "BIOS."
SUM_SETTING = re.compile(r"<Setting\s([^<>]*)>")
OF_SUM = re.compile(r"<BiosCfg|<Setting\s[^<>]*\b(?:selectedOption|numericValue|checkedStatus)=")
"""What shows the settings of SUM, whole or in part."""
SECTION = re.compile(r'<Section\s+name="([^"]+)"[^<>]*>([^<]*)</Section>')
XML_FIELD = re.compile(r'([A-Za-z]+)\s*=\s*"([^"]*)"')
XML_COMMENT = re.compile(r"<!--.*?(?:-->|$)", re.DOTALL)
XML_HEAD = re.compile(r"\s*<(?!#)|[^<\"'`#]{1,1000}<\?xml\s")
XML_PART = re.compile(r"\s*(?:<[/?!]?[A-Za-z-][^>]*>\s*)*")
AS_SHIPPED = re.compile(
    r'<Setting\s[^<>]*(?:Option|Status|Value)="([^"]*)"[^<>]*(?<!/)>(?:(?!</Setting>).){0,5000}?<Default\w+>\1</Default',
    re.DOTALL,
)
"""A setting with the value that its server ships with, which is nobody's wish."""
SUM_VALUES = ("selectedOption", "checkedStatus", "numericValue", "value")

OPEN_BODY = re.compile(r"""["']Attributes["']\s*:\s*\{\s*$""", re.MULTILINE)
"""The body of a request whose attributes are on lines of their own."""
STRING = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*)"?(\s*:)?')
"""A text in JSON, and the colon that makes it a key. One without an end is passed over as a whole, so that no text is
read twice."""

Attributes = Iterator[tuple[str, str, int, int]]
"""The name and the value of attributes, each with the object that has it, and with the one that is its policy."""

KEYS_OF_NAMES = ("name", "id")
NAMES = ("Name", *KEYS_OF_NAMES)
"""The keys of JSON whose text is a name."""


def is_firmware(text: str) -> bool:
    """Whether a text has the form of a tool for firmware, and not only of a list."""
    return _is_xml(text) or has_commands(text) or is_printed(text) or bool(OPEN_BODY.search(text))


def _is_xml(text: str) -> bool:
    """Whether a text is XML, perhaps behind the name of its tool, or a note that has some of a profile."""
    return bool((XML_HEAD.match(text) and not is_guide(lines_of(text))) or SCP_ATTRIBUTE.search(text))


OF_JSON = re.compile(r"""\s*(?:\{(?!\{)|\[\s*(?:[\[{"'\]\d-]|(?:true|false|null)\b))""")
"""What JSON begins with: not what a template fills in, the section of a file, or the prompt of a shell."""


def is_json(text: str) -> bool:
    """Whether a text begins as JSON does."""
    return bool(OF_JSON.match(text))


def settings_of(source: SourceText) -> Found:
    """The settings of a text. Raises ValueError with the reason if it has none of these forms."""
    start = source.text.lstrip()
    if _is_xml(start):
        yield from _xml(source)
    elif is_json(start) and not is_printed(start):
        yield from _json(source)
    elif has_commands(source.text):
        yield from settings_of_commands(source)
    else:
        yield from settings_of_list(source)


# ------------------------------------------------------------------------------------------------- XML


def _xml(source: SourceText) -> Found:
    """The settings of an iDRAC's profile, of SUM or of conrep; comments have what cannot be set."""
    text = XML_COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source.text)
    is_sum, is_sections = bool(OF_SUM.search(text)), "<Conrep" in text
    is_profile = "<SystemConfiguration" in text or bool(SCP_ATTRIBUTE.search(text))
    if not (is_profile or is_sum or is_sections):
        yield from settings_of_commands(source)
        return
    is_whole = bool(SCP_COMPONENT.search(text))
    component = "" if is_whole else SCP_FIRMWARE
    place = source.spans()
    shipped = {place(*match.span()).line for match in AS_SHIPPED.finditer(text)} if is_sum else set()
    for number, line in enumerate(lines_of(text), 1):
        span = line_span(source.name, number, line)
        if part := SCP_COMPONENT.search(line):
            component = part[1]
        if is_sum:
            pairs = [pair for match in SUM_SETTING.finditer(line) if (pair := _of_sum(match[1])) is not None]
        else:
            form = SECTION if is_sections else SCP_ATTRIBUTE
            pairs = [(match[1], match[2].strip()) for match in form.finditer(line)]
        is_firmware_here = is_sum or is_sections or component.startswith(SCP_FIRMWARE)
        if is_firmware_here:
            paths = {name: name if is_sections else "" for name, _ in pairs}
            entries = (entry(n, text, span, path=paths[n], is_name=not is_sum) for n, text in pairs)
            yield from (attribute._replace(is_conditional=number in shipped) for attribute in entries)
        # SUM also has menus and helps
        is_part = "<Setting" not in line if is_sum else XML_PART.fullmatch(line)
        if (pairs and not is_firmware_here) or not (pairs or is_part):
            yield span


def _of_sum(fields: str) -> tuple[str, str] | None:
    """The name and the value of a setting of SUM."""
    named = dict(XML_FIELD.findall(fields))
    value = next((named[key] for key in SUM_VALUES if key in named), None)
    name, order = named.get("name", "").strip(), named.get("order", "1")
    name += "" if order == "1" else f"${order}"
    return (name, value.strip()) if name and value is not None else None


# ------------------------------------------------------------------------------------------------ JSON


def _json(source: SourceText) -> Found:
    try:
        data = parse_json(source.text)
    except ValueError as error:
        raise ValueError(f"is not JSON: {error}") from None
    places, everywhere = _places(source, data), Span(source.name, 1, 1, 1, 1)
    if isinstance(data, dict) and isinstance(profile := data.get("SystemConfiguration"), dict):
        for name, value, owner, is_set in _of_profile(profile):
            span = places.get((owner, name)) or places.get((0, name), everywhere)
            yield entry(name, value, span) if is_set else span
        return
    if isinstance(data, dict) and not isinstance(data.get("Attributes", {}), dict):
        raise ValueError("has `Attributes` that are not an object")
    attributes = list(_of_document(data)) or list(_of_object(data))
    parts = dict.fromkeys(part for *_, part in attributes)
    numbers = {part: number if len(parts) > 1 else 0 for number, part in enumerate(parts, 1)}
    for name, value, owner, part in attributes:
        span = places.get((owner, name)) or places.get((0, name), everywhere)
        yield entry(name, value, span)._replace(part=numbers[part])


def _of_document(data: Any) -> Attributes:
    """The attributes below each key for them, anywhere in a document: an object, or a list of names and values."""
    inner = [data]
    while inner:
        part = inner.pop(0)
        for key, value in part.items() if isinstance(part, dict) else ():
            if is_key_of_attributes(key):
                yield from _of_object(value)
            elif isinstance(value, dict | list):
                inner.append(value)
        inner += (
            [member for member in part if isinstance(member, dict | list)] if isinstance(part, list) else []
        )


def _of_object(data: Any) -> Attributes:
    """The attributes of an object, perhaps by groups, or of a list of objects with a name and a value each; other
    objects of a list are policies of their own."""
    inner = [(data, id(data))]
    while inner:
        part, scope = inner.pop(0)
        pairs: list[tuple[Any, Any, Any]] = []
        pairs += [(name, value, part) for name, value in part.items()] if isinstance(part, dict) else []
        for member in part if isinstance(part, list) else ():
            key = next((key for key in KEYS_OF_NAMES if isinstance(member, dict) and key in member), "")
            if key and "value" in member:
                pairs.append((member[key], member["value"], member))
            elif isinstance(member, dict):
                inner.append((member, id(member)))
        for name, value, owner in pairs:
            if isinstance(value, dict) and isinstance(value.get("value"), str | int | bool):
                if str(value.get("instance_id", SCP_FIRMWARE)).startswith(SCP_FIRMWARE):
                    yield name, value_text(value["value"]), id(owner), scope
            elif isinstance(value, dict | list):
                inner.append((value, scope))
            elif isinstance(name, str) and _is_name(name) and isinstance(value, str | int | bool):
                yield name, value_text(value), id(owner), scope


def _is_name(key: str) -> bool:
    """Whether a key is the name of an attribute."""
    return bool(key) and key[0] != "@" and not is_beside_attributes(key)


def _of_profile(profile: Any) -> Attributes:
    """Name and value of each attribute of an iDRAC's profile, its object, and whether an import sets it there."""
    components = profile.get("Components")
    for component in components if isinstance(components, list) else ():
        attributes = component.get("Attributes") if isinstance(component, dict) else None
        is_firmware_here = str(component.get("FQDD", "")).startswith(SCP_FIRMWARE) if attributes else False
        for attribute in attributes if isinstance(attributes, list) else ():
            if isinstance(attribute, dict) and isinstance(attribute.get("Name"), str) and attribute["Name"]:
                is_set = is_firmware_here and str(attribute.get("Set On Import", "True")) == "True"
                value = attribute.get("Value")
                text = value_text(value) if isinstance(value, str | int | bool) else ""
                yield attribute["Name"], text, id(attribute), is_set


def _places(source: SourceText, data: Any) -> dict[tuple[int, str], Span]:
    """Where each key of each object is, or the text of its `Name`: of any object (0) if one has a key twice. Those that
    are written with escapes are not found."""
    strings = [
        (match[1], Span(source.name, number, match.start() + 1, number, match.end(1) + 2))
        for number, line in enumerate(lines_of(source.text), 1)
        for match in STRING.finditer(line)
    ]
    owners = list(_owners(data))
    if len(strings) != len(owners):
        return {(0, text): span for text, span in reversed(strings)}
    return {owner: span for owner, (_, span) in zip(owners, strings, strict=True)}


def _owners(data: Any) -> Iterator[tuple[int, str]]:
    """The objects of a document with their keys and texts, in the order in which it has these."""
    for key, value in data.items() if isinstance(data, dict) else ((None, member) for member in data):
        if key is not None:
            yield id(data), key
        if isinstance(value, str):
            yield id(data), value if key in NAMES else ""
        elif isinstance(value, dict | list):
            yield from _owners(value)


def renamed(entries: Iterable[Entry], knows: Any) -> Iterator[Entry]:
    """Entries, of which names with dots become those that Redfish has for them, where these are known.

    A list that has the other name as well knows both, as a program does that is for several servers.
    """
    listed, attributes = all_attributes(), tuple(entries)
    names = {attribute.name for attribute in attributes}
    for attribute in attributes:
        of, name, other = attribute.interface, attribute.name, re.sub("[.-]", "_", attribute.name)
        known = [text for text in (name, other) if text in listed or knows(of, text)]
        is_other = known == [other] and other not in names
        yield attribute._replace(name=other) if is_other else attribute
