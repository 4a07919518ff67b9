"""Which links are followed: the one place that decides it, for everything that is read or written.

A link decides where a name leads, and somebody else may have made it: who sent a change to a checkout, or another user
of a shared folder. Three rules hold:

- What lies in a folder stays in it. A link in the working directory, or in a folder that a reader names as a limit
  (that of a walk or of `--root`, a bundle, a folder of captures), must not lead out of it. Links elsewhere are
  followed: the user has named them.
- Such a link leads to a file of the same kind, as its name says: `hosts.csv` to another `.csv`, and not to a file with
  a password. Nor does it lead to anything hidden, where tools keep their passwords.
- What is written goes through links of the user and root only. In a folder that is open to all, nothing of another user
  is written to or replaced.

A refusal is an OSError that names the link's target as the link has it, which is the same on every machine.
"""

import errno
import os
import re
import stat
from collections.abc import Iterator

from setpoint.compiler.files.system import user
from setpoint.compiler.record import NamedTuple

STREAMS = ("/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/")
"""Where a shell passes what is not a file, by `<`, `<(…)` and `>(…)`. They are links of the system to something without
a name."""

ROOT = 0
"""Root, who can change everything anyway."""

MOST_LINKS = 40
"""The maximum number of links on a way, as in Linux."""

HIDDEN = re.compile(r"\.[^.]")
"""How the names of hidden files and folders begin. `..data` is where systems that mount files keep their versions."""

FOREIGN = "it belongs to another user, in a folder that is open to all"
"""Why something is not replaced."""


class LinkError(OSError):
    """A path is not followed; `strerror` says why, and `target` where it would lead."""

    def __init__(self, path: str, why: str, target: str = "") -> None:
        super().__init__(errno.EACCES, why, path)
        self.target = target


class LedOutsideError(LinkError):
    """A link leads out of a folder in which it lies."""


class OtherKindError(LinkError):
    """A link leads to a file of another kind, or to something hidden."""


class ForeignError(LinkError):
    """A link, or what is there already, belongs to another user."""


class Step(NamedTuple):
    """A place on the way of a path: its own path without links, its status, None if nothing is there, and the target if
    it is a link."""

    place: str
    status: os.stat_result | None
    target: str = ""


def steps(path: str) -> Iterator[Step]:
    """The links, folders and files on the way of a path, from the top to its target. Raises OSError."""
    drive, whole = os.path.splitdrive(os.path.join(_here(path), path))
    ahead, place, links = _parts(whole), drive + os.sep, 0
    while ahead:
        part = ahead.pop()
        before, place = place, os.path.dirname(place) if part == os.pardir else os.path.join(place, part)
        try:
            status = os.lstat(place)
        except FileNotFoundError:
            yield Step(place, None)
            continue
        if not stat.S_ISLNK(status.st_mode):
            yield Step(place, status)
            continue
        links += 1
        if links > MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        target = os.readlink(place)
        yield Step(place, status, target)
        drive, whole = os.path.splitdrive(target)
        place = drive + os.sep if os.path.isabs(target) else before
        ahead += _parts(whole)


def folder_read(path: str, within: str = "") -> str:
    """The place of a folder that is read; `within` is a limit, besides the working directory.

    Raises LedOutsideError, OtherKindError, OSError.
    """
    way = list(steps(path))
    _check_not_hidden(path, way, _check_limits(path, way, within))
    return _end(way)


def file_read(path: str, within: str = "") -> str:
    """The place of a file that is read. Raises as for a folder."""
    way = list(steps(path))
    limited = _check_limits(path, way, within)
    place = _end(way)
    if limited and way[-1].status and (kind := _kind(path)) and _kind(place) != kind:
        target = limited[-1].target
        raise OtherKindError(path, f"it leads to a file of another kind, `{target}`", target)
    _check_not_hidden(path, way, limited)
    return place


def file_written(path: str) -> Step:
    """The place of a file that is written, and its status. Raises LedOutsideError, ForeignError, OSError."""
    way = list(steps(path))
    _check_owners(path, way)
    _check_limits(path, way, "")
    if way and is_planted(way[-1]):
        raise ForeignError(path, FOREIGN)
    return way[-1] if way else Step(os.sep, os.lstat(os.sep))


def folder_written(path: str) -> str:
    """The place of a folder that is made or replaced: what is there is not followed. Raises as for a file."""
    parent, name = os.path.split(os.path.abspath(path))
    way = list(steps(parent))
    _check_owners(path, way)
    _check_limits(path, way, "")
    place = os.path.join(_end(way), name)
    if os.path.lexists(place) and is_planted(Step(place, os.lstat(place))):
        raise ForeignError(path, FOREIGN)
    return place


def is_planted(step: Step) -> bool:
    """Whether what is at a place belongs to another user, in a folder in which everybody can make files."""
    if user() is None or step.status is None or step.status.st_uid in (user(), ROOT):
        return False
    return bool(os.lstat(os.path.dirname(step.place)).st_mode & stat.S_IWOTH)


def _check_owners(path: str, way: list[Step]) -> None:
    for step in way:
        if step.target and step.status and user() is not None and step.status.st_uid not in (user(), ROOT):
            why = f"its way goes through a link of another user, `{step.place}`"
            raise ForeignError(path, why, step.target)


def _check_limits(path: str, way: list[Step], within: str) -> list[Step]:
    """The links on a way that lie in one of its limits. Raises LedOutsideError if they lead out of it."""
    links = [step for step in way if step.target]
    if not links:
        return []
    limits = filter(None, (_here(), within and os.path.realpath(within)))
    limited: list[Step] = []
    for limit in limits:
        inside = [link for link in links if _lies_in(link.place, limit)]
        if inside and not _lies_in(_end(way), limit):
            target = inside[-1].target
            raise LedOutsideError(path, f"a link leads out of the folder, to `{target}`", target)
        limited += inside
    return limited


def _check_not_hidden(path: str, way: list[Step], limited: list[Step]) -> None:
    """Raises OtherKindError if one of these links leads to something hidden from where the link lies."""
    for link in limited:
        ahead = os.path.relpath(_end(way), os.path.dirname(link.place))
        if any(HIDDEN.match(part) for part in _parts(ahead)):
            raise OtherKindError(path, f"it leads to something hidden, `{link.target}`", link.target)


def _end(way: list[Step]) -> str:
    return way[-1].place if way else os.sep


def _lies_in(place: str, folder: str) -> bool:
    return place == folder or place.startswith(os.path.join(folder, ""))


def _kind(path: str) -> str:
    """The ending of a file's name; of a hidden file, all of it."""
    _, dot, ending = os.path.basename(path).rpartition(".")
    return dot + ending if dot else ""


def _parts(path: str) -> list[str]:
    """The parts of a path, the last one first."""
    return [part for part in path.split(os.sep)[::-1] if part not in ("", os.curdir)]


def _here(path: str = "") -> str:
    """The working directory; "" if it is gone. Raises OSError if it is, and a relative path is to be found there."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        if path and not os.path.isabs(path):
            raise
        return ""
