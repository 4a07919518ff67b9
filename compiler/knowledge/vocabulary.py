"""The vocabulary: declarations of names, and the checks of the names in all other statements.

Facts with their trees of values, settings, effects and sources are read first. Errors are collected in `findings`.
"""

from collections.abc import Hashable, Iterable, Iterator
from copy import copy
from functools import reduce
from operator import and_, or_
from typing import TypeVar

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.chains import cycles
from setpoint.compiler.knowledge.compatibility import CompatibleFacts
from setpoint.compiler.knowledge.fields import Fields, FieldsOfBlocks
from setpoint.compiler.knowledge.followers import Followers, nearest_follower
from setpoint.compiler.knowledge.implication import Implications
from setpoint.compiler.knowledge.mentions import Mentions, Statements
from setpoint.compiler.knowledge.model import (
    FREE,
    LAYERS,
    Box,
    Citation,
    FactKind,
    FactValue,
    Ignored,
    Setting,
    Source,
    Variable,
)
from setpoint.compiler.knowledge.quantity import CPU_LIST, Scale
from setpoint.compiler.knowledge.reported import kinds_of, server_reports, shared_products
from setpoint.compiler.knowledge.sources import sources
from setpoint.compiler.knowledge.tree import Tree, tree_of
from setpoint.compiler.knowledge.words import ANY, Words, unknown, unknown_value
from setpoint.compiler.language.syntax import (
    Block,
    Condition,
    Name,
    Observations,
    ObservationStatement,
    OfferStatement,
    OptionsTable,
    Spellings,
    SpellingStatement,
    TableRow,
    UnseenStatement,
)

DIRECTIONS = ("more", "less")
"""What can be better of a metric."""


def judged_by(fields: Fields, findings: list[Diagnostic]) -> tuple[tuple[str, str], ...]:
    """The metrics that an intent is judged by, each with `more` or `less`; another word is reported."""
    stated = [field.names for field in fields.all("means")]
    findings += [
        unknown("direction", way, DIRECTIONS, "E0202") for way, _ in stated if way.text not in DIRECTIONS
    ]
    return tuple((metric.text, way.text) for way, metric in stated)


PlacedRows = OptionsTable | Spellings | Observations
PlacedRow = OfferStatement | SpellingStatement | ObservationStatement | UnseenStatement
"""The blocks in which each row has its place in the source, and their rows."""

Key = TypeVar("Key", bound=Hashable)
Kind = TypeVar("Kind")


def reserved(listed: Iterable[Name]) -> Iterator[Diagnostic]:
    """Values with a name that means something else in a preset."""
    for value in listed:
        if value.text == FREE:
            message = f"`{FREE}` cannot be a value: in a preset it says that a profile does not lock a member"
            yield Diagnostic("K07", message, value.span, "reserved")


OF_A_SETTING = ("about", "within")
"""The fields that a value of a setting may have."""


def not_of_a_setting(value: Block) -> Iterator[Diagnostic]:
    """The fields of a setting's value that only values of facts have."""
    for field in value.fields:
        if field.key not in OF_A_SETTING:
            message = f"a value of a setting has no field `{field.key}`"
            yield Diagnostic("K07", message, field.span, "only of facts")


def called_any(name: str, values: Iterable[Name]) -> Iterator[Diagnostic]:
    """Values that conditions could not name, since the word stands for every value."""
    for value in values:
        if value.text == ANY:
            message = f"a value of `{name}` cannot be called `{ANY}`"
            yield Diagnostic("K07", message, value.span, "stands for every value")


def quantities(name: str, scale: Scale, listed: Iterable[Name]) -> Iterator[Diagnostic]:
    """Values that a setting lists, and takes as numbers or lists of CPUs anyway."""
    taken = Variable(name, (), scale=scale)
    for value in listed:
        if taken.is_quantity(value.text):
            message = f"`{name}` takes `{value.text}` without naming it"
            yield Diagnostic("K07", message, value.span, "not a named value")


