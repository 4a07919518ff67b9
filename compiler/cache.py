"""Results that are dear to make and follow from files, kept in the user's cache folder.

A file of the cache holds first what it was made from: the name, size and time of each of those files, and the
version of Python. It is used only while all of these are the same, so nothing has to be called after an
edit, and whatever lies there can be thrown away at any time. Behind that come parts one after the other, of which a
reader takes only the first few.

Reading a part can run code. So nothing is read that another user has put there, nor from a folder that depends on where
the command runs. And a part has its check sum before it: damage on the disk must not change a plan.
"""

import os
import pickle
import sys
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, BinaryIO

from setpoint.compiler.writing import write_whole

NUMBER = 4
"""How many bytes the check sum of a part takes, and its length."""

ROOT = 0
"""The user who could change everything anyway."""


def cache_folder() -> str:
    """The user's cache folder for Setpoint: `$XDG_CACHE_HOME/setpoint`, else `~/.cache/setpoint`.

    "" where neither is known. A relative path is not taken, as the specification of these folders says.
    """
    for base in (os.environ.get("XDG_CACHE_HOME", ""), os.path.join(os.path.expanduser("~"), ".cache")):
        if os.path.isabs(base):
            return os.path.join(base, "setpoint")
    return ""


def kept(name: str, files: Sequence[str], make: Callable[[], Sequence[Any]], count: int = 1) -> list[Any]:
    """The first parts of what follows from some files: from the cache, else made and kept there.

    Args:
        name: What it is called in the cache folder; two installations do not share it.
        files: The paths of all that it is made from. The first one's folder tells installations apart.
        make: Makes all parts.
        count: How many of them are wanted.
    """
    folder = cache_folder()
    if not folder:
        return list(make()[:count])
    state = _state(files)
    path = os.path.join(folder, f"{name}-{zlib.crc32(os.path.dirname(files[0]).encode()):08x}")
    try:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_uid in (os.geteuid(), ROOT) and file.read(len(state)) == state:
                return [_part(file) for _ in range(count)]
    except Exception:
        pass  # no cache, a damaged one, or one that another version left: whatever is wrong with it, make it anew
    parts = make()
    _keep(path, state, parts)
    return list(parts[:count])


def _state(files: Sequence[str]) -> bytes:
    lines = [sys.version]
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
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        write_whole(path, b"".join(whole))
