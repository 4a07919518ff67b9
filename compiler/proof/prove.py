"""All checks of a knowledge base."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from time import perf_counter

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.knowledge.model import Box, Effect, Knowledge
from setpoint.compiler.knowledge.results import Proof, ProofStatistics
from setpoint.compiler.proof.analysis import Analyses, Component, Reached, values_reached
from setpoint.compiler.proof.bounds import (
    NothingProvenError,
    UnprovenError,
    too_hard,
    unproven,
)
from setpoint.compiler.proof.checks.assumptions import conflicting_assumptions, unused_assumptions
from setpoint.compiler.proof.checks.consequences import rules_after_defaults
from setpoint.compiler.proof.checks.contradicted import contradicted_rules
from setpoint.compiler.proof.checks.contradictions import contradictory_constraints
from setpoint.compiler.proof.checks.effects import ambiguous_effects, idle_effects
from setpoint.compiler.proof.checks.evidence import (
    idle_strengths,
    repeated_places,
    uncited_sources,
    unknown_places,
    unmeasured_rules,
)
from setpoint.compiler.proof.checks.facts import isolated_values, redundant_implications, unfitted_values
from setpoint.compiler.proof.checks.families import contradictory_families
from setpoint.compiler.proof.checks.goals import rules_without_goal
from setpoint.compiler.proof.checks.hardware import uncovered_hardware
from setpoint.compiler.proof.checks.hazards import ReachedValues, dead_hazards, uncaused_hazards
from setpoint.compiler.proof.checks.measurements import impossible_measurements
from setpoint.compiler.proof.checks.observations import doubtful_observations
from setpoint.compiler.proof.checks.policies import ambiguous_offers, survey
from setpoint.compiler.proof.checks.profiles import ambiguous_profiles
from setpoint.compiler.proof.checks.repeated import repeated_statements
from setpoint.compiler.proof.checks.scopes import (
    hazards_out_of_scope,
    idle_relations,
    idle_supersessions,
    idle_withdrawals,
    rules_out_of_scope,
    superseding_sources,
)
from setpoint.compiler.proof.checks.services import conflicting_services
from setpoint.compiler.proof.checks.spellings import doubtful_spellings
from setpoint.compiler.proof.checks.ties import outranked_by_strength, ties
from setpoint.compiler.proof.checks.undecided import undecided, unsatisfiable
from setpoint.compiler.proof.checks.unused import (
    dead_rules,
    idle_constraints,
    idle_values,
    impossible_values,
    overridden,
    unread_facts,
    unused_settings,
)
from setpoint.compiler.proof.checks.words import doubtful_words, idle_aliases
from setpoint.compiler.proof.extract import (
    Fingerprints,
    conditions_of,
    extract,
    settings_named,
)
from setpoint.compiler.proof.memory import Memory, PartResult
from setpoint.compiler.proof.regions import regions_by_ties
from setpoint.compiler.proof.situations import count_contexts
from setpoint.compiler.resolution.narrow import TooHardError


def prove(knowledge: Knowledge, memory: Memory | None = None) -> Proof:
    """Check a knowledge base. Never raises: all errors are findings. What the memory has is not proven again."""
    start = perf_counter()
    try:
        proof = Proving(knowledge, memory or Memory()).whole()
    except NothingProvenError as error:
        proof = Proof(Diagnostics.of([error.finding(knowledge)]), _initial_statistics(knowledge), ())
    return proof._replace(statistics=proof.statistics._replace(seconds=perf_counter() - start))


class Proving:
    """The proof of a knowledge base, in parts; those that the memory has are not proven again."""

    def __init__(self, knowledge: Knowledge, memory: Memory, analyses: Analyses | None = None) -> None:
        self.memory = memory
        self.fingerprints = Fingerprints(knowledge)
        self.analyses = analyses or Analyses(
            knowledge, lambda: memory.groups(knowledge, self.fingerprints.combinations)
        )

    def whole(self) -> Proof:
        """The result for the whole knowledge base."""
        analyses = self.analyses
        knowledge = analyses.knowledge
        results = self.parts()
        findings: list[Diagnostic] = [
            *of_statements(knowledge),
            *(finding for part in results for finding in part.findings),
            *idle_supersessions(knowledge, {name for part in results for name in part.superseding}),
        ]
        statistics = _initial_statistics(knowledge)._replace(
            contexts=sum(part.contexts for part in results),
            situations=sum(part.situations for part in results),
            parts=len(analyses.components),
            plans=sum(part.plans for part in results),
            conflicts=sum(part.conflicts for part in results),
        )
        overridden = tuple(sorted(name for part in results for name in part.overridden))
        return Proof(_deduplicated(findings), statistics, overridden)

    def parts(self) -> list[PartResult]:
        """The results of the parts."""
        knowledge = self.analyses.knowledge
        components = self.analyses.components  # first: it may be too much for all
        facts = self._part(("facts",), extract(knowledge), check_facts, lambda prints: prints.facts)
        extracts = [extract(knowledge, component.settings) for component in components]
        of_components = [self._component(*pair) for pair in zip(components, extracts, strict=True)]
        return [
            facts,
            *of_components,
            *self._hazards(ReachedValues(_placed(extracts, of_components))),
            *(self._effect(effect) for effect in knowledge.effects.values()),
        ]

    def _part(
        self,
        question: tuple[str, ...],
        read: Knowledge,
        check: Callable[[Analyses], PartResult],
        further: Callable[[Fingerprints], str] = lambda prints: "",
    ) -> PartResult:
        """The result of a part, which reads only this extract, and what `further` has the fingerprint of."""

        def key(prints: Fingerprints) -> str:
            return prints.of((*question, further(prints)), read)

        own = key(self.fingerprints)
        result = self.memory.recall(own)
        if result is None:
            result = self._without_site(key, read) or _checked(check, self.analyses.within(read))
            self.memory.learn(own, result)
        return result

    def _without_site(self, key: Callable[[Fingerprints], str], read: Knowledge) -> PartResult | None:
        """The result that the memory has of a part if no statement is a site's.

        The checks spare a library what a site cannot correct, and depend on nothing else of whose a statement is. So
        where nothing is found in the library by itself, nothing is found in it beside a site.
        """
        return self.memory.recall(key(self._unowned)) if read.site else None

    @cached_property
    def _unowned(self) -> Fingerprints:
        return self.fingerprints.without_site()

    def _component(self, component: Component, read: Knowledge) -> PartResult:
        return self._part(
            ("component", *component.own),
            read,
            lambda analyses: check_component(analyses, component),
        )

    def _hazards(self, reached: ReachedValues) -> Iterator[PartResult]:
        """The results of the hazards: those about the same settings and facts together, else their conditions multiply.

        A site's are apart from the library's, which then need not be proven again.
        """
        knowledge = self.analyses.knowledge
        about: dict[tuple[frozenset[str], tuple[str, ...], bool], list[str]] = {}
        for name, hazard in knowledge.hazards.items():
            settings = self.analyses.closure(settings_named(knowledge, conditions_of(hazard)))
            facts = tuple(name for name, _ in hazard.when if name in knowledge.kinds)
            key = settings, facts, knowledge.is_from_library(hazard.span)
            about.setdefault(key, []).append(name)
        for (settings, _, _), names in about.items():
            yield self._part(
                ("hazards",),
                extract(knowledge, settings, names),
                lambda analyses: check_hazards(analyses, reached),
            )

    def _effect(self, effect: Effect) -> PartResult:
        knowledge = self.analyses.knowledge
        settings = self.analyses.closure(settings_named(knowledge, (box for _, box in effect.cases)))
        return self._part(("effect",), extract(knowledge, settings, (), [effect.name]), check_effects)


def _placed(extracts: Iterable[Knowledge], results: Iterable[PartResult]) -> Iterator[tuple[Box, Reached]]:
    """What the settings of components get, with the condition of each region in this knowledge base."""
    for read, result in zip(extracts, results, strict=True):
        conditions = regions_by_ties(read) if result.reached else {}
        for reached in result.reached:
            yield conditions[reached.ties], reached


def of_statements(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The findings of the checks that read the statements, and at most plan single policies: they need no analysis."""
    yield from unused_settings(knowledge)
    yield from unread_facts(knowledge)
    yield from redundant_implications(knowledge)
    yield from isolated_values(knowledge)
    yield from unfitted_values(knowledge)
    yield from unmeasured_rules(knowledge)
    yield from idle_strengths(knowledge)
    yield from unknown_places(knowledge)
    yield from repeated_places(knowledge)
    yield from impossible_measurements(knowledge)
    yield from uncited_sources(knowledge)
    yield from rules_without_goal(knowledge)
    yield from uncovered_hardware(knowledge)
    yield from doubtful_spellings(knowledge)
    yield from doubtful_observations(knowledge)
    yield from conflicting_services(knowledge)
    yield from doubtful_words(knowledge)
    yield from idle_aliases(knowledge)
    yield from idle_relations(knowledge)
    yield from repeated_statements(knowledge)
    yield from contradicted_rules(knowledge)
    yield from contradictory_families(knowledge)


