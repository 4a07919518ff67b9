"""Files of somebody else's capture, in a folder or in an archive, read in one way.

A path within a tree has no slash at its beginning, and "" is the tree itself. Links are followed within the tree alone:
on a server, `cpu0/cpufreq` is a link to `../cpufreq/policy0`, and collectors keep it as one. In a folder the rules of
`files/links.py` hold; in an archive a link only leads to another name of the same archive. Nothing is written to the
disk.
"""

import errno
import os
from collections.abc import Iterable, Mapping
from typing import Protocol

from setpoint.compiler.captures.resources import ABSENT, TOO_LARGE, UnreadPlaceError
from setpoint.compiler.files.links import LinkError
from setpoint.compiler.files.reading import TooLargeError, check_is_text, names_in, read_bytes

MOST_LINKS = 40
"""The maximum number of links on a way, as in Linux."""

MOST_TEXT = 16 << 20
"""The maximum size of a file that is read, in bytes."""


class CaptureTree(Protocol):
    """Folders and files by their paths."""

    def names(self, folder: str) -> list[str]:
        """The names in a folder, in their order; none if there is no such folder."""

    def text(self, path: str) -> str:
        """The text of a file. Raises UnreadPlaceError."""


class FolderTree:
    """A folder on the disk; links in it must not lead out of `within`."""

    def __init__(self, folder: str, within: str) -> None:
        self._folder = folder
        self._within = within
        self._known: dict[str, list[str]] = {}

    def names(self, folder: str) -> list[str]:
        """See `CaptureTree`."""
        if folder not in self._known:
            try:
                self._known[folder] = names_in(os.path.join(self._folder, folder), self._within)
            except (OSError, ValueError):
                self._known[folder] = []
        return self._known[folder]

    def text(self, path: str) -> str:
        """See `CaptureTree`."""
        try:
            return decoded(read_bytes(os.path.join(self._folder, path), self._within))
        except TooLargeError:
            raise UnreadPlaceError(TOO_LARGE) from None
        except LinkError:
            raise UnreadPlaceError("failed") from None
        except OSError as error:
            raise UnreadPlaceError(reason_of(error)) from None
        except ValueError:  # NUL in a path
            raise UnreadPlaceError(ABSENT) from None


class ArchiveTree:
    """The files of an archive that were kept, and its links; a file that was too large has no content."""

    def __init__(self, files: Mapping[str, bytes | None], links: Mapping[str, str]) -> None:
        self._files = files
        self._links = links
        self._folders = folders_of([*files, *links])

    def names(self, folder: str) -> list[str]:
        """See `CaptureTree`."""
        return self._folders.get(self._resolved(folder), [])

    def text(self, path: str) -> str:
        """See `CaptureTree`."""
        place = self._resolved(path)
        if place not in self._files:
            raise UnreadPlaceError(ABSENT)
        content = self._files[place]
        if content is None:
            raise UnreadPlaceError(TOO_LARGE)
        return decoded(content)

    def _resolved(self, path: str) -> str:
        """Where a path leads in the archive; what leads out of it, or in a circle, leads to nothing."""
        ahead, place, links = [*reversed(path.split("/"))], "", 0
        while ahead:
            part = ahead.pop()
            if part == "..":
                if not place:
                    return "\0"
                place = place.rpartition("/")[0]
                continue
            before, place = place, f"{place}/{part}".lstrip("/") if part not in ("", ".") else place
            if (target := self._links.get(place)) is not None:
                links += 1
                if links > MOST_LINKS or target.startswith("/"):
                    return "\0"
                ahead += reversed(target.split("/"))
                place = before
        return place


def decoded(content: bytes) -> str:
    """The text of a file. Raises UnreadPlaceError if it is no text."""
    try:
        check_is_text(content)
        return content.decode()
    except UnicodeDecodeError:
        raise UnreadPlaceError("not text") from None


def reason_of(error: OSError) -> str:
    """Why a file cannot be read, in the words of a capture."""
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return ABSENT
    return "no permission" if error.errno in (errno.EACCES, errno.EPERM) else "failed"


def folders_of(paths: Iterable[str]) -> dict[str, list[str]]:
    """The names in each folder, in their order."""
    folders: dict[str, set[str]] = {}
    for path in paths:
        while path:
            folder, _, name = path.rpartition("/")
            names = folders.setdefault(folder, set())
            if name in names:
                break
            names.add(name)
            path = folder
    return {folder: sorted(names) for folder, names in folders.items()}
