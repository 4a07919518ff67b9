"""A temporary folder beside a destination, where a draft is made before it takes its place.

Its name begins with `.setpoint-` and is made unique by the system, so it belongs to nobody else. The process holds a
lock on the folder, which ends with the process in any case. A killed run can leave its folder behind; the next run on
the same destination removes it, or restores what it had put aside. It does so only if the folder belongs to the same
user, its lock is free, and a marker in it names the destination. Anything else is left alone.

INVARIANT: what was put aside (`OLD`) is deleted only if the draft is gone, since then the draft has taken its place.
"""

import errno
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from setpoint.compiler.files.system import HAS_LOCKS, flags, lock, undisturbed, unlock, user

PREFIX = ".setpoint-"
"""The beginning of a workspace's name. A check sum of the destination's name and a random part follow."""

MARKER, DRAFT, OLD = "marker", "draft", "old"
"""The contents of a workspace: its marker, the draft, and what the draft replaces."""

MOST_TRIES = 10
"""How often another process may remove a new folder as a leftover before it is locked."""


@contextmanager
def workspace(place: str) -> Iterator[str]:
    """The path of a new, empty, locked folder beside `place`, which is removed at the end with its contents.

    Leftovers of killed runs on the same place are cleared first. Raises OSError.
    """
    parent, name = os.path.split(os.path.abspath(place))
    with undisturbed():
        _clear_leftovers(parent, name)
        folder, held_lock = _make(parent, name)
    try:
        _mark(folder, name)
        yield folder
    finally:
        with undisturbed():
            with suppress(OSError):
                _remove(folder, place)
            unlock(held_lock)


def put_in_place(folder: str, place: str, check: Callable[[str], None] = lambda old: None) -> None:
    """Move the draft of a workspace into place; what is there is put aside, and restored if that fails.

    `check` examines what was put aside, and raises if it must stay. Raises OSError.
    """
    draft, old = os.path.join(folder, DRAFT), os.path.join(folder, OLD)
    with undisturbed():
        try:
            if os.path.lexists(place):
                os.rename(place, old)
                check(old)
            os.rename(draft, place)
        except BaseException:
            if not _put_back(old, place):
                why = f"something else appeared there meanwhile; what was there before is in {old}"
                raise OSError(errno.EEXIST, why, place) from None
            raise


def _prefix(name: str) -> str:
    return f"{PREFIX}{zlib.crc32(os.fsencode(name)):08x}-"


def _marker_text(name: str) -> bytes:
    """The text of a marker: whose folder this is, and for which name beside it."""
    return b"setpoint is writing this, or was killed: " + os.fsencode(name) + b"\n"


def _make(parent: str, name: str) -> tuple[str, int]:
    """A new folder and its lock."""
    from tempfile import mkdtemp  # only needed where something is written

    for _ in range(MOST_TRIES):
        folder = mkdtemp(prefix=_prefix(name), dir=parent)
        try:
            held_lock = _locked(folder)
        except OSError:
            with suppress(OSError):
                os.rmdir(folder)
            raise
        if held_lock is not None:
            return folder, held_lock
    raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), parent)


def _locked(folder: str) -> int | None:
    """The lock of a folder; None if another process has it, or has removed the folder."""
    try:
        return lock(folder)
    except (BlockingIOError, FileNotFoundError):
        return None


def _mark(folder: str, name: str) -> None:
    with open(os.path.join(folder, MARKER), "xb") as file:
        file.write(_marker_text(name))


def _clear_leftovers(parent: str, name: str) -> None:
    """Remove the leftovers of killed runs on this place.

    A leftover that cannot be removed does not prevent writing. Without locks it may belong to a running process, and
    stays.
    """
    if not HAS_LOCKS:
        return
    with suppress(OSError):
        leftovers = sorted(entry.name for entry in os.scandir(parent) if entry.name.startswith(_prefix(name)))
        for leftover in leftovers:
            with suppress(OSError):
                _clear(os.path.join(parent, leftover), os.path.join(parent, name))


def _clear(folder: str, place: str) -> None:
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != user():
        return
    held_lock = _locked(folder)
    if held_lock is None:
        return
    try:
        entries = set(os.listdir(folder))
        if not entries:
            os.rmdir(folder)  # killed before it wrote the marker; a running process makes another folder
        elif _is_ours(folder, entries, os.path.basename(place)):
            _remove(folder, place)
    finally:
        unlock(held_lock)


def _is_ours(folder: str, entries: set[str], name: str) -> bool:
    """Whether a marker proves that a folder is a workspace for this name, and it contains nothing else."""
    if MARKER not in entries or not entries <= {MARKER, DRAFT, OLD}:
        return False
    marker = os.open(os.path.join(folder, MARKER), flags("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC"))
    with open(marker, "rb") as file:
        expected = _marker_text(name)
        content = file.read(len(expected) + 1) if stat.S_ISREG(os.fstat(marker).st_mode) else None
    if content is None:
        return False
    return content == expected or (
        entries == {MARKER} and expected.startswith(content)
    )  # killed while it wrote the marker


def _remove(folder: str, place: str) -> None:
    """Remove a workspace; the marker goes last, so that the next run recognises it if this one is killed."""
    draft, old = os.path.join(folder, DRAFT), os.path.join(folder, OLD)
    if os.path.lexists(draft) and not _put_back(old, place):
        return
    for path in (old, draft):
        if os.path.isdir(path) and not os.path.islink(path):
            from shutil import rmtree  # only needed where a folder was replaced

            rmtree(path)
        elif os.path.lexists(path):
            os.unlink(path)
    with suppress(FileNotFoundError):
        os.unlink(os.path.join(folder, MARKER))
    os.rmdir(folder)


def _put_back(old: str, place: str) -> bool:
    """Restore what was put aside, if anything. False if something else is there now."""
    if os.path.lexists(old):
        if os.path.lexists(place):
            return False
        os.rename(old, place)
    return True
