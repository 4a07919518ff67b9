"""Huge pages of each NUMA node: tuned, the program of a systemd unit, and Linux itself on two nodes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from consumers.kernel import boot
from consumers.systemd_machine import systemd_machine
from consumers.tuned_machine import SKYLAKE
from consumers.tuned_run import apply_once
from setpoint.targets.systemd import TARGET as SYSTEMD
from setpoint.targets.tuned import TARGET as TUNED
from support.ask import errors
from support.host import with_profile
from support.plans import planned

ASKED = (
    "goal throughput; cpu skylake; os debian 12;"
    'set huge-pages-2m-per-node 512 because "a test"; set huge-pages-1g-per-node 4 because "a test";'
)
TOTAL = "/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages"
NODES = [f"/sys/devices/system/node/node{node}/hugepages/hugepages-2048kB/nr_hugepages" for node in range(2)]
EACH = {
    f"/sys/devices/system/node/node{node}/hugepages/hugepages-{size}/nr_hugepages": pages
    for node in range(2)
    for size, pages in (("2048kB", "512"), ("1048576kB", "4"))
}


def test_tuned_sets_the_pool_of_every_node(tmp_path: Path) -> None:
    for artifact in with_profile(TUNED.emit(planned(ASKED)).artifacts):
        path = tmp_path / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    done = apply_once(tmp_path / "tuned/setpoint-policy", tmp_path / "machine", SKYLAKE)
    assert done.complaints == ()
    assert {path: pages for path, pages in done.written.items() if "hugepages" in path} == EACH


def test_the_unit_sets_the_pool_of_every_node_and_puts_it_back(tmp_path: Path) -> None:
    root = tmp_path / "root"
    systemd_machine(root)
    made = {a.path: a.text for a in SYSTEMD.emit(planned(ASKED + "tuned unused")).artifacts}
    program = tmp_path / "program"
    program.write_text(made["systemd/files/usr/local/sbin/setpoint_policy"], encoding="utf-8")

    def call(order: str) -> dict[str, str]:
        environment = {"SETPOINT_ROOT": str(root), "PATH": "/usr/bin:/bin"}
        subprocess.run(["/bin/sh", str(program), order], env=environment, check=True)
        return {path: (root / path[1:]).read_text(encoding="utf-8").strip() for path in EACH}

    assert call("start") == EACH
    assert call("stop") == dict.fromkeys(EACH, "0")


def test_linux_has_one_pool_in_total_and_in_its_nodes() -> None:
    """Why a plan has the total or the nodes: whichever is written last counts."""
    writes = [(NODES[0], "6"), (NODES[1], "6"), (TOTAL, "12"), (TOTAL, "4"), (NODES[1], "5")]
    done = boot(writes=writes, nodes=True)
    assert [had for _, _, had in done.written] == [text for _, text in writes]


def test_linux_has_a_pool_of_2m_pages_also_where_1g_is_the_default() -> None:
    """Other than Enterprise Linux 8, for which `no-pool-of-2m-pages` warns."""
    done = boot("default_hugepagesz=1G", cpu="Skylake-Server", writes=[(TOTAL, "3")])
    assert [had for _, _, had in done.written] == ["3"]


@pytest.mark.parametrize("size", ["2m", "1g"])
def test_a_plan_has_the_total_or_the_nodes(size: str) -> None:
    both = f'set huge-pages-{size} 8 because "a test"; set huge-pages-{size}-per-node 4 because "a test"'
    assert [d.code for d in errors(f"goal latency; cpu skylake; os debian 12; {both}")] == ["E0301"]
