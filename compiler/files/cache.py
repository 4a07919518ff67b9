"""A cache of expensive results that depend on files only, in the user's cache folder.

A cache file begins with its inputs: the name, size and time of each of those files, the version of Python, and the
versions of the libraries involved. It is used only while all of these are unchanged, so nothing has to be run after an
edit, and the cache can be deleted at any time. A table of its parts follows, then the parts, of which a reader loads
only those that it needs.

Reading a part can run code. So a file is read only if it is a regular one that nobody but the user and root can write
or replace: the file, every folder on the way to it and every link there must belong to them and be closed to others.
Nothing is read from a folder that depends on the working directory. The table has the check sum of each part: damage on
disk must not change a plan. A file that cannot be trusted is made again, and replaced if the folders allow it.

The wheel brings some results along, which its build has made (docs/decisions/0060). They are trusted under the same
conditions, and only while the contents of their inputs are those that they were made of. The first command reads these
contents, and their check sum is in the user's cache from then on.
"""

import os
import stat
import sys
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress

from setpoint.compiler.files.links import ROOT, steps
from setpoint.compiler.files.system import flags, read_at, user
from setpoint.compiler.hints import Any

try:
    from _pickle import loads as loads  # `pickle` itself loads what only its slower twin in Python needs
except ImportError:
    from pickle import loads as loads

NUMBER = 4
"""The size in bytes of the number of parts, and of each of the three numbers of an entry of the table."""

ENTRY = 3 * NUMBER
"""The size in bytes of an entry of the table: where its part begins behind the table, its length and its check sum."""

SHIPPED = os.path.join(os.path.dirname(__file__), "made")
"""The folder of what the wheel brings along; a checkout has none."""

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
"""The folder of the package."""

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
"""The modes of new files and folders, whatever the user's umask."""

FOR_OTHERS = stat.S_IWGRP | stat.S_IWOTH
"""The bits of a mode that let others write."""


def cache_folder() -> str:
    """The user's cache folder: `$XDG_CACHE_HOME/setpoint`, else `~/.cache/setpoint`; "" if neither is known.

    A relative path is ignored, as the specification of these folders requires.
    """
    for base in (os.environ.get("XDG_CACHE_HOME", ""), os.path.join(os.path.expanduser("~"), ".cache")):
        if os.path.isabs(base):
            return os.path.join(base, "setpoint")
    return ""


def cached(
    name: str,
    files: Sequence[str],
    make: Callable[[], Sequence[Any]],
    count: int = 1,
    versions: Sequence[str] = (),
) -> list[Any]:
    """The first parts of a result that depends on files: from the cache, else made and stored there.

    Args:
        name: Its name in the cache folder; two installations do not share it.
        files: The paths of all its inputs. The folder of the first one distinguishes installations, which share a
            result without files.
        make: Makes all parts.
        count: How many of them are needed.
        versions: The versions of the libraries that the parts depend on.
    """
    first_parts = recall(name, files, count, versions)
    if first_parts is None:
        parts = make()
        keep(name, files, parts, versions)
        first_parts = list(parts[:count])
    return first_parts


def recall(name: str, files: Sequence[str], count: int = 1, versions: Sequence[str] = ()) -> list[Any] | None:
    """The first parts of a result as `cached` has them; None if it must be made."""
    try:
        stored = stored_parts(name, files, inputs_state(files, versions))
        return None if stored is None else [stored[number] for number in range(count)]
    except Exception:
        return None  # it is damaged


class StoredParts:
    """The parts of a result in an open cache file, which stays as it is even if it is replaced meanwhile."""

    def __init__(self, file: int) -> None:
        """Take over an open file, which is closed with this."""
        self._file = file
        self._table, self._start = b"", 0

    def are_of(self, state: bytes) -> bool:
        """Whether the parts are of these inputs; if so, read the table of the parts."""
        if read_at(self._file, 0, len(state)) != state:
            return False
        count = int.from_bytes(read_at(self._file, len(state), NUMBER))
        self._table = read_at(self._file, len(state) + NUMBER, ENTRY * count)
        self._start = len(state) + NUMBER + len(self._table)
        return True

    def __getitem__(self, number: int) -> Any:
        """A part, read anew each time. Raises an exception of any kind if it is damaged."""
        entry = self._table[ENTRY * number : ENTRY * (number + 1)]
        at, length, check_sum = (int.from_bytes(entry[n : n + NUMBER]) for n in range(0, ENTRY, NUMBER))
        content = read_at(self._file, self._start + at, length)
        if (len(content), zlib.crc32(content)) != (length, check_sum):
            raise ValueError("damaged")
        return loads(content)

    def __del__(self) -> None:
        os.close(self._file)


def stored_parts(name: str, files: Sequence[str], state: bytes) -> StoredParts | None:
    """The parts of a result as `cached` has them, unread; None if it must be made. `state` is that of its inputs."""
    with suppress(Exception):  # a checkout has none
        shipped = StoredParts(_opened(os.path.join(SHIPPED, name)))
        if shipped.are_of(_contents_at(state, f"{name}-contents", files)):
            return shipped
    return _kept_parts(name, files, state)


