"""`kb diff`: which values change in which contexts, and who decides them."""

from itertools import product

import pytest
from hypothesis import assume, given, settings

from proof.both_forms import context, single
from proof.random_knowledge import FACTS, SETTINGS, built, seeds, statements
from proof.small import BASE, constraint, hazard, knowledge, rule
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.results import DecidedValue, FieldChange
from setpoint.compiler.proof.difference import ABSENT, NO_PLAN, difference
from setpoint.compiler.proof.knowledge_diff import (
    IGNORED_COLLECTIONS,
    IGNORED_FIELDS,
    field_changes,
    field_texts,
    statements_in,
)
from support.effort import examples


def test_the_same_knowledge_has_no_difference() -> None:
    found = difference(knowledge(), knowledge())
    assert found.changes == ()
    assert found.statements == ()


def test_a_new_rule_changes_the_contexts_in_which_it_wins() -> None:
    by_model = rule("by-model", "boost off", "model m1")
    ((change,), listed) = (difference(knowledge(), knowledge(by_model)).changes, None)
    assert listed is None
    assert change.setting == "boost"
    assert change.old == DecidedValue("on", ("vendor default",))
    assert change.new == DecidedValue("off", ("by-model",))
    assert change.contexts == 2 * 1 * 3  # both goals; the one model; no rack, or either
    assert change.example == "goal fast; model m1"


def test_changed_statements_are_listed_although_no_value_changes() -> None:
    old = knowledge(rule("steady", "boost on", "model m1"), rule("dropped", "boost on", "model m2"))
    new = knowledge(
        rule("steady", "boost on", "goal fast"), constraint("no", "boost off, fans high", "forbid")
    )
    found = difference(old, new)
    assert found.changes == ()
    kept = ("steady", (FieldChange("when", "model m1", "goal fast"), FieldChange("regardless", "goal", "")))
    assert [(one.kind, one.added, one.dropped, one.changed) for one in found.statements] == [
        ("rule", (), ("dropped",), (kept,)),
        ("constraint", ("no",), (), ()),
    ]


def test_what_a_profile_only_locks_is_listed() -> None:
    """Sets have no order of their own, so they are shown sorted."""
    table = 'preset "Menu" of paper {{ fans low mid high; boost {} {} free; mode kept a kept b c; }}'
    old, new = knowledge(table.format("on", "off")), knowledge(table.format("kept on", "kept off"))
    same = knowledge(table.format("on", "off"))
    assert difference(old, same).statements == ()
    (listed,) = difference(old, new).statements
    ((_, changes),) = listed.changed
    before, after = "low, mode; mid, mode", "low, boost; low, mode; mid, boost; mid, mode"
    assert [(c.field, c.old, c.new) for c in changes] == [("kept", before, after)]


def test_a_new_value_elsewhere_does_not_change_a_rule() -> None:
    """Sets of values are bits whose meaning depends on the existing values, so their texts are compared."""
    kept = rule("steady", "boost on", "rack not front")
    more = BASE.replace("values front, back", "values left, front, back")
    listed = difference(knowledge(kept), knowledge(kept, base=more)).statements
    assert not [one for one in listed if one.kind == "rule"]
    assert [one.added for one in listed if one.added] == [("left",)]


MEASURED = 'measurement m of paper at "T" { when model m1; metric speed in "%"; value 5; }'
EFFECT = 'effect noise of paper at "N" { title "Noise"; values loud, quiet; case loud when fans high; otherwise quiet; }'


