"""Is this the right server? Each script on systems that report what the policy is for, and on others."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from consumers.requirement import require
from consumers.syscfg import STAND_IN, from_registry
from setpoint.compiler.lowering.target import emission_of
from setpoint.compiler.plan.model import Plan
from setpoint.targets._shared.identity import Check, Identification, identification
from support.host import PROGRAM, identity, run_host
from support.limits import PATIENCE
from support.machines import R740 as R740_SERVER
from support.plans import planned
from support.servers import server
from support.shell import Ran, run, shellcheck, stand_in

R740 = "goal latency; platform r740"
R720 = "goal latency; platform r720"
EL6 = "goal latency; cpu westmere; platform r710; workload comm-bound; os rhel 6.4"
SLES = "goal latency; platform r740; os sles {}"
FOCAL = "goal latency; platform r740; os ubuntu 20.04"
RHEL8 = "goal latency; platform r740; os rhel 8"

SANTIAGO = "Red Hat Enterprise Linux Server release 6.5 (Santiago)"


def asks(policy: str, root: Path, shell: str = "dash", **env: str) -> Ran:
    """What the check itself says of a system."""
    script = f"set -fu\n{identity(identification(planned(policy)))}\nis_the_server || exit\necho right\n"
    command = [str(require(shell)), *(["sh"] if shell == "busybox" else []), "-c", script]
    environment = {"PATH": os.environ["PATH"], "SETPOINT_ROOT": str(root), **env}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    return Ran(done.returncode, done.stdout + done.stderr)


@pytest.mark.parametrize("shell", ["dash", "busybox"])
def test_a_server_that_the_policy_is_for(tmp_path: Path, shell: str) -> None:
    assert asks(R740, server(tmp_path), shell) == (0, "right\n")


def test_another_model_is_refused(tmp_path: Path) -> None:
    """The role of an R740 on an R750."""
    assert asks(R740, server(tmp_path, product="PowerEdge R750", processor="GenuineIntel 6 85 7")) == (
        5,
        "this server reports the product PowerEdge R750, and the policy states platform r740 (PowerEdge R740): "
        "state the right platform and compile again\n"
        'Nothing was changed. If this is the server that was meant: SETPOINT_IGNORE="product"\n',
    )


@pytest.mark.parametrize(
    ("sockets", "found", "state"), [(1, "1 processor socket", 1), (4, "4 processor sockets", 4)]
)
def test_sockets_are_named_as_the_cause(tmp_path: Path, sockets: int, found: str, state: int) -> None:
    ran = asks(R720, server(tmp_path, product="PowerEdge R720", sockets=sockets))
    assert ran.status == 5
    assert ran.said.splitlines()[0] == (
        f'this server reports {found}, and the policy assumes 2: state "sockets {state}" and compile again'
    )


def test_what_is_stated_or_implied_is_said_so(tmp_path: Path) -> None:
    one = server(tmp_path, product="PowerEdge R720", sockets=1)
    assert "the policy states 2" in asks(f"{R720}; sockets 2", one).said
    two = server(tmp_path / "two", product="PowerEdge R320", sockets=2)
    assert "the policy implies 1" in asks("goal latency; platform r320", two).said


def test_a_generation_is_all_its_models(tmp_path: Path) -> None:
    policy = "goal latency; platform poweredge-14g"
    for product in ("PowerEdge R640", "PowerEdge C6420", "PowerEdge T440"):
        assert asks(policy, server(tmp_path / product, product=product)).status == 0
    assert "the product PowerEdge R650" in asks(policy, server(tmp_path / "x", product="PowerEdge R650")).said


@pytest.mark.parametrize(
    ("policy", "release", "kernel", "fault"),
    [
        (R740, "arch", "5.6.0", ""),
        (R740, "debian 12", "10.0", ""),
        (R740, "rhel 8.10", "4.18.0-553.el8_10.x86_64", "the kernel 4.18.0-553.el8_10.x86_64"),
        (R740, "debian 12", "5.5.19", "the policy assumes os modern-linux (5.6 or later)"),
        (RHEL8, "rhel 8.10", "4.18.0-553.el8_10.x86_64", ""),
        (RHEL8, "rocky 8.9", "4.18.0-513.5.1.el8_9.x86_64", ""),
        (RHEL8, "rhel 8.10", "5.15.0-200.el8uek.x86_64", "the kernel 5.15.0-200.el8uek.x86_64"),
        (RHEL8, "debian 12", "4.18.0", "the distribution debian 12"),
        (RHEL8, "rhel 8.10", "4.180.0", "the kernel 4.180.0"),
        (SLES.format("12"), "sles 12.5", "4.12.14-122.266-default", ""),
        (SLES.format("12"), "sles 15.1", "4.12.14-197.108-default", "the distribution sles 15.1"),
        (SLES.format("15.1"), "sles 15", "4.12.14-150.86-default", ""),
        (SLES.format("15.1"), "sles 15.1", "4.12.14-197.108-default", ""),
        (SLES.format("15.1"), "sles 15.2", "5.3.18-24.107-default", "the kernel 5.3.18-24.107-default"),
        (SLES.format("15.2"), "sles 15.2", "5.3.18-24.107-default", ""),
        (SLES.format("15.2"), "sles 15.3", "5.3.18-59.37-default", "the distribution sles 15.3"),
        (SLES.format("15.3"), "sles 15.3", "5.3.18-59.37-default", ""),
        (SLES.format("15.3"), "sles 15", "4.12.14-150.86-default", "the distribution sles 15,"),
        (FOCAL, "ubuntu 20.04", "5.4.0-216-generic", ""),
        (FOCAL, "ubuntu 20.04", "5.15.0-139-generic", "the kernel 5.15.0-139-generic"),
        (EL6, SANTIAGO, "2.6.32-754.el6.x86_64", ""),
        (EL6, "CentOS release 6.10 (Final)", "2.6.32", ""),
        (EL6, "CentOS release 5.11 (Final)", "2.6.18", "the distribution CentOS release 5.11 (Final)"),
    ],
)
def test_the_system_is_compared(tmp_path: Path, policy: str, release: str, kernel: str, fault: str) -> None:
    product = "PowerEdge R710" if policy == EL6 else "PowerEdge R740"
    ran = asks(policy, server(tmp_path, product=product, release=release, kernel=kernel))
    assert (ran.status, fault in ran.said) == (5 if fault else 0, True), ran.said


def test_what_is_not_reported_is_no_match(tmp_path: Path) -> None:
    ran = asks(RHEL8, server(tmp_path, product="", sockets=0, release="", kernel="", system=""))
    assert ran.status == 5
    assert [line.split(",")[0] for line in ran.said.splitlines()] == [
        "this server reports no product",
        "this server reports no processor sockets",
        "this server reports no system",
        "this server reports no distribution",
        "this server reports no kernel",
        'Nothing was changed. If this is the server that was meant: SETPOINT_IGNORE="product sockets system distribution'
        ' kernel"',
    ]


def test_each_check_can_be_passed_over(tmp_path: Path) -> None:
    other = server(tmp_path, product="PowerEdge R750", sockets=1, kernel="4.18.0")
    assert asks(R740, other, SETPOINT_IGNORE="product processor sockets kernel") == (0, "right\n")
    left = asks(R740, other, SETPOINT_IGNORE="product processor kernel")
    assert (left.status, "1 processor socket" in left.said, "PowerEdge" in left.said) == (5, True, False)
    assert asks(R740, other, SETPOINT_IGNORE="products") == (
        2,
        "SETPOINT_IGNORE: there is no check products\n",
    )


def test_where_nothing_is_known_nothing_is_compared_and_the_script_says_so(tmp_path: Path) -> None:
    policy = "goal latency; platform m710; os rhel-5"
    root = server(
        tmp_path,
        product="Anything",
        release="CentOS release 5.11 (Final)",
        kernel="2.6.27",
        processor="GenuineIntel 6 44 2",
    )
    assert asks(policy, root).status == 0
    text = text_of(planned(policy), "kernel-args", "kernel-args.plan")
    assert "# nothing to compare: the product name of platform m710" in text
    assert "# nothing to compare: the kernel of os rhel-5" in text


def test_a_site_that_knows_only_the_family_of_its_servers_is_warned() -> None:
    """No fact of the platform follows from the family, and the site's policy names no brand."""
    policy = """
source lab { title "Notes on our servers"; publisher "Our lab"; }
options of lab when cpu epyc-naples { turbo on, off  default on  at "Run 1"; }
goal latency; cpu epyc-naples; platform r7425;
set turbo off because "a test";
"""
    (warning,) = (each for each in planned(policy).advisories if each.code == "W0506")
    assert warning.message.startswith("`platform r7425` names no product that servers report:")
    assert warning.help == ('state it as the server reports it, brand included: platform "…"',)


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox"])
@pytest.mark.parametrize(
    ("names", "product", "right"),
    [
        (("UCSC-C240-M6*",), "UCSC-C240-M6SX", True),
        (("UCSC-C240-M6*",), "UCSC-C240-M6", True),
        (("UCSC-C240-M6*",), "UCSC-C240-M7SX", False),
        (("UCSC-C240-M6*",), "AUCSC-C240-M6SX", False),
        (("ThinkSystem SR650 -[7X06*",), "ThinkSystem SR650 -[7X06CTO1WW]-", True),
        (("ThinkSystem SR650 -[7X06*",), "ThinkSystem SR650 V2", False),
        (("ThinkSystem SR650 -[7X06*",), "ThinkSystem SR650 -7", False),
        (("PowerEdge R760",), "PowerEdge R760xa", False),
        (("PowerEdge R760", "PowerEdge R7*"), "PowerEdge R760xa", True),
    ],
)
def test_a_product_may_go_on_behind_an_open_name_alone(
    tmp_path: Path, shell: str, names: tuple[str, ...], product: str, right: bool
) -> None:
    check = Check(kind="product", fact="platform", value="p", verb="states", names=names, since=())
    script = f"set -fu\n{identity(Identification(checks=(check,)))}\nis_the_server || exit\n"
    command = [str(require(shell)), *(["sh"] if shell == "busybox" else []), "-c", script]
    environment = {"PATH": os.environ["PATH"], "SETPOINT_ROOT": str(server(tmp_path, product=product))}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == (0 if right else 5)
    assert shellcheck(f"#!/bin/sh\n{script}") == ""


