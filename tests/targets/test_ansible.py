"""The role as files: what it carries, what the linter has to say, and that a user's words are nowhere but in comments.

Roles are run in `test_ansible_redfish` and `test_ansible_host`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consumers.ansible_run import CONTROLLER, check_syntax, lint, play
from setpoint.compiler.lowering.target import emission_of
from setpoint.compiler.plan.model import Plan
from setpoint.targets._client.plan_files import DOCUMENTS
from setpoint.targets.ansible import TARGET
from support.ansible import R710, R710_EL5, R740, R750, bundle, role_of
from support.effort import examples
from support.machines import GOALS, MACHINES, Machine
from support.plans import HOSTILE, because, planned

R710_SYSTEMS = ("rhel 5.8", "rhel 6.4", "sles-11", "rhel 7", "debian-12", "linux")
R740_SYSTEMS = ("rhel 8", "rhel 9.4", "rhel 10", "ubuntu-24.04", "windows-server-2012")
CASES = [
    *(f"os {os}; cpu westmere; platform r710" for os in R710_SYSTEMS),
    *(f"os {os}; cpu skylake; platform r740" for os in R740_SYSTEMS),
    "platform r750",
    "cpu skylake; os debian-12",
    "cpu skylake; os ubuntu-24.04; tuned unused",
    "cpu skylake; os sles-12",
    "cpu skylake; os ubuntu-20.04",
    "cpu skylake; os sles-15",
]


def files(plan: Plan) -> dict[str, str]:
    """The files of the role by their paths in it, and the playbooks by `../../` and their names."""
    found = {}
    for artifact in TARGET.emit(plan).artifacts:
        _, _, path = artifact.path.partition("ansible/roles/")
        found[path.partition("/")[2] or f"../../{artifact.path.rpartition('/')[2]}"] = artifact.text
    return found


def plain(text: str) -> list[str]:
    """YAML without its comments. No value in the role's files holds a `#`."""
    return [line for line in text.splitlines() if not line.lstrip().startswith("#")]


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_all_of_the_firmware_is_carried_through_redfish(machine: Machine) -> None:
    for goal in GOALS:
        plan = machine.plan(f"goal {goal}")
        assert TARGET.emit(plan).expressed >= {d.setting for d in plan.written if d.layer == "firmware"}


@pytest.mark.parametrize("facts", CASES)
def test_every_setting_is_carried_or_left_out_with_a_reason(facts: str) -> None:
    for goal, manage in (("latency", "manage all"), ("throughput", "")):
        plan = planned(f"goal {goal}; {facts}; {manage}")
        emission = TARGET.emit(plan)
        assert emission.expressed.isdisjoint(emission.left_out)
        written = {d.setting for d in plan.written}
        defaults = {d.setting for d in plan.settings if d.unwritten == "default"}
        assert written <= emission.expressed | emission.left_out.keys() <= written | defaults
        assert all(reason.strip() for reason in emission.left_out.values())


def test_what_other_targets_spell_goes_in_as_it_is() -> None:
    plan = planned(R710)
    role = {a.path: a for a in TARGET.emit(plan).artifacts}
    for target, count in (("syscfg", 1), ("kernel-args", 1), ("tuned", 1), ("cpuspeed", 1)):
        emission = emission_of(target, plan)
        assert emission is not None
        expressed = [a for a in emission.artifacts if a.path.endswith(".plan")]
        assert len(expressed) == count
        assert all(role[artifact.path] == artifact for artifact in expressed)


def test_the_role_has_the_files_that_its_client_reads() -> None:
    documents = {one.path for one in TARGET.emit(planned(R740)).artifacts if one.path.startswith("redfish/")}
    assert documents == {f"redfish/{name}" for name in (*DOCUMENTS, "setpoint_bmc.py")}


def test_a_boot_menu_that_is_edited_by_hand_is_left_to_hands() -> None:
    emission = TARGET.emit(planned(R710_EL5))
    assert "edited by hand" in emission.left_out["acpi-idle-limit"]
    assert not any("/tasks/boot" in artifact.path for artifact in emission.artifacts)
    page = files(planned(R710_EL5))["README.md"]
    assert "Python (2.4) is too old" in page
    assert "cannot restart this host" in page


@pytest.mark.parametrize(
    ("policy", "role"),
    [("trading-edge", "setpoint_trading_edge"), ("9lives", "setpoint_9lives"), ("_", "setpoint___29d6a3e8")],
)
def test_a_role_has_the_name_of_its_policy(policy: str, role: str) -> None:
    plan = planned(R740)._replace(policy=policy)
    paths = {
        artifact.path.split("/")[2] for artifact in TARGET.emit(plan).artifacts if "/roles/" in artifact.path
    }
    assert paths == {role}


