"""cpuspeed: its plan under dash, with stand-ins for chkconfig and service that behave as Enterprise Linux's do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.faults import KINDS, Faults, services
from consumers.requirement import require
from setpoint.compiler.plan.model import Plan
from setpoint.targets.cpuspeed import TARGET
from support.host import PROGRAM, arguments_for, run_host, words_of
from support.plans import HOSTILE, because, planned
from support.shell import Ran, stand_in

STAND_IN = Path(__file__).resolve().parents[1] / "consumers" / "cpuspeed_stand_in"

OFF = "goal latency; cpu westmere; os rhel 5"
"""Maximum Performance leaves the service nothing to do."""

ON = OFF.replace("rhel 5", "rhel 6.4") + (
    '; set cpuspeed-service on because "a test"; accept os-control-without-cpuspeed because "a test"'
)


def text_of(plan: Plan) -> str:
    program, artifact = TARGET.emit(plan).artifacts
    assert program.text == PROGRAM
    assert (artifact.path, artifact.mode) == ("cpuspeed/cpuspeed.plan", 0o644)
    return artifact.text


class Server:
    """A server with the service in some state."""

    def __init__(self, folder: Path, levels: str | None = "12345", *, running: bool = True) -> None:
        self.programs = stand_in(folder / "bin", STAND_IN, "chkconfig", "service")
        self.state = folder / "state"
        self.state.mkdir()
        self.kept = folder / "kept"
        if levels is not None:
            (self.state / "levels").write_text(levels, encoding="utf-8")
        if running:
            (self.state / "running").touch()

    def run(self, plan: Plan, *arguments: str) -> Ran:
        (self.state / "calls").write_text("", encoding="utf-8")
        state = ("--state", str(self.kept))
        return run_host(
            text_of(plan),
            *(arguments or ("apply",)),
            *state,
            programs=self.programs,
            CPUSPEED=str(self.state),
            LANG="de_DE.UTF-8",
        )

    @property
    def changes(self) -> list[str]:
        return (self.state / "calls").read_text(encoding="utf-8").splitlines()

    @property
    def running(self) -> bool:
        return (self.state / "running").exists()


def test_the_service_is_stopped_now_and_later(tmp_path: Path) -> None:
    server = Server(tmp_path)
    assert server.run(planned(OFF), "verify").status == 3
    assert server.run(planned(OFF)).status == 0
    assert server.changes == ["chkconfig cpuspeed off", "service cpuspeed stop"]
    assert not server.running
    assert server.run(planned(OFF), "verify") == (0, "cpuspeed: is off, as planned\n")


@pytest.mark.parametrize(
    ("policy", "levels", "running", "status", "state", "found"),
    [
        (OFF, "12345", True, 3, "differs", "on"),
        (OFF, "12345", False, 3, "differs", "off"),
        (OFF, "", False, 0, "ok", "off"),
        (OFF, None, False, 0, "ok", "off"),
        (ON, "2345", True, 0, "ok", "on"),
        (ON, None, False, 3, "differs", "off"),
    ],
)
def test_json(
    tmp_path: Path, policy: str, levels: str | None, running: bool, status: int, state: str, found: str
) -> None:
    done = Server(tmp_path, levels, running=running).run(planned(policy), "verify", "--json")
    (result,) = json.loads(done.said)["results"]
    assert (done.status, result["setting"], result["layer"]) == (status, "cpuspeed-service", "os")
    assert (result["state"], result["found"]) == (state, found)


def test_json_where_nobody_can_tell(tmp_path: Path) -> None:
    tools = stand_in(tmp_path, require("busybox"), "uname", "od", "awk", "sed", "tr", "grep", "cksum")
    done = run_host(text_of(planned(OFF)), "verify", "--json", PATH=str(tools))
    document, _ = json.JSONDecoder().raw_decode(done.said)
    assert (done.status, document["results"][0]["state"]) == (4, "unreadable")
    assert "there is no chkconfig here" in document["results"][0]["reason"]


def test_the_service_is_started_now_and_later(tmp_path: Path) -> None:
    server = Server(tmp_path, "1", running=False)
    assert server.run(planned(ON)).status == 0
    assert server.changes == ["chkconfig cpuspeed on", "service cpuspeed start"]
    assert server.running
    assert server.run(planned(ON), "verify") == (0, "cpuspeed: is on, as planned\n")


@pytest.mark.parametrize(
    ("policy", "levels", "running"), [(OFF, "1", False), (OFF, "", False), (ON, "2345", True)]
)
def test_what_is_as_planned_is_left_alone(tmp_path: Path, policy: str, levels: str, running: bool) -> None:
    """chkconfig switches runlevels 2 to 5, so whatever stands in the others is as planned."""
    server = Server(tmp_path, levels, running=running)
    done = server.run(planned(policy))
    assert (done, server.changes) == ((0, "cpuspeed: nothing to change\n"), [])


@pytest.mark.parametrize(
    ("levels", "running", "change"),
    [
        ("1", True, "service cpuspeed stop"),
        ("3", False, "chkconfig cpuspeed off"),
        ("12345", False, "chkconfig cpuspeed off"),
    ],
)
def test_only_what_differs_is_changed(tmp_path: Path, levels: str, running: bool, change: str) -> None:
    server = Server(tmp_path, levels, running=running)
    assert server.run(planned(OFF)).status == 0
    assert server.changes == [change]


def test_a_dry_run_says_the_commands_and_changes_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path)
    done = server.run(planned(OFF), "try")
    assert done.status == 3
    assert "would run: chkconfig cpuspeed off" in done.said
    assert "would run: service cpuspeed stop" in done.said
    assert (server.changes, server.running) == ([], True)


def test_a_service_that_is_not_there_is_off(tmp_path: Path) -> None:
    server = Server(tmp_path, None, running=False)
    for verb in ("try", "apply"):
        assert server.run(planned(OFF), verb) == (0, "cpuspeed: nothing to change\n")
    assert server.run(planned(OFF), "verify") == (0, "cpuspeed: is not installed, as good as off\n")
    assert server.run(planned(ON), "verify") == (3, "cpuspeed: is to be on, and is not installed\n")
    assert server.run(planned(ON)).status == 4


@pytest.mark.parametrize("policy", [OFF, ON])
@pytest.mark.parametrize("option", [(), ("try",), ("verify",)])
def test_without_chkconfig_nobody_can_tell(tmp_path: Path, policy: str, option: tuple[str, ...]) -> None:
    """As on Debian: that there is no such service is not known there, and nothing is as planned."""
    server = Server(tmp_path)
    (server.programs / "chkconfig").unlink()
    done = server.run(planned(policy), *option)
    assert done == (4, "setpoint-host: cannot tell how the service stands: there is no chkconfig here\n")
    assert server.changes == []


@pytest.mark.parametrize("status", [4, 126, 127])
def test_a_status_that_is_not_known_is_not_off(tmp_path: Path, status: int) -> None:
    server = Server(tmp_path)
    (server.programs / "service").unlink()
    unsure = server.programs / "service"
    unsure.write_text(f"#!/bin/sh\nexit {status}\n", encoding="utf-8")
    unsure.chmod(0o755)
    done = server.run(planned(OFF), "verify")
    assert done == (4, "setpoint-host: cannot tell how the service stands: service cpuspeed status fails\n")


def test_what_chkconfig_cannot_read_is_not_taken_for_missing(tmp_path: Path) -> None:
    server = Server(tmp_path)
    (server.programs / "chkconfig").unlink()
    refusing = server.programs / "chkconfig"
    refusing.write_text("#!/bin/sh\necho 'You do not have enough privileges' >&2\nexit 1\n", encoding="utf-8")
    refusing.chmod(0o755)
    done = server.run(planned(OFF), "verify")
    assert (done.status, "chkconfig says: You do not have enough privileges" in done.said) == (4, True)


def test_a_service_that_does_not_start_is_no_success(tmp_path: Path) -> None:
    """As where the firmware keeps the frequency to itself."""
    server = Server(tmp_path, "", running=False)
    (server.state / "powerless").touch()
    done = server.run(planned(ON))
    assert done.status == 4
    assert "Does the firmware leave the frequency to the operating system?" in done.said
    assert "all is as it was before this run" in done.said
    assert (server.state / "levels").read_text(encoding="utf-8").strip() == ""


@pytest.mark.parametrize("arguments", [("verfiy",), ("verify", "--dry-run"), ("",)])
def test_what_the_program_does_not_know_it_does_not_do(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    server = Server(tmp_path)
    assert server.run(planned(OFF), *arguments).status == 2
    assert server.changes == []


# --------------------------------------------------------------------------------------------------------- the way back


class Faulty:
    """A server on which a call of a program that changes something can go wrong."""

    def __init__(self, folder: Path, levels: str, *, running: bool) -> None:
        self.service, self.kept = folder / "service", folder / "kept"
        self.service.mkdir()
        (self.service / "levels").write_text(levels, encoding="utf-8")
        if running:
            (self.service / "running").touch()
        real = folder / "real-programs"
        services(real, STAND_IN)
        changing = ("mv", "rm", "mkdir", "sync", "order-chkconfig", "order-service")
        self.faults = Faults(
            folder, changing, real, CPUSPEED=str(self.service), SETPOINT_PLAN=text_of(planned(OFF))
        )

    def run(self, *arguments: str, kind: str = "fails", at: int = 0, shell: str = "dash") -> Ran:
        state = ("--state", str(self.kept))
        ran = self.faults.run(PROGRAM, *arguments_for(arguments), *state, kind=kind, at=at, shell=shell)
        self.faults.left(self.kept / "cpuspeed.lock")
        assert not (self.service / "has-the-lock").exists()
        return ran

    @property
    def stands(self) -> tuple[list[str], bool]:
        """The runlevels in which the service is on, and whether it runs."""
        levels = (self.service / "levels").read_text(encoding="utf-8").strip()
        return sorted(levels), (self.service / "running").exists()

    @property
    def is_saved(self) -> bool:
        return any((self.kept / name).exists() for name in ("cpuspeed.journal", "cpuspeed.rollback.1"))


@pytest.mark.alike
@pytest.mark.parametrize("shell", ["dash", "bash", "busybox sh"])
@pytest.mark.parametrize(
    ("levels", "running"), [("12345", True), ("35", True), ("1345", False), ("1", True), ("0123456", True)]
)
def test_the_service_is_as_it_was_after_a_rollback(
    tmp_path: Path, levels: str, running: bool, shell: str
) -> None:
    server = Faulty(tmp_path, levels, running=running)
    before = server.stands
    assert server.run(shell=shell).status == 0
    assert server.run("verify", shell=shell).status == 0
    assert server.run(shell=shell) == (0, "cpuspeed: nothing to change\n")
    done = server.run("undo", shell=shell)
    assert (done.status, server.stands) == (0, before), done.said
    none = server.run("undo")
    assert (none.status, "nothing to put back" in none.said) == (0, True)


@pytest.mark.alike
@pytest.mark.parametrize("shell", ["dash", "bash", "busybox sh"])
@pytest.mark.parametrize("option", [(), ("--all",)])
@pytest.mark.parametrize("levels", ["12345", "1"])
def test_what_the_firmware_keeps_from_starting_is_put_back_after_the_restart(
    tmp_path: Path, levels: str, option: tuple[str, ...], shell: str
) -> None:
    """The plan for the BIOS, which is undone as well, gives the frequency back to the system with the restart."""
    server = Faulty(tmp_path, levels, running=True)
    before = server.stands
    assert server.run(shell=shell).status == 0
    (server.service / "powerless").touch()

    for arguments in (("undo", *option), ("undo", *option), ("apply",)):
        waiting = server.run(*arguments, shell=shell)
        assert (waiting.status, server.stands) == (3, (before[0], False)), waiting.said
        assert "restart the server, and run this again then: `undo`" in waiting.said
    assert server.run("undone").status == 3

    (server.service / "powerless").unlink()
    if "3" in levels:  # The restart itself starts it: the runlevels are back.
        (server.service / "running").touch()
    back = server.run("undo", *option, shell=shell)
    assert (back.status, server.stands, server.is_saved) == (0, before, False), back.said
    assert server.run("undone").status == 0
    none = server.run("undo", *option, shell=shell)
    assert (none.status, "nothing to put back" in none.said) == (0, True)


def test_a_fault_at_any_call_leaves_nothing_half_changed(tmp_path: Path) -> None:
    server = Faulty(tmp_path, "1345", running=True)
    before = server.stands
    assert server.run().status == 0
    calls = server.faults.calls
    assert server.run("undo").status == 0
    for at in range(1, calls + 1):
        kind = KINDS[at % len(KINDS)]
        done = server.run(kind=kind, at=at)
        if done.status == 0:
            assert server.run("verify").status == 0
        elif done.status == 4:
            assert "nothing was changed" in done.said or "as it was before" in done.said, done.said
            assert server.stands == before, (at, kind, done.said)
        else:
            assert done.status in (6, -9), done
        if server.is_saved:
            back = server.run("undo")
            assert back.status == 0, (at, kind, back.said)
        assert server.stands == before, (at, kind, done.said)


def test_a_run_after_one_that_was_killed_at_any_call_switches_the_service(tmp_path: Path) -> None:
    server = Faulty(tmp_path, "1345", running=True)
    before = server.stands
    assert server.run().status == 0
    calls = server.faults.calls
    assert server.run("undo").status == 0
    for at in range(1, calls + 1):
        server.run(kind=("kills", "kills-done")[at % 2], at=at)
        done = server.run()
        assert done.status == 0, (at, done.said)
        assert server.run("verify").status == 0
        back = server.run("undo")
        assert (back.status, server.stands) == (0, before), (at, back.said)


def test_a_fault_at_any_call_of_a_rollback_leaves_it_to_be_continued(tmp_path: Path) -> None:
    server = Faulty(tmp_path, "1345", running=True)
    before = server.stands
    assert server.run().status == 0
    assert server.run("undo").status == 0
    for number, at in enumerate(range(1, server.faults.calls + 1, 2)):
        assert server.run().status == 0
        done = server.run("undo", kind=KINDS[number % len(KINDS)], at=at)
        assert done.status in (0, 3, 4, 6, -9)
        if server.is_saved:
            back = server.run("undo")
            assert back.status == 0, (at, back.said)
        assert server.stands == before, (at, done.said)


# ---------------------------------------------------------------------------------------------------------- the target


def test_it_carries_the_service_and_nothing_else() -> None:
    emission = TARGET.emit(planned(f"{ON}; manage all"))
    assert emission.expressed == {"cpuspeed-service"}
    assert emission.left_out.keys() == {
        "dirty-background-ratio",
        "dirty-ratio",
        "force-latency",
        "governor",
        "swappiness",
        "transparent-hugepages",
    }
    emission = TARGET.emit(planned(f"{OFF}; manage all"))
    assert "numactl or taskset" in emission.left_out["smt-placement"]


def test_a_plan_without_the_service_gets_no_file() -> None:
    emission = TARGET.emit(planned("goal latency; cpu sandy-bridge; os rhel 6"))
    assert (emission.artifacts, emission.expressed) == ((), frozenset())


def test_which_systems_have_it() -> None:
    assert TARGET.unsupported_reason(planned(OFF)) == ""
    assert TARGET.unsupported_reason(planned(ON)) == ""
    assert TARGET.unsupported_reason(planned("goal latency; cpu westmere; os slc 5")) == ""
    assert "the plan is for `rhel-7`" in TARGET.unsupported_reason(
        planned("goal latency; cpu westmere; os rhel 7")
    )
    plan = planned(OFF)
    nowhere = plan._replace(facts=tuple(f for f in plan.facts if f.name != "os"))
    assert TARGET.unsupported_reason(nowhere) == "the plan names no operating system"


@given(st.one_of(st.sampled_from(HOSTILE), st.text()), st.sampled_from(("set", "rule")))
def test_a_reason_is_a_comment_and_nothing_else(text: str, kind: str) -> None:
    assert words_of(text_of(planned(OFF))) == words_of(text_of(because(planned(OFF), text, kind)))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_reason_changes_nothing_that_the_script_does(tmp_path: Path, text: str) -> None:
    server = Server(tmp_path)
    plain = server.run(planned(OFF), "try")
    assert server.run(because(planned(OFF), text), "try") == plain
    assert not Path("/tmp/owned").exists()
