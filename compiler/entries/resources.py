"""Resources of a cluster whose operator makes a boot line of their values: which words these become is knowledge
(`texts.toml`).

A resource is read line by line, as deep as its lines are indented, so that each word has the place of its value.
"""

import re
from collections.abc import Iterator, Sequence

from setpoint.compiler.captures.profiles import is_comment
from setpoint.compiler.entries.carried import Resource, carried
from setpoint.compiler.entries.lines import line_span
from setpoint.compiler.entries.model import Entry
from setpoint.compiler.record import NamedTuple

KEY = re.compile(r"( *(?:- +)?)([A-Za-z0-9_./-]+):(?:[ \t]+(.*))?")
KIND = re.compile(r"kind:[ \t]*(\w+)")
TRAILING_COMMENT = re.compile(r"\s#.*")


class ResourceValue(NamedTuple):
    """A value, its keys, its line, and the line of its item in a list, 0 for none."""

    path: str
    text: str
    line: int
    item: int


def words_of_resource(name: str, lines: Sequence[str]) -> Iterator[Entry]:
    """The words that an operator makes of the values of a file's resources, each at its value."""
    table = carried().values
    starts = [0, *(number + 1 for number, line in enumerate(lines) if line.startswith("---"))]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        kind = next((match[1] for line in lines[start:end] if (match := KIND.match(line))), "")
        if kind in table:
            yield from _words(name, lines, table[kind], list(_values(lines[start:end], start)))


def _words(
    name: str, lines: Sequence[str], known: Resource, values: Sequence[ResourceValue]
) -> Iterator[Entry]:
    for value in values:
        yield from (_word(name, lines, value, word) for word in known.words.get(value.path, ()))
    for path, (words, unless) in known.items.items():
        parts = {(value.item, value.path.removeprefix(f"{path}.")): value for value in values if value.item}
        for item in dict.fromkeys(item for item, _ in parts):
            if (item, unless) not in parts:
                named = [(word, parts.get((item, word.partition("=")[2]))) for word in words]
                yield from (_word(name, lines, part, word) for word, part in named if part is not None)


def _word(name: str, lines: Sequence[str], value: ResourceValue, word: str) -> Entry:
    line = lines[value.line - 1]
    span = line_span(name, value.line, line)
    return Entry("argument", word.partition("=")[0], value.text, line.strip().removeprefix("- "), span)


def _values(lines: Sequence[str], start: int) -> Iterator[ResourceValue]:
    """The values of a resource whose first line is the one behind a number of others."""
    above: list[tuple[int, str]] = []
    item, margin = 0, 0
    for number, line in enumerate(lines, start + 1):
        key = KEY.fullmatch(line.rstrip())
        if key is None or is_comment(line):
            continue
        indent = len(key[1])
        if "-" in key[1]:
            item, margin = number, indent
        elif indent < margin:
            item, margin = 0, 0
        while above and above[-1][0] >= indent:
            above.pop()
        above.append((indent, key[2]))
        text = TRAILING_COMMENT.sub("", key[3] or "").strip().strip("\"'")
        if text:
            yield ResourceValue(".".join(name for _, name in above), text, number, item)
