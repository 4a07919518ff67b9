"""Differences that are not changes: another order, another layout, another name, another file. And those that are."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from review.sides import acting_changes, compare, only
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.plan.difference import BuildError
from setpoint.compiler.render.difference import comparison_text
from setpoint.compiler.render.difference_markdown import comparison_markdown
from setpoint.compiler.render.difference_words import headline
from support.command import setpoint
from support.effort import examples
from support.policies import Draft, policies

QUICK = settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

FLEET = """\
cpu westmere; platform r710; os rhel 6.4;
for group compute { goal performance; workload cpu-bound; }
for group login { goal balanced; workload interactive; }
for host c042 { set turbo off because "runs hot, HW-881"; }
"""


@QUICK
@given(draft=policies(), data=st.data())
def test_order_layout_and_names_are_not_changes(draft: Draft, data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(draft.statements))
    text = "".join(f"{s}\n;  # {data.draw(st.sampled_from(['so', '', 'it is']))}\n" for s in shuffled)
    other = format_source(SourceText("other.tune", f"policy other {{ {text} }}"))
    with tempfile.TemporaryDirectory() as folder:
        found = compare(
            Path(folder), {"one.tune": f"policy one {{ {draft.text} }}"}, {"sub/other.tune": other}
        )
    assert found.differences == ()


def test_the_order_of_policies_and_files_is_not_a_change(tmp_path: Path) -> None:
    one, two = "policy one { goal latency; cpu westmere }", "policy two { goal balanced; cpu westmere }"
    assert compare(tmp_path, f"{one}\n{two}", {"x.tune": two, "a.tune": one}).differences == ()


def test_an_included_file_belongs_to_the_including_one(tmp_path: Path) -> None:
    rest = 'set turbo off because "x";'
    old = {"a.tune": f"goal latency; cpu westmere; {rest}"}
    new = {"a.tune": 'goal latency; cpu westmere; include "parts/rest.tune";', "parts/rest.tune": rest}
    assert compare(tmp_path, old, new).differences == ()


def test_a_renamed_policy_with_a_change_is_one_policy(tmp_path: Path) -> None:
    old = "policy one { goal latency; cpu westmere }"
    new = 'policy two { goal latency; cpu westmere; set turbo off because "x" }'
    difference = only(compare(tmp_path, old, new))
    assert (difference.policy, difference.was, difference.status) == ("two", "one", "changed")
    assert list(acting_changes(difference)) == ["turbo"]


def test_policies_that_come_and_go(tmp_path: Path) -> None:
    one, two = "policy one { goal latency; cpu westmere }", "policy two { goal balanced; cpu westmere }"
    added = only(compare(tmp_path / "1", one, f"{one}\n{two}"))
    assert (added.policy, added.status) == ("two", "added")
    assert acting_changes(added)["turbo"] == ("", "on", "dell-11g-hpc, Table 6 (vendor)")
    removed = only(compare(tmp_path / "2", f"{one}\n{two}", one))
    assert (removed.policy, removed.status) == ("two", "removed")
    assert not removed.hazards


def test_two_policies_of_one_name_keep_apart_by_their_files(tmp_path: Path) -> None:
    text = "policy web { goal latency; cpu westmere }"
    changed = text.replace("latency", "balanced")
    old, new = {"a.tune": text, "b.tune": text}, {"a.tune": text, "b.tune": changed}
    assert only(compare(tmp_path, old, new)).policy == "b/web"


def test_a_base_without_a_goal_is_not_a_separate_policy(tmp_path: Path) -> None:
    base = "policy base { cpu westmere } policy web extends base { goal balanced }"
    assert compare(tmp_path, base, base.replace("westmere", "westmere; sockets 2")).policies == 1


# ------------------------------------------------------------------------------------ groups and hosts


def test_a_group_changes_alone(tmp_path: Path) -> None:
    difference = only(compare(tmp_path, FLEET, FLEET.replace("goal balanced", "goal efficiency")))
    assert difference.policy == "policy-login"


def test_a_group_of_another_name_is_another_group(tmp_path: Path) -> None:
    """Its name selects servers, as a host's does: those of the old one lose its statements."""
    renamed = FLEET.replace("group login", "group frontend")
    found = compare(tmp_path / "1", FLEET, renamed).differences
    assert {(d.policy, d.status) for d in found} >= {
        ("policy-frontend", "added"),
        ("policy-login", "removed"),
    }
    (tmp_path / "fleet.tune").write_text(FLEET, encoding="utf-8")
    assert setpoint("compile", "fleet.tune", "-o", "fleet", cwd=tmp_path).status == 0
    (tmp_path / "fleet.tune").write_text(renamed, encoding="utf-8")
    assert "Policy fleet-login is gone" in setpoint("diff", "fleet", "fleet.tune", cwd=tmp_path).out


