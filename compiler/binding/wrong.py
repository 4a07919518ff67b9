"""What is wrong with statements that are no facts: the names in waivers and in expectations, and reasons without
words."""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.words import ANY, unknown, unknown_value
from setpoint.compiler.language.syntax import Accept, Condition, Expect, Name
from setpoint.compiler.plan.waivers import ADVICE, EVIDENCE, FIRMWARE, FORMS, OMISSION, OVERRIDE


def empty_reason(what: str, because: Name) -> Iterator[Diagnostic]:
    """The error about a reason without words (E0209); `what` is the beginning of the statement."""
    if not because.text.strip():
        yield Diagnostic(
            "E0209",
            f"`{what}` has an empty reason",
            because.span,
            "empty",
            help=("give the reason for a reader in a year's time",),
        )


def wrong_waiver(knowledge: Knowledge, statement: Accept) -> Diagnostic | None:
    """What is wrong with a waiver: an unknown hazard, kind, source or setting (E0201)."""
    kind, of, about = statement.what, statement.of, statement.about
    if statement.is_of_hazard:
        if kind.text in knowledge.hazards:
            return None
        if kind.text not in FORMS:
            return unknown("hazard", kind, knowledge.hazards, "E0201")
    if kind.text not in FORMS:
        return unknown("kind of waiver", kind, FORMS, "E0201")
    if statement.is_of_hazard or (about and kind.text != ADVICE):
        forms = " or ".join(f"`{form}`" for form in FORMS[kind.text])
        message = f"`accept {statement.waiver}` does not say which {kind.text} is waived"
        return Diagnostic("E0201", message, statement.waiver_span, "incomplete", help=(f"write {forms}",))
    if kind.text == ADVICE:
        if of and of.text not in knowledge.sources:
            return unknown("source", of, knowledge.sources, "E0201")
        return unknown_setting(knowledge, about) if about else None
    others = {OMISSION: (FIRMWARE,), OVERRIDE: (EVIDENCE, *knowledge.kinds)}.get(kind.text, ())
    return unknown_setting(knowledge, of) if of and of.text not in others else None


def unknown_setting(knowledge: Knowledge, name: Name) -> Diagnostic | None:
    """The finding about a name that is no setting (E0201); None if it is one."""
    if name.text in knowledge.settings:
        return None
    from setpoint.compiler.knowledge import misnamed  # only wanted when one is unknown

    return misnamed.unknown_setting(knowledge, name)


def wrong_expectation(knowledge: Knowledge, expect: Expect) -> Iterator[Diagnostic]:
    """What is wrong with an expectation, whatever the plan is: unknown names (E0201), unknown values (E0202, E0212),
    and facts that cannot be varied (E0802).
    """
    for condition in expect.conditions:
        if expect.is_of_hazard:
            hazard = condition.values[0]
            if hazard.text not in knowledge.hazards:
                yield unknown("hazard", hazard, knowledge.hazards, "E0201")
        else:
            yield from _wrong_names(knowledge, condition)
    if expect.source and expect.source.text not in knowledge.sources:
        yield unknown("source", expect.source, knowledge.sources, "E0201")
    if expect.source and not all(
        condition.name.text in knowledge.settings for condition in expect.conditions
    ):
        other = next(
            condition.name for condition in expect.conditions if condition.name.text not in knowledge.settings
        )
        message = f"no source decides `{other.text}`, which is no setting"
        yield Diagnostic("E0802", message, expect.source.span, "of a source", help=("leave out `from`",))
    for condition in expect.under:
        if condition.name.text not in knowledge.kinds:
            yield unknown("fact", condition.name, knowledge.kinds, "E0201")
        elif condition.negated:
            name = condition.name.text
            help_ = (f"name the values: `under {name} VALUE or VALUE`, or all of them: `under {name} any`",)
            yield Diagnostic(
                "E0802", "`under` names the values to try", condition.span, "values not to try", help=help_
            )
        else:
            yield from _wrong_names(knowledge, condition)


def _wrong_names(knowledge: Knowledge, condition: Condition) -> Iterator[Diagnostic]:
    name = condition.name
    if name.text not in knowledge.variables:
        from setpoint.compiler.knowledge import misnamed  # only wanted when one is unknown

        yield misnamed.unknown_setting(knowledge, name)
        return
    variable = knowledge.variables[name.text]
    yield from (
        unknown_value(variable, value)
        for value in condition.values
        if value.text != ANY and not variable.meant(value.text)
    )
