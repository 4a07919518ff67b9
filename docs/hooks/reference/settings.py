"""The page of settings: their values, the platforms that offer them, and the recommendations."""

from setpoint.compiler.knowledge.model import STRENGTHS, Knowledge, Rule, Setting, Variable
from setpoint.compiler.render.observed import guards_text, place_explained, place_text, shown_texts
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

INTRODUCTION = """
In the order in which they are decided: firmware, then boot arguments, then the operating system, and within a layer so
that a setting comes after those that its rules read. `setpoint explain POLICY SETTING` says which of the voices below
decides in a case, and why the others did not.
"""


def settings_page(knowledge: Knowledge) -> str:
    """Every setting, in the published order of decision."""
    settings = sorted(knowledge.settings.values(), key=lambda setting: setting.position)
    links = Links()
    overview = grid(
        ("", "setting", "title", "layer", "values"),
        (
            (str(s.position), links.setting(s.name), plain(s.title), s.layer, code_list(s.values))
            for s in settings
        ),
    )
    return "\n".join(
        [
            opening("Settings", INTRODUCTION),
            overview,
            *(_setting(knowledge, s) for s in settings),
            _effects(knowledge),
        ]
    )


def _setting(knowledge: Knowledge, setting: Setting) -> str:
    text = f"## {setting.name}\n\n**{plain(setting.title)}**, {setting.layer}, number {setting.position} in the order of decision."
    text += f" {sentence(setting.about)}" if setting.about else ""
    text += " A one-time action: its default performs nothing." if setting.once else ""
    text += f" Values: {code_list(setting.values)}.{_nested(knowledge.variables[setting.name])}\n"
    return (
        text
        + _offers(knowledge, setting.name)
        + _spellings(knowledge, setting.name)
        + _shown(knowledge, setting.name)
        + _advice(knowledge, setting.name)
        + _profiles(knowledge, setting.name)
    )


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
                Links().cite(offer.citation),
            )
        )
    table = grid(("where", "values, and the menu's words for them", "default", "menu", "source"), rows)
    return f"\nOffered:\n\n{table}" if table else "\nNo platform in the knowledge base offers it.\n"


def _spellings(knowledge: Knowledge, name: str) -> str:
    rows = [
        (
            spelling.interface,
            ", ".join(map(code, spelling.names)),
            plain(spelled_texts(spelling)),
            where(knowledge, spelling.when),
            Links().cite(spelling.citation),
        )
        for spelling in knowledge.spellings.get(name, ())
    ]
    table = grid(("interface", "names", "texts", "where", "source"), rows)
    return f"\nWritten as:\n\n{table}" if table else ""


def _shown(knowledge: Knowledge, name: str) -> str:
    """Where a running server shows it: a place, its texts, and who may have changed it since."""
    rows = [
        (
            code(place_text(one)) + (f" ({place_explained(one)})" if place_explained(one) else ""),
            plain(shown_texts(one)),
            plain(guards_text(one)),
            plain(one.owner),
            where(knowledge, one.when),
            Links().cite(one.citation),
        )
        for one in knowledge.observations.get(name, ())
    ]
    heads = ("place", "texts", "only if", "may be overwritten by", "where", "source")
    shown = f"\nWhere a running server shows it:\n\n{grid(heads, rows)}" if rows else ""
    return shown + "".join(
        f"\nNothing on a running server shows it{' where ' if one.when else ''}"
        f"{where(knowledge, one.when) if one.when else ''}: {plain(one.because)} ({Links().cite(one.citation)}).\n"
        for one in knowledge.unseen.get(name, ())
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
                Links().cite(rule.citation),
                reason_text(rule),
            )
            for rule in sorted(rules, key=lambda rule: -STRENGTHS.index(rule.strength))
        ),
    )
    return f"\nRecommended:\n\n{table}" if table else "\nNo source recommends a value.\n"


def reason_text(rule: Rule) -> str:
    """The reason of a rule, and its advice to the reader."""
    return "; ".join(plain(text) for text in (rule.because, rule.note) if text)


def _profiles(knowledge: Knowledge, name: str) -> str:
    lines = []
    for preset in sorted(knowledge.presets, key=lambda preset: preset.span):
        columns = {profile: members[name] for profile, members in preset.columns.items() if name in members}
        if columns:
            fixed = ", ".join(f"{code(value)} under {profile}" for profile, value in columns.items())
            lines.append(f"- {where(knowledge, preset.when)}: {fixed} ({Links().cite(preset.citation)})\n")
    return f"\nFixed by {Links().setting(_governor(knowledge, name))}:\n\n{''.join(lines)}" if lines else ""


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
