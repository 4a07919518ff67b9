"""Files for modprobe: options of modules, and the modules that other lines name.

A boot line has the parameters of a module behind its name and a dot, and so have entries of these files.
"""

import re
from collections.abc import Iterable, Iterator

from setpoint.compiler.diagnostics.source import SourceText, lines_of
from setpoint.compiler.entries.lines import words_of
from setpoint.compiler.entries.model import Entry
from setpoint.compiler.knowledge.library import library_table, stdlib_folder

TABLE = "lines.toml"
"""The file of the library with the forms, and the names of modules."""

MODULE = re.compile(r"\s*options\s+([a-z0-9][\w-]*)\s+([\w.-]+=\S.*)")
"""A line of a file for modprobe, which begins with a module, as one of a boot loader's entry does not."""

IS_FOR_MODPROBE = re.compile(r"\A(?:[ \t]*(?:#.*)?\n)*[ \t]*(?:blacklist|install|softdep|alias)[ \t]+\w")
"""What a file for modprobe begins with, unless it is an option."""

NAMED = re.compile(
    r"""^[ \t]*(?:echo[ \t]+(?:-\w+[ \t]+)?)?["']?((?:blacklist|softdep|install(?=[ \t]+\S+[ \t]+\S*(?:modprobe|true|false)\b))[ \t]+([A-Za-z0-9][\w-]*))(?=[\s"'\\]|$)""",
    re.MULTILINE,
)
"""A line that shuts a module out, replaces it or says what is loaded with it."""

LEAST_BARRED = 3
"""How many words of a list are modules that are often shut out if all are modules."""


def is_of_modules(lines: Iterable[str]) -> bool:
    """Whether lines are of a file for modprobe, with options of modules."""
    return any(MODULE.fullmatch(line) for line in lines)


def module_options(source: SourceText) -> Iterator[Entry]:
    """The parameters of modules, as the boot line has them."""
    for number, line in enumerate(lines_of(source.text), 1):
        yield from options_of_line(source.name, number, line)


def options_of_line(file: str, number: int, line: str) -> Iterator[Entry]:
    """The parameters of one line of a file for modprobe, and the comment behind them, which is none there."""
    match = MODULE.fullmatch(line.rstrip().rstrip("\\"))
    if match is None:
        return
    for word in words_of(file, number, line, match.start(2), match.end(2)):
        if word.name.startswith("#"):
            rest = line[word.span.column - 1 : match.end(2)]
            span = word.span._replace(end_column=match.end(2) + 1)
            yield Entry("argument", f"{match[1]}.#", None, rest, span)
            return
        yield word._replace(name=f"{match[1]}.{word.name}")


def named_modules(source: SourceText) -> Iterator[Entry]:
    """The modules that lines for modprobe name, and those of lists with several that are often shut out."""
    span, names = source.spans(), list[re.Match[str]]()
    if "modprobe" in source.text or IS_FOR_MODPROBE.match(source.text):
        names += NAMED.finditer(source.text)
    table = library_table(stdlib_folder(), TABLE).get("modules", {})
    for block in re.finditer(table.get("listed", "$^"), source.text, re.MULTILINE):
        items = [*re.compile(r"(?<![\w-])((\w[\w-]*))").finditer(source.text, *block.span())]
        is_of_modules = len({item[2] for item in items}.intersection(table["barred"].split())) >= LEAST_BARRED
        names += items if is_of_modules else ()
    for match in names:
        yield Entry("module", match[2].replace("-", "_"), None, match[1], span(*match.span(1)))
