"""Boot lines and sysctls in documents that other programs read: YAML, JSON and TOML of operators, installers and playbooks.

Which keys have words of a boot line is knowledge (`texts.toml`), and so are the first parts of sysctls: a pair of such a name and a value is a
sysctl wherever it is. A value can be a whole file, as a block of text or in a data URL. A document is read line by line, so that each entry has its
place. Everything else is for the program that reads the document.
"""

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from functools import cache
from urllib.parse import unquote

from setpoint.compiler.audit.lines import line_span, sysctl, words_of
from setpoint.compiler.audit.model import Entry
from setpoint.compiler.audit.scripts import settings_of_command
from setpoint.compiler.audit.texts import Carried, texts
from setpoint.compiler.captures.profiles import assigned, is_comment
from setpoint.compiler.diagnostics.source import SourceText, lines_of

ITEM = re.compile(r"(\s*)-\s+(\S.*)")
TRAILING_COMMENT = re.compile(r"(?<!\s)\s++#.*")
QUOTED = re.compile(r""""([^"]*)"|'([^']*)'""")
BLOCK_HEAD = re.compile(r"[|>][+-]?\d*(?:\s+#.*)?")
BLOCK = re.compile(r"\s*(?:-\s+)?[\w./-]+:\s*[|>][+-]?\d*\s*(?:#.*)?")
DATA_URL = re.compile(r"""["']?data:([\w/;=+.-]{0,100}),([^"'\s]+)["']?""")
VALUE_OF_ITEM = re.compile(r"""\s*(?:-\s+)?["']?value["']?:\s*(\S.*)""")
ABSENT = re.compile(r"""\s*(?:-\s+)?["']?state["']?:\s*["']?absent\b.*""")

REMOVED = "-"
"""What begins a word that is to be taken out of a boot line."""

PLAYBOOK = re.compile(
    r"^ *- +(?:name|hosts|block|become|when|shell|command|lineinfile|replace): *\S", re.MULTILINE
)
PATTERN = re.compile(
    r"""\s*(?:-\s+)?["']?(?:regexp?|search_string|before|after|insertafter|insertbefore|when|name|msg|that)["']?:.*"""
)
"""A key whose value is compared or shown, and sets nothing."""

MOST_LINES = 500
"""How many lines a list in brackets may have."""

MOST_FILE = 1_000_000
"""The most letters that a file within a document has."""


def has_settings(text: str) -> bool:
    """Whether a document has a boot line or sysctls, or is a playbook with commands that set them."""
    source = SourceText("", text)
    return any(True for _ in settings_in(source, commands=bool(PLAYBOOK.search(text))))


def settings_in(source: SourceText, *, commands: bool = True) -> Iterator[Entry]:
    """The words of boot lines and the sysctls of a document, also those of its commands."""
    lines = lines_of(source.text)
    known = texts().carried
    if not known.words:
        return
    parents = _parents(lines)
    for at, line in enumerate(lines):
        if not is_comment(line):
            words = _words(source.name, lines, at, _keys(known))
            yield from (word for word in words if not word.written.startswith(REMOVED))
            yield from (
                pair._replace(part=-1 - parents[at]) for pair in _pairs(source.name, lines, at, known)
            )
            yield from _file_in_line(source.name, line, at + 1, known)
            if commands and not PATTERN.fullmatch(line):
                yield from settings_of_command(source.name, lines, at)
    for start, end in blocks(lines):
        for entry in _sysctls_of(source.name, lines[start:end], start, known):
            yield entry._replace(part=-1 - start)


def _parents(lines: Sequence[str]) -> list[int]:
    """For each line the number of the key that it is below; 0 if there is none. Lists of several kinds of servers can have the same name."""
    found: list[int] = []
    above: list[tuple[int, int]] = []
    for number, line in enumerate(lines, 1):
        indent = _indent(line)
        if line.strip():
            while above and above[-1][0] >= indent:
                above.pop()
        found.append(above[-1][1] if above else 0)
        if line.strip() and not line.lstrip().startswith("- "):
            above.append((indent, number))
    return found


def blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The blocks of text in a document: the lines from one to before another."""
    start = 0
    while start < len(lines):
        end = start + 1
        if BLOCK.fullmatch(lines[start]):
            end = block_end(lines, start)
            yield start + 1, end
        start = end


def block_end(lines: Sequence[str], start: int) -> int:
    """The line behind the block that begins after a line, by their indentation."""
    above = _indent(lines[start])
    for at in range(start + 1, len(lines)):
        if lines[at].strip() and _indent(lines[at]) <= above:
            return at
    return len(lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


# ------------------------------------------------------------------------------------- boot lines


@cache
def _keys(known: Carried) -> re.Pattern[str]:
    names = "|".join(map(re.escape, known.words))
    return re.compile(rf"""(?<![\w.-])["']?(?:{names})["']?(?::(?=\s|$|\[|")|\s*=\s*(?=\[))[ \t]*""")


def _words(name: str, lines: Sequence[str], at: int, keys: re.Pattern[str]) -> Iterator[Entry]:
    for key in keys.finditer(lines[at]):
        line, rest = lines[at], TRAILING_COMMENT.sub("", lines[at][key.end() :]).strip()
        if rest.startswith("["):
            yield from _in_brackets(name, lines, at, key.end())
        elif BLOCK_HEAD.fullmatch(rest):
            for number in range(at + 1, block_end(lines, at)):
                yield from words_of(name, number + 1, lines[number], 0, len(lines[number]))
        elif rest and not rest.startswith(("{", "#")):
            yield from words_of(name, at + 1, line, *_text(line, key.end()))
        elif not rest:
            yield from _items(name, lines, at)


def _items(name: str, lines: Sequence[str], head: int) -> Iterator[Entry]:
    for at in range(head + 1, len(lines)):
        if not lines[at].strip() or is_comment(lines[at]):
            continue
        item = ITEM.fullmatch(lines[at])
        if item is None or len(item[1]) < _indent(lines[head]) or ": " in item[2].partition("#")[0]:
            return
        yield from words_of(name, at + 1, lines[at], *_text(lines[at], item.start(2)))


def _in_brackets(name: str, lines: Sequence[str], head: int, start: int) -> Iterator[Entry]:
    """The items of a list in brackets, which may be on several lines."""
    for at in range(head, min(head + MOST_LINES, len(lines))):
        begin = start if at == head else 0
        end = lines[at].find("]", begin)
        for found in QUOTED.finditer(lines[at], begin, end if end >= 0 else len(lines[at])):
            group = 1 if found[1] is not None else 2
            yield from words_of(name, at + 1, lines[at], *found.span(group))
        if end >= 0:
            return


def _text(line: str, start: int) -> tuple[int, int]:
    """Where a text begins and ends, without its quotes and the comment behind it."""
    if line[start] in "\"'" and (end := line.find(line[start], start + 1)) > 0:
        return start + 1, end
    comment = TRAILING_COMMENT.search(line, start)
    return start, comment.start() if comment else len(line.rstrip())


# ---------------------------------------------------------------------------------------- sysctls


@cache
def _names(known: Carried) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What is a sysctl with its value: `NAME: VALUE`, and a name in an item whose value is beside it."""
    roots = "|".join(map(re.escape, known.roots))
    sysctl_name = rf"(?:{roots})(?:[./][a-zA-Z0-9_*-]+)+"
    direct = rf"""\s*(?:-\s+)?["']?({sysctl_name})["']?:\s+(\S.*?),?"""
    named = rf"""\s*(?:-\s+)?(?:[\w.]+:\s*)?(?:\{{(?:[^{{}}\n]{{0,200}},)?)?\s*["']?(?:name|key|sysctl|parameter)["']?\s*[:=]\s*["']?({sysctl_name})["']?(.*)"""
    return re.compile(direct), re.compile(named)


def _pairs(name: str, lines: Sequence[str], at: int, known: Carried) -> Iterator[Entry]:
    direct, named = _names(known)
    line, span = lines[at], line_span(name, at + 1, lines[at])
    if found := direct.fullmatch(line.rstrip()):
        is_below = BLOCK_HEAD.fullmatch(found[2])
        text = " ".join(lines[at + 1 : block_end(lines, at)]) if is_below else _value(found[2])
        yield sysctl(span, found[1], text)
    elif found := named.fullmatch(line.rstrip()):
        beside = re.search(r"""["']?value["']?\s*[:=]\s*("[^"]*"|'[^']*'|[^\s,}]+)""", found[2])
        value = beside[1] if beside else _value_of_item(lines, at)
        if value:
            yield sysctl(span, found[1], _value(value))


def _value_of_item(lines: Sequence[str], at: int) -> str:
    """The value in the item of a list that has a name on this line; "" if the sysctl is to be absent."""
    indent = _indent(lines[at]) + (2 if lines[at].lstrip().startswith("- ") else 0)
    value = ""
    for line in lines[at + 1 : at + 12]:
        if line.strip() and (_indent(line) < indent or line.lstrip().startswith("- ")):
            break
        if ABSENT.fullmatch(line):
            return ""
        if found := VALUE_OF_ITEM.fullmatch(line):
            value = value or found[1]
    return value


def _value(text: str) -> str:
    quoted = QUOTED.match(text)
    if quoted:
        return quoted[1] if quoted[1] is not None else quoted[2]
    return TRAILING_COMMENT.sub("", text).strip()


# ----------------------------------------------------------------------------------- whole files


def _sysctls_of(name: str, lines: Sequence[str], before: int, known: Carried) -> Iterator[Entry]:
    """The sysctls of a block, which is a file or a script; `before` is how many lines are before it."""
    for number, line in enumerate(lines, before + 1):
        found = assigned(line) if not is_comment(line) else ("", "")
        if found[0].replace("/", ".").partition(".")[0] in known.roots and "." in found[0].replace("/", "."):
            yield sysctl(line_span(name, number, line), *found)


def _file_in_line(name: str, line: str, number: int, known: Carried) -> Iterator[Entry]:
    """The sysctls of a file that is in a data URL, each at the line that has it."""
    for url in DATA_URL.finditer(line):
        text = unquote(url[2])
        if url[1].endswith("base64"):
            try:
                text = base64.b64decode(text[:MOST_FILE]).decode()
            except (binascii.Error, ValueError):
                continue
        for entry in _sysctls_of(name, text[:MOST_FILE].split("\n"), 0, known):
            yield entry._replace(span=line_span(name, number, line))