def test_a_file_of_another_name_has_the_same_groups(tmp_path: Path) -> None:
    assert compare(tmp_path, {"fleet.tune": FLEET}, {"servers.tune": FLEET}).differences == ()


def test_a_host_of_another_name_is_another_host(tmp_path: Path) -> None:
    found = compare(tmp_path, FLEET, FLEET.replace("c042", "c043")).differences
    assert {d.policy for d in found} >= {"policy-login-c042", "policy-login-c043"}


def test_a_change_for_one_host_is_a_change(tmp_path: Path) -> None:
    """In every group, since only the inventory knows which one the host is in."""
    new = FLEET.replace('HW-881";', 'HW-881"; set smt on because "HW-882";')
    found = compare(tmp_path, FLEET, new)
    assert [d.policy for d in found.differences] == ["policy-compute-c042", "policy-login-c042"]
    assert all(list(acting_changes(d)) == ["smt"] for d in found.differences)


def test_changes_for_a_group_are_not_repeated_for_its_hosts(tmp_path: Path) -> None:
    new = FLEET.replace("os rhel 6.4;", 'os rhel 6.4; set smt on because "OPS-1";')
    assert [d.policy for d in compare(tmp_path, FLEET, new).differences] == ["policy-compute", "policy-login"]


def test_a_block_for_a_host_that_was_added_or_removed(tmp_path: Path) -> None:
    without = FLEET.replace('for host c042 { set turbo off because "runs hot, HW-881"; }', "")
    come = compare(tmp_path / "1", without, FLEET).differences
    assert [acting_changes(d)["turbo"][:2] for d in come] == [("on", "off"), ("on", "off")]
    gone = compare(tmp_path / "2", FLEET, without).differences
    assert [acting_changes(d)["turbo"][:2] for d in gone] == [("off", "on"), ("off", "on")]


def test_an_error_in_a_block_for_a_host_is_found_by_check(tmp_path: Path) -> None:
    (tmp_path / "fleet.tune").write_text(FLEET.replace("set turbo", "set trubo"))
    ran = setpoint("check", str(tmp_path))
    assert ran.status == 1
    assert ran.out.count("did you mean `turbo`?") == 1


def test_check_does_not_repeat_findings_of_a_group_for_its_hosts(tmp_path: Path) -> None:
    (tmp_path / "fleet.tune").write_text(FLEET.partition("for host")[0])
    without = setpoint("check", str(tmp_path)).out
    (tmp_path / "fleet.tune").write_text(FLEET)
    assert (
        setpoint("check", str(tmp_path)).out.count("warning[") == without.count("warning[") + 1
    )  # W0302, of the host


def test_a_block_for_a_host_is_checked_in_its_own_policy_and_in_no_other(tmp_path: Path) -> None:
    (tmp_path / "fleet.tune").write_text(
        """
        policy grouped { goal latency; cpu westmere; for group g1 { set c1e off because "the group"; } }
        policy hosted { goal latency; cpu westmere; for host h1 { set turbo off because "the host"; } }
        """
    )
    ran = setpoint("check", str(tmp_path))
    assert (ran.status, ran.out.count("W0302]: `turbo` will be `off`")) == (0, 1)


# -------------------------------------------------------------------------------------------- errors


def test_a_file_that_cannot_be_read_any_more_is_named_once(tmp_path: Path) -> None:
    """Its policies are not reported as removed."""
    old = {"a.tune": "policy one { goal latency; cpu westmere } policy two { goal balanced; cpu westmere }"}
    difference = only(compare(tmp_path, old, {"a.tune": old["a.tune"].replace("cpu westmere }", "cpu; }")}))
    assert (difference.policy, difference.status) == ("a.tune", "broken")
    assert difference.errors[0].text.startswith("E0101: ")
    assert difference.errors[0].with_place.endswith(f"({tmp_path}/new/a.tune:1)")


def test_a_policy_that_no_longer_compiles_and_one_that_does_again(tmp_path: Path) -> None:
    good, bad = "goal latency; cpu westmere", "goal latncy; cpu westmere"
    broken = only(compare(tmp_path / "1", good, bad))
    assert (broken.status, broken.stops) == ("broken", True)
    file = str(tmp_path / "1/new/policy.tune")
    assert broken.errors == (BuildError("E0202: `goal` has no value `latncy`", file, 1),)
    mended = only(compare(tmp_path / "2", bad, good))
    assert (mended.status, mended.stops) == ("fixed", False)


