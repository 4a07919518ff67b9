"""A server to carry out a plan of syscfg on, with a real dash and the stand-in of `syscfg` beside this file.

    server = eleventh_generation(tmp_path, logicproc="enable")
    run = server.carries_out(PROGRAM, plan, "verify")
    assert run.status == 3
    server.reboot()
    assert server.current()["logicproc"] == "disable"

The program finds the stand-in as `$SYSCFG` and as `syscfg` on its PATH. Its environment is otherwise empty but for what
the caller gives, and the programs that would reboot the machine, or sync its disks, only leave a line in the log.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from consumers.registry import Registry, profile_expansion
from consumers.requirement import require
from support.limits import PATIENCE

HERE = Path(__file__).resolve().parent
STAND_IN = HERE / "syscfg_stand_in"
REBOOT = HERE / "syscfg_reboot"
REBOOTERS = ("reboot", "shutdown", "poweroff", "halt", "init", "telinit", "systemctl")
SWITCH = ("enable", "disable")
POWER_PROFILES = ("maxperformance", "osctl", "apc", "custom")
"""The values of `syscfg power --profile=`: Dell, 11G HPC paper (2010), Appendix B."""


@dataclass(frozen=True)
class Run:
    """What a program did: its exit status and what it printed."""

    status: int
    out: str
    err: str


@dataclass(frozen=True)
class Server:
    """A server made of files; see the head of `syscfg_stand_in` for what each is."""

    folder: Path

    @classmethod
    def create(
        cls,
        folder: Path,
        current: Mapping[str, str],
        values: Mapping[str, Sequence[str]],
        *,
        locks: Mapping[str, Mapping[str, str]] | None = None,
        forces: Mapping[tuple[str, str], Mapping[str, str]] | None = None,
        password: str | None = None,
    ) -> Server:
        """Make one in `folder`.

        Args:
            folder: Where; made if it is not there.
            current: The value in effect of each option (and of `power`, where the server has power profiles).
            values: The values that each may take.
            locks: For an option, the values that other options must show for it to be writable.
            forces: For an option and a value, what setting it to that sets as well.
            password: The setup password, if one is set.
        """
        server = cls(folder.resolve())
        for part in ("state/pending", "state/late", "bin", "work"):
            (server.folder / part).mkdir(parents=True)
        _write_files(server.state / "current", {name: [value] for name, value in current.items()})
        _write_files(server.state / "values", values)
        _write_files(server.state / "locks", {name: _pairs(when) for name, when in (locks or {}).items()})
        _write_files(
            server.state / "forces", {"=".join(key): _pairs(then) for key, then in (forces or {}).items()}
        )
        if password is not None:
            (server.state / "password").write_text(f"{password}\n", encoding="utf-8")
        (server.folder / "bin" / "syscfg").symlink_to(STAND_IN)
        for name in (*REBOOTERS, "sync"):
            said = "sync" if name == "sync" else f"host: {name} $*"
            stub = server.folder / "bin" / name
            stub.write_text(f'#!/bin/sh\necho "{said}" >>"$SYSCFG_STATE/log"\n', encoding="utf-8")
            stub.chmod(0o755)
        return server

    @property
    def state(self) -> Path:
        """The folder that is `$SYSCFG_STATE`."""
        return self.folder / "state"

    @property
    def work(self) -> Path:
        """The folder that scripts run in, and `$HOME`."""
        return self.folder / "work"

    def run(
        self,
        script: Path | str,
        *args: str,
        env: Mapping[str, str] | None = None,
        fail_at: int | None = None,
        lose_at: int | None = None,
        down: bool = False,
        shell: Sequence[str] = ("dash",),
    ) -> Run:
        """Run a script (a path, or its text).

        Args:
            script: The script.
            args: Its arguments.
            env: What its environment holds beside PATH, HOME, SYSCFG and the stand-in's own.
            fail_at: Which write, counted from 1 since the server was made, the firmware refuses.
            lose_at: Which write it reports done and forgets.
            down: Whether the data manager does not run, so that every call fails.
            shell: The shell, and what it is called with.
        """
        if isinstance(script, str):
            path = self.folder / "script.sh"
            path.write_text(script, encoding="utf-8")
        else:
            path = script.resolve()
        faults = {
            "SYSCFG_FAIL_AT": str(fail_at or ""),
            "SYSCFG_LOSE_AT": str(lose_at or ""),
            "SYSCFG_DOWN": "1" if down else "",
            # A script takes this machine for the server that its policy is for.
            "SETPOINT_IGNORE": "product processor sockets system distribution kernel",
        }
        return self._start([str(require(shell[0])), *shell[1:], str(path), *args], {**faults, **(env or {})})

    def carries_out(self, program: str, plan: str, verb: str = "apply", *args: str, **kwargs: Any) -> Run:
        """Run the program for hosts with a plan, both by their text: see `run`."""
        file = self.folder / "syscfg.plan"
        file.write_text(plan, encoding="utf-8")
        return self.run(program, verb, str(file), *args, **kwargs)

    def syscfg(self, *args: str) -> Run:
        """Call the stand-in by itself."""
        return self._start([str(STAND_IN), *args], {})

    def reboot(self) -> None:
        """Let what was set take effect."""
        run = self._start([str(REBOOT)], {})
        if run.status != 0:
            raise RuntimeError(run.err)

    def current(self) -> dict[str, str]:
        """The value in effect of each option."""
        return _read_files(self.state / "current")

    def pending(self) -> dict[str, str]:
        """The values that wait for a reboot."""
        return _read_files(self.state / "pending")

    def staged(self) -> dict[str, str]:
        """The value that each option will have after the next reboot."""
        return self.current() | self.pending()

    def log(self) -> list[str]:
        """The calls so far, with reboots (`reboot`), attempts to reboot the host (`host: …`), and `sync`."""
        log = self.state / "log"
        return log.read_text(encoding="utf-8").splitlines() if log.exists() else []

    def writes(self) -> int:
        """How many writes were tried."""
        writes = self.state / "writes"
        return int(writes.read_text(encoding="utf-8")) if writes.exists() else 0

    @property
    def environment(self) -> dict[str, str]:
        """What a program that runs on the server finds in its environment."""
        path = os.pathsep.join([str(self.folder / "bin"), "/usr/bin", "/bin"])
        base = {"PATH": path, "HOME": str(self.work), "LC_ALL": "C"}
        return {**base, "SYSCFG": str(STAND_IN), "SYSCFG_STATE": str(self.state)}

    def _start(self, command: Sequence[str], env: Mapping[str, str]) -> Run:
        done = subprocess.run(
            command,
            env={**self.environment, **env},
            cwd=self.work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr)


def eleventh_generation(folder: Path, *, password: str | None = None, **current: str) -> Server:
    """An 11G server with the options of the paper's Appendix B, at the paper's defaults but for `current`."""
    # Defaults: sections "Node Interleaving", "SMT", "Turbo Mode" and Table 4's menu path. C-states: none is stated.
    state = {
        "nodeinterleave": "disable",
        "logicproc": "enable",
        "turbomode": "enable",
        "cstates": "enable",
        "power": "osctl",
    }
    values = {name: POWER_PROFILES if name == "power" else SWITCH for name in state}
    if unknown := set(current) - set(state):
        raise ValueError(f"not an option of the 11G: {', '.join(sorted(unknown))}")
    return Server.create(folder, {**state, **current}, values, password=password)


def from_registry(
    folder: Path,
    registry: Registry,
    *,
    ignore_lockdown: bool = False,
    password: str | None = None,
    **current: str,
) -> Server:
    """A server of the 12th generation or later, from its captured registry: its choices, profiles and locks.

    Args:
        folder: Where to make it.
        registry: What it offers, and the state it is in. What is immutable there takes no value but its own.
        ignore_lockdown: As for `consumers.registry.check`.
        password: The setup password, if one is set.
        current: Values that differ from the captured ones.
    """
    choices = {
        name: attribute.values
        for name, attribute in registry.attributes.items()
        if attribute.values and isinstance(registry.current.get(name), str) and not attribute.hidden
    }
    state = {name: str(registry.current[name]) for name in choices}
    for name, value in state.items():
        if not registry.writable(name, ignore_lockdown=ignore_lockdown):
            choices[name] = (value,)
    expansion = profile_expansion(registry)
    members = {name for forced in expansion.values() for name in forced if name in choices}
    forces = {
        # Where the registry forces two values at once, the first is taken.
        ("SysProfile", profile): {
            name: value.split("/")[0] for name, value in forced.items() if name in choices
        }
        for profile, forced in expansion.items()
    }
    return Server.create(
        folder,
        {**state, **current},
        choices,
        locks={name: {"SysProfile": "Custom"} for name in members},
        forces=forces,
        password=password,
    )


def _pairs(values: Mapping[str, str]) -> list[str]:
    return [f"{name}={value}" for name, value in values.items()]


def _write_files(folder: Path, files: Mapping[str, Sequence[str]]) -> None:
    folder.mkdir()
    for name, lines in files.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _read_files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8").strip() for path in sorted(folder.iterdir())}
