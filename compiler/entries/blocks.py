"""The texts within other texts: blocks of documents, parts of guides between fences, and what a program has in quotes.

Each is a file of its own, at its lines in the whole. Nothing is run: what a program makes of its texts is not known, so
only what stands in quotes is read, as it stands there.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from setpoint.compiler.captures.profiles import is_comment
from setpoint.compiler.entries.branches import here_documents
from setpoint.compiler.record import NamedTuple

BLOCK = re.compile(r"\s*(?:-\s+)?[\w./-]+:\s*[|>][+-]?\d*\s*(?:#.*)?")
QUOTED_BLOCK = re.compile(r"""\s*(?:-\s+)?["']?[\w./-]+["']?:\s*"(?=[^"\\\n]*\\n)""")
QUOTED_PIECE = re.compile(r"""\\n|\\(.)|"|[^"\\]+""")
"""A line break, what a backslash stands before, the end, and all else in double quotes."""

FENCE = re.compile(r"\s{0,12}(`{3,9}|~{3,9})[^`]*")
"""What begins and ends a part of a guide in Markdown."""
DELIMITER = re.compile(r"(----|\.\.\.\.)\s*")
TITLE = re.compile(r"={1,5} \S.*")
"""What begins and ends such a part in AsciiDoc, where a line of hyphens is nothing else, and a title there."""
BACKQUOTES = re.compile(r"\s{0,12}```")
MARKUP = re.compile(r"\.\. [\w-]+::")
DIRECTIVE = re.compile(r"(?!\.\. (?:note|warning|tip)\b)(?:\s*\.\. [\w-]+::.*|(?=[:\s]*[^:\s]).*::\s*)")
"""What begins a directive in reStructuredText, and what a part of a guide is indented below there."""

HEADING = re.compile(r"#{1,6} \w.*|(?:={4,}|-{4,}|~{4,})\s*")
SENTENCE = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]*,?(?:\s[^\s=$|{}<>;]+){5,}")
INDENTED = re.compile(r"(?: {4}|\t)\s*\S.*")
"""In Markdown without fences: a heading or its underline, a sentence, and a line of a part that is indented."""
OF_PROGRAM = re.compile(r"#!|[)}\]]|(?:class|def|export|from|function|import|package|set|use)\s")
"""What lines of a program begin with, of which a comment may have the same."""

LITERAL = re.compile(r"""(?<!\\)(?:["]([^"\\]*+(?:\\.[^"\\]*+)*)["]|'([^'\\]*+(?:\\.[^'\\]*+)*)')""")
ESCAPED_BREAK = re.compile(r"\\n")
"""A text in quotes on one line of a program, and a line break in it. A quote behind a backslash begins none: so one
that is not closed is the last of its kind on the line, and is looked through once."""


ECHOED = re.compile(r"""\becho\s+(?:-\w+\s+)?(["'])(?:(?!\1).)*$""")
"""A line of a script that begins a text in quotes, which ends on a later one."""


def indent_of(line: str) -> int:
    """How many blanks are before what a line has."""
    return len(line) - len(line.lstrip(" \t"))


class TextBlock(NamedTuple):
    """A text of several lines in a document, and for each line the number of that of the document that it begins on."""

    lines: tuple[str, ...]
    numbers: tuple[int, ...]


def text_blocks(lines: Sequence[str]) -> Iterator[TextBlock]:
    """The texts of several lines in a document: blocks, and texts in quotes with `\\n`."""
    start = 0
    while start < len(lines):
        end = start + 1
        if BLOCK.fullmatch(lines[start]):
            end = block_end(lines, start)
            if end > start + 1:
                yield TextBlock(tuple(lines[start + 1 : end]), tuple(range(start + 2, end + 1)))
        elif head := QUOTED_BLOCK.match(lines[start]):
            block, end = _quoted(lines, start, head.end())
            if len(block.lines) > 1:
                yield block
        start = end


def written_texts(lines: Sequence[str]) -> Iterator[TextBlock]:
    """The texts of several lines that a script writes: those for its commands, and those in quotes behind `echo`; of a
    document among these the texts in it."""
    heads = here_documents(lines)
    texts = {head: [n for n, of in heads.items() if of == head] for head in heads.values()}
    for at, line in enumerate(lines):
        opened = None if at + 1 in heads or is_comment(line) else ECHOED.search(line)
        if opened is not None:
            end = next((n for n in range(at + 1, len(lines)) if opened[1] in lines[n]), at)
            texts[at + 1] = list(range(at + 2, end + 1))
    for numbers in texts.values():
        inner = list(text_blocks([lines[number - 1] for number in numbers]))
        for block in inner:
            yield TextBlock(block.lines, tuple(numbers[number - 1] for number in block.numbers))
        if not inner:
            yield TextBlock(tuple(lines[number - 1] for number in numbers), tuple(numbers))


