"""Puppet: what the real one says of the modules, and what is in the catalogs that it compiles."""

from __future__ import annotations

import json
import re
import shutil
from importlib import import_module
from pathlib import Path

import pytest

from consumers.puppet import Catalog, CompileError, Compiler, of_modules, run, system
from setpoint.compiler.lowering.target import Emission, Fleet, Variant, emission_of
from setpoint.targets._host import PATH as PROGRAM_PATH
from setpoint.targets.puppet import TARGET
from setpoint.targets.puppet.lower import lower_fleet
from support.host import PROGRAM
from support.plans import planned
from support.puppet import (
    DEBIAN,
    EL5,
    EL6,
    EL7,
    EVERYTHING,
    GOALS,
    LATENCY,
    LONG,
    MODERN,
    SERVERS,
    SLES_12,
    SLES_15_SP3,
    SUSE,
    UBUNTU_20_04,
    WITHOUT_TUNED,
    Server,
    made_by,
    passed,
    put,
    text_of,
)
from support.shell import shellcheck

CASES = [pytest.param(s, g, id=f"{s.name}-{g}") for s in SERVERS for g in GOALS]


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the module of every goal on every server, and of the other plans above."""
    folder = tmp_path_factory.mktemp("puppet") / "modules"
    for server in SERVERS:
        for goal in GOALS:
            put(server.plan(goal), folder)
    for policy in (DEBIAN, LONG, EVERYTHING, WITHOUT_TUNED, SUSE, SLES_12, SLES_15_SP3, UBUNTU_20_04, EL5):
        put(planned(policy), folder)
    return folder


@pytest.fixture(scope="module")
def compiler(modules: Path) -> Compiler:
    """Puppet's compiler, with these modules."""
    return Compiler(modules)


# ------------------------------------------------------------------------------------------------- what Puppet says


def test_puppet_parses_every_manifest_type_and_template(modules: Path) -> None:
    manifests = [*of_modules(modules, "manifests/*.pp"), *of_modules(modules, "types/*.pp")]
    assert run("puppet", "parser", "validate", *manifests) == (0, "")
    assert run("puppet", "epp", "validate", *of_modules(modules, "templates/*.epp")) == (0, "")


def test_puppet_lint_has_nothing_to_say(modules: Path) -> None:
    assert run("puppet-lint", "--fail-on-warnings", modules) == (0, "")


def test_the_modules_pass_the_specs_of_their_plans(modules: Path) -> None:
    plans = (EL6.plan("latency"), EL7.plan("balanced"), MODERN.plan("latency"), planned(WITHOUT_TUNED))
    models = [lower_fleet(Fleet(plan.policy, (Variant(plan),))) for plan in plans]
    assert passed(modules, *filter(None, models)) >= 30


@pytest.mark.alike
@pytest.mark.parametrize(("server", "goal"), CASES)
def test_every_goal_compiles_to_a_catalog_that_carries_the_plan(
    compiler: Compiler, modules: Path, server: Server, goal: str
) -> None:
    plan, module = server.plan(goal), server.module(goal)
    catalog = compiler.compile(f"include {module}", server.system)
    assert catalog.warnings == ()

    for file in catalog.of("File").values():
        if "source" in file:
            assert Path(
                file["source"].replace(f"puppet:///modules/{module}", f"{modules}/{module}/files")
            ).is_file()
    execs = catalog.of("Exec")
    assert ("setpoint: BIOS settings" in execs) == bool(
        made_by("syscfg", plan) and not made_by("redfish", plan)
    )
    assert ("setpoint: kernel arguments" in execs) == bool(made_by("kernel-args", plan))
    assert ("setpoint: tuned profile" in execs) == bool(made_by("tuned", plan))
    assert ("setpoint: cpuspeed service" in execs) == bool(made_by("cpuspeed", plan))
    assert catalog.of("Service") == {}
    for command in execs.values():
        assert not re.search(r"\b(reboot|shutdown|halt|poweroff)\b", str(command))


