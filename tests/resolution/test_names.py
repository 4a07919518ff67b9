"""Names of groups and hosts in policies: what they would mean to Ansible, and that those which mean other servers are
refused.

Inventories are read by the same rule (tests/inventory/test_forms.py).
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from consumers.ansible_run import programs
from setpoint.compiler.binding.levels import candidates
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.language.program import program_of_text
from setpoint.targets.ansible.emit import EXAMPLE
from setpoint.targets.ansible.emit import artifacts as role_files
from setpoint.targets.ansible.lower import role_of
from support.ansible import fleet
from support.command import setpoint
from support.limits import PATIENCE

OF_ANSIBLE = "its name is that of a group of Ansible"
OF_ARTIFACTS = "its name begins like those of groups in artifacts"
OF_HERE = "its name means the machine that rolls out"
OF_NO_HOST = "its name is not that of a host"
OF_A_GROUP = "its name is that of a group, too"

REFUSED = {
    "host all": OF_ANSIBLE,
    "host ALL": OF_ANSIBLE,
    "host ungrouped": OF_ANSIBLE,
    "host setpoint_policy": OF_ARTIFACTS,
    "host localhost": OF_HERE,
    "host LocalHost": OF_HERE,
    "host localhost.localdomain": OF_HERE,
    "host ip6-localhost": OF_HERE,
    "host web.localhost": OF_HERE,
    "host 127.0.0.1": OF_HERE,
    "host 0": OF_HERE,
    "host a+b": OF_NO_HOST,
    "host c1.": OF_NO_HOST,
    f"host {'c' * 255}": OF_NO_HOST,
    "host web": OF_A_GROUP,
    "host web in web": OF_A_GROUP,
    "group all": OF_ANSIBLE,
    "group Ungrouped": OF_ANSIBLE,
    "group setpoint_policy": OF_ARTIFACTS,
    "group localhost": OF_HERE,
}
"""Blocks of a policy that has a group `web`."""


@pytest.mark.parametrize("block", REFUSED)
@pytest.mark.parametrize("text", ["{web} {block} {{ }}", "policy a {{ {block} {{ }} {web} }}", "policy a {{ {web} }} {block} {{ }}"])  # fmt: skip
def test_a_name_that_means_other_servers_is_refused_at_its_place(block: str, text: str) -> None:
    text = text.format(block=f"for {block}", web="for group web { }")
    with pytest.raises(SetpointError) as caught:
        candidates(program_of_text(text).body, "policy")
    (found,) = caught.value.diagnostics
    kind, name = block.split()[:2]
    assert (found.code, found.message) == ("E0616", f"`{name}` cannot be a {kind}: {REFUSED[block]}")
    at = found.at.column - 1
    assert text[:at].endswith(f"for {kind} ")
    assert text[at:].startswith(name)


@pytest.mark.parametrize("block", ["host all-1", "host allium", "host 10.0.0.1", "host c1_a", "host Web", "group web.1", "group a+b", "group 1"])  # fmt: skip
def test_other_names_are_not(block: str) -> None:
    """Ansible distinguishes the cases of letters."""
    assert candidates(program_of_text(f"for group web {{ }} for {block} {{ }}").body, "policy")


def test_nothing_is_written(tmp_path: Path) -> None:
    ran = setpoint(
        "compile", "-e", "goal latency; cpu skylake; for host all { }", "-o", str(tmp_path / "out")
    )
    assert (ran.status, ran.out, ran.err.splitlines()[0]) == (
        1,
        "",
        f"error[E0616]: `all` cannot be a host: {OF_ANSIBLE}",
    )
    assert not (tmp_path / "out").exists()


# ------------------------------------------------------------------------------------------ Ansible


def listed(inventory: str, folder: Path, *options: str) -> tuple[dict[str, list[str]], str]:
    """The hosts of each group as the real Ansible reads an inventory, and what it reports."""
    (folder / "hosts.yml").write_text(inventory, encoding="utf-8")
    command = [str(programs() / "ansible-inventory"), "-i", "hosts.yml", "--list", *options]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=PATIENCE)
    read = json.loads(ran.stdout or "{}")
    return {name: group["hosts"] for name, group in read.items() if "hosts" in group}, ran.stderr


@pytest.mark.parametrize(
    ("groups", "hosts"),
    [("yes null 1.5 12 1e3 web", ""), ("", "no true 123 1_2 0x1 c1")],
    ids=["groups", "hosts"],
)
def test_names_that_yaml_takes_for_something_else_are_texts(groups: str, hosts: str, tmp_path: Path) -> None:
    """In the inventory that a bundle has to begin with."""
    blocks = [f"for group {name} {{ }}" for name in groups.split()]
    blocks += [f"for host {name} {{ }}" for name in hosts.split()]
    role = role_of(fleet(f"goal latency; platform r740; os rhel-9; {' '.join(blocks)}"))
    assert role
    (text,) = (each.text for each in role_files(role) if each.path.endswith(EXAMPLE))
    found, said = listed(text, tmp_path)
    expected = {name: [f"{name}-1.example.org"] for name in groups.split()}
    if hosts:
        expected[role.name] = [*hosts.split(), "server-1.example.org"]
    assert {name: sorted(each) for name, each in found.items()} == {
        name: sorted(each) for name, each in expected.items()
    }
    assert "[ERROR]" not in said


@pytest.mark.repeated
@pytest.mark.parametrize(
    ("inventory", "options", "hosts", "said"),
    [
        ("setpoint_p: {hosts: {all: , c1: }}\nweb: {hosts: {c2: }}", ("--limit", "all"), {"all"}, "Found both group and host with same name: all"),
        ("setpoint_p: {children: {web: {hosts: {web: , c1: }}}}", ("--limit", "web"), {"web"}, "Found both group and host with same name: web"),
        ("setpoint_p: {children: {localhost: {hosts: {c1: }}}}", ("--limit", "localhost"), {"c1"}, ""),
        ("setpoint_p: {children: {all: {hosts: {c1: }}}}", (), set(), "creates a recursive dependency loop"),
        ("setpoint_p: {children: {setpoint_p: {hosts: {c1: }}}}", (), set(), "can't add group to itself"),
    ],
    ids=["all", "a group", "localhost", "group all", "the role's group"],
)  # fmt: skip
def test_what_refused_names_mean_to_ansible(
    inventory: str, options: tuple[str, ...], hosts: set[str], said: str, tmp_path: Path
) -> None:
    """A host hides the group that is called like it; the machine that rolls out is others; or there is no inventory at
    all."""
    found, reported = listed(inventory, tmp_path, *options)
    assert {host for each in found.values() for host in each} == hosts
    assert " ".join(said.split()) in " ".join(reported.split())
