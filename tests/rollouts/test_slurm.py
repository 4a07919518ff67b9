"""The script for nodes of a Slurm cluster, in a cluster of the real Slurm, with the plans that `setpoint fleet` writes
for Debian.

The boot loader is that of a folder (SETPOINT_ROOT), with a stand-in for update-grub. A restart gives the running kernel
the arguments of the boot loader. For the profile of the operating system the calls of the program are noted: tuned has
tests of its own.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from consumers.slurm import NODE, Cluster
from support.command import ROOT, setpoint
from support.effort import is_complete
from support.shell import shellcheck

SCRIPT = ROOT / "examples/fleet/slurm/setpoint-node"
UPDATE_GRUB = ROOT / "tests/consumers/update_grub_stand_in"
POLICY = """
for group fast { goal latency; set skew-tick on because "LAB-1"; }
for group busy { goal throughput; }
"""
HOSTS = f"""host,group,os
{NODE}.cluster.example.org,fast,debian 12
n2.cluster.example.org,busy,debian 12
"""
NOTES = """#!/bin/sh
case $2 in
    */tuned.plan) echo "$1 $3 $4 $5" >>{folder}/tuned-of-$(sed -n 's/^policy //p' "$2") ;;
    *) exec sh {folder}/setpoint-host "$@" ;;
esac
"""


class Site:
    """A node with the script and its plans, and where its restart leads."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root, self.state = folder, folder / "root", folder / "state"
        for path, text in {
            "etc/default/grub": "GRUB_CMDLINE_LINUX_DEFAULT=quiet\n",
            "etc/os-release": 'ID=debian\nVERSION_ID="12"\n',
            "proc/cmdline": "quiet\n",
            "boot/grub/grub.cfg": "menuentry 'Debian GNU/Linux' {\n\tlinux\t/boot/vmlinuz-6.1 root=/dev/sda1 ro quiet\n}\n",
        }.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text, encoding="utf-8")
        (folder / "site.tune").write_text(POLICY, encoding="utf-8")
        (folder / "hosts.csv").write_text(HOSTS, encoding="utf-8")
        ran = setpoint(
            "fleet", "site.tune", "--inventory", "hosts.csv", "--target", "ansible", "-o", "fleet", cwd=folder
        )
        assert ran.status == 0, ran.err
        self.shared = folder / "shared"
        shutil.copytree(folder / "fleet/plans", self.shared / "plans")
        shutil.copy(folder / "fleet/host/setpoint-host", self.shared / "plans")
        shutil.copy(folder / "fleet/hosts.csv", self.shared)
        shutil.copy(SCRIPT, self.shared)
        self.script = self.shared / SCRIPT.name
        for name in ("setpoint-reboot", "setpoint-prolog"):
            (self.shared / name).symlink_to(SCRIPT.name)
        program = self.shared / "plans/setpoint-host"
        program.rename(folder / program.name)
        program.write_text(NOTES.format(folder=folder), encoding="utf-8")
        self._programs(folder / "programs")
        with (folder / "fleet/hosts.csv").open(encoding="utf-8", newline="") as file:
            self.plans = {row["group"]: row["plan"] for row in csv.DictReader(file)}
        self.features = {group: plan.replace("-", "_") for group, plan in self.plans.items()}

    def _programs(self, programs: Path) -> None:
        """update-grub, and what a restart is here."""
        programs.mkdir()
        text = UPDATE_GRUB.read_text(encoding="utf-8").replace("/etc/default", f"{self.root}/etc/default")
        cmdline = f"sed -n 's/^.*linux.*ro //p' {self.root}/boot/grub/grub.cfg >{self.root}/proc/cmdline"
        for name, program in {
            "update-grub": text,
            "restart": f"#!/bin/sh\n{cmdline}\ntouch {self.folder}/restarted\n",
        }.items():
            (programs / name).write_text(program, encoding="utf-8")
            (programs / name).chmod(0o755)
        (self.shared / "node.conf").write_text(
            f"node={NODE}\nstate={self.state}\nrestart=restart\nPATH={programs}:$PATH\n"
            f"export SETPOINT_ROOT={self.root} GRUB_CFG={self.root}/boot/grub/grub.cfg SETPOINT_IGNORE='system kernel'\n",
            encoding="utf-8",
        )

    def restarted(self) -> bool:
        """Whether the node was told to restart, once."""
        mark = self.folder / "restarted"
        if not mark.exists():
            return False
        mark.unlink()
        return True

    def cmdline(self) -> list[str]:
        """The arguments of the running kernel."""
        return (self.root / "proc/cmdline").read_text(encoding="utf-8").split()

    def tuned(self, group: str) -> list[str]:
        """What was asked of the program for the profile."""
        calls = self.folder / f"tuned-of-{self.plans[group]}"
        return calls.read_text(encoding="utf-8").splitlines() if calls.exists() else []


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


