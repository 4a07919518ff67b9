"""Two sides made from texts, and the result of comparing them."""

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

from setpoint.compiler.cli import main
from setpoint.compiler.comparison.differences import differences
from setpoint.compiler.comparison.sides import side
from setpoint.compiler.plan.difference import Comparison, PolicyDifference, SettingChange
from setpoint.compiler.render.difference_settings import cause_text
from support.command import Ran

TODAY = "2026-11-20"

Files = str | dict[str, str]
"""The text of a policy, kept as `policy.tune`; or several files by name."""


def write(folder: Path, files: Files) -> Path:
    """A folder with these files."""
    for name, text in (files if isinstance(files, dict) else {"policy.tune": files}).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def compare(folder: Path, old: Files, new: Files, today: str = TODAY) -> Comparison:
    """What changes from one side to the other."""
    before, after = write(folder / "old", old), write(folder / "new", new)
    return differences(side(str(before), "", today), side(str(after), "", today))


def only(comparison: Comparison) -> PolicyDifference:
    """The one policy that differs."""
    (difference,) = comparison.differences
    return difference


def setting(difference: PolicyDifference, name: str) -> SettingChange:
    """What becomes of one setting."""
    (change,) = (c for c in difference.settings if c.setting == name)
    return change


def acting_changes(difference: PolicyDifference) -> dict[str, tuple[str, str, str]]:
    """The settings that affect servers: old value, new value, why."""
    return {
        c.setting: (c.old.value if c.old else "", c.new.value if c.new else "", cause_text(c))
        for c in difference.acting
    }


def run(*arguments: str, folder: Path) -> Ran:
    """The command, run within this process, which takes a tenth of the time of a separate process."""
    out, err = io.StringIO(), io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        status = main(list(arguments))
    return Ran(status, out.getvalue(), err.getvalue())
