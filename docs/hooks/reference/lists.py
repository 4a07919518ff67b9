"""The start page of the reference, and the list of all rules by name."""

from setpoint.compiler.knowledge.model import Knowledge, Source
from setpoint.docs.hooks.reference.pieces import Links, code, grid, opening, plain, where

INTRODUCTION = """
These pages are written from the files of `stdlib/`, the same that decide every plan. The terminal has them too:
`setpoint kb list`, `setpoint kb show NAME`.
"""

MORE = (
    "[Evidence](evidence.md) has what the values of plans rest on, by server and workload, and [Server models](servers.md) what the\n"
    "library has for single models.\n"
)

SOURCES = "Each page has the source's tables as the source prints them, and its figures.\n"

RULES = """
By name, as plans cite them. A cell of a table is a rule of its own, named `SOURCE.TABLE.SETTING.COLUMN`. `setpoint kb
show NAME` shows one, or all that begin with a name.
"""


def index_page(knowledge: Knowledge) -> str:
    """The contents of the knowledge base, in figures and by source."""
    figures = (
        ("[Intent and facts](facts.md)", len(knowledge.kinds)),
        ("[Settings](settings.md), also by their [names](names.md)", len(knowledge.settings)),
        ("[Rules](rules.md)", len(knowledge.rules)),
        ("[Hazards](hazards.md)", len(knowledge.hazards)),
        ("[Constraints and profiles](constraints.md)", len(knowledge.constraints) + len(knowledge.presets)),
        ("Measurements, on the pages of their sources", len(knowledge.measurements)),
    )
    text = opening("Contents", INTRODUCTION)
    text += "\n" + grid(("", "how many"), ((name, str(count)) for name, count in figures))
    text += f"\n{MORE}\n## Sources\n\n{SOURCES}\n"
    return text + grid(
        ("source", "title", "publisher", "date", "rules", "figures"),
        (_source(knowledge, source) for source in knowledge.sources.values()),
    )


def _source(knowledge: Knowledge, source: Source) -> tuple[str, ...]:
    rules = sum(1 for rule in knowledge.rules if rule.citation.source == source.name)
    figures = sum(1 for figure in knowledge.measurements if figure.citation.source == source.name)
    counts = (str(count) if count else "" for count in (rules, figures))
    return (Links().source(source.name), plain(source.title), plain(source.publisher), source.date, *counts)


def rules_page(knowledge: Knowledge) -> str:
    """Every rule by its name, which is what plans and reports cite."""
    text = opening("Rules", RULES) + "\n"
    return text + grid(
        ("rule", "recommends", "where", "strength", "place"),
        (
            (
                code(rule.name),
                f"{Links().setting(rule.setting)} {code(rule.value)}",
                where(knowledge, rule.when),
                knowledge.strength_text(rule),
                Links().cite(rule.citation),
            )
            for rule in knowledge.rules
        ),
    )
