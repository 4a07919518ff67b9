"""The operators' guide is true where it leads through a change of goal: each command of that section is run, in its
order.

The servers are those of `consumers.fleet`: emulated iDRACs with the BIOS of captured servers, systems made of folders,
and the real Ansible. `pytest --update` rewrites what the commands print, as on the other pages (`test_commands`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from consumers.fleet import Fleet, ansible_playbook, fleet, inventory_of
from idrac import Behaviour, Rules
from support.command import ROOT
from support.console import Shell
from support.fences import Fence, fences, rewrite
from support.machines import R740, R750, Machine

PAGE = ROOT / "docs/guides/operators.md"


def somebody_stages_a_setting(found: Fleet) -> None:
    found.servers["front-2"].bmc.machine.staged = {"BootMode": "Uefi"}


def whoever_did_it_takes_it_back(found: Fleet) -> None:
    found.servers["front-2"].bmc.machine.staged = {}


EVENTS: dict[str, Callable[[Fleet], None]] = {
    "One server fails": somebody_stages_a_setting,
    "Repair it": whoever_did_it_takes_it_back,
}
"""What happens to the servers before the commands of a section."""


def captured(machine: Machine) -> Behaviour:
    rules = Rules.of(machine.registry(), lockdown=machine.lockdown)
    return Behaviour.captured(machine.capture, rules=rules)


def test_a_change_of_goal_goes_as_the_guide_says_and_back(
    tmp_path: Path, update: bool, complete: bool
) -> None:
    if not (complete or update):
        pytest.skip("run with --complete: `rollouts` has each step by itself")
    folder = tmp_path / "work"
    folder.mkdir()
    shell = Shell(folder, {"ansible-playbook": ansible_playbook(tmp_path)})
    behaviours = {f"front-{number}": captured(R750) for number in (1, 2, 3)} | {"store-1": captured(R740)}
    happened: set[str] = set()
    pictures: dict[str, dict[str, object]] = {}
    with fleet(tmp_path / "servers", behaviours) as found:
        inventory_of(found, folder, "setpoint_web")
        for number in range(len(_walkthrough())):
            fence = _walkthrough()[number]
            pictures.setdefault(fence.section, {name: one.snapshot() for name, one in found.servers.items()})
            if fence.section in EVENTS and fence.section not in happened:
                EVENTS[fence.section](found)
            happened.add(fence.section)
            if fence.file:
                (folder / fence.file).write_text(fence.text, encoding="utf-8")
                continue
            session = shell.session(fence.text, after=found.started)
            if update and session != fence.text:
                rewrite(PAGE, fence, session)
            else:
                assert fence.text == session, f"line {fence.line}: run pytest --update and read the diff"
        end = {name: one.snapshot() for name, one in found.servers.items()}
    assert set(EVENTS) <= happened
    assert pictures["Go back"]["front-1"] != pictures["Change the goal"]["front-1"]
    assert end == pictures["Change the goal"]


def _walkthrough() -> list[Fence]:
    return [fence for fence in fences(PAGE.read_text(encoding="utf-8")) if "walkthrough" in fence.info]
