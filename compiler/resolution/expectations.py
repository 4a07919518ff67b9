"""What a policy expects of its plan, and which expectations fail.

An expectation changes nothing. It is compared with the finished plan, and an error if it does not hold: so knowledge
that changes cannot change a server unseen. With `under`, the plans of other intents or other servers are compared,
which is for the check of policies (`policies/variations.py`), and not for every plan.
"""

from collections.abc import Iterator

from setpoint.compiler.binding.context import Context
from setpoint.compiler.binding.facts import is_within
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import Knowledge, Variable, absent
from setpoint.compiler.knowledge.quantity import CPU_LIST, Numbers, WrongQuantityError
from setpoint.compiler.knowledge.words import ANY
from setpoint.compiler.language.syntax import Condition, Expect
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.resolution.advisories import EXPLAIN


def unmet(knowledge: Knowledge, context: Context, plan: Plan) -> Iterator[Diagnostic]:
    """The expectations of a plan that do not hold (E0801)."""
    for expect in context.expects:
        if not expect.under:
            yield from compared(knowledge, context, plan, expect)


def compared(knowledge: Knowledge, context: Context, plan: Plan, expect: Expect) -> Iterator[Diagnostic]:
    """What of one expectation does not hold in a plan (E0801)."""
    for condition in expect.conditions:
        if expect.is_of_hazard:
            yield from _hazard(knowledge, plan, expect, condition)
        elif condition.name.text in knowledge.settings:
            yield from _setting(knowledge, context, plan, expect, condition)
        else:
            yield from _other(knowledge, context, plan, expect, condition)


def _setting(
    knowledge: Knowledge, context: Context, plan: Plan, expect: Expect, condition: Condition
) -> Iterator[Diagnostic]:
    name = condition.name.text
    variable, decision = knowledge.variables[name], plan.setting(name)
    if decision is None:
        if not condition.negated:
            is_absent = context.limit(name) or absent(knowledge, name, context.bits(knowledge))
            says = "does not exist on this server" if is_absent else "is not covered on this server"
            yield _finding(expect, condition, f"`{name}` {says}")
        return
    fits = any(_has(variable, decision.value, value.text) for value in condition.values)
    decided = Label(plan.places.of("set", name), "decided here")
    others = (decided,) if decision.cause.kind == "set" else ()
    if fits == condition.negated:
        notes = tuple(_why(decision)) if decision.cause.kind != "set" else ()
        is_ = f"`{name}` is `{decision.value}`"
        yield _finding(expect, condition, is_, others, notes, is_of_setting=True)
    elif expect.source and decision.cause.source != expect.source.text:
        by = decision.cause.source and f"{decision.cause.source}, {decision.cause.at}"
        who = by or {"set": "the policy", "default": "the vendor's default"}.get(
            decision.cause.kind, "nobody"
        )
        yield _finding(
            expect, condition, f"`{name} {decision.value}` comes from {who}", others, is_of_setting=True
        )


def _other(
    knowledge: Knowledge, context: Context, plan: Plan, expect: Expect, condition: Condition
) -> Iterator[Diagnostic]:
    """A fact, or the combined effect of settings."""
    name = condition.name.text
    effects = {effect.name: effect.value for effect in plan.effects}
    value = context.facts[name].value if name in context.facts else effects.get(name, "")
    if name in knowledge.kinds:
        fits = any(value and _is(knowledge, name, value, wanted.text) for wanted in condition.values)
    else:
        fits = value in [wanted.text for wanted in condition.values]
    if fits == condition.negated:
        yield _finding(expect, condition, f"`{name}` is `{value}`" if value else f"`{name}` is unknown")


def _hazard(knowledge: Knowledge, plan: Plan, expect: Expect, condition: Condition) -> Iterator[Diagnostic]:
    name = condition.values[0].text
    occurs = {hazard.hazard: hazard for hazard in plan.hazards}
    if (name in occurs) == condition.negated:
        hazard = knowledge.hazards[name]
        state = "occurs" if name in occurs else "does not occur"
        others = plan.places.about(occurs[name]) if name in occurs else ()
        yield _finding(expect, condition, f"hazard `{name}` {state}", others, (hazard.because,))


def _has(variable: Variable, value: str, wanted: str) -> bool:
    """Whether the value of a setting is what an alternative of a condition means. Numbers are compared as numbers."""
    if wanted == ANY:
        return True
    if isinstance(variable.scale, Numbers) and variable.is_quantity(value):
        try:
            meant = variable.scale.alternative(wanted)
        except WrongQuantityError:
            return False
        return meant.low <= variable.scale.number(value) <= meant.high
    if variable.is_quantity(value):
        return wanted == CPU_LIST or (variable.is_quantity(wanted) and variable.canonical(wanted) == value)
    return wanted in variable.named and bool(variable.bit(value) & variable.below(wanted))


def _is(knowledge: Knowledge, fact: str, value: str, wanted: str) -> bool:
    return wanted == ANY or is_within(knowledge, fact, value, wanted)


def _why(decision: Decision) -> Iterator[str]:
    """Who decides a value, as far as the policy does not."""
    cause = decision.cause
    if cause.source:
        yield f"{cause.source}, {cause.at}: {decision.value}" + (
            f", because {cause.because}" if cause.because else ""
        )


def _finding(
    expect: Expect,
    condition: Condition,
    so: str,
    others: tuple[Label, ...] = (),
    notes: tuple[str, ...] = (),
    is_of_setting: bool = False,
) -> Diagnostic:
    reason = (f"expected because: {expect.because.text}",) if expect.because else ()
    return Diagnostic(
        "E0801",
        f"expected `{_text(expect, condition)}`, but {so}",
        condition.span,
        "does not hold",
        others,
        (*notes, *reason),
        (f"`{EXPLAIN} {condition.name.text}` shows why",) if is_of_setting else (),
        subject=condition.values[0].text if expect.is_of_hazard else condition.name.text,
    )


def _text(expect: Expect, condition: Condition) -> str:
    """One condition of an expectation as it is written."""
    return condition.text + (f" from {expect.source.text}" if expect.source else "")
