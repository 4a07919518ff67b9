"""Every single `set`, and every two: what becomes of the policy that states them (K06, K08).

K06: each `set` of each value that is offered, in every situation, ends in a plan or in a conflict that
constraints explain; and what is offered is not in doubt. K08: narrowing alone saw which; where it does not, the compiler searches, which is
right but slower, and harder to explain. More than two `set`s are not enumerated: that they end so too
follows from the compiler's own search, which is complete, and from K01.

What policies set is a second dimension beside the situations: the part is laid side by side with itself,
a copy for each policy, and all copies are decided in one pass. On the way it is noted which rules are
ever cited, for `unused` to ask about the rest.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import UNSTATED, Box, Rule, narrower, several
from setpoint.compiler.proof.checks.decided import contradiction
from setpoint.compiler.proof.example import Sets, extent, note, policy, sets_for
from setpoint.compiler.proof.world import Part, World
from setpoint.compiler.record import distinct
from setpoint.compiler.resolution.ground import says_the_same
from setpoint.compiler.resolution.sets.cascade import Choice, Outcome, cascade
from setpoint.compiler.resolution.sets.ground import Problem
from setpoint.compiler.resolution.sets.narrow import Watch, apart, copied, side_by_side, within
from setpoint.compiler.resolution.sets.space import facts_of

MOST_BITS = 1 << 18
"""How many situations, copies and all, are decided in one pass; more would outgrow a processor's cache."""


@distinct
class Survey(NamedTuple):
    """What became of the policies of a part.

    `possible` are the situations in which a single `set` of a value of the part's settings ends in a plan;
    `cited` are the rules that some policy gets to cite; `plans` and `conflicts` count what the single `set`s end in, a
    `set` in a situation counting once.
    """

    findings: tuple[Diagnostic, ...]
    cited: frozenset[str]
    possible: dict[tuple[str, int], int]
    plans: int
    conflicts: int


