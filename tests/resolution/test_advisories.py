"""Advisories of a plan: their advice consists of the knowledge base's own words."""

import pytest
from proof.both_forms import context
from proof.small import BASE, knowledge, rule

from setpoint.compiler.resolution.resolve import resolve
from support.plans import plan_of_text

GUEST = "or waive this for a virtual machine, which has no firmware settings"


@pytest.mark.parametrize(
    ("values", "advice"),
    [
        ('rack top { title "Top"; }', "state the `model`"),
        ('rack top { title "Top"; implies model m1; }', "state the `model` or the `rack`"),
    ],
)
def test_without_known_firmware_the_missing_facts_are_named(values: str, advice: str) -> None:
    """The facts that every offer of a firmware setting requires, and those that imply them."""
    base = knowledge(values, base=BASE.replace("options of paper {", "options of paper when model m1 {"))
    one = context(base, {"goal": "fast"}, {})
    assert one is not None
    (unspoken,) = [d for d in resolve(base, one).advisories if d.code == "W0304"]
    assert unspoken.help[0] == f"{advice}, {GUEST}"


def test_a_fact_that_is_stated_already_is_not_asked_for() -> None:
    asked = {}
    for policy in ("goal latency", "goal latency; cpu cascade-lake"):
        (unspoken,) = [each for each in plan_of_text(policy).advisories if each.code == "W0304"]
        asked[policy] = unspoken.help[0]
    assert list(asked.values()) == [
        f"state the `platform` or the `cpu`, {GUEST}",
        f"state the `platform`, {GUEST}",
    ]


def test_a_server_known_by_its_family_only_is_described_from_its_registry() -> None:
    """Its policy has stated all that there is to state."""
    (unspoken,) = [d for d in plan_of_text("goal latency; platform r7425").advisories if d.code == "W0304"]
    assert unspoken.help[0] == "`setpoint kb import` describes this server from its BIOS attribute registry"


WORK = 'fact work { title "Work"; role intent; values web, mail, batch; }'
STUDIES = (
    'source mail-study { title "Mail"; publisher "P"; scope work mail; }',
    'source all-but-batch { title "Most"; publisher "P"; scope work not batch; }',
)


@pytest.mark.parametrize(
    ("advice", "about"),
    [
        (rule("for-web", "boost on", "goal fast, work web"), ""),
        (rule("for-mail", "boost on", "goal fast, work mail"), "goal fast, work web: "),
        (rule("for-any", "boost on", "goal fast"), "work web: with goal fast, "),
        (rule("not-mail", "boost on", "goal fast, work not mail"), "work web: with goal fast, "),
        (rule("studied", "boost on", "goal fast", source="all-but-batch"), ""),
        (rule("other-study", "boost on", "goal fast", source="mail-study"), "work web: with goal fast, "),
        (rule("same-goal", "boost on", "goal cool"), "goal fast, work web: "),
        (rule("goal-any", "boost on", "goal any, work web"), "goal fast: with work web, "),
    ],
)
def test_an_intent_that_no_advice_on_firmware_is_about_is_reported(advice: str, about: str) -> None:
    """Advice is about what it names, and about what its source studied, if the policy is in its scope."""
    base = knowledge(WORK, *STUDIES, advice)
    one = context(base, {"goal": "fast", "work": "web"}, {})
    assert one is not None
    found = [d.message for d in resolve(base, one).advisories if d.code == "W0304"]
    expected = f"the firmware is not tuned for {about}no source covers it on this platform"
    assert found == ([expected] if about else [])
