"""The fenced blocks of a page of the manual: their kind and their text, which a test may rewrite."""

from pathlib import Path
from typing import NamedTuple

FENCE = "```"


class Fence(NamedTuple):
    """A fenced block: its heading, the words after its opening fence, its text, its first line (from 0)."""

    section: str
    info: tuple[str, ...]
    text: str
    line: int

    @property
    def file(self) -> str:
        """The name that `file=NAME` gives it, else ""."""
        return next((word.removeprefix("file=") for word in self.info if word.startswith("file=")), "")


def fences(page: str) -> list[Fence]:
    """The fenced blocks of a page, in order. A block that contains others has a longer fence than they."""
    blocks = []
    section, info, start, fence = "", None, 0, FENCE
    lines = page.split("\n")
    for number, line in enumerate(lines):
        if info is None and line.startswith("#"):
            section = line.lstrip("# ")
        elif info is None and line.startswith(FENCE):
            words = line.lstrip("`")
            info, start, fence = tuple(words.split()), number + 1, line.removesuffix(words)
        elif info is not None and line == fence:
            blocks.append(Fence(section, info, "".join(f"{text}\n" for text in lines[start:number]), start))
            info = None
    assert info is None, "a block is not closed"
    return blocks


def rewrite(path: Path, fence: Fence, text: str) -> None:
    """Put another text into a fenced block of a page."""
    lines = path.read_text(encoding="utf-8").split("\n")
    lines[fence.line : fence.line + fence.text.count("\n")] = text.removesuffix("\n").split("\n")
    path.write_text("\n".join(lines), encoding="utf-8")
