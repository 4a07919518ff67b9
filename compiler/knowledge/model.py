"""The records of the knowledge base.

Facts, settings and effects are *variables* (`variable`), and conditions on them are *boxes* (`boxes`).

INVARIANT: every name in these forms is known; every box is non-empty; every rule has a source, a
locator and a reason; each setting's `position` is later than that of every setting its rules read.
"""

from typing import NamedTuple

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.boxes import UNSTATED as UNSTATED
from setpoint.compiler.knowledge.boxes import Box as Box
from setpoint.compiler.knowledge.boxes import Conditional as Conditional
from setpoint.compiler.knowledge.boxes import covers as covers
from setpoint.compiler.knowledge.boxes import meet as meet
from setpoint.compiler.knowledge.boxes import narrower as narrower
from setpoint.compiler.knowledge.boxes import several as several
from setpoint.compiler.knowledge.citation import Alias as Alias
from setpoint.compiler.knowledge.citation import Citation as Citation
from setpoint.compiler.knowledge.citation import Reported as Reported
from setpoint.compiler.knowledge.variable import Variable as Variable
from setpoint.compiler.record import distinct

LAYERS = ("firmware", "boot", "os")
"""Where a setting lives, in the order in which settings are decided. Firmware and boot need a restart."""

STRENGTHS = ("out-of-scope", "test-first", "vendor", "measured")
"""How much a recommendation weighs, weakest first."""

OUT_OF_SCOPE, TEST_FIRST, VENDOR, MEASURED = STRENGTHS


@distinct
class Source(NamedTuple):
    """A paper, a kernel file, a registry: who says so. `scope` is where it says that it applies.

    `contents` are its tables, figures and sections; none where they are not listed.
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
    contents: tuple[str, ...]
    layer: str
    span: Span


@distinct
class FactKind(NamedTuple):
    """A dimension that policies state: `cpu`, `goal`. `role` is `intent` or `fact`."""

    name: str
    title: str
    about: str
    role: str
    required: bool
    span: Span


@distinct
class FactValue(NamedTuple):
    """A value of a fact, its place in the tree, and what follows from it."""

    fact: str
    name: str
    title: str
    about: str
    within: str
    follows: str
    implies: tuple[tuple[str, str], ...]
    allows: tuple[tuple[str, int], ...]
    citation: Citation | None
    span: Span
    reported: tuple[Reported, ...] = ()


@distinct
class Setting(NamedTuple):
    """Something that can be set. `position` is its place in the published order of decision."""

    name: str
    title: str
    about: str
    layer: str
    values: tuple[str, ...]
    position: int
    span: Span


@distinct
class Offer(NamedTuple):
    """What a platform (or an OS) offers of a setting; `labels` are the menu's own words, value by value.

    `default` is "" where none is stated; `unknown` says that none is because no source has it. `closed` is `when` with all
    that follows from it.
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
    span: Span


FREE = "free"
"""In the cell of a preset: the profile leaves the member as it is, and does not lock it."""


@distinct
class Preset(NamedTuple):
    """What each value of a governing setting does to its members: `columns[value][member]`.

    That is the value that it fixes, or `FREE`. Where there is none, it is not known whether the firmware locks the member.
    """

    governor: str
    when: Box
    columns: dict[str, dict[str, str]]
    members: tuple[str, ...]
    citation: Citation
    span: Span


IN_SCOPE = -1
"""The `steps` of what is within the scope of its source."""


@distinct
class Reach(NamedTuple):
    """Where a statement of a source applies, and how far out of its scope that is.

    `steps` is IN_SCOPE within the source's scope; 0 on the hardware it speaks of, but for another use than
    it was written for; n on hardware that follows it at the n-th remove. `strength` is that of advice there, "" for
    what is no advice.
    """

    when: Box
    steps: int
    strength: str


@distinct
class Rule(NamedTuple):
    """A recommendation: under `when`, `setting` should be `value`.

    `strength` is what it claims; `measured_when` is where it was measured, if it was not everywhere in scope. `closed` is
    `when` with all that follows from it. `withdraws` names the rules that it takes back where it applies; `yields` those
    that its author knows to outrank it. `exceptions` are the names that it is written to be an exception to: of rules,
    tables or rows. `regardless` are the facts of which it says that any value will do, and `beyond` that its source
    studied nothing that it applies to.
    `table` is the locator of the table that it is a cell of; "" for a rule that is written as such.
    """

    name: str
    setting: str
    value: str
    when: Box
    closed: Box
    reaches: tuple[Reach, ...]
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
    span: Span


