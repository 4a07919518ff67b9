"""The findings of each check, on a small knowledge base, and the statements that it must not report."""

import pytest

from proof.small import BASE, FIRST, constraint, example, findings, hazard, knowledge, rule, with_site
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned


def only(code: str, *statements: str, base: str = BASE) -> Diagnostic:
    """The one finding, which has this code."""
    found = findings(*statements, base=base)
    assert [d.code for d in found] == [code], [(d.code, d.message) for d in found]
    return found[0]


def codes(policy: str, *statements: str, base: str = BASE) -> set[str]:
    """What the compiler finds in a policy."""
    (done,) = planned(program_of_text(policy), knowledge(*statements, base=base))
    return {d.code for d in done.findings}


def test_the_small_base_is_sound() -> None:
    assert findings() == []
    assert findings(rule("cool-fans", "fans high", "goal fast"), rule("quiet", "fans mid", "goal cool")) == []


# -------------------------------------------------------------------------------------- K01: ties


def test_two_rules_that_disagree_tie() -> None:
    rules = rule("by-model", "boost off", "model m1"), rule("by-rack", "boost on", "rack back")
    found = only("K01", *rules)
    assert found.message == "`by-model` and `by-rack` conflict on `boost`: neither takes precedence"
    assert [found.at.line, found.others[0].span.line] == [FIRST, FIRST + 1]
    assert example(found) == "goal fast; model m1; rack back"
    assert "E0303" in codes(example(found), *rules)


def test_rules_in_an_order_do_not_tie() -> None:
    by_model = rule("by-model", "boost off", "model m1")
    assert findings(by_model, rule("by-rack", "boost on", "model m1, rack back")) == []
    assert findings(by_model, rule("by-rack", "boost on", "rack back", "strength measured;")) == []
    assert findings(by_model, rule("by-rack", "boost on", "rack back", "exception to by-model;")) == []
    assert findings(by_model, rule("by-rack", "boost on", "model m2")) == []


BY_MODEL = 'assume rack back when model m1 because "the new hall";'
BY_GOAL = 'assume rack front when goal fast because "near the switch";'


def test_assumptions_that_disagree_where_both_apply_tie() -> None:
    found = only("K01", BY_MODEL, BY_GOAL)
    assert found.message == "two assumptions disagree about `rack`, and neither condition is narrower"
    assert {found.at.line, found.others[0].span.line} == {FIRST, FIRST + 1}
    assert example(found) == "goal fast; model m1"


def test_the_example_for_tied_assumptions_is_a_complete_policy() -> None:
    """It states the goal, as every policy must, although no assumption requires it."""
    room = 'fact room { title "Room"; values cold, warm; }'
    by_model = 'assume room cold when model m1 because "the new hall";'
    by_rack = 'assume room warm when rack back because "the old hall";'
    assert example(only("K01", room, by_model, by_rack)) == "goal fast; model m1; rack back"


def test_an_assumption_that_is_never_used_is_dead() -> None:
    """No model in that rack is the first; or a narrower assumption always takes precedence."""
    only_back = 'model m3 { title "Three"; implies rack front; }'
    never = 'assume rack back when model m3 because "the cage";'
    found = only("K04", only_back, never)
    assert (found.message, found.at.line) == ("`rack back` is never assumed", FIRST + 1)
    assert found.notes == ("condition: model m3", "model m3 means rack front")
    wide = 'assume rack front when model m1 or m2 because "most";'
    narrow = [f'assume rack back when model {model} because "all";' for model in ("m1", "m2")]
    assert only("K04", wide, *narrow).at.line == FIRST
    assert only("K04", wide, *narrow).notes == ("condition: model m1 or m2",)
    assert findings(wide, narrow[0]) == []
    proof = with_site([wide], ['assume rack back when model m1 or m2 because "ours";'])
    assert list(proof.findings) == []


def test_assumptions_in_an_order_do_not_tie() -> None:
    both = 'assume rack back when goal fast, model m1 because "the cage";'
    assert findings(BY_MODEL, BY_GOAL, both) == []
    assert findings(BY_MODEL, 'assume rack front because "most";') == []
    assert findings(BY_MODEL, 'assume rack front when model m2, goal fast because "the old hall";') == []
    assert findings(BY_MODEL, BY_GOAL.replace("front", "back")) == []


