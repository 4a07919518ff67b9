"""The pages of settings: one for each, with its names, its values, the platforms that offer it and the recommendations;
and two lists of them, by subject and by the names that interfaces have for them.
"""

import os
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache

from setpoint.compiler.knowledge.library import stdlib_folder
from setpoint.compiler.knowledge.lookup import setting_phrases
from setpoint.compiler.knowledge.model import STRENGTHS, Knowledge, Observation, Rule, Setting, Variable
from setpoint.compiler.knowledge.observations import DERIVED
from setpoint.compiler.render.catalogue import guards_text, place_text, shown_texts
from setpoint.compiler.render.words import spelled_texts
from setpoint.docs.hooks.reference.pieces import (
    Links,
    code,
    code_list,
    grid,
    opening,
    plain,
    sentence,
    where,
)

SUBJECTS = "subjects.toml"
"""The file of the standard library that has the subjects."""

OTHERS = "Others"
"""The subject of a setting that no subject names, as those of a site may be."""

INTRODUCTION = """
By subject. Each setting has a page, with its names in every interface, what offers it and who recommends what. [Names of settings](names.md)
leads from a kernel argument, a BIOS attribute or a sysctl to it. The number is its place in the order of decision: firmware, then boot
arguments, then the operating system, and within a layer so that a setting comes after those that its rules read.
"""

NAMES = """
What interfaces call the settings, by interface and in the order of the alphabet. Several names of one setting are those of different
servers, kernels or releases: its page says where each is used.
"""

INTERFACES = {
    "attribute": "BIOS attributes",
    "racadm": "Names in racadm",
    "argument": "Kernel arguments",
    "sysctl": "Sysctls",
    "sysfs": "Files of sysfs",
    "tuned": "Options of tuned",
    "ethtool": "Options of ethtool",
    "drop-in": "Directives of systemd",
    "unit": "Units of systemd",
}
"""The interfaces, in the order of the page."""

UP = Links("../")
"""From the page of a setting."""


def settings_page(knowledge: Knowledge) -> str:
    """Every setting under its subject, and what settings have together."""
    settings: dict[str, list[Setting]] = {title: [] for title, _ in _subjects()}
    settings[OTHERS] = []
    for setting in sorted(knowledge.settings.values(), key=lambda setting: setting.position):
        settings[subject_of(setting.name)].append(setting)
    parts = [f"\n## {title}\n\n{_overview(some)}" for title, some in settings.items() if some]
    return "".join([opening("Settings", INTRODUCTION), *parts, "\n", _effects(knowledge)])


def _overview(settings: Iterable[Setting]) -> str:
    return grid(
        ("setting", "title", "layer", "", "values"),
        (
            (Links().setting(s.name), plain(s.title), s.layer, str(s.position), code_list(s.values))
            for s in settings
        ),
    )


def subject_of(name: str) -> str:
    """The subject of a setting."""
    return next(
        (title for title, names in _subjects() if any(fnmatchcase(name, pattern) for pattern in names)),
        OTHERS,
    )


