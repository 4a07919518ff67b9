"""What looks as if it did something, and its reader ignores or refuses: lines and names of files, sysctls of containers
and limits of sessions, by forms in a table of the library (`stdlib/lines.toml`), and modules in lines for modprobe that
no kernel has. A text may be such a file, or write one."""

import re
from collections.abc import Iterator

from setpoint.compiler.audit.parameters import modules
from setpoint.compiler.audit.ranges import Kernel, outside
from setpoint.compiler.captures.profiles import is_comment
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.slips import nearest, nearest_by_letters
from setpoint.compiler.diagnostics.source import SourceText, lines_of
from setpoint.compiler.entries.carried import Row
from setpoint.compiler.entries.modprobe import TABLE, named_modules
from setpoint.compiler.knowledge.library import library_table, stdlib_folder


def wrong_modules(kernel: Kernel, source: SourceText) -> Iterator[Diagnostic]:
    """The findings about modules that kernels of a system lack (W0904, W0920), or whose name has a slip (E0902)."""
    table = library_table(stdlib_folder(), TABLE).get("modules", {})
    often, alike = (table.get(key, "").split() for key in ("often", "alike"))
    for name, entry in {entry.name: entry for entry in reversed([*named_modules(source)])}.items():
        is_one = name in (*often, *alike) or name in modules().parameters
        likely = "" if " " in entry.written else nearest(name, often)
        if (lacking := outside(kernel, entry)) is not None:
            yield lacking
        elif not is_one and (near := nearest_by_letters(name, often) or likely):
            message = f"`{entry.written.split()[-1]}` is misspelt: it is not the name of a module"
            notes, help_ = (f"source: {table['at']}",), (f"did you mean `{near}`?",)
            yield Diagnostic("E0902", message, entry.span, "unknown", (), notes, help_)


def wrong_lines(source: SourceText) -> Iterator[Diagnostic]:
    """The findings about lines and names of files that are ignored (W0923, W0925), refused (E0907) or of no use
    beside others (W0908)."""
    lines, span = lines_of(source.text), source.spans()
    for row in library_table(stdlib_folder(), TABLE).get("lines", ()):
        is_there = re.search(row.get("within", ""), source.text, re.MULTILINE)
        if not is_there or ("unless" in row and re.search(row["unless"], source.text, re.MULTILINE)):
            continue
        code = row.get("code", "W0923")
        what = row.get("what", "refused" if code[0] == "E" else "ignored")
        for told, start in _told(row, source.text):
            at, notes = span(start, start + len(told)), (f"source: {row['at']}",)
            if not is_comment(lines[at.line - 1]):
                message = f"`{told}` is {what}: {row['because']}"
                yield Diagnostic(code, message, at, what, (), notes, (row["help"],))


def _told(row: Row, text: str) -> Iterator[tuple[str, int]]:
    """What of a text has a form, and where; of a form with texts, those that are not taken."""
    for match in re.finditer(row["form"], text, re.MULTILINE):
        if "texts" not in row:
            yield match["told"], match.start("told")
            continue
        for part in re.finditer(row["texts"], match[0], re.MULTILINE):
            if not re.fullmatch(row.get("taken", ""), part["told"]):
                yield part["told"], match.start() + part.start("told")