def test_a_tie_that_only_a_set_uncovers_is_found() -> None:
    """The strongest rule covers two that tie; if a policy makes its value impossible, they matter."""
    rules = (
        rule("strongest", "mode a", "goal fast", "strength measured;"),
        rule("by-model", "mode b", "goal fast, model m1"),
        rule("by-rack", "mode c", "goal fast, rack back"),
        constraint("no-a", "boost off", "require mode b or c"),
    )
    found = next(d for d in findings(*rules) if d.code == "K01")
    assert example(found).endswith('set boost off because "check"')
    assert "E0303" not in codes("goal fast; model m1; rack back", *rules)
    assert "E0303" in codes(example(found), *rules)


def test_a_third_rule_can_resolve_a_tie() -> None:
    """Wherever two would tie, a third one applies, and agrees with one of them."""
    rules = rule("by-model", "boost off", "model m1"), rule("by-rack", "boost on", "rack back")
    both = rule("both", "boost off", "model m1, rack back")
    assert findings(*rules, both) == []


# ----------------------------------------------------------------- K02, K03: nothing, or nothing left


def test_a_setting_without_rule_or_default_is_undecided() -> None:
    base = BASE.replace("mode a, b, c default a", "mode a, b, c")
    assert only("K02", base=base).message.startswith("`mode` has neither a rule nor a default")
    assert (
        findings(base=base.replace('mode a, b, c at "Menu"', 'mode a, b, c default unknown at "Menu"')) == []
    )
    rules = [rule("when-fast", "mode a", "goal fast"), rule("when-cool", "mode b", "goal cool")]
    assert findings(*rules, constraint("no-c", "mode c, boost on", "forbid"), base=base) == []


def test_a_default_that_cannot_be_leaves_a_setting_undecided() -> None:
    no_low = constraint("no-low", "model m2", "require fans mid or high")
    found = only("K02", no_low)
    assert found.message.startswith("nothing decides `fans`: its default is not possible")
    assert example(found) == "goal fast; model m2"
    assert findings(no_low, rule("instead", "fans mid", "model m2")) == []


def test_facts_that_contradict_the_constraints_are_found_with_the_fewest_constraints() -> None:
    rules = (
        constraint("low", "model m2", "require fans low"),
        constraint("high", "rack back", "require fans high"),
        constraint("quiet", "rack back, fans high", "require boost on"),
    )
    found = next(d for d in findings(*rules) if d.code == "K03")
    assert found.message == "these facts leave no value for `fans`"
    assert {found.at.line, *(other.span.line for other in found.others)} == {FIRST, FIRST + 1}
    assert example(found) == "goal fast; model m2; rack back"
    assert "E0301" in codes(example(found), *rules)


# -------------------------------------------------------------------- K04, K05: covered, by accident


def test_a_rule_that_never_wins_is_dead_and_the_one_that_covers_it_is_named() -> None:
    found = only(
        "K04",
        rule("strong", "boost off", "goal fast", "strength measured;"),
        rule("weak", "boost on", "goal fast, model m1"),
    )
    assert found.message == "`weak` is unreachable: always overridden by `strong`"
    assert found.others[0].span.line == FIRST


def test_a_rule_whose_conditions_nothing_meets_is_dead() -> None:
    found = only(
        "K04",
        rule("for-none", "mode b", "model m1, fans high"),
        constraint("m1", "model m1", "require fans low"),
    )
    assert found.message.endswith("its value is never possible where it applies")


def test_a_rule_of_a_superseded_source_is_meant_to_be_dead() -> None:
    edition = 'source second { title "Second"; publisher "P"; supersedes paper; }'
    old, new = rule("old", "boost off", "goal fast"), rule("new", "boost on", "goal fast", source="second")
    assert findings(edition, old, new) == []


def test_a_rule_is_alive_if_some_policy_causes_its_conditions() -> None:
    reads = rule("reads", "mode b", "boost off, fans high")
    assert findings(reads) == []


BROAD = rule("broad", "boost off", "model m1 or m2", "strength measured;")
ALSO = rule("also", "boost on", "model m1, rack back", "strength measured; exception to broad;")


