"""The records of the knowledge base.

Facts, settings and effects are *variables* (`variable`), and conditions on them are *boxes* (`boxes`).

INVARIANT: every name in these records exists; every box is non-empty; every rule has a source, a locator and a reason;
each setting's `position` is later than that of every setting its rules read.

A server has a setting *offered*, *absent* or *not covered*. Of the offers that apply to it the one with the narrowest
condition counts. It has values, or none: then its source says that the setting is absent. If no offer applies, the
setting is not covered: nobody has looked, or no source was found. That is no reason to say that the server lacks it.
"""

from collections.abc import Iterable, Iterator, Mapping

from setpoint.compiler.diagnostics.source import Placed, Span
from setpoint.compiler.hints import Any
from setpoint.compiler.knowledge.boxes import ANY, holds
from setpoint.compiler.knowledge.boxes import UNSTATED as UNSTATED
from setpoint.compiler.knowledge.boxes import Box as Box
from setpoint.compiler.knowledge.boxes import Conditional as Conditional
from setpoint.compiler.knowledge.boxes import covers as covers
from setpoint.compiler.knowledge.boxes import meet as meet
from setpoint.compiler.knowledge.boxes import narrower as narrower
from setpoint.compiler.knowledge.boxes import narrowest as narrowest
from setpoint.compiler.knowledge.boxes import several as several
from setpoint.compiler.knowledge.citation import Alias as Alias
from setpoint.compiler.knowledge.citation import Citation as Citation
from setpoint.compiler.knowledge.citation import Ignored as Ignored
from setpoint.compiler.knowledge.citation import Pin as Pin
from setpoint.compiler.knowledge.citation import ServerReport as ServerReport
from setpoint.compiler.knowledge.interfaces import Spelling as Spelling
from setpoint.compiler.knowledge.library import KnowledgeDigests
from setpoint.compiler.knowledge.locks import FREE as FREE
from setpoint.compiler.knowledge.locks import Preset as Preset
from setpoint.compiler.knowledge.observations import Observation as Observation
from setpoint.compiler.knowledge.observations import Unseen as Unseen
from setpoint.compiler.knowledge.recognition import Family as Family
from setpoint.compiler.knowledge.redfish import Service as Service
from setpoint.compiler.knowledge.remarks import KnownWords as KnownWords
from setpoint.compiler.knowledge.variable import Variable as Variable
from setpoint.compiler.record import NamedFields, NamedTuple

IN_SCOPE = -1
"""The `steps` of statements within the scope of their source."""


class Applicability(NamedTuple):
    """A box in which a statement of a source applies, and its distance from the source's scope.

    `steps` is IN_SCOPE within the scope, 0 on the same hardware for another use, and n on hardware that follows it in n
    steps. `strength` is the strength of advice there, "" for statements that are not advice.
    """

    when: Box
    steps: int
    strength: str


class Measurement(Placed):
    """A measured figure. `low` and `high` are equal if the paper gives one number, and "" without one.

    `varied` is the setting that a figure is about, with both its values; a row of a table of figures has its settings
    in `when`. `box` is the conditions of the measurement: `when` and `held`, as sets of values. `computed` is the
    formula of a derived figure, "" for one that the source prints. `is_variation` says that its source takes it for
    run-to-run variation.
    """

    name: str
    when: tuple[tuple[str, str], ...]
    labels: tuple[tuple[str, str], ...]
    varied: tuple[str, str, str] | None
    held: tuple[tuple[str, str], ...]
    box: Box
    metric: str
    unit: str
    low: str
    high: str
    note: str
    citation: Citation
    computed: str = ""
    is_variation: bool = False

    @property
    def remarks(self) -> str:
        """How it was computed, and the note of its source."""
        return ". ".join(filter(None, (f"Computed from {self.computed}" if self.computed else "", self.note)))


LAYERS = ("firmware", "boot", "os")
"""The layers of settings, in the order of decision. Firmware and boot need a restart."""

STRENGTHS = ("out-of-scope", "test-first", "practice", "vendor", "measured")
"""The strengths of recommendations, weakest first."""

