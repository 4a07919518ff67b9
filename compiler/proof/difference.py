"""Effects of a change to the knowledge base: which settings get another value, in which contexts, and why.

Both knowledge bases are decided in the situations that either distinguishes, for policies that set nothing. Contexts
are compared as policies state them, so that a fact which only one base assumes or implies is part of the difference.
What only one base can state is not compared but listed, like all other changes of statements (`knowledge_diff`).
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.results import DecidedValue, KnowledgeDifference, ValueChange
from setpoint.compiler.proof.analysis import Analysis, Component, components
from setpoint.compiler.proof.bounds import (
    TOO_MANY,
    NothingProvenError,
    TooManySituationsError,
    UnprovenError,
    too_hard,
    unproven,
)
from setpoint.compiler.proof.example import policy
from setpoint.compiler.proof.extract import Fingerprints, extract
from setpoint.compiler.proof.knowledge_diff import changes_by_kind
from setpoint.compiler.proof.reachable import reachable
from setpoint.compiler.proof.regions import divided_spaces, regions
from setpoint.compiler.proof.sets.cascade import SituationChoices
from setpoint.compiler.proof.sets.ground import conditions
from setpoint.compiler.proof.situations import count_contexts
from setpoint.compiler.resolution.narrow import TooHardError

ABSENT = "not there"
"""Instead of a value: the setting is not offered."""

NO_PLAN = "no plan"
"""Instead of a value: two recommendations tie, or the facts contradict a constraint."""


def difference(old: Knowledge, new: Knowledge) -> KnowledgeDifference:
    """Compare two knowledge bases. Raises SetpointError (K20) if there are too many situations."""
    try:
        return _difference(old, new)
    except NothingProvenError as error:
        raise SetpointError(error.finding(new)) from None
    except UnprovenError as error:
        raise SetpointError(unproven(new, error)) from None


def _difference(old: Knowledge, new: Knowledge) -> KnowledgeDifference:
    bases = (old, new)
    groups = reachable(bases)
    divisions = regions(bases, groups)
    changes: list[ValueChange] = []
    for own, before, after in _comparable_settings(bases):
        asked = (conditions(old, before), conditions(new, after))
        try:
            first, second = divided_spaces(bases, divisions, (before, after), ((), ()), frozenset(own))
            analyses = Analysis(old, first, before), Analysis(new, second, after)
            for name in own:
                changes.extend(_changes(name, *analyses))
        except TooManySituationsError:
            raise UnprovenError(own, asked[1], TOO_MANY) from None
        except TooHardError as error:
            raise too_hard(own, error) from None
    return KnowledgeDifference(
        tuple(changes_by_kind(old, new)), tuple(changes), count_contexts(bases, groups)
    )


def _comparable_settings(
    bases: tuple[Knowledge, Knowledge],
) -> Iterator[tuple[tuple[str, ...], frozenset[str], frozenset[str]]]:
    """The settings that both have, with their dependencies in each; settings with the same dependencies come together.

    Without those about which both say the same, which have the same values in every context.
    """
    old, new = (_dependencies(components(base)) for base in bases)
    as_one = [base._replace(site=frozenset()) for base in bases]  # whose a statement is decides nothing
    fingerprints = [Fingerprints(base) for base in as_one]
    needs: dict[tuple[frozenset[str], frozenset[str]], list[str]] = {}
    for name in sorted((n for n in new if n in old), key=lambda n: bases[1].settings[n].position):
        needs.setdefault((old[name], new[name]), []).append(name)
    for (before, after), names in needs.items():
        read = [extract(base, own) for base, own in zip(as_one, (before, after), strict=True)]
        first, second = (prints.of((), base) for prints, base in zip(fingerprints, read, strict=True))
        if first != second:
            yield tuple(names), before, after


def _dependencies(parts: Iterable[Component]) -> dict[str, frozenset[str]]:
    return {name: component.settings for component in parts for name in component.own}


def _changes(name: str, old: Analysis, new: Analysis) -> Iterator[ValueChange]:
    """The changes of a setting, by the number of contexts; changes that differ only in the context are merged."""
    first, second = _decided_values(name, old), _decided_values(name, new)
    changes = []
    for was, there in first.items():
        for now, here in second.items():
            if was.value != now.value and there & here:
                where = there & here
                example = policy(new.knowledge, new.space.simplest(where).stated)
                changes.append(ValueChange(name, was, now, new.space.contexts(where), example))
    yield from sorted(changes, key=lambda c: (-c.contexts, c.old, c.new))


def _decided_values(name: str, analysis: Analysis) -> dict[DecidedValue, int]:
    """The situations of a setting, by its value and what decided it."""
    problem, choice = analysis.problem, analysis.outcome.choices[name]
    variable = analysis.knowledge.variables[name]
    found_values: dict[DecidedValue, int] = {}
    decided = 0
    for bit, where in choice.values.items():
        decided |= where
        value = variable.name_of(bit)
        for by, there in deciders(choice, value, where):
            found_values[DecidedValue(value, by)] = found_values.get(DecidedValue(value, by), 0) | there
    asked = analysis.space.scope((name,))
    absent = asked & ~problem.present[name]
    rest = asked & ~decided & ~absent
    if absent:
        found_values[DecidedValue(ABSENT, ())] = absent
    if rest:
        found_values[DecidedValue(NO_PLAN, ())] = rest
    return found_values


def deciders(choice: SituationChoices, value: str, where: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """What decided a value, situation by situation: the rules that nothing beat, else the default or a constraint."""
    advised: dict[tuple[str, ...], int] = {(): where}
    for weighed, top in zip(choice.proposals, choice.top, strict=True):
        if weighed.proposal.value != value or not top & where:
            continue
        split: dict[tuple[str, ...], int] = {}
        for names, there in advised.items():
            for key, component in (
                (names, there & ~top),
                (_with_name(names, weighed.proposal.rule.name), there & top),
            ):
                if component:
                    split[key] = split.get(key, 0) | component
        advised = split
    for names, there in advised.items():
        if names:
            yield names, there
        else:
            for word, by in (
                ("only", "constraint"),
                ("default", "vendor default"),
                ("derived", "members of the profile"),
                ("fallback", "constraint"),
            ):
                if there & choice.how[word]:
                    yield (by,), there & choice.how[word]
            if there & choice.how["first"]:
                yield ("no default known",), there & choice.how["first"]


def _with_name(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(sorted({*names, name}))
