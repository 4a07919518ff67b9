"""Constraints, hazards, effects and assumptions.

A constraint can require an effect: that devices get at memory through the IOMMU, say, whatever gives it on a server.
What such a *need* forbids is each case in which the effect has another value, so that it becomes a constraint for each
of these.
"""

from collections.abc import Iterator, Mapping

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.advice import applicabilities_of
from setpoint.compiler.knowledge.locks import FLAGS, LOCKED
from setpoint.compiler.knowledge.model import (
    UNSTATED,
    Assumption,
    Box,
    Constraint,
    Effect,
    Hazard,
    meet,
    narrower,
    several,
)
from setpoint.compiler.knowledge.vocabulary import Vocabulary
from setpoint.compiler.knowledge.words import is_any, unknown
from setpoint.compiler.language.syntax import Assume, Block, Condition


def constraints(vocabulary: Vocabulary, effects: Mapping[str, Effect]) -> tuple[Constraint, ...]:
    """The combinations that hardware or firmware does not allow, or that take away what the work needs."""
    entries = [
        constraint
        for block, _ in vocabulary.blocks("constraint")
        for constraint in _constraint(vocabulary, block, effects)
    ]
    vocabulary.report_duplicates("constraint", [*dict.fromkeys((c.name, c.span) for c in entries)])
    return tuple(sorted(entries, key=lambda c: c.name))


def _constraint(vocabulary: Vocabulary, block: Block, effects: Mapping[str, Effect]) -> Iterator[Constraint]:
    """The constraint of a block; for an effect one for each case that it excludes."""
    fields = vocabulary.fields[block]
    require = fields.conditions("require")
    if fields.has("forbid") == bool(require):
        vocabulary.wrong(
            f"constraint `{block.name.text}` must contain `require` or `forbid`", block.name.span
        )
    flags = [flag for flag in FLAGS if fields.has(flag)]
    constraint = Constraint(
        name=block.name.text,
        when=vocabulary.words.box(fields.conditions("when")),
        require=None,
        because=vocabulary.reason(fields.name("because"), block.name),
        citation=vocabulary.citation_of(block),
        span=block.name.span,
    )
    if require and (effect := effects.get(require[0].name.text)) is not None:
        if flags:
            vocabulary.findings.extend(_unfit_for_a_lock(vocabulary, block, constraint.when, (), flags))
        yield from _needs(vocabulary, constraint, effect, require[0])
        return
    box = vocabulary.words.box(require)
    if flags and require and is_any(require[0]) and require[0].name.text in vocabulary.settings:
        name = require[0].name.text
        box = ((name, vocabulary.variables[name].everything),)
    if flags:
        vocabulary.findings.extend(_unfit_for_a_lock(vocabulary, block, constraint.when, box, flags))
    elif require and not box and is_any(require[0]):
        message = f"constraint `{block.name.text}` requires nothing"
        vocabulary.wrong(message, require[0].span, "always true")
    yield constraint._replace(require=box[0] if box else None, lock=flags[0] if flags else "")


def _needs(
    vocabulary: Vocabulary, need: Constraint, effect: Effect, require: Condition
) -> Iterator[Constraint]:
    """A need, for each case of the effect that it excludes. These must be the first ones (K07)."""
    allowed = vocabulary.words.mask(require)
    variable = vocabulary.variables[effect.name]
    fits = [bool(allowed & variable.bit(value)) for value, _ in effect.cases]
    rest = variable.bit(effect.otherwise) if effect.otherwise else UNSTATED
    excluded = fits.index(True) if True in fits else len(fits)
    if not allowed & rest or not all(fits[excluded:]):
        message = f"constraint `{need.name}` requires a value of `{effect.name}` that only some of its cases exclude"
        advice = "name the values that must not be: `require EFFECT not VALUE`; their cases must come before all others"
        vocabulary.wrong(message, require.span, "not plain", advice)
        return
    for _, box in effect.cases[:excluded]:
        if (together := meet(need.when, box)) is not None:
            yield need._replace(when=together, effect=effect.name)


