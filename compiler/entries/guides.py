"""Settings in a guide: a text in Markdown that has them between fences, in its lists and in its tables.

What is between fences is a file of its own, so no two of these are compared: a guide has alternatives. A part of a
file without a form is read line by line, as a guide rarely says where a line belongs. In the text around the fences a
name in backquotes at the beginning of an item or a row is a recommendation. One in a sentence may as well be what the
guide advises against, so of these only names that nobody knows are read.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from setpoint.compiler.captures.profiles import is_comment
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.entries.blocks import TextBlock
from setpoint.compiler.entries.carried import carried
from setpoint.compiler.entries.documents import settings_in
from setpoint.compiler.entries.lines import boot_line, line_span, sysctl, words_of
from setpoint.compiler.entries.model import Entry
from setpoint.compiler.entries.modprobe import options_of_line
from setpoint.compiler.entries.scripts import settings_of_script

CODE = re.compile(r"`([^`\n]{1,300})`")
BEGINS_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)]|\|)\s*(?:\[[ xX]\]\s*)?(?:\*\*)?")
"""What stands before the first code of an item of a list, or of a row of a table."""
ASSIGNMENT = re.compile(r"([a-z][\w-]*(?:[./][\w*-]+)+)\s*=\s*(.+)")
COMMAND = re.compile(r"""(?:sudo )?sysctl (?:-w )?(?=[^=]*=\s*"?(?:[\d-]|\w+$))""")
"""What a guide says to run, wherever it does, with a number or a word."""
WORD = re.compile(r"([a-z][\w.-]*)=\S+")
NAME = re.compile(r"[A-Za-z_][\w.-]*")
PLAIN = re.compile(r"\w[\w. -]*|\.\d+")
OF_NAMES = re.compile(
    r".*\b(?:attribute|feature|item|knob|name|option|parameter|setting|token)\b", re.IGNORECASE
)
OF_VALUES = re.compile(
    r"(?!.*\b(?:default|current|old|original|possible|range)\b).*\b(?:recommend(?:ed|ation)|new|tuned|target|value|setting)\b",
    re.IGNORECASE,
)
"""What the heads of a table's columns say: that of names, and behind it that of values to be set."""

IN_SENTENCES = 1_000_000
"""What the parts of codes in sentences begin with, so that none is that of a block."""

Knows = Callable[[str, str], bool]


def settings_in_block(file: str, block: TextBlock, knows: Knows) -> Iterator[Entry]:
    """The settings of a part that is no profile: of commands, sysctls, documents, words of boot lines and options of
    modules. Boot lines that something stands between are alternatives."""
    first = block.numbers[0]
    source = SourceText(file, "\n".join(("",) * (first - 1) + block.lines) + "\n")
    read: set[int] = set()
    for entries in (settings_of_script(source), settings_in(source, commands=False)):
        new = [entry for entry in entries if entry.span.line not in read]
        yield from (entry._replace(part=min(entry.part, 0) - first) for entry in new)
        read |= {entry.span.line for entry in new}
    start = first
    for number, line in zip(block.numbers, block.lines, strict=True):
        if not line.strip() or is_comment(line):
            start = number + 1
        elif number not in read:
            words = list(options_of_line(file, number, line)) or _boot_words(file, number, line, knows)
            yield from (word._replace(part=-start) for word in words)


def _boot_words(file: str, number: int, line: str, knows: Knows) -> list[Entry]:
    """The words of a line that has nothing but known words of a boot line, or half of them parameters of modules, or
    several with a value; perhaps with a comment behind them."""
    of_loader, start, _ = boot_line(line)
    quote = line[start] if of_loader and line.startswith(("'", '"'), start) else ""
    end = len(line.partition(" #")[0].rstrip(f"{quote} "))
    words = list(words_of(file, number, line, start + len(quote), end))
    with_texts = [word for word in words if word.text is not None]
    unknown = [w for w in words if not (knows("argument", w.name) or carried().reader(w.name))]
    are_several = bool(of_loader) or sum(word not in unknown for word in with_texts) > 1
    may_be = all(
        ("." if not are_several else "") in word.name and NAME.fullmatch(word.name) for word in unknown
    )
    is_boot_line = not unknown or (2 * len(unknown) <= len(words) and may_be)
    is_of_kernel = any(knows("argument", word.name) for word in words)
    return words if with_texts and is_boot_line and is_of_kernel else []


def rows_of_values(lines: Sequence[str]) -> dict[int, tuple[int, str, str]]:
    """The rows of tables that have values to be set, as their heads say, each with the number of the head, the name and
    the value."""
    rows: dict[int, tuple[int, str, str]] = {}
    head, columns = 0, [0]
    for number, line in enumerate(lines, 1):
        is_row = line.lstrip().startswith("|")
        cells = [bare(cell) for cell in line.strip()[1:].removesuffix("|").split("|")] if is_row else []
        if cells and not head:
            name = next((at for at, cell in enumerate(cells) if OF_NAMES.match(cell)), 0)
            columns = [name, *(at for at, cell in enumerate(cells) if at > name and OF_VALUES.match(cell))]
        elif len(columns) > 1 and columns[1] < len(cells) and cells[columns[0]].strip("-: "):
            rows[number] = (head, cells[columns[0]], cells[columns[1]])
        head = (head or number) if cells else 0
    return rows


def bare(text: str) -> str:
    """A text without blanks, marks of bold and quotes around it."""
    text = text.replace("**", "").strip()
    for quote in "\"'`":
        text = text.removeprefix(quote).removesuffix(quote)
    return text.strip()


def settings_in_prose(
    file: str, lines: Sequence[str], blocks: Sequence[TextBlock], knows: Knows
) -> Iterator[Entry]:
    """The settings in the text around the blocks."""
    inside = {number for block in blocks for number in block.numbers}
    rows = rows_of_values(lines)
    for number, line in enumerate(lines, 1):
        if number in inside:
            continue
        _, name, text = rows.get(number, (0, "", ""))
        if carried().is_sysctl(name) and PLAIN.fullmatch(text):
            yield sysctl(line_span(file, number, line), name, text)._replace(part=-number)
            continue
        begun = BEGINS_ITEM.match(line)
        for code in CODE.finditer(line):
            entry = _in_code(file, number, code, knows)
            is_first = begun is not None and code.start() == begun.end()
            is_said = is_first or COMMAND.match(code[1])
            if entry and (is_said or not knows(entry.interface, entry.name)):
                yield entry._replace(part=-number - IN_SENTENCES)


def _in_code(file: str, number: int, code: re.Match[str], knows: Knows) -> Entry | None:
    """The sysctl or the known word of a boot line that a code in backquotes is; None for any other one."""
    span = line_span(file, number, code.string)
    span = span._replace(column=code.start(1) + 1, end_column=code.end(1) + 1)
    pair = ASSIGNMENT.fullmatch(COMMAND.sub("", code[1].strip()))
    if pair and carried().is_sysctl(pair[1]):
        return sysctl(span, pair[1], pair[2])
    word = WORD.fullmatch(code[1])
    is_known = word is not None and knows("argument", word[1])
    return next(words_of(file, number, code.string, *code.span(1)), None) if is_known else None
