"""The outcome of every policy with one or two `set`s (K06, K08).

K06: each `set` of each offered value, in every situation, ends in a plan or in a conflict that constraints explain, and
the applicable offer is unambiguous. K08: narrowing alone shows which; otherwise the compiler has to search, which is
correct but slower, and harder to explain. More than two `set`s are not enumerated: that they end in the same way
follows from K01 and from the compiler's search, which is complete.

The policies are a second dimension beside the situations: the problem is repeated once for each policy, and all copies
are decided in one pass. The rules cited on the way are recorded, for `unused` to check the rest.
"""

from collections.abc import Callable, Iterator
from itertools import chain, combinations

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import FREE, UNSTATED, Box, Rule, narrower, several
from setpoint.compiler.proof.analysis import Analysis, Component
from setpoint.compiler.proof.example import Sets, extent, note, policy, sets_for
from setpoint.compiler.proof.sets.cascade import SituationChoices, SituationOutcomes, cascade
from setpoint.compiler.proof.sets.ground import SituationProblems
from setpoint.compiler.proof.sets.masks import repeating
from setpoint.compiler.proof.sets.narrow import (
    SituationClauses,
    allowing,
    concatenated,
    split_apart,
)
from setpoint.compiler.proof.sets.space import facts_of
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.ground import are_interchangeable

MOST_BITS = 1 << 16
"""The maximum number of situations, over all copies, in one pass; more would exceed a processor's cache."""


SMALLEST_BLOCKS = range(20, 200)
"""The sizes among which the least one of a block is."""

MOST_IN_BLOCK = 660_000
"""Every policy is repeated in all situations of a block, also where it cannot be stated. So where there are many
policies, larger blocks cost more; where there are few, small blocks cost more than they save.
"""


class Survey(NamedTuple):
    """The outcomes of the policies of a component.

    `possible` are the situations in which a single `set` of a value of the component's settings ends in a plan, `cited`
    the rules that some policy cites. `plans` and `conflicts` count the outcomes of single `set`s, once per situation.
    """

    findings: tuple[Diagnostic, ...]
    cited: frozenset[str]
    possible: dict[tuple[str, int], int]
    plans: int
    conflicts: int


def survey(analysis: Analysis, component: Component, known_to_tie: frozenset[str] = frozenset()) -> Survey:
    """Decide the policies that set none, one or two of the settings that a component has or that its rules read.

    Ties of settings that are `known_to_tie` (K01) are not reported again.
    """
    surveyor = _Surveyor(analysis, component, known_to_tie, _policies(analysis, component))
    for _ in surveyor.passes():
        pass
    surveyor.conclude()
    return Survey(
        tuple(surveyor.findings),
        frozenset(surveyor.cited),
        surveyor.possible,
        surveyor.plans,
        surveyor.conflicts,
    )


def is_cited(
    analysis: Analysis, component: Component, rule: str, rest: Callable[[], object] = lambda: None
) -> bool:
    """Whether one of these policies cites a rule.

    Between the passes, which take some hundredths of a second, `rest` is called; it may raise to give up.
    """
    surveyor = _Surveyor(analysis, component, frozenset(), _policies(analysis, component))
    for _ in surveyor.passes():
        if rule in surveyor.cited:
            return True
        rest()
    return rule in surveyor.cited


def _policies(analysis: Analysis, component: Component) -> list[Box]:
    """The policies to decide, each as the condition on settings that its `set`s satisfy; the shortest first."""
    own = [name for name in component.own if name in analysis.settings]  # a question can be about fewer
    reads = {w.proposal.reads for name in own for w in analysis.problem.proposals[name]} - {()}
    read = sorted({name for box in reads for name, _ in box if name in analysis.problem.domains} - {*own})
    values = [(name, bit) for name in (*own, *read) for bit in sorted(analysis.problem.domains[name])]
    coupled = [(name, bit) for name, bit in values if name in read or name in analysis.index.of]
    policies: list[Box] = [(), *((value,) for value in values), *sorted(reads)]
    policies += [tuple(sorted((a, b))) for a, b in combinations(coupled, 2) if a[0] != b[0]]
    return list(dict.fromkeys(policies))