@pytest.mark.parametrize(
    "name", ["a*b", "*", "it's", 'a"b', "a$(b)", "a`b`", "a\nb", "{{ a }}", "${a}", "", " a", "a\\"]
)
def test_no_name_needs_quoting(name: str) -> None:
    with pytest.raises(ValueError, match="names"):
        Check(kind="product", fact="platform", value="p", verb="states", names=(name,), since=())


# ---------------------------------------------------------------------------------------------------------- the scripts


def text_of(plan: Plan, target: str, name: str) -> str:
    """A script of a target."""
    emission = emission_of(target, plan)
    assert emission is not None
    return next(a.text for a in emission.artifacts if a.path.endswith(name))


SCRIPTS = [
    ("kernel-args", "kernel-args.plan", ("apply", "try", "verify", "next", "status")),
    ("cpuspeed", "cpuspeed.plan", ("apply", "try", "verify")),
    ("syscfg", "syscfg.plan", ("apply", "try", "verify", "next", "status")),
    ("tuned", "tuned.plan", ("apply", "try", "verify")),
]


@pytest.mark.parametrize(("target", "name", "ways"), SCRIPTS)
def test_a_script_does_nothing_on_another_server(
    tmp_path: Path, target: str, name: str, ways: tuple[str, ...]
) -> None:
    """What it would call notes that it was called."""
    called = tmp_path / "called"
    tool = tmp_path / "tool"
    tool.write_text(f"#!/bin/sh\necho \"$0 $*\" >>'{called}'\n", encoding="utf-8")
    tool.chmod(0o755)
    programs = stand_in(tmp_path / "bin", tool, "grubby", "chkconfig", "service", "syscfg", "tuned-adm")
    root = server(tmp_path / "root", product="PowerEdge R720", release=SANTIAGO, kernel="2.6.32")
    functions = root / "etc/tune-profiles/functions"
    functions.parent.mkdir(parents=True)
    functions.write_text(
        f"process() {{ \"$1\"; }}\nset_cpu_governor() {{ echo $1 >>'{called}'; }}\n", encoding="utf-8"
    )
    script = text_of(planned(EL6), target, name)
    for way in ways:
        ran = (run_host if name.endswith(".plan") else run)(
            script,
            *way.split(),
            programs=programs,
            SETPOINT_IGNORE="",
            SETPOINT_ROOT=str(root),
            SYSCFG="syscfg",
        )
        assert ran.status == 5, ran.said
        assert "the product PowerEdge R720, and the policy states platform r710 (PowerEdge R710)" in ran.said
    assert not called.exists()


