"""Contradictions, omissions and wrong citations by authors of knowledge: K13 to K19, and K09 for repetitions."""

import pytest

from proof.small import BASE, FIRST, constraint, example, findings, hazard, knowledge, rule, with_site
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from setpoint.compiler.proof.checks.evidence import unlisted


def of_code(code: str, *statements: str, base: str = BASE) -> Diagnostic:
    """The one finding that has this code."""
    (found,) = (d for d in findings(*statements, base=base) if d.code == code)
    return found


def messages(*statements: str, base: str = BASE) -> list[tuple[str, str]]:
    return [(d.code, d.message) for d in findings(*statements, base=base)]


# ------------------------------------------------------------------------- K09, K13: nothing is left

ON = constraint("b-on", "mode b", "require boost on")
OFF = constraint("b-off", "mode b", "require boost off")


def test_a_value_that_contradictory_constraints_exclude_is_found_with_these_constraints() -> None:
    other = constraint("other", "mode c", "require fans low")
    found = of_code("K09", ON, OFF, other)
    assert found.message == "`mode` is offered b here, and can never be b"
    assert {label.span.line for label in found.others} == {FIRST, FIRST + 1}
    assert example(found) == 'goal fast; set mode b because "check"'
    (done,) = planned(program_of_text(example(found)), knowledge(ON, OFF, other))
    assert [d.code for d in done.findings if d.code.startswith("E")] == ["E0301"]


def test_a_value_that_a_profile_and_a_constraint_exclude_is_found() -> None:
    profile = 'preset "Menu" of paper { mode b c; boost on off; }'
    assert {d.code for d in findings(profile, OFF)} == {"K09", "K12", "K13"}


def test_an_unreachable_value_of_one_offer_is_found_although_another_offers_it() -> None:
    narrow = 'options of paper when model m1 { mode a, b default a at "Menu of m1"; }'
    not_there = constraint("m1-not-b", "model m1", "require mode a or c")
    found = of_code("K09", narrow, not_there)
    assert found.at.line == FIRST
    assert example(found) == 'goal fast; model m1; set mode b because "check"'
    assert messages(not_there) == []


def test_constraints_that_contradict_each_other_are_found_once() -> None:
    found = of_code("K13", ON, OFF)
    assert found.message == "constraint `b-off` contradicts `b-on`: together they rule out mode b"
    assert example(found).startswith("goal fast; set mode b")


def test_a_contradiction_within_a_narrower_condition_is_found_too() -> None:
    """Mode b remains where the goal is another, so that no value is idle."""
    narrow = constraint("b-off", "mode b, goal fast", "require boost off")
    assert [code for code, _ in messages(ON, narrow)] == ["K13"]
    assert messages(ON, constraint("b-off", "mode c", "require boost off")) == []
    assert messages(ON, constraint("b-fast", "mode b, boost on, goal fast", "forbid")) == []


def test_a_constraint_that_nothing_can_satisfy_is_found() -> None:
    itself = constraint("itself", "mode b, goal fast", "require mode a")
    assert messages(itself) == [("K13", "constraint `itself` cannot be satisfied: it rules out mode b")]
    not_offered = BASE.replace("fans low, mid, high default low", "fans low, mid default low")
    never = constraint("never", "mode b, goal fast", "require fans high")
    assert ("K13", "constraint `never` cannot be satisfied: it rules out mode b") in messages(
        never, base=not_offered
    )


# ------------------------------------------------------------------------- K12, K02: profiles


def profile(columns: str, cells: str) -> str:
    return f'preset "Menu" of paper {{ mode {columns}; boost {cells}; }}'


def test_a_value_of_which_a_profile_says_nothing_is_found() -> None:
    assert messages(profile("a b c", "on off free")) == []
    unknown = ("K12", "unknown whether `mode c` locks `boost`")
    assert messages(profile("a b", "on off")) == [unknown]
    assert messages(profile("a b c", "on off _").replace("}", "fans low mid free; }")) == [unknown]


