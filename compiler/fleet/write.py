"""Write the files of a fleet: completely or not at all, and without touching those that stay the same.

The files are made in a workspace beside the folder, which then takes the folder's place. A file that is the same as in
the earlier folder is moved there as it is, by a link: its time and its inode stay, so that programs that copy what has
changed find only that. A run that is interrupted leaves the earlier folder as it was; the next one removes the
leftovers and starts again, which costs seconds.

Lists of hosts are written piece by piece, since they can be larger than the memory.
"""

import filecmp
import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from setpoint.compiler.files.writing import write_new
from setpoint.compiler.lowering.bundle import MANIFEST, SCHEMA_OF_FLEET, replace_folder
from setpoint.compiler.lowering.target import Artifact, Listing
from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.visible import json_records

PIECES, LONG = 4096, 1 << 14
"""How many pieces of a list are written at a time, unless one of them is this long."""


class Written(NamedTuple):
    """The number of files of a fleet, and how many of them are new or have changed."""

    files: int
    changed: int


def write_fleet(
    folder: str, policy: str, files: Iterable[Artifact | Listing], made_with: MadeWith | None = None
) -> Written:
    """Write the files of a fleet, in the order of their paths, and a manifest.

    Raises SetpointError (E0605) where something else is in the way, and OSError.
    """
    changed = 0
    entries: list[dict[str, str]] = []

    def make(draft: str) -> None:
        nonlocal changed
        for file in files:
            mode = file.mode if isinstance(file, Artifact) else 0o644
            pieces = (file.text,) if isinstance(file, Artifact) else file.pieces
            entry = {"path": file.path, "mode": f"{mode:04o}", "sha256": _put(draft, file.path, pieces, mode)}
            version = file.version if isinstance(file, Artifact) else ""
            entries.append(entry | ({"version": version} if version else {}))
            changed += not _kept(folder, draft, file.path)
        entries.sort(key=lambda entry: entry["path"])
        manifest: dict[str, Any] = {"schema": SCHEMA_OF_FLEET, "policy": policy}
        if made_with is not None:
            manifest["made_with"] = made_with.document
        manifest["files"] = entries
        _put(draft, MANIFEST, (json_records(manifest),), 0o644)
        _kept(folder, draft, MANIFEST)

    replace_folder(folder, make)
    return Written(len(entries), changed)


def _put(folder: str, name: str, pieces: Iterable[str], mode: int) -> str:
    """Write a file; returns its check sum."""
    check_sum = hashlib.sha256()

    def counted() -> Iterator[bytes]:
        for several in _together(pieces):
            content = several.encode()
            check_sum.update(content)
            yield content

    write_new(os.path.join(folder, *name.split("/")), counted(), mode)
    return check_sum.hexdigest()


def _together(pieces: Iterable[str]) -> Iterator[str]:
    """The pieces, many at a time."""
    several: list[str] = []
    for piece in pieces:
        several.append(piece)
        if len(several) == PIECES or len(piece) > LONG:
            yield "".join(several)
            several.clear()
    yield "".join(several)


def _kept(folder: str, draft: str, name: str) -> bool:
    """Put the earlier file into the place of a new one that is the same. A file system without links keeps the new one.

    One that belongs to another user is not the same: whose it is could change it later.
    """
    earlier, new = (os.path.join(place, *name.split("/")) for place in (folder, draft))
    if not os.path.isfile(earlier) or os.path.islink(earlier):
        return False
    there, here = os.stat(earlier), os.stat(new)
    if (there.st_mode, there.st_uid) != (here.st_mode, here.st_uid):
        return False
    if not filecmp.cmp(earlier, new, shallow=False):
        return False
    with suppress(OSError):
        beside = f"{new}.kept"
        os.link(earlier, beside)
        os.replace(beside, new)
    return True
