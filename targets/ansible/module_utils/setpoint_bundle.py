"""Where a role finds the programs and plans that it runs: in `files/`, if it was moved, and in the bundle that it lies
in, under the same paths.

Two roles in a playbook have plugins of the same names, and Ansible takes those of the first for both: so the role is
that of the task.
"""

from pathlib import Path
from typing import Any


def places(task: Any) -> "tuple[Path, Path]":
    """The folders that a task of a role finds files in."""
    role = Path(task._role._role_path).resolve() if task._role else Path(__file__).resolve().parent.parent
    return role / "files", role.parent.parent.parent


def found(task: Any, path: str) -> "Path | None":
    """The file of the bundle with this path."""
    return next((place / path for place in places(task) if (place / path).is_file()), None)


def lacking(task: Any, *paths: str) -> str:
    """What to say where the role was moved without some of these; "" if all are there."""
    missing = [path for path in paths if found(task, path) is None]
    if not missing:
        return ""
    files = places(task)[0]
    folders = " ".join(dict.fromkeys(path.partition("/")[0] for path in missing))
    return (
        f"Nothing was changed: {', '.join(missing)} of the bundle {'are' if len(missing) > 1 else 'is'} neither in {files} nor where the "
        f"bundle would be. The role was moved without what it runs: in the bundle, mkdir -p {files}; cp -r {folders} {files}"
    )
