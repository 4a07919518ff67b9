"""Results that are dear to make and follow from files, kept in the user's cache folder.

A file of the cache holds first what it was made from: the name, size and time of each of those files, the version of
Python, and the versions of the libraries that took part. It is used only while all of these are the same, so nothing has to be called after an
edit, and whatever lies there can be thrown away at any time. Behind that come parts one after the other, of which a
reader takes only the first few.

Reading a part can run code. So only a regular file is read that nobody but the user and root can write or replace: the
file, every folder on the way to it and every link there must be theirs and closed to others. Nor is anything read from
a folder that depends on where the command runs. And a part has its check sum before it: damage on the disk must not
change a plan. What is not to be believed is made anew, and replaced where the folders allow it.
"""

import os
import pickle
import stat
import sys
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, BinaryIO

from setpoint.compiler.files.system import flags, user
from setpoint.compiler.files.writing import replace

NUMBER = 4
"""How many bytes the check sum of a part takes, and its length."""

ROOT = 0
"""The user who could change everything anyway."""

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
"""The modes of what is made here, whatever mode the user gives new files otherwise."""

FOR_OTHERS = stat.S_IWGRP | stat.S_IWOTH
"""The bits of a mode that let others write."""

MOST_LINKS = 40
"""How many links may follow each other; it is what Linux allows."""


def cache_folder() -> str:
    """The user's cache folder for Setpoint: `$XDG_CACHE_HOME/setpoint`, else `~/.cache/setpoint`.

    "" where neither is known. A relative path is not taken, as the specification of these folders says.
    """
    for base in (os.environ.get("XDG_CACHE_HOME", ""), os.path.join(os.path.expanduser("~"), ".cache")):
        if os.path.isabs(base):
            return os.path.join(base, "setpoint")
    return ""


def kept(
    name: str,
    files: Sequence[str],
    make: Callable[[], Sequence[Any]],
    count: int = 1,
    versions: Sequence[str] = (),
) -> list[Any]:
    """The first parts of what follows from some files: from the cache, else made and kept there.

    Args:
        name: What it is called in the cache folder; two installations do not share it.
        files: The paths of all that it is made from. The first one's folder tells installations apart.
        make: Makes all parts.
        count: How many of them are wanted.
        versions: The versions of the libraries that the parts depend on.
    """
    folder = cache_folder()
    if not folder:
        return list(make()[:count])
    state = _state(files, versions)
    path = os.path.join(folder, f"{name}-{zlib.crc32(os.path.dirname(files[0]).encode()):08x}")
    try:
        with _opened(path) as file:
            if file.read(len(state)) == state:
                return [_part(file) for _ in range(count)]
    except Exception:
        pass  # no cache, a damaged one, or one that another version left: whatever is wrong with it, make it anew
    parts = make()
    _keep(path, state, parts)
    return list(parts[:count])


def _opened(path: str) -> BinaryIO:
    """A file of the cache, open to be read. Raises OSError also where it is not to be believed.

    A pipe in its place is neither waited for nor read.
    """
    if not _is_private(os.path.dirname(path)):
        raise PermissionError(path)
    number = os.open(path, flags("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC"))
    file = open(number, "rb")  # noqa: SIM115 - it is what is returned
    if not stat.S_ISREG(os.fstat(number).st_mode) or not _is_closed(os.fstat(number)):
        file.close()
        raise PermissionError(path)
    return file


def _is_private(folder: str) -> bool:
    """Whether nobody but the user and root can change what a path leads to. Raises OSError if it leads nowhere.

    In a folder such as /tmp, which is open to all but sticky, nobody can replace what is another's. Where files have no
    owners, the user's own home is taken to be closed to others, and nothing else is.
    """
    if user() is None:
        home = os.path.realpath(os.path.expanduser("~"))
        return os.path.realpath(folder).startswith(os.path.join(home, ""))
    ahead, place, links = folder.split(os.sep)[::-1], os.sep, 0
    while ahead:
        part = ahead.pop()
        place = os.path.dirname(place) if part == os.pardir else os.path.join(place, part)
        status = os.lstat(place)
        if stat.S_ISLNK(status.st_mode) and status.st_uid in (user(), ROOT) and links < MOST_LINKS:
            target = os.readlink(place)
            place = os.sep if os.path.isabs(target) else os.path.dirname(place)
            ahead += target.split(os.sep)[::-1]
            links += 1
        elif not stat.S_ISDIR(status.st_mode) or not (_is_closed(status) or _is_sticky(status)):
            return False
    return True


def _is_closed(status: os.stat_result) -> bool:
    """Whether only the user and root can write it; where files have no owners, that is asked of their folder."""
    if user() is None:
        return True
    return status.st_uid in (user(), ROOT) and not status.st_mode & FOR_OTHERS


def _is_sticky(status: os.stat_result) -> bool:
    return status.st_uid in (user(), ROOT) and bool(status.st_mode & stat.S_ISVTX)


def _state(files: Sequence[str], versions: Sequence[str]) -> bytes:
    lines = [sys.version, *versions]
    for path in files:
        status = os.stat(path)
        lines.append(f"{path} {status.st_size} {status.st_mtime_ns}")
    return os.fsencode("\n".join(lines) + "\n\n")


def _part(file: BinaryIO) -> Any:
    """The next part. Raises ValueError for one that is damaged."""
    check_sum, length = (int.from_bytes(file.read(NUMBER)) for _ in range(2))
    content = file.read(length)
    if (len(content), zlib.crc32(content)) != (length, check_sum):
        raise ValueError("damaged")
    return pickle.loads(content)


def _keep(path: str, state: bytes, parts: Sequence[object]) -> None:
    """Write a file of the cache. A folder that cannot be written is no error: only slow."""
    whole = [state]
    for part in parts:
        content = pickle.dumps(part, protocol=5)
        whole += [zlib.crc32(content).to_bytes(NUMBER), len(content).to_bytes(NUMBER), content]
    folder = os.path.dirname(path)
    with suppress(OSError):
        for each in (os.path.dirname(folder), folder):
            os.makedirs(each, PRIVATE_FOLDER, exist_ok=True)
        if _is_private(folder):
            replace(path, b"".join(whole), PRIVATE_FILE)
