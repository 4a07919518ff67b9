"""Boot lines, sysctls and files of /sys in scripts, and in answers of installers that are written like commands.

    grubby --args=WORDS    and the like, by a table of the library
    sysctl -w NAME=VALUE
    echo VALUE > /proc/sys/NAME, or > /sys/PATH, also by `tee`
    NAME = VALUE           of a sysctl, in a text that a script writes into a file

What a script does with conditions is not known here: each command is an entry as it is written.
"""

import re
from collections.abc import Iterator
from functools import cache

from setpoint.compiler.audit.documents import VARIABLE, assigned_words
from setpoint.compiler.audit.lines import is_comment, line_span, sysctl, words_of
from setpoint.compiler.audit.model import Entry
from setpoint.compiler.audit.texts import Carried, texts
from setpoint.compiler.diagnostics.source import SourceText, lines_of

WRITTEN = re.compile(
    r"""\becho\s+(?:-n\s+)?["']?([^"'|>]{1,200}?)["']?\s*(?:>{1,2}|\|\s*(?:sudo\s+)?tee\s+(?:-a\s+)?(?:--\s+)?)\s*["']?(/(?:sys|proc/sys)/[\w./*:-]++)(?![$\\{])"""
)
SYSCTL_WRITE = re.compile(r"\bsysctl\s+(?:-\w+\s+|--\w+\s+)*(?=[\w./\"'-]+\s*=)(.*)")
PAIR = re.compile(r"""["']?([a-z][\w./-]*[./][\w./-]+)=("[^"]*"|'[^']*'|[^\s"';&|]+)["']?""")


def has_commands(text: str) -> bool:
    """Whether a text has a command that sets something of the kernel."""
    return any(True for _ in settings_of_script(SourceText("", text), is_file=False))


def settings_of_script(source: SourceText, *, is_file: bool = True) -> Iterator[Entry]:
    """The settings of a script; `is_file` says whether sysctls that it writes into files count as well."""
    known = texts().carried
    if not known.commands:
        return
    commands, assignment = _commands(known), _assignment(known)
    for number, line in enumerate(lines_of(source.text), 1):
        if is_comment(line):
            continue
        span = line_span(source.name, number, line)
        for found in commands.finditer(line):
            yield from words_of(source.name, number, line, *_bounds(found))
        for found in VARIABLE.finditer(line):
            yield from assigned_words(source.name, number, line, found)
        for found in WRITTEN.finditer(line):
            path, text = found[2], found[1].strip()
            if path.startswith("/proc/sys/"):
                yield sysctl(span, path.removeprefix("/proc/sys/"), text)
            else:
                yield Entry("sysfs", path, text, f"{path} = {text}", span)
        if write := SYSCTL_WRITE.search(line):
            yield from (sysctl(span, pair[1], pair[2].strip("\"'")) for pair in PAIR.finditer(write[1]))
        elif is_file and (file := assignment.search(line)):
            yield sysctl(span, file[1], file[2].strip())


def _bounds(found: re.Match[str]) -> tuple[int, int]:
    return next(found.span(group) for group in range(1, 4) if found[group] is not None)


@cache
def _commands(known: Carried) -> re.Pattern[str]:
    """The options of commands that have words of a boot line."""
    before = "|".join(
        rf"\b{re.escape(command)}\b[^\n;|]{{0,400}}?\s(?:{'|'.join(map(re.escape, options))})"
        for command, options in known.commands.items()
    )
    return re.compile(rf"""(?:{before})(?:=|\s+)(?:"([^"]*)"|'([^']*)'|([^\s"']\S*))""")


@cache
def _assignment(known: Carried) -> re.Pattern[str]:
    roots = "|".join(map(re.escape, known.roots))
    return re.compile(
        rf"""(?:^\s*|\becho\s+(?:-e\s+)?["'])((?:{roots})(?:[./][a-zA-Z0-9_*-]+)+)\s*=\s*([^"'>|#]+)"""
    )
