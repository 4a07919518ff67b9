"""The essence of a bundle, without its sentences: the values and who decides them, the files, and the data files.

An example whose whole bundle is kept changes with any sentence. Its gist changes where a server would be set otherwise.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

DATA = (
    "kernel-args/cmdline",
    "redfish/settings-first.json",
    "redfish/settings.json",
    "redfish/expected.json",
)
"""The files of a bundle that are copied to a server unchanged and have no comments."""


def gist(bundle: Path, folder: Path) -> None:
    """Make the gist of a bundle, or of each bundle in it where there are several."""
    for plan in sorted(bundle.rglob("plan.json")):
        one = plan.parent
        place = folder / one.relative_to(bundle)
        place.mkdir(parents=True, exist_ok=True)
        (place / "values.txt").write_text(
            values(json.loads(plan.read_text(encoding="utf-8"))), encoding="utf-8"
        )
        (place / "files.txt").write_text(files(one), encoding="utf-8")
        for name in DATA:
            if (one / name).exists():
                (place / name).parent.mkdir(exist_ok=True)
                shutil.copy(one / name, place / name)


def values(plan: dict[str, Any]) -> str:
    """A line for each setting: its value, what decides it, and the overridden advice; then the codes of the findings."""
    lines = []
    for name, decision in plan["settings"].items():
        line = f"{name} {decision['value']}{'' if decision['written'] else ' (not written)'}"
        line += f" <- {', '.join(map(_named, decision['because']))}"
        if decision["beat"]:
            losers = [f"{_named(loser)} {loser['value']}" for loser in decision["beat"]]
            line += f" over {', '.join(losers)}"
        lines.append(line)
    lines += sorted(f"{found['severity']} {found['code']}" for found in plan["diagnostics"])
    return "".join(f"{line}\n" for line in lines)


def files(bundle: Path) -> str:
    """The files of a bundle, those that can be executed with a star."""
    found = sorted(path for path in bundle.rglob("*") if path.is_file())
    return "".join(f"{path.relative_to(bundle)}{'*' * bool(path.stat().st_mode & 0o100)}\n" for path in found)


def _named(cause: dict[str, Any]) -> str:
    """What decides: the name of a statement, else its kind."""
    return str(cause.get("rule") or cause.get("kind"))
