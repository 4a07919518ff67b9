"""The policy files that a command line names: files as they are, folders by their contents.

A missing path counts as an unreadable file: its reader reports it, and continues with the others.
"""

import os
from collections.abc import Iterable, Iterator

from setpoint.compiler.diagnostics.source import SUFFIX
from setpoint.compiler.files.links import folder_read


def rooted_files(paths: Iterable[str], root: str = "") -> dict[str, str]:
    """Each file once, those of a folder sorted by name, with the folder that its includes must stay inside.

    That is `root` if given, else the named folder, else "" for the file's own. Raises OSError for a folder that cannot
    be listed, LinkError for one that is not followed.
    """
    files: dict[str, str] = {}
    for path in paths:
        inside = root or (path if os.path.isdir(path) else "")
        for file in _below(path):
            files.setdefault(file, inside)
    return files


def _below(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        yield path
        return
    folder_read(path)
    for place, folders, names in os.walk(path, onerror=_refused):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        tune = (name for name in sorted(names) if name.endswith(SUFFIX))
        yield from (os.path.normpath(os.path.join(place, name)) for name in tune)


def _refused(error: OSError) -> None:
    raise error
