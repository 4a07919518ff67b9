"""An iDRAC and its server, made of files, to carry out a plan of racadm on; with the stand-in of `racadm` beside this
file.

    idrac = from_registry(tmp_path, R740.registry())
    run = idrac.run(plan, "verify")
    idrac.restart()
    assert idrac.current()["LogicalProc"] == "Disabled"

A restart does what firmware does: the job that is open sets what is staged, and a profile brings its members.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from consumers.registry import Registry
from consumers.requirement import require
from registries import read
from support.host import PROGRAM
from support.limits import PATIENCE

HERE = Path(__file__).resolve().parent
STAND_IN = HERE / "racadm_stand_in"
SHELLS = {"dash": ("dash",), "bash": ("bash",), "busybox": ("busybox", "sh")}
Values = dict[str, str]


@dataclass(frozen=True)
class Run:
    """What the program did: its exit status and what it printed."""

    status: int
    out: str
    err: str


@dataclass(frozen=True)
class Object:
    """A value in effect, those that may be set, and when they may not: see the head of `racadm_stand_in`."""

    current: str
    values: Sequence[str] = ()
    locks: Sequence[str] = ()

    def __str__(self) -> str:
        return f"{self.current}||{' '.join(self.locks)}|{' '.join(self.values)}"


@dataclass(frozen=True)
class Idrac:
    """An iDRAC; see the head of `racadm_stand_in` for what its files are.

    Attributes:
        folder: Where it is.
        settle: What becomes of the values at a restart, once those that were staged are in effect.
    """

    folder: Path
    settle: Callable[[Values], Values]

    @classmethod
    def create(
        cls,
        folder: Path,
        groups: Mapping[str, Mapping[str, Object]],
        settle: Callable[[Values], Values],
    ) -> Idrac:
        """Make one in `folder`, with the objects of each group."""
        idrac = cls(folder.resolve(), settle)
        (idrac.state / "groups").mkdir(parents=True)
        (folder / "work").mkdir()
        (folder / "bin").mkdir()
        (folder / "bin" / "racadm").symlink_to(STAND_IN)
        # Who calls `ssh` gets what the iDRAC's shell answers.
        ssh = folder / "bin" / "ssh"
        ssh.write_text('#!/bin/sh\necho "ssh $5" >>"$RACADM_STATE/log"\nshift 6\nexec racadm "$@"\n', "utf-8")
        sync = folder / "bin" / "sync"
        sync.write_text('#!/bin/sh\necho sync >>"$RACADM_STATE/log"\n', "utf-8")
        for program in (ssh, sync):
            program.chmod(0o755)
        for group, objects in groups.items():
            idrac.write(f"groups/{group}", *(f"{name}|{one}" for name, one in objects.items()))
        idrac.write("jobs")
        idrac.write("next-job", "378288740486")
        return idrac

    @property
    def state(self) -> Path:
        """The folder that is `$RACADM_STATE`."""
        return self.folder / "state"

    @property
    def kept(self) -> Path:
        """Where the program keeps old values."""
        return self.folder / "kept"

    def write(self, file: str, *lines: str) -> None:
        """Write a file of the iDRAC's."""
        (self.state / file).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def lines(self, file: str) -> list[str]:
        """The lines of a file of the iDRAC's; none if it is not there."""
        path = self.state / file
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    def current(self) -> Values:
        """The values in effect."""
        return {row[0]: row[1] for row in self._objects()}

    def pending(self) -> Values:
        """The values that are staged."""
        return {row[0]: row[2] for row in self._objects() if row[2]}

    def jobs(self) -> list[str]:
        """The jobs that are open."""
        return [line.split("|")[0] for line in self.lines("jobs") if "|Scheduled|" in line]

    def calls(self) -> int:
        """How many calls the last run made."""
        return int(self.lines("calls")[0])

    def stage(self, **values: str) -> None:
        """Have somebody else stage values."""
        self._rewrite(lambda name, current, pending: (current, values.get(name, pending)))

    def accept(self, name: str, *values: str) -> None:
        """Have an object take these values only; and where there are none, take the object away."""
        for path in (self.state / "groups").iterdir():
            lines = []
            for line in self.lines(f"groups/{path.name}"):
                *others, choices = line.split("|")
                if others[0] != name or values:
                    lines.append("|".join([*others, " ".join(values) if others[0] == name else choices]))
            self.write(f"groups/{path.name}", *lines)

    def restart(self) -> None:
        """Restart the server: a job that is open sets what is staged."""
        if self.jobs():
            after = self.settle(self.current() | self.pending())
            self._rewrite(lambda name, current, pending: (after[name], ""))
            self.write("jobs", *(line.replace("|Scheduled|", "|Completed|") for line in self.lines("jobs")))

    def _rewrite(self, change: Callable[[str, str, str], tuple[str, str]]) -> None:
        for path in (self.state / "groups").iterdir():
            rows = [line.split("|") for line in self.lines(f"groups/{path.name}")]
            lines = ["|".join([row[0], *change(row[0], row[1], row[2]), *row[3:]]) for row in rows]
            self.write(f"groups/{path.name}", *lines)

    def run(
        self,
        plan: str,
        verb: str = "apply",
        *args: str,
        fault: str = "",
        at: int = 0,
        shell: str = "dash",
        env: Mapping[str, str] | None = None,
    ) -> Run:
        """Run the program for hosts with a plan.

        Args:
            plan: Its text.
            verb: What it is to do.
            args: Its options.
            fault: What happens at call number `at`.
            at: See `fault`.
            shell: One of SHELLS.
            env: More of its environment.
        """
        program_file, plan_file = self.folder / "setpoint-host", self.folder / "racadm.plan"
        program_file.write_text(PROGRAM, encoding="utf-8")
        plan_file.write_text(plan, encoding="utf-8")
        self.write("calls", "0")
        program, *applet = SHELLS[shell]
        done = subprocess.run(
            [
                str(require(program)),
                *applet,
                str(program_file),
                verb,
                str(plan_file),
                "--state",
                str(self.kept),
                *args,
            ],
            env={
                "PATH": os.pathsep.join([str(self.folder / "bin"), "/usr/bin", "/bin"]),
                "RACADM_STATE": str(self.state),
                "RACADM_FAULT": fault,
                "RACADM_AT": str(at),
                "SETPOINT_PATIENCE": "0",
                "SETPOINT_HOST": "c042",
                **(env or {}),
            },
            cwd=self.folder / "work",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    def _objects(self) -> list[list[str]]:
        files = sorted((self.state / "groups").iterdir())
        return [line.split("|") for path in files for line in self.lines(f"groups/{path.name}")]


GROUPS = (
    "SysInformation",
    "ProcSettings",
    "SysProfileSettings",
    "MemSettings",
    "DellControlledTurbo",
    "SysSecurity",
    "BootSettings",
)
"""Those that the program reads for its own sake, and one in which others may have staged something."""


def from_registry(
    folder: Path, capture: str, registry: Registry, *, ignore_lockdown: bool = False, **current: str
) -> Idrac:
    """An iDRAC with the attributes of a captured server, in the groups of their menu pages: those of GROUPS.

    Args:
        folder: Where to make it.
        capture: The server's name in `registries`.
        registry: What it offers, and the state it is in.
        ignore_lockdown: As for `consumers.registry.check`.
        current: Values that differ from the captured ones.
    """
    before = {**registry.current, **current}
    locks: dict[str, list[str]] = {}
    for one in registry.dependencies:
        if one.prop == "ReadOnly" and one.to is True:
            locks.setdefault(one.attribute, []).extend(
                f"{condition.attribute}{'=' if condition.equal else '!='}{condition.value}"
                for condition in one.conditions
            )
    groups: dict[str, dict[str, Object]] = {}
    for name, entry in read(capture)["attributes"].items():
        group = entry["menu"].rpartition("/")[2].removesuffix("Ref")
        known = not registry.attributes[name].hidden and before.get(name) is not None
        if group in GROUPS and known and "Ref/" not in entry["menu"]:
            writable = registry.writable(name, ignore_lockdown=ignore_lockdown)
            locked = locks.get(name, []) if writable else ["always"]
            value = str(before[name]).strip()
            groups.setdefault(group, {})[name] = Object(value, registry.attributes[name].values, locked)

    def settle(state: Values) -> Values:
        settled = registry.settle({**registry.current, **state})
        return {name: str(settled[name]) for name in state}

    return Idrac.create(folder, groups, settle)
