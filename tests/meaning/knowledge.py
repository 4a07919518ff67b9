"""Knowledge: the declarations of a knowledge base, read from their syntax trees into plain forms.

Nothing is checked here. A knowledge base that the compiler refuses has no meaning, so it is never used.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from meaning.numbers import nested_values, scales, spelt_out
from meaning.open_values import all_named, open_values
from setpoint.compiler.language import syntax

LAYERS = ("firmware", "boot", "os")


class Condition(NamedTuple):
    """`NAME VALUE or VALUE`, or `NAME not VALUE`."""

    name: str
    values: frozenset[str]
    negated: bool


Conditions = tuple[Condition, ...]


class Value(NamedTuple):
    """A value of a fact, with what its block says."""

    within: str = ""
    follows: str = ""
    implies: tuple[tuple[str, str], ...] = ()
    allows: Conditions = ()
    one_of: tuple[str, ...] = ()


class Setting(NamedTuple):
    """A setting: its layer, its values in order, and whether it is a one-time action."""

    layer: str
    values: tuple[str, ...]
    once: bool = False


class Paper(NamedTuple):
    """A source: where it says that it applies, the edition that it replaces, and where else it counts, with what
    strength."""

    scope: Conditions
    supersedes: str
    related: Conditions
    related_strength: str


class Rule(NamedTuple):
    """One recommendation; `measured_when` limits the strength `measured`."""

    name: str
    source: str
    site: bool
    when: Conditions
    setting: str
    value: str
    strength: str
    measured_when: Conditions
    exceptions: tuple[str, ...]


class Offer(NamedTuple):
    """What a platform offers of a setting: its values as written, and the values of the domain that they name."""

    setting: str
    written: tuple[str, ...]
    values: frozenset[str]
    default: str
    when: Conditions


class Preset(NamedTuple):
    """A table of presets: of each governing value the cell of each member, as written, and what it is at first.

    `loose` has the cells that lock a member without saying what it then is: those that keep it, or set one of several
    values.
    """

    governor: str
    when: Conditions
    cells: dict[str, dict[str, str]]
    initial: dict[tuple[str, str], str]
    loose: frozenset[tuple[str, str]]


class Constraint(NamedTuple):
    """What cannot be; without `require`, the conditions themselves cannot come together. It may require a value of an
    effect."""

    when: Conditions
    require: Condition | None


class Lock(NamedTuple):
    """A setting that firmware locks under these conditions, and sets to something: None for `any`. Or it is kept as it
    is."""

    setting: str
    when: Conditions
    to: Condition | None
    kept: bool


class Effect(NamedTuple):
    """The cases in order, and the value if none is true."""

    cases: tuple[tuple[str, Conditions], ...]
    otherwise: str


class Hazard(NamedTuple):
    """What defeats the intent."""

    source: str
    when: Conditions
    severity: str


class Assumption(NamedTuple):
    """A fact that is assumed."""

    fact: str
    value: str
    when: Conditions
    site: bool


class Knowledge:
    """The declarations of all files, in any order, a site's own separate from the library's."""

    def __init__(self, library: Iterable[syntax.File], site: Iterable[syntax.File] = ()) -> None:
        self.facts: dict[str, dict[str, Value]] = {}
        self.settings: dict[str, Setting] = {}
        self.sources: dict[str, Paper] = {}
        self.rules: list[Rule] = []
        self.offers: dict[str, list[Offer]] = {}
        self.presets: list[Preset] = []
        self.constraints: list[Constraint] = []  # without those that require `any`, which exclude nothing
        self.locks: list[Lock] = []
        self.effects: dict[str, Effect] = {}
        self.hazards: dict[str, Hazard] = {}
        self.assumptions: list[Assumption] = []
        self._lineages: dict[tuple[str, str], frozenset[str]] = {}
        library, site = list(library), list(site)
        self.scales = scales([*library, *site])
        self.nested = nested_values([*library, *site])
        known = open_values([*library, *site])
        for file in library:
            self._read(all_named(known, spelt_out(self.scales, self.nested, file)), site=False)
        for file in site:
            self._read(all_named(known, spelt_out(self.scales, self.nested, file)), site=True)
        for of_fact in self.facts.values():
            for wide, listed in [(value, each.one_of) for value, each in of_fact.items()]:
                of_fact.update({one: of_fact[one]._replace(within=wide) for one in listed})
        for name, below in self.nested.items():
            layer, values, once = self.settings[name]
            added = sorted({value for values in below.values() for value in values} - {*values})
            self.settings[name] = Setting(layer, (*values, *added), once)
        for name, scale in self.scales.items():
            layer, values, once = self.settings[name]
            named = tuple(v for v in values if v != "cpu-list")
            self.settings[name] = Setting(layer, (*named, *scale.domain()), once)

    def _read(self, file: syntax.File, *, site: bool) -> None:
        for statement in file.body:
            match statement:
                case syntax.Block():
                    self._block(statement, site)
                case syntax.Table(kind="table"):
                    self.rules.extend(cells(statement, site))
                case syntax.Table():
                    self.presets.append(preset(statement))
                case syntax.OptionsTable():
                    for each in statement.offers:
                        when = (*conditions(statement.when), *conditions(each.when))
                        written = tuple(value.text for value, _ in each.offered)
                        scale = self.scales.get(each.setting.text)
                        offered = scale.named_by(*written) if scale else frozenset(written)
                        default = each.default.text if each.default else ""
                        offer = Offer(
                            each.setting.text,
                            written,
                            offered,
                            "" if default == "unknown" else default,
                            when,
                        )
                        self.offers.setdefault(offer.setting, []).append(offer)
                case syntax.Assume(fact=fact, value=value, when=when_):
                    self.assumptions.append(Assumption(fact.text, value.text, conditions(when_), site))

    def _block(self, block: syntax.Block, site: bool) -> None:
        name = block.name.text
        values = words(block, "values")
        match block.kind:
            case "fact":
                known = self.facts.setdefault(name, {})
                for value in values:
                    known.setdefault(value, Value())
            case "value":
                assert block.subject is not None
                if block.subject.text in self.nested:
                    return
                self.facts.setdefault(block.subject.text, {})[name] = value_of_fact(block)
            case "setting":
                once = any(field.key == "once" for field in block.fields)
                self.settings[name] = Setting(word(block, "layer"), values, once)
            case "source":
                self.sources[name] = Paper(
                    conditions_of(block, "scope"),
                    word(block, "supersedes"),
                    conditions_of(block, "related"),
                    word(block, "related"),
                )
            case "rule":
                self.rules.append(rule(block, site))
            case "constraint":
                required = conditions_of(block, "require")
                if required or not any(field.key == "require" for field in block.fields):
                    self.constraints.append(
                        Constraint(conditions_of(block, "when"), required[0] if required else None)
                    )
                if flags := {"locked", "kept", "hidden"} & {field.key for field in block.fields}:
                    names = {c.name.text for f in block.fields if f.key == "require" for c in f.conditions}
                    to = required[0] if required else None
                    kept = "kept" in flags
                    self.locks += (Lock(n, conditions_of(block, "when"), to, kept) for n in sorted(names))
            case "effect":
                cases = tuple(
                    (f.names[0].text, conditions(f.conditions)) for f in block.fields if f.key == "case"
                )
                self.effects[name] = Effect(cases, word(block, "otherwise"))
            case "hazard":
                severity = word(block, "severity") or "error"
                self.hazards[name] = Hazard(source_of(block), conditions_of(block, "when"), severity)

    # --------------------------------------------------------------- Conditions: what lies within what

    def stands(self, governor: str) -> bool:
        """*Presets*: whether a governing setting is of the operating system, and fixes no member."""
        fixed = {
            cell
            for preset in self.presets
            if preset.governor == governor
            for cells in preset.cells.values()
            for cell in cells.values()
        }
        return self.settings[governor].layer == "os" and fixed <= {"free", "_"}

    def lineage(self, fact: str, value: str) -> frozenset[str]:
        """A value of a fact and all values that it lies within (*Conditions*)."""
        key = fact, value
        if key not in self._lineages:
            above = self.facts[fact][value].within
            wider = self.lineage(fact, above) if above else frozenset()
            self._lineages[key] = wider | {value}
        return self._lineages[key]

    def below(self, fact: str, value: str) -> frozenset[str]:
        """A value of a fact and all values within it."""
        return frozenset(v for v in self.facts[fact] if value in self.lineage(fact, v))


# ------------------------------------------------------------------------------------------- blocks


def value_of_fact(block: syntax.Block) -> Value:
    """*`fact`, and values of facts*."""
    implied = tuple(
        (field.names[0].text, field.names[1].text) for field in block.fields if field.key == "implies"
    )
    allowed, one_of = conditions_of(block, "allows"), words(block, "values")
    return Value(word(block, "within"), word(block, "follows"), implied, allowed, one_of)


def rule(block: syntax.Block, site: bool) -> Rule:
    """*`rule`*."""
    setting, value = words(block, "use")
    return Rule(
        block.name.text,
        source_of(block),
        site,
        conditions_of(block, "when"),
        setting,
        value,
        word(block, "strength") or "vendor",
        conditions_of(block, "strength"),
        tuple(field.names[-1].text for field in block.fields if field.key == "exception"),
    )


def cells(table: syntax.Table, site: bool) -> list[Rule]:
    """*`table`*: each cell is a rule, named after the source, the locator, the setting and the column."""
    top, *rows = table.rows
    found = []
    for row in rows:
        for column, cell in zip(top.cells, row.cells, strict=True):
            if cell[0].text == "_":
                continue
            across = Condition(top.name.text, frozenset(name.text for name in column), negated=False)
            name = ".".join(
                (table.source.text, as_word(table.at.text), row.name.text, column[0].text),
            )
            when = (*conditions(table.when), across, *conditions(row.when))
            strength = row.strength.names[0].text if row.strength else "vendor"
            measured_when = conditions(row.strength.conditions) if row.strength else ()
            found.append(
                Rule(
                    name,
                    table.source.text,
                    site,
                    when,
                    row.name.text,
                    cell[0].text,
                    strength,
                    measured_when,
                    (),
                )
            )
    return found


def preset(table: syntax.Table) -> Preset:
    """*`preset`*: a column a value of the governing setting, a row a member. *Presets*: of several values the first is
    fixed."""
    top, *rows = table.rows
    found: dict[str, dict[str, str]] = {}
    initial: dict[tuple[str, str], str] = {}
    loose = set()
    for number, (name,) in enumerate(top.cells):
        found[name.text] = {}
        for row in rows:
            value, member = row.cells[number][0].text, row.name.text
            if row.effects[number] == "initially":
                initial[name.text, member] = value
                value = "free"
            if row.effects[number] == "kept" or len(row.cells[number]) > 1:
                loose.add((name.text, member))
            found[name.text][member] = value
    return Preset(top.name.text, conditions(table.when), found, initial, frozenset(loose))


# ----------------------------------------------------------------------------------- parts of blocks


def conditions(written: Iterable[syntax.Condition]) -> Conditions:
    """*Conditions*: in the form of this package; `any` requires nothing."""
    return tuple(
        Condition(c.name.text, frozenset(v.text for v in c.values), c.negated)
        for c in written
        if [v.text for v in c.values] != ["any"]
    )


def conditions_of(block: syntax.Block, key: str) -> Conditions:
    """The conditions of the fields with this keyword, all of them."""
    return tuple(c for field in block.fields if field.key == key for c in conditions(field.conditions))


def words(block: syntax.Block, key: str) -> tuple[str, ...]:
    """The words of a field; none if it is absent."""
    return tuple(name.text for field in block.fields if field.key == key for name in field.names)


def word(block: syntax.Block, key: str) -> str:
    """The only word of a field; "" if it is absent."""
    return next(iter(words(block, key)), "")


def source_of(block: syntax.Block) -> str:
    """The source that a block names."""
    assert block.origin is not None
    return block.origin.source.text


def as_word(text: str) -> str:
    """A locator as part of a name, without the dots that divide it: `Table 2` is `table-2`, `tuned.conf` is
    `tuned-conf`."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
