"""Sources: author, date, pins and scope.

A scope consists of facts only: the servers and uses that a source studied. Conditions on settings belong into rules.
What is related to the scope, such as another maker's servers with the same processors, consists of facts too.
"""

from collections.abc import Container, Sequence

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.chains import cycles
from setpoint.compiler.knowledge.fields import FieldsOfBlocks
from setpoint.compiler.knowledge.model import MEASURED, OUT_OF_SCOPE, STRENGTHS, Box, Related, Source
from setpoint.compiler.knowledge.pins import address_of, date_of, pins
from setpoint.compiler.knowledge.words import Words, unknown
from setpoint.compiler.language.syntax import Block, Condition
from setpoint.compiler.record import NamedTuple

WEAKER = tuple(strength for strength in STRENGTHS if strength not in (OUT_OF_SCOPE, MEASURED))
"""The strengths that advice can have where its source studied something related."""


def sources(
    blocks: Sequence[tuple[Block, str]],
    fields: FieldsOfBlocks,
    settings: Container[str],
    words: Words,
    findings: list[Diagnostic],
) -> dict[str, Source]:
    """The sources by name, from their blocks, each with the layer of its file. What is wrong is added to the
    findings."""
    reading = _SourceReading(fields, settings, words, findings)
    by_name = {block.name.text: reading.source(block, layer) for block, layer in blocks}
    for block, _ in blocks:
        old = fields[block].name("supersedes")
        if old is not None and old.text not in by_name:
            findings.append(unknown("source", old, by_name, "E0201"))
    older = {name: source.supersedes for name, source in sorted(by_name.items())}
    for name in list(cycles(older)):
        findings.append(Diagnostic("K07", f"`{name}` supersedes itself", by_name[name].span, "cycle"))
        by_name[name] = by_name[name]._replace(supersedes="")
    return by_name


class _SourceReading(NamedTuple):
    """What a source is read with: the fields of its block, the settings, which no scope can name, and the words of
    conditions."""

    fields: FieldsOfBlocks
    settings: Container[str]
    words: Words
    findings: list[Diagnostic]

    def source(self, block: Block, layer: str) -> Source:
        """The source of a block."""
        fields = self.fields[block]
        scope = self._facts(fields.conditions("scope"))
        pinned = pins(fields, self.findings)
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
            related=self._related(block, scope),
            contents=tuple(name.text for field in fields.all("contents") for name in field.names),
            layer=layer,
            span=block.name.span,
            pins=pinned,
        )

    def _related(self, block: Block, scope: Box) -> Related | None:
        """What is related to the scope; None if nothing is, or if that is not stated well, which is reported."""
        source, field = block.name, next(iter(self.fields[block].all("related")), None)
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
        self.findings.extend(faults)
        box = self._facts(field.conditions)
        return None if faults or not box else Related(box, strength.text, because.text)

    def _facts(self, conditions: tuple[Condition, ...]) -> Box:
        """The conditions of a scope as a box of facts; settings are reported and left out."""
        facts = tuple(condition for condition in conditions if condition.name.text not in self.settings)
        for condition in conditions:
            if condition not in facts:
                message = f"a scope names facts only, and `{condition.name.text}` is a setting"
                advice = "move the condition into the `when` of the rules that depend on it"
                self.findings.append(Diagnostic("K07", message, condition.span, "a setting", help=(advice,)))
        return self.words.box(facts)
