"""Which recommendation is stronger: withdrawals, the criteria in their order, and the unbeaten ones."""

from collections.abc import Iterable
from typing import NamedTuple

from meaning.conditions import Order
from meaning.knowledge import Knowledge, Rule
from meaning.scope import IN_SCOPE


class Heard(NamedTuple):
    """A rule that applies in a context, by its facts: how far out of scope, and its strength there."""

    rule: Rule
    steps: int
    strength: str


class Advice(NamedTuple):
    """The recommendation of an applicable rule for one setting; `implied_by_profile` if it recommends a profile that
    fixes the value.
    """

    heard: Heard
    value: str
    implied_by_profile: bool


GRADES = ("test-first", "practice", "vendor", "measured")

STRENGTHS = ("out-of-scope", *GRADES)
"""*Strength of evidence*: what a policy can require, the weakest first."""


def rank(advice: Advice) -> tuple[int, ...]:
    """*Which recommendation is stronger*, criteria 2 to 6: greater is stronger."""
    rule, steps, strength = advice.heard
    inside = steps == IN_SCOPE
    grade = GRADES.index(strength)
    if advice.implied_by_profile or not inside:
        grade = min(grade, GRADES.index("vendor"))
    nearness = 0 if inside else -steps
    return inside, rule.site, grade, nearness, not advice.implied_by_profile


def is_withheld(advice: Advice, required: str) -> bool:
    """*`require strength`*: whether advice is weaker; what a profile implies is as strong as the advice on the
    profile."""
    strength = advice.heard.strength if advice.heard.steps == IN_SCOPE else "out-of-scope"
    return STRENGTHS.index(strength) < STRENGTHS.index(required)


def beats(order: Order, one: Advice, other: Advice) -> bool:
    """*Which recommendation is stronger*: the first criterion that differs decides; the last is narrowness."""
    mine, its = rank(one), rank(other)
    return mine > its or (mine == its and order.narrower(one.heard.rule.when, other.heard.rule.when))


def unbeaten(order: Order, advice: Iterable[Advice]) -> list[Advice]:
    """The advice that no other advice beats."""
    standing = list(advice)
    return [one for one in standing if not any(beats(order, other, one) for other in standing)]


# ------------------------------------------------------------------------------------------- withdrawn


def withdrawals(knowledge: Knowledge) -> dict[str, frozenset[str]]:
    """*`rule`*, *`source`*: the rules that each rule withdraws where it applies.

    `exception to` takes a name, or the beginning of names up to a dot. A superseding source withdraws the advice of the
    superseded one on the same setting, and so do its own successors.
    """
    older = {name: superseded(knowledge, name) for name in knowledge.sources}
    found = {}
    for rule in knowledge.rules:
        named = {
            other.name
            for other in knowledge.rules
            for exception in rule.exceptions
            if other.name == exception or other.name.startswith(f"{exception}.")
        }
        replaced = {
            other.name
            for other in knowledge.rules
            if other.setting == rule.setting and other.source in older[rule.source]
        }
        found[rule.name] = frozenset((named | replaced) - {rule.name})
    return found


def superseded(knowledge: Knowledge, source: str) -> frozenset[str]:
    """The earlier editions of a source."""
    found: list[str] = []
    while (source := knowledge.sources[source].supersedes) and source not in found:
        found.append(source)
    return frozenset(found)


def standing(taken_back: dict[str, frozenset[str]], heard: Iterable[Heard]) -> list[Heard]:
    """*Which recommendation is stronger*: the advice that no rule withdraws which is at least as much in scope."""
    every = list(heard)
    out = {
        other.rule.name
        for one in every
        if taken_back[one.rule.name]
        for other in every
        if other.rule.name in taken_back[one.rule.name] and one.steps <= other.steps
    }
    return [one for one in every if one.rule.name not in out]
