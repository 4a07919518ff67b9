"""Puppet: one module for all plans of a policy, and each server gets its own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from consumers.puppet import Catalog, CompileError, Compiler, run, system
from consumers.puppet_machine import Machine
from setpoint.targets.puppet.lower import lower_fleet
from support.ansible import fleet
from support.command import setpoint
from support.puppet import changes, passed
from support.shell import shellcheck

FLEET = """
policy fleet {
    platform r710;

    for group compute {
        goal latency;
        os   rhel 6.4;
        set  force-latency none because "the daemon that holds it in tuned 0.2 is not in the sandbox";
    }
    for group login { goal balanced; os rhel 6.4; }
    for group web { goal latency; os debian 12; }
    for group old { goal latency; os rhel 5; }
    for group desk { goal latency; os windows-server-2008-r2; }

    for host c042 in compute { set turbo off because "runs hot in rack 7"; }
    for host c043 { set turbo off because "its fan is slow"; }
}
"""

SITE = """
policy site {
    goal     latency;
    platform r740;
    os       modern-linux;

    for group slow { set turbo off because "power is short"; }
    for host db1.example.org { set smt on because "licensed by socket"; }
}
"""

HOSTS = """
policy hosts {
    platform r740;
    goal     latency;
    for host db1 { set turbo off because "power is short"; }
}
"""


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the modules of these policies, as the command writes them."""
    folder = tmp_path_factory.mktemp("fleet")
    modules = folder / "modules"
    modules.mkdir()
    for name, text in {"fleet": FLEET, "site": SITE, "hosts": HOSTS}.items():
        (folder / f"{name}.tune").write_text(text, encoding="utf-8")
        ran = setpoint("compile", str(folder / f"{name}.tune"), "-o", str(folder / name))
        assert ran.status == 0, ran.err
        assert not list((folder / name).glob(f"{name}-*/puppet")), "the module is that of all plans"
        (folder / name / name / "puppet" / f"setpoint_{name}").rename(modules / f"setpoint_{name}")
        (modules / f"setpoint_{name}/files").mkdir()
        for part in ("host", "plans"):
            (folder / name / name / part).rename(modules / f"setpoint_{name}/files" / part)
    return modules


@pytest.fixture(scope="module")
def compiler(modules: Path) -> Compiler:
    """Puppet's compiler, with these modules."""
    return Compiler(modules)


def known_as(name: str, facts: dict[str, Any]) -> dict[str, Any]:
    """The facts of a server with this name."""
    return {**facts, "networking": {"hostname": name.split(".")[0], "fqdn": name}}


EL6 = system("RedHat", "6")
MODERN = system("RedHat", "9", "PowerEdge R740")


def plan_in(catalog: Catalog) -> str:
    """The name of the plan whose catalog it is."""
    whole = catalog.of("File")["/var/lib/setpoint/puppet/server.plan"]["content"]
    (name,) = re.findall(r"^policy (\S+)$", whole, re.MULTILINE)
    sources = {file["source"] for file in catalog.of("File").values() if "/plans/" in file.get("source", "")}
    assert {source.split("/")[-2] for source in sources} == {name}
    return str(name)


def refused(compiler: Compiler, code: str, facts: dict[str, Any]) -> str:
    """Why Puppet compiles no catalog."""
    with pytest.raises(CompileError) as caught:
        compiler.compile(code, facts)
    return str(caught.value)


# ------------------------------------------------------------------------------------------------- what Puppet says


def test_puppet_parses_the_modules_and_its_linter_has_nothing_to_say(modules: Path) -> None:
    folders = [m / n for m in sorted(modules.iterdir()) for n in ("manifests", "types", "functions")]
    assert run("puppet", "parser", "validate", *folders) == (0, "")
    assert run("puppet-lint", "--fail-on-warnings", modules) == (0, "")


def test_a_module_passes_the_specs_of_its_plans(modules: Path) -> None:
    model = lower_fleet(fleet(SITE))
    assert model is not None
    assert passed(modules, model) >= 5


# ------------------------------------------------------------------------------------------- which plan a server gets


