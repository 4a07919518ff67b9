"""Profiles: the members that they fix, free or leave unknown; which one is derived; and what is written under it."""

import pytest
from proof.both_forms import context, set_valued, single
from proof.small import constraint, knowledge, rule

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.proof.analysis import Analyses
from setpoint.compiler.resolution.resolve import resolve

MENU = """
fact goal { title "Goal"; role intent; required; values fast, cool; }
fact model { title "Model"; values m1, m2; }
source paper { title "Paper"; publisher "P"; }
source other { title "Another"; publisher "P"; }
setting boost { title "Boost"; layer firmware; values on, off; }
setting fans { title "Fans"; layer firmware; values low, mid, high; }
setting profile { title "Profile"; layer firmware; values quiet, cold, own; }
options of paper {
    boost on, off default on at "Menu";
    fans low, mid, high default mid at "Menu";
    profile quiet, cold, own DEFAULT at "Menu";
}
"""
COMPLETE = 'preset "Menu" of paper { profile quiet cold own; boost off on free; fans low high free; }'
ONLY_COLD = 'preset "Menu" of paper { profile cold; boost on; fans high; }'


def menu(default: str, *statements: str) -> Knowledge:
    return knowledge(*statements, base=MENU.replace("DEFAULT", f"default {default}"))


def planned(base: Knowledge, **sets: str) -> Plan:
    """The plan of a policy with the goal `fast`; both forms have its values."""
    one = context(base, {"goal": "fast"}, sets)
    assert one is not None
    result = single(base, one)
    assert set_valued(Analyses(base), one) == result
    return resolve(base, one)


def values(plan: Plan) -> dict[str, str]:
    return {d.setting: d.value for d in plan.settings}


def unwritten(plan: Plan) -> dict[str, str]:
    return {d.setting: d.unwritten for d in plan.settings}


# ------------------------------------------------------------------------------------------------------ derived


@pytest.mark.parametrize("default", ["own", "quiet", "unknown"])
def test_the_named_profile_that_fixes_just_the_members_is_derived_whatever_the_default_is(
    default: str,
) -> None:
    """Also where the vendor's default is the profile that leaves the members free."""
    plan = planned(
        menu(default, COMPLETE, rule("cold", "fans high", "goal fast"), rule("on", "boost on", "goal fast"))
    )
    assert values(plan) == {"boost": "on", "fans": "high", "profile": "cold"}
    assert unwritten(plan) == {"boost": "locked", "fans": "locked", "profile": ""}


@pytest.mark.parametrize("default", ["own", "quiet"])
def test_without_a_matching_named_profile_the_freeing_one_is_derived(default: str) -> None:
    plan = planned(
        menu(default, COMPLETE, rule("cold", "fans high", "goal fast"), rule("off", "boost off", "goal fast"))
    )
    assert values(plan) == {"boost": "off", "fans": "high", "profile": "own"}
    assert unwritten(plan) == dict.fromkeys(("boost", "fans", "profile"), "")


def test_without_advice_the_default_stays_and_nothing_is_written() -> None:
    plan = planned(menu("own", COMPLETE, rule("other", "fans high", "goal cool")))
    assert values(plan) == {"boost": "on", "fans": "mid", "profile": "own"}
    assert set(unwritten(plan).values()) == {"default"}


def test_setting_a_value_that_holds_anyway_changes_no_profile() -> None:
    base = menu(
        "own", 'preset "Menu" of paper { profile quiet cold own; boost off on free; fans low mid free; }'
    )
    assert values(planned(base)) == values(planned(base, fans="mid")) == values(planned(base, boost="on"))


def test_under_a_freeing_default_only_requested_members_are_written() -> None:
    plan = planned(menu("own", COMPLETE, rule("low", "fans low", "goal fast")))
    assert unwritten(plan) == {"boost": "default", "fans": "", "profile": ""}


def test_a_member_without_a_known_default_is_not_written_as_the_first_offered() -> None:
    base = knowledge(
        COMPLETE,
        rule("own", "profile own", "goal fast"),
        base=MENU.replace("DEFAULT", "default unknown").replace("default mid", "default unknown"),
    )
    assert unwritten(planned(base)) == {"boost": "", "fans": "default", "profile": ""}


# ------------------------------------------------------------------------------------------- unknown is not free


def test_a_value_without_a_column_is_not_free() -> None:
    """A site that only knows what `cold` locks: under `quiet`, the default, the boost may be locked."""
    plan = planned(menu("quiet", ONLY_COLD, rule("off", "boost off", "goal fast")))
    assert unwritten(plan)["boost"] == "unknown"
    (warning,) = (d for d in plan.advisories if d.code == "W0306")
    assert warning.message == "`boost off` will not be set, although it is recommended: a profile may lock it"
    assert warning.notes == ("no source says whether profile quiet locks it",)


