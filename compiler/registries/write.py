"""Write an import as a knowledge file, in its canonical form.

Everything in a registry is text of somebody else's. Names are made by `words`, texts are quoted here, and comments are
on one line, so that none of it becomes a statement.
"""

from collections.abc import Iterator

from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.boxes import ANY
from setpoint.compiler.knowledge.interfaces import BOOLEAN as AS_BOOLEAN
from setpoint.compiler.knowledge.interfaces import INTEGER as AS_INTEGER
from setpoint.compiler.knowledge.interfaces import INTERFACES, value_text
from setpoint.compiler.knowledge.locks import FREE, HIDDEN, KEPT, LOCKED
from setpoint.compiler.knowledge.model import LAYERS
from setpoint.compiler.knowledge.reported import KINDS, PRODUCT
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.language.written import quote
from setpoint.compiler.registries.imported import (
    DESCRIBED,
    MAPPED,
    NEW,
    Import,
    ImportedCell,
    ImportedLimit,
    ImportedPreset,
    ImportedService,
    ImportedSetting,
    Platform,
    numbers_of,
)
from setpoint.compiler.registries.match import INTERFACE
from setpoint.compiler.registries.model import BOOLEAN
from setpoint.compiler.registries.words import plain

MOST_NAMES = 6
"""The maximum number of attributes that the head of the file lists for one reason."""

ADDRESSES_AT = "ComputerSystem and Bios, @odata.id; Bios, @Redfish.Settings"
"""The places of a service's addresses."""


def knowledge_text(imported: Import) -> str:
    """The file of an import."""
    parts = [*_declared(imported)]
    if offered := [setting for setting in imported.settings if setting.origin != DESCRIBED]:
        parts.append(_options(imported.platform, offered))
    if spelt := [
        setting for setting in imported.settings if setting.origin != DESCRIBED or not setting.is_spelt
    ]:
        parts += _spelling(imported.platform, spelt)
    parts += [_preset(imported.platform, preset) for preset in imported.presets]
    parts += [_limit(imported.platform, limit) for limit in imported.limits]
    parts += [_service(imported.platform, imported.service)] if imported.service else []
    stated = list(filter(str.strip, parts))
    # A source that nothing cites would be a finding of `kb check`.
    text = "\n".join([_head(imported), *([_source(imported.platform), *stated] if stated else [])])
    return format_source(SourceText("import", text)).rstrip("\n") + "\n"


def summary(imported: Import) -> Iterator[str]:
    """What became of the attributes, line by line."""
    left = sum(map(len, imported.left_out.values()))
    described = len(imported.of(DESCRIBED))
    yield (
        f"{_count(left + len(imported.settings), 'attribute')}: {len(imported.of(MAPPED))} mapped to settings of the library, "
        f"{len(imported.of(NEW))} new, {described} described there already, {left} left out"
    )
    for reason, names in imported.left_out.items():
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        yield f"left out, {reason}: {len(names)} ({', '.join(map(plain, names[:MOST_NAMES]))}{more})"
    if imported.unspelt:
        yield f"of what is described there, the library lacks {_count(len(imported.unspelt), 'attribute')}: spelt here"
    yield f"{_count(len(imported.presets), 'preset')}, {_count(len(imported.limits), 'constraint')}"
    yield from imported.notes
    stated = imported.presets or imported.limits or imported.unspelt
    if imported.platform.is_known and len(imported.settings) == described and not stated:
        yield f"nothing to import: the library describes {imported.platform.name}"
    if review := sum(map(_needs_review, imported.settings)):
        yield f"{_count(review, 'setting')} to review"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"


def _needs_review(setting: ImportedSetting) -> bool:
    if setting.origin == DESCRIBED:
        return bool(setting.reviews) and not setting.is_spelt
    return bool(setting.reviews) or any(value.is_added for value in setting.values)


# --------------------------------------------------------------------------------------------- blocks


def _head(imported: Import) -> str:
    server = imported.platform.product or imported.platform.name
    lines = [f"What the BIOS of {server} offers: imported from its attribute registry.", *summary(imported)]
    return "".join(f"# {plain(line)}\n" for line in lines)


def _source(platform: Platform) -> str:
    server = platform.product or platform.name
    version = f", BIOS {platform.firmware}" if platform.firmware else ""
    registry = ", ".join(filter(None, (platform.registry, f"version {platform.version}")))
    return f"""source {_source_name(platform)} {{
    title {quoted(f"BIOS attribute registry of {server}{version}")};
    publisher {quoted(platform.owner or "unknown")};
    about {quoted(f"registry {registry}; read from one server")};
}}
"""


def _source_name(platform: Platform) -> str:
    return f"{platform.name}-registry"


def _of(platform: Platform) -> str:
    return f"of {_source_name(platform)}"


def _when(platform: Platform) -> str:
    return f"when {platform.fact} {platform.name}"


def _at(name: str) -> str:
    return f"at {quoted(f'registry, {name}')}"


def _declared(imported: Import) -> Iterator[str]:
    platform = imported.platform
    if not platform.is_known:
        fields = [f"title {quoted(platform.product or platform.name)}"]
        fields += [f"within {platform.within}"] if platform.within else []
        fields += [f"implies {fact} {value}" for fact, value in platform.implies]
        if KINDS[PRODUCT][0].fullmatch(platform.product):
            at = quoted(platform.product_at)
            fields.append(f"reported as {PRODUCT} {quoted(platform.product)} {_of(platform)} at {at}")
        else:
            fields.append(f"reported as {PRODUCT} {ANY}")
        yield f"{platform.fact} {platform.name} {{\n" + "".join(f"    {field};\n" for field in fields) + "}\n"
    yield "\n".join(_setting(setting) for setting in imported.of(NEW)) + "\n"
    yield "\n".join(
        _added(setting, platform)
        for setting in imported.of(MAPPED)
        if any(v.is_added for v in setting.values)
    )


