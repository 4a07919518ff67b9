"""What the real tuned makes of a profile, without applying it.

tuned hardly ever refuses: of a misspelt option it logs a warning, of an unknown `[main]` option or a key that is there
twice nothing, and it exits 0 all the same. `lint` therefore loads the profile with tuned's own loader, merger and
plugins, and reports what those would have passed over. `consumers.tuned_run` applies a profile.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from consumers.requirement import require, unmet
from support.limits import limited

PYTHON = Path("/usr/bin/python3")
"""The distribution's Python: the one that has tuned."""

PROBE = Path(__file__).resolve().with_name("tuned_probe.py")
MAIN_OPTIONS = frozenset({"summary", "description", "include"})
UNIT_OPTIONS = frozenset({"priority"})
"""What every section takes; tuned has taken the others (`type`, `devices`, `replace` …) out when it merged."""

UNLISTED = {"scheduler": frozenset({"runtime"})}
"""Options that a plugin reads though its own list lacks them."""

OPEN_PREFIXES = {"bootloader": ("cmdline",), "scheduler": ("group.", "cgroup.")}
"""Options of a plugin whose names only begin alike."""


@dataclass(frozen=True)
class Unit:
    """A section of the merged profile: which plugin it is for, and its options with variables expanded."""

    type: str
    enabled: bool
    options: Mapping[str, str]


@dataclass(frozen=True)
class Lint:
    """What is wrong with a profile, and what it comes to with all that it includes."""

    problems: tuple[str, ...]
    main: Mapping[str, str]
    units: Mapping[str, Unit]
    version: str

    def options(self, unit: str) -> Mapping[str, str]:
        """The options of one unit; none, where the profile has no such unit."""
        return self.units[unit].options if unit in self.units else {}


def require_tuned() -> Path:
    """The real tuned, or else the test is skipped."""
    tuned = require("tuned")
    if not PYTHON.exists():
        unmet(f"no {PYTHON}, whose module tuned is")
    return tuned


def lint(profile: Path) -> Lint:
    """Load the profile folder `profile`; profiles beside it can be included, as tuned's own can.

    Problems are sentences that name the section and the option: an unknown plugin, an unknown option, one in `[main]`
    that tuned does not read, a section or key that is there twice, an include that is not there, a syntax error.
    """
    require_tuned()
    profile = profile.resolve()
    answer = _asked(str(profile.parent), profile.name)
    if "failure" in answer:
        raise RuntimeError(f"tuned_probe.py failed:\n{answer['failure']}")
    if "error" in answer:
        return Lint((answer["error"],), {}, {}, "")
    units = {name: Unit(**unit) for name, unit in answer["units"].items()}
    problems = [f"[main] {option}: not an option" for option in answer["main"] if option not in MAIN_OPTIONS]
    if answer["twice"]:
        problems.append(answer["twice"])
    for name, unit in units.items():
        problems += _unit_problems(name, unit, answer["plugins"][unit.type])
    return Lint(tuple(problems), answer["main"], units, answer["version"])


@cache
def _probe() -> subprocess.Popen[str]:
    """The process that has loaded tuned; it ends with this one, since its standard input does."""
    return subprocess.Popen(
        limited([str(PYTHON), "-E", "-s", str(PROBE)]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _asked(folder: str, name: str) -> dict[str, Any]:
    """What the probe says of a profile."""
    probe = _probe()
    assert probe.stdin is not None and probe.stdout is not None
    probe.stdin.write(f"{json.dumps([folder, name])}\n")
    probe.stdin.flush()
    line = probe.stdout.readline()
    assert line, "tuned_probe.py has ended"
    answer: dict[str, Any] = json.loads(line)
    return answer


def _unit_problems(name: str, unit: Unit, plugin: Mapping[str, Any] | None) -> list[str]:
    if plugin is None:
        return [f"[{name}]: no plugin {unit.type!r}"]
    # A plugin may take any name and yet have a list of its own (scheduler): then a name outside of it is a slip.
    known = UNIT_OPTIONS.union(plugin["options"], UNLISTED.get(unit.type, ()))
    if plugin["takes_any"] and not plugin["options"]:
        known = known.union(unit.options)
    prefixes = OPEN_PREFIXES.get(unit.type, ())
    problems = [
        f"[{name}] {option}: not an option of {unit.type!r}"
        for option in unit.options
        if option not in known and not option.startswith(prefixes)
    ]
    if unit.type == "sysfs":
        problems += [
            f"[{name}] {option}: not a path in /sys"
            for option in unit.options
            if option not in UNIT_OPTIONS and not option.startswith("/sys/")
        ]
    return problems
