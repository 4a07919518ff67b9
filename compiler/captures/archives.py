"""Read a tar archive into memory: only what is wanted of it, and only so much.

An archive is made by somebody else, perhaps to do harm. So it is read once from its beginning to its end, by a reader
that only goes forward and counts: what it unpacks to, its members, the longest header, what is kept. Python's `tarfile`
reads the headers; its `extract` is never called. A name that leads out of the archive, a device or a pipe is passed
over; links are kept as texts (`tree.py`).
"""

import bz2
import lzma
import tarfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Protocol

from setpoint.compiler.captures.tree import MOST_TEXT, ArchiveTree

MOST_UNPACKED = 8 << 30
"""The maximum size of what an archive unpacks to, in bytes: reports of large servers, with their logs, have some."""

MOST_MEMBERS = 1_000_000
"""The maximum number of files, folders and links."""

MOST_KEPT = 256 << 20
"""The maximum size of all files together that are kept, in bytes."""

MOST_OF_A_HEADER = 1 << 20
"""The maximum size of one header, which `tarfile` reads as a whole."""

MOST_MEMORY = 256 << 20
"""The maximum memory of an unpacker, in bytes: `xz -9` needs 65 MiB."""

PIECE = 1 << 16
"""How many bytes are read at a time."""

MOST_OF_A_PATH = 1 << 12
"""The maximum length of a name, as in Linux."""

LINKS = (tarfile.SYMTYPE, tarfile.LNKTYPE)


class ArchiveError(ValueError):
    """An archive cannot be read, or has too much in it; the argument says why."""


class _Unpacker(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Zlib:
    """zlib's unpacker in the form of the others."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(31)  # with the header of gzip

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


FORMS: dict[bytes, Callable[[], _Unpacker]] = {
    b"\x1f\x8b": _Zlib,
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ\x00": lambda: lzma.LZMADecompressor(memlimit=MOST_MEMORY),
}
"""How packed archives begin, and what unpacks them."""

MAGIC, MAGIC_AT = b"ustar", 257
"""What a tar archive has in its first header, and where (POSIX, pax; GNU tar has the same)."""


def is_archive(head: bytes) -> bool:
    """Whether a file that begins like this is a tar archive, packed or not."""
    return head.startswith(tuple(FORMS)) or head[MAGIC_AT : MAGIC_AT + len(MAGIC)] == MAGIC


def read_archive(file: IO[bytes], is_wanted: Callable[[str], bool]) -> ArchiveTree:
    """The files of an archive that are wanted by their paths, and its links. Raises ArchiveError and OSError."""
    files: dict[str, bytes | None] = {}
    links: dict[str, str] = {}
    kept = 0
    try:
        forward = _Forward(_unpacked(file))
        with tarfile.TarFile(fileobj=forward, mode="r") as archive:  # type: ignore[arg-type]  # it has all that is called
            for member in _members(archive):
                path = _path(member.name)
                if not path or path in files or path in links:
                    continue
                if member.type in LINKS:
                    links[path] = f"{'' if member.issym() else _up(path)}{member.linkname}"[:MOST_OF_A_PATH]
                elif member.isreg() and is_wanted(path):
                    files[path] = content = _content(archive, member)
                    kept += len(path) + len(content or b"")
                    if kept > MOST_KEPT:
                        raise ArchiveError(f"more than {MOST_KEPT >> 20} MiB of it would have to be kept")
            if forward.last.strip(b"\0"):
                raise ArchiveError("it has a header that is none")
    except ArchiveError:
        raise
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, ValueError, OverflowError) as error:
        raise ArchiveError(f"it is damaged: {error}") from None
    return ArchiveTree(files, links)


def _members(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    for _ in range(MOST_MEMBERS):
        member = archive.next()
        if member is None:
            return
        archive.members.clear()  # type: ignore[attr-defined]  # else it would keep all of them
        yield member
    raise ArchiveError(f"it has more than {MOST_MEMBERS:,} members")


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes | None:
    """The content of a file; None if it is too large."""
    if member.size > MOST_TEXT or member.issparse():
        return None
    file = archive.extractfile(member)
    content = bytearray()
    while file and (piece := file.read(PIECE)):
        content += piece
    if len(content) < member.size:
        raise ArchiveError("it is cut off")
    return bytes(content)


def _path(name: str) -> str:
    """The name of a member as a path within the archive; "" if it leads out of it."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    is_in = not name.startswith("/") and ".." not in parts and "\0" not in name
    return "/".join(parts) if is_in and len(name) <= MOST_OF_A_PATH else ""


def _up(path: str) -> str:
    """From the folder of a path to the top of the archive, where the targets of hard links begin."""
    return "../" * path.count("/")


def _unpacked(file: IO[bytes]) -> Iterator[bytes]:
    """What a file unpacks to, in pieces; what is not packed is passed on."""
    data = file.read(PIECE)
    form = next((form for form in FORMS if data.startswith(form)), None)
    if form is None:
        while data:
            yield data
            data = file.read(PIECE)
        return
    unpacker = FORMS[form]()
    while True:
        if piece := unpacker.decompress(data, PIECE):
            yield piece
        data = b""
        if unpacker.eof:
            data = unpacker.unused_data.lstrip(b"\0") or file.read(PIECE).lstrip(b"\0")
            if not data:
                return
            unpacker = FORMS[form]()  # files of several streams, as parallel packers write them
        elif unpacker.needs_input:
            data = file.read(PIECE)
            if not data:
                raise ArchiveError("it is cut off")


class _Forward:
    """A file over pieces of data, which only goes forward, and not too far."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._ahead = b""
        self._at = 0
        self.last = b""
        """What was read last."""

    def tell(self) -> int:
        return self._at

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= MOST_OF_A_HEADER:
            raise ArchiveError("a header in it is too large")
        self.last = b"".join(self._taken(size))
        return self.last

    def seek(self, at: int) -> None:
        if at < self._at:
            raise ArchiveError("its headers contradict each other")
        for _ in self._taken(at - self._at):
            pass

    def _taken(self, size: int) -> Iterator[bytes]:
        while size and (self._ahead or (piece := next(self._pieces, b""))):
            piece = self._ahead or piece
            taken, self._ahead = piece[:size], piece[size:]
            size -= len(taken)
            self._at += len(taken)
            if self._at > MOST_UNPACKED:
                raise ArchiveError(f"it unpacks to more than {MOST_UNPACKED >> 30} GiB")
            yield taken
