"""Levels of a policy: the file, the extended policy, the policy, its group, its host; the narrower one wins and is
reported.
"""

from typing import Any

import pytest
from proof.small import BASE, knowledge

from setpoint.compiler.binding.levels import candidates
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import Planned, Selection, planned
from support.policies import vocabulary

FLEET = """
goal latency; cpu westmere; set smt on because "the file";
for group compute { set smt off because "the group"; set turbo off because "the group"; }
for host c042     { set turbo on because "the host"; }
"""


def plans(text: str, **choice: Any) -> dict[str, Planned]:
    """All that a text asks to plan under this choice, by name."""
    return {
        done.subject.name: done for done in planned(program_of_text(text), vocabulary(), Selection(**choice))
    }


def plan(text: str, **choice: Any) -> Planned:
    """The one thing that a text asks to plan, under this choice."""
    (done,) = plans(text, **choice).values()
    assert done.plan is not None, [d.message for d in done.findings]
    return done


def sets(done: Planned) -> dict[str, tuple[str, str]]:
    """The settings that a plan has from `set`s: their values and their reasons."""
    assert done.plan is not None
    return {d.setting: (d.value, d.because[0].because) for d in done.plan.settings if d.origin == "set"}


def overrides(done: Planned) -> list[str]:
    return [d.message for d in done.findings if d.code == "W0305"]


# --------------------------------------------------------------------------------- groups and hosts


def test_a_host_beats_its_group_and_the_group_beats_the_file() -> None:
    assert sets(plans(FLEET)["policy"]) == {"smt": ("on", "the file")}
    assert sets(plan(FLEET, group="compute")) == {"smt": ("off", "the group"), "turbo": ("off", "the group")}
    assert sets(plan(FLEET, group="compute", host="c042")) == {
        "smt": ("off", "the group"),
        "turbo": ("on", "the host"),
    }


def test_each_override_is_reported_with_both_places() -> None:
    assert overrides(plans(FLEET)["policy"]) == []
    found = [d for d in plan(FLEET, group="compute", host="c042").findings if d.code == "W0305"]
    assert [(d.message, d.at.line, d.others[0].span.line) for d in found] == [
        ("`set smt off` applies to group compute: it overrides what a wider scope says", 3, 2),
        ("`set turbo on` applies to host c042: it overrides what a wider scope says", 4, 3),
    ]


def test_restating_a_value_is_not_an_override() -> None:
    assert overrides(plan(FLEET + 'for group same { set smt on because "again" }', group="same")) == []


def test_without_a_choice_each_group_is_planned_and_the_file_if_it_has_a_goal() -> None:
    text = "cpu westmere; for group compute { goal performance } for group login { goal balanced }"
    assert set(plans(text)) == {"policy-compute", "policy-login"}
    assert set(plans("goal latency;" + text)) == {"policy", "policy-compute", "policy-login"}


IN_GROUPS = """
cpu westmere;
for group compute { goal performance; } for group login { goal balanced; }
for host c042 in compute { set turbo off because "the host"; }
for host spare { set smt on because "the host"; }
"""


def test_a_host_is_in_the_group_that_the_policy_puts_it_into() -> None:
    assert plan(IN_GROUPS, host="c042").subject.name == "policy-compute-c042"
    assert plan(IN_GROUPS, host="c042", group="compute").subject.name == "policy-compute-c042"
    with pytest.raises(SetpointError) as caught:
        plans(IN_GROUPS, host="c042", group="login")
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [
        ("E0210", "host `c042` is in group `compute`, not in `login`")
    ]


def test_a_host_without_a_group_can_be_in_any() -> None:
    body = program_of_text(IN_GROUPS).body
    found = [each for candidate in candidates(body, "policy") for each in candidate.hosts()]
    assert [(each.policy, each.group, each.host) for each in found] == [
        ("policy", "compute", "c042"),
        ("policy", "compute", "spare"),
        ("policy", "login", "spare"),
        ("policy", "", "spare"),
    ]


@pytest.mark.parametrize(
    ("block", "code", "message"),
    [
        ("for host c042 in compte { }", "E0206", "unknown group `compte`"),
        ("for group login in compute { }", "E0210", "`group login` cannot be in another group"),
        ("for host c042 in login { }", "E0210", "host `c042` is in two groups, `compute` and `login`"),
    ],
)
def test_what_is_wrong_with_a_group_is_said(block: str, code: str, message: str) -> None:
    with pytest.raises(SetpointError) as caught:
        plans(IN_GROUPS + block)
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [(code, message)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (IN_GROUPS + "for host C042 { }", "`host C042` and `host c042` differ only in case"),
        (IN_GROUPS + "for group LogIn { }", "`group LogIn` and `group login` differ only in case"),
        ("policy web { } policy Web { }", "`policy Web` and `policy web` differ only in case"),
        (
            "policy a-B { goal latency; } policy a { for group b { goal latency; } }",
            "`a-b` and `a-B` differ only in case",
        ),
    ],
)
def test_names_that_differ_only_in_case_are_an_error(text: str, message: str) -> None:
    with pytest.raises(SetpointError) as caught:
        plans(text)
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [("E0211", message)]


def test_a_group_may_have_the_name_of_a_host_in_another_case() -> None:
    """They are not in one namespace: only a bundle's name must be the only one."""
    assert plans(IN_GROUPS + "for group C042 { goal latency; }", group="C042").keys() == {"policy-C042"}


def test_a_scope_narrows_facts_as_well() -> None:
    done = plan("goal latency; cpu westmere; for group new { cpu skylake }", group="new")
    assert done.plan is not None
    assert done.plan.fact("platform") == "poweredge-14g"
    assert overrides(done) == ["`cpu skylake` applies to group new: it overrides what a wider scope says"]