@pytest.mark.parametrize(
    ("name", "group", "plan"),
    [
        ("c001.example.org", "compute", "fleet-compute"),
        ("login1", "login", "fleet-login"),
        ("c042", "compute", "fleet-compute-c042"),
        ("c042.example.org", "compute", "fleet-compute-c042"),
        ("C042", "compute", "fleet-compute-c042"),
        ("c0420", "compute", "fleet-compute"),
        # The policy says which group it is in.
        ("c042", "", "fleet-compute-c042"),
        # It does not, and the site does.
        ("c043", "compute", "fleet-compute-c043"),
        ("c043", "login", "fleet-login-c043"),
    ],
)
def test_each_server_gets_the_plan_of_its_host_or_group(
    compiler: Compiler, name: str, group: str, plan: str
) -> None:
    code = f"class {{ 'setpoint_fleet': group => '{group}' }}"
    assert plan_in(compiler.compile(code, known_as(name, EL6))) == plan


@pytest.mark.parametrize(
    ("code", "name", "plan"),
    [
        ("include setpoint_site", "web1", "site"),
        ("class { 'setpoint_site': group => 'slow' }", "web1", "site-slow"),
        ("include setpoint_site", "db1.example.org", "site-db1.example.org"),
        ("include setpoint_site", "db1.example.com", "site"),
        ("class { 'setpoint_site': group => 'slow' }", "db1.example.org", "site-slow-db1.example.org"),
        ("include setpoint_hosts", "db1.example.org", "hosts-db1"),
        ("include setpoint_hosts", "db2", "hosts"),
    ],
)
def test_a_server_in_no_group_gets_the_plan_of_the_policy(
    compiler: Compiler, code: str, name: str, plan: str
) -> None:
    assert plan_in(compiler.compile(code, known_as(name, MODERN))) == plan


@pytest.mark.parametrize(
    ("name", "group", "why"),
    [
        (
            "x9.example.org",
            "undef",
            "setpoint_fleet::group is not set, and policy fleet has plans for group "
            "compute or desk or login or old or web: set it to the group of the server",
        ),
        ("x9.example.org", "''", "setpoint_fleet::group is not set"),
        (
            "x9.example.org",
            "'storage'",
            "setpoint_fleet::group is storage, and policy fleet has plans for group",
        ),
        (
            "x9.example.org",
            "'Compute'",
            "setpoint_fleet::group is Compute, and policy fleet has plans for group",
        ),
        (
            "c042",
            "'login'",
            "setpoint_fleet::group is login, and policy fleet has host c042 in group compute",
        ),
        (
            "c043",
            "undef",
            "setpoint_fleet::group is not set, and policy fleet has host c043 in group compute or",
        ),
        ("c043", "'storage'", "setpoint_fleet::group is storage, and policy fleet has host c043 in group"),
    ],
)
def test_a_server_that_no_plan_is_for_gets_no_catalog(
    compiler: Compiler, name: str, group: str, why: str
) -> None:
    said = refused(compiler, f"class {{ 'setpoint_fleet': group => {group} }}", known_as(name, EL6))
    assert "setpoint_fleet: no plan is for this server, called " in said
    assert f"{name.split('.')[0]} (trusted.certname, networking.fqdn): {why}" in said


def test_a_plan_that_puppet_can_do_nothing_for_is_no_silent_success(compiler: Compiler) -> None:
    facts = known_as("d1", system("windows", "2008 R2", system="windows"))
    said = refused(compiler, "class { 'setpoint_fleet': group => 'desk' }", facts)
    assert (
        "setpoint_fleet: plan fleet-desk has nothing for Puppet to do, and nothing was changed: "
        "`windows-server-2008-r2` is no Linux"
    ) in said


def test_a_module_without_groups_has_no_parameter_for_them(compiler: Compiler) -> None:
    said = refused(compiler, "class { 'setpoint_hosts': group => 'web' }", known_as("db1", MODERN))
    assert "no parameter named 'group'" in said


# --------------------------------------------------------------------------------------------------- what plans have


def test_plans_differ_in_their_parts(compiler: Compiler) -> None:
    """A drop-in file, a boot loader without a tool, a profile: each where the plan has it."""
    catalogs = {
        group: compiler.compile(f"class {{ 'setpoint_fleet': group => '{group}' }}", facts)
        for group, facts in {
            "compute": EL6,
            "login": EL6,
            "web": system("Debian", "12"),
            "old": system("RedHat", "5"),
        }.items()
    }
    kernel = {
        group: catalog.of("Exec").get("setpoint: kernel arguments", {}).get("command")
        for group, catalog in catalogs.items()
    }
    assert (
        kernel["compute"]
        == kernel["login"]
        == (
            "sh /var/lib/setpoint/puppet/setpoint-host apply /var/lib/setpoint/puppet/kernel-args.plan "
            "--state /var/lib/setpoint"
        )
    )
    assert kernel["old"] is None
    assert [g for g, c in catalogs.items() if "setpoint: cpuspeed service" in c.of("Exec")] == [
        "compute",
        "login",
        "old",
    ]
    profiles = {
        group: sorted(file for file in catalog.of("File") if file.endswith("/tuned.plan"))
        for group, catalog in catalogs.items()
    }
    assert profiles == {
        "compute": ["/var/lib/setpoint/puppet/tuned.plan"],
        "login": [],
        "web": ["/var/lib/setpoint/puppet/tuned.plan"],
        "old": [],
    }
    for catalog in catalogs.values():
        assert shellcheck(catalog.of("File")["/var/lib/setpoint/puppet/status.sh"]["content"]) == ""