@pytest.mark.parametrize(("server", "goal"), CASES)
def test_every_setting_is_carried_or_left_out_by_name(server: Server, goal: str) -> None:
    plan = server.plan(goal)
    emission = TARGET.emit(plan)
    assert {d.setting for d in plan.written} <= emission.expressed | emission.left_out.keys()
    assert not emission.expressed & emission.left_out.keys()
    assert all(emission.left_out.values())
    firmware = () if emission_of("redfish", plan) else ("syscfg",)
    names = ("kernel-args", "tuned", "cpuspeed", *firmware)
    others = [e for name in names if (e := emission_of(name, plan))]
    assert emission.expressed == frozenset[str]().union(*(other.expressed for other in others))


def test_puppet_catalog_compile_says_the_same(modules: Path, tmp_path: Path, compiler: Compiler) -> None:
    """The command that an operator has, on this host's own facts; and Hiera of the
    environment."""
    environment = tmp_path / "environments" / "production"
    (environment / "data").mkdir(parents=True)
    (environment / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n  - name: site\n    path: site.yaml\n", "utf-8"
    )
    (environment / "data" / "site.yaml").write_text(
        "setpoint_modern_latency::state_folder: '/srv/setpoint'\n", "utf-8"
    )
    (environment / "site.pp").write_text("include setpoint_modern_latency\n", "utf-8")
    ran = run(
        "puppet", "catalog", "compile", "localhost", "--color", "false", "--log_level", "err",
        "--confdir", tmp_path, "--vardir", tmp_path, "--environmentpath", environment.parent, "--environment", "production",
        "--manifest", environment / "site.pp", "--modulepath", modules,
    )  # fmt: skip
    assert ran.status == 0, ran.said
    document, _ = json.JSONDecoder().raw_decode(ran.said[ran.said.index("{\n") :])
    here = Catalog(document).of("Exec")["setpoint: tuned profile"]["command"]
    there = compiler.compile("include setpoint_modern_latency", MODERN.system).of("Exec")
    command = there["setpoint: tuned profile"]["command"]
    assert command == (
        "sh /var/lib/setpoint/puppet/setpoint-host apply /var/lib/setpoint/puppet/tuned.plan --state /var/lib/setpoint"
    )
    assert here == (
        "sh /var/lib/setpoint/puppet/setpoint-host apply /var/lib/setpoint/puppet/tuned.plan --state /srv/setpoint"
    )


# ------------------------------------------------------------------------------------------------------- the parts


CARRIED = {
    LATENCY: {
        "cpuspeed/cpuspeed.plan",
        "kernel-args/kernel-args.plan",
        "syscfg/syscfg.plan",
        "tuned/tuned.plan",
    },
    DEBIAN: {"kernel-args/kernel-args.plan", "syscfg/syscfg.plan", "tuned/tuned.plan"},
    MODERN.policy("latency"): {
        "kernel-args/kernel-args.plan",
        "racadm/racadm.plan",
        "tuned/tuned.plan",
    },
}


@pytest.mark.parametrize("policy", CARRIED)
def test_plans_are_those_of_other_targets(policy: str) -> None:
    plan = planned(policy)
    files = {a.path: a.text for a in TARGET.emit(plan).artifacts if a.path.endswith(".plan")}
    assert set(files) == CARRIED[policy]
    (program,) = (a.text for a in TARGET.emit(plan).artifacts if a.path == PROGRAM_PATH)
    assert program == PROGRAM
    for path, text in files.items():
        target, name = path.split("/")
        assert text in [a.text for a in made_by(target, plan) if a.path.endswith(f"/{name}")]


