"""Under which conditions the lines of a script or a program hold: its branches, and the sections of an installer's
answers.

A line has the conditions around it, the outermost first: `("12:0",)` for what stands between the `if` of line 12 and
its `else`. What a condition says is not known here, only whether two are the same. So two lines hold at once if the
conditions of one begin with those of the other; of others nothing is certain, and nothing is concluded from both. Each
is still judged by itself.
"""

import re
from collections.abc import Mapping, Sequence

from setpoint.compiler.captures.profiles import is_comment

Conditions = tuple[str, ...]

QUOTED = re.compile(r"""\\.|\$\{[^{}]*\}|"(?:[^"\\]|\\.)*"|'[^']*'|(?:^|(?<=\s))#.*""")
"""What has no words of a shell: letters behind a backslash, texts in quotes, variables and comments."""

TOKEN = re.compile(r";;|&&|\|\||[;&|(){}]|\[\[?|[^\s;&|(){}\[]+")
BEFORE_COMMAND = {"", ";", ";;", "&", "&&", "||", "|", "(", "{", "then", "else", "elif", "do", "!", "if", ")"}
"""After what a shell expects a command."""

FUNCTION = re.compile(r"\s*(?:function\s+[\w:-]+\s*(?:\(\s*\))?|[\w:-]+\s*\(\s*\))\s*(\{?)\s*")
ENDS = {"if": "fi", "case": "esac", "{": "}", "do": "done"}
"""The words that begin a block, and what ends it. Two loops may be over different hosts or devices."""

HEAD = re.compile(
    r"\s*(?:async\s+)?(?:def|class|if|elif|else|for|while|with|try|except|finally|match|case)\b"
)
"""What begins a block of a program that has no brackets around it: a line with a colon at its end."""

HERE_DOCUMENT = re.compile(r"<<(-?)\s*(?:\"([^\"]+)\"|'([^']+)'|\\?(\w+))")
FOLDER = re.compile(
    r"""\bfor\s+(\w+)\s+in\s+["']?(/sys/[\w./-]+/\w*+)[^/\s;"']+((?:/[\w.-]+)*)/?["']?\s*(?:;|$)|^\s*(?:local\s+)?(\w+)=["']?(/sys/[\w./${}-]+?)/?["']?\s*$"""
)
"""A loop over folders below /sys, which a pattern names, and a variable that is one."""
IN_FOLDER = re.compile(r"""["']?\$\{?(\w+)\}?["']?(?=/)""")
"""A variable that a path begins with."""
TEST = re.compile(r"\s*(?:\[\[?\s|test\s|grep\s|\(\()")
"""What a line begins with whose command is run on a condition: `[ -f FILE ] && COMMAND`."""

SECTION = re.compile(r"%(pre|post|packages|addon|anaconda|onerror|traceback|pre-install|end)\b(.*)")
OF_THE_INSTALLER = re.compile(r"pre\b|.*--nochroot")
"""A section of an installer's answers that is run in the installer, and not on the server that is made."""

QUOTES = "\"'"

MOST_NESTED = 100
"""How many blocks around a line of a script or a template are told apart."""


def of_script(lines: Sequence[str]) -> Mapping[int, Conditions]:
    """The conditions of the lines of a script or an installer's answers, by number; others are left out."""
    by_line: dict[int, Conditions] = {}
    stack: list[_Branching] = []
    section: Conditions = ()
    within = here_documents(lines)
    for number, line in enumerate(lines, 1):
        if number not in within and (head := SECTION.match(line)):
            section = (f"%{head[1]}",) if OF_THE_INSTALLER.match(head[1] + head[2]) else ()
            stack = []
            continue
        is_text = number in within
        inner = _around(stack) if is_text else _through(line, number, stack)
        if conditions := (*section, *inner):
            by_line[number] = conditions
    return by_line


def of_program(lines: Sequence[str]) -> Mapping[int, Conditions]:
    """The conditions of the lines of a program whose blocks are told by their indentation, its functions among them, by
    number; others are left out."""
    by_line: dict[int, Conditions] = {}
    around: list[tuple[int, int]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or is_comment(line):
            continue
        indent = len(line) - len(line.lstrip())
        while around and around[-1][0] >= indent:
            around.pop()
        if around:
            by_line[number] = tuple(f"block {head}" for _, head in around[:MOST_NESTED])
        if HEAD.match(line) and line.partition("#")[0].rstrip().endswith(":"):
            around.append((indent, number))
    return by_line


def here_documents(lines: Sequence[str]) -> Mapping[int, int]:
    """The lines of texts that a script has for its commands, each with that of the command, by their numbers."""
    heads: dict[int, int] = {}
    head, end = 0, ""
    for number, line in enumerate(lines, 1):
        if head:
            heads[number] = head
            is_end = line.strip().rstrip(QUOTES) == end  # a command in quotes may end there as well
            head = 0 if is_end else head
        elif not is_comment(line) and (begun := HERE_DOCUMENT.search(line)):
            head, end = number, begun[2] or begun[3] or begun[4]
    return heads


def with_folders(lines: Sequence[str]) -> Sequence[str]:
    """Lines with the folders below /sys that variables stand for, and the variable of a loop behind its folder."""
    groups = (match.groups() for line in lines for match in FOLDER.finditer(line))
    folders = {
        over or name: f"{above}${over}{below}" if over else path for over, above, below, name, path in groups
    }
    return [IN_FOLDER.sub(lambda m: folders.get(m[1], m[0]), line) for line in lines] if folders else lines


class _Branching:
    """A block that has begun: what ends it, where it began, and which of its branches is at hand."""

    def __init__(self, end: str, number: int) -> None:
        self.end = end
        self.number = number
        self.branch = 0

    @property
    def condition(self) -> str:
        return f"{self.number}:{self.branch}"


def _around(stack: Sequence[_Branching]) -> list[str]:
    """The conditions of the blocks that have begun."""
    return [branching.condition for branching in stack[:MOST_NESTED]]


def _through(line: str, number: int, stack: list[_Branching]) -> list[str]:
    """The conditions of a line, the most that hold for a part of it; `stack` is then as it is behind the line."""
    deepest = _around(stack)
    if head := FUNCTION.match(line):
        stack.append(_Branching("}", number))
        line = line[head.end() :] if head[1] else line[head.end() :].lstrip()
    before = ""
    for token in TOKEN.findall(QUOTED.sub("''", line)):
        if before in BEFORE_COMMAND or token in ("esac", ";;"):
            _step(token, number, stack)
        now = _around(stack)
        deepest = now if len(now) >= len(deepest) and token not in ENDS.values() else deepest
        before = token
    is_tested = TEST.match(line) and ("&&" in line or "||" in line)
    return [*deepest, f"{number}:tested"] if is_tested else deepest


def _step(token: str, number: int, stack: list[_Branching]) -> None:
    """What a word at the place of a command does to the blocks that have begun."""
    if token in ENDS:
        stack.append(_Branching(ENDS[token], number))
        if token == "{" and len(stack) > 1 and stack[-2].end == "}" and stack[-2].number >= number - 1:
            stack.pop()  # of the function whose head is on the line before
    elif stack and token == stack[-1].end:
        stack.pop()
    elif stack and ((token in ("else", "elif") and stack[-1].end == "fi") or token == ";;"):
        stack[-1].branch += 1


# ---------------------------------------------------------------------------------------- documents