def test_a_value_that_is_known_by_its_name_alone_has_an_empty_column() -> None:
    assert messages(profile("a b c", "on off _").replace("}", "fans low mid _; }")) == []


def test_a_value_that_is_not_offered_needs_no_column() -> None:
    base = BASE.replace("mode a, b, c default a", "mode a, b default a").replace(
        "values a, b, c;", "values a, b;"
    )
    assert messages(profile("a b", "on off"), base=base) == []


def test_an_unknown_effect_on_one_model_is_found_there() -> None:
    first = profile("a b c", "on off free").replace("of paper", "of paper when model m1")
    second = profile("a b", "on off").replace("of paper", "of paper when model m2")
    found = of_code("K12", first, second)
    assert (found.at.line, example(found)) == (FIRST + 1, "goal fast; model m2")


def test_two_profiles_that_leave_every_member_free_are_found() -> None:
    shown = ("K12", "`mode` b and c both leave every member free")
    assert messages(profile("a b c", "on free free")) == [shown]
    assert messages(profile("a b c", "on off off")) == []
    more = profile("a b c", "on free free").replace("}", "fans low mid free; }")
    assert messages(more) == []


def test_a_site_need_not_complete_a_profile_of_the_library() -> None:
    proof = with_site([profile("a b", "on off")], [rule("ours", "boost off", "goal cool")])
    assert [d.code for d in proof.findings] == []
    proof = with_site([], [profile("a b", "on off")])
    assert [(d.code, d.at.file) for d in proof.findings] == [("K12", "site.tune")]


def test_a_governing_setting_that_is_derived_needs_no_default() -> None:
    base = BASE.replace("mode a, b, c default a", "mode a, b, c")
    assert messages(profile("a b c", "on off free"), base=base) == []
    assert [code for code, _ in messages(base=base)] == ["K02"]


# --------------------------------------------------------------------------- K14, K15: out of scope

LAB = 'source lab { title "Lab"; publisher "P"; scope model m1, rack back; }'


def test_a_rule_that_its_own_scope_excludes_is_found() -> None:
    outside = rule("outside", "boost off", "model m2", source="lab")
    found = of_code("K14", LAB, outside)
    assert found.message == "rule `outside` can never be in the scope of its source `lab`"
    assert (found.at.line, found.others[0].span.line) == (FIRST + 1, FIRST)
    assert messages(LAB, rule("inside", "boost off", "model m1", source="lab")) == []
    assert messages(LAB, rule("open", "boost off", "goal fast", source="lab")) == []


def test_a_rule_that_facts_keep_out_of_scope_is_found() -> None:
    """The written conditions are compatible; but the third model excludes the scope."""
    third = 'model m3 { title "Three"; within m1; implies rack front; }'
    base = BASE.replace("values m1, m2;", "values m2;") + 'model m1 { title "One"; }\n'
    kept = rule("steady", "boost off", "model m3", source="lab")
    assert ("K14", "rule `steady` can never be in the scope of its source `lab`") in messages(
        LAB, third, kept, base=base
    )


def test_advice_beyond_the_scope_is_valid_if_declared() -> None:
    beyond = rule("outside", "boost off", "model m2", "beyond scope;", source="lab")
    assert messages(LAB, beyond) == []
    untrue = rule("inside", "boost off", "model m1", "beyond scope;", source="lab")
    assert messages(LAB, untrue) == [("K14", "rule `inside` says `beyond scope`, and can be in scope")]


@pytest.mark.parametrize("severity", ["error", "warning"])
def test_a_hazard_that_its_own_scope_excludes_is_found(severity: str) -> None:
    outside = hazard("outside", "model m2, boost off", f"severity {severity};").replace("paper", "lab")
    codes = {d.code for d in findings(LAB, outside)}
    assert codes == ({"K14"} if severity == "error" else {"K04", "K14"})
    if severity == "error":
        assert messages(LAB, outside.replace("severity", "beyond scope; severity")) == []
    inside = hazard("inside", "model m1, boost off", f"severity {severity};").replace("paper", "lab")
    assert messages(LAB, inside) == []


