"""What the proof finds about the rules of a site's own files, for an editor, which asks again after each change.

The whole proof takes seconds, since a rule can concern every setting that is decided after its own. Three questions
about the rules of a site need less:

* *Which of them tie (K01)?* That depends on the rules for the same setting, on those for profiles that it is a member
  of, and on what is offered and possible. So the other rules are left out, and the regions in which none of the site's
  rules can apply.
* *Which can never decide, whatever else there is (K04)?* Those that apply nowhere, or whose value is possible nowhere.
  The same extract shows them.
* *Which of the others does no policy cite (K04)?* For nearly every rule a policy that cites it is soon found: it is
  planned, and remembered. If none is found, the policies of `checks.policies` are tried, all of them, in the contexts
  in which the rule applies.

So the findings are those of `prove`, for the same rules; only the example of a finding may be another, because other
contexts are merged. An answer is kept as long as nothing has changed that it depends on: other rules where they cannot
apply together, and places in the text, change none. Everything but rules counts as changed with the whole. What is kept
is whether there is a finding. Findings are made where the statements are now.
"""

from collections.abc import Callable, Iterable, Iterator
from heapq import nsmallest
from operator import eq
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, SetpointError
from setpoint.compiler.knowledge.model import Box, Knowledge, Rule, meet
from setpoint.compiler.language.meaning import is_unmoved
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from setpoint.compiler.proof.analysis import Analyses, Analysis, Component, components
from setpoint.compiler.proof.bounds import NothingProvenError, TooManySituationsError
from setpoint.compiler.proof.checks.policies import is_cited
from setpoint.compiler.proof.checks.ties import ties
from setpoint.compiler.proof.checks.unused import dead_rule, retired_sources
from setpoint.compiler.proof.example import policy, sets_for
from setpoint.compiler.proof.extract import Fingerprints, extract
from setpoint.compiler.proof.memory import Memory
from setpoint.compiler.proof.regions import Region, can_hold, divided_spaces, regions_within
from setpoint.compiler.proof.sets.space import Space, facts_of, numbers
from setpoint.compiler.proof.situations import count_contexts
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.narrow import TooHardError

MOST_TRIED = 4
"""How many situations are tried for a policy that cites a rule, before all policies are."""


RESTED_ON = ("kinds", "values", "assumptions", "sources", "settings", "offers", "presets", "constraints")
"""The fields of a knowledge base with what the conditions and values of rules rest on."""


class Slice(NamedTuple):
    """The rules that matter for the ties of a setting, analysed, and the ties; None for too many situations."""

    rules: tuple[Rule, ...]
    analysis: Analysis | None
    ties: tuple[Diagnostic, ...]


class Verdict(NamedTuple):
    """Whether a rule is dead; if not, the facts of a policy that cites it, each as a set of one value."""

    is_dead: bool
    facts: dict[str, int]


