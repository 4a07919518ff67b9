"""Writing a file whole or not at all.

The new text is first written beside the file and then takes its place by renaming: whoever is stopped
half way, or finds the disk full, leaves the file as it was. What is no regular file, such as a device or
a pipe, holds nothing that could be lost, and is written to as it is.
"""

import errno
import os
import stat
from contextlib import suppress

DEVICES = "/dev/"
"""Where `/dev/stdout` lies: a stream even where it leads to a file, which the shell holds open."""


def write_text(path: str, text: str) -> None:
    """As `write_whole`, of a text: in UTF-8, where a name that is no UTF-8 has an escape for each odd byte."""
    write_whole(path, text.encode(errors="backslashreplace"))


def write_whole(path: str, content: bytes) -> None:
    """Make this the content of a file. A link leads to its file; mode and owner stay.

    Raises OSError, which names the path as it was given, if it cannot be done; the file is as it was then.
    """
    try:
        before = os.stat(path) if os.path.exists(path) else None
        if path.startswith(DEVICES) or (before is not None and not stat.S_ISREG(before.st_mode)):
            with open(path, "wb") as file:
                file.write(content)
        elif before is not None and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        else:
            _replace(os.path.realpath(path), content, before)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


def _replace(place: str, content: bytes, before: os.stat_result | None) -> None:
    draft = f"{place}.partial-{os.getpid()}"
    with open(draft, "xb") as file:
        try:
            file.write(content)
            file.flush()
            if before is not None:
                with suppress(PermissionError):  # only root can give a file away
                    os.fchown(file.fileno(), before.st_uid, before.st_gid)
                os.fchmod(file.fileno(), stat.S_IMODE(before.st_mode))
            os.replace(draft, place)
        except BaseException:
            with suppress(OSError):
                os.unlink(draft)
            raise
