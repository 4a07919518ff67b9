"""`kb diff`: which values change in which contexts, and by whose word."""

from itertools import product

import pytest
from hypothesis import assume, given, settings

from proof.both_forms import context, single
from proof.random_knowledge import FACTS, SETTINGS, built, seeds, statements
from proof.small import BASE, constraint, knowledge, rule
from setpoint.compiler.proof.difference import ABSENT, NO_PLAN, Held, difference


def test_the_same_knowledge_has_no_difference() -> None:
    found = difference(knowledge(), knowledge())
    assert found.changes == ()
    assert found.listed == ()


def test_a_new_rule_changes_the_contexts_in_which_it_wins() -> None:
    by_model = rule("by-model", "boost off", "model m1")
    ((change,), listed) = (difference(knowledge(), knowledge(by_model)).changes, None)
    assert listed is None
    assert change.setting == "boost"
    assert change.old == Held("on", ("vendor default",))
    assert change.new == Held("off", ("by-model",))
    assert change.contexts == 2 * 1 * 3  # both goals; the one model; no rack, or either
    assert change.example == "goal fast; model m1"


def test_what_is_said_otherwise_is_listed_though_no_value_changes() -> None:
    old = knowledge(rule("kept", "boost on", "model m1"), rule("dropped", "boost on", "model m2"))
    new = knowledge(rule("kept", "boost on", "goal fast"), constraint("no", "boost off, fans high", "forbid"))
    found = difference(old, new)
    assert found.changes == ()
    assert [(one.kind, one.added, one.dropped, one.changed) for one in found.listed] == [
        ("rule", (), ("dropped",), ("kept",)),
        ("constraint", ("no",), (), ()),
    ]


LISTED = {
    "the reason of a rule": ("rule", "kept", 'because "measured"', 'because "measured twice"'),
    "what a rule yields to": ("rule", "kept", "use boost on;", "use boost on; yields to broad;"),
    "the strength of a rule": ("rule", "kept", "use boost on;", "use boost on; strength measured;"),
    "the label of a value": ("options", "fans", "low, mid, high default low", 'low "Lo", mid, high default low'),
    "a default": ("options", "fans", "low, mid, high default low", "low, mid, high default unknown"),
    "a menu": ("options", "mode when model m1", 'default a at', 'default a menu "Other" at'),
    "a column of a preset": ("preset", "fans", "boost on off", "boost on _"),
    "an assumption": ("assume", "rack when model m2", "rack front", "rack back"),
    "the role of a fact": ("fact", "model", 'title "Model";', 'title "Model"; role intent;'),
    "the case of an effect": ("effect", "noise", "case loud when fans high", "case loud when fans not low"),
    "the severity of a hazard": ("hazard", "heat", "severity warning;", "severity error;"),
}  # fmt: skip
"""What can be said otherwise: the kind and the name under which it is listed, and the words before and after."""


@pytest.mark.parametrize("what", LISTED)
def test_whatever_a_form_says_is_compared(what: str) -> None:
    kind, name, before, after = LISTED[what]
    base = BASE.replace('mode a, b, c default a at "Menu";', "")
    text = "\n".join(
        [
            rule("kept", "boost on", "goal fast, model m1"),
            rule("broad", "boost on", "goal fast"),
            'options of paper { mode a, b, c default a at "Menu" if model m1; }',
            'preset "Menu" of paper { fans low mid; boost on off; }',
            'assume rack front when model m2 because "usual";',
            'effect noise of paper at "Menu" { title "Noise"; values loud, low; case loud when fans high; otherwise low; }',
            'hazard heat of paper at "Menu" { when goal cool, fans low; because "hot"; severity warning; }',
        ]
    )
    whole = base + text
    assert before in whole
    old, new = knowledge(base=whole), knowledge(base=whole.replace(before, after, 1))
    (listed,) = difference(old, new).listed
    assert (listed.kind, listed.changed or listed.added) == (kind, (name,))


def test_a_new_value_elsewhere_is_no_other_word_of_a_rule() -> None:
    """Sets of values are bits whose meaning depends on which values there are: compared is what they say."""
    kept = rule("kept", "boost on", "rack not front")
    more = BASE.replace("values front, back", "values left, front, back")
    (rack,) = difference(knowledge(kept), knowledge(kept, base=more)).listed
    assert (rack.kind, rack.added) == ("rack", ("left",))


def test_a_setting_that_comes_or_goes_with_a_fact_is_told() -> None:
    old = knowledge(
        base=BASE.replace(
            'boost on, off default on at "Menu";', 'boost on, off default on at "Menu" if model m1;'
        )
    )
    (change,) = difference(old, knowledge()).changes
    assert (change.old, change.new) == (Held(ABSENT, ()), Held("on", ("vendor default",)))


def test_another_assumption_is_a_difference_where_nothing_is_stated() -> None:
    by_model = rule("by-model", "boost off", "model m1")
    assumed = 'assume model m1 because "usual";'
    (change,) = difference(knowledge(by_model), knowledge(by_model, assumed)).changes
    assert change.example.startswith("goal")
    assert "model" not in change.example


def test_a_new_value_of_a_fact_is_listed_and_not_compared() -> None:
    found = difference(
        knowledge(), knowledge('model m3 { title "Three"; }', rule("for-new", "boost off", "model m3"))
    )
    assert found.changes == ()
    assert ("model", ("m3",)) in [(one.kind, one.added) for one in found.listed]


@pytest.mark.parametrize("tie", ["old", "new"])
def test_a_tie_is_no_plan(tie: str) -> None:
    rules = rule("by-model", "boost off", "model m1"), rule("by-rack", "boost on", "rack back")
    sides = [knowledge(*rules), knowledge(rules[0])]
    found = difference(*(sides if tie == "old" else reversed(sides))).changes
    assert NO_PLAN in {getattr(change, tie).value for change in found}


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_the_changes_are_those_that_plans_show(seed: int) -> None:
    """Two knowledge bases that differ in some of their statements, compared policy by policy.

    A setting is compared by itself. So where another one leaves a policy without a plan, more may be found than
    plans show, and never less.
    """
    text = statements(seed)
    droppable = [s for s in text if s.startswith(("rule", "constraint", "assume"))]
    old, new = built(text), built([s for s in text if s not in droppable[::3]])
    assume(old is not None)
    assume(new is not None)
    assert old is not None
    assert new is not None
    seen = set()
    every_policy_has_a_plan = True
    for values in product(*(("", *FACTS[name]) if name != "goal" else FACTS[name] for name in FACTS)):
        facts = {name: value for name, value in zip(FACTS, values, strict=True) if value}
        before, after = context(old, facts, {}), context(new, facts, {})
        if before is None or after is None:
            continue
        was, is_ = single(old, before), single(new, after)
        if was.code or is_.code:
            every_policy_has_a_plan = False
            continue
        for name in SETTINGS:
            if was.values.get(name, ABSENT) != is_.values.get(name, ABSENT):
                seen.add((name, was.values.get(name, ABSENT), is_.values.get(name, ABSENT)))
    found = {(c.setting, c.old.value, c.new.value) for c in difference(old, new).changes}
    assert seen <= found
    if every_policy_has_a_plan:
        assert found == seen
