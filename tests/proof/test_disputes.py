"""`kb disputes`: which sources disagree, in which contexts, and what plans have there."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

from hypothesis import assume, given, settings

from proof.both_forms import context
from proof.random_knowledge import FACTS, SETTINGS, built, seeds, statements
from proof.small import BASE, constraint, knowledge, rule
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.model import IN_SCOPE, Knowledge
from setpoint.compiler.knowledge.results import Dispute, DisputeOutcome
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from setpoint.compiler.proof.disputes import disputes
from setpoint.compiler.render.disputes import disputes_text
from setpoint.compiler.render.explanation import explanation
from setpoint.compiler.resolution.cascade import Choice
from setpoint.compiler.resolution.decided import solve
from setpoint.compiler.resolution.ground import Proposal
from support.effort import examples

MORE = BASE + 'source notes { title "Notes"; publisher "N"; }\n'


def found(*statements: str, base: str = MORE) -> tuple[Dispute, ...]:
    """The disputes of the small knowledge base, with a second source, and these statements."""
    return disputes(knowledge(*statements, base=base)).disputes


def only(*statements: str, base: str = MORE) -> DisputeOutcome:
    """The one outcome of the one dispute."""
    (dispute,) = found(*statements, base=base)
    (outcome,) = dispute.outcomes
    assert outcome.contexts == dispute.contexts
    return outcome


def why(outcome: DisputeOutcome) -> list[tuple[int, str, str]]:
    """Why sides of a dispute lose: the number of each, the reason, and what beats it."""
    return [(loss.side, loss.reason, loss.by) for loss in outcome.losses]


OFF = rule("steady", "boost off", "goal fast", source="notes")


def test_two_sources_disagree_where_both_apply() -> None:
    (dispute,) = found(OFF, rule("quick", "boost on", "model m1", "strength measured;"))
    notes, paper = dispute.sides
    assert dispute.setting == "boost"
    assert (notes.name, notes.value, notes.source, notes.strengths) == ("steady", "off", "notes", ("vendor",))
    assert (paper.name, paper.value, paper.source, paper.strengths) == ("quick", "on", "paper", ("measured",))
    assert dispute.contexts == 3  # goal fast, model m1, any rack or none
    (outcome,) = dispute.outcomes
    assert (outcome.value, outcome.by, why(outcome)) == ("on", ("quick",), [(0, "weaker-evidence", "quick")])
    assert outcome.policy == "goal fast; model m1"


def test_what_is_no_dispute() -> None:
    assert found(OFF, rule("agrees", "boost off", "model m1")) == ()
    assert found(OFF, rule("apart", "boost on", "goal cool")) == ()
    assert found(OFF, rule("own", "boost on", "goal fast, model m1", source="notes")) == ()
    scoped = 'source scoped { title "S"; publisher "S"; scope model m2; }'
    assert found(OFF, scoped, rule("farther", "boost on", "model m1", source="scoped")) == ()


def test_a_source_does_not_recommend_what_it_makes_an_exception_to() -> None:
    broad = rule("broad", "boost on", "goal fast", "strength measured;")
    narrow = rule("narrow", "boost off", "goal fast, model m1", "exception to broad;")
    (dispute,) = found(OFF, broad, narrow)
    assert dispute.contexts == 6  # with model m2, or none


def test_which_rule_of_precedence_decides() -> None:
    on = rule("quick", "boost on", "model m1, goal fast")
    assert why(only(OFF, on)) == [(0, "broader", "quick")]
    excepted = rule("quick", "boost on", "model m1", "exception to steady;")
    assert why(only(OFF, excepted)) == [(0, "exception", "quick")]
    edition = MORE + 'source second { title "Second"; publisher "P"; supersedes notes; }\n'
    later = rule("quick", "boost on", "model m1", source="second")
    assert why(only(OFF, later, base=edition)) == [(0, "superseded", "quick")]


def test_no_source_takes_precedence() -> None:
    """A tie is an error of the knowledge base (K01), and a dispute as well."""
    outcome = only(OFF, rule("quick", "boost on", "model m1"))
    assert (outcome.value, outcome.by, why(outcome), outcome.contexts) == ("", (), [], 3)
    (one,) = planned(
        program_of_text(outcome.policy), knowledge(OFF, rule("quick", "boost on", "model m1"), base=MORE)
    )
    assert [d.code for d in one.findings] == ["E0303"]


def test_a_third_source_decides_in_some_contexts() -> None:
    low, high = (
        rule("low", "fans low", "goal fast", source="notes"),
        rule("high", "fans high", "model m1, goal fast"),
    )
    mid = (
        'source lab { title "Lab"; publisher "L"; }',
        rule("mid", "fans mid", "rack back", "strength measured;", "lab"),
    )
    by_sides = {(each.sides[0].name, each.sides[1].name): each for each in found(low, high, *mid)}
    assert set(by_sides) == {("low", "high"), ("mid", "low"), ("mid", "high")}
    rest, back = by_sides["low", "high"].outcomes
    assert (rest.value, rest.contexts, why(rest)) == ("high", 2, [(0, "broader", "high")])
    assert (back.value, back.by, back.contexts) == ("mid", ("mid",), 1)
    assert why(back) == [(0, "weaker-evidence", "mid"), (1, "weaker-evidence", "mid")]
    assert back.policy == "goal fast; model m1; rack back"
    assert disputes_text(disputes(knowledge(low, high, *mid, base=MORE)), (), 110).endswith(
        """\
