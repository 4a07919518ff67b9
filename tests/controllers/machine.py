"""The server behind a controller without jobs: its attributes, what is staged, its power and its restarts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from controllers.dialects import Dialect
from idrac.machine import RefusedError
from setpoint.compiler.twin.rules import FirmwareRules as Rules


@dataclass(frozen=True)
class Setup:
    """A server as it is at first, and what it does otherwise than the plainest one.

    Attributes:
        dialect: What its service is like.
        current: The attributes in effect.
        model: `Model` of the system.
        manufacturer: `Manufacturer` of the system.
        staged: What somebody else has staged.
        rules: What the attributes obey; without it any value is taken, and no attribute sets another.
        drops: Attributes of a PATCH that the service takes without staging them.
        rejects: Attributes that the BIOS does not set at the restart.
        ignored: Reset types that are answered and not carried out: an operating system can ignore a graceful one.
        once: Attributes that perform something at a restart that applies them, and then have this value again.
        starting: How many readings of the BIOS, or of its settings, after a restart show the values from before, for a server takes its time to start.
    """

    dialect: Dialect
    current: Mapping[str, Any]
    model: str = "Example"
    manufacturer: str = "Example"
    staged: Mapping[str, Any] = field(default_factory=dict)
    rules: Rules | None = None
    drops: tuple[str, ...] = ()
    rejects: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    once: Mapping[str, Any] = field(default_factory=dict)
    starting: int = 2
    busy: int = 0


class Server:
    """One server: what requests and restarts make of it."""

    def __init__(self, setup: Setup) -> None:
        self.behaviour = setup
        self.current = dict(setup.current)
        self.staged = dict(setup.staged)
        self.power = "On"
        self.boots = 0
        self.applied = 0
        self.changes = 0
        self.message = "Base.1.12.Success"
        self.performed: list[tuple[str, Any]] = []
        self._left = 0

    @property
    def version(self) -> str:
        """The version of the settings resource, another one after each change of it (RFC 9110, 8.8.3)."""
        return f'"{self.changes:08x}"'

    @property
    def shown(self) -> dict[str, Any] | None:
        """The attributes of the settings resource; None if it has none."""
        if self.behaviour.dialect.shows_all:
            return {**self.current, **self.staged}
        return dict(self.staged) or None

    def stage(self, attributes: Mapping[str, Any]) -> None:
        """Stage attributes, all or none. A value that is in effect can take back what was staged instead of it."""
        dialect = self.behaviour.dialect
        if not dialect.judges_late and (reason := self._objection({**self.staged, **attributes})):
            raise RefusedError(reason)
        taken = {name: value for name, value in attributes.items() if name not in self.behaviour.drops}
        staged = {**self.staged, **taken}
        if dialect.clears:
            staged = {name: value for name, value in staged.items() if self.current.get(name) != value}
        self.staged = staged
        self.changes += 1

    def _objection(self, staged: Mapping[str, Any]) -> str:
        """What is wrong with what would be staged; "" if nothing is."""
        if unknown := [name for name in staged if name not in self.current]:
            return f"The property {unknown[0]} is not in the list of valid properties for the resource."
        rules = self.behaviour.rules
        reason = rules.refused(self.current, staged) if rules else ""
        return f"The value cannot be set: {reason}." if reason else ""

    def reset(self, kind: str) -> None:
        """Accept a reset, and carry it out unless it is one that is ignored."""
        if kind not in self.behaviour.dialect.resets:
            raise RefusedError(
                f"The value '{kind}' for the property ResetType is not in the list of acceptable values."
            )
        if kind in self.behaviour.ignored:
            return
        if kind in ("ForceOff", "GracefulShutdown"):
            self.power = "Off"
        elif (kind == "On") == (self.power == "Off"):
            self.power = "On"
            self.boots += 1
            self._left = self.behaviour.starting
            if not self._left:
                self._apply()

    def tick(self) -> None:
        """Let a server that is starting go on: its BIOS has applied what was staged after so many readings."""
        if self._left:
            self._left -= 1
            if not self._left:
                self._apply()

    def _apply(self) -> None:
        objection = self._objection(self.staged)
        rejected = self.staged if objection else self.behaviour.rejects
        done = {name: value for name, value in self.staged.items() if name not in rejected}
        rules = self.behaviour.rules
        self.current = rules.after_restart(self.current, done) if rules else {**self.current, **done}
        for name, neutral in self.behaviour.once.items():
            if self.current[name] != neutral:
                self.performed.append((name, self.current[name]))
                self.current[name] = neutral
        self.message = "Base.1.12.Success" if done == self.staged else "Base.1.12.PropertyValueNotInList"
        self.staged = {}
        self.applied += 1
        self.changes += 1