def test_what_it_runs_is_taken_from_the_module_or_from_its_bundle(tmp_path: Path) -> None:
    """A module that still lies in its bundle finds it there; one that was moved without it changes nothing."""
    for artifact in TARGET.emit(planned(LATENCY)).artifacts:
        path = tmp_path / "bundle" / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    (tmp_path / "moved").mkdir()
    (module,) = (tmp_path / "bundle/puppet").iterdir()
    moved = shutil.copytree(module, tmp_path / "moved" / module.name)
    compiler = Compiler(tmp_path / "bundle/puppet")
    of_moved = Compiler(tmp_path / "moved")
    code, place = f"include {module.name}", "/var/lib/setpoint/puppet/setpoint-host"
    found = compiler.compile(code, EL6.system).of("File")[place]
    assert (found["content"], found["mode"]) == (PROGRAM, "0755")
    folders = ("cpuspeed", "host", "kernel-args", "syscfg", "tuned")
    for folder in folders:
        with pytest.raises(
            CompileError, match=f"nothing was changed: .*; cp -r {' '.join(folders)} MODULES/"
        ):
            of_moved.compile(code, EL6.system)
        shutil.copytree(tmp_path / "bundle" / folder, moved / "files" / folder)
    sources = {
        name: file.get("source") for name, file in of_moved.compile(code, EL6.system).of("File").items()
    }
    assert sources[place] == f"puppet:///modules/{module.name}/host/setpoint-host"
    plan = "/var/lib/setpoint/puppet/tuned.plan"
    assert sources[plan] == f"puppet:///modules/{module.name}/tuned/tuned.plan"


@pytest.mark.parametrize(
    ("way", "command"), [("undef", ""), ("grubby", " --by grubby"), ("drop-in", " --by drop-in")]
)
def test_the_program_finds_the_boot_loader_unless_the_site_names_it(
    compiler: Compiler, way: str, command: str
) -> None:
    stated = way if way == "undef" else f"'{way}'"
    code = f"class {{ 'setpoint_modern_latency': kernel_arguments_by => {stated} }}"
    catalog = compiler.compile(code, MODERN.system)
    execs = catalog.of("Exec")
    assert execs["setpoint: kernel arguments"]["command"].endswith(f" --state /var/lib/setpoint{command}")
    assert catalog.warnings == ()
    by_hand = compiler.compile(code.replace(stated, "'by-hand'"), MODERN.system)
    assert "setpoint: kernel arguments" not in by_hand.of("Exec")
    (warning,) = by_hand.warnings
    assert "the kernel arguments are left to you" in warning