def test_a_hazard_that_can_arise_nowhere_at_all_is_only_dead() -> None:
    never = hazard("never", "rack front, boost off, fans low").replace("paper", "lab")
    together = constraint("k", "boost off", "require fans high or mid")
    assert messages(LAB, never, together) == [("K04", "hazard `never` can never occur")]


def test_an_exception_without_effect_is_found() -> None:
    one, two = rule("one", "boost off", "model m1"), "exception to one;"
    apart = rule("two", "boost on", "model m2", two)
    assert messages(one, apart) == [("K15", "`two` is an exception to `one` without effect")]
    assert of_code("K15", one, apart).label == "no policy meets both conditions"
    assert messages(one, rule("two", "boost on", "rack back", two)) == []


def test_an_exception_by_advice_that_is_further_out_of_scope_has_no_effect() -> None:
    one = rule("one", "boost off", "model m2, rack back")
    further = rule("two", "boost on", "model m2", "exception to one; beyond scope;", source="lab")
    found = of_code("K15", LAB, one, further)
    assert found.label == "wherever both apply, it is further out of scope"


def test_an_exception_to_a_row_needs_effect_on_one_of_its_cells() -> None:
    table = 'table "Table 2" of paper { goal fast cool; boost off off; }'
    to_row = "exception to paper.table-2.boost;"
    assert messages(table, rule("two", "boost on", "goal fast, model m1", to_row)) == []


def test_an_edition_that_withdraws_nothing_is_found() -> None:
    edition = 'source second { title "Second"; publisher "P"; supersedes paper; }'
    old = rule("old", "boost off", "model m1")
    new = rule("new", "boost on", "model m2", source="second")
    found = of_code("K15", edition, old, new)
    assert found.message == "`second` supersedes `paper`, and withdraws none of its rules"
    assert messages(edition, old, rule("new", "boost on", "model m1", source="second")) == []


# -------------------------------------------------------------------------------- K16: facts

ROOMS = """fact room { title "Room"; }
room hall { title "Hall"; }
room north-hall { title "North hall"; within hall; }
room cellar { title "Cellar"; }"""


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("implies room hall; implies room hall;", "which is implied already"),
        ("implies room hall; implies room north-hall;", "implies room hall, which is implied already"),
    ],
)
def test_an_implication_that_another_makes_redundant_is_found(values: str, message: str) -> None:
    found = {(d.code, d.message) for d in findings(ROOMS, f'model m3 {{ title "Three"; {values} }}')}
    assert {code for code, _ in found} == {"K16"}
    assert any(message in text for _, text in found)


def test_an_implication_that_follows_by_way_of_others_is_found() -> None:
    base = BASE.replace("values m1, m2;", "values m1;")
    wide = 'model m2 { title "Two"; implies room north-hall; }'
    inherits = 'model m3 { title "Three"; within m2; implies room hall; }'
    found = of_code("K16", ROOMS, wide, inherits, base=base)
    assert found.message == "`model m3` implies room hall, which is implied already"
    assert [label.text for label in found.others] == ["model m2 implies room north-hall"]
    chain = 'model m3 { title "Three"; implies rack side; implies room hall; }'
    side = 'rack side { title "Side"; implies room north-hall; }'
    assert of_code("K16", ROOMS, side, chain).message.startswith("`model m3` implies room hall")
    apart = 'model m3 { title "Three"; within m2; implies rack front; }'
    assert messages(ROOMS, wide, apart, base=base) == []


def test_a_value_whose_implications_contradict_each_other_cannot_be_stated() -> None:
    found = of_code("K09", ROOMS, 'model m3 { title "Three"; implies room hall; implies room cellar; }')
    assert found.message == "no policy can state `model m3`: it contradicts itself"
    assert "model m3 means room cellar" in found.notes


def test_a_value_that_allows_nothing_of_what_the_wider_value_allows_is_found() -> None:
    base = BASE.replace("values m1, m2;", "values m1;")
    wide = 'model m2 { title "Two"; allows rack front; }'
    narrow = 'model m3 { title "Three"; within m2; allows rack back; }'
    found = of_code("K16", wide, narrow, base=base)
    assert found.message == "no `rack` goes with `model m3`"
    assert [label.span.line for label in found.others] == [FIRST]
    assert messages(wide, narrow.replace("rack back", "rack front or back"), base=base) == []


