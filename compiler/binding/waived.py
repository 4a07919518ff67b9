"""The names in a waiver: a hazard, or a kind of warnings or differences with what they are about."""

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.syntax import Accept, Name
from setpoint.compiler.plan.waivers import ADVICE, EVIDENCE, FIRMWARE, FORMS, OMISSION, OVERRIDE


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
