"""What some operating systems lack: POSIX permissions, locks and signals.

Setpoint is written for POSIX and uses whatever makes a run safe there. Another system, such as Windows, lacks some of
it. Only this module knows the replacements, so that no other one asks which system it runs on:

- unknown flags of `os.open` are left out; files are opened in binary mode, so that line ends are not translated;
- there are no owners and modes to compare: `user` is None;
- a file is read at a place by going there first, which is good enough where no process shares it;
- there are no locks on folders: `lock` takes none, and `HAS_LOCKS` says that leftovers cannot be recognised;
- signals cannot be blocked: a signal stops the program immediately.
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
"""In place of the file descriptor of a lock, on systems without locks."""

STOPS = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}
"""The signals that stop a program."""

ENDS = STOPS - {signal.SIGINT}
"""Those of them that end it silently, unless they are handled."""


def flags(*names: str) -> int:
    """The flags for `os.open` with these names that the system has, and binary mode."""
    bits = os.O_RDONLY | getattr(os, "O_BINARY", 0)
    for name in names:
        bits |= getattr(os, name, 0)
    return bits


def open_place(place: str, how: int) -> int:
    """The descriptor of a file that is opened without following a link, whatever has become of its place meanwhile.

    Where folders cannot be opened one by one without reading them, only the last part of the place is safe. Raises
    OSError.
    """
    if not hasattr(os, "O_PATH") or os.open not in os.supports_dir_fd:
        return os.open(place, how | flags("O_NOFOLLOW"))
    *folders, name = place.split(os.sep)[1:]
    number = os.open(os.sep, flags("O_PATH", "O_DIRECTORY", "O_CLOEXEC"))
    try:
        for folder in folders:
            inner = os.open(folder, flags("O_PATH", "O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC"), dir_fd=number)
            os.close(number)
            number = inner
        return os.open(name or os.curdir, how | flags("O_NOFOLLOW"), dir_fd=number)
    finally:
        os.close(number)


def read_at(number: int, start: int, length: int) -> bytes:
    """The bytes at a place of an open file; fewer at its end."""
    content = b""
    while len(content) < length:
        if hasattr(os, "pread"):
            more = os.pread(number, length - len(content), start + len(content))
        else:
            os.lseek(number, start + len(content), os.SEEK_SET)
            more = os.read(number, length - len(content))
        if not more:
            break
        content += more
    return content


def user() -> int | None:
    """The user's number; None if files have no owners."""
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
    """Release a lock."""
    if number != NO_LOCK:
        os.close(number)


def own(number: int, owner: os.stat_result | None, mode: int | None) -> None:
    """Give an open file an owner, if permitted, and a mode, as far as they are given and the system has them."""
    if owner is not None and hasattr(os, "fchown"):
        with suppress(PermissionError):  # only root can change the owner
            os.fchown(number, owner.st_uid, owner.st_gid)
    if mode is not None and hasattr(os, "fchmod"):
        os.fchmod(number, mode)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Block the signals that stop the program until this is done."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
