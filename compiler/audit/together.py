"""What is wrong with all settings of the files together.

The files are planned as a policy with a `set` for each of their values, and without any recommendation: so what they do
not mention is as the vendor has it. What such a plan cannot have is contradictory, and its hazards are those of the
files, except for those that the server has without them as well.
"""

from collections.abc import Container, Iterable, Mapping, Sequence

from setpoint.compiler.audit.model import Interpretation, Stated, source_note
from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, Label, SetpointError
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.entries.model import ATTRIBUTE
from setpoint.compiler.knowledge.model import Hazard, Knowledge
from setpoint.compiler.language.syntax import Name, Reason, Set
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.decided import solve
from setpoint.compiler.resolution.hazards import effects_of, hazards_of, waivers_of
from setpoint.compiler.resolution.solution import Solution

OF_HAZARDS = {"E0401", "W0401", "W0402"}
"""The codes of findings about hazards."""


def agreed(
    stated: Iterable[Stated], readings: Iterable[Interpretation]
) -> tuple[list[Stated], list[Diagnostic]]:
    """One value for each setting, and the findings about those with two (E0906).

    In one file an entry of its own takes precedence over what a collection says, as in a profile that includes another.
    """
    own = {(name, r.entry.scope) for r in readings if not r.is_collection for name in r.settings}
    kept: dict[str, Stated] = {}
    findings = []
    for value in stated:
        if value.reading.is_collection and (value.setting, value.entry.scope) in own:
            continue
        before = kept.setdefault(value.setting, value)
        is_same_name = (before.entry.interface, before.entry.name) == (
            value.entry.interface,
            value.entry.name,
        )
        is_same_file = before.entry.span.file == value.entry.span.file
        if before.value != value.value and is_same_name and is_same_file and _is_replaced(before, value):
            kept[value.setting] = value
        if before.value == value.value or (is_same_name and is_same_file):
            continue  # the same name twice in a file is reported as that
        if is_same_file and before.entry.part != value.entry.part:
            continue  # which of a file's profiles a server gets is decided elsewhere
        if not before.entry.is_beside(value.entry):
            continue
        findings.append(
            Diagnostic(
                "E0906",
                f"`{value.entry.written}` contradicts `{before.entry.short}`: `{value.setting} {value.value}` and `{before.setting} {before.value}`",
                value.entry.span,
                f"{value.setting} {value.value}",
                (Label(before.entry.span, f"{before.setting} {before.value}"),),
                notes=tuple(dict.fromkeys((source_note(value.citation), source_note(before.citation)))),
                help=("keep one of them",),
            )
        )
    return list(kept.values()), findings


def _is_replaced(before: Stated, after: Stated) -> bool:
    """Whether the firmware gets the later one of two texts: an attribute has one value, which the last command sets."""
    is_at_once = before.entry.part == after.entry.part and before.entry.is_beside(after.entry)
    return after.entry.interface == ATTRIBUTE and is_at_once and not before.reading.is_collection


def statement(stated: Stated) -> Set:
    """The `set` of a value, at the place of its entry."""
    span = stated.entry.span
    return Set(
        Name(stated.setting, span=span), Name(stated.value, span=span), Reason("", span=span), span=span
    )


def with_sets(context: Context, stated: Iterable[Stated]) -> Context:
    """A context with the values of the files; those of the policy itself are left out where a file has another one."""
    sets = {s.setting.text: s for s in context.sets} | {s.setting: statement(s) for s in stated}
    return context._replace(sets=tuple(sets[name] for name in sorted(sets)))


class Together(NamedTuple):
    """What the values of the files do together: those that are possible, the conflicts of the others, and by intent the
    hazards that they cause, by name, each at the entry that causes it."""

    possible: list[Stated]
    conflicts: list[Diagnostic]
    caused: dict[str, dict[str, Diagnostic]]


def together(
    knowledge: Knowledge,
    contexts: Mapping[str, Context],
    stated: Sequence[Stated],
    today: str,
    answered: Container[str] = (),
    yielding: frozenset[str] = frozenset(),
    unfinished: frozenset[str] = frozenset(),
) -> Together:
    """Plan the values for each intent. The first one has the conflicts, which are those of all. Hazards that are
    `answered` are left out, and so are values of the files in `yielding` where they conflict with others. Files in
    `unfinished` include what nobody here can read: what they do not set may be set there.

    Intents share a solution unless something that is offered or possible depends on them: without recommendations they
    differ in their hazards only.
    """
    bare = knowledge._replace(rules=())
    outcomes: list[Together] = []
    for intents in _alike(bare, contexts):
        conflicts, solution, left = _as_left(bare, contexts[intents[0]], stated, yielding)
        without: Solution | None = None
        caused: dict[str, dict[str, Diagnostic]] = {intent: {} for intent in intents}
        for intent in intents:
            if solution is None:
                break
            context = contexts[intent]
            plan = _with_hazards(bare, with_sets(context, left), solution)
            arising = [
                d
                for d in judge(plan, today).diagnostics
                if d.code in OF_HAZARDS and d.subject not in answered
            ]
            if arising:
                without = without or solve(bare, context)
                before = {hazard.hazard for hazard in _with_hazards(bare, context, without).hazards}
                caused[intent] = _caused(bare, arising, before, left, unfinished)
        outcomes.append(Together(left, conflicts, caused))
    return outcomes[0]._replace(
        caused={intent: outcome.caused[intent] for outcome in outcomes for intent in outcome.caused}
    )


