"""`setpoint diff REV...REV --inventory`: what a change in a repository of policies does to the hosts, without naming a
policy."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from setpoint import stdlib
from support.command import setpoint

GOLD = "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz"
HOSTS = f"""host,group,model,processor,sockets,os
n1,compute,PowerEdge C6420,{GOLD},2,rhel 9.4
n2,compute,PowerEdge C6420,{GOLD},2,rhel 9.4
s1,solver,PowerEdge C6420,{GOLD},2,rhel 9.4
w1,web,PowerEdge R740,,2,debian 12
w2,web,PowerEdge R740,,2,debian 12
x1,attic,NorthEdge R9999,,2,debian 12
"""
WEB = """include "site/base.tune";
os debian 12;
for group web { goal latency; workload interactive; }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The repository that `setpoint new` makes, with a policy more, a file that it includes, and a policy without a
    host."""
    assert setpoint("new", "site", cwd=tmp_path).status == 0
    folder = tmp_path / "site"
    write(folder, "web.tune", WEB)
    write(folder, "site/base.tune", "sockets 2;\n")
    write(folder, "spare.tune", "goal efficiency;\nplatform r630;\n")
    write(folder, "hosts.csv", HOSTS)
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    git(folder, "checkout", "-qb", "change")
    return folder


def write(folder: Path, name: str, text: str) -> None:
    """Write a file of the repository."""
    (folder / name).write_text(text, encoding="utf-8")


def edit(folder: Path, name: str, old: str, new: str) -> None:
    """Replace something in a file of the repository."""
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    write(folder, name, text.replace(old, new))


def git(folder: Path, *arguments: str) -> None:
    """Run git in the repository."""
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True)


def commit(folder: Path) -> None:
    """Commit everything."""
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")


def changed(folder: Path, *arguments: str) -> Any:
    """Compare the pull request from where it began."""
    return setpoint("diff", "main...HEAD", *arguments, "--inventory", "hosts.csv", cwd=folder)


def summed_up(folder: Path, *arguments: str) -> Any:
    """The comparison for programs."""
    return json.loads(changed(folder, *arguments, "--format", "json").out)


def alike(found: Any) -> dict[tuple[str, ...], list[str]]:
    """The hosts of each change, by the policies before and after."""
    return {tuple(each["policies"]): each["hosts"] for each in found["changes"]}


def test_all_policies_below_the_folder_are_compared(folder: Path) -> None:
    edit(folder, "web.tune", "goal latency", "goal throughput")
    edit(folder, "servers.tune", "workload comm-bound;", 'workload comm-bound; set turbo off because "X-1";')
    commit(folder)
    found = summed_up(folder)
    assert found["hosts"] == {
        "changed": 3,
        "same": 2,
        "restart": 3,
        "hazards_or_waivers": 0,
        "without_plan": 1,
    }
    assert alike(found) == {("web",): ["w1", "w2"], ("servers",): ["s1"]}
    (solver,) = (each for each in found["changes"] if each["policies"] == ["servers"])
    assert (solver["groups"], solver["settings"]["turbo"]) == (
        ["solver"],
        {
            "old": "on",
            "new": "off",
            "restart": True,
            "stays": False,
            "because": ["set: “X-1”; overrides on (dell-12g-tuning, Table 2), on (dell-14g-hpc, Conclusion)"],
        },
    )
    ran = changed(folder)
    assert (ran.status, ran.out.partition("\n")[0]) == (3, "3 hosts of 5 change; 3 need a restart")
    assert (
        "  policy servers; group solver; cpu xeon-gold-6150; os rhel-9; platform c6420; needs a restart\n"
        in ran.out
    )
    assert alike(summed_up(folder, "web.tune")) == {("web",): ["w1", "w2"]}


def test_a_change_of_an_included_file_changes_the_hosts_of_those_that_include_it(folder: Path) -> None:
    edit(folder, "site/base.tune", "sockets 2;", 'sockets 2; set swappiness 1 because "X-2";')
    commit(folder)
    assert alike(summed_up(folder)) == {("web",): ["w1", "w2"]}


def test_what_is_not_committed_is_compared_with_a_revision(folder: Path) -> None:
    edit(folder, "web.tune", "goal latency", "goal throughput")
    ran = setpoint("diff", "main", "--inventory", "hosts.csv", cwd=folder)
    assert ran.out.startswith("2 hosts of 5 change;")
    assert changed(folder).out.startswith(
        "No change: all 5 hosts have the same plan.\n1 host without a plan:\n"
    )


def test_a_host_passes_from_one_policy_to_another(folder: Path) -> None:
    """It is compared with what it had, not lost by one policy and gained by another."""
    edit(folder, "servers.tune", "for group solver {", "for group other {")
    write(folder, "batch.tune", "for group solver { platform c6420; goal latency; workload comm-bound; }\n")
    git(folder, "mv", "web.tune", "front.tune")
    commit(folder)
    found = summed_up(folder)
    assert alike(found) == {("servers", "batch"): ["s1"]}
    assert (found["gained"], found["lost"], found["hosts"]["same"]) == ([], [], 4)
    assert "policy servers to batch; group solver;" in changed(folder).out


def test_policies_with_one_name_are_those_of_their_files(folder: Path) -> None:
    (folder / "rack").mkdir()
    write(folder, "rack/servers.tune", "for group attic { goal latency; }\n")
    edit(folder, "hosts.csv", "NorthEdge R9999", "PowerEdge R740")
    commit(folder)
    found = summed_up(folder)
    assert (found["gained"], found["lost"], found["changes"]) == (["x1"], [], [])
    assert "1 host: x1: gets a plan of policy rack/servers/servers: group attic; " in changed(folder).out


def test_hosts_lose_the_plan_of_a_policy_in_error(folder: Path) -> None:
    write(folder, "web.tune", "for group web { goal latncy;\n")
    commit(folder)
    ran = changed(folder)
    assert (ran.status, "--> web.tune:1:" in ran.err) == (3, True)
    assert "2 hosts: w1, w2: have no plan of policy web any more\n" in ran.out
    assert "\n  files of policies: E0101: " in ran.out
    assert " (web.tune:1)" in ran.out
    git(folder, "branch", "-f", "main")
    ran = changed(folder)
    assert (ran.status, ran.out.partition("\n")[0]) == (1, "No change: all 3 hosts have the same plan.")
    write(folder, "web.tune", WEB)
    commit(folder)
    assert summed_up(folder)["gained"] == ["w1", "w2"]


def test_a_side_without_policies(folder: Path) -> None:
    ran = changed(folder, "nothing-here")
    assert (ran.status, "git has no policy files in `nothing-here`" in ran.err) == (2, True)
    assert changed(folder, "site/knowledge.tune").out.startswith("No change: no host has a plan.\n")
    git(folder, "rm", "-q", "*.tune")
    commit(folder)
    found = summed_up(folder)
    assert (len(found["lost"]), found["hosts"]["without_plan"]) == (5, 6)


def test_a_change_of_the_inventory_is_a_change_of_the_fleet(folder: Path) -> None:
    """Each side has the hosts that its revision names: one comes, one goes, and one moves to another group."""
    edit(folder, "servers.tune", "workload comm-bound;", 'workload comm-bound; set turbo off because "X-1";')
    commit(folder)
    git(folder, "branch", "-qf", "main")
    edit(folder, "hosts.csv", "w1,web,PowerEdge R740,,2,debian 12\n", "")
    edit(folder, "hosts.csv", "n2,compute", "n2,solver")
    write(folder, "hosts.csv", (folder / "hosts.csv").read_text() + "w3,web,PowerEdge R740,,2,debian 12\n")
    ran = setpoint("diff", "main", "--inventory", "hosts.csv", cwd=folder)  # not committed
    commit(folder)
    found = summed_up(folder)
    assert (found["gained"], found["lost"], alike(found)) == (["w3"], ["w1"], {("servers",): ["n2"]})
    assert (found["changes"][0]["former_group"], found["changes"][0]["groups"], found["hosts"]["same"]) == (
        "compute",
        ["solver"],
        3,
    )
    both = {"planned": 5, "without_plan": 1}
    assert found["sides"] == {"old": both, "new": both}
    assert ran.out == changed(folder).out
    assert setpoint("diff", "main:.", ".", "--inventory", "hosts.csv", cwd=folder).out == ran.out


def test_each_side_has_its_own_number_of_hosts(folder: Path) -> None:
    edit(folder, "hosts.csv", "w1,web,PowerEdge R740,,2,debian 12\n", "")
    write(
        folder, "hosts.csv", (folder / "hosts.csv").read_text() + "x2,attic,NorthEdge R9,,2,debian 12\nx3,\n"
    )
    commit(folder)
    ran = changed(folder)
    assert ran.out.splitlines()[:4] == [
        "No value changes on the other 4 hosts; 1 host is no longer in the inventory",
        "1 host: w1: is no longer in the inventory; servers keep what the plan of policy web set",
        "7 hosts in all, 6 before",
        "3 hosts without a plan (1 before):",
    ]
    assert "\n- 7 hosts in all, 6 before\n" in changed(folder, "--format", "markdown").out


def test_an_inventory_that_a_revision_does_not_have_is_that_of_both_sides(folder: Path) -> None:
    write(folder, "others.csv", HOSTS.replace("w1,", "w9,"))
    edit(folder, "web.tune", "goal latency", "goal throughput")
    ran = setpoint("diff", "main", "--inventory", "others.csv", "--format", "json", cwd=folder)
    assert alike(json.loads(ran.out)) == {("web",): ["w2", "w9"]}


def test_an_inventory_elsewhere_has_no_revisions(folder: Path) -> None:
    """It is the same on both sides, and its old findings stay old ones."""
    (folder / "hosts.csv").rename(folder.parent / "elsewhere.csv")
    edit(folder, "web.tune", "goal latency", "goal throughput")
    outside = ("--inventory", "../elsewhere.csv")
    ran = setpoint("diff", "main", *outside, "--format", "json", cwd=folder)
    assert alike(json.loads(ran.out)) == {("web",): ["w1", "w2"]}
    ran = setpoint("check", "servers.tune", "--since", "main", *outside, "--format", "json", cwd=folder)
    assert json.loads(ran.out)["diagnostics"] == []


@pytest.mark.parametrize("command", [("diff", "main...HEAD"), ("check", "web.tune", "--since", "main")])
def test_objects_that_git_lacks_are_not_files_that_a_revision_lacks(
    folder: Path, command: tuple[str, ...]
) -> None:
    listed = subprocess.run(
        ["git", "rev-parse", "main:hosts.csv"], cwd=folder, check=True, capture_output=True, text=True
    )
    name = listed.stdout.strip()
    (folder / ".git/objects" / name[:2] / name[2:]).unlink()
    ran = setpoint(*command, "--inventory", "hosts.csv", cwd=folder)
    assert (ran.status, "error[E0607]: git does not have the files of `" in ran.err) == (4, True)


def test_a_bundle_is_not_planned_again(folder: Path) -> None:
    assert setpoint("compile", "spare.tune", "-o", "out", cwd=folder).status == 0
    ran = setpoint("diff", "out", "spare.tune", "--inventory", "hosts.csv", cwd=folder)
    assert (ran.status, "out is a bundle" in ran.err) == (2, True)


def test_a_comment_shows_each_change_as_a_table(folder: Path) -> None:
    """What users wrote stays text, and a long list of hosts is folded."""
    more = "".join(f"m{n},compute,PowerEdge C6420,{GOLD},2,rhel 9.4\n" for n in range(5))
    write(folder, "hosts.csv", HOSTS + more)
    commit(folder)
    git(folder, "branch", "-qf", "main")
    edit(folder, "servers.tune", "workload cpu-bound;", 'workload cpu-bound; set smt on because "X";')
    edit(folder, "web.tune", "goal latency", "goal throughput")
    commit(folder)
    text = changed(folder, "--format", "markdown").out
    assert text.startswith(
        "**Setpoint:** 9 hosts of 10 change; 9 need a restart\n\n- 1 host without a plan:\n"
        "  - 1 host: x1: E0701: unknown platform `NorthEdge R9999`\n"
    )
    assert "\n### 7 hosts: `m0`, `m1`, `m2`, `m3`, `m4` and 2 more\n" in text
    assert (
        "\npolicy servers; group compute; cpu xeon-gold-6150; os rhel-9; platform c6420; **needs a restart**\n"
        in text
    )
    assert "\n| **Firmware**, after a restart |  |  |  |\n" in text
    assert "\n| `smt` | off | **on** | set: “X”; overrides off (" in text
    assert "<details><summary>All 7 hosts</summary>\n\n`m0`, " in text
    assert "`skew-tick` stays" not in text  # its argument is removed, since the kernel's default is known


def test_why_a_value_is_not_undone(folder: Path) -> None:
    """A default that is known could be written, if the policy asked for it."""
    edit(folder, "web.tune", "goal latency;", 'goal latency; set sub-numa-cluster on because "X";')
    commit(folder)
    git(folder, "branch", "-qf", "main")
    edit(folder, "web.tune", ' set sub-numa-cluster on because "X";', "")
    commit(folder)
    assert (
        "not undone: `sub-numa-cluster` stays as the earlier bundle has set it: its default, off, is not written unless the"
        " policy asks for it\n"
    ).strip() in " ".join(changed(folder).out.split())


def test_a_comment_is_short_enough_for_a_forge(folder: Path) -> None:
    def groups(goal: str, more: int) -> str:
        return "".join(
            f'for group g{n} {{ goal {goal}; set swappiness {n + more} because "X"; }}\n' for n in range(90)
        )

    rows = "".join(f"{'h' * 200}{n},g{n},PowerEdge R740,,2,debian 12\n" for n in range(90))
    write(folder, "many.tune", groups("latency", 0))
    write(folder, "hosts.csv", HOSTS + rows)
    commit(folder)
    git(folder, "branch", "-f", "main")
    write(folder, "many.tune", groups("throughput", 1))
    commit(folder)
    text = changed(folder, "--format", "markdown").out
    assert len(text) < 65_536
    assert "\nToo long to show here: the changes of " in text


def test_check_leaves_out_hosts_only_if_no_policy_plans_them(folder: Path) -> None:
    ran = setpoint("check", ".", "--inventory", "hosts.csv", cwd=folder)
    errors = [line for line in ran.out.splitlines() if line.startswith("error")]
    assert errors == ["error[E0701]: unknown platform `NorthEdge R9999`"]
    edit(folder, "web.tune", "group web", "group front")
    ran = setpoint("check", ".", "--inventory", "hosts.csv", cwd=folder)
    assert "no plan is for these hosts: they are in no group of the policy" in ran.out
    assert "2 hosts: w1, w2" in ran.out
    assert "n1, n2" not in ran.out


def test_a_waiver_and_a_hazard_are_changes_though_no_value_changes(folder: Path) -> None:
    """A comparison that passed over them would let a waiver of anything through."""
    edit(folder, "web.tune", "goal latency;", 'goal latency; set smt on because "licences, OPS-3";')
    commit(folder)
    git(folder, "branch", "-qf", "main")
    edit(folder, "web.tune", "goal latency;", 'goal latency; accept smt-vs-latency because "measured";')
    commit(folder)
    ran = changed(folder)
    assert (ran.status, ran.out.partition("\n")[0]) == (
        3,
        "No value changes; hazards or waivers change on 2 hosts of 5",
    )
    assert "  hazard smt-vs-latency is waived without expiry\n" in ran.out
    assert "reason: measured" in " ".join(ran.out.split())
    found = summed_up(folder)
    assert found["hosts"] == {
        "changed": 0,
        "same": 3,
        "restart": 0,
        "hazards_or_waivers": 2,
        "without_plan": 1,
    }
    assert [each["kind"] for each in found["changes"][0]["hazards"]] == ["accepted"]
    assert "- Hazard `smt-vs-latency` is waived" in changed(folder, "--format", "markdown").out
    edit(folder, "web.tune", 'accept smt-vs-latency because "measured"; ', "")
    commit(folder)
    assert changed(folder).out == (
        "No change: all 5 hosts have the same plan.\n1 host without a plan:\n"
        "  1 host: x1: E0701: unknown platform `NorthEdge R9999`\n"
    )


def test_a_value_has_its_reason(folder: Path) -> None:
    """One reason for each host makes no change of its own for each."""
    edit(folder, "web.tune", "goal latency;", 'goal latency; set swappiness 7 because "WEB-1";')
    edit(
        folder, "web.tune", "os debian 12;", 'os debian 12; for host w2 { set swappiness 7 because "WEB-2"; }'
    )
    commit(folder)
    (change,) = summed_up(folder)["changes"]
    assert change["hosts"] == ["w1", "w2"]
    assert [each.partition(";")[0] for each in change["settings"]["swappiness"]["because"]] == [
        "set: “WEB-1”",
        "set: “WEB-2”",
    ]
    assert "set: “WEB-1”" in changed(folder).out
    assert "; and 1 other reason" in " ".join(changed(folder).out.split())


# ---------------------------------------------------------------- what a reviewer decides by


def test_a_waiver_is_a_change_only_where_it_has_an_effect(folder: Path) -> None:
    """Stated for all, it would else be listed for every host that it does not concern."""
    several = (
        'for group web { goal latency; set smt on because "licences"; }\n'
        "for group solver { goal performance; workload comm-bound; }\n"
    )
    write(folder, "mixed.tune", several)
    commit(folder)
    git(folder, "branch", "-qf", "main")
    write(folder, "mixed.tune", f'accept smt-vs-latency because "measured";\n{several}')
    commit(folder)
    (change,) = summed_up(folder, "mixed.tune")["changes"]
    assert change["hosts"] == ["w1", "w2"]
    assert [(each["hazard"], each["kind"]) for each in change["hazards"]] == [("smt-vs-latency", "accepted")]
    write(folder, "mixed.tune", f'accept turbo-vs-efficiency because "measured";\n{several}')
    commit(folder)
    found = summed_up(folder, "mixed.tune")["changes"]  # it has an effect on no host
    assert [(each["hosts"], each["hazards"][0]["kind"]) for each in found] == [
        (["s1", "w1", "w2"], "unused"),
    ]


def test_a_waiver_says_what_it_covers(folder: Path) -> None:
    """A reviewer who does not know what is waived cannot agree to it."""
    write(folder, "bare.tune", "for group attic { goal latency; }\n")
    write(folder, "hosts.csv", HOSTS.replace("NorthEdge R9999", "PowerEdge R840"))
    commit(folder)
    git(folder, "branch", "-qf", "main")
    found = setpoint("check", "bare.tune", "--inventory", "hosts.csv", "--format", "json", cwd=folder)
    first = next(d for d in json.loads(found.out)["diagnostics"] if "to waive it" in " ".join(d["help"]))
    statement = next(text for text in first["help"] if "to waive it" in text).split("`")[1]
    waiver = statement.replace("…", "read, OPS-7")
    write(folder, "bare.tune", f"for group attic {{ goal latency; {waiver} }}\n")
    commit(folder)
    text = changed(folder, "bare.tune", "--format", "markdown").out
    assert " because read, OPS-7; it covers: " in text
    assert first["message"].replace("`", "\\`") in text or first["message"] in text


def test_hosts_that_lose_their_plan_say_why(folder: Path) -> None:
    """The headline counts them, and the error that takes the plan is in the comment, with its place."""
    edit(folder, "web.tune", "goal latency;", 'goal latency; set smt sometimes because "X";')
    commit(folder)
    text = changed(folder, "--format", "markdown").out
    assert "; 2 hosts lose their plan\n" in text
    assert "  - 2 hosts: w1, w2 (os debian-12; platform r740), had one before: E0" in text
    assert " (web.tune:" in text
    assert "/tmp" not in text
    (why,) = (each for each in summed_up(folder)["left_out"] if each["had_a_plan"])
    assert (why["hosts"], why["file"]) == (["w1", "w2"], "web.tune")


def test_a_new_hazard_says_where_it_is_from_and_what_helps(folder: Path) -> None:
    hazard = (
        'source lab { title "Ours"; publisher "Us"; }\n'
        'hazard heat of lab at "LAB-60" { when goal latency; severity warning; because "they throttle";'
        ' help "turn the fans up"; }\n'
    )
    write(folder, "site/base.tune", f"{hazard}sockets 2;\n")
    commit(folder)
    text = changed(folder, "web.tune", "--format", "markdown").out
    assert (
        "- **Hazard** `heat` appears and warns. It means: they throttle (lab, LAB-60). What helps: turn the fans up."
    ) in text


def test_new_hosts_come_with_their_plan_and_its_hazards(folder: Path) -> None:
    """A hazard of a new host is as new as one of an old host."""
    edit(folder, "web.tune", "goal latency;", 'goal latency; set smt on because "licences, OPS-3";')
    commit(folder)
    git(folder, "branch", "-qf", "main")
    write(folder, "hosts.csv", HOSTS + "w9,web,PowerEdge R740,,2,debian 12\n")
    commit(folder)
    (gained,) = summed_up(folder)["gained_plans"]
    assert (gained["hosts"], gained["group"], gained["new"], gained["restart"]) == (["w9"], "web", True, True)
    assert [each["hazard"] for each in gained["hazards"]] == ["smt-vs-latency"]
    text = changed(folder, "--format", "markdown").out
    assert "- 1 host: `w9`: is new and gets a plan of policy web: group web; " in text
    assert "  - **Hazard** `smt-vs-latency` appears and warns." in text


def test_another_goal_and_another_reason_are_said(folder: Path) -> None:
    edit(folder, "web.tune", "goal latency;", 'goal latency; set swappiness 1 because "WEB-1";')
    commit(folder)
    git(folder, "branch", "-qf", "main")
    edit(folder, "web.tune", 'set swappiness 1 because "WEB-1"', 'set swappiness 2 because "WEB-2"')
    commit(folder)
    (change,) = summed_up(folder)["changes"]
    assert change["settings"]["swappiness"]["because"][0].endswith("; was set: “WEB-1”")
    edit(folder, "web.tune", "goal latency;", "goal throughput;")
    edit(folder, "web.tune", ' set swappiness 2 because "WEB-2";', "")
    commit(folder)
    (change,) = summed_up(folder)["changes"]
    assert change["facts"] == {"goal": {"old": "latency", "new": "throughput"}}
    assert "no longer set (“WEB-1”)" in " ".join(change["settings"]["swappiness"]["because"])
    assert "\nFacts: goal **throughput**, was latency.\n" in changed(folder, "--format", "markdown").out


def test_a_value_that_servers_keep_takes_no_effect(folder: Path) -> None:
    """What is left at a default that it had anyway is no change at all."""
    edit(folder, "web.tune", "goal latency;", 'goal latency; set sub-numa-cluster on because "X";')
    commit(folder)
    git(folder, "branch", "-qf", "main")
    edit(folder, "web.tune", ' set sub-numa-cluster on because "X";', "")
    commit(folder)
    (change,) = summed_up(folder)["changes"]
    assert change["settings"]["sub-numa-cluster"] == {
        "old": "on",
        "new": None,
        "restart": False,
        "stays": True,
        "because": ["no longer set (“X”): vendor default"],
    }
    assert (
        "| on | **not written** | no longer set (“X”): vendor default; servers keep their current value |"
        in changed(folder, "--format", "markdown").out
    )
    edit(folder, "web.tune", "goal latency;", 'goal latency; set sub-numa-cluster off because "X";')
    commit(folder)
    git(folder, "branch", "-qf", "main")
    edit(folder, "web.tune", ' set sub-numa-cluster off because "X";', "")
    commit(folder)
    assert changed(folder).out.startswith("No change: all 5 hosts have the same plan.\n")


def test_the_statement_that_brings_a_value_about_is_named(folder: Path) -> None:
    """As for one policy: a fact, another `set`, or what the inventory says."""
    write(folder, "all.tune", "goal latency; for host b { goal balanced; }\n")
    write(folder, "hosts.csv", "host,model\na,PowerEdge R740\nb,PowerEdge R740\n")
    commit(folder)
    git(folder, "branch", "-qf", "main")
    write(folder, "all.tune", 'goal throughput; for host b { goal balanced; set turbo off because "X"; }\n')
    commit(folder)
    causes = {
        host: {why.partition(":")[0] for each in change["settings"].values() for why in each["because"]}
        for change in summed_up(folder, "all.tune")["changes"]
        for host in change["hosts"]
    }
    assert causes["a"] == {"goal is throughput now"}
    assert causes["b"] == {"set", "turbo is set to off now"}
    git(folder, "branch", "-qf", "main")
    write(folder, "hosts.csv", "host,model\na,PowerEdge R750\nb,PowerEdge R740\n")
    commit(folder)
    (change,) = summed_up(folder, "all.tune")["changes"]
    assert change["hosts"] == ["a"]
    assert all(each["because"][0].startswith("inventory: ") for each in change["settings"].values())


def test_the_library_is_named_as_the_cause(folder: Path) -> None:
    """As for one policy: what else could it be, if the same is stated of a host."""
    library = folder.parent / "library"
    shutil.copytree(Path(stdlib.__path__[0]), library)
    path = library / "firmware/poweredge-14g.tune"
    text = path.read_text(encoding="utf-8")
    begin = text.index("rule uncore-frequency-for-latency-14g ")
    path.write_text(text[:begin] + text[text.index("\n}\n", begin) + 3 :], encoding="utf-8")
    ran = setpoint(
        "diff", "web.tune", "--new-library", str(library), "--inventory", "hosts.csv", "--format", "json",
        cwd=folder,
    )  # fmt: skip
    (change,) = json.loads(ran.out)["changes"]
    (why,) = change["settings"]["uncore-frequency"]["because"]
    assert why.startswith("library: dell-bios-registries, ")
    assert why.endswith(" is gone: vendor default")


# ---------------------------------------------------------------- which hosts, and what they have


def test_hosts_are_told_from_others_by_what_they_are(folder: Path) -> None:
    """Names of hosts do not say which servers a change is about."""
    write(folder, "all.tune", "goal latency;\n")
    write(
        folder,
        "hosts.csv",
        "host,model,sockets\na,PowerEdge R740,2\nb,PowerEdge R640,2\nc,PowerEdge R750,2\n",
    )
    commit(folder)
    git(folder, "branch", "-qf", "main")
    write(folder, "all.tune", 'goal latency; for host a { set swappiness 1 because "A-1"; }\n')
    commit(folder)
    (change,) = summed_up(folder, "all.tune")["changes"]
    assert (change["hosts"], change["only"]) == (["a"], {"platform": ["r740"]})
    text = changed(folder, "all.tune", "--format", "markdown").out
    assert "\n### 1 host: `a`\n\nplatform r740; takes effect immediately\n" in text
    write(folder, "all.tune", 'goal latency; set swappiness 1 because "A-1";\n')
    commit(folder)
    (change,) = summed_up(folder, "all.tune")["changes"]
    assert (change["hosts"], change["only"]) == (["a", "b", "c"], {})


def test_groups_that_change_alike_are_one_change(folder: Path) -> None:
    groups = "for group compute {{ {} }}\nfor group solver {{ {} }}\n"
    write(folder, "servers.tune", groups.format(*["goal performance;"] * 2))
    commit(folder)
    git(folder, "branch", "-qf", "main")
    write(folder, "servers.tune", groups.format(*['goal performance; set swappiness 1 because "X";'] * 2))
    commit(folder)
    (change,) = summed_up(folder, "servers.tune")["changes"]
    assert (change["groups"], change["former_group"], change["hosts"]) == (
        ["compute", "solver"],
        None,
        ["n1", "n2", "s1"],
    )
    assert "groups compute, solver; " in changed(folder, "servers.tune").out


def test_what_servers_have_is_said_where_nothing_is_written(folder: Path) -> None:
    edit(folder, "web.tune", "goal latency;", 'goal latency; set sub-numa-cluster on because "X";')
    commit(folder)
    text = changed(folder, "--format", "markdown").out
    assert "\n| `sub-numa-cluster` | off (vendor default) | **on** | set: “X”" in text
    assert summed_up(folder)["changes"][0]["settings"]["sub-numa-cluster"]["old"] is None