OUT_OF_SCOPE, TEST_FIRST, PRACTICE, VENDOR, MEASURED = STRENGTHS


class Related(NamedTuple):
    """Where the advice of a source is in scope too, with no more than this strength, and why."""

    when: Box
    strength: str
    because: str


class Source(Placed):
    """A paper, a kernel file, a registry. `scope` is where it claims to apply.

    `related` is what is close enough to that, if anything is. `contents` are its tables, figures and sections, if they
    are listed. `pins` are the commits at which it was read, and `date` and `url` are theirs where the source states no
    other.
    """

    name: str
    title: str
    author: str
    publisher: str
    date: str
    url: str
    about: str
    supersedes: str
    scope: Box
    related: Related | None
    contents: tuple[str, ...]
    layer: str
    pins: tuple[Pin, ...] = ()


class FactKind(Placed):
    """A dimension that policies state: `cpu`, `goal`. `role` is `intent` or `fact`.

    `ignored` is what does not matter in its values as machines print them. `fits` is the fact of which each value says
    what goes with it; "" if there is none. `reported` are the kinds of report that some value states.
    """

    name: str
    title: str
    about: str
    role: str
    required: bool
    fits: str
    ignored: tuple[Ignored, ...] = ()
    reported: tuple[str, ...] = ()


class FactValue(Placed):
    """A value of a fact, its place in the tree, and what follows from it. An open value is `one_of` others.

    `means` are the metrics that an intent is judged by, each with `more` or `less` of it as the better.
    """

    fact: str
    name: str
    title: str
    about: str
    within: str
    follows: str
    implies: tuple[tuple[str, str], ...]
    allows: tuple[tuple[str, int], ...]
    citation: Citation | None
    reported: tuple[ServerReport, ...] = ()
    one_of: tuple[str, ...] = ()
    means: tuple[tuple[str, str], ...] = ()


FactValues = dict[str, dict[str, FactValue]]
"""The values of each fact, by name."""


class Setting(Placed):
    """A setting. `position` is its place in the published order of decision. `stands` says that nothing is derived from
    its members: it governs some, on an operating system, and fixes none of them.

    `values` are as declared: `off`, `1us to 10000us`. Its variable has the domain that follows from them.
    `once` says that it is a one-time action: writing a value performs something, and no value stays.
    """

    name: str
    title: str
    about: str
    layer: str
    values: tuple[str, ...]
    position: int
    once: bool = False
    stands: bool = False


class Offer(Placed):
    """The values of a setting that a platform (or an OS) offers; `labels` are the menu's words for them, by value.

    Some values may be ranges of numbers (`1us to 100us step 5`), with `*` for the number in their label.
    `default` is "" if none is stated; `unknown` means that no source has one. `closed` is `when` with everything that
    follows from it. Without values, it says that the setting is absent.
    """

    setting: str
    when: Box
    closed: Box
    values: tuple[str, ...]
    labels: tuple[str, ...]
    default: str
    unknown: bool
    menu: str
    citation: Citation

    @property
    def text(self) -> str:
        """The values as a message has them, or that there are none."""
        return ", ".join(self.values) or "absent"


class Rule(Placed):
    """A recommendation: under `when`, `setting` should be `value`.

    `strength` is what it claims, and `measured_when` where it was measured, () meaning everywhere in scope. `closed` is
    `when` with everything that follows from it. `withdraws` names the rules that it withdraws where it applies,
    `yields` those that its author knows to take precedence. `exceptions` are the rules, tables or rows that it declares
    to be an exception to. `regardless` are the facts that it declares irrelevant (`goal any`), and `beyond` means that
    its source studied none of the cases to which it applies. `table` is the locator of its table, "" for a `rule`
    block.
    """

    name: str
    setting: str
    value: str
    when: Box
    closed: Box
    applicabilities: tuple[Applicability, ...]
    strength: str
    measured_when: Box
    withdraws: tuple[str, ...]
    exceptions: tuple[str, ...]
    yields: tuple[str, ...]
    regardless: tuple[str, ...]
    beyond: bool
    because: str
    note: str
    citation: Citation
    table: str
    layer: str

    @property
    def row(self) -> str:
        """The name of the row that it is a cell of; its own name if it is no cell of a table."""
        return self.name.rpartition(".")[0] if self.table else self.name


