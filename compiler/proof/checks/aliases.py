"""Aliases without effect (K09): the name is taken, so that no message asks for the alias, or it is stated twice."""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import Knowledge


def idle_aliases(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The aliases that are a name already, or are stated twice (K09)."""
    names = {_as_name(name): name for name in (*knowledge.settings, *knowledge.kinds)}
    for alias in knowledge.aliases:
        taken = names
        if alias.value:
            taken = {_as_name(value): value for value in knowledge.variables[alias.variable].named}
        first: dict[str, Span] = {}
        for text, span in alias.stated:
            other, before = taken.get(_as_name(text), ""), first.setdefault(_as_name(text), span)
            if knowledge.is_from_library(span):
                continue
            head = f"alias `{text}` of `{alias.name}`"
            if other:
                message = f"{head} is the name `{other}` already"
                yield Diagnostic("K09", message, span, "never looked up", help=("drop it, or correct it",))
            elif before != span:
                labels = (Label(before, "first here"),)
                yield Diagnostic(
                    "K09", f"{head} is stated twice", span, "again here", labels, help=("drop one of them",)
                )


def _as_name(text: str) -> str:
    """The name that a policy may mean by a text: case does not matter there, and a space is a hyphen."""
    return "-".join(text.casefold().split())
