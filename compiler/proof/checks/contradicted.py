"""Advice that measurements of its own goal contradict (K23).

An intent says what it means: more of one metric, less of another. A comparison is what one source measured under
conditions that differ in one setting alone: figures for two of its values in a table, or an effect (`vary`). It is
checked in the plan for the system that was measured, for each intent that its metric stands for: if advice decides the
setting, its value must not be the one with which more of the figures are worse. So it does not matter whose advice it
is, or whether it is in scope there. Advice that is narrower, or that loses there to other advice, decides nothing on
that system, and is no finding. Neither is advice to be tested first, which says itself that it may be otherwise.

A figure that does not state a fact is about what its source studied, if the source states it in its scope. Left out are
percentages in tables, since each may be of something else, effects whose range includes zero or that are within the
benchmark's variation, and figures with conditions on effects of several settings.
"""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations, islice, product

from setpoint.compiler.diagnostics import Diagnostic, Label, SetpointError
from setpoint.compiler.knowledge.model import (
    TEST_FIRST,
    UNSTATED,
    Box,
    Knowledge,
    Measurement,
    Rule,
    meet,
)
from setpoint.compiler.knowledge.remembered import remembered
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.proof.example import note, policy, sets_for
from setpoint.compiler.proof.sets.space import FactPairs
from setpoint.compiler.record import NamedTuple

MOST_TRIED = 50
"""The maximum number of combinations of facts that are tried for the system of a comparison."""

PERCENT = "%"
"""The beginning of the unit of a relative figure."""


class ComparedValues(NamedTuple):
    """What one source compared under the same conditions (`box`): two values of a setting, by a metric."""

    source: str
    metric: str
    setting: str
    values: tuple[str, str]
    box: Box


class Vote(NamedTuple):
    """A figure, or two, of a comparison: `more` is the value with more of the metric, "" if they are equal."""

    more: str
    figure: Measurement


class IntentMetric(NamedTuple):
    """A metric that an intent is judged by, and whether more or less of it is better."""

    fact: str
    value: str
    metric: str
    better: str

    @property
    def text(self) -> str:
        """As in a fact's block: `goal efficiency means more energy-efficiency`."""
        return f"{self.fact} {self.value} means {self.better} {self.metric}"


class Contradiction(NamedTuple):
    """Advice that decides a value where an `other` one was measured to be better, by `against` among a number of votes.

    `example` is a policy that shows it.
    """

    rule: Rule
    value: str
    other: str
    comparison: ComparedValues
    judgement: IntentMetric
    against: tuple[Vote, ...]
    votes: int
    example: str