def check_facts(analyses: Analyses) -> PartResult:
    """The checks of the facts."""
    knowledge, groups = analyses.knowledge, analyses.groups
    findings = (
        *impossible_values(knowledge, groups),
        *unused_assumptions(knowledge, groups),
        *conflicting_assumptions(knowledge, groups),
    )
    return PartResult(findings, contexts=count_contexts((knowledge,), groups))


def check_hazards(analyses: Analyses, reached: ReachedValues | None = None) -> PartResult:
    """The checks of all hazards of an extract; `reached` is what is known of what their settings get."""
    known = reached or ReachedValues(())
    findings = (*hazards_out_of_scope(analyses), *dead_hazards(analyses), *uncaused_hazards(analyses, known))
    return PartResult(findings)


def check_effects(analyses: Analyses) -> PartResult:
    """The checks of all effects of an extract."""
    return PartResult((*ambiguous_effects(analyses), *idle_effects(analyses)))


def check_component(analyses: Analyses, component: Component) -> PartResult:
    """The checks of one component."""
    analysis = analyses.of(component)
    tied = {setting: list(ties(analysis, setting)) for setting in component.own}
    surveyed = survey(analysis, component, frozenset(setting for setting in component.own if tied[setting]))
    findings = [*surveyed.findings]
    for setting in component.own:
        findings.extend(tied[setting])
        findings.extend(outranked_by_strength(analysis, setting, surveyed.cited))
        findings.extend(undecided(analysis, setting))
        findings.extend(rules_after_defaults(analysis, setting))
        findings.extend(ambiguous_offers(analysis, setting))
        findings.extend(ambiguous_profiles(analysis, setting))
    findings.extend(unsatisfiable(analysis))
    findings.extend(dead_rules(analysis, component, surveyed.cited))
    findings.extend(idle_constraints(analysis, component))
    findings.extend(idle_values(analysis, component, surveyed.possible))
    findings.extend(contradictory_constraints(analysis, component))
    findings.extend(rules_out_of_scope(analysis, component))
    findings.extend(idle_withdrawals(analysis, component))
    return PartResult(
        tuple(findings),
        tuple(overridden(analyses.knowledge, component, surveyed.cited)),
        situations=len(analysis.space.situations),
        plans=surveyed.plans,
        conflicts=surveyed.conflicts,
        superseding=tuple(superseding_sources(analysis, component)),
        reached=tuple(values_reached(analysis, component.own, analyses.regions)),
    )


