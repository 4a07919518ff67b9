"""What the readers of lines share: sysctls, the words of a boot line, and the places of both.

A word of a boot line and an assignment of a sysctl are also in profiles and manifests. Each is read here, so that it
means the same wherever it is.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.entries.blocks import indent_of
from setpoint.compiler.entries.carried import Carried, carried
from setpoint.compiler.entries.model import Entry

PART = r"""(?:\{\{|\$\{)[^{}\n]{0,300}\}{1,2}|(?<==)'[^'"\n]{0,300}'|[^\s"]"""
WORD = re.compile(rf'(?:{PART})*(?:"[^"]*"?(?:{PART})*)*')
"""A word of a boot line. Blanks are within what a template or a shell fills in, and within quotes: a boot loader takes
single ones as well."""

BEHIND_NUMBERS = re.compile(r"((?:-?\d+\s+)+)#.*")
"""A comment behind numbers: the kernel reads as many of them as it takes, and nothing behind (kernel/sysctl.c,
do_proc_dointvec)."""

FILLED_IN = re.compile(
    r"""\{\{[^{}|]{1,200}\|\s*(?:default|d)\(\s*(?:(["'])([^"'{}]{1,200})\1|(\d+))\s*(?:,\s*\w+\s*)?\)\s*\}\}|\$\{\w+:?-([^{}$]{1,200})\}"""
)
"""What a template or a shell fills in, and has in it if nobody says otherwise."""

OF_SYSFS = ("kernel/mm/", "devices/", "block/", "class/", "module/")
"""What a name begins with in a file for sysfsutils, which is like one of sysctls and has paths below /sys."""

CONTINUED = "\\"
"""What ends a line that goes on below."""

END_OF_ARGUMENTS = {"--", "---"}
"""What follows one of these words is not for the kernel; the longer one is that of installers."""

ALONE, ENTRY, OF_A_COMMAND = "alone", "entries", "commands"
"""Kinds of lines with a boot line: of which each is for another entry of a menu, with the words of an entry, and
commands that write one."""


@cache
def _loaders(known: Carried) -> dict[str, re.Pattern[str]]:
    """The forms of lines with a boot line, of each kind, with what their marks stand for."""
    kinds = {kind: "|".join(forms) for kind, forms in known.loaders.items() if isinstance(forms, list)}
    for mark, part in known.loaders.get("marks", {}).items():
        kinds = {kind: forms.replace(mark, part) for kind, forms in kinds.items()}
    return {kind: re.compile(forms) for kind, forms in kinds.items()}


def boot_line(line: str) -> tuple[str, int, int]:
    """The kind of a line of a boot loader's configuration, "" for any other one, and where its words begin and end."""
    matches = ((kind, form.fullmatch(line)) for kind, form in _loaders(carried()).items())
    kind, match = next((pair for pair in matches if pair[1]), ("", None))
    return (kind, *match.span(match.lastindex or 0)) if match else ("", 0, 0)


def above(lines: Sequence[str], number: int) -> list[str]:
    """The line of a number, and those that it is indented below; none for a number below 1."""
    heads: list[str] = []
    for line in reversed(lines[: max(number, 0)]):
        if line.strip() and (not heads or indent_of(line) < indent_of(heads[-1])):
            heads.append(line)
    return heads


def line_span(file: str, number: int, line: str) -> Span:
    """A line without the blanks around it."""
    start = len(line) - len(line.lstrip())
    return Span(file, number, start + 1, number, len(line.rstrip()) + 1)


def words_of(file: str, number: int, line: str, start: int, end: int) -> Iterator[Entry]:
    """The words of a part of a line as entries."""
    before: tuple[Entry, ...] = ()
    for match in WORD.finditer(line, start, end):
        word = match[0].lstrip('"')  # which the kernel takes off
        if not word.partition("=")[0] or word == CONTINUED:
            continue
        if word in END_OF_ARGUMENTS:
            return
        name, equals, text = word.partition("=")
        span = Span(file, number, match.start() + 1, number, match.end() + 1)
        entry = Entry("argument", name, _unquoted(text) if equals else None, word, span, after=before)
        before = (*before[-1:], entry._replace(after=()))
        yield entry


def _unquoted(text: str) -> str:
    """A text without the quotes around it."""
    is_single = len(text) > 1 and text[0] == text[-1] == "'"
    return text[1:-1] if is_single else text.strip('"')


def sysctl(span: Span, name: str, text: str) -> Entry:
    """An assignment of a sysctl, whose name may have slashes between its parts, or of a file of /sys."""
    first = name.find("/")
    slashed = first >= 0 and "." not in name[:first]
    dotted = name.replace("/", ".") if slashed else name
    if slashed and name.startswith(OF_SYSFS):
        return Entry("sysfs", f"/sys/{name}", text.strip(), f"{name} = {text.strip()}", span)
    numbers = BEHIND_NUMBERS.fullmatch(text.strip())
    stated = " ".join((numbers[1] if numbers else text).split())
    value = FILLED_IN.sub(lambda match: match[2] or match[3] or match[4], stated)
    return Entry("sysctl", dotted, value, f"{name} = {stated}", span)