def test_what_no_role_can_serve_says_so() -> None:
    assert "names neither a platform nor an operating system" in TARGET.unsupported_reason(
        planned("goal latency")._replace(facts=())
    )
    assert "redfish, syscfg" in TARGET.unsupported_reason(planned("goal latency; os windows-server-2012"))
    assert "could use" in TARGET.unsupported_reason(
        planned("goal latency; cpu x5670; os windows-server-2008-r2")
    )
    assert TARGET.unsupported_reason(planned(R710)) == ""
    assert TARGET.emit(planned(R740)._replace(settings=())).artifacts == ()


@settings(deadline=None, max_examples=examples(50))
@given(st.one_of(st.sampled_from(HOSTILE), st.text()), st.sampled_from(("set", "rule")))
def test_a_users_words_are_in_comments_and_in_the_readme_only(words: str, kind: str) -> None:
    for policy in (R740, R710):
        before, after = files(planned(policy)), files(because(planned(policy), words, kind))
        assert before.keys() == after.keys()
        for path, text in after.items():
            if path.endswith(".yml"):
                assert plain(text) == plain(before[path])
                assert all(line.isprintable() and len(line) <= 160 for line in text.split("\n"))


@pytest.mark.parametrize("name", ["site.yml", "verify.yml"])
def test_a_playbook_says_on_which_hosts_it_acts(name: str) -> None:
    playbook = files(planned(R740))[f"../../{name}"]
    assert "import_playbook: servers.yml" in playbook
    assert re.findall(r"^  hosts: (.*)$", playbook, re.MULTILINE) == [
        *(["setpoint_r740"] if name != "verify.yml" else []),  # all are looked at before the first is changed
        "setpoint_r740",
    ]
    assert "It acts on group setpoint_r740 of the inventory:" in playbook


@pytest.mark.parametrize("policy", [R750, R740, R710, R710_EL5])
def test_each_variable_that_a_site_may_set_is_in_the_argument_specs(policy: str) -> None:
    """Those with a default, and those that the README tells of: but not those of a run, nor those for all roles, of
    which a default of this role is made."""
    role = files(planned(policy))
    own = re.findall(r"^(setpoint_\w+):", role["defaults/main.yml"], re.MULTILINE)
    of_all_roles = re.findall(r"\b(setpoint_\w+) \| default", role["defaults/main.yml"])
    told = re.findall(r"`(setpoint_\w+)(?:: bmc)?`", role["README.md"])
    name = next(a.path.split("/")[2] for a in TARGET.emit(planned(policy)).artifacts if "/roles/" in a.path)
    specified = re.findall(r"^      (setpoint_\w+):", role["meta/argument_specs.yml"], re.MULTILINE)
    of_the_run = {"setpoint_batches", "setpoint_max_fail_percentage"}
    assert {*own, *told} - {name, *of_all_roles} - of_the_run == set(specified)
    assert {one.replace("setpoint", name, 1) for one in of_all_roles} <= set(own)


def test_no_secret_has_a_default() -> None:
    for policy in (R740, R710):
        defaults = files(planned(policy))["defaults/main.yml"]
        assert "password" not in defaults
        assert "bmc_user" not in defaults


# -------------------------------------------------------------------------------------------------- the real programs


def test_the_linter_is_content_at_the_profile_for_production(tmp_path: Path) -> None:
    """Two roles that have every file between them, one with the longest name, the worst words and a named profile."""
    named = planned(R750.replace("goal latency", "goal performance"))
    worst = because(named, " ".join(HOSTILE))._replace(policy=f"r750-{'x' * 40}")
    folders = [bundle(worst, tmp_path / "a"), bundle(planned(R710), tmp_path / "b")]
    assert lint(tmp_path, *folders) == ""


def test_playbooks_are_read_for_every_kind_of_system(tmp_path: Path) -> None:
    books: list[Path] = []
    for number, facts in enumerate(CASES):
        folder = bundle(planned(f"policy p{number} {{ goal latency; {facts} }}"), tmp_path / str(number))
        books += [folder / "site.yml", folder / "verify.yml"]
    assert len(books) == 2 * len(CASES)
    assert check_syntax(tmp_path, books) == ""


@pytest.mark.parametrize("book", ["site.yml", "verify.yml"])
def test_a_run_without_servers_fails(book: str, tmp_path: Path) -> None:
    """By itself Ansible ends well where no host is in the group: nothing was verified, and nothing said so."""
    done = play(role_of(R740, tmp_path) / book, {}, tmp_path / "home", "--tags", "firmware")
    assert done.status == 2
    assert "the inventory has no server in group setpoint_r740" in done.failed(CONTROLLER)


def test_a_tag_that_no_layer_has_fails(tmp_path: Path) -> None:
    """Ansible runs no task of a role then, and ends well."""
    done = play(role_of(R740, tmp_path) / "site.yml", {"one": {}}, tmp_path / "home", "--tags", "firmwear")
    assert "the role has no tag firmwear; its layers are firmware, boot and os" in done.failed(CONTROLLER)
    assert done.tasks["one"] == []
