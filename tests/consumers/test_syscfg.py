"""The stand-in for `syscfg` does what Dell's papers show, and refuses the rest."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from consumers.registry import Registry
from consumers.requirement import require
from consumers.syscfg import REBOOT, STAND_IN, Server, eleventh_generation, from_registry


@pytest.fixture
def server(tmp_path: Path) -> Server:
    """An 11G server as the paper's example has it: SMT disabled."""
    return eleventh_generation(tmp_path / "server", logicproc="disable")


def test_the_programs_are_clean() -> None:
    command = [str(require("shellcheck")), str(STAND_IN), str(REBOOT)]
    assert subprocess.run(command, capture_output=True, text=True, check=False).stdout == ""


def test_the_papers_own_example(server: Server) -> None:
    assert server.syscfg("--logicproc").out == "logicproc=disable\n"
    assert server.syscfg("--logicproc=enable").out == "logicproc=enable\n"
    assert server.syscfg("--logicproc").out == "logicproc=enable\n"
    assert server.current()["logicproc"] == "disable"
    server.reboot()
    assert server.current()["logicproc"] == "enable"
    assert server.pending() == {}


def test_power_shows_the_working_profile_until_the_reboot(server: Server) -> None:
    assert server.syscfg("power").out == "profile=osctl\n"
    assert server.syscfg("power", "--profile=apc", "--setuppwdoverride").status == 0
    assert server.syscfg("power").out == "profile=osctl\n"
    assert server.pending() == {"power": "apc"}
    server.reboot()
    assert server.syscfg("power").out == "profile=apc\n"


@pytest.mark.parametrize(
    "call",
    [
        "--dcustreamerprefetcher",
        "--ProcTurboMode=Enabled",
        "--power",
        "--../current/cstates",
        "-logicproc",
        "logicproc=enable",
        "--",
        "--logicproc=on",
        "--logicproc=",
        "--logicproc=enable --turbomode=enable",
        "power --profile=dbpm",
        "power --logicproc=enable",
        "power --profile",
    ],
)
def test_what_nobody_showed_is_refused(server: Server, call: str) -> None:
    run = server.syscfg(*call.split())
    assert (run.status, run.out) == (1, "")
    assert run.err.startswith("syscfg: ")
    assert server.pending() == {}
    assert server.log() == [f"syscfg {call}"]


def test_no_argument_prints_the_help(server: Server) -> None:
    run = server.syscfg()
    assert run.status == 0
    assert "  --nodeinterleave\n" in run.out


def test_a_setup_password_guards_every_write(tmp_path: Path) -> None:
    server = eleventh_generation(tmp_path / "server", password="s3cret $x")
    assert server.syscfg("--cstates").status == 0
    assert server.syscfg("--cstates=disable").status == 1
    assert server.syscfg("--cstates=disable", "--valsetuppwd=wrong").status == 1
    assert server.syscfg("power", "--profile=apc").status == 1
    assert server.pending() == {}
    assert server.syscfg("--cstates=disable", "--ValSetupPwd=s3cret $x").status == 0
    assert server.syscfg("power", "--profile=apc", "--setuppwdoverride").status == 0
    assert server.pending() == {"cstates": "disable", "power": "apc"}
    assert "s3cret" not in "\n".join(server.log())


def test_faults_come_when_they_are_ordered(server: Server) -> None:
    script = '"$SYSCFG" --cstates=disable; "$SYSCFG" --turbomode=disable; syscfg --nodeinterleave=enable'
    run = server.run(script, fail_at=2)
    assert run.err == "syscfg: could not set option 'turbomode'\n"
    assert server.pending() == {"cstates": "disable", "nodeinterleave": "enable"}
    lost = server.run("syscfg --logicproc=enable; syscfg --logicproc", lose_at=4)
    assert lost.out == "logicproc=enable\nlogicproc=disable\n"
    assert server.writes() == 4
    assert server.run("syscfg --cstates", down=True).err == "syscfg: Unable to connect data manager\n"


def test_a_script_cannot_reboot_this_machine(server: Server) -> None:
    assert server.run('reboot "$1"; systemctl reboot', "-f").status == 0
    assert server.log() == ["host: reboot -f", "host: systemctl reboot"]


def test_a_script_sees_only_what_it_is_given(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SETUP_PASSWORD", "from outside")
    run = server.run('echo "${SETUP_PASSWORD-none} $SEEN"; exit 3', env={"SEEN": "given"})
    assert (run.status, run.out) == (3, "none given\n")


def test_a_twelfth_generation_server_has_its_registrys_profiles(tmp_path: Path) -> None:
    registry = Registry.load("dell-12g-R720")
    server = from_registry(tmp_path / "server", registry)
    assert server.syscfg("--ProcTurboMode=disabled").status == 1
    assert server.syscfg("--SysProfile=custom").out == "SysProfile=Custom\n"
    assert server.syscfg("--ProcTurboMode=disabled").out == "ProcTurboMode=Disabled\n"
    assert server.syscfg("--LogicalProc").out == "LogicalProc=Enabled\n"
    assert server.syscfg("power").status == 1
    assert server.syscfg("--NodeInterleave=Enabled").status == 1
    assert server.syscfg("--SysProfile=PerfOptimized").status == 0
    assert server.syscfg("--ProcTurboMode").out == "ProcTurboMode=Enabled\n"
    server.reboot()
    assert server.current()["ProcCStates"] == "Disabled"