class Constraint(Placed):
    """An impossible combination: under `when`, `require` must hold; without `require`, `when` itself is forbidden.

    `lock` is what firmware does with the required setting under `when`: `locked`, `kept` or `hidden`, "" if nothing is
    known. `effect` is the one whose value the constraint requires, "" for none: there is a constraint for each case
    that it excludes.
    """

    name: str
    when: Box
    require: tuple[str, int] | None
    because: str
    citation: Citation
    lock: str = ""
    effect: str = ""


class Hazard(Placed):
    """A combination that is possible but defeats the intent. An `error` stops the build until it is fixed or waived.

    `asks` is what only somebody who knows the site can say, if whether it does depends on that.
    """

    name: str
    when: Box
    applicabilities: tuple[Applicability, ...]
    beyond: bool
    severity: str
    because: str
    help: str
    asks: str
    citation: Citation


class Effect(Placed):
    """The combined effect of settings of several layers: the value of the case that holds, else `otherwise`, or ""."""

    name: str
    title: str
    values: tuple[str, ...]
    cases: tuple[tuple[str, Box], ...]
    otherwise: str
    citation: Citation


class Assumption(Placed):
    """A fact to assume if nobody states it. `layer` is `site` or `stdlib`.

    `closed` is `when` with everything that follows from it.
    """

    fact: str
    value: str
    when: Box
    closed: Box
    because: str
    layer: str


class Knowledge(NamedFields):
    """The whole knowledge base. Tuples are sorted by name, whatever the order of the files.

    `site` are the files that a site has added to the library; empty if all of it is the library's. `digests` say what
    it was read from.
    """

    variables: dict[str, Variable]
    sources: dict[str, Source]
    kinds: dict[str, FactKind]
    values: dict[str, dict[str, FactValue]]
    settings: dict[str, Setting]
    effects: dict[str, Effect]
    offers: dict[str, tuple[Offer, ...]]
    spellings: dict[str, tuple[Spelling, ...]]
    presets: tuple[Preset, ...]
    rules: tuple[Rule, ...]
    constraints: tuple[Constraint, ...]
    hazards: dict[str, Hazard]
    assumptions: tuple[Assumption, ...]
    measurements: tuple[Measurement, ...]
    aliases: tuple[Alias, ...]
    services: tuple[Service, ...]
    words: tuple[KnownWords, ...]
    families: tuple[Family, ...]
    observations: dict[str, tuple[Observation, ...]]
    unseen: dict[str, tuple[Unseen, ...]]
    site: frozenset[str]
    digests: KnowledgeDigests = KnowledgeDigests()

    def near(self, bits: Mapping[str, int]) -> "Knowledge":
        """The knowledge base for resolution with these facts, without statements whose needs are not in memory."""
        return self

    @property
    def dividing(self) -> frozenset[str]:
        """The facts whose values are worth knowing before more than one server is asked for (`around`)."""
        return frozenset()

    def around(self, values: Mapping[str, int]) -> "Knowledge":
        """The knowledge base for servers with these values of the facts that divide it, whatever their other facts."""
        return self

    def is_from_library(self, span: Span) -> bool:
        """Whether a site has extended the library, and this statement is the library's, which it cannot correct."""
        return bool(self.site) and span.file not in self.site

    @property
    def required(self) -> frozenset[str]:
        """The facts that every policy must state."""
        return frozenset(name for name, kind in self.kinds.items() if kind.required)

    def box_text(self, box: Box) -> str:
        """Conditions as in a policy: `goal latency, cpu westmere or nehalem`."""
        return ", ".join(self._condition_text(name, mask) for name, mask in box)

    def label(self, offer: Offer, value: str) -> str:
        """The menu's word for a value; "" if the offer has none. That of a range has `*` for the number."""
        variable = self.variables[offer.setting]
        listed = variable.listed(offer.values, value)
        label = dict(zip(offer.values, offer.labels, strict=True)).get(listed, "")
        return label if listed == value else label.replace("*", variable.bare(value))

    def strength_text(self, rule: Rule) -> str:
        """The strength that a rule claims: `vendor`, or `measured on cpu westmere, sockets 2`."""
        return rule.strength + (f" on {self.box_text(rule.measured_when)}" if rule.measured_when else "")

    def _condition_text(self, name: str, mask: int) -> str:
        variable = self.variables[name]
        negated = bool(mask & UNSTATED)
        if mask == variable.everything | UNSTATED:
            return f"{name} {ANY}"
        wanted = variable.everything & ~mask if negated else mask
        return f"{name} {'not ' if negated else ''}{' or '.join(variable.widest(wanted))}"