def survey(world: World, part: Part, known_to_tie: frozenset[str] = frozenset()) -> Survey:
    """Go through the policies that set none, one or two of the settings that a part has or its rules read.

    Ties about settings that are `known_to_tie` (K01) are not found a second time.
    """
    reads = {w.proposal.reads for name in part.own for w in world.problem.proposals[name]} - {()}
    read = sorted({name for box in reads for name, _ in box if name in world.problem.domains} - set(part.own))
    values = [(name, bit) for name in (*part.own, *read) for bit in sorted(world.problem.domains[name])]
    coupled = [(name, bit) for name, bit in values if name in read or name in world.watch.of]
    policies: list[Box] = [(), *((value,) for value in values), *sorted(reads)]
    policies += [tuple(sorted((a, b))) for a, b in combinations(coupled, 2) if a[0] != b[0]]
    policies = list(dict.fromkeys(policies))
    surveyor = _Surveyor(world, part, known_to_tie, policies)
    for first, block in world.blocks():
        at_once = max(1, MOST_BITS // max(1, len(block.space.situations)))
        for start in range(0, len(policies), at_once):
            surveyor.go_through(block, first, policies[start : start + at_once])
    surveyor.look_at_all()
    return Survey(
        tuple(surveyor.findings),
        frozenset(surveyor.cited),
        surveyor.possible,
        surveyor.plans,
        surveyor.conflicts,
    )


def doubtful_offers(world: World, setting: str) -> Iterator[Diagnostic]:
    """Offers of a setting that apply together, differ, and of which neither is the narrower (K06)."""
    knowledge = world.knowledge
    offers = knowledge.offers.get(setting, ())
    fits = {offer: world.space.where(facts_of(knowledge, offer.when)) for offer in offers}
    for a, b in combinations(offers, 2):
        if says_the_same(a, b):
            continue
        where = fits[a] & fits[b]
        for third in offers:
            if narrower(third, a) or narrower(third, b):
                where &= ~fits[third]
        if where:
            yield Diagnostic(
                "K06",
                f"what is offered of `{setting}` is in doubt: two offers apply, and neither is narrower",
                a.span,
                ", ".join(a.values),
                (Label(b.span, ", ".join(b.values)),),
                (
                    extent(world.space, where),
                    note(policy(knowledge, world.space.simplest(where).stated)),
                ),
                ("narrow the conditions of one of them",),
            )


@distinct
class _Ends(NamedTuple):
    """What becomes of a policy: the situations in which it can be stated, and those in which it ends in what."""

    asked: int = 0
    conflict: int = 0
    tied: int = 0
    searched: int = 0


@distinct
class _Tie(NamedTuple):
    """Where a policy ends in a tie about a setting, and the rules that tie."""

    where: int = 0
    rules: tuple[Rule, ...] = ()


class _Surveyor:
    def __init__(
        self, world: World, part: Part, known_to_tie: frozenset[str], policies: Iterable[Box]
    ) -> None:
        self.world = world
        self.part = part
        self.findings: list[Diagnostic] = []
        self.cited: set[str] = set()
        self.possible: dict[tuple[str, int], int] = {}
        self.plans = 0
        self.conflicts = 0
        self._searched = False
        self._ends = dict.fromkeys(policies, _Ends())
        self._ties: dict[str, dict[Box, _Tie]] = {name: {} for name in part.own if name not in known_to_tie}

    def go_through(self, world: World, first: int, policies: list[Box]) -> None:
        """Decide a copy of a block for each policy: a condition on settings that its `set`s bring about."""
        size = len(world.space.situations)
        problem = world.problem.repeated(len(policies))
        watch = Watch(problem.clauses)
        asked = side_by_side([_asked(world, box) for box in policies], size)
        domains = copied(problem.domains, asked)
        boxes = [dict(box) for box in policies]
        everywhere = world.space.everywhere
        pinned: dict[str, int] = {}
        for name in sorted({name for box in boxes for name in box}):
            pinned[name] = side_by_side([everywhere if name in box else 0 for box in boxes], size)
            for bit in domains.get(name, ()):
                able = [everywhere if box.get(name, bit) & bit else 0 for box in boxes]
                domains[name][bit] &= side_by_side(able, size)
        dead = watch.narrow(domains, asked)
        outcome = cascade(problem, watch, domains, asked & ~dead)
        whole = _Ends(asked, dead | outcome.impossible, outcome.tied, outcome.searched)
        copies = zip(*(apart(mask, size, len(policies)) for mask in whole), strict=True)
        for k, (box, here) in enumerate(zip(policies, copies, strict=True)):
            ends = _Ends(*(mask << first for mask in here))
            self._ends[box] = _Ends(*(a | b for a, b in zip(self._ends[box], ends, strict=True)))
            if ends.tied:
                self._note_ties(box, outcome, everywhere << size * k, size * k - first)
        for name, choice in outcome.choices.items():
            self._cite(problem, name, choice, ~pinned.get(name, 0))

    def _note_ties(self, box: Box, outcome: Outcome, copy: int, shift: int) -> None:
        for name, ties in self._ties.items():
            choice = outcome.choices[name]
            tied = choice.tied & copy
            if tied:
                there = tied >> shift if shift >= 0 else tied << -shift
                pairs = zip(choice.proposals, choice.top, strict=True)
                rules = [weighed.proposal.rule for weighed, top in pairs if top & tied]
                before = ties.get(box, _Tie())
                ties[box] = _Tie(before.where | there, tuple(dict.fromkeys([*before.rules, *rules])))

    def look_at_all(self) -> None:
        """Say what is to be said of the policies, all blocks having been gone through."""
        for box, ends in self._ends.items():
            if _is_policy(box):
                self._look_at(box, ends)
        for name, ties in self._ties.items():
            tying = [box for box in self._ends if box in ties and _is_policy(box)]
            if tying:  # once a setting
                self.findings.append(self._tied(name, tying[0], ties[tying[0]]))

    def _cite(self, problem: Problem, name: str, choice: Choice, where: int) -> None:
        """Note the rules that agree with what was decided, where the policy itself did not decide it."""
        variable = problem.knowledge.variables[name]
        for weighed, counts in zip(choice.proposals, choice.standing, strict=True):
            if where & counts & choice.values.get(variable.bit(weighed.proposal.value), 0):
                self.cited.add(weighed.proposal.rule.name)

    def _look_at(self, box: Box, ends: _Ends) -> None:
        if len(box) == 1 and box[0][0] in self.part.own:
            self.plans += (ends.asked & ~ends.conflict & ~ends.tied).bit_count()
            self.conflicts += ends.conflict.bit_count()
            self.possible[box[0]] = ends.asked & ~ends.conflict
            self.findings.extend(self._unexplained(ends.conflict, box))
        if ends.searched and not self._searched:
            self._searched = True  # once a part: one place to mend is as good as many
            self.findings.append(self._search(ends.searched, sets_for(self.world.knowledge, box)))

    def _unexplained(self, conflict: int, box: Box) -> Iterator[Diagnostic]:
        """A finding for conflicts in which no constraint has a part."""
        ((name, bit),) = box
        domains = {**self.world.problem.domains}
        domains[name] = {bit: domains[name].get(bit, 0)}
        while conflict:
            core = contradiction(self.world.watch.clauses, domains, conflict & -conflict)
            if not core:
                yield Diagnostic(
                    "K06",
                    f"{_said(sets_for(self.world.knowledge, box))} is refused, and no constraint says why",
                    self.world.knowledge.settings[name].span,
                    notes=self._shown(conflict, sets_for(self.world.knowledge, box)),
                )
                return
            conflict = Watch(core).possible(domains, conflict)

    def _tied(self, name: str, box: Box, tie: _Tie) -> Diagnostic:
        first, *others = tie.rules
        sets = sets_for(self.world.knowledge, box)
        return Diagnostic(
            "K06",
            f"{_said(sets)} can end in a tie about `{name}`",
            first.span,
            "one of those that tie",
            tuple(Label(rule.span, "another") for rule in others),
            self._shown(tie.where, sets),
            ("put them in order, as for K01",),
        )

    def _search(self, where: int, sets: Sets) -> Diagnostic:
        clauses = [live.clause for live in self.world.watch.clauses if live.where & where]
        named = {name for name, _ in sets}
        near = [c for c in clauses if named & {name for name, _ in c.literals}] or clauses
        near.sort(key=lambda clause: self.world.knowledge.is_given(clause.span))
        return Diagnostic(
            "K08",
            f"narrowing does not see what follows from {_said(sets)}",
            near[0].span,
            "has a part in it",
            tuple(Label(span, "and this") for span in dict.fromkeys(c.span for c in near[1:]))[:3],
            self._shown(where, sets),
            ("state as a constraint of its own what these amount to together",),
        )

    def _shown(self, where: int, sets: Sets) -> tuple[str, str]:
        stated = self.world.space.simplest(where).stated
        return extent(self.world.space, where), note(policy(self.world.knowledge, stated, sets))


def _asked(world: World, box: Box) -> int:
    """Where a policy can ask for that: the values are offered, or the setting is absent and may be."""
    problem = world.problem
    where = world.space.everywhere & ~world.unsatisfiable
    for name, values in box:
        absent = ~problem.present.get(name, 0) if values & UNSTATED else 0
        where &= within(problem.domains.get(name, {}), values) | absent
    return where


def _said(sets: Sets) -> str:
    return " and ".join(f"`set {setting} {value}`" for setting, value in sets) or "a policy that sets nothing"


def _is_policy(box: Box) -> bool:
    """Whether `set`s say just this: of each setting one value. Else it is what a rule reads, which may be one of several."""
    return all(not values & UNSTATED and not several(values) for _, values in box)
