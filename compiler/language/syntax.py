"""The abstract syntax tree of a file.

INVARIANT: every node has the span of its text; names are as written and not resolved; strings are unescaped; `set` and
`accept` have a `because`. Whether `turbo` is a setting or `westmere` a processor is decided by the binder and the
knowledge base.

The nodes are named tuples: immutable, and cheap to import (docs/decisions/0006).
"""

from setpoint.compiler.diagnostics.source import Placed, Span
from setpoint.compiler.record import NamedTuple


class Name(Placed):
    """A word, a string or a number, with its place."""

    text: str


class Reason(Name):
    """The reason that a policy gives for a statement. It decides nothing but whether one is given (`meaning`)."""

    __slots__ = ()


class Condition(Placed):
    """`platform poweredge-11g or poweredge-12g`; `cpu not westmere`."""

    name: Name
    negated: bool
    values: tuple[Name, ...]

    @property
    def text(self) -> str:
        """The condition as it is written: `turbo not on or off`."""
        return f"{self.name.text} {'not ' * self.negated}{' or '.join(v.text for v in self.values)}"


class Origin(NamedTuple):
    """`of dell-11g-hpc at "Figure 12"`: the source and the place in it."""

    source: Name
    at: Name


class Selected(Placed):
    """`bit 25`, `bits 3 to 6`, `line "Speed"`: the part of what a place shows. `names` are the bits, or the beginning
    of the line."""

    kind: str
    names: tuple[Name, ...]


class ObservedValue(NamedTuple):
    """`on "0"`, `on "on" or "off"`, `off absent`: a value and the texts that stand for it; "" is for none of the texts
    of others."""

    value: Name
    texts: tuple[Name, ...]


class GuardClause(Placed):
    """`while "msr 0x1fc" bit 34 not "1"`: what another place must show, or must not show (`negated`)."""

    place: Name
    selected: Selected | None
    negated: bool
    text: Name


class ObservationStatement(Placed):
    """`turbo on "0", off "1" in "msr 0x1a0" bit 38 overwritten by … at "…" if …;`

    `form` is the word after `as`, `factor` that after `times`. `owner` is a setting, or a text if `is_described`.
    """

    setting: Name
    values: tuple[ObservedValue, ...]
    place: Name
    selected: Selected | None
    form: Name | None
    factor: Name | None
    guards: tuple[GuardClause, ...]
    owner: Name | None
    is_described: bool
    at: Name | None
    when: tuple[Condition, ...]


class UnseenStatement(Placed):
    """`sgx-memory-size nowhere because "…" at "…" if …;`"""

    setting: Name
    because: Name
    at: Name | None
    when: tuple[Condition, ...]


class Observations(Placed):
    """`observe of SOURCE when cpu … { observations }`."""

    source: Name
    when: tuple[Condition, ...]
    observations: tuple[ObservationStatement | UnseenStatement, ...]


# ------------------------------------------------------------------------------------- policies


class Include(Placed):
    """`include "site/lab-results.tune";`"""

    path: Name


class Fact(Placed):
    """`cpu westmere;`, `os rhel 6.4;`: a name and a value; several words of a value are joined by a space.

    `platform "PowerEdge R740";` has the value as a machine prints it (`is_printed`).
    """

    name: Name
    value: Name
    is_printed: bool = False


class Set(Placed):
    """`set turbo off because "PERF-212";`"""

    setting: Name
    value: Name
    because: Reason


class Accept(Placed):
    """`accept c-state-idle-power because "…" until 2027-03-31;`, or
    `accept advice of dell-11g-hpc about smt because "…";`

    `what` is the name of a hazard where neither `of` nor `about` follows, else the kind of the waiver.
    """

    what: Name
    of: Name | None
    about: Name | None
    because: Reason
    until: Name | None

    @property
    def is_of_hazard(self) -> bool:
        """Whether it waives a hazard, and not warnings of a kind."""
        return self.of is None and self.about is None

    @property
    def waiver(self) -> str:
        """What it waives, as it is written: `c-state-idle-power`, `advice of dell-11g-hpc about smt`."""
        of = f" of {self.of.text}" if self.of else ""
        return f"{self.what.text}{of}" + (f" about {self.about.text}" if self.about else "")

    @property
    def waiver_span(self) -> Span:
        """Where that is written."""
        return self.what.span.to((self.about or self.of or self.what).span)


class Manage(Placed):
    """`manage all;`"""

    what: Name


class Evidence(Placed):
    """`require strength vendor because "…";`"""

    strength: Name
    because: Reason


class Expect(Placed):
    """`expect turbo off from dell-11g-hpc because "…";`, `expect hazard not c-state-idle-power under goal any;`

    `conditions` are of settings and facts; one of a hazard has the name `hazard` (`is_of_hazard`). `source` is what
    must decide the settings, `under` has the facts to vary.
    """

    conditions: tuple[Condition, ...]
    source: Name | None
    under: tuple[Condition, ...]
    because: Reason | None
    is_of_hazard: bool = False

    @property
    def text(self) -> str:
        """What it expects, as it is written: `turbo off from dell-11g-hpc under goal any`."""
        source = f" from {self.source.text}" if self.source else ""
        under = f" under {', '.join(condition.text for condition in self.under)}" if self.under else ""
        return ", ".join(condition.text for condition in self.conditions) + source + under