def _unfit_for_a_lock(
    vocabulary: Vocabulary, block: Block, when: Box, require: Box, flags: list[str]
) -> Iterator[Diagnostic]:
    """What a constraint lacks that says what firmware does with a setting (K07)."""
    head = f"constraint `{block.name.text}`"
    if len(flags) > 1:
        yield Diagnostic("K07", f"{head} cannot be both `{flags[0]}` and `{flags[1]}`", block.name.span, "")
    if not require or require[0][0] not in vocabulary.settings:
        advice = ("name the setting and its value: `require SETTING VALUE`",)
        yield Diagnostic("K07", f"{head} does not say what is `{flags[0]}`", block.name.span, "", help=advice)
    elif flags[0] == LOCKED and several(require[0][1]):
        advice = (f"if firmware does not set `{require[0][0]}`, write `kept`",)
        yield Diagnostic(
            "K07", f"{head} requires several values", block.name.span, "which is set?", help=advice
        )
    causes = [name for name, _ in when if name in vocabulary.settings]
    if len(causes) != 1:
        label = f"names {len(causes)}"
        yield Diagnostic("K07", f"{head} must name one setting in `when`", block.name.span, label)


def hazards(vocabulary: Vocabulary) -> Iterator[Hazard]:
    """The combinations that are possible but defeat the intent."""
    for block, _ in vocabulary.blocks("hazard"):
        fields = vocabulary.fields[block]
        severity = fields.text("severity") or "error"
        if severity not in ("error", "warning"):
            at = fields.name("severity") or block.name
            vocabulary.findings.append(unknown("severity", at, ("error", "warning"), "E0202"))
        when = vocabulary.words.box_with_effects(fields.conditions("when"))
        citation = vocabulary.citation_of(block)
        yield Hazard(
            name=block.name.text,
            when=when,
            applicabilities=applicabilities_of(vocabulary, when, citation, "", ()),
            beyond=fields.has("beyond"),
            severity=severity,
            because=vocabulary.reason(fields.name("because"), block.name),
            help=fields.text("help"),
            asks=fields.text("asks"),
            citation=citation,
            span=block.name.span,
        )


def effects(vocabulary: Vocabulary) -> dict[str, Effect]:
    """The combined effects of settings of several layers, by name."""
    entries = []
    for block in vocabulary.effects.values():
        fields = vocabulary.fields[block]
        cases = []
        for field in fields.all("case"):
            if vocabulary.has_value(block.name.text, field.names[0]):
                cases.append((field.names[0].text, vocabulary.words.box(field.conditions)))
        otherwise = fields.name("otherwise")
        if otherwise is not None:
            vocabulary.has_value(block.name.text, otherwise)
        entries.append(
            Effect(
                name=block.name.text,
                title=fields.text("title"),
                values=vocabulary.variables[block.name.text].values,
                cases=tuple(cases),
                otherwise=otherwise.text if otherwise else "",
                citation=vocabulary.citation_of(block),
                span=block.name.span,
            )
        )
    return {e.name: e for e in sorted(entries, key=lambda e: e.name)}


def assumptions(vocabulary: Vocabulary) -> tuple[Assumption, ...]:
    """The facts to assume if nobody states them; for each fact a site's own first, then the narrowest condition."""
    by_layer: dict[str, list[Assumption]] = {}
    for statement, layer in vocabulary.statements:
        if not isinstance(statement, Assume):
            continue
        when = vocabulary.words.box(statement.when)
        because = vocabulary.reason(statement.because, statement.fact)
        if statement.fact.text not in vocabulary.kinds:
            vocabulary.findings.append(unknown("fact", statement.fact, vocabulary.kinds, "E0201"))
        elif vocabulary.kinds[statement.fact.text].required:
            vocabulary.wrong(
                f"`{statement.fact.text}` cannot be assumed: every policy must state it",
                statement.fact.span,
                "must be stated",
                "drop the assumption; the author of a policy decides this",
            )
        elif vocabulary.has_value(statement.fact.text, statement.value):
            closed = vocabulary.closed(when)
            assumption = Assumption(
                statement.fact.text, statement.value.text, when, closed, because, layer, span=statement.span
            )
            by_layer.setdefault(layer, []).append(assumption)
    ordered: list[Assumption] = []
    for layer in ("site", "stdlib"):
        here = by_layer.get(layer, [])
        for fact in sorted({a.fact for a in here}):
            of_fact = [a for a in here if a.fact == fact]
            vocabulary.report_repeated(f"the assumption about `{fact}`", [(a.when, a.span) for a in of_fact])
            ordered += sorted(of_fact, key=lambda a: (-_wider(a, of_fact), a.when, a.value))
    return tuple(sorted(ordered, key=lambda a: a.fact))


def _wider(assumption: Assumption, others: list[Assumption]) -> int:
    """The number of others with a wider condition."""
    return sum(narrower(assumption, other) for other in others)
