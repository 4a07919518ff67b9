"""Ansible that is forked from one that is loaded, with its tasks in its own process, does and says what it does as it
is."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumers.ansible_run import CONTROLLER, Run, System, Task, play, programs
from consumers.redfish_service import certificate
from idrac import PASSWORD, USER, Behaviour, controllers
from support.ansible import R750, expected, role_of


def told(run: Run, host: str) -> list[tuple[str, bool, bool, str]]:
    """What each task did and said on a host, or on the controller."""
    return [(task.name, task.changed, task.failed, task.message) for task in run.tasks[host]]


@pytest.mark.repeated
def test_it_does_and_says_the_same_in_its_own_process_as_with_workers(tmp_path: Path) -> None:
    """A host that is staged, one whose iDRAC refuses what it is sent, and one whose account is wrong."""
    programs()
    book = role_of(R750, tmp_path) / "site.yml"
    drifted = {**expected(R750), "ProcTurboMode": "Enabled"}
    behaviours = {
        "staged": Behaviour(drifted),
        "refusing": Behaviour(drifted, refuses="The server is in lockdown mode."),
        "stranger": Behaviour(drifted),
    }
    runs, requests = [], []
    for in_process in (True, False):
        with controllers(behaviours, *certificate(tmp_path)) as bmcs:
            hosts = {
                name: {
                    "setpoint_bmc_host": bmc.address,
                    "setpoint_bmc_user": USER,
                    "setpoint_bmc_password": "wrong" if name == "stranger" else PASSWORD,
                    "setpoint_bmc_ca": str(bmc.ca),
                    "setpoint_check_server": False,
                }
                for name, bmc in bmcs.items()
            }
            home = tmp_path / f"home-{in_process}"
            runs.append(play(book, hosts, home, "--tags", "firmware", in_process=in_process))
            requests.append({name: [(r.method, r.path) for r in bmc.requests] for name, bmc in bmcs.items()})
    own, forked = runs
    assert own.changed("staged") == ["Stage the attributes"]
    assert own.failed("refusing")
    assert own.failed("stranger")
    assert own.status == forked.status
    assert requests[0] == requests[1]
    for host in (*behaviours, CONTROLLER):
        assert told(own, host) == told(forked, host)


BOOK = """\
- hosts: all
  gather_facts: false
  vars:
    names: [a, b, "{{ third }}", 4]
    texts: [a, b, "{{ third }}"]
    third: c
    one: {a: 1, b: [x, {y: true}], c: "{{ third }}", d: 2.0}
    other: {a: 1.0, b: [x, {y: 1}], c: c, d: "2.0", e: null}
    missing: "{{ nowhere.at_all }}"
    expressions:
      - "{{ ['a', 'c', 'd', '4', 4] | select('in', names) | list }}"
      - "{{ ['a', 'c', 'd', '4', 4] | select('in', texts) | list }}"
      - "{{ [[1, 2], {'b': 2}] | difference([[2, 1], {'b': 1}]) }}"
      - "{{ ['a', 'c', 'd', '4', 4] | reject('in', ['c', '4']) | list }}"
      - "{{ [{'n': 'a'}, {'n': 1}, {'n': 'z'}] | selectattr('n', 'in', ['a', 1]) | list }}"
      - "{{ one | dict2items | difference(other | dict2items) }}"
      - "{{ other | dict2items | difference(one | dict2items) | items2dict }}"
      - "{{ [[1, 2], [1, 2], [2]] | difference([[2.0], 'x']) }}"
      - "{{ ['a', {'b': third}] | difference(['a']) }}"
      - "{{ names[1:] | select('in', names[:3]) | list }} {{ names[-1:] | map('string') | list }}"
      - "{{ names == ['a', 'b', 'c', 4] }} {{ one == other }} {{ one.b == other.b }}"
  tasks:
    - debug:
        msg: "{{ expressions }}"
    - debug:
        msg: "{{ item }}"
      loop:
        - "{{ [missing, 'a'] | difference(['a']) }}"
        - "{{ ['a'] | select('in', [missing]) | list }}"
        - "{{ 'a' in [missing, 'b'] }}"
        - "{{ 'a' in [missing, 'a'] }}"
        - "{{ [1, missing] == [2, 3] }}"
      ignore_errors: true
    - debug:
        msg: "{{ ['a'] | select('in', nowhere) | list }}"
      ignore_errors: true
    - debug:
        msg: "{{ [{'a': missing}] | difference([{'a': 1}]) }}"
      ignore_errors: true
    - shell: env | cut -d = -f 1 | sort; cat /etc/os-release; echo $SYSTEM; ls /proc/self/fd | wc -l
    - file:
        path: /etc/made
        state: touch
        mode: "0600"
    - command: {argv: [sh, -c, "exit 3"]}
"""
"""Expressions whose evaluation is made quicker, undefined values in them, and modules that look at where they are
run."""


def printed(task: Task) -> list[object]:
    """What a command printed, and what the items of a loop came to."""
    items = task.result.get("results", [])
    return [task.result.get("stdout"), *((item.get("failed"), item.get("msg")) for item in items)]


def test_expressions_and_modules_do_the_same(tmp_path: Path) -> None:
    programs()
    (tmp_path / "roles").mkdir()
    book = tmp_path / "book.yml"
    book.write_text(BOOK, encoding="utf-8")
    runs: list[Run] = []
    files = []
    for in_process in (True, False, True):
        system = System(tmp_path / f"system-{len(runs)}")
        system.environment["SYSTEM"] = "here"
        home = tmp_path / f"home-{len(runs)}"
        runs.append(play(book, {"host": {}}, home, system=system, in_process=in_process))
        files.append(set(system.files()))
    own, forked, again = (told(run, "host") for run in runs)
    assert own == forked
    assert again == own
    assert [run.status for run in runs] == [2, 2, 2]
    assert files[0] == files[1] == files[2]
    assert "etc/made" in files[0], own
    results = [[printed(task) for task in run.tasks["host"]] for run in runs]
    assert results[0] == results[1] == results[2]
    assert "Debian" in str(results[0])
    assert [failed for _, _, failed, _ in own].count(True) == 4, own