def test_setting_a_member_that_may_be_locked_is_an_error() -> None:
    judged = judge(planned(menu("quiet", ONLY_COLD), boost="off"))
    assert [d.code for d in judged.diagnostics.errors] == ["E0505"]


def test_an_empty_cell_is_as_unknown_as_a_missing_column() -> None:
    table = 'preset "Menu" of paper { profile quiet cold own; boost _ on _; fans low high free; }'
    assert (
        unwritten(planned(menu("quiet", table, rule("off", "boost off", "goal fast"))))["boost"] == "unknown"
    )


def test_a_profile_with_known_effects_comes_before_one_without() -> None:
    table = 'preset "Menu" of paper { profile cold own; boost on free; fans high free; }'
    plan = planned(menu("quiet", table, rule("off", "boost off", "goal fast")))
    assert (values(plan)["profile"], unwritten(plan)["boost"]) == ("own", "")


# ------------------------------------------------------------------------------------------------ several tables


AGREEING = (
    'preset "A" of paper { profile quiet; boost off; }',
    'preset "B" of other { profile quiet cold; boost off on; fans low high; }',
)


def test_tables_that_agree_are_combined_and_cited_in_one_order() -> None:
    quiet = rule("quiet", "profile quiet", "goal fast")
    plan, other = planned(menu("own", *AGREEING, quiet)), planned(menu("own", *AGREEING[::-1], quiet))
    assert values(plan) == {"boost": "off", "fans": "low", "profile": "quiet"}
    assert [[c.citation for c in d.because] for d in plan.settings] == [
        [c.citation for c in d.because] for d in other.settings
    ]


@pytest.mark.parametrize("cell", ["on", "free"])
def test_tables_under_one_condition_that_disagree_are_refused(cell: str) -> None:
    with pytest.raises(SetpointError) as caught:
        menu("own", AGREEING[0], f'preset "B" of other {{ profile quiet; boost {cell}; }}')
    (error,) = caught.value.diagnostics
    assert (error.code, error.message) == (
        "K07",
        "two tables disagree on what `profile quiet` does to `boost`",
    )


# ------------------------------------------------------------------------------- constraints and absent settings


@pytest.mark.parametrize("condition", ["fans low", "fans not high"])
def test_a_constraint_does_not_apply_where_a_setting_it_names_is_absent(condition: str) -> None:
    """Even if it names the setting with `not`, which an absent setting satisfies elsewhere."""
    without_fans = MENU.replace('    fans low, mid, high default mid at "Menu";\n', "")
    base = knowledge(
        constraint("c", condition, "require boost off"), base=without_fans.replace("DEFAULT", "default own")
    )
    assert values(planned(base))["boost"] == "on"


# ----------------------------------------------------------------------------------------------- offers in doubt


def test_two_offers_of_which_neither_is_narrower_are_an_error() -> None:
    base = menu(
        "own",
        'options of paper when goal fast { boost on default on at "One"; }',
        'options of other when model m1 { boost off default off at "Two"; }',
    )
    one = context(base, {"goal": "fast", "model": "m1"}, {})
    assert one is not None
    assert single(base, one).code == "E0304"
    one = context(base, {"goal": "cool", "model": "m1"}, {})
    assert one is not None
    assert single(base, one).values["boost"] == "off"


# --------------------------------------------------------------------------------------------- one of several values

EITHER = 'preset "Menu" of paper { profile quiet cold own; boost off on free; fans low or mid high free; }'
"""Quiet leaves the fans low or in the middle, and counts as fixing them at low."""


@pytest.mark.parametrize(
    ("fans", "derived"),
    [
        ("low", "quiet"),
        ("mid", "own"),  # the second value is none that the profile is known to set
        ("high", "own"),
    ],
)
def test_of_several_values_a_profile_fixes_the_first(fans: str, derived: str) -> None:
    advice = (rule("boost", "boost off", "goal fast"), rule("fans", f"fans {fans}", "goal fast"))
    plan = planned(menu("own", EITHER, *advice))
    assert values(plan) == {"boost": "off", "fans": fans, "profile": derived}


def test_a_policy_that_sets_a_profile_and_the_second_value_of_a_cell_is_in_conflict() -> None:
    base = menu("own", EITHER)
    assert values(planned(base, profile="quiet", fans="low"))["fans"] == "low"
    with pytest.raises(SetpointError) as raised:
        resolve(
            base,
            *(one for one in [context(base, {"goal": "fast"}, {"profile": "quiet", "fans": "mid"})] if one),
        )
    assert {each.code for each in raised.value.diagnostics} == {"E0301"}