def test_scopes_of_one_name_are_one_level() -> None:
    text = 'goal latency; cpu westmere; for group a { set smt on because "x" } for group a { set smt off because "y" }'
    (done,) = plans(text, group="a").values()
    assert [d.code for d in done.findings] == ["E0302"]


@pytest.mark.parametrize(
    ("choice", "message", "meant"),
    [
        ({"group": "compte"}, "unknown group `compte`", "did you mean `compute`?"),
        ({"host": "c043"}, "unknown host `c043`", "known: c042"),  # another number is another host
        ({"group": "compute", "host": "d042"}, "unknown host `d042`", "known: c042"),
    ],
)
def test_a_group_or_host_without_a_block_is_an_error(
    choice: dict[str, str], message: str, meant: str
) -> None:
    """A misspelt name would lose its statements."""
    with pytest.raises(SetpointError) as raised:
        plans(FLEET, **choice)
    (found,) = raised.value.diagnostics
    assert (found.code, found.message, found.help[0]) == ("E0206", message, meant)
    assert f"leave `--{list(choice)[-1]}` out" in found.help[1]


def test_a_host_is_looked_for_where_the_group_is() -> None:
    text = """
    policy grouped { goal latency; cpu westmere; for group g1 { set smt on because "the group"; } }
    policy hosted { goal latency; cpu westmere; for host h1 { set smt on because "the host"; } }
    """
    assert list(plans(text, host="h1")) == ["hosted-h1"]
    with pytest.raises(SetpointError, match="unknown host `h1`"):
        plans(text, group="g1", host="h1")


def test_a_group_is_looked_for_in_the_policies_that_have_it() -> None:
    text = """
    policy plain { goal latency; cpu westmere; }
    policy grouped { goal latency; cpu westmere; for group g1 { set smt on because "the group"; } }
    """
    assert list(plans(text, group="g1")) == ["grouped-g1"]


def test_what_would_have_one_name_is_an_error() -> None:
    text = """
    policy a { goal latency; cpu westmere; for group b { set smt on because "the group"; } }
    policy a-b { goal efficiency; cpu westmere; }
    """
    with pytest.raises(SetpointError, match="group b of policy a and policy a-b have the same name `a-b`"):
        plans(text)


def test_a_narrower_waiver_replaces_a_wider_one() -> None:
    text = """
    goal efficiency; cpu westmere; set turbo on because "OPS-77";
    accept turbo-vs-efficiency because "OPS-77" until 2026-06-30;
    for host c042 { accept turbo-vs-efficiency because "OPS-99" until 2027-06-30; }
    """
    (file,) = plans(text, today="2027-01-01").values()
    assert [d.code for d in file.findings.errors] == ["E0401"]
    (host,) = plans(text, host="c042", today="2027-01-01").values()
    assert host.plan is not None
    assert [w.because for w in host.plan.waivers] == ["OPS-99"]
    assert overrides(host) == [
        "`accept turbo-vs-efficiency` applies to host c042: it overrides what a wider scope says"
    ]


# ----------------------------------------------------------------------------------------- extends


CHAIN = """
cpu westmere; set smt on because "the file";
policy base { goal latency; set smt off because "base"; set c1e on because "base"; set turbo on because "base"; }
policy mid extends base { goal balanced; set c1e off because "mid"; }
policy leaf extends mid { set turbo off because "leaf"; for group g { set turbo on because "g"; } }
"""


def test_a_policy_beats_what_it_extends_level_by_level() -> None:
    done = plans(CHAIN, policy="leaf")["leaf"]
    assert sets(done) == {"smt": ("off", "base"), "c1e": ("off", "mid"), "turbo": ("off", "leaf")}
    assert done.plan is not None
    assert done.plan.fact("goal") == "balanced"


def test_each_level_reports_what_it_replaces() -> None:
    assert overrides(plan(CHAIN, policy="leaf", group="g")) == [
        "`set smt off` applies to policy base: it overrides what a wider scope says",
        "`goal balanced` applies to policy mid: it overrides what a wider scope says",
        "`set c1e off` applies to policy mid: it overrides what a wider scope says",
        "`set turbo off` applies to policy leaf: it overrides what a wider scope says",
        "`set turbo on` applies to group g: it overrides what a wider scope says",
    ]


def test_a_policy_inherits_the_scopes_of_its_base() -> None:
    text = 'policy base { goal latency; cpu westmere; for group g { set smt on because "g" } } policy leaf extends base { }'
    assert sets(plan(text, policy="leaf", group="g")) == {"smt": ("on", "g")}


def test_every_policy_of_a_file_is_planned_unless_one_is_chosen() -> None:
    assert set(plans(CHAIN)) == {"base", "mid", "leaf", "leaf-g"}
    assert set(plans(CHAIN, policy="mid")) == {"mid"}


def test_an_error_in_one_policy_does_not_hide_another() -> None:
    done = plans("policy good { goal latency; cpu westmere } policy bad { goal latency; cpu westmer }")
    assert done["good"].plan is not None
    assert [d.code for d in done["bad"].findings] == ["E0202"]


def test_the_knowledge_base_determines_the_required_facts() -> None:
    """A policy with groups is planned separately if it states the required facts, whatever their names."""
    base = knowledge(base=BASE.replace("fact goal", "fact purpose"))
    outside = planned(program_of_text("purpose fast; for group a { model m1; }"), base)
    assert [done.subject.name for done in outside] == ["policy", "policy-a"]
    inside = planned(program_of_text("model m1; for group a { purpose fast; }"), base)
    assert [done.subject.name for done in inside] == ["policy-a"]
    assert inside[0].plan is not None
    (missing,) = planned(program_of_text("model m1"), base)[0].findings
    assert missing.message == "policy `policy` has no purpose"
