"""A text as an editor keeps it: the text model of the Language Server Protocol 3.17, from the specification alone.

"Text documents" there: a position is a line and a character offset, both from zero; offsets are in UTF-16 code units;
lines end at `\\n`, `\\r\\n` and `\\r`; a character behind the end of its line is that end, and edits of one list refer
to one text. Nothing of the compiler is used here, which is compared with this.
"""

from collections.abc import Iterable, Mapping
from typing import Any


class TextModel:
    """A text as UTF-16 code units, changed by ranges."""

    def __init__(self, text: str) -> None:
        self._units = _units(text)

    @property
    def text(self) -> str:
        return "".join(self._units).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")

    @property
    def lines(self) -> list[tuple[int, int]]:
        """Where each line starts and where it ends, before its line end."""
        lines, start, at = [], 0, 0
        while at < len(self._units):
            unit = self._units[at]
            if unit not in ("\n", "\r"):
                at += 1
                continue
            lines.append((start, at))
            at += 2 if unit == "\r" and self._units[at + 1 : at + 2] == ["\n"] else 1
            start = at
        return [*lines, (start, len(self._units))]

    def offset(self, position: Mapping[str, int]) -> int:
        """The number of units before a position."""
        lines = self.lines
        if position["line"] >= len(lines):
            return len(self._units)
        start, end = lines[position["line"]]
        return min(start + position["character"], end)

    def change(self, change: Mapping[str, Any]) -> None:
        """A change as an editor tells it to a server: of a range, or of the whole text."""
        if "range" not in change:
            self._units = _units(change["text"])
            return
        start, end = sorted(self.offset(change["range"][name]) for name in ("start", "end"))
        self._units[start:end] = _units(change["text"])

    def edit(self, edits: Iterable[Mapping[str, Any]]) -> None:
        """Edits as a server tells them to an editor. Raises ValueError for those that overlap or go backwards."""
        places = [
            (*(self.offset(edit["range"][n]) for n in ("start", "end")), edit["newText"]) for edit in edits
        ]
        before = len(self._units)
        for start, end, new in sorted(places, key=lambda place: place[:2], reverse=True):
            if not start <= end <= before:
                raise ValueError(f"edits overlap: {places}")
            self._units[start:end] = _units(new)
            before = start


def _units(text: str) -> list[str]:
    data = text.encode("utf-16-le", "surrogatepass")
    return [chr(int.from_bytes(data[at : at + 2], "little")) for at in range(0, len(data), 2)]