def contradicted_rules(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The advice that decides a value that is worse than another, by the figures of a source for its goal (K23)."""
    judgements = [
        IntentMetric(fact, value.name, metric, better)
        for fact, values in knowledge.values.items()
        for value in values.values()
        for metric, better in value.means
    ]
    contradictions: dict[tuple[str, str, str], list[Contradiction]] = {}
    plans = _MeasuredSystems(knowledge)
    for comparison, votes in comparisons(knowledge).items():
        for judgement in judgements:
            if judgement.metric == comparison.metric:
                for contradiction in _contradictions(knowledge, plans, comparison, votes, judgement):
                    contradictions.setdefault(
                        (contradiction.rule.name, comparison.source, judgement.text), []
                    ).append(contradiction)
    for several in contradictions.values():
        yield _finding(knowledge, min(several, key=lambda contradiction: len(contradiction.example)))


def comparisons(knowledge: Knowledge) -> dict[ComparedValues, list[Vote]]:
    """What the sources compared, and what each figure says about it."""
    votes: dict[ComparedValues, list[Vote]] = {}
    for figure in knowledge.measurements:
        if figure.varied and figure.varied[0] in knowledge.settings and figure.low:
            setting, value, before = figure.varied
            low, high = Decimal(figure.low), Decimal(figure.high)
            more = "" if figure.is_variation else value if low > 0 else before if high < 0 else ""
            key = _comparison(figure, setting, (value, before))
            votes.setdefault(key, []).append(Vote(more, figure))
    for (setting, _), together in _together(knowledge).items():
        for (value, first), (other, second) in combinations(sorted(together.items()), 2):
            difference = Decimal(first.low) - Decimal(second.low)
            more = value if difference > 0 else other if difference < 0 else ""
            key = _comparison(first, setting, (value, other))
            votes.setdefault(key, []).append(Vote(more, first))
    return votes


def _comparison(figure: Measurement, setting: str, values: tuple[str, str]) -> ComparedValues:
    first, second = sorted(values)
    box = tuple(condition for condition in figure.box if condition[0] != setting)
    return ComparedValues(figure.citation.source, figure.metric, setting, (first, second), box)


def _together(knowledge: Knowledge) -> dict[tuple[str, tuple[object, ...]], dict[str, Measurement]]:
    """The figures of tables that differ in one setting alone, by the setting, what they share, and its value."""
    figures: dict[tuple[str, tuple[object, ...]], dict[str, Measurement]] = {}
    for figure in knowledge.measurements:
        if figure.varied or not figure.low or figure.unit.startswith(PERCENT):
            continue
        for setting, value in (*figure.when, *figure.held):
            if setting in knowledge.settings and value in knowledge.variables[setting].named:
                box = tuple(condition for condition in figure.box if condition[0] != setting)
                common = (figure.citation, figure.metric, figure.unit, figure.note, figure.labels, box)
                figures.setdefault((setting, common), {})[value] = figure
    return figures


class _MeasuredSystems:
    """The plans for the systems of comparisons. Each is made once."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._remembered = remembered(knowledge)

    def of(self, comparison: ComparedValues, judgement: IntentMetric) -> Iterator[tuple[str, Plan]]:
        """The policies for the system that was compared, with an intent, and their plans."""
        knowledge = self._knowledge
        scope = knowledge.sources[comparison.source].scope
        box = meet(scope, comparison.box) or comparison.box
        if any(name in knowledge.effects for name, _ in box):
            return
        intent = ((judgement.fact, knowledge.variables[judgement.fact].bit(judgement.value)),)
        facts = meet(tuple(condition for condition in box if condition[0] in knowledge.kinds), intent)
        settings = tuple(condition for condition in box if condition[0] in knowledge.settings)
        for stated in islice(self._stated(facts), MOST_TRIED) if facts is not None else ():
            yield from self._with_settings(stated, settings)

    def _stated(self, facts: Box) -> Iterator[FactPairs]:
        known = [(name, mask) for name, mask in facts if not mask & UNSTATED]
        values = (self._knowledge.variables[name].widest(mask) for name, mask in known)
        for combination in product(*values):
            yield tuple(zip((name for name, _ in known), combination, strict=True))

    def _with_settings(self, stated: FactPairs, settings: Box) -> Iterator[tuple[str, Plan]]:
        """The plan in which other settings have the measurement's values; a policy sets those that differ."""
        variables = self._knowledge.variables
        text = policy(self._knowledge, stated)
        plan = self._plan(text)
        if plan is not None:
            values = {decision.setting: decision.value for decision in plan.settings}
            others = tuple(
                (name, mask)
                for name, mask in settings
                if name in values and not mask & variables[name].bit(values[name])
            )
            if others:
                text = policy(self._knowledge, stated, sets_for(self._knowledge, others))
                plan = self._plan(text)
        if plan is not None:
            yield text, plan

    def _plan(self, text: str) -> Plan | None:
        """The plan of a policy; None if there is none."""
        plan: Plan | None = self._remembered.of((_MeasuredSystems, text), lambda: self._new_plan(text))
        return plan

    def _new_plan(self, text: str) -> Plan | None:
        try:
            (subject,) = planned(program_of_text(text), self._knowledge)
        except SetpointError:
            return None
        return subject.plan


def _contradictions(
    knowledge: Knowledge,
    plans: _MeasuredSystems,
    comparison: ComparedValues,
    votes: list[Vote],
    judgement: IntentMetric,
) -> Iterator[Contradiction]:
    """The advice that decides the worse of two values where they were compared; not what a site cannot correct."""
    for example, plan in plans.of(comparison, judgement):
        decision = plan.setting(comparison.setting)
        if decision is None or decision.value not in comparison.values:
            continue
        (other,) = {*comparison.values} - {decision.value}
        against = _against(votes, judgement, decision.value, other)
        for cause in decision.because if against else ():
            if cause.kind == "rule" and cause.claimed != TEST_FIRST:
                (rule,) = (rule for rule in knowledge.rules if rule.name == cause.name)
                spans = (rule.span, *(vote.figure.span for vote in against))
                if not all(map(knowledge.is_from_library, spans)):
                    yield Contradiction(
                        rule, decision.value, other, comparison, judgement, against, len(votes), example
                    )


def _against(votes: list[Vote], judgement: IntentMetric, value: str, other: str) -> tuple[Vote, ...]:
    """The figures that say that another value is better; empty unless more figures say so than the opposite."""
    more = Counter(vote.more for vote in votes)
    best, worst = (other, value) if judgement.better == "more" else (value, other)
    return tuple(vote for vote in votes if vote.more == best) if more[best] > more[worst] else ()


def _finding(knowledge: Knowledge, contradiction: Contradiction) -> Diagnostic:
    rule, setting = contradiction.rule, contradiction.comparison.setting
    places = ", ".join(dict.fromkeys(vote.figure.citation.at for vote in contradiction.against))
    share = (
        f"{len(contradiction.against)} of {contradiction.votes} comparisons"
        if contradiction.votes > 1
        else "the figure"
    )
    words = {
        rule.span: f"recommends {contradiction.value}",
        contradiction.against[0].figure.span: f"{contradiction.other} is better",
    }
    spans = (rule.span, *(vote.figure.span for vote in contradiction.against))
    at = next(span for span in spans if not knowledge.is_from_library(span))
    return Diagnostic(
        "K23",
        f"`{rule.name}` recommends `{setting} {contradiction.value}`, but `{setting} {contradiction.other}` was measured to be better",
        at,
        words.get(at, f"{contradiction.other} is better"),
        tuple(Label(span, word) for span, word in words.items() if span != at),
        (
            contradiction.judgement.text,
            f"{contradiction.judgement.better} {contradiction.comparison.metric} with {setting} {contradiction.other}: "
            f"{share} of {contradiction.comparison.source}, {places}",
            note(contradiction.example),
        ),
        (
            "narrow the condition of the rule to where it is right",
            "or write down what was measured as a rule, which takes precedence there",
        ),
    )