@cache
def _subjects() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The title of each subject, and the names of its settings, in which a star stands for any text."""
    with open(os.path.join(stdlib_folder(), SUBJECTS), "rb") as file:
        return tuple(
            (subject["title"], tuple(subject["settings"])) for subject in tomllib.load(file)["subject"]
        )


def names_page(knowledge: Knowledge) -> str:
    """Every name that an interface has for a setting."""
    settings_of: dict[str, dict[str, set[str]]] = {interface: defaultdict(set) for interface in INTERFACES}
    for setting, spellings in knowledge.spellings.items():
        for spelling in spellings:
            for name in spelling.names:
                settings_of[spelling.interface][name].add(setting)
    text = opening("Names of settings", NAMES)
    for interface, names in settings_of.items():
        rows = (
            (code(name), ", ".join(map(Links().setting, sorted(names[name]))))
            for name in sorted(names, key=lambda name: (name.lower(), name))
        )
        text += f"\n## {INTERFACES[interface]}\n\n{grid(('name', 'setting'), rows)}" if names else ""
    return text


def setting_pages(knowledge: Knowledge) -> dict[str, str]:
    """The page of each setting, by its path."""
    phrases = setting_phrases(knowledge)
    return {
        f"settings/{setting.name}.md": _setting(knowledge, setting, phrases[setting.name])
        for setting in knowledge.settings.values()
    }


def _setting(knowledge: Knowledge, setting: Setting, phrases: Iterable[str]) -> str:
    text = f"# {setting.name}\n\n**{plain(setting.title)}**, {setting.layer}, number {setting.position} in the order of decision."
    text += f" {sentence(setting.about)}" if setting.about else ""
    text += " A one-time action: its default performs nothing." if setting.once else ""
    text += f" Values: {code_list(setting.values)}.{_nested(knowledge.variables[setting.name])}\n"
    return (
        text
        + _names(knowledge, setting, phrases)
        + _offers(knowledge, setting.name)
        + _spellings(knowledge, setting.name)
        + _shown(knowledge, setting.name)
        + _advice(knowledge, setting.name)
        + _profiles(knowledge, setting.name)
        + f"\n[All settings](../settings.md#{_anchor(subject_of(setting.name))})\n"
    )


def _anchor(title: str) -> str:
    return "-".join("".join(c for c in title.lower() if c.isalnum() or c in " -").split())


def _names(knowledge: Knowledge, setting: Setting, phrases: Iterable[str]) -> str:
    """Its names in each interface, and what menus and people call it."""
    names_of: dict[str, set[str]] = defaultdict(set)
    for spelling in knowledge.spellings.get(setting.name, ()):
        names_of[spelling.interface].update(spelling.names)
    rows = [
        (INTERFACES[interface], code_list(sorted(names_of[interface])))
        for interface in INTERFACES
        if interface in names_of
    ]
    spelled = {name for names in names_of.values() for name in names}
    called = [name.strip() for name in phrases if name.strip() not in {setting.name, setting.title, *spelled}]
    rows += [("Menus, and other names", plain(", ".join(dict.fromkeys(called))))] if called else []
    return f"\n## Names\n\n{grid(('', 'names'), rows)}" if rows else ""


def _nested(variable: Variable) -> str:
    """The values within others."""
    nested = [pair for pair in zip(variable.values, variable.parents, strict=False) if pair[1]]
    return "".join(f" {code(value)} lies within {code(above)}." for value, above in nested)


def _offers(knowledge: Knowledge, name: str) -> str:
    rows = []
    for offer in sorted(knowledge.offers.get(name, ()), key=lambda offer: offer.span):
        values = (
            f"{code(value)} {plain(label)}".strip()
            for value, label in zip(offer.values, offer.labels, strict=True)
        )
        rows.append(
            (
                where(knowledge, offer.when),
                ", ".join(values) or "absent",
                code(offer.default) if offer.default else "not stated" if offer.values else "",
                plain(offer.menu),
                UP.cite(offer.citation),
            )
        )
    table = grid(("where", "values, and the menu's words for them", "default", "menu", "source"), rows)
    return f"\n## Offered\n\n{table}" if table else "\nNo platform in the knowledge base offers it.\n"


def _spellings(knowledge: Knowledge, name: str) -> str:
    rows = [
        (
            spelling.interface,
            ", ".join(map(code, spelling.names)),
            plain(spelled_texts(spelling)),
            where(knowledge, spelling.when),
            UP.cite(spelling.citation),
        )
        for spelling in knowledge.spellings.get(name, ())
    ]
    table = grid(("interface", "names", "texts", "where", "source"), rows)
    return f"\n## Written as\n\n{table}" if table else ""


def _counted(observation: Observation) -> str:
    """What is counted, in brackets, if the place is derived; else ""."""
    kind, _, name = observation.place.partition(" ")
    return f" ({DERIVED[name]})" if kind == "derived" else ""


def _shown(knowledge: Knowledge, name: str) -> str:
    """Where a running server shows it: a place, its texts, and who may have changed it since."""
    rows = [
        (
            code(place_text(observation)) + _counted(observation),
            plain(shown_texts(observation)),
            plain(guards_text(observation)),
            plain(observation.owner),
            where(knowledge, observation.when),
            UP.cite(observation.citation),
        )
        for observation in knowledge.observations.get(name, ())
    ]
    heads = ("place", "texts", "only if", "may be overwritten by", "where", "source")
    shown = f"\n## Where a running server shows it\n\n{grid(heads, rows)}" if rows else ""
    return shown + "".join(
        f"\nNothing on a running server shows it{' where ' if unseen.when else ''}"
        f"{where(knowledge, unseen.when) if unseen.when else ''}: {plain(unseen.because)} ({UP.cite(unseen.citation)}).\n"
        for unseen in knowledge.unseen.get(name, ())
    )


def _advice(knowledge: Knowledge, name: str) -> str:
    rules = [rule for rule in knowledge.rules if rule.setting == name]
    rules.sort(key=lambda rule: (rule.citation.source, rule.span))
    table = grid(
        ("value", "where", "strength", "source", "why"),
        (
            (
                code(rule.value),
                where(knowledge, rule.when),
                knowledge.strength_text(rule),
                UP.cite(rule.citation),
                reason_text(rule),
            )
            for rule in sorted(rules, key=lambda rule: -STRENGTHS.index(rule.strength))
        ),
    )
    return f"\n## Recommended\n\n{table}" if table else "\nNo source recommends a value.\n"


def reason_text(rule: Rule) -> str:
    """The reason of a rule, and its advice to the reader."""
    return "; ".join(plain(text) for text in (rule.because, rule.note) if text)


def _profiles(knowledge: Knowledge, name: str) -> str:
    lines = []
    for preset in sorted(knowledge.presets, key=lambda preset: preset.span):
        columns = {profile: members[name] for profile, members in preset.columns.items() if name in members}
        if columns:
            fixed = ", ".join(f"{code(value)} under {profile}" for profile, value in columns.items())
            lines.append(f"- {where(knowledge, preset.when)}: {fixed} ({UP.cite(preset.citation)})\n")
    return (
        f"\n## Fixed by a profile\n\nBy {UP.setting(_governor(knowledge, name))}:\n\n{''.join(lines)}"
        if lines
        else ""
    )


def _governor(knowledge: Knowledge, name: str) -> str:
    return next(preset.governor for preset in knowledge.presets if name in preset.members)


def _effects(knowledge: Knowledge) -> str:
    text = (
        "## Combined effects\n\nEffects of settings in several layers. Conditions of hazards can name them.\n"
    )
    for effect in knowledge.effects.values():
        rows = [
            *((code(value), where(knowledge, box)) for value, box in effect.cases),
            *([(code(effect.otherwise), "otherwise")] if effect.otherwise else []),
        ]
        text += f"\n### {effect.name}\n\n{plain(effect.title)} ({Links().cite(effect.citation)}).\n\n"
        text += grid(("value", "where"), rows)
    return text
