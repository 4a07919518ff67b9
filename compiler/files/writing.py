"""Write a file completely or not at all.

The new text is first written to a workspace beside the file and then takes its place by renaming: if the run is
stopped, or the disk is full, the file is unchanged. Something other than a regular file, such as a device or a pipe,
has no content to lose, and is written to directly.
"""

import errno
import os
import stat

from setpoint.compiler.files.system import own
from setpoint.compiler.files.workspace import DRAFT, workspace

DEVICES = "/dev/"
"""The folder of `/dev/stdout`: a stream even if it leads to a file, which the shell keeps open."""


def write_text(path: str, text: str) -> None:
    """Write a text as `write_whole` does: in UTF-8, with an escape for each byte of a name that is not UTF-8."""
    write_whole(path, text.encode(errors="backslashreplace"))


def write_whole(path: str, content: bytes) -> None:
    """Replace the content of a file. Links are followed; mode and owner stay.

    Raises OSError, which names the path as given, if that fails; the file is then unchanged.
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
    """Put a new file in this place, whatever is there: a link is replaced, not followed.

    Mode and owner are the system's for a new file, unless given. Raises OSError.
    """
    with workspace(place) as folder:
        draft = os.path.join(folder, DRAFT)
        with open(draft, "xb") as file:
            file.write(content)
            file.flush()
            own(file.fileno(), owner, mode)
        os.replace(draft, place)
