"""Expectations of other servers and intents: `expect … under goal any` plans a policy with each of these values.

The values stand on a level below all others, so that they replace what the policy, group or host states. Values that
contradict what remains are no server that can be, and are passed over; one of them must be possible, or nothing would
be tried.

A plan with other facts is made once for a subject, however many of its expectations ask for it.
"""

from collections.abc import Iterator
from itertools import product
from math import prod

from setpoint.compiler.binding.levels import Level, Subject
from setpoint.compiler.budget import SPENT, limited
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.remembered import remembered
from setpoint.compiler.knowledge.words import is_any
from setpoint.compiler.language.syntax import Condition, Expect, Fact, Name
from setpoint.compiler.pipeline import Planned, Selection, plan_subject
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.expectations import compared

MOST_VARIATIONS = 100
"""How many plans one expectation may ask for."""

IMPOSSIBLE = "E0204"
"""The code of facts that contradict each other."""


class Variation(NamedTuple):
    """Values of facts that replace those of a policy: `goal latency, os rhel-9`."""

    facts: tuple[Fact, ...]

    @property
    def text(self) -> str:
        """The facts as they are written."""
        return ", ".join(f"{fact.name.text} {fact.value.text}" for fact in self.facts)

    def shown(self, plan: Plan) -> Plan:
        """A plan with these facts, stated where this variation states them."""
        return plan._replace(places=plan.places.with_({("fact", f.name.text): f.span for f in self.facts}))


class VariedPlans:
    """The plans of a subject with other facts; each is made when it is first asked for, and kept."""

    def __init__(self, subject: Subject, knowledge: Knowledge, selection: Selection) -> None:
        self.subject = subject
        self._knowledge = knowledge
        self._selection = selection

    def unmet(self, expect: Expect) -> Iterator[Diagnostic]:
        """What does not hold of an expectation under other facts: each once, with those facts."""
        values = [tuple(_values(self._knowledge, condition)) for condition in expect.under]
        at = expect.under[0].span.to(expect.under[-1].span)
        asked = prod(map(len, values))
        if asked > MOST_VARIATIONS:
            message = f"`under` asks for {asked} plans, and at most {MOST_VARIATIONS} are made"
            yield Diagnostic("E0802", message, at, "too many", help=("name fewer values",))
            return
        by_finding: dict[Diagnostic, list[str]] = {}
        is_tried = False
        for variation in map(Variation, product(*values)):
            planned = self._planned(variation)
            if any(finding.code == SPENT for finding in planned.findings):
                with limited() as budget:
                    yield budget.finding("expectations under other facts", at)
                return
            is_tried |= {finding.code for finding in planned.findings.errors} != {IMPOSSIBLE}
            for finding in _unmet(planned, variation, expect):
                by_finding.setdefault(finding, []).append(variation.text)
        if not is_tried:
            message = f"`{self.subject.name}` cannot be such a server, so nothing is tried"
            help_ = "name values that go with the other facts, or replace those as well"
            yield Diagnostic("E0802", message, at, "contradicts its facts", help=(help_,))
        for finding, texts in by_finding.items():
            yield finding._replace(notes=(f"under {'; '.join(texts)}", *finding.notes), help=())

    def _planned(self, variation: Variation) -> Planned:
        """The plan with these facts, wherever the first expectation that asks for it states them."""
        level = Level("variation", "", variation.facts)
        subject = self.subject._replace(levels=(*self.subject.levels, level))
        planned: Planned = remembered(self._knowledge).of(
            (self, variation.text), lambda: plan_subject(subject, self._knowledge, self._selection)
        )
        return planned


def varied(subject: Subject, knowledge: Knowledge, selection: Selection) -> Iterator[Diagnostic]:
    """What does not hold of a subject's expectations under other facts (E0801), or cannot be tried (E0802)."""
    plans = VariedPlans(subject, knowledge, selection)
    for level in subject.levels:
        for statement in level.statements:
            if isinstance(statement, Expect) and statement.under:
                yield from plans.unmet(statement)


def _unmet(planned: Planned, variation: Variation, expect: Expect) -> Iterator[Diagnostic]:
    if planned.plan is not None and planned.context is not None:
        yield from compared(planned.knowledge, planned.context, variation.shown(planned.plan), expect)
    elif {finding.code for finding in planned.findings.errors} != {IMPOSSIBLE}:
        first = planned.findings.errors[0]
        message = f"expected `{expect.conditions[0].text}`, but there is no plan: {first.message}"
        yield Diagnostic("E0801", message, expect.conditions[0].span, "does not hold")


def _values(knowledge: Knowledge, condition: Condition) -> Iterator[Fact]:
    """The facts that a condition names; of `any`, the outermost values."""
    variable = knowledge.variables[condition.name.text]
    outermost = tuple(Name(value, span=condition.span) for value in variable.outermost)
    names = outermost if is_any(condition) else condition.values
    yield from (Fact(condition.name, name, span=condition.span) for name in names)