def _setting(setting: ImportedSetting) -> str:
    if setting.values:
        values = f"values {', '.join(value.name for value in setting.values)};"
    else:
        values = f"range {_range(setting)};"
    once = " once;" if setting.is_new_action else ""
    title = quoted(setting.attribute.label)
    return f"setting {setting.name} {{ title {title}; layer {LAYERS[0]}; {values}{once} }}"


def _added(setting: ImportedSetting, platform: Platform) -> str:
    """The values that the library's setting does not have."""
    return "".join(
        f"# review: may be within another value of `{setting.name}`\n"
        f"{setting.name} {value.name} {_of(platform)} {_at(setting.attribute.name)} "
        f"{{ about {quoted(f'the menu calls it {value.label or value.name}')}; }}\n"
        for value in setting.values
        if value.is_added
    )


def _range(setting: ImportedSetting) -> str:
    lower, upper, step = numbers_of(setting.attribute)
    return f"{lower} to {upper}" + (f" step {step}" if step > 1 else "")


def _options(platform: Platform, settings: list[ImportedSetting]) -> str:
    rows = []
    for setting in settings:
        values = ", ".join(
            f"{value.name} {quoted(value.label)}"
            if value.label and setting.attribute.type != BOOLEAN
            else value.name
            for value in setting.values
        )
        menu = " > ".join([*map(plain, setting.attribute.menu), plain(setting.attribute.label)])
        rows += [f"    # review: {plain(review)}" for review in setting.reviews]
        rows.append(
            f"    {setting.name} {values or _range(setting)} default {setting.default or 'unknown'} "
            f"menu {quoted(menu)} {_at(setting.attribute.name)};"
        )
    return f"options {_of(platform)} {_when(platform)} {{\n" + "\n".join(rows) + "\n}\n"


def _spelling(platform: Platform, settings: list[ImportedSetting]) -> Iterator[str]:
    """The names and texts that the service takes, to the blank: it refuses another number of them."""
    rows, refused = [], []
    form = INTERFACES[INTERFACE]
    for setting in settings:
        texts = [value_text(value.value) for value in setting.values]
        if not form.name.fullmatch(setting.attribute.name) or not all(map(form.text.fullmatch, texts)):
            refused.append(f"# review: no artifact can write {plain(setting.attribute.name)}\n")
            continue
        values = ", ".join(
            f"{value.name} {quote(text)}" for value, text in zip(setting.values, texts, strict=True)
        )
        kind = f" as {AS_BOOLEAN}" if setting.attribute.type == BOOLEAN else ""
        kind = kind or ("" if setting.values else f" as {AS_INTEGER}")
        if setting.origin == DESCRIBED:
            rows += [f"    # review: {plain(review)}" for review in setting.reviews]
        rows.append(
            f"    {setting.name} {values} in {quote(setting.attribute.name)}{kind} {_at(setting.attribute.name)};"
        )
    if rows:
        head = f"spelling {INTERFACE} {_of(platform)} {_when(platform)}"
        yield "".join(refused) + f"{head} {{\n" + "\n".join(rows) + "\n}\n"


def _preset(platform: Platform, preset: ImportedPreset) -> str:
    governor = preset.governor
    name = governor.attribute.name
    rows = [f"    {governor.name} {' '.join(value.name for value in governor.values)};"]
    rows += [f"    {member.name} {' '.join(map(_cell, cells))};" for member, cells in preset.rows]
    head = f"preset {quoted(f'registry, dependencies on {name}')} {_of(platform)} {_when(platform)}"
    return f"{head} {{\n" + "\n".join(rows) + "\n}\n"


def _cell(cell: ImportedCell) -> str:
    return f"{cell.effect} {cell.value}".strip() or FREE


def _limit(platform: Platform, limit: ImportedLimit) -> str:
    cause, setting = limit.cause, limit.setting
    others = [value.name for value in cause.values if value.name not in limit.causes]
    negated = len(others) < len(limit.causes)
    values = ("not " if negated else "") + " or ".join(others if negated else limit.causes)
    flag = f"    {limit.flag};\n" if limit.flag else ""
    does = {
        LOCKED: "sets it, and takes no other value for",
        KEPT: "takes no value for",
        HIDDEN: "hides",
        "": "offers fewer values for",
    }[limit.flag]
    because = f"the firmware {does} {setting.attribute.name}, depending on {cause.attribute.name}"
    return f"""constraint {limit.name} {_of(platform)} {_at(f"{setting.attribute.name} dependencies")} {{
    when {platform.fact} {platform.name}, {cause.name} {values};
    require {setting.name} {" or ".join(limit.values) or "any"};
{flag}    because {quoted(because)};
}}
"""


def _service(platform: Platform, service: ImportedService) -> str:
    review = f"# review: {service.review}\n" if service.review else ""
    when = ", ".join(filter(None, (_when(platform), service.unless)))
    addresses = "".join(f"    uri {name} {quoted(address)};\n" for name, address in service.addresses)
    return f"""{review}service {platform.name}-controller {_of(platform)} at {quoted(ADDRESSES_AT)} {{
    title {quoted(f"Controller of {platform.product or platform.name}")};
    {when};
{addresses}    applies {service.way};
}}
"""


def quoted(text: str) -> str:
    """A text in quotes, on one line."""
    return quote(plain(text))
