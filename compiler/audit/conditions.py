"""Under which conditions the lines of a file hold: branches of scripts, tasks of playbooks, sections of an installer's
answers, documents.

A line has the conditions around it, the outermost first: `("12:0",)` for what stands between the `if` of line 12 and
its `else`. What a condition says is not known here, only whether two are the same. So two lines hold at once if the
conditions of one begin with those of the other; of others nothing is certain, and nothing is concluded from both. Each
is still judged by itself.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

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

HERE_DOCUMENT = re.compile(r"<<(-?)\s*(?:\"([^\"]+)\"|'([^']+)'|\\?(\w+))")
TEST = re.compile(r"\s*(?:\[\[?\s|test\s|grep\s|\(\()")
"""What a line begins with whose command is run on a condition: `[ -f FILE ] && COMMAND`."""

SECTION = re.compile(r"%(pre|post|packages|addon|anaconda|onerror|traceback|pre-install|end)\b(.*)")
OF_THE_INSTALLER = re.compile(r"pre\b|.*--nochroot")
"""A section of an installer's answers that is run in the installer, and not on the server that is made."""

CONDITION_KEY = re.compile(r"""(\s*(?:- +)?)["']?(?:when|hosts)["']?:\s*(.*)""")
IN_BRACES = re.compile(r"""[^{]*+\{.*["']?\bwhen["']?:\s*([^,}]+)""")
DOCUMENT = re.compile(r"---(?:\s.*)?")

GUARD = re.compile(r"\b(?:mkIf|optionals?|optionalAttrs|optionalString)\b")
"""A function of NixOS whose last argument only holds on a condition."""
BRACKET = re.compile(r"[\[({]|[\])}]")

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


def here_documents(lines: Sequence[str]) -> Mapping[int, int]:
    """The lines of texts that a script has for its commands, each with that of the command, by their numbers."""
    heads: dict[int, int] = {}
    head, end = 0, ""
    for number, line in enumerate(lines, 1):
        if head:
            heads[number] = head
            head = 0 if line.strip() == end else head
        elif not is_comment(line) and (begun := HERE_DOCUMENT.search(line)):
            head, end = number, begun[2] or begun[3] or begun[4]
    return heads


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


def of_document(lines: Sequence[str]) -> Mapping[int, Conditions]:
    """The conditions of a document's lines: of their tasks and plays, and of several documents in a file."""
    by_line: dict[int, list[str]] = {}
    for number, document in _documents(lines):
        by_line.setdefault(number, []).append(f"document {document}")
    heads = [(at, head) for at, line in enumerate(lines) if (head := CONDITION_KEY.fullmatch(line))]
    done = column = 0
    for at, head in sorted(heads, key=lambda pair: len(pair[1][1])):
        done, column = done if len(head[1]) == column else 0, len(head[1])
        if at < done:
            continue  # of two such keys in a mapping the first counts
        start, done = _item(lines, at, column)
        said = head[2].strip() or " ".join(_below(lines, at, column))
        for number in range(start + 1, done + 1):
            by_line.setdefault(number, []).append(said)
    for number, line in enumerate(lines, 1):
        if braces := IN_BRACES.match(line):
            by_line.setdefault(number, []).append(braces[1].strip())
    for number, guard in _guarded(lines):
        by_line.setdefault(number, []).append(guard)
    return {number: tuple(conditions) for number, conditions in by_line.items()}


def _guarded(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines of arguments of NixOS that only hold on a condition, each with that, the outermost first."""
    within: list[tuple[int, str]] = []
    depth = 0
    for number, line in enumerate(lines, 1):
        if is_comment(line):
            continue
        plain = QUOTED.sub("''", line)
        before = depth
        depth += sum(1 if bracket in "[({" else -1 for bracket in BRACKET.findall(plain))
        if GUARD.search(plain) and len(within) < MOST_NESTED:
            within.append((before, f"guard {number}"))
        yield from ((number, guard) for _, guard in within)
        within = [pair for pair in within if pair[0] < depth]


def _documents(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The number of the document that each line is in, if there are several."""
    starts = [at for at, line in enumerate(lines) if DOCUMENT.fullmatch(line)]
    first = next((at for at, line in enumerate(lines) if line.strip() and not is_comment(line)), 0)
    starts = [at for at in starts if at > first]
    for document, (start, end) in enumerate(pairwise((0, *starts, len(lines))) if starts else ()):
        yield from ((number, document) for number in range(start + 1, end + 1))


def _item(lines: Sequence[str], at: int, column: int) -> tuple[int, int]:
    """The lines of the mapping that a key is in, with all keys at one column: the first, and behind the last."""
    start = at
    while start > 0 and not _begins_item(lines[start], column):
        if lines[start - 1].strip() and _column(lines[start - 1]) < column:
            break
        start -= 1
    end = at + 1
    while end < len(lines) and not (
        lines[end].strip() and (_column(lines[end]) < column or _begins_item(lines[end], column))
    ):
        end += 1
    return start, end


def _below(lines: Sequence[str], at: int, column: int) -> Iterator[str]:
    """The lines of a value that begins below its key: deeper ones, or items at the column of the key."""
    for line in lines[at + 1 :]:
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and not (indent > column or (indent == column and line.lstrip().startswith("- "))):
            return
        yield line.strip()


def _begins_item(line: str, column: int) -> bool:
    return _column(line) == column and line.lstrip().startswith("- ")


def _column(line: str) -> int:
    """Where the key of a line begins, behind the dash of an item."""
    match = re.match(r" *(?:- +)?", line)
    return match.end() if match else 0