def test_the_bios_is_set_on_the_right_server_and_put_back_on_any(tmp_path: Path) -> None:
    tool = from_registry(tmp_path / "server", R740_SERVER.registry(), ignore_lockdown=True)
    before = tool.current()
    right = server(tmp_path / "right", sockets=1)
    script = text_of(planned(f"{R740}; sockets 1"), "syscfg", "syscfg.plan")
    state = ("--state", str(tmp_path / "state"))
    checked = {"SETPOINT_IGNORE": "", "SYSCFG": str(STAND_IN)}
    wrong = server(tmp_path / "wrong", product="PowerEdge R750", sockets=1)
    refused = tool.carries_out(PROGRAM, script, "apply", *state, env={**checked, "SETPOINT_ROOT": str(wrong)})
    assert (refused.status, tool.writes(), tool.current()) == (5, 0, before)
    done = tool.carries_out(PROGRAM, script, "apply", *state, env={**checked, "SETPOINT_ROOT": str(right)})
    assert done.status == 0, done.err
    assert tool.writes() > 0
    back = tool.carries_out(PROGRAM, script, "undo", *state, env={**checked, "SETPOINT_ROOT": str(wrong)})
    assert back.status == 0, back.err


UNKNOWN = (
    "no source shows which product platform m820 reports, so that nothing can be compared: make sure yourself that this is "
    'one\nNothing was changed. If this is the server that was meant: SETPOINT_IGNORE="product"\n'
)