def test_a_broad_rule_must_not_beat_a_narrow_one_by_accident() -> None:
    """The narrow one wins somewhere, but only because a third rule withdraws the broad one there."""
    found = only("K05", BROAD, ALSO, rule("narrow", "boost on", "model m1"))
    assert found.message == "`broad` beats the narrower `narrow` by strength alone"
    assert findings(BROAD, ALSO, rule("narrow", "boost on", "model m1", "exception to broad;")) == []
    assert findings(BROAD, ALSO, rule("narrow", "boost on", "model m1", "yields to broad;")) == []


def test_a_rule_that_is_not_narrower_may_be_beaten() -> None:
    assert findings(BROAD, ALSO, rule("other", "boost on", "goal fast")) == []


def test_a_rule_must_not_yield_to_one_that_is_not_stronger() -> None:
    found = only(
        "K05",
        rule("a", "boost off", "model m1"),
        rule("b", "boost on", "model m1, rack back", "yields to a;"),
    )
    assert found.message == "`b` yields to `a`, which does not outrank it"


# ------------------------------------------------------------------ K06, K08: what policies may set


def test_two_offers_that_apply_together_must_not_differ() -> None:
    by_model = 'options of paper when model m1 { light on, off default on at "Menu"; }'
    by_rack = 'options of paper when rack back { light on default on at "Menu"; }'
    light = 'setting light { title "Light"; layer os; values on, off; }'
    found = only("K06", light, by_model, by_rack)
    assert found.message == "conflicting offers of `light`: two apply, and neither is narrower"
    assert example(found) == "goal fast; model m1; rack back"
    assert findings(light, by_model, by_rack.replace("rack back", "model m1, rack back")) == []
    assert findings(light, by_model, by_rack.replace("light on ", "light on, off ")) == []
    by_rack = 'options of paper when rack back { light absent at "Menu"; }'
    found = only("K06", light, by_model, by_rack)
    assert (found.label, found.others[0].text) == ("on, off", "absent")
    assert findings(light, by_model, by_rack.replace("rack back", "model m1, rack back")) == []


def test_a_contradiction_that_narrowing_misses_is_found() -> None:
    """Under mode a nothing is left for the other two, but no single constraint shows that: only a search finds it."""
    base = BASE.replace("mode a, b, c default a", "mode a, b, c default b")
    rules = [
        constraint(f"{boost}-{number}", f"mode a, boost {boost}", f"require fans {fans}")
        for boost in ("on", "off")
        for number, fans in enumerate(("low", "mid or high"))
    ]
    found = {d.code: d for d in findings(*rules, base=base)}
    assert set(found) == {"K08", "K09", "K13"}
    assert example(found["K08"]) == 'goal fast; set mode a because "check"'
    assert "E0301" in codes(example(found["K08"]), *rules, base=base)
    assert findings(constraint("together", "mode a, rack back", "forbid"), base=base) == []


# ------------------------------------------------------------------------------------ K07: circles


def test_a_cycle_names_its_rules_and_not_those_that_depend_on_it() -> None:
    """`mode` depends on `fans`, and is not in a cycle."""
    waits = rule("waits", "mode b", "fans high")
    with pytest.raises(SetpointError) as refused:
        knowledge(waits, rule("a", "fans high", "boost on"), rule("b", "boost off", "fans low"))
    (found,) = refused.value.diagnostics
    assert found.message == "`boost`, `fans` depend on each other in a cycle: `a`, `b`"
    assert (found.at.line, found.label) == (FIRST + 1, "decides `fans` by `boost`")
    assert [(o.span.line, o.text) for o in found.others] == [(FIRST + 2, "decides `boost` by `fans`")]
    assert found.help


# --------------------------------------------------------------------------- K09: idle statements


def test_a_constraint_that_adds_nothing_is_idle() -> None:
    strong, weak = (
        constraint("strong", "fans low", "require boost on"),
        constraint("weak", "fans low, model m1", "require boost on"),
    )
    found = only("K09", strong, weak)
    assert found.message == "constraint `weak` is redundant: other constraints forbid the same"
    assert found.others[0].span.line == FIRST


