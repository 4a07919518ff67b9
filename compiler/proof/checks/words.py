"""Words that an audit would never read, or would read as two values (K21), and aliases without effect (K09).

An alias has none if its name is taken, so that no message asks for the alias, or if it is stated twice.
"""

from collections.abc import Iterator
from itertools import combinations

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.boxes import ANY
from setpoint.compiler.knowledge.model import Knowledge, KnownWords, meet
from setpoint.compiler.proof.checks.possible import PossibleFacts


def doubtful_words(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """All findings on words, except those on the library's own that a site has extended."""
    possible = PossibleFacts(knowledge)
    for block in knowledge.words:
        if knowledge.is_from_library(block.span):
            continue
        if why := possible.why_not(block.when):
            message = f"words `{block.name}` apply to no server: {why}"
            yield Diagnostic("K21", message, block.span, "never read", help=("correct their conditions",))
        else:
            yield from _idle_meanings(knowledge, block)
    yield from _ambiguous_words(knowledge, possible)


def _idle_meanings(knowledge: Knowledge, block: KnownWords) -> Iterator[Diagnostic]:
    for setting, value in block.means:
        offers = [
            offer
            for offer in knowledge.offers.get(setting, ())
            if meet(block.closed, offer.closed) is not None
            and (value == ANY or knowledge.variables[setting].listed(offer.values, value))
        ]
        if not offers:
            yield Diagnostic(
                "K21",
                f"words `{block.name}` mean `{setting} {value}`, which nothing offers where they apply",
                block.span,
                "never read",
                help=("offer the value there, or drop the meaning",),
            )


def _ambiguous_words(knowledge: Knowledge, possible: PossibleFacts) -> Iterator[Diagnostic]:
    """The words that mean two values of one setting, in one block or in two that apply together."""
    meaning: dict[tuple[str, str, str], list[tuple[str, KnownWords]]] = {}
    for block in knowledge.words:
        for word in block.words:
            for setting, value in block.means:
                meaning.setdefault((block.interface, word.written, setting), []).append((value, block))
    for (_, written, setting), meanings in sorted(meaning.items()):
        for (a, first), (b, second) in combinations(meanings, 2):
            if a == b or possible.why_not(first.when, second.when):
                continue
            ours = sorted((first, second), key=lambda block: knowledge.is_from_library(block.span))
            if not knowledge.is_from_library(ours[0].span):
                yield Diagnostic(
                    "K21",
                    f"word `{written}` means both `{setting} {a}` and `{setting} {b}`",
                    ours[0].span,
                    "one of the meanings",
                    (Label(ours[1].span, "the other"),) if ours[1] is not ours[0] else (),
                    help=("drop one of the meanings, or give them conditions that exclude each other",),
                )


def idle_aliases(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The aliases that are a name already, or are stated twice (K09)."""
    names = {_as_name(name): name for name in (*knowledge.settings, *knowledge.kinds)}
    for alias in knowledge.aliases:
        taken = names
        if alias.value:
            taken = {_as_name(value): value for value in knowledge.variables[alias.variable].named}
        first: dict[str, Span] = {}
        for name in alias.stated:
            text, span = name.text, name.span
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
