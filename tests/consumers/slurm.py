"""A cluster of the real Slurm with one node: slurmctld and slurmd on this machine, without an authentication service.

The node does not restart. Its RebootProgram ends by writing a file, and `Cluster.start_again` then starts slurmd with
`-b`, which reports a restart (slurmd(8)).
"""

from __future__ import annotations

import getpass
import os
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from consumers.requirement import require
from support.limits import PATIENCE

NODE = "n1"
CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}
AuthType=auth/none
CredType=cred/none
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ports[0]}
StateSaveLocation={folder}/saved
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
ResumeTimeout=60
SchedulerParameters=sched_interval=1,sched_min_interval=0
NodeName={node} NodeHostname={host} Port={ports[1]} CPUs=1
PartitionName=all Nodes=ALL Default=YES State=UP
"""


class Cluster:
    """Slurm in a folder, with the lines of a site in its configuration."""

    def __init__(self, folder: Path, site: str, helpers: str = "") -> None:
        self.daemons = {name: require(name) for name in ("slurmctld", "slurmd")}
        require("scontrol")
        self.folder = folder
        for name in ("saved", "spool"):
            (folder / name).mkdir(parents=True)
        host = socket.gethostname().partition(".")[0]
        text = CONFIGURATION.format(
            host=host, user=getpass.getuser(), ports=_free_ports(), folder=folder, node=NODE
        )
        (folder / "slurm.conf").write_text(f"{text}{site}\n", encoding="utf-8")
        if helpers:
            (folder / "helpers.conf").write_text(helpers, encoding="utf-8")
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self._start("slurmctld")
        self._start("slurmd")
        self.until(lambda: self.node("State").startswith("IDLE"))

    def _start(self, name: str, *options: str) -> None:
        which = ("-N", NODE) if name == "slurmd" else ()
        with (self.folder / f"{name}.out").open("ab") as out:
            self.running[name] = subprocess.Popen(
                [str(self.daemons[name]), "-D", *which, *options],
                env=self.environment,
                stdout=out,
                stderr=out,
            )

    def start_again(self) -> None:
        """Start slurmd as after a restart of the node."""
        self._stop("slurmd")
        self._start("slurmd", "-b")

    def _stop(self, name: str) -> None:
        daemon = self.running.pop(name)
        daemon.terminate()
        daemon.wait(PATIENCE)

    def close(self) -> None:
        """End the daemons."""
        for name in reversed([*self.running]):
            self._stop(name)

    def run(self, *command: str) -> str:
        """What one of Slurm's commands prints."""
        done = subprocess.run(
            command,
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, f"{command}: {done.stderr}\n{self.said()}"
        return done.stdout

    def node(self, field: str) -> str:
        """A field of the node, such as `State`; "" before the controller answers."""
        done = subprocess.run(
            ["scontrol", "-o", "show", "node", NODE],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        found = (word.partition("=") for word in done.stdout.split())
        return next((value for name, _, value in found if name == field), "")

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something is the case."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, self.said()
            time.sleep(0.25)

    def said(self) -> str:
        """What the daemons have noted."""
        names = ("slurmctld.log", "slurmd.log", "slurmctld.out", "slurmd.out")
        return "\n".join(
            (self.folder / name).read_text("utf-8", "replace")
            for name in names
            if (self.folder / name).exists()
        )


def _free_ports() -> tuple[int, int]:
    with socket.socket() as first, socket.socket() as second:
        first.bind(("127.0.0.1", 0))
        second.bind(("127.0.0.1", 0))
        return first.getsockname()[1], second.getsockname()[1]
