"""What not every operating system has: POSIX permissions, locks and signals.

Setpoint is written for POSIX and uses there whatever makes a run safe. Another system, such as Windows, lacks some of it.
What stands for it there is decided here, once, so that no other module asks which system it runs on:

- flags of `os.open` that it does not know are left out; it is asked for bytes, where it would translate line ends;
- it has no owners and modes to compare: `user` is None;
- it has no locks on folders: `lock` takes none, and `HAS_LOCKS` tells that a leftover cannot be told from work in hand;
- signals cannot be held back: whoever stops the program stops it at once.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

try:
    import fcntl
except ImportError:
    HAS_LOCKS = False
else:
    HAS_LOCKS = True

NO_LOCK = -1
"""Stands for the file descriptor of a lock where there are none."""

STOPS = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}
"""The signals by which somebody stops a program."""

ENDS = STOPS - {signal.SIGINT}
"""Those of them that end it without a word, unless something is done about it."""


def flags(*names: str) -> int:
    """Flags for `os.open`, by their names, as far as the system has them; and that bytes are wanted."""
    found = os.O_RDONLY | getattr(os, "O_BINARY", 0)
    for name in names:
        found |= getattr(os, name, 0)
    return found


def user() -> int | None:
    """The user's number; None on a system where files have no owners."""
    return os.geteuid() if hasattr(os, "geteuid") else None


def lock(folder: str) -> int:
    """The file descriptor that holds the lock of a folder, or NO_LOCK. It ends with the process, or with `unlock`.

    Raises OSError: BlockingIOError if another process has the lock, FileNotFoundError if the folder is gone.
    """
    if not HAS_LOCKS:
        return NO_LOCK
    number = os.open(folder, flags("O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC"))
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(number), os.lstat(folder)):
            raise FileNotFoundError(folder)
    except BaseException:
        os.close(number)
        raise
    return number


def unlock(number: int) -> None:
    """Let go of a lock."""
    if number != NO_LOCK:
        os.close(number)


def own(number: int, owner: os.stat_result | None, mode: int | None) -> None:
    """Give an open file an owner, if the user may, and a mode; either where it is given and the system has such a thing."""
    if owner is not None and hasattr(os, "fchown"):
        with suppress(PermissionError):  # only root can give a file away
            os.fchown(number, owner.st_uid, owner.st_gid)
    if mode is not None and hasattr(os, "fchmod"):
        os.fchmod(number, mode)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Whoever stops the program waits until this is done."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