BY_SETTING, BY_NAME, LISTED = "setting", "name", ""
"""What finds the statements in a field of the knowledge base: their setting, their name, or nothing."""

IN_SECTIONS = {
    "offers": BY_SETTING,
    "spellings": BY_SETTING,
    "presets": LISTED,
    "rules": LISTED,
    "constraints": LISTED,
    "hazards": BY_NAME,
    "services": LISTED,
}
"""The fields with statements of which a plan reads those for its server (`sections`)."""

ASIDE = {
    "words": LISTED,
    "families": LISTED,
    "aliases": LISTED,
    "observations": BY_SETTING,
    "unseen": BY_SETTING,
}
"""The fields with statements that no plan reads (`stored`)."""

STATEMENTS = {**IN_SECTIONS, **ASIDE, "effects": BY_NAME}
"""How the fields with statements are kept."""

CITED = tuple(field for field in STATEMENTS if field != "aliases")
"""Those of which each statement names its source."""


def filled(field: str, statements: Iterable[Any]) -> Any:
    """A field of the knowledge base with these statements."""
    if STATEMENTS[field] == LISTED:
        return tuple(statements)
    if STATEMENTS[field] == BY_NAME:
        return {statement.name: statement for statement in statements}
    by_setting: dict[str, list[Any]] = {}
    for statement in statements:
        by_setting.setdefault(statement.setting, []).append(statement)
    return {setting: tuple(group) for setting, group in by_setting.items()}


def statements_of(knowledge: Knowledge, field: str) -> Iterator[Any]:
    """The statements in a field of the knowledge base."""
    content = getattr(knowledge, field)
    if STATEMENTS[field] == LISTED:
        yield from content
    elif STATEMENTS[field] == BY_NAME:
        yield from content.values()
    else:
        for group in content.values():
            yield from group


def emptied(fields: Iterable[str]) -> dict[str, Any]:
    """These fields without statements."""
    return {field: filled(field, ()) for field in fields}


def lineage(knowledge: Knowledge, fact: str, value: str) -> Iterator[FactValue]:
    """A value and all values that it lies within, nearest first."""
    while value:
        yield knowledge.values[fact][value]
        value = knowledge.values[fact][value].within


def offering(knowledge: Knowledge, setting: str) -> tuple[Offer, ...]:
    """The offers of a setting that have values; the others say that it is absent."""
    return tuple(offer for offer in knowledge.offers.get(setting, ()) if offer.values)


def counting(knowledge: Knowledge, setting: str, bits: Mapping[str, int]) -> list[Offer]:
    """The offers of a setting that count for a server with these facts: several if no condition is the narrowest."""
    return narrowest([offer for offer in knowledge.offers.get(setting, ()) if holds(offer.when, bits)])


def absent(knowledge: Knowledge, setting: str, bits: Mapping[str, int]) -> Citation | None:
    """The source that says of a server with these facts that it lacks the setting; None if none does."""
    return next((offer.citation for offer in counting(knowledge, setting, bits) if not offer.values), None)


def covered(knowledge: Knowledge, setting: str) -> str:
    """Where a setting is offered: the conditions of its offers, or `nowhere`."""
    conditions = {knowledge.box_text(offer.when) for offer in offering(knowledge, setting)}
    return "; or ".join(sorted(conditions)) or "nowhere"
