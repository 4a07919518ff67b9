"""Write a file completely or not at all.

All outputs are written here, and bundles in their workspaces. The new text is first written to a workspace beside the
file and then takes its place by renaming: if the run is stopped, or the disk is full, the file is unchanged. Something
other than a regular file, such as a device or a pipe, has no content to lose, and is written to directly. `links` says
which links are followed. New files and folders have the modes that the user's umask leaves.
"""

import errno
import os
import stat
from collections.abc import Iterable

from setpoint.compiler.files.links import STREAMS, LinkError, file_written
from setpoint.compiler.files.system import flags, open_place, own
from setpoint.compiler.files.workspace import DRAFT, workspace


def write_text(path: str, text: str) -> None:
    """Write a text as `write_whole` does: in UTF-8, with an escape for each byte of a name that is not UTF-8."""
    write_whole(path, text.encode(errors="backslashreplace"))


def write_whole(path: str, content: bytes) -> None:
    """Replace the content of a file. Mode and owner stay; links are followed as `links` says.

    Raises OSError and LinkError, which name the path as given, if that fails; the file is then unchanged.
    """
    try:
        if os.path.normpath(path).startswith(
            STREAMS
        ):  # even if it leads to a file, which the shell keeps open
            with open(path, "wb") as file:
                file.write(content)
            return
        place, before, _ = file_written(path)
        if before is not None and not stat.S_ISREG(before.st_mode):
            with open(open_place(place, flags("O_WRONLY", "O_NOCTTY", "O_CLOEXEC")), "wb") as file:
                file.write(content)
        elif before is not None and not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        else:
            replace(place, content, stat.S_IMODE(before.st_mode) if before else None, before)
    except LinkError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


def write_new(path: str, pieces: Iterable[bytes], mode: int = 0o666) -> None:
    """Write a new file in a workspace, piece by piece, with its folders. The umask limits its mode. Raises OSError."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(os.open(path, flags("O_WRONLY", "O_CREAT", "O_EXCL", "O_CLOEXEC"), mode), "wb") as file:
        file.writelines(pieces)


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
