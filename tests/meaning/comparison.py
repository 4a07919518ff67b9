"""Policies decided twice; where the two differ, the smallest policy that still shows it.

A seed stands for one context of the standard library, or for one knowledge base at random. The same seeds give the same
policies on any machine.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from meaning import compiled, random_knowledge
from meaning.advice import STRENGTHS
from meaning.facts import UndecidedError
from meaning.knowledge import Knowledge
from meaning.plan import Decision, Meaning, Policy, Result, refused
from meaning.policies import facts, policies, text
from meaning.random_knowledge import Statements
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.load import standard, trees
from setpoint.compiler.knowledge.model import Knowledge as Compiled
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.syntax import File

SERVERS = ("cpu", "platform")
CONTEXTS_PER_BASE = 6

REFUSALS = frozenset({"K07", "K12", "E0101", "E0202"})
"""Why a knowledge base at random is refused: its rules take each other back in a circle, its presets disagree."""


class Both(NamedTuple):
    """One knowledge base, read twice."""

    meaning: Meaning
    compiler: Compiled

    def drawn(self, random: Random, servers: tuple[str, ...] = ()) -> list[Policy]:
        """Policies at random that state the same facts; none where the manual leaves open what these mean."""
        stated = facts(self.meaning.knowledge, random, servers)
        try:
            situation = self.meaning.situation(stated)
        except UndecidedError:
            return []
        offered = {} if isinstance(situation, str) else situation.domains
        return policies(self.meaning.knowledge, random, stated, offered)

    def decide(self, same_facts: list[Policy]) -> Iterator[tuple[Policy, Result, Result]]:
        """What the manual and what the compiler make of policies that state the same facts."""
        stated = same_facts[0].facts
        situation = self.meaning.situation(stated)
        prepared = compiled.prepare(self.compiler, stated)
        for policy in same_facts:
            ours = (
                refused(situation) if isinstance(situation, str) else self.meaning.decide(situation, policy)
            )
            theirs = (
                refused(prepared)
                if isinstance(prepared, str)
                else compiled.decide(self.compiler, prepared, policy)
            )
            yield policy, ours, theirs

    def differences(self, policy: Policy) -> tuple[str, ...]:
        """What the two say differently of a policy, a line each; nothing if they agree."""
        try:
            ((_, ours, theirs),) = self.decide([policy])
        except UndecidedError:
            return ()
        return tuple(difference(ours, theirs))


class Tally(NamedTuple):
    """The result of a comparison: how policies end by the manual, and the disagreements in words."""

    outcomes: Mapping[str, int] = MappingProxyType({})
    disagreements: tuple[str, ...] = ()

    def plus(self, other: "Tally") -> "Tally":
        """Both together."""
        names = {**self.outcomes, **other.outcomes}
        outcomes = {name: self.outcomes.get(name, 0) + other.outcomes.get(name, 0) for name in names}
        return Tally(outcomes, (*self.disagreements, *other.disagreements))

    @property
    def policies(self) -> int:
        """How many policies were compared."""
        return sum(self.outcomes.values())


# --------------------------------------------------------------------------------------- knowledge bases


@cache
def library() -> Both:
    """The standard library."""
    return Both(Meaning(Knowledge(trees())), standard())


def standard_library(seeds: Iterable[int]) -> Tally:
    """Compare policies on the standard library."""
    total = Tally()
    for seed in seeds:
        drawn = library().drawn(Random(seed), SERVERS)
        total = total.plus(compare(library(), drawn, f"seed {seed}"))
    return total


def random_knowledge_bases(seeds: Iterable[int]) -> Tally:
    """Compare policies on knowledge bases at random."""
    total = Tally()
    for seed in seeds:
        both = knowledge_of(seed)
        if both is None:
            continue
        random = Random(seed)
        for _ in range(CONTEXTS_PER_BASE):
            drawn = both.drawn(random)
            total = total.plus(compare(both, drawn, f"knowledge base {seed}"))
    return total


def knowledge_of(seed: int) -> Both | None:
    """The knowledge base of a seed, read twice; None if the compiler accepts nothing of it."""
    taken = random_knowledge.accepted(random_knowledge.statements(seed), lambda s: built(s) is not None)
    if taken is None:
        return None
    compiler = built(taken)
    assert compiler is not None
    of_library, of_site = parsed(taken)
    return Both(Meaning(Knowledge([of_library], [of_site])), compiler)


def built(drawn: Statements) -> Compiled | None:
    """What the compiler makes of statements; None if it refuses them."""
    try:
        of_library, of_site = parsed(drawn)
        return build([LayeredFile(of_library, "stdlib"), LayeredFile(of_site, "site")])
    except SetpointError as error:
        assert {d.code for d in error.diagnostics} <= REFUSALS, error
        return None


def parsed(drawn: Statements) -> tuple[File, File]:
    """The trees of a library and of a site."""
    return (
        File("library.tune", tuple(statement for text in drawn.library for statement in _tree(text).body)),
        File("site.tune", tuple(statement for text in drawn.site for statement in _tree(text).body)),
    )


@lru_cache(maxsize=1000)
def _tree(text: str) -> File:
    return parse(SourceText("random.tune", text))


# -------------------------------------------------------------------------------------------- comparing


def compare(both: Both, drawn: list[Policy], where: str) -> Tally:
    """Decide each policy twice. The first disagreement among policies with the same facts is reduced and reported."""
    outcomes: dict[str, int] = {}
    found: list[str] = []
    for policy, ours, theirs in both.decide(drawn) if drawn else ():
        outcome = ", ".join(sorted(ours.errors)) or "a plan"
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
        lines = tuple(difference(ours, theirs))
        if lines:
            found.append(described(both, policy, lines, where) if not found else text(policy))
    return Tally(outcomes, tuple(found))


def described(both: Both, policy: Policy, lines: tuple[str, ...], where: str) -> str:
    """A disagreement with the data to investigate it."""
    subject = lines[0].split(":")[0]

    def still(smaller: Policy) -> bool:
        return any(line.split(":")[0] == subject for line in both.differences(smaller))

    small = minimal(policy, still)
    return "\n    ".join((f"{where}: {text(small)}", *both.differences(small)))


def difference(ours: Result, theirs: Result) -> Iterator[str]:
    """Where two results differ, in words."""
    settings = {
        name: aligned(ours.settings[name], decision) if name in ours.settings else decision
        for name, decision in theirs.settings.items()
    }
    unseen = any(
        d.only and theirs.settings[n].origin == "default" for n, d in ours.settings.items() if n in settings
    )
    if unseen:  # only search shows that one value is left, and that decides whether the profile is written
        settings = {
            name: d._replace(unwritten=ours.settings[name].unwritten)
            if name in ours.settings
            and d.origin == ours.settings[name].origin
            and d.origin in ("default", "preset")
            else d
            for name, d in settings.items()
        }
    theirs = theirs._replace(settings=settings)
    if ours == theirs:
        return
    if ours.errors != theirs.errors:
        yield f"errors: manual {sorted(ours.errors)}, compiler {sorted(theirs.errors)}"
    for title, mine, its in (
        ("fact", ours.facts, theirs.facts),
        ("setting", ours.settings, theirs.settings),
        ("effect", ours.effects, theirs.effects),
        ("hazard", ours.hazards, theirs.hazards),
    ):
        for name in sorted(mine.keys() | its.keys()):
            if mine.get(name) != its.get(name):
                yield f"{title} {name}: manual {_shown(mine.get(name))}, compiler {_shown(its.get(name))}"


def aligned(ours: Decision, theirs: Decision) -> Decision:
    """The compiler's decision, changed to the manual's wherever the manual leaves a choice.

    Of several deciding rules it names one first, which must be among those that decide by the manual. Beside a default
    it may name `test-first` advice for the same value, which decides nothing. If only one value is possible, it may
    attribute it to a constraint, a profile, advice or the default; a default may be written or not, by what it is
    attributed to.
    """
    if theirs.decisive and theirs.decisive <= ours.decisive:
        theirs = theirs._replace(decisive=ours.decisive)
    if ours.origin == "default" and theirs.unwritten == ours.unwritten == "default":
        theirs = theirs._replace(origin="default")
    if ours.origin == theirs.origin == "default":
        theirs = theirs._replace(decisive=ours.decisive, rules=ours.rules)
    if ours.only and theirs.value == ours.value:
        elsewhere = theirs.origin != ours.origin and ours.unwritten == "default" and not theirs.unwritten
        if theirs.unwritten == "default" or elsewhere:
            theirs = theirs._replace(unwritten=ours.unwritten)
        theirs = theirs._replace(origin=ours.origin, decisive=ours.decisive, only=True)
    return theirs


def _shown(value: object) -> str:
    if isinstance(value, Decision):
        rules = sorted(f"{name}{'*' if name in value.decisive else ''}" for name in value.rules)
        return f"{value.value} ({', '.join([value.origin, value.unwritten or 'written', *rules])})"
    return str(value)


def minimal(policy: Policy, differs: Callable[[Policy], bool]) -> Policy:
    """The policy with as few statements as still make a difference."""
    while True:
        smaller = next((each for each in _smaller(policy) if differs(each)), None)
        if smaller is None:
            return policy
        policy = smaller


def _smaller(policy: Policy) -> Iterator[Policy]:
    if policy.manage:
        yield policy._replace(manage=False)
    if policy.required != STRENGTHS[0]:
        yield policy._replace(required=STRENGTHS[0])
    for name in sorted(policy.accepts):
        yield policy._replace(accepts=policy.accepts - {name})
    for name in policy.sets:
        yield policy._replace(sets={n: v for n, v in policy.sets.items() if n != name})
    for name in policy.facts:
        if name != "goal":
            yield policy._replace(facts={n: v for n, v in policy.facts.items() if n != name})