def test_a_value_says_what_goes_with_it_where_its_fact_fits_another() -> None:
    base = BASE.replace('"Model"; values m1, m2;', '"Model"; fits rack;')
    first = 'model m1 { title "One"; implies rack front; }'
    second = 'model m2 { title "Two"; allows rack front or back; }'
    within, bare = 'model m3 { title "Three"; within m1; }', 'model m3 { title "Three"; }'
    assert messages(first, second, within, base=base) == []
    found = of_code("K16", first, second, bare, base=base)
    assert found.message == "`model m3` does not say which `rack` goes with it"
    assert found.at.line == FIRST + 2


def test_a_site_need_not_know_what_goes_with_its_values() -> None:
    fits = 'fact shelf { title "Shelf"; fits rack; } shelf s1 { title "S1"; implies rack front; }'
    reading = rule("r", "boost off", "shelf s1")
    assert [d.code for d in with_site([fits, reading], ['shelf s2 { title "S2"; }']).findings] == []


def test_a_fact_fits_a_fact_that_exists() -> None:
    with pytest.raises(SetpointError) as raised:
        knowledge('fact shelf { title "Shelf"; fits rak; }')
    assert [(d.code, d.help) for d in raised.value.diagnostics] == [("E0201", ("did you mean `rack`?",))]


# ---------------------------------------------------------------------- K17, K19: evidence and places


def test_strength_measured_needs_a_measurement() -> None:
    bare, figure = rule("r", "boost off", "model m1", "strength measured;").split(" } ")
    assert messages(bare + " }") == [
        ("K17", "`r` claims strength `measured`, but `paper` has no measurement of `boost`")
    ]
    assert messages(bare + " } " + figure) == []
    elsewhere = figure.replace("boost off", "fans low")
    assert [code for code, _ in messages(bare + " } " + elsewhere)] == ["K17"]
    varied = 'measurement m of paper at "Figure 3" { vary boost off from on; metric speed in "%"; value 3; }'
    assert messages(bare + " }", varied) == []
    column = 'measurements "T" of paper { metric speed in "%"; columns boost speed; row off 3; }'
    assert messages(bare + " }", column) == []
    other = 'source lab { title "Lab"; publisher "P"; }'
    assert [c for c, _ in messages(other, bare + " }", varied.replace("paper", "lab"))] == ["K17"]


def test_the_figures_at_the_cited_place_must_be_about_the_setting() -> None:
    """A mistake in a figure's number, or in the varied setting, is found if the place has figures."""
    measured = (
        'rule r of paper at "%s" { when model m1, goal any; use boost off; strength measured; because "so"; }'
    )
    figure = 'measurement %s of paper at "%s" { vary %s; metric speed in "%%"; value 3; }'
    right = figure % ("m", "Figure 3", "boost off from on")
    other = figure % ("n", "Figure 4", "fans low from high")
    assert messages(measured % "Figure 3", right, other) == []
    assert messages(measured % "Menu; Figures 3 and 4", right, other) == []
    assert messages(measured % "Menu", right, other) == []
    found = of_code("K17", measured % "Figure 4, left", right, other)
    assert (
        found.message
        == "`r` claims strength `measured`, but what is measured at Figure 4, left is not `boost`"
    )
    assert [label.span.line for label in found.others] == [FIRST + 2]
    assert found.notes == ("`paper` has figures of `boost` at: Figure 3",)
    assert [c for c, _ in messages(measured % "Figures 4 and 5", right, other)] == ["K17"]


LISTED = BASE.replace(
    'source paper { title "Paper"; publisher "P"; }',
    'source paper { title "Paper"; publisher "P"; contents "Menu", "Table 1", "Table 2", "Turbo and C-States"; }',
)