@pytest.mark.parametrize(
    ("old", "new", "kind", "name", "said"),
    [
        (
            'assume model m1 because "usual";',
            'assume model m2 because "usual";',
            "assumption",
            "model",
            ("value", "m1", "m2"),
        ),
        (MEASURED, MEASURED.replace("5", "7"), "measurement", "m", ("low", "5", "7")),
        (
            hazard("risk", "boost on", "severity error;"),
            hazard("risk", "boost on", "severity warning;"),
            "hazard",
            "risk",
            ("severity", "error", "warning"),
        ),
        (
            EFFECT,
            EFFECT.replace("fans high", "fans mid"),
            "effect",
            "noise",
            ("cases", "loud; fans high", "loud; fans mid"),
        ),
    ],
)
def test_every_kind_of_statement_is_listed(
    old: str, new: str, kind: str, name: str, said: tuple[str, str, str]
) -> None:
    (one,) = difference(knowledge(old), knowledge(new)).statements
    ((changed, fields),) = one.changed
    assert (one.kind, changed) == (kind, name)
    assert FieldChange(*said) in fields


@pytest.mark.parametrize(
    ("old", "new", "kind", "said"),
    [
        (
            'at "Menu";\n    fans',
            'at "Other menu";\n    fans',
            "offer",
            ("citation", "paper, Menu", "paper, Other menu"),
        ),
        ("boost on, off default", 'boost on "Yes", off "No" default', "offer", ("labels", "", "Yes, No")),
        ('fact goal { title "Goal"', 'fact goal { title "Aim"', "fact", ("title", "Goal", "Aim")),
        ('title "Boost"', 'title "Turbo"', "setting", ("title", "Boost", "Turbo")),
    ],
)
def test_changed_offers_are_listed(old: str, new: str, kind: str, said: tuple[str, str, str]) -> None:
    assert old in BASE
    (one,) = difference(knowledge(), knowledge(base=BASE.replace(old, new))).statements
    ((_, fields),) = one.changed
    assert one.kind == kind
    assert FieldChange(*said) in fields


def test_the_place_of_a_table_of_figures_is_not_compared() -> None:
    """Although the line distinguishes its figures from others."""
    figures = 'measurements "Figure 5" of paper { metric speed in "marks"; columns model speed; row m1 5; }'
    assert difference(knowledge(figures), knowledge("# a remark", figures)).statements == ()
    other = difference(
        knowledge(figures), knowledge("# a remark", figures.replace("5; }", "7; }"))
    ).statements
    assert [(one.kind, one.added, one.dropped, len(one.changed)) for one in other] == [
        ("measurement", (), (), 1)
    ]


def test_every_field_of_every_record_is_compared() -> None:
    """For the whole standard library: every changed field is listed, except derived ones."""
    base = standard()
    unread = set()
    for part in base._fields:
        for form in list(statements_in(getattr(base, part)))[:1] if part not in IGNORED_COLLECTIONS else []:
            for field in form._fields:
                other = form._replace(**{field: "something else"})
                if not set(field_changes([field_texts(base, form)], [field_texts(base, other)])):
                    unread.add(field)
    assert unread == IGNORED_FIELDS


def test_a_setting_that_depends_on_a_fact_is_listed() -> None:
    old = knowledge(
        base=BASE.replace(
            'boost on, off default on at "Menu";', 'boost on, off default on at "Menu" if model m1;'
        )
    )
    (change,) = difference(old, knowledge()).changes
    assert (change.old, change.new) == (DecidedValue(ABSENT, ()), DecidedValue("on", ("vendor default",)))


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
    assert ("model", ("m3",)) in [(one.kind, one.added) for one in found.statements]


@pytest.mark.parametrize("tie", ["old", "new"])
def test_a_tie_is_not_a_value(tie: str) -> None:
    rules = rule("by-model", "boost off", "model m1"), rule("by-rack", "boost on", "rack back")
    sides = [knowledge(*rules), knowledge(rules[0])]
    found = difference(*(sides if tie == "old" else reversed(sides))).changes
    assert NO_PLAN in {getattr(change, tie).value for change in found}


@given(seeds)
@settings(max_examples=examples(60), deadline=None)
def test_the_changes_match_the_plans(seed: int) -> None:
    """Two knowledge bases that differ in some of their statements, compared policy by policy.

    Settings are compared separately. So if another setting leaves a policy without a plan, more changes may be found
    than plans show, but never fewer.
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
