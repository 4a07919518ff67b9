"""The policy files that a command line names: files as they are, folders by what lies in them.

A path that is not there is a file that cannot be read: whoever reads it says so, and goes on with the others.
"""

import os
from collections.abc import Iterable, Iterator

from setpoint.compiler.diagnostics.source import SUFFIX


def rooted_files(paths: Iterable[str], root: str = "") -> dict[str, str]:
    """Each file once, those of a folder in the order of their names, with the folder that its includes must stay inside.

    That is `root` if it is given, else the folder that was named, else "" for the file's own. Raises OSError for a
    folder that cannot be listed.
    """
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
        tune = (name for name in sorted(names) if name.endswith(SUFFIX))
        yield from (os.path.normpath(os.path.join(place, name)) for name in tune)


def _refused(error: OSError) -> None:
    raise error