def _contents_at(state: bytes, name: str, files: Sequence[str]) -> bytes:
    """The contents of files in this state, which are read once."""
    parts = _kept_parts(name, files, state)
    if parts is not None:
        with suppress(Exception):  # it is damaged
            return bytes(parts[0])
    contents = contents_state(files)
    _write(_path(name, files), state + _packed([contents]))
    return contents


def _kept_parts(name: str, files: Sequence[str], state: bytes) -> StoredParts | None:
    """The parts in the user's cache; None if it has none of this state."""
    with suppress(Exception):  # no cache, or a damaged one
        parts = StoredParts(_opened(_path(name, files)))
        if parts.are_of(state):
            return parts
    return None


def keep(name: str, files: Sequence[str], parts: Sequence[object], versions: Sequence[str] = ()) -> None:
    """Store a result for `recall`. A folder that cannot be written is not an error, only slower."""
    _write(_path(name, files), inputs_state(files, versions) + _packed(parts))


def ship(name: str, files: Sequence[str], parts: Sequence[object], folder: str) -> None:
    """Write a result into a folder as the wheel brings it along."""
    with open(os.path.join(folder, name), "wb") as file:
        file.write(contents_state(files) + _packed(parts))


def _path(name: str, files: Sequence[str]) -> str:
    """The cache file of a result, "" if there is no folder for it."""
    folder = cache_folder()
    where = os.path.dirname(files[0]) if files else ""
    return os.path.join(folder, f"{name}-{zlib.crc32(where.encode()):08x}") if folder else ""


def _opened(path: str) -> int:
    """The descriptor of a cache file, open for reading.

    Raises OSError also if it cannot be trusted. A pipe in its place neither blocks nor is read.
    """
    if not _is_private(os.path.dirname(path)):
        raise PermissionError(path)
    number = os.open(path, flags("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC"))
    if not stat.S_ISREG(os.fstat(number).st_mode) or not _is_closed(os.fstat(number)):
        os.close(number)
        raise PermissionError(path)
    return number


def _is_private(folder: str) -> bool:
    """Whether nobody but the user and root can change what a path leads to, if it leads to a folder. Raises OSError.

    In a sticky folder such as /tmp, which is open to all, nobody can replace another user's files. If files have no
    owners, the user's own home counts as closed to others, and nothing else does.
    """
    if user() is None:
        home = os.path.realpath(os.path.expanduser("~"))
        return os.path.realpath(folder).startswith(os.path.join(home, ""))
    for step in steps(folder):
        if step.status is None:
            return False
        if step.target and step.status.st_uid in (user(), ROOT):
            continue
        if not stat.S_ISDIR(step.status.st_mode) or not (_is_closed(step.status) or _is_sticky(step.status)):
            return False
    return True


def _is_closed(status: os.stat_result) -> bool:
    """Whether only the user and root can write it; if files have no owners, its folder is checked instead."""
    if user() is None:
        return True
    return status.st_uid in (user(), ROOT) and not status.st_mode & FOR_OTHERS


def _is_sticky(status: os.stat_result) -> bool:
    return status.st_uid in (user(), ROOT) and bool(status.st_mode & stat.S_ISVTX)


def inputs_state(files: Sequence[str], versions: Sequence[str] = ()) -> bytes:
    """The inputs of a result as its cache file begins with them."""
    lines = [sys.version, *versions]
    for path in files:
        status = os.stat(path)
        lines.append(f"{path} {status.st_size} {status.st_mtime_ns}")
    return os.fsencode("\n".join(lines) + "\n\n")


def contents_state(files: Sequence[str]) -> bytes:
    """The inputs of a result as a file of the wheel begins with them: their names, and their contents.

    Installing them changes their times, and the package has been made by another Python.
    """
    from hashlib import sha256  # only needed once

    digest = sha256()
    for path in files:
        with open(path, "rb") as file:
            content = file.read()
        digest.update(os.fsencode(f"{os.path.relpath(path, PACKAGE)}\n{len(content)}\n") + content)
    return f"{digest.hexdigest()}\n\n".encode()


def dumped(part: object) -> bytes:
    """A part as `loads` reads it."""
    import pickle  # only needed to write

    return pickle.dumps(part, protocol=5)


def _packed(parts: Sequence[object]) -> bytes:
    """The parts with their table."""
    contents, numbers, at = [dumped(part) for part in parts], [len(parts)], 0
    for content in contents:
        numbers += [at, len(content), zlib.crc32(content)]
        at += len(content)
    return b"".join([*(number.to_bytes(NUMBER) for number in numbers), *contents])


def _write(path: str, content: bytes) -> None:
    """Write a cache file, if there is a folder for it, and the folders allow it."""
    if not path:
        return
    from setpoint.compiler.files.writing import replace  # only needed to write

    folder = os.path.dirname(path)
    with suppress(OSError):
        for place in (os.path.dirname(folder), folder):
            os.makedirs(place, PRIVATE_FOLDER, exist_ok=True)
        if _is_private(folder):
            replace(path, content, PRIVATE_FILE)