@pytest.mark.parametrize(
    ("server", "parameter", "value"),
    [
        (EL6, "manage_cpuspeed", "'off'"),
        (EL6, "cpuspeed", "'running'"),
        (EL6, "kernel_arguments_by", "'drop-in'"),
        (EL6, "folder", "'/tmp/$(reboot)'"),
        (EL6, "folder", "'tmp'"),
        (EL6, "state_folder", "'/tmp; reboot'"),
        (EL6, "path", "'/bin'"),
        (EL6, "path", "[]"),
        (EL6, "pass_over", "['cpu']"),
        (EL6, "manage_firmware", "'no'"),
        (EL6, "setup_password_file", r'"/root/a\n/b"'),
        (EL6, "racadm", "'/opt/dell/srvadmin/sbin/racadm'"),
        (MODERN, "syscfg", "'/opt/dell/toolkit/bin/syscfg'"),
        (MODERN, "racadm", "'racadm'"),
        (MODERN, "setup_password_file", "'/root/bios'"),
        (MODERN, "kernel_arguments_by", "'lilo'"),
        (MODERN, "ensure", "'rolled back'"),
        (MODERN, "ensure", "false"),
        (MODERN, "tuned_correct_drift", "'no'"),
        (MODERN, "turbo", "'off'"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(
    compiler: Compiler, server: Server, parameter: str, value: str
) -> None:
    with pytest.raises(CompileError, match=parameter):
        compiler.compile(f"class {{ '{server.module('latency')}': {parameter} => {value} }}", server.system)


def test_the_setup_password_is_read_on_the_server(compiler: Compiler) -> None:
    code = "class { 'setpoint_el6_latency': setup_password_file => '/root/bios' }"
    firmware = compiler.compile(code, EL6.system).of("Exec")["setpoint: BIOS settings"]
    assert firmware["command"].startswith('SETPOINT_SETUP_PASSWORD="$(head -n 1 /root/bios)" sh ')
    assert "PASSWORD" not in firmware["unless"]


def test_what_nothing_can_set_is_left_to_the_operator() -> None:
    emission = TARGET.emit(planned(EL5))
    assert emission.expressed >= {"cpuspeed-service", "turbo"}
    assert "boot menu is edited by hand" in emission.left_out["acpi-idle-limit"]
    readme = text_of(planned(EL5), "README.md")
    data = text_of(planned(EL5), f"data/plans/{planned(EL5).policy}.yaml")
    assert f"  # {emission.left_out['acpi-idle-limit']}\n" in data
    assert "Puppet 7 has no agent package for Enterprise Linux 5." in readme


def test_where_only_redfish_reaches_the_bios_the_readme_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    lowering = import_module("setpoint.targets.puppet.lower")
    monkeypatch.setattr(
        lowering,
        "emission_of",
        lambda name, plan: None if name in ("racadm", "syscfg") else emission_of(name, plan),
    )
    plan = EL7.plan("latency")._replace(policy="without-racadm")  # what is made of a plan is kept
    emission = TARGET.emit(plan)
    assert {d.setting for d in plan.written if d.layer == "firmware"} <= emission.left_out.keys()
    assert "use the bundle's `redfish/` or `ansible/`" in text_of(plan, "README.md")


def test_there_is_no_module_without_linux_or_without_anything_to_do() -> None:
    windows = planned("goal latency; platform r710; os windows-server-2008-r2")
    assert TARGET.unsupported_reason(windows) == "`windows-server-2008-r2` is no Linux"
    assert (
        TARGET.unsupported_reason(planned(LATENCY)._replace(facts=())) == "the plan names no operating system"
    )
    assert TARGET.emit(planned(LATENCY)._replace(settings=())) == Emission((), frozenset(), {})


@pytest.mark.parametrize("policy", [LATENCY, EL7.policy("balanced"), DEBIAN, LONG, EL5])
def test_metadata_is_what_puppet_modules_have(policy: str) -> None:
    plan = planned(policy)
    metadata = json.loads(text_of(plan, "metadata.json"))
    (module,) = {a.path.split("/")[1] for a in TARGET.emit(plan).artifacts if a.path.startswith("puppet/")}
    assert metadata["name"] == f"setpoint-{module}"
    assert metadata.keys() == {
        "name", "version", "author", "license", "summary", "source", "dependencies", "requirements",
        "operatingsystem_support",
    }  # fmt: skip
    assert metadata["license"] == "proprietary", "the policy is another's: no licence is given in their name"
    assert len(metadata["summary"]) <= 144
    assert metadata["requirements"] == [{"name": "puppet", "version_requirement": ">= 7.0.0 < 9.0.0"}]
    assert metadata["operatingsystem_support"]


@pytest.mark.parametrize("policy", [LATENCY, DEBIAN, EVERYTHING, EL5])
def test_the_module_is_the_same_each_time(policy: str) -> None:
    emission = TARGET.emit(planned(policy))
    assert TARGET.emit(planned(policy)) == emission
    assert [a.path for a in emission.artifacts] == sorted(a.path for a in emission.artifacts)
    assert all(a.text.endswith("\n") for a in emission.artifacts)
    assert {a.path for a in emission.artifacts if a.mode != 0o644} <= {PROGRAM_PATH}


@pytest.mark.parametrize("name", ["el6_latency", "modern_latency", "modern_density", "debian", "el5"])
def test_status_is_a_script_that_shellcheck_passes(compiler: Compiler, name: str) -> None:
    releases = {"el6": ("RedHat", "6"), "debian": ("Debian", "12"), "el5": ("RedHat", "5")}
    product = "PowerEdge R740" if name.startswith("modern") else "PowerEdge R710"
    facts = system(*releases.get(name.split("_")[0], ("Debian", "12")), product)
    for ensure in ("present", "absent"):
        code = f"class {{ 'setpoint_{name}': ensure => {ensure}, manage_firmware => true }}"
        catalog = compiler.compile(code, facts)
        assert shellcheck(catalog.of("File")["/var/lib/setpoint/puppet/status.sh"]["content"]) == ""