def test_the_finding_for_an_idle_constraint_names_only_its_causes() -> None:
    """A profile that forbids the same is named only if no constraint does; one that forbids something else, never."""
    profile = 'preset "Menu" of paper { fans low mid high; boost on off off; }'
    narrow = constraint("narrow", "fans low, model m1, rack back", "require boost on")
    (shown,) = only("K09", narrow, profile).others
    assert (shown.span.line, shown.text) == (FIRST + 1, "forbids the same")
    broad = constraint("broad", "fans low, model m1", "require boost on")
    other = constraint("other", "fans mid, model m1, rack back", "require mode a")
    found = {d.message.split("`")[1]: d for d in findings(narrow, broad, other, profile)}
    assert [shown.span.line for shown in found["narrow"].others] == [FIRST + 1]


def test_a_value_that_can_be_chosen_nowhere_is_idle() -> None:
    found = only("K09", constraint("never-high", "fans high", "forbid"))
    assert found.message == "`fans` is offered high here, and can never be high"


def test_a_setting_that_nothing_offers_is_idle() -> None:
    assert (
        only("K09", 'setting light { title "Light"; layer os; values on, off; }').message
        == "no platform offers `light`"
    )


def test_a_value_of_a_fact_that_contradicts_itself_is_idle() -> None:
    found = only("K09", 'model m3 { title "Three"; implies rack front; allows rack back; }')
    assert found.message == "no policy can state `model m3`: it contradicts itself"


def test_a_value_offered_only_on_followers_is_shown_with_the_offer_under_the_conditions() -> None:
    """On m3, which follows m1, the rule applies, and another one is stronger; that is not the reported error."""
    pace = 'setting pace { title "Pace"; layer os; values slow, quick, swift; }'
    first = 'options of paper when model m1 { pace slow, quick default slow at "Menu"; }'
    second = 'options of paper when model m3 { pace slow, quick, swift default slow at "Menu"; }'
    third = 'model m3 { title "Three"; follows m1; }'
    own = rule("own", "pace quick", "model m3")
    found = findings(pace, first, second, third, own, rule("r", "pace swift", "model m1"))
    dead = next(d for d in found if d.code == "K04")
    assert dead.message == "`r` is unreachable: `pace` cannot be swift under its conditions"
    assert [(label.span.line, label.text) for label in dead.others] == [(FIRST + 1, "offers slow, quick")]
    assert example(dead) == "goal fast; model m1"


def test_an_exception_to_an_unknown_rule_lists_the_existing_ones() -> None:
    """The name is misspelt, or belongs to a rule for another setting."""
    fast, cool = rule("fast-rule", "boost on", "goal fast"), rule("cold-rule", "boost off", "goal cool")

    def shown(name: str) -> tuple[str, ...]:
        with pytest.raises(SetpointError) as raised:
            knowledge(fast, cool, rule("r", "boost off", "goal fast, model m1", f"exception to {name};"))
        (found,) = raised.value.diagnostics
        return found.help

    assert shown("fats-rule") == ("did you mean `fast-rule`?",)
    assert shown("of-another") == ("for `boost` there are `cold-rule`, `fast-rule`",)
    with pytest.raises(SetpointError) as raised:
        knowledge(rule("r", "boost off", "goal fast", "exception to s;"))
    assert raised.value.diagnostics[0].help == ("there is no other rule for `boost`: drop it",)


def test_a_fact_of_a_site_that_nothing_reads_is_idle() -> None:
    """A library alone may declare names for its sites; a figure that was measured on a fact reads it."""
    room = 'fact room { title "Room"; values cold, warm; }'
    figure = 'measurement m of paper at "F" { when room cold; vary boost off from on; metric speed in "%"; value 3; }'
    assert [finding.message for finding in with_site([], [room]).findings] == ["no statement reads `room`"]
    assert list(with_site([room], [rule("r", "boost off", "model m1")]).findings) == []
    for reader in (rule("r", "boost off", "room cold"), figure):
        assert [finding.message for finding in with_site([], [room, reader]).findings] == []
    implying = 'fact room { title "Room"; } room cold { implies model m1; } room warm { implies model m2; }'
    assert list(with_site([rule("r", "boost off", "model m1")], [implying]).findings) == []


