"""What the files of an inventory are, before Ansible reads them: links, pipes, programs.

An inventory can be part of a change that somebody proposes. Whoever wrote it then chooses the names and the kinds of
its files, but must neither have another file of the machine read, nor a program run. Our own readers follow links by
the rules of `files/links.py`; Ansible's follow all, and therefore get only what has passed here.
"""

import errno
import os
import stat
from collections.abc import Iterator
from io import BufferedReader

from setpoint.compiler.files.links import file_read, folder_read
from setpoint.compiler.files.reading import NOT_REGULAR

VARIABLES = ("group_vars", "host_vars")
"""The folders beside inventories of Ansible that have variables of hosts and groups."""

PASSED_OVER = (".bak", ".cfg", ".md", ".orig", ".pyc", ".pyo", ".retry", ".rpm", ".rst", ".swp", ".txt", "~")
"""How the names of files end that Ansible takes for no part of an inventory."""

HEAD = 1 << 12
"""How much of a file shows whether it is a program, in bytes."""


def limit_of(path: str) -> str:
    """The folder that links of an inventory must stay within: that of its repository, or else its own."""
    own = folder = os.path.abspath(path)
    while not os.path.lexists(os.path.join(folder, ".git")):
        if folder == (folder := os.path.dirname(folder)):
            return own
    return folder


def check_files(path: str) -> None:
    """Raise OSError or LinkError for what Ansible would read of an inventory or its variables, and must not."""
    limit = limit_of(path if os.path.isdir(path) else os.path.dirname(path))
    for entry in _entries(path):
        place = os.path.normpath(entry.path)
        if entry.is_symlink():
            (folder_read if os.path.isdir(place) else file_read)(place, limit)
        if not (entry.is_dir() or entry.is_file()):
            raise OSError(errno.EINVAL, NOT_REGULAR, place)


def programs_of(folder: str) -> Iterator[str]:
    """The files of a folder of Ansible that it would run to be told of hosts."""
    for entry in _entries(folder):
        inner = os.path.relpath(entry.path, folder).split(os.sep)
        if not entry.is_file() or entry.name.endswith(PASSED_OVER) or not {*VARIABLES}.isdisjoint(inner):
            continue
        with open(entry.path, "rb") as file:
            if is_program(file):
                yield entry.path


def is_program(file: BufferedReader) -> bool:
    """Whether a file is a script, or an executable that is no text.

    A text that is merely executable, as all files of some file systems are, is data: without a shebang no system runs
    it.
    """
    head = file.peek(HEAD)[:HEAD]
    return head.startswith(b"#!") or (b"\0" in head and bool(os.fstat(file.fileno()).st_mode & stat.S_IXUSR))


def has_variables(path: str) -> bool:
    """Whether variables are beside an inventory of Ansible."""
    beside = path if os.path.isdir(path) else os.path.dirname(path) or os.curdir
    return any(os.path.isdir(os.path.join(beside, name)) for name in VARIABLES)


def _entries(path: str) -> Iterator["os.DirEntry[str]"]:
    """The files of an inventory in its folder, or in the folders with variables beside it, but hidden ones."""
    seen: set[str] = set()
    if os.path.isdir(path):
        folders = [path]
    else:
        beside = os.path.dirname(path) or os.curdir
        with os.scandir(beside) as entries:
            mine = [entry for entry in entries if entry.name in VARIABLES]
        yield from mine
        folders = [entry.path for entry in mine if entry.is_dir()]
    while folders:
        folder = folders.pop()
        if (real := os.path.realpath(folder)) in seen:
            continue
        seen.add(real)
        with os.scandir(folder) as entries:
            mine = sorted(
                (entry for entry in entries if not entry.name.startswith(".")), key=lambda e: e.name
            )
        yield from mine
        folders += [entry.path for entry in reversed(mine) if entry.is_dir()]
