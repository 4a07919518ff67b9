"""The knowledge base as text: lists of its contents, and single entries in full."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from setpoint.compiler.knowledge.model import (
    Citation,
    Constraint,
    Effect,
    FactKind,
    Family,
    Hazard,
    Knowledge,
    KnownWords,
    Measurement,
    Observation,
    Rule,
    Service,
    Setting,
    Source,
)
from setpoint.compiler.knowledge.observations import WHOLE, Guard
from setpoint.compiler.language.syntax import File
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.source_text import source_text
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.words import (
    conditions_held,
    known_text,
    measured_of,
    spelled_texts,
    varied_of,
    way_text,
)


def place_text(observation: Observation) -> str:
    """Where a setting is read: `msr 0x1a0 bit 38`, `/proc/cpuinfo as flag`."""
    form = "" if observation.word == WHOLE else f" as {observation.word}"
    factor = f" times {observation.factor}" if observation.factor else ""
    return f"{observation.place}{_part(observation.bits, observation.line)}{form}{factor}"


def shown_texts(observation: Observation) -> str:
    """The texts for each value: `on "0"; off "1" or "2"`."""
    values: dict[str, list[str]] = {}
    for text, value in observation.texts:
        values.setdefault(value, []).append(f'"{text}"' if text else "absent")
    return "; ".join(f"{value} {' or '.join(texts)}" for value, texts in values.items())


def guards_text(observation: Observation) -> str:
    """What other places must show: `/sys/… shows "acpi_idle"`."""
    return "; ".join(_guard(guard) for guard in observation.guards)


def counts_text(observation: Observation) -> str:
    """When it counts, and who may have changed it since: `if … shows "…"; may be overwritten by intel-idle`."""
    owner = f"may be overwritten by {observation.owner}" if observation.owner else ""
    return "; ".join(filter(None, (f"if {guards_text(observation)}" if observation.guards else "", owner)))


def _guard(guard: Guard) -> str:
    verb = "shows" if guard.is_same else "does not show"
    return f'{guard.place}{_part(guard.bits, guard.line)} {verb} "{guard.text}"'


def _part(bits: tuple[int, int] | None, line: str) -> str:
    if bits is None:
        return f" line {line}" if line else ""
    return f" bit {bits[0]}" if bits[0] == bits[1] else f" bits {bits[0]} to {bits[1]}"


def _statement(knowledge: Knowledge, statement: Any, width: int) -> str:
    """A statement by the fields that most have."""
    rows = [
        ("title", getattr(statement, "title", "")),
        ("where", knowledge.box_text(getattr(statement, "when", ()))),
        ("because", getattr(statement, "because", "")),
        ("about", getattr(statement, "about", "")),
        ("defined in", f"{statement.span.file}:{statement.span.line}"),
    ]
    head = f"{type(statement).__name__.lower()} {statement.name} {_cite(statement.citation)}\n"
    return head + table([row for row in rows if row[1]], width)


class StatementKind(NamedTuple):
    """A kind of statement with names, as lists and pages show it.

    `field` is where the knowledge base has the statements, `line` what a list says of one beside its name, and `text`
    all of it, at a width. That of a source is in `source_text`, since it also needs the trees.
    """

    field: str
    line: Callable[[Knowledge, Any], str]
    text: Callable[[Knowledge, Any, int], str] | None = _statement

    def statements(self, knowledge: Knowledge) -> Iterable[Any]:
        """The statements of the kind."""
        statements = getattr(knowledge, self.field)
        return statements.values() if isinstance(statements, dict) else statements

    def rows(self, knowledge: Knowledge) -> Iterable[tuple[str, str]]:
        """The list of the kind: names, and what is said of each; what several statements say alike is there once."""
        return dict.fromkeys(
            (statement.name, self.line(knowledge, statement)) for statement in self.statements(knowledge)
        )


def _values_of_fact(knowledge: Knowledge, fact: str) -> str:
    """The outermost values of a fact, and the number of the values within them."""
    variable = knowledge.variables[fact]
    tops = [value for value, depth in tree(knowledge, fact) if not depth]
    within = len(variable.values) - len(tops)
    return ", ".join(tops) + (f"; {within} more within these (`setpoint kb list {fact}`)" if within else "")


def tree(knowledge: Knowledge, fact: str) -> list[tuple[str, int]]:
    """The values of a fact, each followed by those within it, with their depth."""
    variable = knowledge.variables[fact]
    parents = dict(zip(variable.values, variable.parents or ("",) * len(variable.values), strict=True))
    nested = any(parents.values())

    def below(parent: str, depth: int) -> Iterator[tuple[str, int]]:
        children = [value for value in variable.values if parents[value] == parent]
        for value in sorted(children) if nested else children:
            yield value, depth
            yield from below(value, depth + 1)

    return list(below("", 0))


def listing(knowledge: Knowledge, kinds: Iterable[str], width: int) -> str:
    """These kinds, or facts, as tables; the values of a fact as a tree."""
    parts = []
    for kind in kinds:
        if kind in KINDS:
            rows = list(KINDS[kind].rows(knowledge))
        else:
            values = knowledge.values[kind]
            rows = [("  " * depth + value, values[value].title) for value, depth in tree(knowledge, kind)]
        parts.append(f"{kind} ({len(rows)})\n" + table(rows, width))
    return "\n".join(parts)


def listing_data(knowledge: Knowledge, kinds: Iterable[str]) -> dict[str, Any]:
    """The same as data."""
    return {
        kind: [_data(knowledge, thing) for thing in KINDS[kind].statements(knowledge)]
        if kind in KINDS
        else [_data(knowledge, knowledge.values[kind][value]) for value, _ in tree(knowledge, kind)]
        for kind in kinds
    }


SHOWN_AS_DATA = (
    "name", "title", "publisher", "date", "url", "role", "required", "within", "layer", "values", "setting", "value",
    "strength", "severity", "because", "help", "asks", "about",
)  # fmt: skip
"""The fields that the data of an entry has, if present."""


def _data(knowledge: Knowledge, thing: Any) -> dict[str, Any]:
    """An entry as data: its plain fields, its conditions in words, and its place."""
    data = {field: getattr(thing, field) for field in SHOWN_AS_DATA if hasattr(thing, field)}
    if isinstance(thing, FactKind):
        data["values"] = [value for value, _ in tree(knowledge, thing.name)]
    if isinstance(thing, Source):
        data["pins"] = [{**pin._asdict(), "files": list(pin.files)} for pin in thing.pins]
    if isinstance(thing, Rule | Hazard | Constraint):
        data["when"] = knowledge.box_text(thing.when)
    citation = getattr(thing, "citation", None)
    if citation is not None:
        data |= {"source": citation.source, "at": citation.at}
    return {**data, "file": thing.span.file, "line": thing.span.line}


def names(knowledge: Knowledge) -> list[str]:
    """All names that can be shown."""
    values = [value for values in knowledge.values.values() for value in values]
    figures = [measurement.name for measurement in knowledge.measurements]
    return [*(name for kind in KINDS.values() for name, _ in kind.rows(knowledge)), *values, *figures]


def entry_text(knowledge: Knowledge, trees: tuple[File, ...], name: str, width: int) -> str:
    """Everything in the knowledge base under this name; "" if the name is unknown.

    `trees` are the files that it was made from, which only a source needs. A prefix of rules' names
    (`dell-11g-hpc.table-6`, or a row of it) shows all of these.
    """
    parts = [
        *([source_text(knowledge, trees, name, width)] if name in knowledge.sources else []),
        *_values(knowledge, name, width),
        *(
            kind.text(knowledge, statement, width)
            for kind in KINDS.values()
            if kind.text
            for statement in kind.statements(knowledge)
            if statement.name == name
            or (isinstance(statement, Rule) and _is_part(knowledge, statement, name))
        ),
        *(_measurement(m, width) for m in knowledge.measurements if m.name == name),
    ]
    return "\n".join(filter(None, parts))


def _is_part(knowledge: Knowledge, rule: Rule, name: str) -> bool:
    """Whether a rule is of the table, or of the row of one, that a name stands for."""
    return rule.name.startswith(name + ".") and name not in knowledge.sources


def _cite(citation: Citation | None) -> str:
    return f"[{citation.source}, {citation.at}]" if citation else ""


def _varied(m: Measurement) -> str:
    return f"{m.varied[0]} {varied_of(m)}" if m.varied else ""


def _context(m: Measurement) -> str:
    return ", ".join(f"{name} {value}" for name, value in (*m.labels, *m.when))


def _measurement(m: Measurement, width: int) -> str:
    rows = [
        ("figure", f"{m.metric} {measured_of(m)}"),
        ("varied", _varied(m)),
        ("held", conditions_held(m)),
        ("on", _context(m)),
        ("computed from", m.computed),
        ("note", m.note),
        ("defined in", f"{m.span.file}:{m.span.line}"),
    ]
    return f"measurement {m.name} {_cite(m.citation)}\n" + table([row for row in rows if row[1]], width)


def _fact(knowledge: Knowledge, kind: FactKind, width: int) -> str:
    values = knowledge.values[kind.name]
    parts = [
        f"fact {kind.name}: {kind.title}\n"
        + table([(v, values[v].title) for v in knowledge.variables[kind.name].values], width)
    ]
    for ignored in kind.ignored:
        texts = ", ".join(f'"{text}"' for text in ignored.texts)
        parts.append(
            paragraph(f"as machines print it, ignore {texts} {_cite(ignored.citation)}".rstrip(), width)
        )
    return "\n".join(parts)


def _values(knowledge: Knowledge, name: str, width: int) -> Iterable[str]:
    """The values of facts that have this name."""
    for fact, values in knowledge.values.items():
        if name not in values:
            continue
        value = values[name]
        rows = [
            ("title", value.title),
            *(
                ("also known as", ", ".join(a.texts))
                for a in knowledge.aliases
                if (a.variable, a.value) == (fact, name)
            ),
            ("within", value.within),
            ("one of", ", ".join(value.one_of)),
            ("follows", value.follows),
            ("implies", ", ".join(f"{f} {v}" for f, v in value.implies)),
            ("allows", "; ".join(knowledge.box_text((condition,)) for condition in value.allows)),
            *(
                ("reported as", f"{report.text} {_cite(report.citation)}".rstrip())
                for report in value.reported
            ),
            ("about", value.about),
            ("source", _cite(value.citation)),
        ]
        yield f"{fact} {name}\n" + table([row for row in rows if row[1]], width)


def _setting(knowledge: Knowledge, setting: Setting, width: int) -> str:
    name = setting.name
    text = f"setting {name}: {setting.title}, {setting.layer}, number {setting.position} in the order of decision\n"
    text += "  a one-time action: its default performs nothing\n" if setting.once else ""
    text += "".join(f"  also known as {', '.join(a.texts)}\n" for a in knowledge.aliases if a.name == name)
    offers = [
        (
            knowledge.box_text(o.when),
            o.text,
            f"default {o.default or 'not stated'}" if o.values else "",
            f"{o.menu} {_cite(o.citation)}".strip(),
        )
        for o in knowledge.offers.get(name, ())
    ]
    if offers:
        text += "\noffered\n" + table(offers, width)
    spellings = [
        (
            spelling.interface,
            ", ".join(spelling.names),
            spelled_texts(spelling),
            f"{knowledge.box_text(spelling.when)} {_cite(spelling.citation)}",
        )
        for spelling in knowledge.spellings.get(name, ())
    ]
    if spellings:
        text += "\nwritten as\n" + table(spellings, width)
    text += _shown(knowledge, name, width)
    rules = [
        (f"{r.value}", knowledge.strength_text(r), f"{knowledge.box_text(r.when)} {_cite(r.citation)}")
        for r in knowledge.rules
        if r.setting == name
    ]
    if rules:
        text += "\nrecommended\n" + table(rules, width)
    return text


def _shown(knowledge: Knowledge, name: str, width: int) -> str:
    """Where a running system shows a setting, or why nothing does; "" if that is not known."""
    rows = [
        (
            place_text(observation),
            shown_texts(observation),
            counts_text(observation),
            f"{knowledge.box_text(observation.when)} {_cite(observation.citation)}".strip(),
        )
        for observation in knowledge.observations.get(name, ())
    ]
    rows += [
        ("nowhere", unseen.because, "", f"{knowledge.box_text(unseen.when)} {_cite(unseen.citation)}".strip())
        for unseen in knowledge.unseen.get(name, ())
    ]
    return "\nshown by a running system\n" + table(rows, width) if rows else ""


def _rule(knowledge: Knowledge, rule: Rule, width: int) -> str:
    text = f"rule {rule.name} {_cite(rule.citation)}\n  {rule.setting} {rule.value}, {knowledge.strength_text(rule)}\n"
    text += f"  where {knowledge.box_text(rule.when)}\n"
    text += f"  because {rule.because}\n" if rule.because else ""
    text += f"  note: {rule.note}\n" if rule.note else ""
    text += f"  withdraws {', '.join(rule.withdraws)}\n" if rule.withdraws else ""
    return text + f"  defined in {rule.span.file}:{rule.span.line}\n"


def _hazard(knowledge: Knowledge, hazard: Hazard, width: int) -> str:
    text = f"hazard {hazard.name} {_cite(hazard.citation)}\n  {hazard.severity} where {knowledge.box_text(hazard.when)}\n"
    text += f"  because {hazard.because}\n"
    text += f"  asks {hazard.asks}\n" if hazard.asks else ""
    text += f"  help: {hazard.help}\n" if hazard.help else ""
    return text + f"  defined in {hazard.span.file}:{hazard.span.line}\n"


def _service(knowledge: Knowledge, service: Service, width: int) -> str:
    text = f"service {service.name}: {service.title} {_cite(service.citation)}\n  where {knowledge.box_text(service.when)}\n"
    text += f"  none, because {service.because}\n" if service.because else ""
    text += "".join(f"  {name} {address}\n" for name, address in service.addresses)
    text += "".join(f"  applies {way_text(way, seen)}\n" for way, seen in service.ways)
    text += "".join(
        f"  reported as {report.text} {_cite(report.citation)}".rstrip() + "\n" for report in service.reported
    )
    return text + f"  defined in {service.span.file}:{service.span.line}\n"


def _family(knowledge: Knowledge, family: Family, width: int) -> str:
    rows = [
        ("title", family.title),
        (family.fact, ", ".join(family.patterns)),
        ("implies", ", ".join(f"{fact} {value}" for fact, value in family.implies)),
        ("about", family.about),
    ]
    return f"family {family.name} {_cite(family.citation)}\n" + table([row for row in rows if row[1]], width)


def _words(knowledge: Knowledge, block: KnownWords, width: int) -> str:
    rows = [
        ("where", knowledge.box_text(block.when)),
        (block.interface, ", ".join(word.written for word in block.words)),
        ("says", known_text(block)),
        ("defined in", f"{block.span.file}:{block.span.line}"),
    ]
    return f"words {block.name} {_cite(block.citation)}\n" + table([row for row in rows if row[1]], width)


def _constraint(knowledge: Knowledge, constraint: Constraint, width: int) -> str:
    require = knowledge.box_text((constraint.require,)) if constraint.require else "it cannot be"
    needed = f", for {constraint.effect}" if constraint.effect else ""
    return (
        f"constraint {constraint.name} {_cite(constraint.citation)}\n"
        f"  where {knowledge.box_text(constraint.when)}: {require}{needed}\n"
        f"  because {constraint.because}\n  defined in {constraint.span.file}:{constraint.span.line}\n"
    )


def _effect(knowledge: Knowledge, effect: Effect, width: int) -> str:
    cases = "".join(f"  {value} where {knowledge.box_text(box)}\n" for value, box in effect.cases)
    otherwise = f"  otherwise {effect.otherwise}\n" if effect.otherwise else ""
    return f"effect {effect.name}: {effect.title} {_cite(effect.citation)}\n{cases}{otherwise}"


KINDS: dict[str, StatementKind] = {
    "sources": StatementKind(
        "sources", lambda kb, s: f"{s.title} ({', '.join(p for p in (s.publisher, s.date) if p)})", None
    ),
    "facts": StatementKind("kinds", lambda kb, k: f"{k.title}: {_values_of_fact(kb, k.name)}", _fact),
    "settings": StatementKind(
        "settings", lambda kb, s: f"{s.title}, {s.layer}: {', '.join(s.values)}", _setting
    ),
    "rules": StatementKind(
        "rules", lambda kb, r: f"{r.setting} {r.value} where {kb.box_text(r.when)}", _rule
    ),
    "hazards": StatementKind("hazards", lambda kb, h: f"{h.severity}: {h.because}", _hazard),
    "constraints": StatementKind("constraints", lambda kb, c: c.because, _constraint),
    "effects": StatementKind("effects", lambda kb, e: e.title, _effect),
    "families": StatementKind("families", lambda kb, f: f"{f.title}: {', '.join(f.patterns)}", _family),
    "words": StatementKind(
        "words", lambda kb, w: f"{len(w.words)} of {w.interface}: {known_text(w) or 'known'}", _words
    ),
    "services": StatementKind("services", lambda kb, s: f"{s.title} where {kb.box_text(s.when)}", _service),
}
"""The kinds that can be listed and shown. The values of a fact can be listed as well, by its name."""
