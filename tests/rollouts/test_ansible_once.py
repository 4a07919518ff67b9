"""One-time actions that the role performs through a controller: once for each request, whatever interrupts or repeats
it.

The server takes the attribute back to its default when it has acted, so only the controller's own list tells how often
it did.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from controllers import LENOVO, SUPERMICRO, Setup, bare_controllers, server

from consumers.ansible_run import Run, lint, play, programs
from consumers.redfish_service import certificate
from idrac import Behaviour, Controller, controllers
from setpoint.targets.ansible import TARGET
from support.ansible import expected, fleet, through_controller, written

KNOWN = """
source lab { title "Notes on our servers"; publisher "Our lab"; }
platform shelf { title "Shelf"; implies vendor lenovo; reported as product "Shelf"; }
platform blade { title "Blade"; implies vendor supermicro; reported as product "Blade"; }
platform rack { title "Rack"; within poweredge-15g; reported as product "Rack"; }
setting wipe { title "Wipe"; layer firmware; values none, keys; once; }
options of lab when platform shelf or rack or blade { wipe none, keys default none at "Run"; }
options of lab when platform shelf or blade { smt on, off default on at "Run"; }
spelling attribute of lab when platform shelf or rack or blade { wipe none "None", keys "Keys" in "Wipe" at "Run"; }
spelling attribute of lab when platform shelf or blade { smt on "Enabled", off "Disabled" in "Smt" at "Run"; }
constraint wipe-needs-a-key of lab at "Run" { when platform shelf, smt on; require wipe none; hidden; because "test"; }
"""
SHELF = 'goal latency; platform shelf; set smt off because "a test"; set wipe keys because "SEC-12";'
RACK = 'goal latency; platform rack; sockets 2; set wipe keys because "SEC-12";'
BLADE = SHELF.replace("shelf", "blade")
POLICY = f"{KNOWN}policy wiping {{ for group shelves {{ {SHELF} }} for group racks {{ {RACK} }} for group blades {{ {BLADE} }} }}"
ROLE = "setpoint_wiping"
AT_FIRST = {"Smt": "Disabled", "Wipe": "None"}
WITH_SMT = {"Smt": "Enabled", "Wipe": "None"}


def setup(current: dict[str, str] = AT_FIRST, **more: object) -> Setup:
    """A server that forgets the request when it has acted."""
    return server(LENOVO, current, "Shelf", once={"Wipe": "None"}, **more)


SERVERS = {
    "plain": setup(),
    "by-hand": setup(),  # nobody permits the role to restart it
    "interrupted": setup(),  # an earlier run has recorded the request, and nobody knows what became of it
    "stopped": setup(),  # an earlier run was stopped when it had staged the request
    "meddled": setup(staged={"Smt": "Enabled"}),
    "locked": setup(WITH_SMT),
    "in-memory": setup(),  # its records would not be there after a restart
    "unwritable": setup(),
    "timeless": server(SUPERMICRO, WITH_SMT, "Blade", once={"Wipe": "None"}),  # no time proves a restart
}


def behaviours() -> dict[str, Behaviour]:
    """Servers with a controller that has jobs: they are as the policy has them but for the action."""
    is_now = {**expected(f"{KNOWN}{RACK}"), "Wipe": "None"}
    common = {"model": "Rack", "once": {"Wipe": "None"}}
    return {
        "jobs": Behaviour(is_now, **common),  # type: ignore[arg-type]
        "early": Behaviour(is_now, shows_pending=True, apply_times=(), **common),  # type: ignore[arg-type]
        "lost": Behaviour(is_now, lost=("PATCH",), **common),  # type: ignore[arg-type]
        "refusing": Behaviour(is_now, refuses="The server is in lockdown mode.", **common),  # type: ignore[arg-type]
    }


BY_NIGHT = ("stopped", "locked", "timeless", "in-memory", "unwritable", "early", "lost", "refusing")
"""Servers that are tried when all of each matrix is wanted (`--complete`)."""

AGAIN = ("plain", "by-hand", "locked", "jobs", "early", "lost")
"""Servers on which the role is run a second time."""

night = pytest.mark.repeated


class Runs(NamedTuple):
    """The controllers, the folder of records, and what came of the runs."""

    bmcs: dict[str, Controller]
    idracs: dict[str, Controller]
    records: Callable[[str], str]
    checked: Run
    was_recorded: str
    played: Run
    verified: Run
    again: Run
    back: Run

    def performed(self, host: str) -> int:
        """How often a server has performed the action."""
        machine = self.bmcs[host].machine if host in self.bmcs else self.idracs[host].machine
        return len(machine.performed)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, complete: bool) -> Iterator[Runs]:
    programs()
    folder = tmp_path_factory.mktemp("once")
    ansible = written(TARGET.emit_fleet(fleet(POLICY)), folder)
    text = (ansible / f"roles/{ROLE}/vars/plans/wiping-shelves.yml").read_text(encoding="utf-8")
    record = text.partition("record: ")[2].split()[0]

    def records(host: str) -> str:
        path = folder / "servers" / host / record
        return path.read_text(encoding="utf-8") if path.exists() else ""

    for host in ("interrupted", "stopped"):
        (folder / "servers" / host).mkdir(parents=True)
        (folder / "servers" / host / record).write_text("asked\n", encoding="utf-8")
    (folder / "a-file").write_text("", encoding="utf-8")
    folders = {"in-memory": f"/dev/shm/{folder.name}-{os.getpid()}", "unwritable": str(folder / "a-file")}
    keys = certificate(folder)
    bare = {name: one for name, one in SERVERS.items() if complete or name not in BY_NIGHT}
    with_jobs = {name: one for name, one in behaviours().items() if complete or name not in BY_NIGHT}
    with bare_controllers(bare, *keys) as bmcs, controllers(with_jobs, *keys) as idracs:
        if "stopped" in bmcs:
            bmcs["stopped"].machine.stage({"Wipe": "Keys"})
        machines: dict[str, Controller | Controller] = {**bmcs, **idracs}
        hosts = {
            name: through_controller(bmc, ROLE, setpoint_reboot=name != "by-hand")
            | {
                f"{ROLE}_once_folder": folders.get(name, str(folder / "servers" / name)),
                f"{ROLE}_job_retries": 4,
            }
            for name, bmc in machines.items()
        }

        def run(book: str, *more: str, on: tuple[str, ...]) -> Run:
            here = {name: hosts[name] for name in on}
            groups = {
                "shelves": [name for name in on if name in bmcs and name != "timeless"],
                "blades": [name for name in on if name == "timeless"],
                "racks": [name for name in on if name in idracs],
            }
            return play(ansible / book, here, folder / "home", "--tags", "firmware", *more, groups=groups)

        checked = run("site.yml", "--check", on=("plain",))
        was_recorded = records("plain")
        played = run("site.yml", on=(*bmcs, *idracs))
        verified = run("verify.yml", on=("plain", "by-hand"))
        machine = bmcs["by-hand"].machine
        machine.reset("GracefulRestart")
        while machine.staged:
            machine.tick()
        again = run("site.yml", on=tuple(name for name in hosts if name in AGAIN))
        back = run("rollback.yml", on=("plain",))
        shutil.rmtree(folders["in-memory"], ignore_errors=True)
        yield Runs(bmcs, idracs, records, checked, was_recorded, played, verified, again, back)


def test_check_mode_says_that_it_would_be_performed_and_asks_for_nothing(runs: Runs) -> None:
    assert runs.checked.failed("plain") == ""
    assert runs.checked.changed("plain") == ["Compare the one-time actions with their records"]
    assert runs.was_recorded == ""


def test_it_is_performed_in_a_restart_of_its_own_and_recorded(runs: Runs) -> None:
    assert runs.played.failed("plain") == ""
    assert runs.bmcs["plain"].writes[:2] == ["PATCH Pending", "POST ComputerSystem.Reset"]
    assert runs.bmcs["plain"].patches[0] == {"Attributes": {"Wipe": "Keys"}}
    assert runs.records("plain") == "asked\nstaged\n"


def test_a_second_run_does_nothing_and_a_verification_finds_no_drift(runs: Runs) -> None:
    assert runs.again.failed("plain") == ""
    assert runs.again.changed("plain") == []
    assert runs.verified.failed("plain") == ""
    assert runs.performed("plain") == 1
    assert runs.bmcs["plain"].machine.current == AT_FIRST


def test_without_a_permission_to_restart_it_waits_and_is_asked_for_once(runs: Runs) -> None:
    assert runs.played.failed("by-hand") == ""
    told = runs.played.told("by-hand", "Report that the rest waits for a restart")
    assert "Wipe performs something once at the next start" in told
    assert "Staged, and in effect only after a restart: Wipe = Keys" in runs.verified.failed("by-hand")
    assert runs.again.failed("by-hand") == ""
    assert runs.bmcs["by-hand"].machine.performed == [("Wipe", "Keys")]
    assert runs.bmcs["by-hand"].writes == ["PATCH Pending"]


def test_what_was_recorded_and_not_seen_is_not_performed_again(runs: Runs) -> None:
    told = runs.played.told("interrupted", "Report on the BIOS")
    assert "it may have been performed" in told
    assert (runs.played.failed("interrupted"), runs.performed("interrupted")) == ("", 0)
    assert runs.records("interrupted") == "asked\n"


@night
def test_what_was_staged_before_an_interruption_is_performed_by_the_next_run(runs: Runs) -> None:
    assert (runs.played.failed("stopped"), runs.performed("stopped")) == ("", 1)
    assert runs.records("stopped") == "asked\nstaged\n"
    assert runs.bmcs["stopped"].writes == ["POST ComputerSystem.Reset"]


@pytest.mark.parametrize(
    "host", ["jobs", pytest.param("early", marks=night), pytest.param("lost", marks=night)]
)
def test_a_controller_with_jobs_performs_it_once(runs: Runs, host: str) -> None:
    assert (runs.played.failed(host), runs.again.failed(host)) == ("", "")
    assert runs.again.changed(host) == []
    assert runs.performed(host) == 1
    assert runs.records(host) == "asked\nstaged\n"


@night
def test_what_the_controller_refuses_leaves_no_record(runs: Runs) -> None:
    assert "The server is in lockdown mode" in runs.played.failed("refusing")
    assert (runs.records("refusing"), runs.performed("refusing")) == ("", 0)


def test_what_was_not_sent_leaves_no_record(runs: Runs) -> None:
    assert "somebody else has staged Smt = Enabled" in runs.played.failed("meddled")
    assert (runs.records("meddled"), runs.performed("meddled")) == ("", 0)


@night
def test_a_controller_that_shows_no_times_proves_the_restart_by_what_is_staged(runs: Runs) -> None:
    assert runs.played.failed("timeless") == ""
    assert runs.performed("timeless") == 1
    assert runs.bmcs["timeless"].patches == [
        {"Attributes": {"Wipe": "Keys"}},
        {"Attributes": {"Smt": "Disabled"}},
    ]


@night
@pytest.mark.parametrize(
    ("host", "reason"), [("in-memory", "is in memory, so no record would be left"), ("unwritable", "a-file")]
)
def test_without_a_record_nothing_is_asked_for(runs: Runs, host: str, reason: str) -> None:
    assert reason in runs.played.told(host, "Fail with the reason")
    assert runs.bmcs[host].writes == []


@night
def test_what_is_locked_waits_until_the_policy_has_unlocked_it(runs: Runs) -> None:
    told = runs.played.told("locked", "Report on the BIOS")
    assert "Wipe can be written only while Smt is not Enabled" in told
    assert runs.bmcs["locked"].patches == [
        {"Attributes": {"Smt": "Disabled"}},  # by the first run
        {"Attributes": {"Wipe": "Keys"}},  # by the second
    ]
    assert runs.performed("locked") == 1


def test_a_rollback_says_that_it_takes_no_action_back(runs: Runs) -> None:
    assert runs.back.failed("plain") == ""
    told = runs.back.told("plain", "Report the one-time actions, which cannot be taken back")
    assert "One-time actions are not taken back" in told
    assert len(runs.bmcs["plain"].machine.performed) == 1


@night
def test_the_role_passes_its_linter(tmp_path: Path) -> None:
    programs()
    assert lint(tmp_path, written(TARGET.emit_fleet(fleet(POLICY)), tmp_path / "bundle")) == ""
