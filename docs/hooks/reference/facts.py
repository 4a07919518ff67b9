"""The page of facts: what a policy can state, and what follows from each value."""

from collections.abc import Iterator

from setpoint.compiler.knowledge.model import FactKind, Knowledge, ServerReport, Variable
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
What a policy can state. *Intent* says what is wanted of the server, *facts* say what is there. A value lies *within*
another where that column says so: statements about the wider one apply to it too. Names are what a policy writes;
`setpoint kb show NAME` shows one of them with all that the knowledge base says.
"""


def facts_page(knowledge: Knowledge) -> str:
    """Every fact with its values, intent first, in the order in which the library declares them."""
    kinds = sorted(knowledge.kinds.values(), key=lambda kind: (kind.role != "intent", kind.span))
    parts = [opening("Intent and facts", INTRODUCTION), *(_fact(knowledge, kind) for kind in kinds)]
    return "\n".join([*parts, _assumptions(knowledge)])


def _fact(knowledge: Knowledge, kind: FactKind) -> str:
    links, values = Links(), knowledge.values[kind.name]
    required = " A policy must state it." if kind.required else ""
    about = f" {sentence(kind.about)}" if kind.about else ""
    text = f"## {kind.name}\n\n{sentence(kind.title)}{required}{about}\n\n"
    if not any(v.title or v.within or v.implies for v in values.values()):
        return f"{text}Values: {code_list(knowledge.variables[kind.name].values)}.\n"
    rows = []
    for name in _in_tree_order(knowledge.variables[kind.name]):
        value = values[name]
        rows.append(
            (
                code(name),
                "; ".join(plain(text) for text in (value.title, value.about) if text),
                code(value.within) if value.within else "",
                "; ".join(code(f"{fact} {other}") for fact, other in value.implies),
                "; ".join(where(knowledge, (condition,)) for condition in value.allows),
                code(value.follows) if value.follows else "",
                "; ".join(_reported(links, report) for report in value.reported),
                links.cite(value.citation),
            )
        )
    heads = ("value", "what it is", "within", "implies", "only with", "follows", "reported as", "source")
    return text + grid(heads, rows)


def _reported(links: Links, report: ServerReport) -> str:
    return plain(report.text) + (f" ({links.cite(report.citation)})" if report.citation else "")


def _in_tree_order(variable: Variable) -> Iterator[str]:
    """The values of a variable, each followed by those within it."""

    def below(parent: str) -> Iterator[str]:
        for value, above in zip(variable.values, variable.parents, strict=True):
            if above == parent:
                yield value
                yield from below(value)

    return below("")


def _assumptions(knowledge: Knowledge) -> str:
    rows = [
        (
            code(f"{assumption.fact} {assumption.value}"),
            where(knowledge, assumption.when),
            plain(assumption.because),
        )
        for assumption in knowledge.assumptions
    ]
    return (
        "## What is assumed\n\nWhere a policy does not state the fact; a plan shows it as assumed.\n\n"
        + grid(("assumed", "where", "because"), rows)
    )
