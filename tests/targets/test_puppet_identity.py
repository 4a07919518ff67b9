"""Puppet: which checks of a server the class has the program make. A run makes them in `test_puppet_apply.py`."""

from __future__ import annotations

import pytest

from consumers.puppet import Compiler, system
from support.plans import planned
from support.puppet import put

POLICY = "policy eight { goal latency; platform r740; os rhel 8 }"
FACTS = system("RedHat", "8", "PowerEdge R740")
PARTS = ("kernel arguments", "tuned profile", "BIOS settings")


@pytest.fixture(scope="module")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    """Puppet's compiler, with the module of the policy."""
    modules = tmp_path_factory.mktemp("puppet-identity")
    put(planned(POLICY), modules)
    return Compiler(modules)


@pytest.mark.parametrize("check", ["product", "processor", "sockets", "system", "distribution", "kernel"])
def test_each_check_can_be_skipped_and_the_program_is_told(compiler: Compiler, check: str) -> None:
    code = f"class {{ 'setpoint_eight': pass_over => ['{check}'], manage_firmware => true }}"
    execs = compiler.compile(code, FACTS).of("Exec")
    for part in PARTS:
        assert f"SETPOINT_IGNORE={check}" in execs[f"setpoint: {part}"]["environment"]


def test_several_checks_are_named_together(compiler: Compiler) -> None:
    code = "class { 'setpoint_eight': pass_over => ['sockets', 'product'] }"
    execs = compiler.compile(code, FACTS).of("Exec")
    assert "SETPOINT_IGNORE=sockets product" in execs["setpoint: tuned profile"]["environment"]


def test_the_program_is_told_nothing_where_all_is_compared(compiler: Compiler) -> None:
    execs = compiler.compile("include setpoint_eight", FACTS).of("Exec")
    assert "SETPOINT_IGNORE" not in str(execs["setpoint: kernel arguments"]["environment"])