def _quoted(lines: Sequence[str], start: int, column: int) -> tuple[TextBlock, int]:
    """A text in double quotes from a line, with blanks for line breaks and `\\n`, and the line behind it."""
    block_lines: list[str] = []
    numbers: list[int] = []
    text = ""
    first = start + 1
    for at in range(start, len(lines)):
        line = lines[at] if at == start else f" {lines[at].strip()}"
        for piece in QUOTED_PIECE.finditer(line, column if at == start else 0):
            if piece[0] == '"':
                return TextBlock((*block_lines, text), (*numbers, first)), at + 1
            if piece[0] == r"\n":
                block_lines.append(text)
                numbers.append(first)
                text, first = "", at + 1
            else:
                text += piece[1] or piece[0]
        first = first if text else at + 2
    return TextBlock((), ()), start + 1


def literals(lines: Sequence[str]) -> TextBlock:
    """What a program has in quotes, each text in its columns, with blanks for everything else and for line breaks."""
    texts_of_lines = []
    for line in lines:
        text = [" "] * len(line)
        for quoted in (
            LITERAL.finditer(line) if not is_comment(line) and not line.lstrip().startswith("//") else ()
        ):
            start, end = quoted.span(quoted.lastindex or 0)
            text[start:end] = ESCAPED_BREAK.sub("  ", line[start:end])
        texts_of_lines.append("".join(text).rstrip())
    return TextBlock(tuple(texts_of_lines), tuple(range(1, len(lines) + 1)))


def block_end(lines: Sequence[str], start: int) -> int:
    """The line behind the block that begins after a line, by their indentation."""
    above = indent_of(lines[start])
    for at in range(start + 1, len(lines)):
        if lines[at].strip() and indent_of(lines[at]) <= above:
            return at
    return len(lines)


def is_guide(lines: Sequence[str]) -> bool:
    """Whether lines are of a text for people, with parts between fences, below directives or indented."""
    fence = _fence(lines)
    if sum(bool(fence.fullmatch(line)) for line in lines) > 1 or any(map(MARKUP.match, lines)):
        return True
    is_prose = any(map(HEADING.fullmatch, lines)) and not any(map(OF_PROGRAM.match, lines))
    return is_prose and sum(map(bool, map(SENTENCE.match, lines))) > 1 and any(map(INDENTED.fullmatch, lines))


def _fence(lines: Sequence[str]) -> re.Pattern[str]:
    """What begins and ends a part of a guide."""
    is_markdown = any(FENCE.fullmatch(line) for line in lines)
    return FENCE if is_markdown or not any(TITLE.fullmatch(line) for line in lines) else DELIMITER


def fenced(lines: Sequence[str]) -> list[TextBlock]:
    """The parts of a guide, with the numbers of their lines: between fences, below directives, or else indented."""
    if any(map(MARKUP.match, lines)) and not any(map(BACKQUOTES.match, lines)):
        return [*_below_directives(lines)]
    blocks: list[TextBlock] = []
    form = _fence(lines)
    fence, start = "", 0
    for at, line in enumerate(lines):
        match = form.fullmatch(line)
        if not match or not match[1].startswith(fence):
            continue
        if fence and line.strip().strip(match[1]):
            continue  # what ends a block says nothing of its language
        if fence:
            blocks.append(TextBlock(tuple(lines[start:at]), tuple(range(start + 1, at + 1))))
        fence, start = ("" if fence else match[1]), at + 1
    return blocks or [*_below_directives(lines)] or [*_indented(lines)]


def _below_directives(lines: Sequence[str]) -> Iterator[TextBlock]:
    """The parts of a guide in reStructuredText."""
    start = 0
    while start < len(lines):
        end = block_end(lines, start) if DIRECTIVE.fullmatch(lines[start]) else start + 1
        if end > start + 1:
            yield TextBlock(tuple(lines[start + 1 : end]), tuple(range(start + 2, end + 1)))
        start = end


def _indented(lines: Sequence[str]) -> Iterator[TextBlock]:
    """The parts of a guide in Markdown that are indented, each behind a line that is blank or not indented."""
    is_within = False
    within = [is_within := bool(INDENTED.fullmatch(n) or (is_within and not n.strip())) for n in lines]
    for is_part, places in groupby(range(1, len(lines) + 1), lambda number: within[number - 1]):
        if is_part:
            numbers = tuple(places)
            yield TextBlock(tuple(lines[number - 1] for number in numbers), numbers)
