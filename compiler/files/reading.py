"""Read files that others have written, whatever they turn out to be.

A name on the command line, in an include or beside a manifest can be that of a pipe or a device, which may never end,
or of a link to what is nobody else's business; a file can be far too large, and JSON too deeply nested. All foreign
files are read here, so that reading ends soon, with a text or an error. `links` says which links are followed.
"""

import errno
import os
import re
import stat
from io import BufferedReader

from setpoint.compiler.files.links import STREAMS, LinkError, file_read, folder_read
from setpoint.compiler.files.system import flags, open_place
from setpoint.compiler.hints import Any

STDIN = "/dev/stdin"
"""The file that `-` means on the command line."""

MOST_BYTES = 16 << 20
"""The maximum size of a file: a hundred times the largest of the standard library."""

PIECE = 1 << 16
"""How many bytes are read at a time."""

NOT_REGULAR = "not a regular file"
"""What is wrong with a pipe or a device that no shell has passed."""

MOST_LEVELS = 100
"""The maximum depth of JSON: far beyond our own forms, and well within Python's limit."""


LATIN_1 = re.compile(rb"""<\?xml[^>]*\bencoding=["']iso-8859-1["']""", re.IGNORECASE)
MOST_BEFORE = 1_000
"""How far into a file XML may begin."""


class TooLargeError(OSError):
    """A file has more than MOST_BYTES."""

    def __init__(self, path: str, most: int = MOST_BYTES) -> None:
        super().__init__(errno.EFBIG, f"larger than {most >> 20} MiB", path)


def read_text(path: str, within: str = "") -> str:
    """The text of a file, with its line ends unchanged; `within` is a folder that links in it must not lead out of.

    Raises OSError, also for a pipe or a device that no shell has passed; LinkError; TooLargeError; UnicodeDecodeError,
    also for what has NUL, since that is no text, although it can be UTF-8. XML may say that it is Latin-1.
    """
    content = read_bytes(path, within)
    check_is_text(content)
    try:
        return content.decode()
    except UnicodeDecodeError:
        if LATIN_1.search(content[:MOST_BEFORE]):
            return content.decode("latin-1")
        raise


def check_is_text(content: bytes) -> None:
    """Raises UnicodeDecodeError for content, or a part of it, that has NUL."""
    if (at := content.find(0)) >= 0:
        raise UnicodeDecodeError("utf-8", content, at, at + 1, "NUL")


def read_bytes(path: str, within: str = "") -> bytes:
    """The content of a file. Raises OSError, as `read_text` does."""
    content = bytearray()
    with open_file(path, within) as file:
        # In one piece, memory for the largest file would cost more than reading most of them.
        while piece := file.read(PIECE):
            content += piece
            if len(content) > MOST_BYTES:
                raise TooLargeError(path)
    return bytes(content)


def open_file(path: str, within: str = "") -> BufferedReader:
    """A file, to be read piece by piece. Raises OSError, as `read_text` does."""
    is_stream = os.path.normpath(path).startswith(STREAMS)
    try:
        if is_stream:
            number = os.open(path, flags("O_CLOEXEC"))
        else:
            number = open_place(file_read(path, within), flags("O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY"))
    except LinkError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    try:
        mode = os.fstat(number).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if not stat.S_ISREG(mode) and not is_stream:
            raise OSError(errno.EINVAL, NOT_REGULAR, path)
        return open(number, "rb")
    except BaseException:
        os.close(number)
        raise


def names_in(folder: str, within: str = "") -> list[str]:
    """The names in a folder, in their order. Raises OSError and LinkError, as for a file."""
    return sorted(os.listdir(folder_read(folder, within)))


def parse_json(text: str) -> Any:
    """The data of a JSON text. Raises ValueError if it is not JSON, or nested too deeply to be one of our forms."""
    import json  # only needed by comparisons; plans should be quick

    try:
        data = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise _too_deep() from None
    level, depth = [data], 1
    while level := [entry for inner in level for entry in _within(inner)]:
        depth += 1
        if depth > MOST_LEVELS:
            raise _too_deep()
    return data


def _within(data: Any) -> list[Any]:
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [entry for entry in inner if isinstance(entry, dict | list)]


def _refuse(constant: str) -> None:
    """Refuse `NaN` and `Infinity`, which Python reads, but which are not JSON."""
    raise ValueError(f"{constant} is not JSON")


def _too_deep() -> ValueError:
    return ValueError(f"nested more than {MOST_LEVELS} levels deep")
