"""The cause of a changed value: the part of the change that causes it is named, whatever its kind."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings

from review.sides import acting_changes, compare, only, run, setting, write
from setpoint.compiler.comparison.entries import PlannedPolicy
from setpoint.compiler.comparison.settings import setting_changes
from setpoint.compiler.comparison.sides import side
from setpoint.compiler.comparison.triggers import with_triggers
from support.effort import examples
from support.policies import Draft, policies

WESTMERE = "cpu westmere; platform r710; os rhel 6.4; workload interactive;"
LAB = 'source lab { title "Tried here"; publisher "HPC lab"; date 2026-05-04; }\n'
SMT_ON = 'rule smt of lab at "LAB-1" { when cpu westmere; use smt on; because "we saw 7% more"; }\n'
POLICY = f"goal balanced; {WESTMERE}"


def test_a_fact(tmp_path: Path) -> None:
    difference = only(compare(tmp_path, f"goal efficiency; {WESTMERE}", f"goal balanced; {WESTMERE}"))
    assert acting_changes(difference)["turbo"] == (
        "off",
        "on",
        "goal is balanced now: dell-11g-hpc, Table 6 (vendor)",
    )
    assert [(f.name, f.old, f.new) for f in difference.facts] == [("goal", "efficiency", "balanced")]


def test_of_several_facts_only_the_one_that_matters(tmp_path: Path) -> None:
    """The interconnect changes as well, and has no part in it."""
    old = f"goal efficiency; {WESTMERE} interconnect infiniband"
    new = f"goal balanced; {WESTMERE} interconnect gigabit-ethernet"
    assert [t.name for t in setting(only(compare(tmp_path, old, new)), "turbo").triggers] == ["goal"]


def test_a_set_with_its_reason_and_what_it_overrides(tmp_path: Path) -> None:
    difference = only(compare(tmp_path, POLICY, f'{POLICY} set turbo off because "jitter, PERF-212"'))
    assert acting_changes(difference) == {
        "turbo": ("on", "off", "set: “jitter, PERF-212”; overrides on (dell-11g-hpc, Table 6)")
    }


def test_a_removed_set_is_named_with_the_new_decision(tmp_path: Path) -> None:
    difference = only(compare(tmp_path, f'{POLICY} set turbo off because "jitter"', POLICY))
    assert acting_changes(difference) == {
        "turbo": ("off", "on", "no longer set (“jitter”): dell-11g-hpc, Table 6 (vendor)")
    }


def test_a_set_of_another_setting(tmp_path: Path) -> None:
    """Firmware C-states off is half of it: the kernel's driver has to be kept from using them."""
    old = "goal performance; workload interactive; platform r720; cpu e5-2690; os rhel 7.9; "
    old += 'set system-profile custom because "try"; set c-states on because "try";'
    new = old.replace("c-states on", "c-states off")
    difference = only(compare(tmp_path, old, new))
    assert acting_changes(difference)["intel-idle"][2].startswith(
        "c-states is set to off now: redhat-202743, Resolution"
    )


def test_a_new_rule_of_the_site(tmp_path: Path) -> None:
    difference = only(compare(tmp_path, POLICY, LAB + SMT_ON + POLICY))
    assert acting_changes(difference) == {
        "smt": ("off", "on", "a new rule: lab, LAB-1 (vendor): we saw 7% more")
    }


def test_a_removed_rule_of_the_site_is_named(tmp_path: Path) -> None:
    difference = only(compare(tmp_path, LAB + SMT_ON + POLICY, POLICY))
    assert acting_changes(difference)["smt"][2].startswith(
        "lab, LAB-1 is gone: dell-11g-hpc, Table 6 (test-first)"
    )


def test_a_changed_rule_of_the_site_is_named(tmp_path: Path) -> None:
    new = LAB + SMT_ON.replace("use smt on", "use smt off") + POLICY
    difference = only(compare(tmp_path, LAB + SMT_ON + POLICY, new))
    assert (
        acting_changes(difference)["smt"][2] == "lab, LAB-1 has changed: lab, LAB-1 (vendor): we saw 7% more"
    )


def test_a_superseding_source(tmp_path: Path) -> None:
    later = LAB.replace("lab {", "lab-2027 {").replace("date", "supersedes lab; date")
    later += SMT_ON.replace("smt of lab at", "smt-2027 of lab-2027 at").replace("use smt on", "use smt off")
    difference = only(compare(tmp_path, LAB + SMT_ON + POLICY, LAB + SMT_ON + later + POLICY))
    assert acting_changes(difference)["smt"][2].startswith("lab-2027 supersedes lab: lab-2027, LAB-1")


def test_manage_all(tmp_path: Path) -> None:
    difference = only(compare(tmp_path, POLICY, f"{POLICY} manage all"))
    assert acting_changes(difference)["swappiness"] == (
        "60",
        "60",
        "everything is written now: vendor default",
    )
    assert {c.kind for c in difference.acting} == {"starts"}


def test_a_value_no_artifact_sets_any_more_stays_on_the_servers(tmp_path: Path) -> None:
    difference = only(compare(tmp_path, f'{POLICY} set virtualization off because "none"', POLICY))
    assert setting(difference, "virtualization").kind == "stops"
    assert "servers keep their current value" in acting_changes(difference)["virtualization"][2]
    assert not difference.reboots


def test_a_profile_that_implies_members_is_named(tmp_path: Path) -> None:
    old = "goal efficiency; platform r720; cpu e5-2690; os rhel 7.9; workload interactive"
    difference = only(compare(tmp_path, old, old.replace("efficiency", "performance")))
    assert setting(difference, "system-profile").kind == "value"
    assert setting(difference, "turbo").kind == "profile"
    assert difference.reboots