@pytest.mark.parametrize(("target", "name"), [("syscfg", "syscfg.plan"), ("racadm", "racadm.plan")])
def test_a_server_of_unknown_product_is_to_be_confirmed_before_its_firmware_is_written(
    tmp_path: Path, target: str, name: str
) -> None:
    plan = planned("goal latency; platform m820; os linux")
    assert "server product platform m820 states\n" in text_of(plan, target, name)
    script = f"set -fu\n{identity(identification(plan, firmware=True))}\nis_the_server || exit\necho right\n"
    root = server(tmp_path, product="Anything", sockets=4, processor="GenuineIntel 6 45 7")
    environment = {"PATH": os.environ["PATH"], "SETPOINT_ROOT": str(root)}
    for ignored, expected in (("", (5, UNKNOWN)), ("product", (0, "right\n"))):
        done = subprocess.run(
            ["dash", "-c", script],
            env={**environment, "SETPOINT_IGNORE": ignored},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert (done.returncode, done.stdout + done.stderr) == expected
    assert shellcheck(f"#!/bin/sh\n{script}") == ""


@pytest.mark.parametrize("policy", [R740, RHEL8, EL6])
def test_the_check_is_clean_shell(policy: str) -> None:
    script = f"#!/bin/sh\nset -fu\n{identity(identification(planned(policy)))}\nis_the_server || exit\n"
    assert shellcheck(script) == ""
