"""The client as a command: somebody has a bundle and Python, and nothing of Setpoint."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import setpoint.targets._client as package
from setpoint.targets._client.command import as_command
from setpoint.targets._client.plan_files import plan_in
from setpoint.targets._shared.data import folder
from support.command import Ran
from support.limits import PATIENCE, limited
from support.rehearsed import ACCOUNT, POLICIES, compiled, twin

FIRST = 'set c-states off because "jitter, PERF-301";'
COUNT = {"r750": 21, "dl385": 31}
"""How many attributes each policy compares."""


class Command:
    """The program in a bundle, run beside a twin by a Python that finds no other module."""

    def __init__(self, bundle: Path, bmc: Any) -> None:
        self.bundle, self.bmc = bundle, bmc

    def __call__(self, verb: str, *words: str, account: dict[str, str] = ACCOUNT) -> Ran:
        """Run a verb."""
        program = [sys.executable, "-I", str(self.bundle / "redfish" / "setpoint_bmc.py"), verb]
        program += [self.bmc.address, "--ca", str(self.bmc.ca), "--poll", "0.05"]
        home = {"HOME": str(self.bundle.parent), "PATH": os.environ["PATH"]}
        done = subprocess.run(
            limited([*program, *words]),
            env={**home, **account},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture(params=POLICIES)
def command(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Command]:
    bundle = compiled(tmp_path / "bundle", POLICIES[request.param], "redfish")
    with twin(tmp_path, request.param) as bmc:
        yield Command(bundle, bmc)


def test_a_server_is_brought_to_the_plan_and_back(command: Command) -> None:
    before = dict(command.bmc.machine.current)
    tried = command("try")
    assert (tried.status, tried.err, command.bmc.writes) == (3, "", [])
    assert re.search(r"^\w+: \w+ -> \w+$", tried.out, re.MULTILINE)
    assert command("apply").out.splitlines()[-1] == "done; what was staged waits for a restart"
    assert command.bmc.machine.current == before, "nothing restarts a server unless it is told to"
    waits = command("verify")
    assert (waits.status, "pending: " in waits.out, "differs: " in waits.out) == (3, True, False)
    done = command("apply", "--restart", "now")
    assert (done.status, done.err) == (0, "restarting, which takes minutes\n")
    whole = command("verify", "--json")
    report = json.loads(whole.out)
    assert (whole.status, report["schema"], report["policy"]) == (0, "setpoint.verify/1", "web")
    assert {one["state"] for one in report["results"]} == {"ok"}
    assert command("try") == Ran(0, "", ""), "a second run has nothing to do"
    kept = command("status").out.splitlines()[0]
    assert kept.startswith("values from before are kept in ")
    assert command("undo", "--restart", "now").status == 0
    assert command.bmc.machine.current == before


def test_what_is_kept_is_found_by_the_server_however_its_controller_is_called(tmp_path: Path) -> None:
    bundle, folder = compiled(tmp_path / "bundle", POLICIES["r750"], "redfish"), tmp_path / "kept"
    with twin(tmp_path, "r750", UUID="4c4c4544-0051-3510-8056-b4c04f4d3533") as bmc:
        command = Command(bundle, bmc)
        before = dict(bmc.machine.current)
        assert command("apply", "--restart", "now", "--state", str(folder)).status == 0
        (kept,) = folder.iterdir()
        assert re.fullmatch(r"[0-9a-f]{32}\.json", kept.name), "the UUID, and no name of a controller"
        old = kept.rename(folder / f"{bmc.address.replace(':', '_')}.json")  # as earlier versions kept it
        said = command("status", "--state", str(folder)).out.splitlines()[0]
        assert said == f"values from before are kept in {old}", "what changes nothing leaves it where it is"
        none = command("undo", "--state", str(tmp_path / "other"))
        assert (none.status, "taken back there, in the same way" in none.out) == (0, True)
        assert command("undo", "--restart", "now", "--state", str(folder)).status == 0
        assert bmc.machine.current == before
        assert list(folder.iterdir()) == [kept], "or the next server at the address would be given its values"


def test_two_restarts_are_not_done_after_one_run(tmp_path: Path) -> None:
    """What the rest of the plan locks is to be right before it: another restart."""
    policy = POLICIES["r750"].replace("goal latency;", f"goal latency; {FIRST}")
    bundle = compiled(tmp_path / "bundle", policy, "redfish")
    with twin(tmp_path, "r750") as bmc:
        command = Command(bundle, bmc)
        (first, value) = next(iter(plan_in(bundle / "redfish")["bios"]["first"].items()))
        bmc.machine.current[first] = "Disabled" if value == "Enabled" else "Enabled"
        for _ in range(2):  # the second before the restart
            ran = command("apply")
            assert (ran.status, ran.out.splitlines()[-1]) == (
                3,
                "not done: restart the server, then run apply again",
            )


@pytest.fixture
def idrac(tmp_path: Path) -> Iterator[Command]:
    bundle = compiled(tmp_path / "bundle", POLICIES["r750"], "redfish")
    with twin(tmp_path, "r750") as bmc:
        yield Command(bundle, bmc)


def test_another_server_is_refused_in_the_words_of_a_command(tmp_path: Path) -> None:
    bundle = compiled(tmp_path / "bundle", POLICIES["dl385"], "redfish")
    with twin(tmp_path, "r750") as bmc:
        command = Command(bundle, bmc)
        ran = command("apply")
        assert (ran.status, ran.out, bmc.writes) == (5, "", [])
        assert command("verify").status == 5
        assert "state the right platform and compile again, or say `--pass-over product`" in ran.err
        ran = command("apply", "--pass-over", "product")
        assert (ran.status, bmc.writes) == (5, [])
        assert "state the right cpu and compile again, or say `--pass-over processor`" in ran.err
        both = ("--pass-over", "product", "--pass-over", "processor")
        ran = command("apply", *both)
        assert "this server's BIOS has no" in ran.err
        report = json.loads(command("verify", *both, "--json").out)
        assert [note for note in report["notes"] if note.startswith("Passed over: ")] == [
            "Passed over: this server reports the product PowerEdge R750, and the policy states platform dl385-gen10-plus-v2"
            " (ProLiant DL385 Gen10 Plus v2).",
            "Passed over: this server reports the processor GenuineIntel family 6 model 106 stepping 6, and the policy implies cpu"
            " epyc-rome-or-milan (AuthenticAMD family 25 model 0-15 or AuthenticAMD family 23 model 48-79).",
        ]


def test_without_an_account_or_a_plan_nothing_is_sent(idrac: Command) -> None:
    ran = idrac("apply", account={})
    assert (ran.status, "no account is known: set SETPOINT_REDFISH_USER and " in ran.err) == (4, True)
    (idrac.bundle / "redfish" / "expected.json").write_text("{}", encoding="utf-8")
    ran = idrac("apply")
    assert (ran.status, "the files in" in ran.err, idrac.bmc.requests) == (4, True, [])
    assert idrac("apply", "--plan", "/none").status == 4


def test_the_account_of_netrc_is_taken(idrac: Command) -> None:
    user, password = ACCOUNT.values()
    quoted = password.replace("\\", "\\\\")
    (idrac.bundle.parent / ".netrc").write_text(
        f'machine 127.0.0.1 login {user} password "{quoted}"\n', encoding="utf-8"
    )
    (idrac.bundle.parent / ".netrc").chmod(0o600)
    assert idrac("verify", account={}).status == 3


def test_what_somebody_else_has_staged_stops_it(idrac: Command) -> None:
    idrac.bmc.machine.staged["NumLock"] = "Off"
    ran = idrac("apply")
    assert (ran.status, idrac.bmc.writes) == (7, [])
    assert "Find out whose it is, and have it applied, or clear it" in ran.err
    assert "say --foreign-settings" in ran.err


def test_no_message_has_the_words_of_the_role() -> None:
    """Each option of the role, and each of its playbooks, that a message of a run names has another word in a
    command."""
    said = set()
    for part in package.PARTS:
        if part != "command":
            text = (Path(folder(package)) / f"{part}.py").read_text(encoding="utf-8")
            text = re.sub(r"""["']\s*\n\s*f?["']""", "", text)  # texts of several lines
            said |= set(re.findall(r"set setpoint_\w+ to false|setpoint_(?!bmc\b)\w+|[a-z]+\.yml", text))
    assert len(said) > 5
    assert {one: as_command(one) for one in said if re.search(r"setpoint_|\.yml", as_command(one))} == {
        "setpoint_bmc_user": "setpoint_bmc_user",
        "setpoint_bmc_password": "setpoint_bmc_password",
    }, "of which a message has another form as a whole"
