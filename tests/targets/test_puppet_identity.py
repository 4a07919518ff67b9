"""Puppet: the class compares the server's facts with the plan, and compiles no catalog for another server."""

from __future__ import annotations

from typing import Any

import pytest

from consumers.puppet import CompileError, Compiler, system
from support.plans import planned
from support.puppet import EL6, put

MODERN = "policy modern { goal latency; platform r740 }"
R720 = "policy twelve { goal latency; platform r720; os rhel 7 }"
OPEN = "policy open { goal latency; platform c240-m6; os rhel 8 }"
UNKNOWN = "policy unknown { goal latency; platform m820; os rhel 7 }"
RHEL8 = "policy eight { goal latency; platform r740; os rhel 8 }"


@pytest.fixture(scope="module")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    """Puppet's compiler, with a module for each policy."""
    modules = tmp_path_factory.mktemp("puppet-identity")
    for policy in (MODERN, R720, RHEL8, UNKNOWN, OPEN, EL6.policy("latency")):
        put(planned(policy), modules)
    return Compiler(modules)


def refused(compiler: Compiler, code: str, facts: dict[str, Any]) -> str:
    """Why Puppet compiles no catalog."""
    with pytest.raises(CompileError) as caught:
        compiler.compile(code, facts)
    return str(caught.value)


def test_on_the_right_server_there_is_a_catalog(compiler: Compiler) -> None:
    compiler.compile("include setpoint_modern", system("RedHat", "9", "PowerEdge R740"))
    compiler.compile("include setpoint_modern", system("Debian", "12", "PowerEdge R740"))
    compiler.compile("include setpoint_twelve", system("RedHat", "7", "PowerEdge R720"))
    compiler.compile("include setpoint_eight", system("RedHat", "8", "PowerEdge R740"))


def test_another_model_is_refused(compiler: Compiler) -> None:
    said = refused(compiler, "include setpoint_modern", system("RedHat", "9", "PowerEdge R750"))
    assert (
        "setpoint_modern: this server reports product PowerEdge R750, and the policy states platform r740 "
        "(PowerEdge R740): state the right platform and compile again, or set check_product to false"
    ) in said


def test_a_product_may_go_on_behind_an_open_name(compiler: Compiler) -> None:
    for product in ("UCSC-C240-M6SX", "UCSC-C240-M6"):
        compiler.compile("include setpoint_open", system("RedHat", "8", product))
    for product in ("UCSC-C240-M7SX", "UCSC-C220-M6S", "PowerEdge R740", ""):
        said = refused(compiler, "include setpoint_open", system("RedHat", "8", product))
        assert "the policy states platform c240-m6 (UCSC-C240-M6*)" in said


def test_a_server_of_unknown_product_has_to_be_confirmed(compiler: Compiler) -> None:
    facts = system("RedHat", "7", "PowerEdge M820", sockets=4)
    assert (
        "setpoint_unknown: no source shows which product platform m820 reports, so that nothing can be compared: make sure "
        "yourself that this is one, and set check_product to false"
    ) in refused(compiler, "include setpoint_unknown", facts)
    compiler.compile("class { 'setpoint_unknown': check_product => false }", facts)


def test_sockets_are_named_as_the_cause(compiler: Compiler) -> None:
    said = refused(compiler, "include setpoint_twelve", system("RedHat", "7", "PowerEdge R720", sockets=1))
    assert (
        "this server reports sockets 1, and the policy assumes sockets 2 (2): "
        "state the right sockets and compile again, or set check_sockets to false"
    ) in said


def test_the_assumed_system_is_no_enterprise_linux_8_and_no_windows(compiler: Compiler) -> None:
    old = refused(compiler, "include setpoint_modern", system("RedHat", "8", "PowerEdge R740"))
    assert "reports kernel 4.18.0-1.x86_64, and the policy assumes os modern-linux (5.6 or later)" in old
    facts = system("windows", "2019", "PowerEdge R740", system="windows")
    windows = refused(compiler, "include setpoint_modern", facts)
    assert "reports system windows, and the policy assumes os modern-linux" in windows


def test_a_kernel_that_is_not_the_release_s_is_refused(compiler: Compiler) -> None:
    facts = {**system("RedHat", "8", "PowerEdge R740"), "kernelrelease": "5.15.0-200.el8uek.x86_64"}
    assert "the policy states os rhel-8 (4.18)" in refused(compiler, "include setpoint_eight", facts)


def test_what_has_no_dmi_table_is_refused(compiler: Compiler) -> None:
    facts = system("RedHat", "9", "PowerEdge R740")
    del facts["dmi"]
    assert "reports product none" in refused(compiler, "include setpoint_modern", facts)


@pytest.mark.parametrize(
    ("check", "facts"),
    [
        ("product", system("RedHat", "9", "PowerEdge R750")),
        ("sockets", system("RedHat", "9", "PowerEdge R740", sockets=1)),
        ("kernel", system("RedHat", "8", "PowerEdge R740")),
        ("system", system("RedHat", "9", "PowerEdge R740", system="GNU")),
    ],
)
def test_each_check_can_be_passed_over_and_the_scripts_are_told(
    compiler: Compiler, check: str, facts: dict[str, Any]
) -> None:
    refused(compiler, "include setpoint_modern", facts)
    code = f"class {{ 'setpoint_modern': check_{check} => false, manage_firmware => true }}"
    execs = compiler.compile(code, facts).of("Exec")
    # Where every distribution is taken, the program compares none.
    told = f"SETPOINT_IGNORE={check} distribution"
    for part in ("kernel arguments", "tuned profile", "BIOS settings"):
        assert told in execs[f"setpoint: {part}"]["environment"]


def test_a_rollback_does_not_compare_the_server(compiler: Compiler) -> None:
    """What a script has found on a server is restored there, whatever the server has become."""
    facts = system("RedHat", "8", "PowerEdge R750", sockets=1)
    refused(compiler, "include setpoint_twelve", facts)
    execs = compiler.compile("class { 'setpoint_twelve': ensure => 'absent' }", facts).of("Exec")
    assert "setpoint: roll back kernel arguments" in execs


def test_scripts_are_told_nothing_where_all_is_compared(compiler: Compiler) -> None:
    execs = compiler.compile("include setpoint_eight", system("RedHat", "8", "PowerEdge R740")).of("Exec")
    assert "SETPOINT_IGNORE" not in str(execs["setpoint: kernel arguments"]["environment"])