def test_only_another_reason(tmp_path: Path) -> None:
    old = f'{POLICY} set turbo off because "jitter"'
    difference = only(compare(tmp_path, old, old.replace("jitter", "jitter, PERF-212")))
    assert difference.acting == ()
    assert setting(difference, "turbo").kind == "reason"


def test_several_parts_that_only_matter_together_are_named(tmp_path: Path) -> None:
    """The rule of the site applies where both facts are true: neither alone changes the value."""
    rule = (
        'rule both of lab at "LAB-2" { when interconnect infiniband, sockets 2; use smt on; because "b"; }\n'
    )
    old = LAB + rule + POLICY + "interconnect gigabit-ethernet; sockets 1"
    new = LAB + rule + POLICY + "interconnect infiniband; sockets 2"
    change = setting(only(compare(tmp_path, old, new)), "smt")
    assert [t.name for t in change.triggers] == ["interconnect", "sockets"]


def test_a_new_rule_and_the_fact_in_its_condition_are_named(tmp_path: Path) -> None:
    """Without either of them the old value returns: both are named."""
    rule = 'rule on-ib of lab at "LAB-3" { when interconnect infiniband; use smt on; because "b"; }\n'
    new = LAB + rule + POLICY + "interconnect infiniband"
    change = setting(only(compare(tmp_path, POLICY + "interconnect gigabit-ethernet", new)), "smt")
    assert [(t.kind, t.name) for t in change.triggers] == [("fact", "interconnect"), ("new-rule", "on-ib")]


def test_a_fact_that_the_site_now_assumes(tmp_path: Path) -> None:
    rule = 'rule on-ib of lab at "LAB-3" { when interconnect infiniband; use smt on; because "b"; }\n'
    assumed = 'assume interconnect infiniband because "all our racks have it";\n'
    change = setting(only(compare(tmp_path, LAB + rule + POLICY, LAB + rule + assumed + POLICY)), "smt")
    assert [(t.kind, t.name, t.new) for t in change.triggers] == [("fact", "interconnect", "infiniband")]


def test_a_new_constraint(tmp_path: Path) -> None:
    forbid = 'constraint cool of lab at "LAB-4" { when cpu westmere, turbo on; forbid; because "heat"; }\n'
    change = setting(only(compare(tmp_path, LAB + POLICY, LAB + forbid + POLICY)), "turbo")
    assert [(t.kind, t.name) for t in change.triggers] == [("new-rule", "cool")]


def test_two_parts_that_are_each_sufficient_are_named(tmp_path: Path) -> None:
    """Undoing one of them does not restore the old value, since the other remains: both are named."""
    rules = "".join(
        f'rule of-{fact} of lab at "LAB-{fact}" {{ when {fact} {value}; use smt on; because "b"; }}\n'
        for fact, value in (("interconnect", "infiniband"), ("sockets", "2"))
    )
    old = LAB + rules + POLICY + "interconnect gigabit-ethernet; sockets 1"
    new = LAB + rules + POLICY + "interconnect infiniband; sockets 2"
    change = setting(only(compare(tmp_path, old, new)), "smt")
    assert [t.name for t in change.triggers] == ["interconnect", "sockets"]


def test_a_set_is_a_sufficient_cause(tmp_path: Path) -> None:
    """The new rule would have had the same effect; the policy's own statement is the cause."""
    change = setting(only(compare(tmp_path, POLICY, LAB + SMT_ON + POLICY + 'set smt on because "x"')), "smt")
    assert [(t.kind, t.name) for t in change.triggers] == [("set", "smt")]


def test_a_bundle_says_what_its_plan_can(tmp_path: Path) -> None:
    """There is nothing to plan again: facts that differ are named, all of them."""
    from setpoint.compiler.comparison.differences import differences

    write(tmp_path / "old", f"goal efficiency; {WESTMERE}")
    write(tmp_path / "new", f"goal balanced; {WESTMERE}")
    ran = run("compile", "old/policy.tune", "-o", "bundle", folder=tmp_path)
    assert ran.status == 0, ran.err
    old, new = side(str(tmp_path / "bundle"), "", ""), side(str(tmp_path / "new/policy.tune"), "", "")
    difference = only(differences(old, new))
    assert acting_changes(difference)["turbo"] == (
        "off",
        "on",
        "goal is balanced now: dell-11g-hpc, Table 6 (vendor)",
    )
    assert "syscfg" in [a.target for a in difference.artifacts]


@settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(old=policies(), new=policies())
def test_every_value_that_changes_names_a_part_of_the_change(old: Draft, new: Draft) -> None:
    """And each named part is one: it is stated or set differently on the two sides."""
    with tempfile.TemporaryDirectory() as folder:
        entries: list[PlannedPolicy] = []
        for name, draft in (("old", old), ("new", new)):
            place = write(Path(folder) / name, draft.text)
            entries.extend(entry.planned() for entry in side(str(place), "", "").entries.values())
    before, after = entries
    assume(before.origin is not None and after.origin is not None)
    changes = setting_changes(before.settings, after.settings)
    for change in with_triggers(changes, before, after, ()):
        if change.kind == "reason":
            continue
        assert change.triggers, change
        for part in change.triggers:
            assert part.old != part.new
            for draft, value in ((old, part.old), (new, part.new)):
                start = f"set {part.name} {value} " if part.kind == "set" else f"{part.name} {value}"
                assert (
                    not value or part.kind == "manage" or any(s.startswith(start) for s in draft.statements)
                )


@pytest.mark.parametrize("kind", ["fact", "set"])
def test_without_a_change_there_is_no_difference(tmp_path: Path, kind: str) -> None:
    text = POLICY + (' set turbo off because "x"' if kind == "set" else "")
    assert compare(tmp_path, text, text).differences == ()
