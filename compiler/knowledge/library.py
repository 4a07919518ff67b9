"""The standard library as files: where it is, and the digest of its content.

A digest says which library a plan was made with. It is the SHA-256 of a list with the SHA-256 and the name of each
file, as `sha256sum` prints it. So anybody can check it without Setpoint, and it depends neither on times nor on the
place of the installation. All of a file counts, since findings show its lines ([decision
0055](../../docs/decisions/0055-libraries-have-digests.md)).

Another library can take its place: for a whole run by an environment variable, and for one side of a comparison by
`library_at`.

This module is light: `setpoint --version` needs no more of the library.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import setpoint.compiler
import setpoint.stdlib
from setpoint.compiler.hints import Any
from setpoint.compiler.record import NamedTuple

TABLES = ".toml"
"""The ending of the library's tables."""

PLACES_TABLE = "inventory.toml"
"""The table of places of the library (`inventory.table`), by which a library is recognized."""


class KnowledgeDigests(NamedTuple):
    """The digests of a knowledge base: of the library, and of the site's own files; "" if there are none."""

    library: str = ""
    site: str = ""


LIBRARY = "SETPOINT_LIBRARY"
"""The environment variable that names the folder of another library."""

PLACES = ("", "stdlib", os.path.join("setpoint", "stdlib"))
"""Where a library is in a folder that somebody names: the folder itself, a checkout, or an installation."""

_chosen: list[str] = []
"""The folders of `library_at`, the innermost last."""


def stdlib_folder() -> str:
    """The folder of the standard library."""
    if _chosen:
        return _chosen[-1]
    named = os.environ.get(LIBRARY, "")
    return library_in(named) or named if named else next(iter(setpoint.stdlib.__path__))


@contextmanager
def library_at(folder: str) -> Iterator[None]:
    """Read the library in this folder within; "" for no other one."""
    if not folder:
        yield
        return
    _chosen.append(folder)
    try:
        yield
    finally:
        _chosen.pop()


def library_in(folder: str) -> str:
    """The folder of the library in a folder that somebody names; "" if there is none."""
    paths = (os.path.abspath(os.path.join(folder, place)) for place in PLACES)
    return next((path for path in paths if os.path.isfile(os.path.join(path, PLACES_TABLE))), "")


def library_table(folder: str, name: str) -> dict[str, Any]:
    """A table of the library in a folder; an empty one if that library, an earlier one, does not have it."""
    import tomllib  # a version needs no table

    try:
        with open(os.path.join(folder, name), "rb") as file:
            return tomllib.load(file)
    except FileNotFoundError:
        return {}


def files_below(folder: str, suffix: str | tuple[str, ...]) -> Iterator[str]:
    """The files below a folder with an ending, in a fixed order."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(place, name) for name in sorted(names) if name.endswith(suffix))


def library_files(folder: str) -> list[str]:
    """The files of a library: its knowledge and its tables."""
    return list(files_below(folder, (setpoint.compiler.SUFFIX, TABLES)))


def library_digest(folder: str) -> str:
    """The digest of the library in a folder."""
    lines = []
    for path in library_files(folder):
        with open(path, "rb") as file:
            name = os.path.relpath(path, folder).replace(os.sep, "/")
            lines.append((name, f"{_sha256(file.read())}  {name}\n"))
    return _sha256("".join(line for _, line in sorted(lines)).encode())


def texts_digest(texts: Iterable[str]) -> str:
    """The digest of a site's files by their texts, wherever they are and whatever they are called; "" for none."""
    lines = sorted(f"{_sha256(text.encode(errors='surrogateescape'))}\n" for text in texts)
    return _sha256("".join(lines).encode()) if lines else ""


def _sha256(content: bytes) -> str:
    """The check sum of a content. Lines end as on Linux: a checkout elsewhere may end them otherwise."""
    from hashlib import sha256  # most commands have the digest from the cache

    return sha256(content.replace(b"\r\n", b"\n") if b"\r" in content else content).hexdigest()
