"""The names in an expectation: settings, facts and effects with their values, a hazard, a source, and facts to vary."""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.words import ANY, unknown, unknown_value
from setpoint.compiler.language.syntax import Condition, Expect, Name


def wrong_expectation(knowledge: Knowledge, expect: Expect) -> Iterator[Diagnostic]:
    """What is wrong with an expectation, whatever the plan is: unknown names (E0201), unknown values (E0202, E0212), and facts
    that cannot be varied (E0802).
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
    if expect.source and not all(each.name.text in knowledge.settings for each in expect.conditions):
        other = next(each.name for each in expect.conditions if each.name.text not in knowledge.settings)
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
        yield _unknown(knowledge, name)
        return
    variable = knowledge.variables[name.text]
    yield from (
        unknown_value(variable, value)
        for value in condition.values
        if value.text != ANY and not variable.meant(value.text)
    )


def _unknown(knowledge: Knowledge, name: Name) -> Diagnostic:
    from setpoint.compiler.knowledge.misnamed import unknown_setting  # only wanted when one is unknown

    return unknown_setting(knowledge, name)
