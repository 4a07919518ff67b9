"""Read files that others have written, whatever they turn out to be.

A name on the command line, in an include or beside a manifest can be that of a pipe or a device, which may never end; a
file can be far too large, and JSON too deeply nested. All foreign files are read here, so that reading ends soon, with
a text or an error.
"""

import errno
import os
import stat
from io import BufferedReader
from typing import Any

from setpoint.compiler.files.system import flags

STDIN = "/dev/stdin"
"""The file that `-` means on the command line."""

STREAMS = (STDIN, "/dev/fd/")
"""Where a shell passes a text that is not a file, by `<` or `<(…)`."""

MOST_BYTES = 16 << 20
"""The maximum size of a file: a hundred times the largest of the standard library."""

PIECE = 1 << 16
"""How many bytes are read at a time."""

MOST_LEVELS = 100
"""The maximum depth of JSON: far beyond our own forms, and well within Python's limit."""


class TooLargeError(OSError):
    """A file has more than MOST_BYTES."""

    def __init__(self, path: str, most: int = MOST_BYTES) -> None:
        super().__init__(errno.EFBIG, f"larger than {most >> 20} MiB", path)


def read_text(path: str) -> str:
    """The text of a file, with its line ends unchanged.

    Raises OSError, also for a pipe or a device that no shell has passed; TooLargeError; UnicodeDecodeError.
    """
    return read_bytes(path).decode()


def read_bytes(path: str) -> bytes:
    """The content of a file. Raises OSError, as `read_text` does."""
    content = bytearray()
    with open_file(path) as file:
        # In one piece, memory for the largest file would cost more than reading most of them.
        while piece := file.read(PIECE):
            content += piece
            if len(content) > MOST_BYTES:
                raise TooLargeError(path)
    return bytes(content)


def open_file(path: str) -> BufferedReader:
    """A file, to be read piece by piece. Raises OSError, also for a pipe or a device that no shell has passed."""
    if path.startswith(STREAMS):
        number = os.open(path, flags("O_CLOEXEC"))
    else:
        number = os.open(path, flags("O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY"))
    try:
        mode = os.fstat(number).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if not stat.S_ISREG(mode) and not path.startswith(STREAMS):
            raise OSError(errno.EINVAL, "not a regular file", path)
        return open(number, "rb")
    except BaseException:
        os.close(number)
        raise


def parse_json(text: str) -> Any:
    """The data of a JSON text. Raises ValueError if it is not JSON, or nested too deeply to be one of our forms."""
    import json  # only needed by comparisons; plans should be quick

    try:
        data = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise _too_deep() from None
    level, depth = [data], 1
    while level := [each for inner in level for each in _within(inner)]:
        depth += 1
        if depth > MOST_LEVELS:
            raise _too_deep()
    return data


def _within(data: Any) -> list[Any]:
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [each for each in inner if isinstance(each, dict | list)]


def _refuse(constant: str) -> None:
    """Refuse `NaN` and `Infinity`, which Python reads, but which are not JSON."""
    raise ValueError(f"{constant} is not JSON")


def _too_deep() -> ValueError:
    return ValueError(f"nested more than {MOST_LEVELS} levels deep")