def test_a_policy_that_never_compiled_is_not_reported_as_broken(tmp_path: Path) -> None:
    good, bad = "goal latency; cpu westmere", "goal latncy; cpu westmere"
    found = compare(tmp_path, {"w1.tune": good}, {"w1.tune": good, "w3.tune": bad})
    assert headline(found) == "1 policy is new; w3 does not compile."
    other = compare(tmp_path / "other", {"w1.tune": bad}, {"w1.tune": bad.replace("latncy", "latecny")})
    assert headline(other) == "1 policy changes; w1 does not compile."
    assert only(other).status == "changed"


def test_a_hazard_that_stops_before_and_after_breaks_nothing(tmp_path: Path) -> None:
    stopped = 'goal efficiency; cpu westmere; set turbo on because "x";'
    found = compare(tmp_path, {"web.tune": stopped}, {"web.tune": f'{stopped} set smt off because "y";'})
    assert (only(found).status, only(found).stops) == ("changed", True)
    assert headline(found).endswith("; web does not compile, as before.")


def test_the_same_error_on_both_sides_is_not_a_change(tmp_path: Path) -> None:
    """Even if a message names a file in the side's folder."""
    bad = 'goal latency; cpu westmere; include "nowhere.tune";'
    assert compare(tmp_path, bad, bad).differences == ()


def test_a_set_of_a_locked_member_is_shown_with_its_reason(tmp_path: Path) -> None:
    plain = "goal performance; cpu skylake;"
    asked = f'{plain} set cpu-power-management max-performance because "C-3";'
    difference = only(compare(tmp_path, {"web.tune": plain}, {"web.tune": asked}))
    assert [(c.setting, c.kind) for c in difference.settings] == [("cpu-power-management", "reason")]
    other = asked.replace("C-3", "C-4")
    reworded = compare(tmp_path / "more", {"web.tune": asked}, {"web.tune": other})
    assert "set: “C-4”; was set: “C-3”" in comparison_text(reworded, 110)


def test_what_a_hazard_stops_before_and_after_is_not_called_the_same(tmp_path: Path) -> None:
    stopped = 'goal efficiency; cpu westmere; set turbo on because "x";'
    found = compare(tmp_path, {"web.tune": stopped}, {"web.tune": f"{stopped} # as it was"})
    assert (found.differences, found.unplanned) == ((), ("web",))
    assert (
        comparison_text(found, 110)
        == "No change: as far as there are plans; web does not compile, as before.\n"
    )


def test_a_bundle_of_one_host_is_compared_with_that_host(tmp_path: Path) -> None:
    file = tmp_path / "fleet.tune"
    file.write_text(FLEET, encoding="utf-8")
    bundle = tmp_path / "c042"
    made = setpoint("compile", str(file), "--group", "compute", "--host", "c042", "-o", str(bundle))
    assert made.status == 0, made.err
    assert setpoint("diff", str(bundle), str(file)).status == 0
    file.write_text(FLEET.replace("set turbo off", "set smt off"), encoding="utf-8")
    ran = setpoint("diff", str(bundle), str(file))
    assert (ran.status, ran.out.count("Policy ")) == (3, 1)
    assert ran.out.startswith("Policy fleet-compute-c042 changes: ")


def test_policies_of_one_name_are_paired_by_their_files(tmp_path: Path) -> None:
    quiet = "policy b { goal latency; cpu e5-2690; os rhel 7; }"
    loud = quiet.replace("latency", "performance")
    found = compare(tmp_path, {"p.tune": quiet}, {"p.tune": loud, "q.tune": quiet})
    assert {(d.policy, d.status, d.was) for d in found.differences} == {
        ("p/b", "changed", ""),
        ("q/b", "added", ""),
    }


def test_all_policies_with_the_same_changes_are_named(tmp_path: Path) -> None:
    def fleet(goal: str) -> str:
        return "".join(f"policy p{n} {{ goal {goal}; cpu westmere; }}\n" for n in range(9))

    found = compare(tmp_path, fleet("latency"), fleet("performance"))
    for shown in (comparison_text(found, 110), comparison_markdown(found)):
        assert "3 more" in shown
        assert all(f"p{n}" in shown for n in range(9))