fans, in 3 of 18 contexts
  low   vendor  notes, Table 1
  high  vendor  paper, Table 1
  plans have high in 2 of them; low loses: broader condition
    setpoint explain -e 'goal fast; model m1' fans
  plans have mid in 1 of them, decided by mid; low loses: weaker evidence (mid); high loses: weaker evidence
    (mid)
    setpoint explain -e 'goal fast; model m1; rack back' fans

3 disputes about 1 setting
"""
    )


def test_a_value_that_is_impossible_loses_whatever_its_evidence() -> None:
    on = rule("quick", "boost on", "model m1", "strength measured;")
    outcome = only(OFF, on, constraint("no", "model m1, boost on", "forbid"))
    assert (outcome.value, why(outcome)) == ("off", [(1, "blocked", "")])


PROFILES = 'preset "Menu" of paper { fans low mid high; boost off on free; }'


def test_a_recommended_profile_disagrees_about_its_members() -> None:
    """Advice on the setting itself takes precedence, and the profile is then another one."""
    whole = rule("whole", "fans mid", "model m1")
    (dispute,) = found(PROFILES, OFF, whole)
    (outcome,) = dispute.outcomes
    assert [(side.value, side.profile) for side in dispute.sides] == [("off", ""), ("on", "fans mid")]
    assert (outcome.value, why(outcome)) == ("off", [(1, "brought-by-profile", "steady")])


def test_the_cells_of_a_row_are_one_side() -> None:
    table = 'table "Table 2" of notes { goal fast cool; boost off off because "quiet"; }'
    (dispute,) = found(table, rule("quick", "boost on", "model m1, rack back", "strength measured;"))
    assert dispute.sides[0].name == "notes.table-2.boost"
    assert [name.rpartition(".")[2] for name in dispute.sides[0].rules] == ["cool", "fast"]
    assert dispute.contexts == 2


def test_a_rule_that_reads_a_setting_disagrees_if_a_policy_sets_it() -> None:
    """The default of `boost` is on, so that the rule applies only if a policy sets it; with the fewest `set`s."""
    quiet = rule("quiet", "mode b", "goal fast, boost off, fans low or mid")
    outcome = only(quiet, rule("plain", "mode c", "goal fast", source="notes"))
    assert (outcome.value, outcome.sets, outcome.contexts) == ("b", (("boost", "off"),), 9)
    assert outcome.policy == 'goal fast; set boost off because "check"'


def test_a_site_disagrees_with_the_library() -> None:
    texts = {"stdlib": "\n".join([MORE, OFF]), "site": rule("ours", "boost on", "model m1")}
    both = build(
        LayeredFile(parse(SourceText(f"{layer}.tune", text)), layer) for layer, text in texts.items()
    )
    (dispute,) = disputes(both).disputes
    assert why(dispute.outcomes[0]) == [(0, "site", "ours")]
    shown = disputes_text(disputes(both), both.site, 110)
    assert shown.endswith('begin the policies with `include "site.tune";` to have the rules of this site\n')


def test_explain_shows_the_dispute_with_the_example() -> None:
    base = knowledge(OFF, rule("quick", "boost on", "model m1", "strength measured;"), base=MORE)
    (dispute,) = disputes(base).disputes
    (one,) = planned(program_of_text(dispute.outcomes[0].policy), base)
    assert one.context is not None
    assert one.plan is not None
    shown = explanation(base, one.context, one.plan, "boost", 110)
    assert "Sources that cover this server disagree: paper recommends on; notes recommends off.\n" in shown
    assert "disagree" not in explanation(base, one.context, one.plan, "fans", 110)


# ------------------------------------------------------------------------- against plans, one by one

Fate = tuple[str, str, str, str]
"""A setting, the two rules that disagree about it, and what the plan has."""


def disagreeing(base: Knowledge, choice: Choice) -> set[Fate]:
    """The recommendations that disagree in one plan, by the definition: two sources, each in scope, and other
    values."""
    voices = [*choice.winners, *(lost.proposal for lost in choice.losers)]

    def recommends(one: Proposal) -> bool:
        own = one.rule.citation.source
        return (
            one.steps == IN_SCOPE
            and not one.withdrawn
            and not any(other.rule.citation.source == own and other.withdraws(one) for other in voices)
        )

    value = base.variables[choice.setting].name_of(choice.bit)
    some = [one for one in voices if recommends(one)]
    return {
        (choice.setting, min(a.rule.name, b.rule.name), max(a.rule.name, b.rule.name), value)
        for a in some
        for b in some
        if a.value != b.value and a.rule.citation.source != b.rule.citation.source
    }


def contexts(base: Knowledge) -> Iterator[dict[str, str]]:
    """The facts of each context, as one of the policies that lead to it states them."""
    known: set[frozenset[tuple[str, str]]] = set()
    for values in product(*(("", *FACTS[name]) if name != "goal" else FACTS[name] for name in FACTS)):
        facts = {name: value for name, value in zip(FACTS, values, strict=True) if value}
        one = context(base, facts, {})
        if one is not None:
            completed = frozenset((name, fact.value) for name, fact in one.facts.items())
            if completed not in known:
                known.add(completed)
                yield facts


def fates_of(base: Knowledge, facts: dict[str, str], sets: dict[str, str]) -> tuple[str, set[Fate]]:
    """The code of the error if a policy has no plan; all disagreements in the plan."""
    one = context(base, facts, sets)
    assert one is not None
    try:
        choices = solve(base, one).choices.values()
    except SetpointError as error:
        return error.diagnostics[0].code, set()
    return "", {fate for choice in choices for fate in disagreeing(base, choice)}


@given(seeds)
@settings(max_examples=examples(60), deadline=None)
def test_the_disputes_are_those_of_the_plans(seed: int) -> None:
    """Every context is planned by itself, and its plan searched for disagreements. The counts of contexts agree.

    Settings are examined separately. So where another setting leaves a policy without a plan, there may be more
    disputes than plans show, but never fewer.
    """
    base = built(statements(seed))
    assume(base is not None)
    assert base is not None
    seen: Counter[Fate] = Counter()
    every_policy_has_a_plan = True
    for facts in contexts(base):
        error, fates = fates_of(base, facts, {})
        every_policy_has_a_plan &= not error
        seen.update(fates)
    counted: Counter[Fate] = Counter()
    for dispute in disputes(base).disputes:
        assert sum(outcome.contexts for outcome in dispute.outcomes) == dispute.contexts
        for outcome in dispute.outcomes:
            if not outcome.sets and outcome.value:
                (a,), (b,) = (side.rules for side in dispute.sides)
                counted[dispute.setting, min(a, b), max(a, b), outcome.value] += outcome.contexts
    assert seen <= counted
    if every_policy_has_a_plan:
        assert counted == seen


@given(seeds)
@settings(max_examples=examples(30), deadline=None)
def test_sets_are_found_wherever_some_make_both_apply(seed: int) -> None:
    """Of one dispute: its contexts are those in which any values of the settings that the rules read make both
    apply."""
    base = built(statements(seed))
    assume(base is not None)
    assert base is not None
    found = disputes(base).disputes
    dispute = next((each for each in found if any(outcome.sets for outcome in each.outcomes)), None)
    assume(dispute is not None)
    assert dispute is not None
    names = [rule for side in dispute.sides for rule in side.rules]
    reads = sorted(
        {name for rule in base.rules if rule.name in names for name, _ in rule.when} & SETTINGS.keys()
    )
    nothing_else_fails = all(outcome.value for outcome in dispute.outcomes)
    number = 0
    for facts in contexts(base):
        here = False
        for values in product(*(("", *SETTINGS[name][1]) for name in reads)):
            sets = {name: value for name, value in zip(reads, values, strict=True) if value}
            error, fates = fates_of(base, facts, sets)
            nothing_else_fails &= error != "E0303" and (not error or bool(sets))
            here |= any(fate[:3] == (dispute.setting, min(names), max(names)) for fate in fates)
        number += here
    assert number <= dispute.contexts
    if nothing_else_fails:
        assert number == dispute.contexts