def repeated(keyed: Iterable[tuple[Key, Span]]) -> Iterable[tuple[Key, Span, Span]]:
    """Each repeated key, with its place and the place of its previous occurrence."""
    seen: dict[Key, Span] = {}
    for key, span in keyed:
        if key in seen:
            yield key, span, seen[key]
        seen[key] = span


EMPTY_CELL = "_"
"""A cell that the paper leaves empty."""


class Vocabulary:
    """The names of a knowledge base, read from `statements`, each with the layer of its file.

    Statements that come `later` (`with_later`) declare no names, but may mention numbers.
    """

    def __init__(self, statements: Statements, later: Statements) -> None:
        self.findings: list[Diagnostic] = []
        self.mentions = Mentions(statements, self.findings, later)
        self.statements = self.mentions.statements
        self.variables: dict[str, Variable] = {}
        self.words = Words(self.variables, self.findings)
        self.fields = FieldsOfBlocks(self.of(Block), self.findings)
        self.kinds: dict[str, FactKind] = {}
        self.values: dict[str, dict[str, FactValue]] = {}
        self._within: dict[str, dict[str, str]] = {}
        self._added: dict[str, list[Block]] = {}
        self.settings: dict[str, Setting] = {}
        self.effects: dict[str, Block] = {}
        self._facts()
        self._settings()
        self._effect_words()
        self.report_duplicates("source", [(b.name.text, b.name.span) for b, _ in self.blocks("source")])
        self.sources: dict[str, Source] = sources(
            self.blocks("source"), self.fields, self.settings, self.words, self.findings
        )
        self._ignored()
        self._value_relations()
        self._relations_of_open_values()
        self.findings += shared_products(self.variables, self.values)
        self._cut_cycles_of_followers()
        self.closed = Implications(self.variables, self.values).closed
        self.compatible_facts = CompatibleFacts(self.variables, self.values)
        self.followers = Followers(self.variables, self.values)

    def with_later(self, later: Statements) -> "Vocabulary | None":
        """The same names, to read other statements with, whose errors it collects; None if these make other values."""
        read = self.mentions.instead(later)
        if read is None:
            return None
        vocabulary = copy(self)
        vocabulary.statements, vocabulary.findings = read, []
        vocabulary.words = Words(self.variables, vocabulary.findings)
        vocabulary.words.effects = self.words.effects
        vocabulary.fields = FieldsOfBlocks(vocabulary.of(Block), vocabulary.findings)
        return vocabulary

    def blocks(self, kind: str) -> list[tuple[Block, str]]:
        """The blocks of a kind, each with the layer of its file."""
        return [(s, layer) for s, layer in self.statements if isinstance(s, Block) and s.kind == kind]

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The statements of a kind of node."""
        return [s for s, _ in self.statements if isinstance(s, kind)]

    def wrong(self, message: str, at: Span, label: str = "", *help_: str) -> None:
        """Report what a statement says wrongly (K07)."""
        self.findings.append(Diagnostic("K07", message, at, label, help=help_))

    def report_duplicates(self, what: str, named: Iterable[tuple[str, Span]]) -> None:
        """Report names that are declared twice."""
        for name, again, first in repeated(named):
            self._twice(f"{what} `{name}` is declared twice", again, first)

    def report_repeated(self, what: str, stated: Iterable[tuple[Box, Span]]) -> None:
        """Report statements with the same conditions, between which only their order could decide."""
        for _, again, first in repeated(stated):
            self._twice(f"{what} is stated twice under the same conditions", again, first)

    def report_settings(self, dependent: str, conditions: Iterable[tuple[str, Span]]) -> None:
        """Report conditions on settings of a statement that depends on facts only: "service `x` depends"."""
        self.findings += [
            Diagnostic("K07", f"{dependent} on `{name}`, which is a setting", span, "facts only")
            for name, span in conditions
            if name in self.settings
        ]

    def box_of_facts(self, dependent: str, conditions: tuple[Condition, ...]) -> Box:
        """The conditions of a statement that depends on facts only; those on settings are reported."""
        self.report_settings(dependent, ((condition.name.text, condition.span) for condition in conditions))
        return self.words.box(conditions)

    def row_head(
        self, what: str, block: PlacedRows, row: PlacedRow, *, of_facts: bool = True
    ) -> tuple[Box, Citation | None]:
        """The conditions of a row and its citation; None, with a finding, if it has no locator. With `of_facts` it
        depends on facts only."""
        name, when = f"the {what} of `{row.setting.text}`", self.words.box(block.when, row.when)
        if of_facts:
            self.report_settings(f"{name} depends", ((asked, row.span) for asked, _ in when))
        if row.at is None:
            self.wrong(f"{name} has no locator", row.span, 'add `at "…"`')
            return when, None
        return when, self.citation(block.source, row.at)

    def _twice(self, message: str, again: Span, first: Span) -> None:
        self.findings.append(Diagnostic("K07", message, again, "again here", (Label(first, "first here"),)))

    def citation_of(self, block: Block) -> Citation:
        """The citation of a block of a kind that has an origin."""
        assert block.origin is not None
        return self.citation(block.origin.source, block.origin.at)

    def citation(self, source: Name, at: Name) -> Citation:
        """A source and a place in it; reported if either is missing."""
        if source.text not in self.sources:
            self.findings.append(unknown("source", source, self.sources, "E0201"))
        if not at.text.strip():
            self.wrong("the locator is empty", at.span, "name the table, figure or section")
        return Citation(source.text, at.text)

    def has_setting(self, name: Name) -> bool:
        """Whether this setting exists; reported if not."""
        if name.text in self.settings:
            return True
        self.findings.append(unknown("setting", name, self.settings, "E0201"))
        return False

    def has_value(self, variable: str, value: Name) -> bool:
        """Whether a fact, setting or effect has this value; reported if not."""
        if value.text in self.variables[variable].named:
            return True
        self.findings.append(unknown_value(self.variables[variable], value))
        return False

    def has_values(self, variable: str, values: Name) -> bool:
        """Whether a setting has this value, or these numbers; reported if not."""
        if self.variables[variable].meant(values.text):
            return True
        self.findings.append(unknown_value(self.variables[variable], values))
        return False

    def has_setting_value(self, setting: Name, value: Name) -> bool:
        """Whether this setting exists and has this value; reported if not."""
        return self.has_setting(setting) and self.has_value(setting.text, value)

    def reason(self, because: Name | None, head: Name) -> str:
        """A reason; reported if it is empty. A missing one is reported with the block's fields."""
        if because is not None and not because.text.strip():
            self.wrong(f"`{head.text}` has an empty reason", because.span, "empty")
        return because.text if because is not None else ""

    # ----------------------------------------------------------------------------------- reading

    def has_all_cells(self, head: TableRow, row: TableRow) -> bool:
        """Whether a row has a cell for every column; reported if not."""
        if len(row.cells) == len(head.cells):
            return True
        message = f"row `{row.name.text}` has {len(row.cells)} cells, the table {len(head.cells)} columns"
        self.wrong(message, row.name.span)
        return False

    def _facts(self) -> None:
        declared: dict[str, Block] = {}
        for block, _ in self.blocks("fact"):
            declared.setdefault(block.name.text, block)
        self.report_duplicates("fact", [(s.name.text, s.name.span) for s, _ in self.blocks("fact")])
        entries = self._added
        names = {*declared, *(block.name.text for block, _ in self.blocks("setting"))}
        for block, _ in self.blocks("value"):
            assert block.subject is not None
            if block.subject.text in names:
                entries.setdefault(block.subject.text, []).append(block)
            else:
                self.findings.append(unknown("fact or setting", block.subject, names, "E0201"))
        for fact, block in sorted(declared.items()):
            fields = self.fields[block]
            fits = fields.name("fits")
            if fits is not None and fits.text not in declared:
                self.findings.append(unknown("fact", fits, declared, "E0201"))
            self.kinds[fact] = FactKind(
                fact, fields.text("title"), fields.text("about"), fields.text("role") or "fact",
                fields.has("required"), fields.text("fits"), span=block.name.span,
            )  # fmt: skip
            inline = [n for f in fields.all("values") for n in f.names]
            own = entries.get(fact, [])
            self.report_duplicates(
                f"{fact}", [(b.name.text, b.name.span) for b in own] + [(n.text, n.span) for n in inline]
            )
            self.findings += called_any(fact, [*inline, *(b.name for b in own)])
            parents, open_values = self._tree(fact, [n.text for n in inline])
            self._within[fact] = parents
            self.variables[fact] = Variable(
                fact, tuple(parents), tuple(parents.values()), open_values=open_values
            )
            self.values[fact] = {
                n.text: FactValue(fact, n.text, "", "", "", "", (), (), None, span=n.span) for n in inline
            }

    def _tree(self, name: str, listed: Iterable[str]) -> Tree:
        """The values of a fact or a setting, each with the one that it lies within."""
        return tree_of(name, listed, self._added.get(name, ()), self.fields, self.findings)

    def _settings(self) -> None:
        blocks = self.blocks("setting")
        self.report_duplicates("setting", [(b.name.text, b.name.span) for b, _ in blocks])
        for block, _ in sorted(blocks, key=lambda b: b[0].name.text):
            fields = self.fields[block]
            name, layer = block.name.text, fields.text("layer")
            if layer not in LAYERS:
                at = fields.name("layer") or block.name
                self.findings.append(unknown("layer", at, LAYERS, "E0202"))
                layer = LAYERS[0]
            values = self._values(name, fields)
            if name in self.settings or self._is_taken(block.name):
                continue
            scale = self.mentions.scales.get(name)
            if scale is None and not fields.has("values") and not fields.has("range"):
                self.wrong(f"setting `{name}` lacks `values` or `range`", block.name.span, "incomplete")
            if scale is not None:
                listed = [n for field in fields.all("values") for n in field.names]
                added = [block.name for block in self._added.get(name, [])]
                self.findings += quantities(name, scale, [*listed, *added])
                values = tuple(v for v in values if v != CPU_LIST)
            parents = self._tree(name, values).parents
            cells = self.mentions.domain(name) if scale is not None else ()
            self.variables[name] = Variable(name, (*parents, *cells), tuple(parents.values()), scale)
            takes = self.variables[name].takes
            title, about, once = fields.text("title"), fields.text("about"), fields.has("once")
            self.settings[name] = Setting(name, title, about, layer, takes, 0, once, span=block.name.span)

    def _effect_words(self) -> None:
        blocks = self.blocks("effect")
        self.report_duplicates("effect", [(b.name.text, b.name.span) for b, _ in blocks])
        for block, _ in blocks:
            name = block.name.text
            values = self._values(name, self.fields[block])
            if not self._is_taken(block.name) and name not in self.effects:
                self.variables[name] = Variable(name, values)
                self.effects[name] = block
                self.words.effects.add(name)

    def _values(self, name: str, fields: Fields) -> tuple[str, ...]:
        """The values that a block lists; reported if one is listed twice, or added again."""
        listed = [n for f in fields.all("values") for n in f.names]
        blocks = self._added.get(name, []) if name not in self.kinds else []
        added = [block.name for block in blocks]
        self.findings += [finding for block in blocks for finding in not_of_a_setting(block)]
        self.report_duplicates(f"value of `{name}`", [(n.text, n.span) for n in (*listed, *added)])
        self.findings += [*reserved((*listed, *added)), *called_any(name, (*listed, *added))]
        return tuple(dict.fromkeys(n.text for n in listed))

    def _is_taken(self, name: Name) -> bool:
        """Whether another fact or setting has this name; reported if so."""
        what = "fact" if name.text in self.kinds else "setting" if name.text in self.settings else ""
        if what:
            self.wrong(f"`{name.text}` is the name of a {what} already", name.span, "taken")
        return bool(what)

    def _ignored(self) -> None:
        """Add to each fact what it ignores in its values as machines print them, and where that was seen."""
        for block, _ in self.blocks("fact"):
            for field in self.fields[block].all("ignore"):
                citation = self.citation(field.origin.source, field.origin.at) if field.origin else None
                self.findings += [
                    Diagnostic("K07", "this would ignore everything, or nothing", text.span, "text missing")
                    for text in field.names
                    if not text.text.replace("*", "").strip()
                ]
                kind = self.kinds[block.name.text]
                texts = tuple(text.text for text in field.names if text.text.strip())
                self.kinds[kind.name] = kind._replace(ignored=(*kind.ignored, Ignored(texts, citation)))

    def _value_relations(self) -> None:
        for block, _ in self.blocks("value"):
            assert block.subject is not None
            fact, fields = block.subject.text, self.fields[block]
            if fact not in self.kinds:
                continue
            follows = fields.name("follows")
            if follows is not None and not self.has_value(fact, follows):
                follows = None  # cut, so that walks from value to value terminate
            implies = []
            for field in fields.all("implies"):
                other, value = field.names
                if other.text not in self.kinds:
                    self.findings.append(unknown("fact", other, self.kinds, "E0201"))
                elif self.has_value(other.text, value):
                    implies.append((other.text, value.text))
            allows = [box for field in fields.all("allows") for box in self.words.box(field.conditions)]
            self.values[fact][block.name.text] = FactValue(
                fact=fact,
                name=block.name.text,
                title=fields.text("title"),
                about=fields.text("about"),
                within=self._within[fact][block.name.text],
                follows=follows.text if follows else "",
                implies=tuple(implies),
                allows=tuple(allows),
                citation=self.citation_of(block) if block.origin else None,
                span=block.name.span,
                reported=server_reports(fields.all("reported"), self.citation, self.findings),
                means=judged_by(fields, self.findings),
                one_of=dict(self.variables[fact].open_values).get(block.name.text, ()),
            )
        for fact, kind in self.kinds.items():
            self.kinds[fact] = kind._replace(reported=kinds_of(self.values[fact]))

    def _relations_of_open_values(self) -> None:
        """Add to each open value what all of its values imply, and what some of them allow."""
        for fact, variable in self.variables.items():
            values = self.values.get(fact, {})
            for name, names in variable.open_inside_out:
                members = [values[member] for member in names]
                implied = set.intersection(*({*member.implies} for member in members))
                limits = [
                    {other: self._allowed(member, other) for other, _ in member.allows} for member in members
                ]
                common = set.intersection(*({*limit} for limit in limits))
                allowed = {other: reduce(or_, (limit[other] for limit in limits)) for other in common}
                values[name] = values[name]._replace(
                    implies=tuple(sorted(implied)), allows=tuple(sorted(allowed.items()))
                )

    def _allowed(self, value: FactValue, fact: str) -> int:
        everything = self.variables[fact].everything
        return reduce(and_, (mask for other, mask in value.allows if other == fact), everything)

    def _cut_cycles_of_followers(self) -> None:
        """Report values that follow themselves. A value inherits what the value above it follows."""
        for values in self.values.values():
            following = {
                name: nearest_follower(values[name].follows, values)
                for name in sorted(values)
                if values[name].follows
            }
            for name in list(cycles(following)):
                self.wrong(f"`{name}` follows itself", values[name].span, "cycle")
                values[name] = values[name]._replace(follows="")