class Scope(Placed):
    """`for group compute { … }`, `for host c042 in compute { … }`."""

    kind: Name
    name: Name
    group: Name | None
    body: "tuple[Statement, ...]"


class Policy(Placed):
    """`policy fluent extends hpc-base { … }`."""

    name: Name
    extends: Name | None
    body: "tuple[Statement, ...]"


# ------------------------------------------------------------------------------------ knowledge


class Assume(Placed):
    """`assume sockets 2 when platform r710 because "…";`"""

    fact: Name
    value: Name
    when: tuple[Condition, ...]
    because: Name


class Aliases(Placed):
    """`aliases smt "hyperthreading";`, `aliases workload io-bound "database", "mail";`"""

    name: Name
    value: Name | None
    texts: tuple[Name, ...]


class Field(Placed):
    """A line of a block. `reported` has an origin of its own and a `form`: `from`, `any`, or "" for a list of names."""

    key: str
    names: tuple[Name, ...]
    conditions: tuple[Condition, ...]
    origin: Origin | None = None
    form: str = ""


class Block(Placed):
    """`rule NAME of SOURCE at "…" { fields }` and similar blocks.

    `kind` is the keyword (`source`, `fact`, `setting`, `rule`, …), or `value` for a value of a fact
    (`cpu westmere { … }`), whose `subject` is then the fact.
    """

    kind: str
    subject: Name | None
    name: Name
    origin: Origin | None
    fields: tuple[Field, ...]


class TableRow(Placed):
    """A row of a table: for each column, one or more values, and what a profile does with them (`kept`, `initially`, or
    "")."""

    name: Name
    cells: tuple[tuple[Name, ...], ...]
    effects: tuple[str, ...]
    at: Name | None
    strength: Field | None
    when: tuple[Condition, ...]
    because: Name | None


class Footnote(Placed):
    """`footnote turbo latency "…";`: advice attached to one cell of a table."""

    row: Name
    column: Name
    text: Name


class Table(Placed):
    """`table "Table 6" of SOURCE when … { … }`, and `preset`, which has the same form."""

    kind: str
    at: Name
    source: Name
    when: tuple[Condition, ...]
    rows: tuple[TableRow, ...]
    footnotes: tuple[Footnote, ...]


class OfferStatement(Placed):
    """`smt on "Enabled", off "Disabled" default on menu "…" at "…" if …;`, or `smt absent at "…" if …;`, without
    values."""

    setting: Name
    offered: tuple[tuple[Name, Name | None], ...]
    default: Name | None
    menu: Name | None
    at: Name | None
    when: tuple[Condition, ...]


class OptionsTable(Placed):
    """`options of SOURCE when platform … { offers }`."""

    source: Name
    when: tuple[Condition, ...]
    offers: tuple[OfferStatement, ...]


class ValueSpelling(NamedTuple):
    """`off "0"`, `on absent`, `off absent "poll"`, `mirror unknown`; `word` stands instead of a text, and is
    `unknown`."""

    value: Name
    text: Name | None
    is_absent: bool
    word: Name | None = None


class ShownValue(NamedTuple):
    """`off "0"`, `off not "intel_idle"`: what the running system shows, or does not show, for a value."""

    value: Name
    text: Name
    negated: bool


class ShownPlace(NamedTuple):
    """`shown "/sys/…" as at-least off "0"`: a file that shows a setting, how to compare, and texts that differ."""

    file: Name
    comparison: Name | None
    values: tuple[ShownValue, ...]


class SpellingStatement(Placed):
    """`smt on "Enabled", off "Disabled" in "LogicalProc" as TYPE shown "…" at "…" if …;`"""

    setting: Name
    values: tuple[ValueSpelling, ...]
    names: tuple[Name, ...]
    type: Name | None
    shown: tuple[ShownPlace, ...]
    at: Name | None
    when: tuple[Condition, ...]


class Spellings(Placed):
    """`spelling argument of SOURCE when os … { spellings }`."""

    interface: Name
    source: Name
    when: tuple[Condition, ...]
    spellings: tuple[SpellingStatement, ...]


class MeasurementTable(Placed):
    """`measurements "Section 8.1.1" of SOURCE { … }`: a table of figures."""

    at: Name
    source: Name
    when: tuple[Condition, ...]
    fields: tuple[Field, ...]
    columns: tuple[Name, ...]
    rows: tuple[tuple[Name, ...], ...]


PolicyStatement = Fact | Set | Accept | Manage | Evidence | Expect | Scope
Declaration = Aliases | Assume | Block | Table | OptionsTable | Spellings | Observations | MeasurementTable
Statement = Include | Policy | PolicyStatement | Declaration


class File(NamedTuple):
    """A whole file, in the order of its text."""

    name: str
    body: tuple[Statement, ...]
