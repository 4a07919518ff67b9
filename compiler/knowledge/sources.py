"""Sources: author, date, pins and scope.

A scope consists of facts only: the servers and uses that a source studied. Conditions on settings belong into rules. What is
related to the scope, such as another maker's servers with the same processors, consists of facts too.
"""

from collections.abc import Iterable

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.chains import cycles
from setpoint.compiler.knowledge.fields import Fields
from setpoint.compiler.knowledge.model import MEASURED, OUT_OF_SCOPE, STRENGTHS, Box, Related, Setting, Source
from setpoint.compiler.knowledge.pins import address_of, date_of, pins
from setpoint.compiler.knowledge.words import Words, unknown
from setpoint.compiler.language.syntax import Block, Condition, Name

WEAKER = tuple(strength for strength in STRENGTHS if strength not in (OUT_OF_SCOPE, MEASURED))
"""The strengths that advice can have where its source studied something related."""


def sources(
    blocks: Iterable[tuple[Block, str]],
    fields: dict[Block, Fields],
    settings: dict[str, Setting],
    words: Words,
    findings: list[Diagnostic],
) -> dict[str, Source]:
    """The sources by name, from their blocks, each with the layer of its file. Errors are added to `findings`."""
    blocks = tuple(blocks)
    found = {
        block.name.text: _source(block, layer, fields[block], settings, words, findings)
        for block, layer in blocks
    }
    for block, _ in blocks:
        old = fields[block].name("supersedes")
        if old is not None and old.text not in found:
            findings.append(unknown("source", old, found, "E0201"))
    older = {name: source.supersedes for name, source in sorted(found.items())}
    for name in list(cycles(older)):
        findings.append(Diagnostic("K07", f"`{name}` supersedes itself", found[name].span, "cycle"))
        found[name] = found[name]._replace(supersedes="")
    return found


def _source(
    block: Block,
    layer: str,
    fields: Fields,
    settings: dict[str, Setting],
    words: Words,
    findings: list[Diagnostic],
) -> Source:
    scope = _facts(fields.conditions("scope"), settings, words, findings)
    pinned = pins(fields, findings)
    return Source(
        name=block.name.text,
        title=fields.text("title"),
        author=fields.text("author"),
        publisher=fields.text("publisher"),
        date=fields.text("date") or date_of(pinned),
        url=fields.text("url") or address_of(pinned),
        about="; ".join(text for text in (fields.text("about"), fields.text("note")) if text),
        supersedes=fields.text("supersedes"),
        scope=scope,
        related=_related(block.name, fields, scope, settings, words, findings),
        contents=tuple(name.text for field in fields.all("contents") for name in field.names),
        layer=layer,
        span=block.name.span,
        pins=pinned,
    )


def _related(
    source: Name,
    fields: Fields,
    scope: Box,
    settings: dict[str, Setting],
    words: Words,
    findings: list[Diagnostic],
) -> Related | None:
    """What is related to the scope; None if nothing is, or if that is not stated well, which is reported."""
    field = next(iter(fields.all("related")), None)
    if field is None:
        return None
    strength, because = field.names
    faults = []
    if strength.text not in WEAKER:
        faults.append(unknown("strength of what is related", strength, WEAKER, "E0202"))
    if not because.text.strip():
        faults.append(Diagnostic("K07", f"`{source.text}` has an empty reason", because.span, "empty"))
    if not scope:
        message = f"`{source.text}` names what is related to its scope, and has no scope"
        how = ("drop `related`: without a `scope`, its advice is in scope everywhere",)
        faults.append(Diagnostic("K07", message, field.span, "related to what?", help=how))
    findings += faults
    box = _facts(field.conditions, settings, words, findings)
    return None if faults or not box else Related(box, strength.text, because.text)


def _facts(
    conditions: tuple[Condition, ...],
    settings: dict[str, Setting],
    words: Words,
    findings: list[Diagnostic],
) -> Box:
    """The conditions of a scope as a box of facts; settings are reported and left out."""
    facts = tuple(condition for condition in conditions if condition.name.text not in settings)
    findings += [
        Diagnostic(
            "K07",
            f"a scope names facts only, and `{condition.name.text}` is a setting",
            condition.span,
            "a setting",
            help=("move the condition into the `when` of the rules that depend on it",),
        )
        for condition in conditions
        if condition not in facts
    ]
    return words.box(facts)