# ------------------------------------------------------------------- K10, K11: hazards and effects


def test_a_hazard_must_not_stop_a_policy_that_sets_nothing() -> None:
    danger = hazard("danger", "goal fast, boost on", "severity error;")
    found = only("K10", danger)
    assert example(found) == "goal fast"
    assert "E0401" in codes(example(found), danger)
    assert findings(danger, rule("avoid", "boost off", "goal fast")) == []


def test_a_hazard_must_not_warn_of_what_is_recommended() -> None:
    warning = hazard("danger", "goal fast, boost off", "severity warning;")
    slow = rule("slow", "boost off", "goal fast")
    found = only("K10", warning, slow)
    assert found.message == "hazard `danger` warns policies that set nothing of what is recommended to them"
    assert example(found) == "goal fast"
    assert "W0402" not in codes(example(found), warning, slow)
    assert [label.text for label in found.others] == ["recommends boost off"]


def test_a_hazard_may_warn_of_defaults_and_of_what_it_asks() -> None:
    slow = rule("slow", "boost off", "goal fast")
    assert findings(hazard("danger", "goal fast, boost on", "severity warning;")) == []
    asking = hazard("danger", "goal fast, boost off", 'severity warning; asks "whether the hall is cool";')
    assert findings(asking, slow) == []


def test_a_site_is_not_asked_to_change_a_warning_of_the_library() -> None:
    warning, slow = (
        hazard("danger", "goal fast, boost off", "severity warning;"),
        rule("slow", "boost off", "goal fast"),
    )
    assert [d.code for d in with_site([warning], [slow]).findings] == []
    assert [d.code for d in with_site([slow], [warning]).findings] == ["K10"]


def test_a_hazard_without_any_set_names_the_advice_that_causes_it() -> None:
    """The hazard may be the library's, and the advice a site's: the message points to the latter."""
    danger = hazard("danger", "goal fast, boost off", "severity error;")
    found = only("K10", danger, rule("slow", "boost off", "goal fast"))
    assert [(label.span.line, label.text) for label in found.others] == [(FIRST + 1, "recommends boost off")]
    assert only("K10", danger.replace("off", "on")).others == ()


def test_a_hazard_that_can_never_arise_is_dead() -> None:
    found = only(
        "K04",
        hazard("never", "boost off, fans low"),
        constraint("k", "boost off", "require fans high or mid"),
    )
    assert found.message == "hazard `never` can never occur"


def noise(cases: str, values: str = "loud, quiet, none", otherwise: str = "none") -> str:
    """An effect with these cases."""
    return f'effect noise of paper at "Figure 2" {{ title "Noise"; values {values}; {cases} otherwise {otherwise}; }}'


def test_the_cases_of_an_effect_must_not_depend_on_their_order() -> None:
    effect = noise("case loud when fans high; case quiet when boost off;")
    found = only("K11", effect)
    assert found.message == "effect `noise` is both loud and quiet: two of its cases can be true together"
    assert example(found) == 'goal fast; set boost off because "check"; set fans high because "check"'
    assert not [code for code in codes(example(found), effect) if code.startswith("E")]
    assert findings(noise("case loud when fans high; case quiet when fans low;")) == []


def test_the_example_for_two_cases_can_be_planned() -> None:
    """A constraint excludes the first values that come to mind."""
    effect = noise("case loud when fans mid or high; case quiet when mode b or c;")
    no_b = constraint("no-b", "mode b, fans mid", "forbid")
    found = only("K11", effect, no_b)
    assert example(found) == 'goal fast; set fans mid because "check"; set mode c because "check"'
    assert not [code for code in codes(example(found), effect, no_b) if code.startswith("E")]


def test_a_case_that_makes_no_difference_is_idle() -> None:
    cases = "case loud when fans high; case quiet when fans low;"
    never = (
        noise(f"{cases} case loud when model m1, boost off;"),
        constraint("m1", "model m1", "require boost on"),
    )
    found = next(d for d in findings(*never) if d.message.startswith("effect"))
    assert (found.code, found.message) == (
        "K09",
        "effect `noise` can never be loud when boost off, model m1",
    )
    for again in ("fans high, boost off", "fans high"):
        found = only("K09", noise(f"{cases} case loud when {again};"))
        assert found.message.startswith("effect `noise` has a redundant case: loud when ")
    assert (
        findings(
            noise("case loud when fans high; case loud when boost off; case quiet when fans low, boost on;")
        )
        == []
    )


