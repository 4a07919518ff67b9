"""The knowledge base as text: lists of its contents, and single entries in full."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from setpoint.compiler.knowledge.model import (
    Citation,
    Constraint,
    FactKind,
    Family,
    Hazard,
    Knowledge,
    KnownWords,
    Measurement,
    Rule,
    Service,
    Source,
)
from setpoint.compiler.language.syntax import File
from setpoint.compiler.render.observed import counts_text, place_text, shown_texts
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

Rows = Iterable[tuple[str, str]]

KINDS: dict[str, Callable[[Knowledge], Rows]] = {
    "sources": lambda kb: (
        (s.name, f"{s.title} ({', '.join(p for p in (s.publisher, s.date) if p)})")
        for s in kb.sources.values()
    ),
    "facts": lambda kb: ((k.name, f"{k.title}: {_values_of_fact(kb, k.name)}") for k in kb.kinds.values()),
    "settings": lambda kb: (
        (s.name, f"{s.title}, {s.layer}: {', '.join(s.values)}") for s in kb.settings.values()
    ),
    "rules": lambda kb: ((r.name, f"{r.setting} {r.value} where {kb.box_text(r.when)}") for r in kb.rules),
    "hazards": lambda kb: ((h.name, f"{h.severity}: {h.because}") for h in kb.hazards.values()),
    "constraints": lambda kb: dict.fromkeys((c.name, c.because) for c in kb.constraints),
    "effects": lambda kb: ((e.name, e.title) for e in kb.effects.values()),
    "families": lambda kb: ((f.name, f"{f.title}: {', '.join(f.patterns)}") for f in kb.families),
    "words": lambda kb: (
        (w.name, f"{len(w.words)} of {w.interface}: {known_text(w) or 'known'}") for w in kb.words
    ),
    "services": lambda kb: ((s.name, f"{s.title} where {kb.box_text(s.when)}") for s in kb.services),
}
"""The kinds that can be listed. The values of a fact can be listed as well, by its name."""


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
    for each in kinds:
        if each in KINDS:
            rows = list(KINDS[each](knowledge))
        else:
            values = knowledge.values[each]
            rows = [("  " * depth + value, values[value].title) for value, depth in tree(knowledge, each)]
        parts.append(f"{each} ({len(rows)})\n" + table(rows, width))
    return "\n".join(parts)


def listing_data(knowledge: Knowledge, kinds: Iterable[str]) -> dict[str, Any]:
    """The same as data."""
    return {
        each: [_data(knowledge, thing) for thing in _things(knowledge, each)]
        if each in KINDS
        else [_data(knowledge, knowledge.values[each][value]) for value, _ in tree(knowledge, each)]
        for each in kinds
    }


def _things(knowledge: Knowledge, kind: str) -> Iterable[Any]:
    """The entries of a kind."""
    field = {"facts": "kinds"}.get(kind, kind)
    things = getattr(knowledge, field)
    return things.values() if isinstance(things, dict) else things


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
    return [*(name for kind in KINDS.values() for name, _ in kind(knowledge)), *values, *figures]


def entry_text(knowledge: Knowledge, trees: tuple[File, ...], name: str, width: int) -> str:
    """Everything in the knowledge base under this name; "" if the name is unknown.

    `trees` are the files that it was made from, which only a source needs. A prefix of rules' names
    (`dell-11g-hpc.table-6`, or a row of it) shows all of these.
    """
    parts = [
        *([source_text(knowledge, trees, name, width)] if name in knowledge.sources else []),
        *_fact(knowledge, name, width),
        *_setting(knowledge, name, width),
        *(
            _rule(knowledge, rule)
            for rule in knowledge.rules
            if rule.name == name or (rule.name.startswith(name + ".") and name not in knowledge.sources)
        ),
        *(_hazard(knowledge, hazard) for hazard in knowledge.hazards.values() if hazard.name == name),
        *_constraint(knowledge, name),
        *_effect(knowledge, name),
        *(_words(knowledge, words, width) for words in knowledge.words if words.name == name),
        *(_family(family, width) for family in knowledge.families if family.name == name),
        *(_service(knowledge, service) for service in knowledge.services if service.name == name),
        *(_measurement(m, width) for m in knowledge.measurements if m.name == name),
    ]
    return "\n".join(parts)


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


def _fact(knowledge: Knowledge, name: str, width: int) -> Iterable[str]:
    kind = knowledge.kinds.get(name)
    if kind is not None:
        rows = [(v, knowledge.values[name][v].title) for v in knowledge.variables[name].values]
        yield f"fact {name}: {kind.title}\n" + table(rows, width)
        for each in kind.ignored:
            texts = ", ".join(f'"{text}"' for text in each.texts)
            yield paragraph(f"as machines print it, ignore {texts} {_cite(each.citation)}".rstrip(), width)
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
            *(("reported as", f"{each.text} {_cite(each.citation)}".rstrip()) for each in value.reported),
            ("about", value.about),
            ("source", _cite(value.citation)),
        ]
        yield f"{fact} {name}\n" + table([row for row in rows if row[1]], width)


def _setting(knowledge: Knowledge, name: str, width: int) -> Iterable[str]:
    setting = knowledge.settings.get(name)
    if setting is None:
        return
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
            one.interface,
            ", ".join(one.names),
            spelled_texts(one),
            f"{knowledge.box_text(one.when)} {_cite(one.citation)}",
        )
        for one in knowledge.spellings.get(name, ())
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
    yield text


def _shown(knowledge: Knowledge, name: str, width: int) -> str:
    """Where a running system shows a setting, or why nothing does; "" if that is not known."""
    rows = [
        (
            place_text(one),
            shown_texts(one),
            counts_text(one),
            f"{knowledge.box_text(one.when)} {_cite(one.citation)}".strip(),
        )
        for one in knowledge.observations.get(name, ())
    ]
    rows += [
        ("nowhere", one.because, "", f"{knowledge.box_text(one.when)} {_cite(one.citation)}".strip())
        for one in knowledge.unseen.get(name, ())
    ]
    return "\nshown by a running system\n" + table(rows, width) if rows else ""


def _rule(knowledge: Knowledge, rule: Rule) -> str:
    text = f"rule {rule.name} {_cite(rule.citation)}\n  {rule.setting} {rule.value}, {knowledge.strength_text(rule)}\n"
    text += f"  where {knowledge.box_text(rule.when)}\n"
    text += f"  because {rule.because}\n" if rule.because else ""
    text += f"  note: {rule.note}\n" if rule.note else ""
    text += f"  withdraws {', '.join(rule.withdraws)}\n" if rule.withdraws else ""
    return text + f"  defined in {rule.span.file}:{rule.span.line}\n"


def _hazard(knowledge: Knowledge, hazard: Hazard) -> str:
    text = f"hazard {hazard.name} {_cite(hazard.citation)}\n  {hazard.severity} where {knowledge.box_text(hazard.when)}\n"
    text += f"  because {hazard.because}\n"
    text += f"  asks {hazard.asks}\n" if hazard.asks else ""
    text += f"  help: {hazard.help}\n" if hazard.help else ""
    return text + f"  defined in {hazard.span.file}:{hazard.span.line}\n"


def _service(knowledge: Knowledge, service: Service) -> str:
    text = f"service {service.name}: {service.title} {_cite(service.citation)}\n  where {knowledge.box_text(service.when)}\n"
    text += f"  none, because {service.because}\n" if service.because else ""
    text += "".join(f"  {name} {address}\n" for name, address in service.addresses)
    text += "".join(f"  applies {way_text(way, seen)}\n" for way, seen in service.ways)
    return text + f"  defined in {service.span.file}:{service.span.line}\n"


def _family(family: Family, width: int) -> str:
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


def _constraint(knowledge: Knowledge, name: str) -> Iterable[str]:
    for constraint in knowledge.constraints:
        if constraint.name == name:
            require = knowledge.box_text((constraint.require,)) if constraint.require else "it cannot be"
            needed = f", for {constraint.effect}" if constraint.effect else ""
            yield (
                f"constraint {name} {_cite(constraint.citation)}\n"
                f"  where {knowledge.box_text(constraint.when)}: {require}{needed}\n"
                f"  because {constraint.because}\n  defined in {constraint.span.file}:{constraint.span.line}\n"
            )


def _effect(knowledge: Knowledge, name: str) -> Iterable[str]:
    effect = knowledge.effects.get(name)
    if effect is not None:
        cases = "".join(f"  {value} where {knowledge.box_text(box)}\n" for value, box in effect.cases)
        otherwise = f"  otherwise {effect.otherwise}\n" if effect.otherwise else ""
        yield f"effect {name}: {effect.title} {_cite(effect.citation)}\n{cases}{otherwise}"