def _alike(bare: Knowledge, contexts: Mapping[str, Context]) -> Iterable[list[str]]:
    """The intents that share a solution."""
    alike: dict[tuple[int, ...], list[str]] = {}
    for intent, key in _decisive(bare, contexts).items():
        alike.setdefault(key, []).append(intent)
    return alike.values()


def _decisive(bare: Knowledge, contexts: Mapping[str, Context]) -> dict[str, tuple[int, ...]]:
    """By intent the facts that differ between them and on which a solution without recommendations can depend."""
    bits = {intent: context.bits(bare) for intent, context in contexts.items()}
    boxes = [offer.when for offers in bare.offers.values() for offer in offers]
    boxes += [preset.when for preset in bare.presets]
    boxes += [(*c.when, *((c.require,) if c.require else ())) for c in bare.constraints]
    read = {name for box in boxes for name, _ in box}
    differing = [
        name for name in bare.kinds if name in read and len({masks[name] for masks in bits.values()}) > 1
    ]
    return {intent: tuple(masks[name] for name in differing) for intent, masks in bits.items()}


def _as_left(
    bare: Knowledge, context: Context, stated: Sequence[Stated], yielding: frozenset[str]
) -> tuple[list[Diagnostic], Solution | None, list[Stated]]:
    """The conflicts between the values, the solution of the others, None if there is none, and these others."""
    left = list(stated)
    conflicts: list[Diagnostic] = []
    while True:
        try:
            return conflicts, solve(bare, with_sets(context, left)), left
        except SetpointError as error:
            spans = {s for d in error.diagnostics for s in (d.at, *(label.span for label in d.others))}
            refused = [s for s in left if s.entry.span in spans]
            gone = [s for s in refused if s.entry.span.file in yielding]
            if gone or (gone := _taken_over(refused) or _elsewhere(refused)):
                left = [s for s in left if s not in gone]
                continue
            conflicts += [_of_files(d) for d in error.diagnostics]
            if not refused:
                return conflicts, None, left
            left = [s for s in left if s not in refused]


def _taken_over(refused: Sequence[Stated]) -> list[Stated]:
    """The values that a collection brings and that options beside it replace, which are written after it."""
    own = {s.entry.scope for s in refused if not s.reading.is_collection}
    return [s for s in refused if s.reading.is_collection and s.entry.scope in own]


def _elsewhere(refused: Sequence[Stated]) -> list[Stated]:
    """The values that are under other conditions than the first, so that both may never be in force at once."""
    return [s for s in refused[1:] if not s.entry.is_beside(refused[0].entry)]


def _with_hazards(bare: Knowledge, context: Context, solution: Solution) -> Plan:
    """The plan of a solution with no more in it than its hazards and waivers."""
    bits = solution.bits(bare, context)
    effects = effects_of(bare, bits)
    arising = hazards_of(bare, context, solution.choices, bits, effects)
    waivers = waivers_of(bare, context, arising, ())
    facts = tuple(context.facts.values())
    places = context.places._replace(whole=context.intent(bare))
    return Plan(context.policy, facts, (), effects, arising, waivers, (), (), places=places)


def _of_files(conflict: Diagnostic) -> Diagnostic:
    """A conflict without its repairs, which are those of a policy."""
    return conflict._replace(help=("leave one of them out",) if conflict.others else (), fixes=())


def _caused(
    knowledge: Knowledge,
    arising: Iterable[Diagnostic],
    before: set[str],
    stated: Sequence[Stated],
    unfinished: frozenset[str],
) -> dict[str, Diagnostic]:
    """Those of the hazards, by name, that the values of the files cause; `before` are the server's without them."""
    entries = {value.setting: value.entry for value in stated}
    hazards = {}
    for finding in arising:
        hazard = knowledge.hazards[finding.subject]
        read = _settings_of(knowledge, hazard)
        named = [entries[name] for name in read if name in entries]
        is_named = any(name in entries for name, _ in hazard.when)
        is_at_once = all(entry.is_beside(named[0]) for entry in named)
        is_stated = all(name in entries for name in read if name in knowledge.settings)
        if not is_stated and any(entry.span.file in unfinished for entry in named):
            continue
        if named and is_at_once and (is_named or finding.subject not in before):
            hazards[finding.subject] = _located(finding, [entry.span for entry in named])
    return hazards


def _settings_of(knowledge: Knowledge, hazard: Hazard) -> list[str]:
    """The settings that a hazard depends on, by itself or by an effect; its own first."""
    names = [name for name, _ in hazard.when]
    effects = [knowledge.effects[name] for name in names if name in knowledge.effects]
    return list(dict.fromkeys([*names, *(n for e in effects for _, box in e.cases for n, _ in box)]))


def _located(finding: Diagnostic, named: Sequence[Span]) -> Diagnostic:
    """A finding at the entries that cause it."""
    if finding.at in named:
        return finding
    first, *others = dict.fromkeys(named)
    labels = (*(Label(span, "caused by this") for span in others), *finding.others)
    return finding._replace(at=first, label="caused by this", others=labels)