def _checked(check: Callable[[Analyses], PartResult], analyses: Analyses) -> PartResult:
    """The result of the checks of a part; a single finding if it is too large."""
    knowledge = analyses.knowledge
    try:
        return check(analyses)
    except UnprovenError as error:
        return _unproven(knowledge, unproven(knowledge, error))
    except TooHardError as error:
        return _unproven(knowledge, unproven(knowledge, too_hard(frozenset(knowledge.settings), error)))


def _unproven(knowledge: Knowledge, finding: Diagnostic) -> PartResult:
    """The result of a part that is too large, where any source may supersede another."""
    return PartResult((finding,), superseding=tuple(knowledge.sources))


def _deduplicated(findings: Sequence[Diagnostic]) -> Diagnostics:
    """The findings in the order of the text; each component that was not proven is reported once."""
    first: dict[str, Diagnostic] = {}
    for finding in findings:
        if finding.code == "K20":
            first.setdefault(finding.message, finding)
    return Diagnostics.of(f for f in findings if f.code != "K20" or first[f.message] is f)


def _initial_statistics(knowledge: Knowledge) -> ProofStatistics:
    """The statistics before any analysis."""
    return ProofStatistics(
        contexts=0,
        situations=0,
        parts=0,
        settings=len(knowledge.settings),
        rules=len(knowledge.rules),
        constraints=len(knowledge.constraints),
        presets=len(knowledge.presets),
        hazards=len(knowledge.hazards),
        plans=0,
        conflicts=0,
        seconds=0.0,
    )
