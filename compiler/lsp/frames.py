"""The stream of messages, with the headers as pygls reads them: one, in its own spelling, with a length that can be
meant."""

import re
from typing import BinaryIO

LENGTH = re.compile(rb"(?i)content-length:[ \t]*(\d{1,8})[ \t]*\r?\n\Z")
"""The header that is needed, at the end of a line: a message of the wrong length has its rest before it. No message has
100 MB."""

LONGEST_LINE = 1 << 16
"""How much of a line is read at a time, in bytes: what is no header may have no end."""


class Frames:
    """Messages of a stream. What belongs to none is skipped up to the next header."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._is_in_header = False

    def readline(self) -> bytes:
        """The header of the next message, then the empty line that ends it; b"" at the end of the stream."""
        if self._is_in_header:
            self._is_in_header = False
            return b"\r\n"
        length = b""
        while line := self._stream.readline(LONGEST_LINE):
            if match := LENGTH.search(line):
                length = match[1]
            elif length and not line.strip():
                self._is_in_header = True
                return b"Content-Length: %s\r\n" % length
        return b""

    def read(self, size: int) -> bytes:
        """The message, or as much of it as the stream has."""
        return self._stream.read(size)