def ambiguous_offers(analysis: Analysis, setting: str) -> Iterator[Diagnostic]:
    """Offers of a setting that apply together, differ, and have no narrower one among them (K06)."""
    knowledge = analysis.knowledge
    offers = knowledge.offers.get(setting, ())
    fitting = [(offer, analysis.space.where(facts_of(knowledge, offer.when))) for offer in offers]
    for (a, fits_a), (b, fits_b) in combinations(fitting, 2):
        if are_interchangeable(a, b):
            continue
        where = fits_a & fits_b
        for third, there in fitting:
            if where & there and (narrower(third, a) or narrower(third, b)):
                where &= ~there
        if where:
            yield Diagnostic(
                "K06",
                f"conflicting offers of `{setting}`: two apply, and neither is narrower",
                a.span,
                a.text,
                (Label(b.span, b.text),),
                (
                    extent(analysis.space, where),
                    note(policy(knowledge, analysis.space.simplest(where).stated)),
                ),
                ("narrow the conditions of one of them",),
            )


class _Outcomes(NamedTuple):
    """The outcomes of a policy: the situations in which it can be stated, and those with each outcome."""

    asked: int = 0
    conflict: int = 0
    tied: int = 0
    searched: int = 0


class _Tie(NamedTuple):
    """The situations in which a policy ends in a tie of a setting, and the rules that tie."""

    where: int = 0
    rules: tuple[Rule, ...] = ()


def _sets_of(
    problem: SituationProblems, boxes: list[dict[str, int]], everywhere: int, size: int
) -> Iterator[tuple[str, str, int]]:
    """The settings that policies set to one value, and the situations of each policy's copy."""
    for k, box in enumerate(boxes):
        for name in sorted(problem.domains.keys() & box.keys()):
            values = problem.knowledge.variables[name].names(box[name])
            if len(values) == 1:
                yield name, values[0], everywhere << size * k