def test_a_locator_that_its_source_does_not_have_is_found() -> None:
    right = rule("r", "boost off", "goal fast")
    assert messages(right, base=LISTED) == []
    found = of_code("K19", right.replace("Table 1", "Table 3"), base=LISTED)
    assert (found.message, found.at.line) == ("`paper` has no `Table 3`", FIRST)
    assert messages(right.replace("Table 1", "Table 3")) == []


@pytest.mark.parametrize(
    "statement",
    [
        constraint("k", "mode b", "require boost on"),
        hazard("h", "mode b, goal fast", "severity warning;"),
        'table "Table 7" of paper { goal fast; boost off; }',
        'table "Table 1" of paper { goal fast; boost off at "Table 7"; }',
        'options of paper when model m1 { mode a, b default a at "Table 7"; }',
        'preset "Table 7" of paper { mode b; boost on; }',
        'measurement m of paper at "Table 7" { hold boost off; }',
        'model m3 of paper at "Table 7" { title "Three"; }',
        'effect e of paper at "Table 7" { title "E"; values x, y; case x when boost on; otherwise y; }',
    ],
)
def test_every_statement_that_cites_is_looked_at(statement: str) -> None:
    assert "K19" in {d.code for d in findings(statement, base=LISTED)}


@pytest.mark.parametrize(
    ("locator", "missing"),
    [
        ("Table 1", ()),
        ("Table 1; Table 2", ()),
        ("Table 1 and Table 2", ()),
        ("Tables 1 and 2", ()),
        ("Tables 1, 2 and 3", ("Table 3",)),
        ("Table 1, footnote 2", ()),
        ("Table 1: the second row", ()),
        ("Turbo and C-States", ()),
        ("Turbo and C-States and Table 1", ()),
        ("Table 12", ("Table 12",)),
        ("Table 1; Figure 3", ("Figure 3",)),
        ("Table 1 and the text after it", ("the text after it",)),
        ("table 1", ("table 1",)),
    ],
)
def test_a_locator_consists_of_listed_places(locator: str, missing: tuple[str, ...]) -> None:
    assert unlisted(locator, ("Table 1", "Table 2", "Turbo and C-States")) == missing


# ----------------------------------------------------------------------------- K18: the goal


def test_a_rule_names_its_goal() -> None:
    named = rule("r", "boost off", "model m1, goal any")
    assert messages(named) == []
    found = of_code("K18", named.replace(", goal any", ""))
    assert found.message == "`r` does not state its `goal`"
    assert messages(rule("r", "boost off", "model m1, goal fast")) == []


def test_a_table_names_its_goals() -> None:
    across = 'table "T" of paper { model m1 m2; boost off on; }'
    assert {d.code for d in findings(across)} == {"K18"}
    assert messages(across.replace("of paper", "of paper when goal any")) == []
    assert messages(across.replace("off on;", "off on if goal any;")) == []


# ----------------------------------------------------------------------------- K24: consequences


def test_a_rule_for_any_goal_follows_no_default() -> None:
    """`boost` is on by default: only what is off was decided by somebody."""
    loud = rule("loud", "fans high", "boost on, goal any")
    found = of_code("K24", loud)
    assert found.message == "`loud` follows a default: nobody chose the `boost` that it reads"
    assert example(found).startswith("goal ")
    assert messages(loud.replace("goal any", "goal fast")) == []
    decided = rule("off", "boost off", "goal fast")
    assert messages(decided, rule("quiet", "fans mid", "boost off, goal any")) == []


def test_a_rule_may_follow_one_decision_beside_a_default() -> None:
    decided, both = (
        rule("f", "fans high", "goal any"),
        rule("loud", "mode b", "fans high, boost on, goal any"),
    )
    assert messages(decided, both) == []


