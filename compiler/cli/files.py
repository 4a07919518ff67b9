"""The policy files that a command line names: files as they are, folders by what lies in them.

A path that is not there is a file that cannot be read: whoever reads it says so, and goes on with the others.
"""

import os
from collections.abc import Iterable, Iterator

ROOT_HELP = "the folder that includes must stay inside (default: a folder as it is named, a file's own)"
"""What `--root` says of itself where folders can be named."""


def tune_files(paths: Iterable[str]) -> Iterator[str]:
    """Each file once, those of a folder in the order of their names. Raises OSError for a folder that cannot be listed."""
    yield from rooted_files(paths)


def rooted_files(paths: Iterable[str], root: str = "") -> dict[str, str]:
    """The same, each with the folder that its includes must stay inside: `root` if it is given, else the
    folder that was named, else "" for the file's own."""
    found: dict[str, str] = {}
    for path in paths:
        inside = root or (path if os.path.isdir(path) else "")
        for file in _below(path):
            found.setdefault(file, inside)
    return found


def _below(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        yield path
        return
    for place, folders, names in os.walk(path, onerror=_refused):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        tune = (name for name in sorted(names) if name.endswith(".tune"))
        yield from (os.path.normpath(os.path.join(place, name)) for name in tune)


def _refused(error: OSError) -> None:
    raise error
