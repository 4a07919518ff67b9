"""Advice on hardware that its source is not said to be about (K25).

The condition of a rule says on which servers the library uses a statement, and the scope of its source on which of them
it is known to be right. If the scope has no hardware, the advice is in scope wherever its rule applies: what was seen
on one server then speaks at full strength for each model of a generation that the rule names. So a source whose advice
names hardware has hardware in its scope, and what is close enough is `related` to that, with a strength and a reason.
What a rule names beyond both is out of scope, which plans say, and K14 finds a rule that is nowhere in scope.

Hardware are the facts on which the options of firmware depend. A scope may also name what follows from these, such as a
maker. A condition with `not` names no hardware: it leaves out what has no such setting. Advice on other layers depends
on the operating system. A site's own notes, which have no address, are about the site's own servers.
"""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import LAYERS, UNSTATED, Knowledge, Rule, Source

MOST_SHOWN = 5
"""The maximum number of places that a finding shows beside the first."""


def uncovered_hardware(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The sources without hardware in their scope whose advice names some (K25), each once."""
    hardware = _hardware(knowledge)
    in_scopes = hardware | _implied(knowledge, hardware)
    advice: dict[str, list[Rule]] = {}
    for rule in knowledge.rules:
        is_firmware = knowledge.settings[rule.setting].layer == LAYERS[0]
        if is_firmware and _named(rule) & hardware and not knowledge.is_from_library(rule.span):
            advice.setdefault(rule.citation.source, []).append(rule)
    for name, rules in advice.items():
        source = knowledge.sources[name]
        if not _is_own_note(source) and not any(fact in in_scopes for fact, _ in source.scope):
            yield _finding(knowledge, source, rules, hardware)


def _hardware(knowledge: Knowledge) -> frozenset[str]:
    """The facts on which the options of firmware depend."""
    return frozenset(
        name
        for setting, offers in knowledge.offers.items()
        if knowledge.settings[setting].layer == LAYERS[0]
        for offer in offers
        for name, _ in offer.when
        if name in knowledge.kinds and knowledge.kinds[name].role == "fact"
    )


def _implied(knowledge: Knowledge, facts: frozenset[str]) -> frozenset[str]:
    """The facts that some values of these imply."""
    return frozenset(
        implied for fact in facts for value in knowledge.values[fact].values() for implied, _ in value.implies
    )


def _named(rule: Rule) -> frozenset[str]:
    """The facts of which a rule names values, other than with `not`."""
    return frozenset(name for name, mask in rule.when if not mask & UNSTATED)


def _is_own_note(source: Source) -> bool:
    """Whether a source is a site's own and cannot be looked up elsewhere."""
    return source.layer == "site" and not source.url


def _finding(knowledge: Knowledge, source: Source, rules: list[Rule], hardware: frozenset[str]) -> Diagnostic:
    facts = sorted(frozenset().union(*(_named(rule) for rule in rules)) & hardware)
    places = list(dict.fromkeys(rule.span for rule in rules))
    how = (
        f"state what it is about: `scope {facts[0]} VALUE;`, beside what its scope has",
        'state what is close enough: `related CONDITIONS strength test-first because "REASON";`',
    )
    return Diagnostic(
        "K25",
        f"`{source.name}` does not say which hardware it is about, and its advice names {' and '.join(f'`{fact}`' for fact in facts)}",
        places[0],
        "in scope wherever it applies",
        (
            Label(source.span, "has no hardware in its scope"),
            *(Label(place, "in scope as well") for place in places[1 : MOST_SHOWN + 1]),
        ),
        help=("cite a source of your own",) if knowledge.is_from_library(source.span) else how,
    )
