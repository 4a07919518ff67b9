"""Written settings under profiles that are known in part, or by several tables.

Found by the comparison with the second implementation (`tests/meaning`).
"""

from proof.both_forms import context
from proof.small import constraint, knowledge, rule

from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.resolution.resolve import resolve

BASE = """
fact goal { title "Goal"; role intent; required; values fast, cool; }
fact model { title "Model"; values m1, m2; }
source paper { title "Paper"; publisher "P"; }
setting boost { title "Boost"; layer firmware; values on, off; }
setting fans { title "Fans"; layer firmware; values low, high; }
setting profile { title "Profile"; layer firmware; values quiet, cold, own; }
options of paper {
    boost on, off default on at "Menu";
    profile quiet, cold, own DEFAULT at "Menu";
}
"""


def with_default(default: str, *statements: str) -> Knowledge:
    """The knowledge base with this default of the profile."""
    return knowledge(*statements, base=BASE.replace("DEFAULT", f"default {default}"))


def planned(base: Knowledge, *, manage_all: bool = False, **sets: str) -> Plan:
    """The plan of a policy with the goal `fast` for an m1."""
    one = context(base, {"goal": "fast", "model": "m1"}, sets)
    assert one is not None
    return resolve(base, one._replace(manage_all=manage_all))


def fates(plan: Plan) -> dict[str, str]:
    """Each setting with its value and why it is not written."""
    return {d.setting: f"{d.value} {d.unwritten or 'written'}" for d in plan.settings}


def test_a_forced_member_that_may_be_locked_is_not_written() -> None:
    base = with_default(
        "own",
        'preset "Menu" of paper { profile cold; boost on; }',
        constraint("no-other", "profile own", "require boost on"),
    )
    assert fates(planned(base, profile="own")) == {"boost": "on unknown", "profile": "own written"}


LOCK = constraint("lock", "fans low", "require boost off")
"""As registries have it: with quiet fans the firmware sets the other setting. No default of the fans is known."""


def test_a_constraint_between_settings_that_nobody_asks_for_writes_neither() -> None:
    """The default of one leaves the other a single value, which a server that was never changed has."""
    base = with_default("unknown", 'options of paper { fans low, high default unknown at "Menu"; }', LOCK)
    assert fates(planned(base))["fans"] == "high default"
    assert fates(planned(base, boost="on"))["fans"] == "high written"
    assert fates(planned(base, boost="off"))["fans"] == "low default"


def test_a_setting_with_one_possible_value_is_written_if_a_recommendation_or_facts_lead_to_it() -> None:
    offer = 'options of paper { fans low, high default unknown at "Menu"; }'
    advised = with_default("unknown", offer, LOCK, rule("boost", "boost on", "goal fast"))
    by_facts = with_default("unknown", offer, constraint("hot", "model m1", "require fans high"))
    through_another = with_default(
        "unknown",
        offer,
        constraint("hot", "model m1", "require fans high"),
        constraint("own", "fans high", "require profile own"),
    )
    assert fates(planned(advised))["fans"] == "high written"
    assert fates(planned(by_facts))["fans"] == "high written"
    assert fates(planned(through_another))["profile"] == "own written"


def test_a_member_without_another_value_is_not_written() -> None:
    base = with_default(
        "own",
        'preset "Menu" of paper { profile cold; boost on; }',
        constraint("no-other", "boost off", "forbid"),
        rule("own-profile", "profile own", "goal fast"),
    )
    assert fates(planned(base)) == {"boost": "on default", "profile": "own written"}


def test_what_one_table_fixes_is_not_free_because_another_frees_it() -> None:
    tables = (
        'preset "Menu" of paper { profile cold own; boost free free; }',
        'preset "Manual" of paper when model m1 { profile cold; boost off; }',
    )
    for statements in (tables, tables[::-1]):
        plan = planned(with_default("own", *statements), profile="cold")
        assert fates(plan) == {"boost": "off locked", "profile": "cold written"}


def test_tables_of_one_place_that_agree_are_read_whatever_they_have_in_common() -> None:
    tables = (
        'preset "Menu" of paper { profile cold; boost on; }',
        'preset "Menu" of paper { profile cold; fans low; }',
    )
    for statements in (tables, tables[::-1]):
        assert fates(planned(with_default("own", *statements)))["profile"] == "own default"


def test_manage_all_writes_no_profile_without_a_known_default() -> None:
    base = with_default("unknown", 'preset "Menu" of paper { profile cold own; fans low free; }')
    assert fates(planned(base, manage_all=True))["profile"] == "quiet default"


def test_a_profile_is_written_where_its_default_cannot_be() -> None:
    base = with_default(
        "quiet",
        'preset "Menu" of paper { profile cold own; fans low free; }',
        constraint("not-quiet", "boost off", "require profile not quiet"),
    )
    assert fates(planned(base, boost="off"))["profile"] == "cold written"
    assert fates(planned(base))["profile"] == "quiet default"
