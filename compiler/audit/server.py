"""The attributes of the files against the registry and the current values of one server.

The values of the files are laid over the current ones, and the registry's dependencies are evaluated with the result.
So an attribute is judged for just that server: whether it is there, takes the value, is read-only beside the others, or
is overwritten by one of them.
"""

from collections.abc import Iterator, Mapping, Sequence

from setpoint.compiler.audit.words import MOST_LISTED
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.slips import nearest_by_letters
from setpoint.compiler.entries.model import ATTRIBUTE, Entry
from setpoint.compiler.fitting.server import Server
from setpoint.compiler.knowledge.interfaces import value_text
from setpoint.compiler.knowledge.lookup import squashed
from setpoint.compiler.registries.model import (
    BOOLEAN,
    ENUMERATION,
    IMMUTABLE,
    INTEGER,
    READ_ONLY,
    Attribute,
    Scalar,
)
from setpoint.compiler.registries.state import EffectiveAttribute, state
from setpoint.compiler.registries.words import plain


def judged(server: Server, entries: Sequence[Entry]) -> tuple[list[Diagnostic], frozenset[Entry]]:
    """The findings about the files' attributes, and the entries whose names and texts are judged by them."""
    attributes = [entry for entry in entries if entry.interface == ATTRIBUTE]
    known = {entry.name: entry for entry in attributes if entry.name in server.registry.attributes}
    of_files = {
        name: _typed(server.registry.attributes[name], entry.text or "") for name, entry in known.items()
    }
    values = {**server.current, **of_files}
    states = state(server.registry, values)
    findings: list[Diagnostic] = []
    for entry in attributes:
        findings += _findings(server, entry, known, values, states)
    is_by_name = bool(known)
    return findings, frozenset(entry for entry in attributes if is_by_name or entry.name in known)


def _findings(
    server: Server,
    entry: Entry,
    known: Mapping[str, Entry],
    values: Mapping[str, Scalar],
    states: Mapping[str, EffectiveAttribute],
) -> Iterator[Diagnostic]:
    attribute = server.registry.attributes.get(entry.name)
    notes = (f"source: {server.file}, {plain(entry.name)}",)
    if attribute is None:
        if known:  # otherwise the names are those of a menu
            yield _missing(server, entry)
        return
    effective = states[entry.name]
    if not server.is_seen_only and not _takes(attribute, effective, entry.text or ""):
        yield _not_taken(server, entry, attribute, effective)
        return
    causes = _causes(server, entry.name, known)
    labels = tuple(Label(cause.span, "because of this") for cause in causes)
    by = " and ".join(f"`{cause.short}`" for cause in causes) or "the server's other values"
    if _is_locked(server, effective):
        message = f"`{entry.short}` is without effect: the attribute is read-only with {by}"
        help_ = ("leave it out, or change what locks it",)
        yield Diagnostic("W0908", message, entry.span, "read-only", labels, notes, help_)
    elif effective.forced and effective.forced[0] != values[entry.name]:
        forced = effective.forced[0]
        now = value_text(forced) if isinstance(forced, str | int) else str(forced)
        message = f"`{entry.short}` is overwritten: the server makes it `{plain(now)}` with {by}"
        yield Diagnostic(
            "W0908", message, entry.span, "overwritten", labels, notes, ("leave one of them out",)
        )


def _missing(server: Server, entry: Entry) -> Diagnostic:
    names = server.registry.attributes
    alike = [name for name in names if squashed(name) == squashed(entry.name)]
    near = alike[0] if alike else nearest_by_letters(entry.name, names)
    message = f"`{plain(entry.name)}` does not exist on this server: `{server.file}` has no such attribute"
    help_ = f"did you mean `{plain(near)}`?" if near else "leave it out"
    return Diagnostic("E0907", message, entry.span, "no such attribute", help=(help_,))


def _not_taken(
    server: Server, entry: Entry, attribute: Attribute, effective: EffectiveAttribute
) -> Diagnostic:
    text = entry.text or ""
    message = f"`{plain(entry.name)}` does not take `{plain(text)}` on this server"
    texts = effective.possible or tuple(choice.text for choice in attribute.choices)
    labels = {choice.label: choice.text for choice in attribute.choices}
    near = labels.get(text) or nearest_by_letters(text, texts)
    help_ = (f"did you mean `{plain(near)}`?",) if near else ()
    notes = (
        f"taken: {server.offered(attribute, texts[:MOST_LISTED])}",
        f"source: {server.file}, {plain(entry.name)}",
    )
    return Diagnostic("E0907", message, entry.span, "not taken", (), notes, help_)


def _is_locked(server: Server, effective: EffectiveAttribute) -> bool:
    """Whether nobody can write an attribute. In lockdown only what dependencies say counts."""
    locking = {READ_ONLY, IMMUTABLE} & effective.flags
    if not server.is_locked_down:
        return bool(locking)
    return READ_ONLY in locking and any(
        dependency.attribute == effective.name and dependency.changes == READ_ONLY
        for dependency in server.registry.dependencies
    )


def _causes(server: Server, name: str, known: Mapping[str, Entry]) -> list[Entry]:
    """The entries of the files on which an attribute depends."""
    depends = {
        condition.attribute
        for dependency in server.registry.dependencies
        if dependency.attribute == name
        for condition in dependency.conditions
    }
    return [known[attribute] for attribute in sorted(depends) if attribute in known and attribute != name]


def _takes(attribute: Attribute, effective: EffectiveAttribute, text: str) -> bool:
    """Whether an attribute takes a text."""
    if attribute.type == ENUMERATION:
        return text in effective.possible
    if attribute.type == BOOLEAN:
        return text.lower() in ("true", "false")
    if attribute.type == INTEGER:
        low, high, step = attribute.bounds
        if not text.lstrip("-").isdecimal() or len(text) > 20:
            return False
        number = int(text)
        in_bounds = (low is None or low <= number) and (high is None or number <= high)
        return in_bounds and not (number - (low or 0)) % max(step or 1, 1)
    least, greatest = attribute.lengths
    return (least or 0) <= len(text) and (greatest is None or len(text) <= greatest)


def _typed(attribute: Attribute, text: str) -> Scalar:
    """A text in the type of its attribute."""
    if attribute.type == BOOLEAN and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if attribute.type == INTEGER and text.lstrip("-").isdecimal() and len(text) <= 20:
        return int(text)
    return text