class _Surveyor:
    def __init__(
        self, analysis: Analysis, component: Component, known_to_tie: frozenset[str], policies: list[Box]
    ) -> None:
        self.analysis = analysis
        self.component = component
        self.findings: list[Diagnostic] = []
        self.cited: set[str] = set()
        self.possible: dict[tuple[str, int], int] = {}
        self.plans = 0
        self.conflicts = 0
        self._searched = False
        self._outcomes = dict.fromkeys(policies, _Outcomes())
        self._ties: dict[str, dict[Box, _Tie]] = {
            name: {} for name in component.own if name not in known_to_tie
        }

    def passes(self) -> Iterator[None]:
        """Decide all policies, block by block and some at once; yields after each pass."""
        smallest = min(max(MOST_IN_BLOCK // len(self._outcomes), SMALLEST_BLOCKS.start), SMALLEST_BLOCKS.stop)
        conditions = tuple(dict.fromkeys(condition for box in self._outcomes for condition in box))
        policies: dict[Box, list[Box]] = {}
        for box in self._outcomes:
            policies.setdefault(box[:1], []).append(box)
        for first, block in self.analysis.blocks(smallest):
            at_once = max(1, MOST_BITS // max(1, len(block.space.situations)))
            alike = _alike(block)
            feasible = block.space.everywhere & ~(self.analysis.unsatisfiable >> first)
            asked = [
                (box, where)
                for box, where in _statable(block, feasible, policies, conditions)
                if len(box) < 2 or alike.isdisjoint(box)
            ]
            for start in range(0, len(asked), at_once):
                self._decide(block, first, asked[start : start + at_once])
                yield

    def _decide(self, analysis: Analysis, first: int, stated: list[tuple[Box, int]]) -> None:
        """Decide a copy of a block for each policy.

        A policy is given as the condition on settings that its `set`s satisfy, with the situations in which it can be
        stated.
        """
        size = len(analysis.space.situations)
        policies = [box for box, _ in stated]
        problem = analysis.problem.repeated(len(policies))
        index = SituationClauses(problem.clauses)
        asked = concatenated([where for _, where in stated], size)
        copies_of = repeating(size, len(policies))
        domains = {
            name: {bit: mask * copies_of & asked for bit, mask in masks.items()}
            for name, masks in analysis.domains.items()
        }
        boxes = [dict(box) for box in policies]
        everywhere = analysis.space.everywhere
        pinned: dict[str, int] = {}
        for name in sorted({name for box in boxes for name in box}):
            pinned[name] = concatenated([everywhere if name in box else 0 for box in boxes], size)
            for bit in domains.get(name, ()):
                allowed_here = [everywhere if box.get(name, bit) & bit else 0 for box in boxes]
                domains[name][bit] &= concatenated(allowed_here, size)
        problem = problem.requesting(_sets_of(problem, boxes, everywhere, size))
        dead = index.narrow(domains, asked, pinned)
        outcome = cascade(problem, index, domains, asked & ~dead)
        whole = _Outcomes(asked, dead | outcome.impossible, outcome.tied, outcome.searched)
        copies = zip(*(split_apart(mask, size, len(policies)) for mask in whole), strict=True)
        for k, (box, here) in enumerate(zip(policies, copies, strict=True)):
            outcomes = _Outcomes(*(mask << first for mask in here))
            self._outcomes[box] = _Outcomes(
                *(a | b for a, b in zip(self._outcomes[box], outcomes, strict=True))
            )
            if outcomes.tied:
                self._record_ties(box, outcome, everywhere << size * k, size * k - first)
        for name, choice in outcome.choices.items():
            self._cite(problem, name, choice, ~pinned.get(name, 0))

    def _record_ties(self, box: Box, outcome: SituationOutcomes, copy: int, shift: int) -> None:
        for name, ties in self._ties.items():
            choice = outcome.choices.get(name)
            tied = choice.tied & copy if choice else 0
            if choice and tied:
                there = tied >> shift if shift >= 0 else tied << -shift
                pairs = zip(choice.proposals, choice.top, strict=True)
                rules = [weighed.proposal.rule for weighed, top in pairs if top & tied]
                before = ties.get(box, _Tie())
                ties[box] = _Tie(before.where | there, tuple(dict.fromkeys([*before.rules, *rules])))

    def conclude(self) -> None:
        """Report on the policies after all blocks have been decided."""
        for box, outcomes in self._outcomes.items():
            if _is_policy(box):
                self._conclude_policy(box, outcomes)
        for name, ties in self._ties.items():
            if tying := set(filter(_is_policy, ties)):  # once for each setting
                first = next(box for box in self._outcomes if box in tying)
                self.findings.append(self._tied(name, first, ties[first]))

    def _cite(self, problem: SituationProblems, name: str, choice: SituationChoices, where: int) -> None:
        """Record the rules that agree with a decision that the policy did not make itself."""
        variable = problem.knowledge.variables[name]
        for weighed, effective in zip(choice.proposals, choice.effective, strict=True):
            if where & effective & choice.values.get(variable.bit(weighed.proposal.value), 0):
                self.cited.add(weighed.proposal.rule.name)

    def _conclude_policy(self, box: Box, outcomes: _Outcomes) -> None:
        if len(box) == 1 and box[0][0] in self.component.own:
            self.plans += (outcomes.asked & ~outcomes.conflict & ~outcomes.tied).bit_count()
            self.conflicts += outcomes.conflict.bit_count()
            self.possible[box[0]] = outcomes.asked & ~outcomes.conflict
            self.findings.extend(self._unexplained(outcomes.conflict, box))
        if outcomes.searched and not self._searched:
            self._searched = True  # once for each component: one place to correct is enough
            self.findings.append(self._search(outcomes.searched, sets_for(self.analysis.knowledge, box)))

    def _unexplained(self, conflict: int, box: Box) -> Iterator[Diagnostic]:
        """The finding for conflicts that no constraint explains: those in which the constraints can be satisfied."""
        ((name, bit),) = box
        domains = {**self.analysis.problem.domains}
        domains[name] = {bit: domains[name].get(bit, 0)}
        if left := self.analysis.index.possible(domains, conflict):
            sets = sets_for(self.analysis.knowledge, box)
            yield Diagnostic(
                "K06",
                f"{_sets_text(sets)} is refused, and no constraint says why",
                self.analysis.knowledge.settings[name].span,
                notes=self._shown(left, sets),
            )

    def _tied(self, name: str, box: Box, tie: _Tie) -> Diagnostic:
        first, *others = tie.rules
        sets = sets_for(self.analysis.knowledge, box)
        return Diagnostic(
            "K06",
            f"{_sets_text(sets)} can end in a tie about `{name}`",
            first.span,
            "one of those that tie",
            tuple(Label(rule.span, "another") for rule in others),
            self._shown(tie.where, sets),
            ("put them in order, as for K01",),
        )

    def _search(self, where: int, sets: Sets) -> Diagnostic:
        clauses = [live.clause for live in self.analysis.index.clauses if live.where & where]
        named = {name for name, _ in sets}
        near = [c for c in clauses if named & {name for name, _ in c.literals}] or clauses
        near.sort(key=lambda clause: self.analysis.knowledge.is_from_library(clause.span))
        return Diagnostic(
            "K08",
            f"narrowing does not find the consequences of {_sets_text(sets)}",
            near[0].span,
            "contributes to this",
            tuple(Label(span, "and this") for span in dict.fromkeys(c.span for c in near[1:]))[:3],
            self._shown(where, sets),
            ("state their combined effect as a constraint of its own",),
        )

    def _shown(self, where: int, sets: Sets) -> tuple[str, str]:
        stated = self.analysis.space.simplest(where).stated
        return extent(self.analysis.space, where), note(policy(self.analysis.knowledge, stated, sets))


def _statable(
    analysis: Analysis, feasible: int, policies: dict[Box, list[Box]], conditions: Box
) -> Iterator[tuple[Box, int]]:
    """The policies that can be stated somewhere, by their first conditions, each with the feasible situations in which
    it can.

    Most pairs of settings are never offered together. Where the first is not, none of its pairs is looked at.
    """
    live = {condition: where for condition in conditions if (where := _satisfiable(analysis, *condition))}
    for first, boxes in policies.items():
        there = feasible & live.get(first[0], 0) if first else feasible
        for box in boxes if there else ():
            where = there
            for condition in box[1:]:
                where &= live.get(condition, 0)
            if where:
                yield box, where


def _alike(analysis: Analysis) -> set[tuple[str, int]]:
    """The values that pairs of `set`s leave out: an earlier one of the same setting is offered wherever they are, and
    everything that reads the setting takes both the same.

    So policies that set one or the other have plans that differ in this value alone. A value that advice, a profile or
    a default names is like no other.
    """
    problem = analysis.problem
    masks = {name: dict.fromkeys(named) for name, named in _named_values(problem).items()}
    for name, mask in chain(
        chain.from_iterable(live.clause.literals for live in problem.clauses),
        chain.from_iterable(w.proposal.reads for proposals in problem.proposals.values() for w in proposals),
    ):
        masks.setdefault(name, {})[mask] = None
    values = set()
    for name, domain in problem.domains.items():
        before: dict[tuple[bool, ...], list[int]] = {}
        for bit, where in sorted(domain.items()):
            same = before.setdefault(tuple([bool(bit & mask) for mask in masks[name]]), [])
            if any(not where & ~wider for wider in same):
                values.add((name, bit))
            same.append(where)
    return values


def _named_values(problem: SituationProblems) -> dict[str, set[int]]:
    """The values that advice, a profile or a default names, by setting."""
    values = {name: {*masks} for name, masks in problem.defaults.items()}
    bit_of = {name: problem.knowledge.variables[name].bit for name in problem.settings}
    for name, proposals in problem.proposals.items():
        values[name].update(bit_of[name](weighed.proposal.value) for weighed in proposals)
    for governor, profiles in problem.profiles.items():
        values[governor].update(map(bit_of[governor], profiles.cells))
        for effects in (*profiles.cells.values(), *profiles.initial.values()):
            for member, cells in effects.items():
                if member in bit_of:
                    values[member].update(bit_of[member](cell) for cell in cells if cell != FREE)
    return values


def _satisfiable(analysis: Analysis, name: str, values: int) -> int:
    """The situations in which a setting is offered with one of these values, or absent where that is enough."""
    problem = analysis.problem
    absent = ~problem.present.get(name, 0) if values & UNSTATED else 0
    return analysis.space.scope((name,)) & (allowing(problem.domains.get(name, {}), values) | absent)


def _sets_text(sets: Sets) -> str:
    return " and ".join(f"`set {setting} {value}`" for setting, value in sets) or "a policy that sets nothing"


def _is_policy(box: Box) -> bool:
    """Whether the condition consists of `set`s, with one value for each setting; else it is the condition of a rule."""
    return all(not values & UNSTATED and not several(values) for _, values in box)