@distinct
class Constraint(NamedTuple):
    """What cannot be: under `when`, `require` must hold (nothing required: `when` itself cannot be)."""

    name: str
    when: Box
    require: tuple[str, int] | None
    because: str
    citation: Citation
    span: Span


@distinct
class Hazard(NamedTuple):
    """What can be, but defeats the intent. An `error` stops the build until fixed or accepted."""

    name: str
    when: Box
    reaches: tuple[Reach, ...]
    beyond: bool
    severity: str
    because: str
    help: str
    citation: Citation
    span: Span


@distinct
class Effect(NamedTuple):
    """What settings of several layers come to, together: the value of the case that holds, else `otherwise`."""

    name: str
    title: str
    values: tuple[str, ...]
    cases: tuple[tuple[str, Box], ...]
    otherwise: str
    citation: Citation
    span: Span


@distinct
class Assumption(NamedTuple):
    """A fact that is taken for granted when nobody states it. `layer` is `site` or `stdlib`.

    `closed` is `when` with all that follows from it.
    """

    fact: str
    value: str
    when: Box
    closed: Box
    because: str
    layer: str
    span: Span


@distinct
class Measurement(NamedTuple):
    """A figure that somebody measured. `low` and `high` are the same where the paper gives one number, "" without one.

    `varied` is the setting that a figure of its own is about, with both its values; a row of a table of figures has
    its settings among the `when`. `box` is what it was measured under: `when` and `held`, as sets of values.
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
    span: Span


@distinct
class Knowledge(NamedTuple):
    """The whole knowledge base. Tuples are in the order of their names, whatever the order of the files.

    `site` are the files that a site has added to the library; none if all of it is the library's.
    """

    variables: dict[str, Variable]
    sources: dict[str, Source]
    kinds: dict[str, FactKind]
    values: dict[str, dict[str, FactValue]]
    settings: dict[str, Setting]
    effects: dict[str, Effect]
    offers: dict[str, tuple[Offer, ...]]
    presets: tuple[Preset, ...]
    rules: tuple[Rule, ...]
    constraints: tuple[Constraint, ...]
    hazards: dict[str, Hazard]
    assumptions: tuple[Assumption, ...]
    measurements: tuple[Measurement, ...]
    aliases: tuple[Alias, ...]
    site: frozenset[str]

    def is_given(self, span: Span) -> bool:
        """Whether a statement is the library's, and a site has added to that: it is not the site's to mend."""
        return bool(self.site) and span.file not in self.site

    @property
    def required(self) -> frozenset[str]:
        """The facts that every policy must state."""
        return frozenset(name for name, kind in self.kinds.items() if kind.required)

    def box_text(self, box: Box) -> str:
        """Conditions as a policy writer would say them: `goal latency, cpu westmere or nehalem`."""
        return ", ".join(self._condition_text(name, mask) for name, mask in box)

    def strength_text(self, rule: Rule) -> str:
        """How much a rule claims to weigh: `vendor`, or `measured on cpu westmere, sockets 2`."""
        on = f" on {self.box_text(rule.measured_when)}" if rule.measured_when else ""
        return rule.strength + on

    def _condition_text(self, name: str, mask: int) -> str:
        variable = self.variables[name]
        negated = bool(mask & UNSTATED)
        wanted = variable.everything & ~mask if negated else mask
        return f"{name} {'not ' if negated else ''}{' or '.join(self.tops(name, wanted))}"

    def tops(self, name: str, mask: int) -> tuple[str, ...]:
        """The values in a set that lie within no other value of it."""
        variable = self.variables[name]
        return tuple(v for v in variable.names(mask) if not self._parent_in(variable, v, mask))

    def _parent_in(self, variable: Variable, value: str, mask: int) -> bool:
        parent = variable.parents[variable.values.index(value)] if variable.parents else ""
        return bool(parent) and bool(mask & variable.bit(parent))