def test_a_value_of_an_effect_that_no_case_gives_is_idle() -> None:
    cases = "case loud when fans high; case quiet when fans low;"
    assert only("K09", noise(cases, "loud, quiet, mid, none")).message == "effect `noise` is never mid"
    every = noise(f"{cases} case quiet when fans mid;")
    assert only("K09", every).message == "effect `noise` is never none"
    assert findings(noise(f"{cases} case quiet when fans mid;", "loud, quiet", "quiet")) == []


def test_an_effect_without_otherwise_has_no_value_where_no_case_holds() -> None:
    effect = noise("case loud when boost on;", "loud").replace("otherwise none; ", "")
    assert findings(effect) == []
    assert (
        only("K10", effect, hazard("din", "noise loud"), rule("fast", "boost on", "goal fast")).code == "K10"
    )
    never_on = constraint("k", "goal fast", "require boost off")
    for condition, expected in (("noise loud", ["K04"]), ("noise not loud", [])):
        danger = hazard("din", f"goal fast, {condition}", "severity warning;")
        assert [each.code for each in findings(effect, danger, never_on)] == expected, condition


# -------------------------------------------------------------------------------- a site's statements


FAST = rule("fast", "boost on", "goal fast")


def test_a_site_may_override_the_library_and_the_rules_are_listed() -> None:
    """Within the library this would be an error."""
    overriding = rule("quiet-hall", "boost off", "goal fast")
    proof = with_site([FAST, rule("other", "fans high", "goal fast")], [overriding])
    assert (list(proof.findings), proof.overridden) == ([], ("fast",))
    proof = with_site([FAST], [rule("quiet-hall", "boost off", "goal fast", "exception to fast;")])
    assert (list(proof.findings), proof.overridden) == ([], ("fast",))
    stronger = rule("quiet-hall", "boost off", "goal fast", "strength measured;")
    assert only("K04", FAST, stronger).message == "`fast` is unreachable: always overridden by `quiet-hall`"


def test_exclusions_by_a_site_are_not_faults_of_the_library() -> None:
    """Neither a value, nor a hazard, nor a constraint that is redundant because of the site's."""
    library = [
        FAST,
        hazard("jitter", "goal fast, boost on", "severity warning;"),
        constraint("cool-boost", "goal cool, model m1", "require boost off"),
    ]
    no_boost = constraint("no-boost", "goal fast or cool", "require boost off")
    proof = with_site(library, [no_boost, rule("as-it-is", "boost off", "goal fast or cool")])
    assert ([d.message for d in proof.findings], proof.overridden) == ([], ("fast",))


def test_idle_statements_of_a_site_are_still_found() -> None:
    no_high = constraint("no-high", "model m1", "require fans low or mid")
    proof = with_site([no_high], [constraint("again", "model m1, rack back", "require fans low or mid")])
    (found,) = proof.findings
    assert (found.code, found.at.file) == ("K09", "site.tune")
    proof = with_site([], [rule("never", "mode b", "model m1, fans high"), no_high])
    assert [(d.code, d.at.file) for d in proof.findings] == [("K04", "site.tune")]


def test_a_finding_caused_together_with_the_library_points_to_the_sites_statement() -> None:
    proof = with_site([], [constraint("no-low", "model m2", "require fans mid or high")])
    (found,) = proof.findings
    assert (found.code, found.at.file, found.label) == ("K02", "site.tune", "forbids it")
    assert [other.span.file for other in found.others] == ["small.tune"]
    low, high = (
        constraint(f"{fans}-{what.split()[0]}", what, f"require fans {fans}")
        for fans, what in (("low", "model m2"), ("high", "rack back"))
    )
    proof = with_site([low], [high, rule("back", "fans high", "rack back")])
    (found,) = (d for d in proof.findings if d.code == "K03")
    assert (found.at.file, [other.span.file for other in found.others]) == ("site.tune", ["small.tune"])