def test_any_value_requires_nothing() -> None:
    """It neither narrows a rule nor decides between two."""
    broad, narrow = rule("a", "boost off", "goal any"), rule("b", "boost on", "model m1")
    built = knowledge(broad, narrow)
    assert [(r.when, r.regardless) for r in built.rules if r.name == "a"] == [((), ("goal",))]
    assert messages(broad, narrow) == []


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ('fact room { title "R"; values any, cold; }', "K07"),
        ('setting s { title "S"; layer os; values on, any; }', "K07"),
        (rule("r", "boost off", "goal not any"), "E0202"),
        (rule("r", "boost off", "goal fast or any"), "E0202"),
        (rule("r", "boost off", "goa any, goal fast"), "E0201"),
    ],
)
def test_any_is_not_a_value(statement: str, code: str) -> None:
    with pytest.raises(SetpointError) as refused:
        knowledge(statement)
    assert [d.code for d in refused.value.diagnostics] == [code]


# ----------------------------------------------------------------------------- K09: repetitions


LIBRARY = [
    hazard("jitter", "goal fast, boost off", "severity warning;"),
    rule("quiet", "boost off", "goal cool"),
    constraint("c-low", "mode c", "require fans low or mid"),
]


@pytest.mark.parametrize("again", LIBRARY, ids=["hazard", "rule", "constraint"])
def test_what_a_site_repeats_of_the_library_is_found_at_the_site(again: str) -> None:
    kind, name, *_ = again.split()
    found = with_site(LIBRARY, [again.replace(name, "again")]).findings
    shown = [d for d in found if d.message == f"{kind} `again` repeats `{name}` of the library"]
    assert [(d.code, d.at.file, d.others[0].span.file) for d in shown] == [("K09", "site.tune", "small.tune")]


def test_a_different_statement_of_a_site_is_not_a_repetition() -> None:
    stricter = hazard("again", "goal fast, boost off", "severity error;")
    narrower = hazard("narrow", "goal fast, boost off, model m1", "severity warning;")
    figure = rule("again-r", "boost off", "goal cool", "strength measured;")
    assert [d.message for d in with_site(LIBRARY, [stricter, narrower, figure]).findings] == []


def test_a_site_may_side_with_a_rule_that_the_library_overrides() -> None:
    stronger = rule("stronger", "boost on", "goal cool, model m1", "strength measured;")
    sided = rule("again", "boost off", "goal cool")
    assert [d.message for d in with_site([*LIBRARY, stronger], [sided]).findings] == []


# --------------------------------------------------------------- K07, K09, K15: evidence and editions


def test_a_figure_of_a_machine_that_cannot_be_is_found() -> None:
    third = 'model m3 { title "Three"; implies rack front; }'
    wrong = 'measurement m of paper at "T" { when model m3, rack back; metric speed in "%"; value 3; }'
    found = of_code("K09", third, wrong)
    assert found.message == "measurement `m` has impossible conditions: model m3 contradicts rack back"
    assert messages(third, wrong.replace("rack back", "rack back or front")) == []
    assert messages(third, wrong.replace("rack back", "rack not back")) == []


def test_a_source_that_nothing_cites_is_found() -> None:
    assert messages(LAB) == [("K09", "no statement cites `lab`")]
    assert messages(LAB, rule("r", "boost off", "model m1", source="lab")) == []


def test_an_edition_that_is_older_than_what_it_supersedes_is_found() -> None:
    old = 'source old { title "Old"; publisher "P"; date 2009-07-13; supersedes new; }'
    new = 'source new { title "New"; publisher "P"; date 2010-08-23; }'
    rules = [rule(f"by-{name}", "boost off", "goal fast", source=name) for name in ("old", "new")]
    assert of_code("K15", old, new, *rules).message == "`old` supersedes `new`, which is later"
    swapped = [old.replace("supersedes new; ", ""), new.replace(" }", " supersedes old; }")]
    assert messages(*swapped, *rules) == []


@pytest.mark.parametrize(
    "statement",
    [
        'measurement m of paper at "T" { vary boost on from on; metric speed in "%"; value 3; }',
        'options of paper when model m1 { boost on "Enabled", off "Enabled" default on at "Menu"; }',
    ],
)
def test_what_varies_nothing_and_labels_that_are_the_same_are_refused(statement: str) -> None:
    with pytest.raises(SetpointError) as refused:
        knowledge(statement)
    assert [d.code for d in refused.value.diagnostics] == ["K07"]