@pytest.fixture
def clusters(site: Site) -> Iterator[list[Cluster]]:
    """The clusters that a test starts, which end with it."""
    started: list[Cluster] = []
    yield started
    for each in started:
        each.close()


def test_a_restart_brings_a_node_to_its_plan_and_the_prolog_compares_it(
    site: Site, clusters: list[Cluster]
) -> None:
    """A job on a node that is not as planned would run on wrong settings: its node is drained, and a restart brings it
    back."""
    programs = f"RebootProgram={site.shared}/setpoint-reboot\nProlog={site.shared}/setpoint-prolog\nPrologFlags=Alloc"
    cluster = Cluster(site.folder / "slurm", programs)
    clusters.append(cluster)
    cluster.run("sbatch", "--wrap", "true", "--output", "/dev/null")
    cluster.until(lambda: "DRAIN" in cluster.node("State"))
    cluster.run("scontrol", "reboot", "ASAP", "nextstate=RESUME", NODE)
    cluster.until(site.restarted)
    assert "skew_tick=1" in site.cmdline()
    cluster.start_again()
    cluster.until(lambda: cluster.node("State").startswith("IDLE"))
    cluster.run("sbatch", "--wrap", f"touch {site.folder}/ran", "--output", "/dev/null")
    cluster.until((site.folder / "ran").exists)
    assert f"apply --state {site.state} " in site.tuned("fast")
    assert f"verify --state {site.state} " in site.tuned("fast")


def test_a_job_chooses_the_plan_of_its_node_as_a_feature(site: Site, clusters: list[Cluster]) -> None:
    """The helper prepares the plan, and Slurm restarts the node for the job; what the earlier plan had changed is put
    back."""
    subprocess.run([site.script, site.features["fast"]], check=True, capture_output=True)
    subprocess.run(["sh", "-c", f". {site.shared}/node.conf && $restart"], check=True)
    assert site.restarted()
    assert "skew_tick=1" in site.cmdline()
    ran = subprocess.run([site.script], check=True, capture_output=True, text=True)
    assert ran.stdout == site.features["fast"]
    names = ",".join(site.features.values())
    helpers = "".join(f"Feature={each} Helper={site.script}\n" for each in site.features.values())
    cluster = Cluster(
        site.folder / "slurm",
        f"RebootProgram={site.shared}/setpoint-reboot\nNodeFeaturesPlugins=node_features/helpers",
        f"{helpers}MutuallyExclusive={names}\nExecTime=60\nBootTime=60\n",
    )
    clusters.append(cluster)
    wanted = ("--constraint", site.features["busy"])
    cluster.run("sbatch", *wanted, "--wrap", f"touch {site.folder}/ran", "--output", "/dev/null")
    cluster.until(site.restarted)
    assert "skew_tick=1" not in site.cmdline()
    cluster.start_again()
    cluster.until(lambda: cluster.node("State") == "ALLOCATED")
    assert cluster.node("ActiveFeatures") == site.features["busy"]
    assert site.tuned("fast") == [f"apply --state {site.state} ", f"undo --all --state {site.state}"]
    assert site.tuned("busy") == [f"apply --state {site.state} "]
    if is_complete():  # the controller looks every half minute whether a node has started
        cluster.until((site.folder / "ran").exists)


def test_the_script_is_clean() -> None:
    assert shellcheck(SCRIPT.read_text(encoding="utf-8")) == ""
