"""An iDRAC and its server, made of files, to run a racadm script against; with the stand-in of `racadm` beside this file.

    idrac = from_registry(tmp_path, R740.registry())
    run = idrac.run(script, "--verify")
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

HERE = Path(__file__).resolve().parent
STAND_IN = HERE / "racadm_stand_in"
SHELLS = {"dash": ("dash",), "bash": ("bash",), "busybox": ("busybox", "sh")}
Values = dict[str, str]


@dataclass(frozen=True)
class Run:
    """What a script did: its exit status and what it printed."""

    status: int
    out: str
    err: str


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
        groups: Mapping[str, Mapping[str, str]],
        values: Mapping[str, Sequence[str]],
        locks: Mapping[str, Sequence[str]],
        settle: Callable[[Values], Values],
    ) -> Idrac:
        """Make one in `folder`, with the values of each group's objects, those that they may take, and when they may not."""
        idrac = cls(folder.resolve(), settle)
        for part in ("groups", "values", "locks"):
            (idrac.state / part).mkdir(parents=True)
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
            lines = [f"{name}|{value}|" for name, value in objects.items()]
            idrac.write(f"groups/{group}", *lines)
        for name, choices in values.items():
            idrac.write(f"values/{name}", *choices)
        for name, lines_of in locks.items():
            idrac.write(f"locks/{name}", *lines_of)
        idrac.write("jobs")
        idrac.write("next-job", "378288740486")
        return idrac

    @property
    def state(self) -> Path:
        """The folder that is `$RACADM_STATE`."""
        return self.folder / "state"

    @property
    def kept(self) -> Path:
        """Where scripts keep their old values."""
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
        return {name: value for name, value, _ in self._objects()}

    def pending(self) -> Values:
        """The values that are staged."""
        return {name: value for name, _, value in self._objects() if value}

    def jobs(self) -> list[str]:
        """The jobs that are open."""
        return [line.split("|")[0] for line in self.lines("jobs") if "|Scheduled|" in line]

    def calls(self) -> int:
        """How many calls the last run made."""
        return int(self.lines("calls")[0])

    def stage(self, **values: str) -> None:
        """Have somebody else stage values."""
        for path in (self.state / "groups").iterdir():
            rows = [line.split("|") for line in self.lines(f"groups/{path.name}")]
            lines = [f"{name}|{value}|{values.get(name, staged)}" for name, value, staged in rows]
            self.write(f"groups/{path.name}", *lines)

    def restart(self) -> None:
        """Restart the server: a job that is open sets what is staged."""
        if not self.jobs():
            return
        after = self.settle(self.current() | self.pending())
        for path in (self.state / "groups").iterdir():
            names = [line.split("|")[0] for line in self.lines(f"groups/{path.name}")]
            self.write(f"groups/{path.name}", *(f"{name}|{after[name]}|" for name in names))
        self.write("jobs", *(line.replace("|Scheduled|", "|Completed|") for line in self.lines("jobs")))

    def run(
        self,
        script: str,
        *args: str,
        fault: str = "",
        at: int = 0,
        shell: str = "dash",
        env: Mapping[str, str] | None = None,
    ) -> Run:
        """Run a script.

        Args:
            script: Its text.
            args: Its arguments.
            fault: What happens at call number `at`.
            at: See `fault`.
            shell: One of SHELLS.
            env: More of its environment.
        """
        path = self.folder / "racadm.sh"
        path.write_text(script, encoding="utf-8")
        self.write("calls", "0")
        program, *applet = SHELLS[shell]
        done = subprocess.run(
            [str(require(program)), *applet, str(path), "--state", str(self.kept), *args],
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
            timeout=60,
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
    "BiosBootSettings",
)
"""Those that a script reads for its own sake, and one in which others may have staged something."""


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
    groups: dict[str, Values] = {}
    values: dict[str, Sequence[str]] = {}
    for name, entry in read(capture)["attributes"].items():
        if registry.attributes[name].hidden or before.get(name) is None:
            continue
        group = entry["menu"].rpartition("/")[2].removesuffix("Ref")
        if group not in GROUPS:
            continue
        groups.setdefault(group, {})[name] = str(before[name]).strip()
        values[name] = registry.attributes[name].values
    shown = {name for group in groups.values() for name in group}
    locks: dict[str, list[str]] = {
        name: [] if registry.writable(name, ignore_lockdown=ignore_lockdown) else ["always"] for name in shown
    }
    for one in registry.dependencies:
        if one.prop == "ReadOnly" and one.to is True and one.attribute in shown:
            locks[one.attribute] += [
                f"{condition.attribute}{'=' if condition.equal else '!='}{condition.value}"
                for condition in one.conditions
                if condition.attribute in shown
            ]

    def settle(state: Values) -> Values:
        settled = registry.settle({**registry.current, **state})
        return {name: str(settled[name]) for name in state}

    return Idrac.create(folder, groups, values, {name: lock for name, lock in locks.items() if lock}, settle)
