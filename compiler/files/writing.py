"""Writing a file whole or not at all.

The new text is first written in a workspace beside the file and then takes its place by renaming: whoever is
stopped half way, or finds the disk full, leaves the file as it was. What is no regular file, such as a device
or a pipe, holds nothing that could be lost, and is written to as it is.
"""

import errno
import os
import stat

from setpoint.compiler.files.system import own
from setpoint.compiler.files.workspace import DRAFT, workspace

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
            place = os.path.realpath(path)
            replace(place, content, stat.S_IMODE(before.st_mode) if before else None, before)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


def replace(place: str, content: bytes, mode: int | None = None, owner: os.stat_result | None = None) -> None:
    """Put a new file there, whatever the place holds: a link is replaced, not followed.

    Mode and owner are what the system gives a new file, unless they are given. Raises OSError.
    """
    with workspace(place) as folder:
        draft = os.path.join(folder, DRAFT)
        with open(draft, "xb") as file:
            file.write(content)
            file.flush()
            own(file.fileno(), owner, mode)
        os.replace(draft, place)