class SiteRules:
    """The answers about the rules of a site's files, in the last version of these."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._frame: dict[str, Any] = {}
        self._regions: tuple[Region, ...] = ()
        self._contexts = 0
        self._rules: dict[str, Rule] = {}
        self._slices: dict[str, Slice] = {}
        self._verdicts: dict[str, Verdict] = {}

    def findings(
        self, stated: Knowledge, rest: Callable[[], object] = lambda: None
    ) -> Iterator[tuple[Diagnostic, ...]]:
        """What is found: first the ties and what can never decide, at last everything.

        `rest` is called now and then; it may raise to give up, and what was answered until then is kept.
        """
        try:
            self._begin(stated)
            component_of = {name: component for component in components(stated) for name in component.own}
        except NothingProvenError:
            return
        own = [rule for rule in stated.rules if not stated.is_from_library(rule.span)]
        for setting in _advised(stated, own):
            rest()
            self._slice(stated, component_of[setting], setting)
        retired = retired_sources(stated)
        asked = [rule for rule in own if rule.citation.source not in retired]
        open_ = [rule for rule in asked if rule.name not in self._verdicts and not self._is_barred(rule)]
        yield self._found(stated, component_of, own)
        for rule in open_:
            rest()
            self._decide(stated, component_of[rule.setting], rule, rest)
        if open_:
            yield self._found(stated, component_of, own)

    def _begin(self, stated: Knowledge) -> None:
        """Forget what may have changed. Raises NothingProvenError."""
        frame = {field: getattr(stated, field) for field in (*RESTED_ON, "variables", "site")}
        rules = {rule.name: rule for rule in stated.rules}
        if frame != self._frame:
            analyses = Analyses(
                stated, lambda: self._memory.groups(stated, Fingerprints(stated).combinations)
            )
            self._regions = analyses.regions
            self._contexts = count_contexts((stated,), analyses.groups)
            self._slices, self._verdicts = {}, {}
            self._frame = frame
        before = self._rules
        changed = [rule for name, rule in before.items() if rules.get(name) != rule]
        changed += [rule for name, rule in rules.items() if before.get(name) != rule]
        names = {rule.name for rule in changed}
        self._verdicts = {
            name: verdict
            for name, verdict in self._verdicts.items()
            if name not in names and not any(_concerns(rule, verdict, before[name]) for rule in changed)
        }
        self._rules = rules

    def _slice(self, stated: Knowledge, component: Component, setting: str) -> None:
        """Analyse what the ties of a setting depend on, unless it is what it was; if there are ties, unless it also is
        where it was."""
        rules, before = _rules_for(stated, setting), self._slices.get(setting)
        if before is not None and (is_unmoved if before.ties else eq)(before.rules, rules):
            return
        own = [rule for rule in rules if not stated.is_from_library(rule.span)]
        read = extract(stated._replace(rules=rules), component.settings)
        try:
            if before is not None and before.analysis is not None and _asks(before.rules) == _asks(rules):
                space = before.analysis.space
            else:
                boxes = [applicability.when for rule in own for applicability in rule.applicabilities]
                regions = [r for r in self._regions if any(can_hold(box, r.conditions[0]) for box in boxes)]
                space = self._space(read, component, setting, regions)
        except TooManySituationsError:
            self._slices[setting] = Slice(rules, None, ())
            return
        analysis = Analysis(read, space, component.settings, stated)
        here = {rule.span for rule in own}
        findings = (
            finding
            for finding in ties(analysis, setting)
            if here & {finding.at, *(label.span for label in finding.others)}
        )
        self._slices[setting] = Slice(rules, analysis, tuple(findings))

    def _space(self, read: Knowledge, component: Component, setting: str, regions: Iterable[Region]) -> Space:
        """The situations of some regions that are about a setting. Raises TooManySituationsError."""
        (space,) = divided_spaces(
            (read,), tuple(regions), (component.settings,), ((),), frozenset((setting,))
        )
        return space._replace(total=self._contexts)

    def _is_barred(self, rule: Rule) -> bool:
        """Whether what a rule says is possible nowhere, neither by itself nor by the profile that it names."""
        analysis = self._slices[rule.setting].analysis
        if analysis is None or any(where for _, where in _possible(analysis, rule)):
            return False
        self._verdicts[rule.name] = Verdict(True, {})
        return True

    def _decide(
        self, stated: Knowledge, component: Component, rule: Rule, rest: Callable[[], object]
    ) -> None:
        """Find a policy that cites a rule, or that there is none."""
        analysis = self._slices[rule.setting].analysis
        if analysis is None:
            return
        for text in _candidates(analysis, rule):
            rest()
            facts = _facts_citing(stated, text, rule)
            if facts is not None:
                self._verdicts[rule.name] = Verdict(False, facts)
                return
        boxes = [facts_of(stated, applicability.when) for applicability in rule.applicabilities]
        regions = regions_within(stated, self._regions, boxes)
        try:
            read = extract(stated, component.settings)
            space = self._space(read, component, rule.setting, regions)
            focused = Analysis(read, space, component.settings, stated)
            is_dead = not is_cited(focused, component, rule.name, rest)
        except (TooManySituationsError, TooHardError):
            return
        self._verdicts[rule.name] = Verdict(is_dead, {})

    def _found(
        self, stated: Knowledge, component_of: dict[str, Component], own: Iterable[Rule]
    ) -> tuple[Diagnostic, ...]:
        findings = [finding for setting in _advised(stated, own) for finding in self._slices[setting].ties]
        for rule in own:
            analysis, verdict = self._slices[rule.setting].analysis, self._verdicts.get(rule.name)
            if analysis is not None and verdict is not None and verdict.is_dead:
                here = component_of[rule.setting].settings
                read = extract(stated._replace(rules=_rules_for(stated, rule.setting)), here)
                findings.append(dead_rule(Analysis(read, analysis.space, here, stated), rule))
        return tuple(Diagnostics.of(findings))


def _advised(knowledge: Knowledge, own: Iterable[Rule]) -> tuple[str, ...]:
    """The settings that rules are about, those of the profiles that they recommend among them."""
    settings = dict.fromkeys(rule.setting for rule in own)
    members = (name for preset in knowledge.presets if preset.governor in settings for name in preset.members)
    return tuple(settings | dict.fromkeys(members))


def _rules_for(knowledge: Knowledge, setting: str) -> tuple[Rule, ...]:
    """The rules for a setting, and for the profiles that it is a member of."""
    governors = {preset.governor for preset in knowledge.presets if setting in preset.members}
    return tuple(rule for rule in knowledge.rules if rule.setting in {setting, *governors})


def _concerns(changed: Rule, verdict: Verdict, rule: Rule) -> bool:
    """Whether a change of one rule may change the verdict on another, which needs a context in which the changed one
    applies."""
    if verdict.facts:
        return any(
            all(verdict.facts.get(name, mask) & mask for name, mask in applicability.when)
            for applicability in changed.applicabilities
        )
    return any(
        meet(applicability.when, other.when) is not None
        for applicability in changed.applicabilities
        for other in rule.applicabilities
    )


def _asks(rules: Iterable[Rule]) -> list[tuple[str, tuple[Box, ...]]]:
    """What rules ask of the situations: the same where only their values and strengths differ."""
    return [
        (rule.setting, tuple(applicability.when for applicability in rule.applicabilities)) for rule in rules
    ]


def _possible(analysis: Analysis, rule: Rule) -> Iterator[tuple[Box, int]]:
    """Where what a rule says is possible, by itself or by its profile, each with what it reads of other settings."""
    for name, proposals in analysis.problem.proposals.items():
        variable = analysis.knowledge.variables[name]
        for proposal, where in proposals:
            if proposal.rule.name == rule.name:
                yield proposal.reads, where & analysis.domains[name].get(variable.bit(proposal.value), 0)


def _candidates(analysis: Analysis, rule: Rule) -> Iterator[str]:
    """Policies that are likely to cite a rule: the shortest in which it applies."""
    knowledge, situations = analysis.knowledge, analysis.space.situations
    for reads, where in _possible(analysis, rule):
        shortest = nsmallest(
            MOST_TRIED, (situations[n] for n in numbers(where)), key=lambda s: (len(s.stated), s.stated)
        )
        for situation in shortest:
            yield policy(knowledge, situation.stated, sets_for(knowledge, reads))


def _facts_citing(knowledge: Knowledge, text: str, rule: Rule) -> dict[str, int] | None:
    """The facts of a policy that cites a rule, each as a set of one value; None if it does not."""
    try:
        (subject,) = planned(program_of_text(text), knowledge)
    except SetpointError:
        return None
    if subject.plan is None or subject.context is None:
        return None
    cited = (
        cause for decision in subject.plan.settings if decision.origin != "set" for cause in decision.because
    )
    is_citing = any(cause.name == rule.name for cause in cited)
    return subject.context.bits(knowledge) if is_citing else None
