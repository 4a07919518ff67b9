"""The values of files as a policy, with a `set` for each and the reasons left open.

Names and values are those of the knowledge base. What was read from nothing known is in comments, on one line and with
its unprintable characters made visible, so that no text of a file becomes a statement.
"""

from setpoint.compiler.audit.check import Audit
from setpoint.compiler.audit.goals import best
from setpoint.compiler.diagnostics.fixes import OPEN_REASON
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.entries.model import Entry
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.render.visible import visible

MOST_OF_AN_ENTRY = 200
"""How many characters of an entry a comment has."""


def set_line(setting: str, value: str, comment: str) -> str:
    """A `set` whose reason is left to a person, with a comment of one line of printable text."""
    return f"set {setting} {value} because {OPEN_REASON};  # {comment}"


def policy_of(audit: Audit) -> str:
    """The policy, in canonical form. Without a stated intent it has the one that the values serve best."""
    stated = [fact for fact in audit.context.facts.values() if fact.origin == "stated"]
    lines = [f"# As found in {', '.join(visible(file.name) for file in audit.files)}."]
    if not audit.is_goal_stated:
        served = best(audit.fits)
        intended = (served or audit.fits)[0].intent
        why = "these values serve this one best" if served else "choose one, for these values serve none"
        lines += [f"# Nobody stated the purpose: {why}.", f"{intended};"]
        intent = {part.split()[0] for part in intended.split(", ")}
        stated = [fact for fact in stated if fact.name not in intent]
    lines += [f"{fact.name} {fact.value};" for fact in stated]
    lines += [""]
    stated_values = sorted(audit.stated, key=lambda s: (s.entry.span, s.setting))
    for value in (value for value in stated_values if value not in audit.actions):
        lines += [set_line(value.setting, value.value, _place(value.entry))]
    if audit.actions:
        lines += ["", "# Not in this policy, which would perform it: a one-time action is no state."]
        lines += [f"# {_place(value.entry)}" for value in stated_values if value in audit.actions]
    if audit.unread:
        lines += ["", "# Not in this policy, since it is no setting here, or contradicts another one:"]
        lines += [f"# {_place(entry)}" for entry in audit.unread]
    return format_source(SourceText("policy.tune", "\n".join(lines) + "\n"))


def _place(entry: Entry) -> str:
    """An entry as it is written, and where."""
    text = visible(entry.written)
    short = text if len(text) <= MOST_OF_AN_ENTRY else f"{text[:MOST_OF_AN_ENTRY]}…"
    return f"{visible(entry.span.file)}:{entry.span.line}: {short}"