# ------------------------------------------------------------------------------------------------------ puppet apply


@pytest.fixture
def server(modules: Path, tmp_path: Path) -> Machine:
    """A server with Enterprise Linux 6 and the site's module, whose group is that of its role."""
    machine = Machine(tmp_path, "RedHat", "6")
    for path in sorted((modules / "setpoint_fleet").rglob("*")):
        if path.is_file():
            machine.put(f"/modules/{path.relative_to(modules)}", path.read_text("utf-8"))
    machine.hiera(**{"setpoint_fleet::group": "%{facts.role}"})
    machine.begin("site")
    return machine


def role(machine: Machine, name: str) -> None:
    """Give a server its role, as a fact."""
    machine.put("/etc/facter/facts.d/role.json", f'{{"role": "{name}"}}')


ACTIVE = "/etc/tune-profiles/active-profile"
STATUS = ("sh", "/var/lib/setpoint/puppet/status.sh")


def test_a_server_gets_the_plan_of_its_group_and_when_that_changes_the_other(server: Machine) -> None:
    before, bios = server.files(), dict(server.firmware.staged())
    role(server, "compute")
    first = server.apply("include setpoint_fleet", "--certname", "c001.example.org")
    assert first.status == 2, first.said
    assert "intel_idle.max_cstate=0" in server.read("/state/kernels")
    assert server.read(ACTIVE) == "setpoint-fleet-compute"
    assert server.firmware.pending()["power"] == "maxperformance"
    assert "turbomode" not in server.firmware.pending(), "it is on as it was"

    role(server, "login")
    second = server.apply("include setpoint_fleet", "--certname", "c001.example.org")
    assert second.status == 2, second.said
    assert "intel_idle.max_cstate" not in server.read("/state/kernels")
    assert server.read(ACTIVE) == "site"
    server.firmware.reboot()
    server.put("/state/proc-sys/kernel/random/boot_id", "another\n")
    status = server.run(*STATUS)
    assert "policy fleet-login\n" in server.read("/var/lib/setpoint/puppet/server.plan")
    for part in ("cpuspeed", "syscfg"):
        assert f"{part}: as planned\n" in status.said, status.said
    again = server.apply("include setpoint_fleet", "--certname", "c001.example.org")
    assert again.status == 0, again.said

    server.put(ACTIVE, "setpoint-of-yore")
    off = server.apply("include setpoint_fleet", "--certname", "c001.example.org", "--noop")
    assert changes(off.said) == {"Exec[setpoint: earlier tuned profile]"}, off.said
    server.put(ACTIVE, "site")

    back = server.apply("class { 'setpoint_fleet': ensure => 'absent' }", "--certname", "c001.example.org")
    assert back.status == 2, back.said
    was = ("/etc/", "/state/kernels", "/state/cpuspeed/levels", "/state/cpuspeed/running")
    now = server.files()
    own = "/etc/facter/facts.d/role.json"
    assert {path: text for path, text in now.items() if path.startswith(was) and path != own} == {
        path: text for path, text in before.items() if path.startswith(was)
    }
    assert server.firmware.staged() == bios


def test_the_exceptional_host_gets_its_own_plan_and_no_other(server: Machine) -> None:
    role(server, "compute")
    ran = server.apply("include setpoint_fleet", "--certname", "c042.example.org")
    assert ran.status == 2, ran.said
    assert server.firmware.pending()["turbomode"] == "disable"
    assert server.read(ACTIVE) == "setpoint-fleet-compute-c042"


def test_on_a_server_in_no_group_nothing_is_changed(server: Machine) -> None:
    before = server.files()
    ran = server.apply("include setpoint_fleet", "--certname", "x9.example.org")
    assert ran.status not in (0, 2)
    assert "no plan is for this server, called x9.example.org, x9" in ran.said
    assert "setpoint_fleet::group is not set" in ran.said
    assert server.files() == before
