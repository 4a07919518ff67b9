"""Results that are dear to make and follow from files, kept in the user's cache folder.

A file of the cache holds first what it was made from: the name, size and time of each of those files, and the
version of Python. It is used only while all of these are the same, so nothing has to be called after an
edit, and whatever lies there can be thrown away at any time. Behind that come parts one after the other, of which a
reader takes only the first few.
"""

import os
import pickle
import sys
import zlib
from collections.abc import Callable, Sequence
from typing import Any


def cache_folder() -> str:
    """The user's cache folder for Setpoint: `$XDG_CACHE_HOME/setpoint`, else `~/.cache/setpoint`."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "setpoint")


def kept(name: str, files: Sequence[str], make: Callable[[], Sequence[Any]], count: int = 1) -> list[Any]:
    """The first parts of what follows from some files: from the cache, else made and kept there.

    Args:
        name: What it is called in the cache folder; two installations do not share it.
        files: The paths of all that it is made from. The first one's folder tells installations apart.
        make: Makes all parts.
        count: How many of them are wanted.
    """
    state = _state(files)
    path = os.path.join(cache_folder(), f"{name}-{zlib.crc32(os.path.dirname(files[0]).encode()):08x}")
    try:
        with open(path, "rb") as file:
            if pickle.load(file) == state:
                return [pickle.load(file) for _ in range(count)]
    except (OSError, EOFError, pickle.UnpicklingError, AttributeError, ImportError, TypeError, ValueError):
        pass  # no cache, or one that another version left: make it anew
    parts = make()
    _keep(path, state, *parts)
    return list(parts[:count])


def _state(files: Sequence[str]) -> str:
    lines = [sys.version]
    for path in files:
        status = os.stat(path)
        lines.append(f"{path} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(lines)


def _keep(path: str, *parts: object) -> None:
    """Write a file of the cache, whole or not at all. A folder that cannot be written is no error: only slow."""
    draft = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(draft, "wb") as file:
            for part in parts:
                pickle.dump(part, file, protocol=5)
        os.replace(draft, path)
    except OSError:
        return
